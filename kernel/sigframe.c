/*
 * Signal frames: the registers of the interrupted program on its own stack.
 *
 *	high	fpstate, return code
 *		ucontext, siginfo (SA_SIGINFO) or sigcontext
 *	 esp->	return address, signal number, pointers to the above
 *
 * The handler returns to code that calls sigreturn(2), which loads everything
 * back: SA_RESTORER's, or, as glibc gives none, ours in the frame itself
 * (pages have no NX bit here).  Whatever the program changed in the frame is
 * accepted as long as the CPU can load it; entry.asm catches the rest.
 */
#include "kernel/printk.h"
#include "kernel/sigcontext.h"
#include "kernel/switch.h"
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "kernel/trap.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"
#include "lib/string.h"

/* pop eax; mov eax, 119; int 0x80 */
static const u8 sigreturn_code[8] = {
	0x58, 0xb8, 119, 0, 0, 0, 0xcd, 0x80,
};
/* mov eax, 173; int 0x80 */
static const u8 rt_sigreturn_code[8] = {
	0xb8, 173, 0, 0, 0, 0xcd, 0x80, 0,
};

/* Is `esp` on the current task's alternate stack? */
bool on_altstack(u32 esp)
{
	return esp - current->sas_ss_sp - 1 < current->sas_ss_size;
}

/* sigaltstack's view of the task. */
void get_altstack(struct stack32 *ss, u32 esp)
{
	ss->sp = current->sas_ss_sp;
	ss->size = current->sas_ss_size;
	if (!ss->size)
		ss->flags = SS_DISABLE;
	else
		ss->flags = on_altstack(esp) ? SS_ONSTACK : 0;
}

/* Sets the alternate stack.  0, -EPERM, -EINVAL, -ENOMEM. */
int set_altstack(const struct stack32 *ss, u32 esp)
{
	if (on_altstack(esp))
		return -EPERM;
	if (ss->flags & ~(SS_DISABLE | SS_ONSTACK))
		return -EINVAL;
	if (ss->flags & SS_DISABLE) {
		current->sas_ss_sp = current->sas_ss_size = 0;
		return 0;
	}
	if (ss->size < MINSIGSTKSZ)
		return -ENOMEM;
	current->sas_ss_sp = ss->sp;
	current->sas_ss_size = ss->size;
	return 0;
}

/* Where a frame of `size` bytes goes, so that (frame + 4) % 16 is 0 as the ABI
 * has it at a function's entry. */
static u32 frame_address(const struct trap_frame *tf,
			 const struct sigaction *sa, u32 size)
{
	u32 esp = tf->esp;

	if (sa->flags & SA_ONSTACK && current->sas_ss_size &&
	    !on_altstack(esp))
		esp = current->sas_ss_sp + current->sas_ss_size;
	return ((esp - size + 4) & ~15u) - 4;
}

/* Fills in the registers.  `fpstate` is where the FPU state goes. 0/-EFAULT */
static int fill_sigcontext(struct sigcontext *sc, const struct trap_frame *tf,
			   u32 fpstate, sigset_t oldset)
{
	sc->gs = read_gs();
	sc->fs = read_fs();
	sc->es = tf->es;
	sc->ds = tf->ds;
	sc->edi = tf->edi;
	sc->esi = tf->esi;
	sc->ebp = tf->ebp;
	sc->esp = sc->esp_at_signal = tf->esp;
	sc->ebx = tf->ebx;
	sc->edx = tf->edx;
	sc->ecx = tf->ecx;
	sc->eax = tf->eax;
	sc->trapno = current->trap_no;
	sc->err = current->trap_error;
	sc->eip = tf->eip;
	sc->cs = tf->cs;
	sc->eflags = tf->eflags;
	sc->ss = tf->ss;
	sc->oldmask = (u32)oldset;
	sc->cr2 = current->last_fault;
	sc->fpstate = current->used_fpu ? fpstate : 0;
	return sc->fpstate ? fpu_to_user((void *)fpstate) : 0;
}

/* Where the handler returns to: SA_RESTORER's code, or ours in the frame. */
static u32 return_address(const struct sigaction *sa, u32 retcode)
{
	return sa->flags & SA_RESTORER ? sa->restorer : retcode;
}

/* Builds the frame of a handler without SA_SIGINFO.  0 or -EFAULT. */
static int write_sigframe(u32 addr, const struct trap_frame *tf, int sig,
			  const struct sigaction *sa, sigset_t oldset)
{
	struct sigframe *to = (struct sigframe *)addr;
	struct sigcontext sc;
	u32 head[2] = {
		return_address(sa, (u32)to->retcode), sig,
	};

	if (fill_sigcontext(&sc, tf, (u32)to->fpstate, oldset) ||
	    copy_to_user(to, head, sizeof(head)) ||
	    copy_to_user(&to->sc, &sc, sizeof(sc)) ||
	    put_user((u32)(oldset >> 32), &to->extramask) ||
	    copy_to_user(to->retcode, sigreturn_code, 8))
		return -EFAULT;
	return 0;
}

