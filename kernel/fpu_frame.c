/*
 * The FPU state in signal frames, as Linux lays it out (struct _fpstate):
 *
 *	  0	what FSAVE of a 387 would have stored, 108 bytes
 *	108	status word, and the magic that says what follows
 *	112	the FXSAVE image, 512 bytes, if magic is 0
 *
 * A handler may change the image; sigreturn takes it back from there.
 */
#include "kernel/fpu.h"
#include "kernel/trap.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"
#include "lib/string.h"

#define MAGIC_FXSR	0x0000
#define MAGIC_NONE	0xffff
#define MXCSR_MASK	0xffbfu		/* bits that exist with SSE1 */

struct fsave {
	u32 cw, sw, tag, ip, cs, data, ds;
	u16 st[8][5];			/* 80-bit numbers */
};

struct fxsave {
	u16 cw, sw, tag, op;
	u32 ip, cs, data, ds;
	u32 mxcsr, mxcsr_mask;
	u16 st[8][8];
	u8 xmm[8][16], reserved[224];
};

struct fpstate_header {
	struct fsave fsave;
	u16 status, magic;
};

_Static_assert(sizeof(struct fpstate_header) == 112, "fpstate header");
_Static_assert(sizeof(struct fxsave) == FPU_STATE_SIZE, "FXSAVE image");

/* The 2-bit tag FSAVE would store for a register that is not empty. */
static u32 long_tag(const u16 *st)
{
	u16 exponent = st[4] & 0x7fff;
	bool zero = !(st[0] | st[1] | st[2] | st[3]);

	if (exponent == 0x7fff)
		return 2;			/* infinity, NaN */
	if (exponent == 0)
		return zero ? 1 : 2;
	return st[3] & 0x8000 ? 0 : 2;
}

/* The FSAVE tag word: FXSAVE keeps one bit per physical register, while st[]
 * is in stack order. */
static u32 expand_tags(const struct fxsave *fx)
{
	unsigned top = fx->sw >> 11 & 7;
	u32 tags = 0;

	for (unsigned reg = 0; reg < 8; reg++) {
		u32 tag = 3;

		if (fx->tag >> reg & 1)
			tag = long_tag(fx->st[(reg - top) & 7]);
		tags |= tag << (2 * reg);
	}
	return tags;
}

/* Converts an FXSAVE image into the header. */
static void fill_header(struct fpstate_header *h, const struct fxsave *fx)
{
	h->fsave.cw = fx->cw | 0xffff0000;
	h->fsave.sw = fx->sw | 0xffff0000;
	h->fsave.tag = expand_tags(fx) | 0xffff0000;
	h->fsave.ip = fx->ip;
	h->fsave.cs = (fx->cs & 0xffff) | (u32)fx->op << 16;
	h->fsave.data = fx->data;
	h->fsave.ds = fx->ds;
	for (int i = 0; i < 8; i++)
		memcpy(h->fsave.st[i], fx->st[i], 10);
	h->status = fx->sw;
	h->magic = MAGIC_FXSR;
}

/* Writes the current task's state to user memory. 0 or -EFAULT. */
int fpu_to_user(void *to)
{
	struct fpstate_header h;

	fpu_flush(current);
	if (cpu_features & CPU_FXSR) {
		fill_header(&h, current->fpu);
		if (copy_to_user((u8 *)to + sizeof(h), current->fpu,
				 FPU_STATE_SIZE))
			return -EFAULT;
	} else {
		memcpy(&h.fsave, current->fpu, sizeof(h.fsave));
		h.status = h.fsave.sw;
		h.magic = MAGIC_NONE;
	}
	return copy_to_user(to, &h, sizeof(h));
}

/* Takes the state back from a signal frame.  0 or -EFAULT.  Reserved bits of
 * MXCSR are cleared: FXRSTOR would fault on them. */
int fpu_from_user(const void *from)
{
	struct fxsave *fx;
	const u8 *image = from;
	int error;

	if (!current->used_fpu)
		math_state_restore();	/* makes the memory */
	if (!current->used_fpu)
		return -EFAULT;
	fpu_reload();			/* before sleeping in the copy */
	fx = current->fpu;
	if (cpu_features & CPU_FXSR) {
		error = copy_from_user(fx, image + 112, sizeof(*fx));
		fx->mxcsr &= MXCSR_MASK;
	} else {
		error = copy_from_user(fx, image, sizeof(struct fsave));
	}
	return error;
}
