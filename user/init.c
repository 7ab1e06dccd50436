/*
 * init: process 1. It mounts /proc and /dev/shm, turns on the swap device
 * that the kernel parameter swap= names, and then does one of two things:
 *
 *   /etc/guest/commands exists   runs it with sh between the two lines
 *                                "==BEGIN==" and "==END== STATUS", then
 *                                powers off (this is how tools/guest works)
 *   otherwise                    keeps a shell running on the console
 *
 * Meanwhile it reaps orphans. BusyBox's poweroff, halt and reboot send it
 * SIGUSR2, SIGUSR1 and SIGTERM; it then kills every task, writes everything
 * back, makes the root read-only and asks the kernel to stop.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "user/lib_label.h"

#define CONSOLE  "/dev/console"
#define COMMANDS "/etc/guest/commands"
#define WORK_DIR "/data"

/* What reboot() is to do once a stop was asked for; 0 until then. */
static volatile sig_atomic_t stop_how;

/* Notes how to stop; SIGCHLD only has to end sigsuspend(). */
static void on_signal(int sig)
{
	if (sig == SIGUSR2)
		stop_how = RB_POWER_OFF;
	else if (sig == SIGUSR1)
		stop_how = RB_HALT_SYSTEM;
	else if (sig == SIGTERM)
		stop_how = RB_AUTOBOOT;
}

/* Says on the console what failed and why. */
static void complain(const char *what, const char *which)
{
	fprintf(stderr, "init: %s %s: %s\n", what, which, strerror(errno));
}

/* Gives init the console as descriptors 0, 1, 2 if the kernel did not. */
static void open_console(void)
{
	while (fcntl(2, F_GETFD) < 0)
		if (open(CONSOLE, O_RDWR) < 0)
			return;
}

/* Mounts a file system that lives in memory; a failure is only reported. */
static void mount_virtual(const char *type, const char *where)
{
	mkdir(where, 0755);
	if (mount(type, where, type, 0, NULL) < 0 && errno != EBUSY)
		complain("mount", where);
}

/* Swaps on a device named by its path or by LABEL=NAME. */
static void swap_on(const char *name)
{
	char path[64];

	if (!strncmp(name, "LABEL=", 6)) {
		if (find_swap_label(name + 6, path, sizeof(path)) < 0) {
			fprintf(stderr, "init: no swap device has the label "
				"%s (mkswap -L gives it one)\n", name + 6);
			return;
		}
		name = path;
	}
	if (swapon(name, 0) < 0)
		complain("swapon", name);
}

/* Turns on every swap device named on the kernel's command line. */
static void enable_swap(void)
{
	char line[1024], *word, *save;
	FILE *f = fopen("/proc/cmdline", "r");

	if (!f || !fgets(line, sizeof(line), f))
		complain("read", "/proc/cmdline");
	else
		for (word = strtok_r(line, " \n", &save); word;
		     word = strtok_r(NULL, " \n", &save))
			if (!strncmp(word, "swap=", 5))
				swap_on(word + 5);
	if (f)
		fclose(f);
}

/* Blocks the signals init lives by; wait_for_event() lets them in. */
static void catch_signals(void)
{
	static const int caught[] = {SIGCHLD, SIGUSR1, SIGUSR2, SIGTERM};
	struct sigaction sa = {.sa_handler = on_signal};
	sigset_t block;
	size_t i;

	sigemptyset(&block);
	for (i = 0; i < sizeof(caught) / sizeof(*caught); i++) {
		sigaddset(&block, caught[i]);
		sigaction(caught[i], &sa, NULL);
	}
	sigprocmask(SIG_BLOCK, &block, NULL);
}

/* Sleeps until a child ended or somebody asked to stop. */
static void wait_for_event(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigsuspend(&none);
}

/* Sleeps for some milliseconds. */
static void pause_ms(long ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&t, NULL);
}

