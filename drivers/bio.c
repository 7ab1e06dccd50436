/*
 * The supply of bios, and the simple synchronous transfer.
 *
 * Writing pages out is how memory is freed, so it must not need memory: the
 * last BIO_RESERVE spare bios go only to callers whom the slab cache fails,
 * and since every bio in flight comes back when its transfer ends, waiting for
 * one of these always ends.
 *
 *	nr_spare:  0 ....... BIO_RESERVE ........ BIO_SPARE_MAX
 *	           | after the slab  | straight off     | more are given
 *	           | cache failed    | the list         | back to it
 */
#include "drivers/request.h"
#include "kernel/printk.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/page.h"
#include "mm/slab.h"

#define BIO_RESERVE	32
#define BIO_SPARE_MAX	128

static struct kmem_cache *bio_cache;
static LIST_HEAD(spare);
static u32 nr_spare;
static struct wait_queue spare_wait = WAIT_QUEUE_INIT(spare_wait);

/* Takes a spare bio; there is one. */
static struct bio *take_spare(void)
{
	struct bio *bio = list_first_entry(&spare, struct bio, node);

	list_del(&bio->node);
	nr_spare--;
	return bio;
}

/* The way when only the reserve is left: slab cache, reserve, wait. */
static noinline struct bio *bio_alloc_slow(unsigned gfp)
{
	unsigned try = (gfp & ~(__GFP_WAIT | __GFP_HIGH)) | __GFP_NOWARN;
	struct bio *bio = kmem_cache_alloc(bio_cache, try);

	if (bio)
		return bio;
	if (gfp & __GFP_WAIT)
		wait_event(spare_wait, nr_spare > 0);
	return nr_spare ? take_spare() : NULL;
}

/* A bio with undefined contents.  With __GFP_WAIT it may sleep and never
 * fails; otherwise NULL when there is none. */
struct bio *bio_alloc(unsigned gfp)
{
	if (likely(nr_spare > BIO_RESERVE))
		return take_spare();
	return bio_alloc_slow(gfp);
}

/* Gives a bio back, and the reserve to who waits for it.  Never sleeps. */
void bio_free(struct bio *bio)
{
	if (unlikely(nr_spare >= BIO_SPARE_MAX)) {
		kmem_cache_free(bio_cache, bio);
		return;
	}
	list_add(&bio->node, &spare);
	nr_spare++;
	if (unlikely(nr_spare <= BIO_RESERVE))
		wake_up(&spare_wait);
}

/* Fills the reserve; panics when out of memory, as this is at boot. */
void bio_init(void)
{
	bio_cache = kmem_cache_create("bio", sizeof(struct bio), 0);
	while (nr_spare < BIO_RESERVE) {
		struct bio *bio = kmem_cache_alloc(bio_cache, GFP_KERNEL);

		if (!bio)
			panic("no memory for the reserve of bios");
		bio_free(bio);
	}
}

/* What a synchronous transfer waits for. */
struct transfer {
	bool done;
	int error;
	struct wait_queue wait;
};

/* Completion of transfer_page(); a softirq. */
static void end_transfer(struct bio *bio, int error)
{
	struct transfer *t = bio->private;

	bio_free(bio);
	t->error = error;
	t->done = true;
	wake_up(&t->wait);
}

/* Transfers the first `len` bytes of a page and waits. */
static int transfer_page(struct block_device *b, u64 sector,
			 struct page *page, size_t len, bool write)
{
	struct transfer t = { .done = false };
	struct bio *bio = bio_alloc(GFP_NOIO);

	wait_queue_init(&t.wait);
	bio->bdev = b;
	bio->sector = sector;
	bio->page = page;
	bio->offset = 0;
	bio->len = (u16)len;
	bio->write = write;
	bio->end = end_transfer;
	bio->private = &t;
	submit_bio(bio);
	wait_event(t.wait, t.done);
	return t.error;
}

/* Reads or writes any kernel memory, page by page through a page of its own,
 * since `buf` need not be aligned as a controller wants it.  Sleeps. */
int bdev_transfer(struct block_device *b, u64 sector, void *buf, size_t len,
		  bool write)
{
	struct page *page = alloc_page(GFP_NOIO);
	u8 *at = buf;
	int error = 0;

	if (!page)
		return -ENOMEM;
	while (len && !error) {
		size_t n = min(len, (size_t)PAGE_SIZE);

		if (write)
			memcpy(page_address(page), at, n);
		error = transfer_page(b, sector, page, n, write);
		if (!write && !error)
			memcpy(at, page_address(page), n);
		at += n;
		len -= n;
		sector += n >> 9;
	}
	put_page(page);
	return error;
}
