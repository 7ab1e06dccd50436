/* Object caches, after Bonwick; shown in /proc/slabinfo. */
#ifndef MM_SLAB_H
#define MM_SLAB_H

#include "mm/page_alloc.h"

struct kmem_cache {
	const char *name;
	u32 size;			/* bytes per object, aligned */
	u32 align;
	u32 order;			/* pages per slab, as a power of two */
	u32 per_slab;			/* objects per slab */
	struct list_head partial;	/* slabs with used and free objects */
	struct list_head full;
	struct page *empty;		/* one empty slab kept, or NULL */
	u32 nr_slabs, nr_active;	/* slabs, objects in use */
	struct list_head node;		/* in kmem_caches */
};

extern struct list_head kmem_caches;	/* every cache, for /proc/slabinfo */

/* Makes a cache; panics when out of memory (only called at boot). */
struct kmem_cache *kmem_cache_create(const char *name, u32 size, u32 align);
/* An object with undefined contents, or NULL.  May sleep if gfp says so. */
void *kmem_cache_alloc(struct kmem_cache *c, unsigned gfp);
/* Zeroed. */
void *kmem_cache_zalloc(struct kmem_cache *c, unsigned gfp);
void kmem_cache_free(struct kmem_cache *c, void *obj);	/* never sleeps */
/* Gives empty slabs back to the page allocator; pages freed. */
u32 kmem_cache_reap(void);

/* Any size: caches of 16..2048 bytes, whole pages above.  NULL: no memory. */
void *kmalloc(size_t size, unsigned gfp);
void *kzalloc(size_t size, unsigned gfp);
void kfree(void *p);			/* NULL is fine */

void slab_init(void);			/* once, after page_alloc_init() */

#endif
