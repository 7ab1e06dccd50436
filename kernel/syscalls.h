/*
 * The system calls that kernel/ implements, for kernel/syscall_table.c.  Each
 * is what the manual page of its name says, with Linux i386's arguments; *16
 * are the forms with 16-bit ids, *64 those with 64-bit time.
 */
#ifndef KERNEL_SYSCALLS_H
#define KERNEL_SYSCALLS_H

#include "kernel/linkage.h"
#include "kernel/signal.h"
#include "lib/types.h"

struct cap_header;
struct itimerval32;
struct old_sigaction;
struct rlimit64;
struct rlimit_pair;
struct rusage32;
struct stack32;
struct sysinfo32;
struct timespec32;
struct timespec64;
struct timeval32;
struct user_desc;
struct utsname;

/* ---- fork.c ---- */
asmlinkage long sys_fork(void);
asmlinkage long sys_vfork(void);
asmlinkage long sys_clone(u32 flags, u32 stack, u32 parent_tid, u32 tls,
			  u32 child_tid);

/* ---- exit.c ---- */
asmlinkage long sys_exit(int status);
asmlinkage long sys_exit_group(int status);

/* ---- wait.c ---- */
asmlinkage long sys_wait4(pid_t pid, int *ustatus, u32 options, void *urusage);
asmlinkage long sys_waitpid(pid_t pid, int *ustatus, u32 options);
asmlinkage long sys_waitid(int type, pid_t id, void *uinfo, u32 options,
			   void *urusage);

/* ---- exec.c ---- */
asmlinkage long sys_execve(const char *upath, const char *const *uargv,
			   const char *const *uenvp);

/* ---- ids.c ---- */
asmlinkage long sys_getpid(void);
asmlinkage long sys_gettid(void);
asmlinkage long sys_getppid(void);
asmlinkage long sys_getpgrp(void);
asmlinkage long sys_getpgid(pid_t pid);
asmlinkage long sys_getsid(pid_t pid);
asmlinkage long sys_setpgid(pid_t pid, pid_t pgrp);
asmlinkage long sys_setsid(void);
asmlinkage long sys_set_tid_address(u32 addr);

/* ---- cred.c ---- */
asmlinkage long sys_getuid(void);
asmlinkage long sys_geteuid(void);
asmlinkage long sys_getgid(void);
asmlinkage long sys_getegid(void);
asmlinkage long sys_getuid16(void);
asmlinkage long sys_geteuid16(void);
asmlinkage long sys_getgid16(void);
asmlinkage long sys_getegid16(void);
asmlinkage long sys_setresuid(u32 ruid, u32 euid, u32 suid);
asmlinkage long sys_setresgid(u32 rgid, u32 egid, u32 sgid);
asmlinkage long sys_setreuid(u32 ruid, u32 euid);
asmlinkage long sys_setregid(u32 rgid, u32 egid);
asmlinkage long sys_setuid(u32 uid);
asmlinkage long sys_setgid(u32 gid);
asmlinkage long sys_setfsuid(u32 uid);
asmlinkage long sys_setfsgid(u32 gid);
asmlinkage long sys_getresuid(u32 *uruid, u32 *ueuid, u32 *usuid);
asmlinkage long sys_getresgid(u32 *urgid, u32 *uegid, u32 *usgid);
asmlinkage long sys_getgroups(int size, u32 *ugroups);
asmlinkage long sys_setgroups(u32 size, const u32 *ugroups);
asmlinkage long sys_setuid16(u32 uid);
asmlinkage long sys_setgid16(u32 gid);
asmlinkage long sys_setreuid16(u32 ruid, u32 euid);
asmlinkage long sys_setregid16(u32 rgid, u32 egid);
asmlinkage long sys_setresuid16(u32 ruid, u32 euid, u32 suid);
asmlinkage long sys_setresgid16(u32 rgid, u32 egid, u32 sgid);
asmlinkage long sys_setfsuid16(u32 uid);
asmlinkage long sys_setfsgid16(u32 gid);
asmlinkage long sys_getresuid16(u16 *uruid, u16 *ueuid, u16 *usuid);
asmlinkage long sys_getresgid16(u16 *urgid, u16 *uegid, u16 *usgid);
asmlinkage long sys_getgroups16(int size, u16 *ugroups);
asmlinkage long sys_setgroups16(u32 size, const u16 *ugroups);

