/*
 * execve: what the new program is given, and what is refused. The test runs
 * itself again, with a word in argv[1] that says what to look at; the ELF
 * files that nobody should run are made by t_elf.c.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"

#define NR_ARGS   1000
#define KEPT_FD   21
#define CLOSED_FD 20

extern char **environ;
extern void _start(void);

/* What a child is to execute. */
struct command {
	const char *path;
	char **argv, **envp;
};

/* Executes it; its exit status, or the errno of the call. */
static int exec_child(void *arg)
{
	struct command *c = arg;

	execve(c->path, c->argv, c->envp);
	return errno;
}

/* Runs path with these arguments in a child; see run_child(). */
static int run(const char *path, char **argv, char **envp)
{
	struct command c = {path, argv, envp};

	return run_child(exec_child, &c);
}

/* Runs path with one argument and no environment. */
static int run_word(const char *path, char *word)
{
	char *argv[] = {"self", word, NULL}, *envp[] = {NULL};

	return run(path, argv, envp);
}

/* In the new program: are argv and the environment as main() sent them? */
static int see_args(int argc, char **argv)
{
	if (argc != 5 || strcmp(argv[0], "zero") || strcmp(argv[2], "") ||
	    strcmp(argv[3], "a b\n") || strcmp(argv[4], "\xff") || argv[5])
		return 1;
	if (!environ[0] || strcmp(environ[0], "A=1") ||
	    strcmp(environ[1], "EMPTY=") || environ[2])
		return 2;
	return 0;
}

/* In the new program: is the auxiliary vector true?  0, or which is not. */
static int see_auxv(void)
{
	const unsigned char *random = (void *)getauxval(AT_RANDOM);
	const Elf32_Phdr *phdr = (void *)getauxval(AT_PHDR);
	const char *name = (void *)getauxval(AT_EXECFN);

	if (getauxval(AT_PAGESZ) != PAGE)
		return 1;
	if (!phdr || getauxval(AT_PHENT) != sizeof(*phdr) ||
	    !getauxval(AT_PHNUM) || phdr->p_type > PT_TLS)
		return 2;
	if (getauxval(AT_ENTRY) != (unsigned long)_start)
		return 3;
	if (!random || count_bytes(random, 16, random[0]) == 16)
		return 4;
	if (getauxval(AT_UID) != getuid() || getauxval(AT_EGID) != getegid())
		return 5;
	if (!name || strcmp(name, "./self"))
		return 6;
	if (getauxval(AT_CLKTCK) != 100 || getauxval(AT_SECURE))
		return 7;
	return 0;
}

/* In the new program: all of many arguments? */
static int see_many(int argc, char **argv)
{
	char want[64];
	int i;

	for (i = 2; i < argc; i++) {
		snprintf(want, sizeof(want), "%050d", i);
		if (strcmp(argv[i], want))
			return 1;
	}
	return argc != NR_ARGS;
}

/* In the new program: what has to survive exec, and what must not. */
static int see_state(void)
{
	struct sigaction sa;
	sigset_t mask;

	sigaction(SIGUSR1, NULL, &sa);
	if (sa.sa_handler != SIG_DFL)
		return 1;
	sigaction(SIGUSR2, NULL, &sa);
	if (sa.sa_handler != SIG_IGN)
		return 2;
	sigprocmask(SIG_BLOCK, NULL, &mask);
	if (!sigismember(&mask, SIGHUP) || sigismember(&mask, SIGINT))
		return 3;
	if (fcntl(CLOSED_FD, F_GETFD) != -1)
		return 4;
	if (fcntl(KEPT_FD, F_GETFD) != 0)
		return 5;
	return 0;
}

/* In the new program, started by a script: the arguments that #! makes. */
static int see_script(int argc, char **argv)
{
	return argc == 4 && !strcmp(argv[0], "./self") &&
			       !strcmp(argv[2], "./script") &&
			       !strcmp(argv[3], "word")
		       ? 0
		       : 1;
}

/* Picks the view that argv[1] asks for. */
static int see(int argc, char **argv)
{
	const char *what = argv[1];

	if (!strcmp(what, "args"))
		return see_args(argc, argv);
	if (!strcmp(what, "auxv"))
		return see_auxv();
	if (!strcmp(what, "many"))
		return see_many(argc, argv);
	if (!strcmp(what, "state"))
		return see_state();
	if (!strcmp(what, "script x  y"))
		return see_script(argc, argv);
	return argc == 3 ? 33 : 100;
}

/* Copies this program to ./self. */
static void copy_self(void)
{
	static char buf[16 * PAGE];
	int from = open("/proc/self/exe", O_RDONLY);
	int to = open("self", O_WRONLY | O_CREAT, 0755);
	ssize_t n;

	while ((n = read(from, buf, sizeof(buf))) > 0)
		if (write(to, buf, n) != n)
			bail_out("cannot copy: %s", strerror(errno));
	if (from < 0 || to < 0 || n < 0)
		bail_out("cannot copy /proc/self/exe: %s", strerror(errno));
	close(from);
	close(to);
}