/* Reaps what ended; true, with *status, if child was among it. */
static int reaped(pid_t child, int *status)
{
	int found = 0, s;
	pid_t pid;

	while ((pid = waitpid(-1, &s, WNOHANG)) > 0)
		if (pid == child) {
			found = 1;
			*status = s;
		}
	return found;
}

/*
 * Waits until child ends, reaping everything else that does. Returns its
 * status as a shell would say it (126: it never started), or -1 when a stop
 * was asked for first.
 */
static int wait_for(pid_t child)
{
	int status;

	if (child < 0)
		return 126;
	while (!reaped(child, &status)) {
		if (stop_how)
			return -1;
		wait_for_event();
	}
	if (WIFSIGNALED(status))
		return 128 + WTERMSIG(status);
	return WEXITSTATUS(status);
}

/*
 * Starts argv as the leader of a session of its own, its input from the file
 * named; a terminal becomes its controlling one, and its output too. Returns
 * the child, or -1.
 */
static pid_t spawn(const char *input, char *const argv[])
{
	pid_t pid = fork();
	sigset_t none;
	int fd;

	if (pid)
		return pid;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	fd = open(input, O_RDWR);
	if (fd < 0) {
		complain("open", input);
	} else {
		dup2(fd, 0);
		if (ioctl(fd, TIOCSCTTY, 1) == 0) {
			dup2(fd, 1);
			dup2(fd, 2);
		}
		if (fd > 2)
			close(fd);
	}
	if (chdir(WORK_DIR) < 0 && chdir("/") < 0)
		complain("chdir", "/");
	execv("/bin/sh", argv);
	complain("exec", "/bin/sh");
	_exit(127);
}

/* Kills every task and gives them up to two seconds to be gone. */
static void kill_all(void)
{
	int tries;

	kill(-1, SIGTERM);
	kill(-1, SIGCONT);
	pause_ms(50);
	kill(-1, SIGKILL);
	for (tries = 0; tries < 200; tries++) {
		pid_t pid = waitpid(-1, NULL, WNOHANG);

		if (pid < 0)
			return;
		if (!pid)
			pause_ms(10);
	}
	fprintf(stderr, "init: some tasks do not end\n");
}

/* Stops the machine with nothing left unwritten. Does not return. */
static void stop(int how)
{
	kill_all();
	sync();
	umount("/dev/shm");
	umount(WORK_DIR); /* EINVAL where it is part of the root */
	if (mount(NULL, "/", NULL, MS_REMOUNT | MS_RDONLY, NULL) < 0)
		complain("remount read-only", "/");
	sync();
	reboot(how);
	complain("reboot", "");
	for (;;)
		pause();
}

/* Runs the guest's command file and says how it ended. */
static void run_commands(void)
{
	char *const argv[] = {"sh", COMMANDS, NULL};
	int status;

	puts("==BEGIN==");
	fflush(stdout);
	status = wait_for(spawn("/dev/null", argv));
	if (status < 0)
		status = 0; /* the commands themselves asked to stop */
	printf("==END== %d\n", status);
	fflush(stdout);
}

/* Keeps a login shell on the console until a stop is asked for. */
static void run_shells(void)
{
	char *const argv[] = {"-sh", NULL};

	while (!stop_how) {
		time_t started = time(NULL);
		pid_t pid = spawn(CONSOLE, argv);

		if (pid < 0)
			complain("fork", "");
		else
			wait_for(pid);
		if (time(NULL) - started < 2)
			pause_ms(1000);
	}
}

int main(void)
{
	if (getpid() != 1) {
		fprintf(stderr, "init: only the kernel starts me\n");
		return 1;
	}
	open_console();
	catch_signals();
	mount_virtual("proc", "/proc");
	mount_virtual("tmpfs", "/dev/shm");
	enable_swap();
	setenv("PATH", "/bin:/sbin", 1);
	setenv("HOME", WORK_DIR, 1);
	setenv("TERM", "linux", 0);
	setenv("PS1", "\\w # ", 1);
	if (access(COMMANDS, R_OK) == 0) {
		run_commands();
		stop(RB_POWER_OFF);
	}
	run_shells();
	stop(stop_how);
}
