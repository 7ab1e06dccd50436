/*
 * A byte queue in a fixed buffer whose size is a power of two.
 *
 *	buf:  . . . d a t a . . .       tail: next to read
 *	            ^tail   ^head       head: next to write
 *
 * head and tail run freely and are masked at use, so head - tail is the
 * number of bytes and all of the buffer can be used.  One side only writes
 * head and the other only tail: an interrupt handler may put while a process
 * gets, on one CPU, without a lock.
 */
#ifndef LIB_RINGBUF_H
#define LIB_RINGBUF_H

#include "lib/string.h"
#include "lib/types.h"

struct ringbuf {
	u8 *buf;
	u32 size;		/* a power of two */
	volatile u32 head;	/* written by the producer */
	volatile u32 tail;	/* written by the consumer */
};

#define RINGBUF_INIT(storage)	{ (storage), sizeof(storage), 0, 0 }

/* Makes an empty ring over size (a power of two) bytes of the caller's. */
static inline void ring_init(struct ringbuf *ring, void *buf, u32 size)
{
	ring->buf = buf;
	ring->size = size;
	ring->head = 0;
	ring->tail = 0;
}

/* How many bytes wait to be read. */
static inline u32 ring_used(const struct ringbuf *ring)
{
	return ring->head - ring->tail;
}

/* How many bytes can be written. */
static inline u32 ring_space(const struct ringbuf *ring)
{
	return ring->size - ring_used(ring);
}

/* True if nothing can be read. */
static inline bool ring_empty(const struct ringbuf *ring)
{
	return ring->head == ring->tail;
}

/* True if nothing can be written. */
static inline bool ring_full(const struct ringbuf *ring)
{
	return ring_used(ring) == ring->size;
}

/* Producer: appends a byte; false, and dropped, if the ring is full. */
static inline bool ring_put(struct ringbuf *ring, u8 byte)
{
	if (ring_full(ring))
		return false;
	ring->buf[ring->head & (ring->size - 1)] = byte;
	barrier();
	ring->head++;
	return true;
}

/* Consumer: takes the oldest byte, -1 if the ring is empty. */
static inline int ring_get(struct ringbuf *ring)
{
	u8 byte;

	if (ring_empty(ring))
		return -1;
	byte = ring->buf[ring->tail & (ring->size - 1)];
	barrier();
	ring->tail++;
	return byte;
}

/* Producer: appends what fits of len bytes and returns how much that was. */
static inline u32 ring_write(struct ringbuf *ring, const void *data, u32 len)
{
	u32 at = ring->head & (ring->size - 1), first;

	len = min(len, ring_space(ring));
	first = min(len, ring->size - at);
	memcpy(ring->buf + at, data, first);
	memcpy(ring->buf, (const u8 *)data + first, len - first);
	barrier();
	ring->head += len;
	return len;
}

/* Consumer: takes up to len bytes and returns how many there were. */
static inline u32 ring_read(struct ringbuf *ring, void *data, u32 len)
{
	u32 at = ring->tail & (ring->size - 1), first;

	len = min(len, ring_used(ring));
	first = min(len, ring->size - at);
	memcpy(data, ring->buf + at, first);
	memcpy((u8 *)data + first, ring->buf, len - first);
	barrier();
	ring->tail += len;
	return len;
}

/* Consumer: throws away all that waits. */
static inline void ring_flush(struct ringbuf *ring)
{
	ring->tail = ring->head;
}

#endif