/* Arguments, environment, auxiliary vector. */
static void test_arguments(void)
{
	char *argv[] = {"zero", "args", "", "a b\n", "\xff", NULL};
	char *envp[] = {"A=1", "EMPTY=", NULL};
	static char text[NR_ARGS][64];
	char *many[NR_ARGS + 1];
	int i;

	is(run("./self", argv, envp), 0, "argv and envp arrive");
	is(run_word("./self", "auxv"), 0, "the auxiliary vector is true");
	many[0] = "self";
	many[1] = "many";
	for (i = 2; i < NR_ARGS; i++) {
		snprintf(text[i], sizeof(text[i]), "%050d", i);
		many[i] = text[i];
	}
	many[NR_ARGS] = NULL;
	is(run("./self", many, envp), 0, "%d arguments arrive", NR_ARGS);
}

/* Sizes that no new stack can take, and pointers that are none. */
static void test_bad_arguments(void)
{
	char *envp[] = {NULL}, **argv = calloc(8193, sizeof(*argv));
	char *big = malloc(300000);
	int i;

	memset(big, 'x', 299999);
	big[299999] = '\0';
	is(run_word("./self", big), E2BIG, "an argument of 300 KB");
	for (i = 0; i < 8192; i++)
		argv[i] = big + 299999 - 1000;
	is(run("./self", argv, envp), E2BIG, "8 MB of arguments");
	argv[0] = "self";
	argv[1] = (char *)16;
	argv[2] = NULL;
	is(run("./self", argv, envp), EFAULT, "an argument at address 16");
	is(run("./self", (char **)16, envp), EFAULT, "argv at address 16");
	is(run("./self", (char **)0xfffffff0, envp), EFAULT,
	   "argv at the end of memory");
	argv[1] = NULL;
	is(run("./self", argv, (char **)16), EFAULT, "envp at address 16");
	is(run((char *)kernel_start(), argv, envp), EFAULT, "a bad path");
	free(argv);
	free(big);
}

/* Names that lead to nothing one can execute. */
static void test_names(void)
{
	static char name[PATH_MAX + 10];

	memset(name, 'n', PATH_MAX + 9);
	is(run_word("./nothing", ""), ENOENT, "no such file");
	is(run_word("", ""), ENOENT, "an empty name");
	is(run_word("self/x", ""), ENOTDIR, "below a file");
	is(run_word(".", ""), EACCES, "a directory");
	is(run_word(name, ""), ENAMETOOLONG, "a long name");
	fill_file("plain", "#!./self\n", 9);
	is(run_word("./plain", ""), EACCES, "no x bit, even for root");
	symlink("loop", "loop");
	is(run_word("loop", ""), ELOOP, "a symbolic link to itself");
	symlink("self", "link");
	is(run_word("./link", "state-less"), 100, "a symbolic link to self");
	is(run_word("/dev/null", ""), EACCES, "a device");
}

/* A new executable file with this text. */
static void make_script(const char *name, const char *text)
{
	fill_file(name, text, strlen(text));
	chmod(name, 0755);
}

/* #! scripts. */
static void test_scripts(void)
{
	make_script("script", "#! ./self  script x  y \necho no\n");
	is(run_word("./script", "word"), 0, "#! with blanks and an argument");
	make_script("bare", "#!./self");
	is(run_word("./bare", "w"), 33, "#! without argument or newline");
	make_script("nested", "#!./bare\n");
	is(run_word("./nested", "w"), 100, "a script that runs a script");
	make_script("gone", "#!./gone-interpreter\n");
	is(run_word("./gone", ""), ENOENT, "no such interpreter");
	make_script("empty", "");
	is(run_word("./empty", ""), ENOEXEC, "an empty file");
	make_script("nothing", "#!  \n");
	is(run_word("./nothing", ""), ENOEXEC, "#! of nothing");
	make_script("text", "echo hello\n");
	is(run_word("./text", ""), ENOEXEC, "text without #!");
	make_script("self-script", "#!./self-script\n");
	is(run_word("./self-script", ""), ELOOP, "a script that runs itself");
}

/* A handler that is never called. */
static void handler(int sig)
{
	(void)sig;
}

/* Descriptors and signals over exec. */
static void test_state(void)
{
	sigset_t mask, old;

	dup2(1, KEPT_FD);
	dup3(1, CLOSED_FD, O_CLOEXEC);
	signal(SIGUSR1, handler);
	signal(SIGUSR2, SIG_IGN);
	sigemptyset(&mask);
	sigaddset(&mask, SIGHUP);
	sigprocmask(SIG_BLOCK, &mask, &old);
	is(run_word("./self", "state"), 0,
	   "descriptors, signal actions and mask are as they should be");
	sigprocmask(SIG_SETMASK, &old, NULL);
	signal(SIGUSR1, SIG_DFL);
	signal(SIGUSR2, SIG_DFL);
	close(KEPT_FD);
	close(CLOSED_FD);
}

/* A file is either written or executed. */
static void test_busy(void)
{
	int fd = open("self", O_WRONLY), self;

	is(run_word("./self", "x"), ETXTBSY, "exec of a file being written");
	close(fd);
	is(run_word("./self", "x"), 100, "and once it no longer is");
	self = open("/proc/self/exe", O_WRONLY);
	is_errno(self, ETXTBSY, "write to the program that runs");
	if (self >= 0)
		close(self);
}

/* Many programs one after the other. */
static void test_many(void)
{
	int i, right = 0;

	for (i = 0; i < 100; i++)
		right += run_word("./self", "x") == 100;
	is(right, 100, "100 programs");
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return see(argc, argv);
	enter_test_dir("t_exec");
	copy_self();
	test_arguments();
	test_bad_arguments();
	test_names();
	test_scripts();
	test_state();
	test_busy();
	test_many();
	return done();
}