/* ---- sigaction.c ---- */
asmlinkage long sys_rt_sigaction(int sig, const struct sigaction *uact,
				 struct sigaction *uold, size_t size);
asmlinkage long sys_sigaction(int sig, const struct old_sigaction *uact,
			      struct old_sigaction *uold);
asmlinkage long sys_signal(int sig, u32 handler);
asmlinkage long sys_rt_sigprocmask(int how, const sigset_t *uset,
				   sigset_t *uold, size_t size);
asmlinkage long sys_sigprocmask(int how, const u32 *uset, u32 *uold);
asmlinkage long sys_sgetmask(void);
asmlinkage long sys_ssetmask(u32 set);
asmlinkage long sys_rt_sigpending(sigset_t *uset, size_t size);
asmlinkage long sys_sigpending(u32 *uset);
asmlinkage long sys_rt_sigsuspend(const sigset_t *uset, size_t size);
asmlinkage long sys_sigsuspend(u32 unused1, u32 unused2, u32 set);
asmlinkage long sys_pause(void);
asmlinkage long sys_sigaltstack(const struct stack32 *unew,
				struct stack32 *uold);

/* ---- sigframe.c ---- */
asmlinkage long sys_sigreturn(void);
asmlinkage long sys_rt_sigreturn(void);

/* ---- kill.c ---- */
asmlinkage long sys_kill(pid_t pid, int sig);
asmlinkage long sys_tkill(pid_t tid, int sig);
asmlinkage long sys_tgkill(pid_t tgid, pid_t tid, int sig);
asmlinkage long sys_rt_sigqueueinfo(pid_t pid, int sig, const void *uinfo);
asmlinkage long sys_rt_tgsigqueueinfo(pid_t tgid, pid_t tid, int sig,
				      const void *uinfo);
asmlinkage long sys_rt_sigtimedwait(const sigset_t *uset, void *uinfo,
				    const struct timespec32 *uts, size_t size);
asmlinkage long sys_rt_sigtimedwait_time64(const sigset_t *uset, void *uinfo,
					   const struct timespec64 *uts,
					   size_t size);

/* ---- futex.c ---- */
asmlinkage long sys_futex(u32 uaddr, int op, u32 val, const void *utime,
			  u32 uaddr2, u32 val3);
asmlinkage long sys_futex_time64(u32 uaddr, int op, u32 val, const void *utime,
				 u32 uaddr2, u32 val3);

/* ---- robust.c ---- */
asmlinkage long sys_set_robust_list(u32 uhead, size_t size);
asmlinkage long sys_get_robust_list(pid_t pid, u32 *uhead, u32 *usize);

/* ---- clock.c ---- */
asmlinkage long sys_clock_gettime(int clock, void *uts);
asmlinkage long sys_clock_gettime64(int clock, void *uts);
asmlinkage long sys_clock_getres(int clock, void *uts);
asmlinkage long sys_clock_getres_time64(int clock, void *uts);
asmlinkage long sys_clock_settime(int clock, const void *uts);
asmlinkage long sys_clock_settime64(int clock, const void *uts);
asmlinkage long sys_gettimeofday(struct timeval32 *utv, u32 *utz);
asmlinkage long sys_settimeofday(const struct timeval32 *utv, const void *utz);
asmlinkage long sys_time(s32 *uresult);
asmlinkage long sys_stime(const s32 *utime);

