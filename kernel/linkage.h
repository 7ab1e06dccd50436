/* How assembly and C meet: calling conventions and section marks. */
#ifndef KERNEL_LINKAGE_H
#define KERNEL_LINKAGE_H

/* Arguments on the stack, as assembly code and int 0x80 push them. */
#ifdef HOST_TEST
#define asmlinkage
#else
#define asmlinkage	__attribute__((regparm(0)))
#endif

#endif
