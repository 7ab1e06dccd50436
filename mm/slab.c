/*
 * Object caches, after Bonwick's slab allocator (USENIX 1994), reduced to what
 * one CPU needs: no colouring, no per-CPU magazines, no constructors.
 *
 *	kmem_cache  partial -> [slab: o o x o] -> [slab: x x o o]
 *	            full    -> [slab: x x x x]
 *	            empty   -> [slab: o o o o]   (one kept)
 *
 * A slab is 2^order frames.  Its first struct page is the slab's header:
 * mapping points to the cache, index counts used objects, private is the
 * first free object.  A free object's first word links to the next one and its
 * second word carries a magic number, so that a write after free or a double
 * free is seen when the object is handed out or freed next.
 *
 * Invariants
 *  1. A slab is on exactly one list: partial (some used), full (all used), or
 *     it is the cache's one `empty` slab.
 *  2. nr_active = sum of index over the slabs; nr_slabs counts the slabs.
 *  3. Every free object is on its slab's free list, with the magic in it.
 *
 * Watch it in gdb: print *vma_cache; break kmem_cache_grow.
 */
#include "mm/slab.h"

#include "kernel/printk.h"
#include "lib/string.h"
#include "mm/vmstat.h"

#define FREE_MAGIC	0x5ab0b1ecu
#define MIN_PER_SLAB	8

struct free_object {
	struct free_object *next;
	u32 magic;
};

LIST_HEAD(kmem_caches);
static struct kmem_cache cache_cache;	/* of struct kmem_cache */

#define KMALLOC_CACHES	8		/* 16, 32, ... 2048 bytes */
static struct kmem_cache *kmalloc_cache[KMALLOC_CACHES];

/* The slab header of an object: the first frame of its slab. */
static struct page *slab_of(const void *obj)
{
	struct page *page = virt_to_page(obj);

	BUG_ON(page->type != PAGE_SLAB);
	return page - page->rmap.mapcount;
}

/* Fills in a cache: object size, slab order. */
static void cache_setup(struct kmem_cache *c, const char *name, u32 size,
			u32 align)
{
	c->name = name;
	c->align = max(align, 4u);
	c->size = max(round_up(size, c->align),
		      (u32)sizeof(struct free_object));
	while ((PAGE_SIZE << c->order) / c->size < MIN_PER_SLAB &&
	       c->order < 3 && PAGE_SIZE % c->size)
		c->order++;
	c->per_slab = (PAGE_SIZE << c->order) / c->size;
	list_init(&c->partial);
	list_init(&c->full);
	list_add_tail(&c->node, &kmem_caches);
}

/* Makes a cache; panics when out of memory (only called at boot). */
struct kmem_cache *kmem_cache_create(const char *name, u32 size, u32 align)
{
	struct kmem_cache *c = kmem_cache_zalloc(&cache_cache, GFP_KERNEL);

	if (!c)
		panic("no memory for the %s cache", name);
	cache_setup(c, name, size, align);
	return c;
}

/* Links all objects of a fresh slab into its free list. */
static void slab_fill(struct kmem_cache *c, struct page *slab)
{
	char *base = page_address(slab);
	struct free_object *next = NULL;

	for (u32 i = c->per_slab; i-- > 0; ) {
		struct free_object *o = (void *)(base + i * c->size);

		o->next = next;
		o->magic = FREE_MAGIC;
		next = o;
	}
	slab->private = (uptr)next;
	slab->index = 0;
	slab->mapping = (void *)c;
}

/* A new slab on the partial list, or NULL.  May sleep if gfp says so. */
static noinline struct page *kmem_cache_grow(struct kmem_cache *c,
					     unsigned gfp)
{
	struct page *slab = alloc_pages(gfp & ~__GFP_ZERO, c->order);

	if (!slab)
		return NULL;
	for (u32 i = 0; i < 1u << c->order; i++) {
		slab[i].type = PAGE_SLAB;
		slab[i].rmap.mapcount = i;	/* distance to the header */
	}
	slab_fill(c, slab);
	list_add(&slab->lru, &c->partial);
	c->nr_slabs++;
	vm_add(nr_slab, 1u << c->order);
	return slab;
}

/* Gives an empty slab's frames back. */
static void slab_destroy(struct kmem_cache *c, struct page *slab)
{
	c->nr_slabs--;
	vm_sub(nr_slab, 1u << c->order);
	for (u32 i = 0; i < 1u << c->order; i++)
		slab[i].rmap.mapcount = 0;
	slab->mapping = NULL;
	free_pages(slab, c->order);
}

/* A slab with a free object: partial, the kept empty one, or a new one. */
static struct page *slab_with_room(struct kmem_cache *c, unsigned gfp)
{
	struct page *slab;