/* ---- nanosleep.c ---- */
asmlinkage long sys_nanosleep(const void *uts, void *uremaining);
asmlinkage long sys_clock_nanosleep(int clock, int flags, const void *uts,
				    void *uremaining);
asmlinkage long sys_clock_nanosleep_time64(int clock, int flags,
					   const void *uts, void *uremaining);
asmlinkage long sys_restart_syscall(void);

/* ---- itimer.c ---- */
asmlinkage long sys_getitimer(int which, struct itimerval32 *uvalue);
asmlinkage long sys_setitimer(int which, const struct itimerval32 *unew,
			      struct itimerval32 *uold);
asmlinkage long sys_alarm(u32 seconds);

/* ---- rusage.c ---- */
asmlinkage long sys_getrusage(int who, struct rusage32 *urusage);
asmlinkage long sys_times(u32 *utimes);

/* ---- rlimit.c ---- */
asmlinkage long sys_setrlimit(unsigned resource,
			      const struct rlimit_pair *ulimit);
asmlinkage long sys_ugetrlimit(unsigned resource, struct rlimit_pair *ulimit);
asmlinkage long sys_getrlimit(unsigned resource, struct rlimit_pair *ulimit);
asmlinkage long sys_prlimit64(pid_t pid, unsigned resource,
			      const struct rlimit64 *unew,
			      struct rlimit64 *uold);

/* ---- sched_calls.c ---- */
asmlinkage long sys_getpriority(int which, u32 who);
asmlinkage long sys_setpriority(int which, u32 who, int nice);
asmlinkage long sys_nice(int increment);
asmlinkage long sys_sched_yield(void);
asmlinkage long sys_sched_setscheduler(pid_t pid, int policy,
				       const int *uparam);
asmlinkage long sys_sched_getscheduler(pid_t pid);
asmlinkage long sys_sched_setparam(pid_t pid, const int *uparam);
asmlinkage long sys_sched_getparam(pid_t pid, int *uparam);
asmlinkage long sys_sched_get_priority_max(int policy);
asmlinkage long sys_sched_get_priority_min(int policy);
asmlinkage long sys_sched_rr_get_interval(pid_t pid, void *uts);
asmlinkage long sys_sched_rr_get_interval_time64(pid_t pid, void *uts);
asmlinkage long sys_sched_setaffinity(pid_t pid, u32 len, const u32 *umask);
asmlinkage long sys_sched_getaffinity(pid_t pid, u32 len, u32 *umask);
asmlinkage long sys_ioprio_get(int which, int who);

/* ---- tls.c ---- */
asmlinkage long sys_set_thread_area(struct user_desc *udesc);
asmlinkage long sys_get_thread_area(struct user_desc *udesc);

/* ---- prctl.c ---- */
asmlinkage long sys_prctl(int option, u32 arg);
asmlinkage long sys_personality(u32 persona);
asmlinkage long sys_capget(struct cap_header *uheader, u32 *udata);
asmlinkage long sys_capset(struct cap_header *uheader, const void *udata);

/* ---- random.c ---- */
asmlinkage long sys_getrandom(u8 *ubuf, size_t len, u32 flags);

/* ---- sysinfo.c ---- */
asmlinkage long sys_newuname(struct utsname *uname);
asmlinkage long sys_uname(void *uname);
asmlinkage long sys_olduname(char *uname);
asmlinkage long sys_sethostname(const char *uname, size_t len);
asmlinkage long sys_setdomainname(const char *uname, size_t len);
asmlinkage long sys_sysinfo(struct sysinfo32 *uinfo);
asmlinkage long sys_getcpu(u32 *ucpu, u32 *unode, void *unused);

/* ---- klog.c ---- */
asmlinkage long sys_syslog(int type, char *ubuf, int size);

/* ---- syscall_table.c ---- */
asmlinkage long sys_ni_syscall(void);

/* Calls of number `nr` that nobody implements, since boot. */
extern u32 unimplemented_calls[450];

#endif
