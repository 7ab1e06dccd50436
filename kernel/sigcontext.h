/* What a signal handler finds on the stack: Linux i386's layouts. */
#ifndef KERNEL_SIGCONTEXT_H
#define KERNEL_SIGCONTEXT_H

#include "kernel/fpu.h"
#include "kernel/signal.h"

struct sigcontext {
	u32 gs, fs, es, ds;
	u32 edi, esi, ebp, esp, ebx, edx, ecx, eax;
	u32 trapno, err;
	u32 eip, cs, eflags, esp_at_signal, ss;
	u32 fpstate;			/* user address, 0: no FPU state */
	u32 oldmask, cr2;
};

struct stack32 {
	u32 sp;
	s32 flags;
	u32 size;
};

struct ucontext {
	u32 flags, link;
	struct stack32 stack;
	struct sigcontext mcontext;
	sigset_t sigmask;
};

struct user_siginfo {			/* siginfo_t */
	s32 signo, error, code;
	u32 fields[29];
};

struct sigframe {			/* handler without SA_SIGINFO */
	u32 retaddr;
	s32 sig;
	struct sigcontext sc;
	u8 fpstate[FPSTATE_SIZE];
	u32 extramask;
	u8 retcode[8];
};

struct rt_sigframe {
	u32 retaddr;
	s32 sig;
	u32 pinfo, puc;
	struct user_siginfo info;
	struct ucontext uc;
	u8 fpstate[FPSTATE_SIZE];
	u8 retcode[8];
};

_Static_assert(sizeof(struct sigcontext) == 88, "sigcontext");
_Static_assert(sizeof(struct user_siginfo) == 128, "siginfo_t");
_Static_assert(offsetof(struct rt_sigframe, info) == 16, "rt_sigframe");
_Static_assert(offsetof(struct rt_sigframe, uc) == 144, "rt_sigframe");

#define SS_ONSTACK	1
#define SS_DISABLE	2
#define MINSIGSTKSZ	2048

/* sigaltstack's view of the current task when its stack pointer is `esp`. */
void get_altstack(struct stack32 *ss, u32 esp);
/* Sets the alternate stack; 0, -EPERM (in use), -EINVAL, -ENOMEM. */
int set_altstack(const struct stack32 *ss, u32 esp);
/* Is `esp` on the current task's alternate stack? */
bool on_altstack(u32 esp);

#endif
