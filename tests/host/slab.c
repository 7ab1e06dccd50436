/* host-test: mm/slab.c mm/buddy.c */
/*
 * mm/slab.c: objects of many sizes that must keep their contents, the counts
 * of its opening comment, running out of memory, the mistakes it must catch,
 * and a census of frames at the end.
 */
#include "mm/slab.h"
#include "tests/host/frames.h"

#define FRAMES	2048u
#define OBJECTS	3000u

struct object {
	u8 *at;
	u32 size;
	u8 fill;
};

static struct object objects[OBJECTS];

/* True if an object still holds what was written into it. */
static bool intact(const struct object *o)
{
	u32 i;

	for (i = 0; i < o->size; i++)
		if (o->at[i] != o->fill)
			return false;
	return true;
}

static void fill(struct object *o)
{
	o->fill = (u8)rnd();
	memset(o->at, o->fill, o->size);
}

/* Slabs on a list, and the used objects in them; ~0 if a slab is wrong. */
static u32 count_list(struct kmem_cache *c, struct list_head *list, bool full,
		      u32 *slabs)
{
	struct page *slab;
	u32 used = 0;

	list_for_each_entry(slab, list, lru) {
		if (slab->type != PAGE_SLAB || (void *)slab->mapping != c ||
		    (slab->index == c->per_slab) != full || !slab->index)
			return ~0u;
		used += slab->index;
		++*slabs;
	}
	return used;
}

/* True if the cache keeps its invariants and has `active` objects in use. */
static bool cache_right(struct kmem_cache *c, u32 active)
{
	u32 slabs = c->empty != NULL;
	u32 partly = count_list(c, &c->partial, false, &slabs);
	u32 fully = count_list(c, &c->full, true, &slabs);

	return partly != ~0u && fully != ~0u && partly + fully == active &&
	       c->nr_active == active && c->nr_slabs == slabs &&
	       (!c->empty || c->empty->index == 0);
}

/* Allocates and frees at random in one cache. */
static void test_cache(u32 size, u32 align)
{
	struct kmem_cache *c = kmem_cache_create("test", size, align);
	u32 active = 0, n = min(OBJECTS, FRAMES * 1500 / size);
	int step, bad = 0;

	for (step = 0; step < 20000 && !bad; step++) {
		struct object *o = &objects[rnd_below(n)];

		if (o->at) {
			bad |= !intact(o);
			kmem_cache_free(c, o->at);
			o->at = NULL;
			active--;
		} else if (step / 4000 % 2 == 0 || rnd_below(4) == 0) {
			o->at = kmem_cache_alloc(c, 0);
			o->size = size;
			bad |= !o->at || (uptr)o->at % align;
			fill(o);
			active++;
		}
		if (step % 50 == 0)
			bad |= !cache_right(c, active);
	}
	ok(!bad, "objects of %u bytes, aligned to %u: %d steps", size, align,
	   step);
	for (u32 i = 0; i < n; i++) {
		if (objects[i].at)
			kmem_cache_free(c, objects[i].at);
		objects[i].at = NULL;
	}
	ok(cache_right(c, 0) && c->nr_slabs <= 1, "one empty slab is kept");
}

static void test_kmalloc(void)
{
	int step, bad = 0;

	for (step = 0; step < 20000 && !bad; step++) {
		struct object *o = &objects[rnd_below(500)];

		if (o->at) {
			bad |= !intact(o);
			kfree(o->at);
			o->at = NULL;
			continue;
		}
		o->size = 1 + rnd_below(1u << rnd_below(15));
		o->at = kmalloc(o->size, 0);
		bad |= !o->at || (uptr)o->at % 16;
		fill(o);
	}
	ok(!bad, "kmalloc of 1 to 16384 bytes: %d steps", step);
	for (u32 i = 0; i < OBJECTS; i++) {
		kfree(objects[i].at);
		objects[i].at = NULL;
	}
	ok(!kmalloc((PAGE_SIZE << (MAX_ORDER - 1)) + 1, 0),
	   "kmalloc of more than 4 MB is NULL");
	kfree(NULL);
	ok(true, "kfree(NULL) is fine");
}

