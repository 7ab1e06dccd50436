/* host-test: mm/readahead.c mm/buddy.c lib/radix_tree.c lib/bitmap.c */
/*
 * mm/readahead.c: what is read for a sequential reader, a random one and a
 * fault: never twice, never past the end, before it is needed, and in how
 * many requests.
 */
#include "fs/vfs.h"
#include "mm/mm.h"
#include "mm/readahead.h"
#include "tests/host/frames.h"

#define FILE_PAGES	200u

static struct inode inode;
static struct file reader;
static struct address_space *file = &inode.data;
static u32 reads[FILE_PAGES], nr_reads, plugs, past_end;

void *radix_node_alloc(void)
{
	return malloc(sizeof(struct radix_tree_node));
}

void radix_node_free(void *node)
{
	free(node);
}

/* ---- what readahead.c calls ---- */
int add_to_page_cache(struct page *page, struct address_space *m, u32 index,
		      unsigned gfp unused_arg)
{
	page->count++;
	page->index = index;
	return radix_tree_insert(&m->pages, index, page);
}

void free_user_page(struct page *page unused_arg)
{
}

static int fake_readpage(struct file *f unused_arg, struct page *page)
{
	nr_reads++;
	if (page->index < FILE_PAGES)
		reads[page->index]++;
	else
		past_end++;
	return 0;
}

void blk_start_plug(void)
{
	plugs++;
}

void blk_finish_plug(void)
{
}

static const struct address_space_ops ops = { .readpage = fake_readpage };

/* Forgets everything that was read. */
static void forget(void)
{
	struct page *page;
	u32 i;

	for (i = 0; i < FILE_PAGES; i++) {
		page = radix_tree_delete(&file->pages, i);
		if (page)
			free_pages(page, 0);
		reads[i] = 0;
	}
	nr_reads = plugs = past_end = 0;
	memset(&reader.ra, 0, sizeof(reader.ra));
}

/* Does what read() does, page by page: readahead is asked where a page is
 * missing and where the window's mark is met.  True if no page was late and no
 * window too large. */
static bool read_pages(u32 index, u32 count)
{
	bool good = true;
	u32 before = nr_reads;

	for (; count; index++, count--) {
		if (!radix_tree_lookup(&file->pages, index))
			readahead_read(&reader, index, count);
		else if (reader.ra.size && index == reader.ra.ahead)
			readahead_read(&reader, index, 1);
		good = good && radix_tree_lookup(&file->pages, index) &&
		       nr_reads - before <= RA_MAX_PAGES;
		before = nr_reads;
	}
	reader.ra.next = index;
	return good;
}

/* Reads the whole file in steps; true if each page was there in time. */
static bool read_file(u32 step)
{
	bool good = true;
	u32 index;

	for (index = 0; index < FILE_PAGES; index += step)
		good = read_pages(index, min(step, FILE_PAGES - index)) &&
		       good;
	return good;
}

static u32 most_reads(void)
{
	u32 i, most = 0;

	for (i = 0; i < FILE_PAGES; i++)
		most = max(most, reads[i]);
	return most;
}

static void test_sequential(u32 step)
{
	forget();
	ok(read_file(step), "%u pages a read: each is there in time", step);
	is(nr_reads, FILE_PAGES, "the whole file was read");
	is(most_reads(), 1, "no page twice");
	is(past_end, 0, "and none past the end");
	ok(plugs <= 12, "in few requests (%u)", plugs);
}

static void test_random(void)
{
	u32 i, before;

	forget();
	for (i = 10; i < 190; i += 37) {
		before = nr_reads;
		ok(read_pages(i, 2) && nr_reads == before + 2,
		   "at %u two pages, and no more", i);
	}
}

static void test_fault(void)
{
	struct vma vma = { .vm_file = &reader };

	forget();
	readahead_fault(&vma, 70);
	ok(nr_reads == RA_MAX_PAGES && reads[64] && reads[95] && !reads[63] &&
	   !reads[96], "a fault reads the aligned 32 pages around it");
	readahead_fault(&vma, 65);
	is(nr_reads, RA_MAX_PAGES, "and nothing that is there");
	readahead_fault(&vma, FILE_PAGES - 1);
	is(nr_reads, RA_MAX_PAGES + 8, "at the end, what there is");
	forget();
	vma.vm_flags = VM_RAND_READ;
	readahead_fault(&vma, 70);
	is(nr_reads, 0, "MADV_RANDOM: nothing around");
	vma.vm_flags = VM_SEQ_READ;
	readahead_fault(&vma, 70);
	ok(reads[70] && reads[101] && !reads[69], "MADV_SEQUENTIAL: ahead");
}

static void test_edges(void)
{
	forget();
	readahead_range(file, &reader, FILE_PAGES, 10);
	readahead_range(file, &reader, 4000000000u, 10);
	is(nr_reads, 0, "nothing past the end");
	inode.size = 1;
	readahead_read(&reader, 0, 1);
	is(nr_reads, 1, "a file of one byte has one page");
	inode.size = 0;
	forget();
	readahead_read(&reader, 0, 1);
	is(nr_reads, 0, "an empty file has none");
	inode.size = FILE_PAGES * PAGE_SIZE;
	fail_after = 2;
	readahead_read(&reader, 0, 8);
	fail_after = -1;
	is(nr_reads, 2, "without memory it stops");
}

int main(void)
{
	frames_init(512, 1);
	inode.size = FILE_PAGES * PAGE_SIZE;
	file->host = &inode;
	file->ops = &ops;
	reader.mapping = file;
	test_sequential(1);
	test_sequential(4);
	test_sequential(16);
	test_sequential(40);
	test_random();
	test_fault();
	test_edges();
	return done();
}
