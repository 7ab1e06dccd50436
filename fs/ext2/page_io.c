/*
 * Moving one page between memory and the disk, in as few transfers as its
 * blocks allow: neighbours on disk share a bio.
 *
 * The transfers in flight are counted in page->private; begin holds one count
 * itself, so that the page is finished only after the last bio was added, even
 * if the first ones complete at once.  The count is changed here and by the
 * completion, a softirq; neither sleeps while doing so.
 */
#include "drivers/block.h"
#include "fs/ext2/ext2.h"
#include "kernel/task.h"
#include "mm/page_alloc.h"

/* Ends one transfer; the last one finishes the page.  Never sleeps. */
static void page_io_put(struct page *page, bool write, int error)
{
	if (error)
		page->private |= PAGE_IO_ERROR;
	page->private -= PAGE_IO_ONE;
	if (page->private & PAGE_IO_MASK)
		return;
	error = page->private & PAGE_IO_ERROR ? -EIO : 0;
	if (error)		/* the page stays dirty; so do its sectors */
		page->private |= page->private >> PAGE_FLYING;
	page->private &= PAGE_SECTORS | PAGE_WHOLE;
	if (write)
		end_page_writeback(page, error);
	else
		end_page_read(page, error);
}

/* Completion of a bio, a softirq. */
static void page_io_done(struct bio *bio, int error)
{
	struct page *page = bio->page;
	bool write = bio->write;

	bio_free(bio);
	page_io_put(page, write, error);
}

/* Starts the run gathered so far, if any.  May sleep. */
static void page_io_submit(struct page_io *io)
{
	struct bio *bio;

	if (!io->len)
		return;
	bio = bio_alloc(GFP_NOIO);
	io->page->private += PAGE_IO_ONE;
	bio->bdev = io->bdev;
	bio->sector = io->sector;
	bio->page = io->page;
	bio->offset = io->offset;
	bio->len = io->len;
	bio->write = io->write;
	bio->end = page_io_done;
	io->len = 0;
	submit_bio(bio);
}

/* Takes a locked page, with PG_WRITEBACK set if `write`. */
void page_io_begin(struct page_io *io, struct page *page,
		   struct block_device *bdev, bool write)
{
	page->private &= ~(uptr)(PAGE_IO_MASK | PAGE_IO_ERROR);
	page->private += PAGE_IO_ONE;
	io->page = page;
	io->bdev = bdev;
	io->write = write;
	io->len = 0;
}

/* Adds a piece; see ext2.h. */
void page_io_add(struct page_io *io, u64 sector, u32 offset, u32 len)
{
	if (io->len && sector == io->sector + io->len / 512 &&
	    offset == io->offset + io->len) {
		io->len += len;
		return;
	}
	page_io_submit(io);
	io->sector = sector;
	io->offset = offset;
	io->len = len;
}

/* Starts the last run and lets the page finish. */
void page_io_end(struct page_io *io)
{
	page_io_submit(io);
	page_io_put(io->page, io->write, 0);
}