static void test_zeroed(void)
{
	struct object o = { .size = 500, .fill = 0 };

	o.at = kmalloc(500, 0);
	memset(o.at, 0xFF, 500);
	kfree(o.at);
	o.at = kzalloc(500, 0);
	ok(intact(&o), "kzalloc gives zeros where something was");
	kfree(o.at);
	o.size = 9000;
	o.at = kzalloc(9000, 0);
	ok(intact(&o), "kzalloc of whole pages gives zeros");
	kfree(o.at);
}

static void test_no_memory(void)
{
	struct kmem_cache *c = kmem_cache_create("poor", 64, 8);
	void *o;

	fail_after = 0;
	ok(!kmem_cache_alloc(c, 0), "no frame: NULL");
	fail_after = 0;
	ok(!kmem_cache_zalloc(c, 0), "no frame: NULL from zalloc");
	fail_after = -1;
	ok(cache_right(c, 0), "the cache is unchanged");
	o = kmem_cache_alloc(c, 0);
	fail_after = 0;
	ok(kmem_cache_alloc(c, 0) != NULL, "the slab at hand still serves");
	fail_after = 0;
	ok(!kmalloc(100000, 0), "no frames for kmalloc");
	fail_after = 0;
	ok(!kzalloc(100000, 0), "no frames for kzalloc");
	fail_after = -1;
	kmem_cache_free(c, o);
}

/* vm.fail_nth: a failure on order leaves the cache as it was. */
static void test_fail_nth(void)
{
	struct kmem_cache *c = kmem_cache_create("unlucky", 64, 8);
	void *o[3];

	fail_nth = 2;
	o[0] = kmem_cache_alloc(c, GFP_KERNEL);
	o[1] = kmem_cache_alloc(c, GFP_KERNEL);
	o[2] = kmem_cache_alloc(c, GFP_KERNEL);
	ok(o[0] && !o[1] && o[2], "the second of three fails");
	kmem_cache_free(c, o[0]);
	kmem_cache_free(c, o[2]);
	fail_nth = 1;
	ok(!kmem_cache_alloc(c, GFP_KERNEL), "the first fails");
	ok(cache_right(c, 0), "and no empty slab is left on a list");
}

static void test_mistakes(void)
{
	struct kmem_cache *c = kmem_cache_create("wrong", 64, 8);
	struct kmem_cache *other = kmem_cache_create("other", 64, 8);
	u8 *keep = kmem_cache_alloc(c, 0), *o = kmem_cache_alloc(c, 0);

	ok(PANICS(kmem_cache_free(other, o)), "freed into another cache");
	kmem_cache_free(c, o);
	ok(PANICS(kmem_cache_free(c, o)), "freed twice");
	memset(o, 0, 64);
	ok(PANICS(kmem_cache_alloc(c, 0)), "written after free");
	printf("# %s\n", panic_message);
	ok(PANICS(kfree(page_address(mem_map + FRAMES - 1))),
	   "kfree of a free frame");
	ok(keep != o, "two objects are two");
}

int main(void)
{
	static const u32 sizes[] = { 8, 12, 16, 44, 64, 80, 128, 288, 700,
				     1024, 2048, 3000, 4096 };
	u32 before;
	size_t i;

	frames_init(FRAMES, 0);
	slab_init();
	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		test_cache(sizes[i], sizeof(void *));
	test_cache(100, 64);
	test_cache(128, 128);
	kmem_cache_reap();
	before = frames_used;
	test_kmalloc();
	test_zeroed();
	ok(kmem_cache_reap() > 0, "reap gives frames back");
	is(kmem_cache_reap(), 0, "and has none left then");
	is(frames_used, before, "the census agrees");
	is((long long)vm_stat[vm_nr_slab], frames_used, "nr_slab agrees");
	test_no_memory();
	test_fail_nth();
	test_mistakes();
	return done();
}
