/*
 * The faults of the processor as signals: what siginfo and context say of
 * them, handlers that mend what faulted, stacks that end, and handlers that
 * bring no return function of their own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"

static volatile sig_atomic_t caught, last_trap;

/* Divides by *arg. */
static void divide(void *arg)
{
	int quotient = 1000, rest = 0;

	__asm__ volatile("idivl %2"
			 : "+a"(quotient), "+d"(rest)
			 : "m"(*(int *)arg));
}

/* Executes an instruction that does not exist. */
static void undefined(void *arg)
{
	(void)arg;
	__asm__ volatile("ud2");
}

/* Executes what only the kernel may. */
static void privileged(void *arg)
{
	(void)arg;
	__asm__ volatile("hlt");
}

/* Jumps to arg. */
static void jump(void *arg)
{
	((void (*)(void))(uintptr_t)arg)();
}

/* Each exception of the processor becomes its signal. */
static void test_faults(void)
{
	int zero = 0, fd = make_file("bus", 0);
	char *p = map(PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	struct fault f = try_call(divide, &zero);

	ok(f.sig == SIGFPE && f.code == FPE_INTDIV, "divide by zero: SIGFPE");
	is(try_call(undefined, NULL).sig, SIGILL, "ud2: SIGILL");
	is(try_call(privileged, NULL).sig, SIGSEGV, "hlt: SIGSEGV");
	f = try_call(jump, (void *)0x10);
	ok(f.sig == SIGSEGV && f.addr == (void *)0x10, "jump to address 16");
	is(try_call(jump, (void *)0xc0100000).sig, SIGSEGV,
	   "jump into the kernel");
	f = try_read(p + 5);
	ok(f.sig == SIGBUS && f.code == BUS_ADRERR && f.addr == p + 5,
	   "a page behind the end of its file: SIGBUS, si_addr");
	munmap(p, PAGE);
	close(fd);
}

/* Makes the page at si_addr writable, so that the write goes on. */
static void repair(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	(void)sig;
	caught++;
	last_trap = uc->uc_mcontext.gregs[REG_TRAPNO];
	mprotect((void *)((uintptr_t)info->si_addr & ~(PAGE - 1ul)), PAGE,
		 PROT_READ | PROT_WRITE);
}

/* A handler may mend what faulted; the instruction is repeated. */
static void test_repair(void)
{
	char *p = map(4 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct sigaction sa = {.sa_sigaction = repair, .sa_flags = SA_SIGINFO};
	int i;

	sigaction(SIGSEGV, &sa, NULL);
	caught = 0;
	for (i = 0; i < 4; i++)
		((volatile char *)p)[i * PAGE] = i + 1;
	signal(SIGSEGV, SIG_DFL);
	is(caught, 4, "a handler makes four pages writable");
	ok(p[0] == 1 && p[3 * PAGE] == 4, "the writes were repeated");
	is(last_trap, 14, "the context names exception 14");
	munmap(p, 4 * PAGE);
}

/* A fault whose signal is blocked or ignored. */
static int fault_blocked(void *arg)
{
	volatile char *volatile nowhere = (char *)8;
	sigset_t all;

	if (arg) {
		sigfillset(&all);
		sigprocmask(SIG_BLOCK, &all, NULL);
	} else {
		signal(SIGSEGV, SIG_IGN);
	}
	*nowhere = 1;
	return 0;
}

/* Overflows its stack: arg, never NULL, is the end that does not come. */
static int recurse(void *arg)
{
	volatile char frame[16 * PAGE];

	frame[0] = 1;
	return arg ? recurse(arg) + frame[0] : 0;
}

/* A fault kills although its signal is blocked, ignored, or has no stack. */
static void test_deadly_faults(void)
{
	is(run_child(fault_blocked, "block"), -SIGSEGV, "SIGSEGV, blocked");
	is(run_child(fault_blocked, NULL), -SIGSEGV, "SIGSEGV, ignored");
	is(run_child(recurse, ""), -SIGSEGV, "a stack without end");
}

/* Where a handler ran. */
static volatile uintptr_t handler_stack;

/* Notes the address of a local variable. */
static void note_stack(int sig)
{
	volatile char here;

	(void)sig;
	handler_stack = (uintptr_t)&here;
}

/* Overflows the stack with a handler on a stack of its own. */
static int recurse_on_altstack(void *arg)
{
	static char stack[64 * 1024];
	stack_t alt = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct sigaction sa = {0};

	(void)arg;
	if (sigaltstack(&alt, NULL) < 0)
		return 1;
	sa.sa_handler = note_stack;
	sa.sa_flags = SA_ONSTACK | SA_RESETHAND;
	sigaction(SIGSEGV, &sa, NULL);
	return recurse("");
}

/* sigaltstack. */
static void test_altstack(void)
{
	static char stack[64 * 1024];
	stack_t alt = {.ss_sp = stack, .ss_size = sizeof(stack)}, old;
	struct sigaction sa = {.sa_handler = note_stack,
			       .sa_flags = SA_ONSTACK};

	is(sigaltstack(&alt, NULL), 0, "sigaltstack");
	sigaction(SIGUSR1, &sa, NULL);
	raise(SIGUSR1);
	ok(handler_stack - (uintptr_t)stack < sizeof(stack),
	   "the handler runs on it");
	alt.ss_flags = SS_DISABLE;
	sigaltstack(&alt, &old);
	ok(old.ss_sp == stack, "it can be read");
	raise(SIGUSR1);
	ok(handler_stack - (uintptr_t)stack >= sizeof(stack),
	   "disabled, it no longer does");
	is(run_child(recurse_on_altstack, NULL), -SIGSEGV,
	   "a stack without end, with a handler elsewhere");
}

/* The kernel's own form of a signal action. */
struct kernel_sigaction {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	uint32_t mask[2];
};

/* Counts, and checks that its argument arrived. */
static void plain(int sig)
{
	caught += sig == SIGUSR1;
}

/* Handlers without SA_RESTORER come back all the same: the kernel helps. */
static void test_no_restorer(void)
{
	struct kernel_sigaction ka = {.handler = plain};
	volatile double x = 1.5;
	volatile long canary = 0x1234567;

	caught = 0;
	is(syscall(SYS_rt_sigaction, SIGUSR1, &ka, NULL, 8), 0,
	   "rt_sigaction without SA_RESTORER");
	raise(SIGUSR1);
	ok(caught == 1 && canary == 0x1234567 && x == 1.5, "it returns");
	ka.flags = SA_SIGINFO;
	syscall(SYS_rt_sigaction, SIGUSR1, &ka, NULL, 8);
	raise(SIGUSR1);
	is(caught, 2, "with SA_SIGINFO too");
	is_errno(syscall(SYS_rt_sigaction, SIGUSR1, &ka, NULL, 4), EINVAL,
		 "a mask of the wrong size");
	signal(SIGUSR1, SIG_DFL);
}

int main(void)
{
	enter_test_dir("t_trap");
	test_faults();
	test_repair();
	test_deadly_faults();
	test_altstack();
	test_no_restorer();
	return done();
}
