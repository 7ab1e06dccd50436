/*
 * Building mem_map at boot: one struct page per frame, then everything that is
 * RAM and not in use goes to the buddy allocator.
 *
 *	0      kernel image   modules   mem_map          end of RAM
 *	|..rsv..|============|=========|########|.........free.........|
 *
 * The map itself is put into the first gap of RAM that holds it.
 */
#include "kernel/e820.h"
#include "kernel/printk.h"
#include "lib/string.h"
#include "mm/buddy.h"
#include "mm/vmstat.h"

struct page *mem_map;
u32 max_pfn;

static struct mem_range map_range;	/* where mem_map lies, physical */

/* The end of a reserved range that overlaps [start, end), or 0. */
static u64 reserved_until(u64 start, u64 end)
{
	for (unsigned i = 0; i < nr_boot_reserved; i++) {
		const struct mem_range *r = &boot_reserved[i];

		if (start < r->end && r->start < end)
			return r->end;
	}
	if (start < map_range.end && map_range.start < end)
		return map_range.end;
	return 0;
}

/* The first free, direct-mapped stretch of `size` bytes; panics if none. */
static u64 find_boot_memory(u64 size)
{
	for (unsigned i = 0; i < nr_ram_ranges; i++) {
		u64 at = round_up(ram_ranges[i].start, (u64)PAGE_SIZE);
		u64 end = min(ram_ranges[i].end, (u64)MAX_DIRECT);
		u64 next;

		while (at + size <= end) {
			next = reserved_until(at, at + size);
			if (!next)
				return at;
			at = round_up(next, (u64)PAGE_SIZE);
		}
	}
	panic("no room for the page map (%u KB): the machine has too little "
	      "memory", (u32)(size >> 10));
}

/* Frames below the end of direct-mapped RAM. */
static u32 count_frames(void)
{
	u64 end = 0;

	for (unsigned i = 0; i < nr_ram_ranges; i++)
		end = max(end, ram_ranges[i].end);
	return (u32)(min(end, (u64)MAX_DIRECT) >> PAGE_SHIFT);
}

/* Gives the frames of one range of RAM to the allocator. */
static void free_range(u64 start, u64 end)
{
	for (u64 at = start; at + PAGE_SIZE <= end; at += PAGE_SIZE) {
		if (reserved_until(at, at + PAGE_SIZE))
			continue;
		pfn_to_page((u32)(at >> PAGE_SHIFT))->type = PAGE_KERNEL;
		free_pages(pfn_to_page((u32)(at >> PAGE_SHIFT)), 0);
		total_pages++;
	}
}

/* Gives the whole frames of a range that was reserved to the allocator. */
void free_boot_memory(u64 start, u64 end)
{
	start = round_up(start, (u64)PAGE_SIZE);
	for (u64 at = start; at + PAGE_SIZE <= end; at += PAGE_SIZE) {
		struct page *page = pfn_to_page((u32)(at >> PAGE_SHIFT));

		BUG_ON(page->type != PAGE_RESERVED);
		page->type = PAGE_KERNEL;
		free_pages(page, 0);
		total_pages++;
	}
}

/* Builds mem_map and frees what is usable; called once. */
void page_alloc_init(void)
{
	u64 size;

	max_pfn = count_frames();
	size = PAGE_ALIGN((u64)max_pfn * sizeof(struct page));
	map_range.start = find_boot_memory(size);
	map_range.end = map_range.start + size;
	mem_map = phys_to_virt((u32)map_range.start);
	memset(mem_map, 0, size);
	buddy_init();
	for (unsigned i = 0; i < nr_ram_ranges; i++)
		free_range(ram_ranges[i].start,
			   min(ram_ranges[i].end, (u64)MAX_DIRECT));
	set_watermarks(min(max(total_pages / 128, 20u), 255u));
	vm_stat[vm_pgfree] = 0;
}