/* Builds the frame of a handler with SA_SIGINFO.  0 or -EFAULT. */
static int write_rt_sigframe(u32 addr, const struct trap_frame *tf, int sig,
			     const struct sigaction *sa,
			     const struct siginfo *info, sigset_t oldset)
{
	struct rt_sigframe *to = (struct rt_sigframe *)addr;
	struct ucontext uc = { .sigmask = oldset };
	u32 head[4] = {
		return_address(sa, (u32)to->retcode), sig,
		(u32)&to->info, (u32)&to->uc,
	};

	get_altstack(&uc.stack, tf->esp);
	if (fill_sigcontext(&uc.mcontext, tf, (u32)to->fpstate, oldset) ||
	    copy_to_user(to, head, sizeof(head)) ||
	    copy_siginfo_to_user(&to->info, info) ||
	    copy_to_user(&to->uc, &uc, sizeof(uc)) ||
	    copy_to_user(to->retcode, rt_sigreturn_code, 8))
		return -EFAULT;
	return 0;
}

/* Builds the frame and points the registers at the handler, which may also
 * take its arguments from eax, edx, ecx.  0 or -EFAULT. */
int setup_frame(struct trap_frame *tf, int sig, const struct sigaction *sa,
		const struct siginfo *info, sigset_t oldset)
{
	bool rt = sa->flags & SA_SIGINFO;
	u32 addr = frame_address(tf, sa, rt ? sizeof(struct rt_sigframe)
					    : sizeof(struct sigframe));
	int error;

	if (rt)
		error = write_rt_sigframe(addr, tf, sig, sa, info, oldset);
	else
		error = write_sigframe(addr, tf, sig, sa, oldset);
	if (error)
		return error;
	tf->esp = addr;
	tf->eip = sa->handler;
	tf->eax = sig;
	tf->edx = rt ? (u32)&((struct rt_sigframe *)addr)->info : 0;
	tf->ecx = rt ? (u32)&((struct rt_sigframe *)addr)->uc : 0;
	tf->ds = tf->es = tf->ss = USER_DS;
	tf->cs = USER_CS;
	tf->eflags &= ~0x500u;			/* TF, DF */
	fpu_reset();
	return 0;
}

/* Loads the registers back; the new eax, or -EFAULT through *error. */
static u32 load_sigcontext(struct trap_frame *tf, const struct sigcontext *sc,
			   int *error)
{
	load_gs(sc->gs);
	load_fs(sc->fs);
	tf->es = sc->es;
	tf->ds = sc->ds;
	tf->edi = sc->edi;
	tf->esi = sc->esi;
	tf->ebp = sc->ebp;
	tf->esp = sc->esp;
	tf->ebx = sc->ebx;
	tf->edx = sc->edx;
	tf->ecx = sc->ecx;
	tf->eip = sc->eip;
	tf->cs = (sc->cs & 0xffff) | 3;
	tf->ss = (sc->ss & 0xffff) | 3;
	tf->eflags = (tf->eflags & ~USER_EFLAGS) | (sc->eflags & USER_EFLAGS);
	tf->orig_eax = -1;			/* nothing to restart */
	if (sc->fpstate)
		*error = fpu_from_user((void *)sc->fpstate);
	else
		fpu_reset();
	return sc->eax;
}

/* A frame that cannot be read: the program has lost its way. */
static long bad_frame(u32 addr)
{
	force_sig_fault(SIGSEGV, SI_KERNEL, addr);
	return 0;
}

/* sigreturn(2): the handler's return popped the return address, and the code
 * there the signal number. */
asmlinkage long sys_sigreturn(void)
{
	struct trap_frame *tf = task_frame();
	struct sigframe *frame = (struct sigframe *)(tf->esp - 8);
	struct sigcontext sc;
	int error = 0;
	u32 high, eax;

	if (copy_from_user(&sc, &frame->sc, sizeof(sc)) ||
	    get_user(high, &frame->extramask))
		return bad_frame((u32)frame);
	set_blocked((sigset_t)high << 32 | sc.oldmask);
	eax = load_sigcontext(tf, &sc, &error);
	return error ? bad_frame((u32)frame) : (long)eax;
}

/* rt_sigreturn(2): only the return address was popped. */
asmlinkage long sys_rt_sigreturn(void)
{
	struct trap_frame *tf = task_frame();
	struct rt_sigframe *frame = (struct rt_sigframe *)(tf->esp - 4);
	struct ucontext uc;
	int error = 0;
	u32 eax;

	if (copy_from_user(&uc, &frame->uc, sizeof(uc)))
		return bad_frame((u32)frame);
	set_blocked(uc.sigmask);
	eax = load_sigcontext(tf, &uc.mcontext, &error);
	set_altstack(&uc.stack, tf->esp);
	return error ? bad_frame((u32)frame) : (long)eax;
}