	if (likely(!list_empty(&c->partial)))
		return list_first_entry(&c->partial, struct page, lru);
	slab = c->empty;
	if (slab) {
		c->empty = NULL;
		list_add(&slab->lru, &c->partial);
		return slab;
	}
	return kmem_cache_grow(c, gfp);
}

/* An object with undefined contents, or NULL.  May sleep if gfp says so. */
void *kmem_cache_alloc(struct kmem_cache *c, unsigned gfp)
{
	struct free_object *o;
	struct page *slab;

	if (unlikely(fail_nth) && allocation_fails(gfp))
		return NULL;
	slab = slab_with_room(c, gfp);
	if (unlikely(!slab))
		return NULL;
	o = (struct free_object *)slab->private;
	if (unlikely(o->magic != FREE_MAGIC))
		panic("%s: free object %p was written to", c->name, o);
	slab->private = (uptr)o->next;
	o->magic = 0;
	slab->index++;
	c->nr_active++;
	if (!o->next)
		list_move(&slab->lru, &c->full);
	return o;
}

/* The same, zeroed. */
void *kmem_cache_zalloc(struct kmem_cache *c, unsigned gfp)
{
	void *o = kmem_cache_alloc(c, gfp);

	if (o)
		memset(o, 0, c->size);
	return o;
}

/* A slab lost its last object: keep one per cache, free the others. */
static void slab_emptied(struct kmem_cache *c, struct page *slab)
{
	list_del(&slab->lru);
	if (c->empty)
		slab_destroy(c, slab);
	else
		c->empty = slab;
}

/* Gives an object back to its cache. */
void kmem_cache_free(struct kmem_cache *c, void *obj)
{
	struct page *slab = slab_of(obj);
	struct free_object *o = obj;

	if (unlikely((void *)slab->mapping != c || o->magic == FREE_MAGIC))
		panic("%s: bad or double free of %p", c->name, obj);
	o->next = (struct free_object *)slab->private;
	o->magic = FREE_MAGIC;
	if (!slab->private)
		list_move(&slab->lru, &c->partial);
	slab->private = (uptr)o;
	c->nr_active--;
	if (--slab->index == 0)
		slab_emptied(c, slab);
}

/* Frees the kept empty slab of every cache; pages freed. */
u32 kmem_cache_reap(void)
{
	struct kmem_cache *c;
	u32 freed = 0;

	list_for_each_entry(c, &kmem_caches, node) {
		if (!c->empty)
			continue;
		slab_destroy(c, c->empty);
		c->empty = NULL;
		freed += 1u << c->order;
	}
	return freed;
}

/* The smallest kmalloc cache for `size`, or NULL: larger than all. */
static struct kmem_cache *kmalloc_cache_for(size_t size)
{
	for (unsigned i = 0; i < KMALLOC_CACHES; i++)
		if (size <= 16u << i)
			return kmalloc_cache[i];
	return NULL;
}

/* Frames that hold `size` bytes, as an order. */
static unsigned order_for(size_t size)
{
	unsigned order = 0;

	while (PAGE_SIZE << order < size)
		order++;
	return order;
}

/* Memory of any size up to 4 MB, or NULL. */
void *kmalloc(size_t size, unsigned gfp)
{
	struct kmem_cache *c = kmalloc_cache_for(size);
	struct page *page;

	if (c)
		return kmem_cache_alloc(c, gfp);
	if (size > PAGE_SIZE << (MAX_ORDER - 1))
		return NULL;
	page = alloc_pages(gfp, order_for(size));
	if (!page)
		return NULL;
	page->index = order_for(size);
	return page_address(page);
}

/* The same, zeroed. */
void *kzalloc(size_t size, unsigned gfp)
{
	void *p = kmalloc(size, gfp);

	if (p)
		memset(p, 0, size);
	return p;
}

/* Frees what kmalloc() returned; NULL is fine. */
void kfree(void *p)
{
	struct page *page;

	if (!p)
		return;
	page = virt_to_page(p);
	if (page->type == PAGE_SLAB) {
		kmem_cache_free((void *)slab_of(p)->mapping, p);
		return;
	}
	BUG_ON(page->type != PAGE_KERNEL || (uptr)p % PAGE_SIZE);
	free_pages(page, page->index);
}

/* Makes the cache of caches and the kmalloc caches; called once. */
void slab_init(void)
{
	static const char *const name[KMALLOC_CACHES] = {
		"size-16", "size-32", "size-64", "size-128",
		"size-256", "size-512", "size-1024", "size-2048",
	};

	cache_setup(&cache_cache, "kmem_cache", sizeof(struct kmem_cache), 4);
	for (unsigned i = 0; i < KMALLOC_CACHES; i++)
		kmalloc_cache[i] = kmem_cache_create(name[i], 16u << i,
						     min(16u << i, 64u));
}
