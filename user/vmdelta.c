/*
 * vmdelta: runs a command and prints what it changed in /proc/vmstat, each
 * counter that moved with its difference, then the time the whole machine
 * spent meanwhile (from /proc/stat, in ticks of 1/100 s). Ends with the
 * command's exit status.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/lib_util.h"

#define MAX_COUNTERS 512
#define NR_CPU_TIMES 7

/* One counter of /proc/vmstat. */
struct counter {
	char name[48];
	long long value;
};

/* What the machine's counters say at one moment. */
struct snapshot {
	struct counter counters[MAX_COUNTERS];
	int nr;
	unsigned long long cpu[NR_CPU_TIMES];
	uint64_t ns;
};

static const char *const cpu_names[NR_CPU_TIMES] = {
	"user", "nice", "system", "idle", "iowait", "irq", "softirq"};

/* Opens a file of /proc for reading, or ends the program. */
static FILE *open_proc(const char *name)
{
	FILE *f = fopen(name, "r");

	if (!f)
		die_errno("cannot read %s", name);
	return f;
}

/* Reads all of /proc/vmstat. */
static void read_counters(struct snapshot *s)
{
	FILE *f = open_proc("/proc/vmstat");
	struct counter *c = s->counters;

	while (c < s->counters + MAX_COUNTERS &&
	       fscanf(f, "%47s %lld", c->name, &c->value) == 2)
		c++;
	s->nr = c - s->counters;
	fclose(f);
}

/* Reads the line "cpu" of /proc/stat; times it lacks stay 0. */
static void read_cpu_times(struct snapshot *s)
{
	FILE *f = open_proc("/proc/stat");
	int i;

	if (fscanf(f, "cpu") != 0)
		die("/proc/stat does not begin with the sum of all CPUs");
	for (i = 0; i < NR_CPU_TIMES; i++)
		if (fscanf(f, "%llu", &s->cpu[i]) != 1)
			s->cpu[i] = 0;
	fclose(f);
}

/* Reads everything that is compared. */
static void take_snapshot(struct snapshot *s)
{
	read_counters(s);
	read_cpu_times(s);
	s->ns = now_ns();
}

/* The value that a counter of that name had, 0 if it was not there. */
static long long value_of(const struct snapshot *s, const char *name)
{
	int i;

	for (i = 0; i < s->nr; i++)
		if (!strcmp(s->counters[i].name, name))
			return s->counters[i].value;
	return 0;
}

/* Prints what moved from one snapshot to the other. */
static void print_changes(const struct snapshot *old,
			  const struct snapshot *new)
{
	unsigned long ms = (new->ns - old->ns) / 1000000;
	int i;

	for (i = 0; i < new->nr; i++) {
		const struct counter *c = &new->counters[i];
		long long delta = c->value - value_of(old, c->name);

		if (delta)
			printf("vmdelta %s %+lld\n", c->name, delta);
	}
	printf("vmdelta elapsed %lu.%03lus:", ms / 1000, ms % 1000);
	for (i = 0; i < NR_CPU_TIMES; i++)
		printf(" %s %.2f", cpu_names[i],
		       (new->cpu[i] - old->cpu[i]) / 100.0);
	printf("\n");
}

/* Runs the command and waits for it; its wait status. */
static int run(char **argv)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		die_errno("fork");
	if (pid == 0)
		run_program(argv);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			die_errno("wait");
	return status;
}

int main(int argc, char **argv)
{
	static struct snapshot before, after;
	int help = argc == 2 && !strcmp(argv[1], "--help");
	int status;

	if (argc < 2 || help) {
		fprintf(help ? stdout : stderr,
			"Usage: vmdelta COMMAND [ARGUMENT]...\n"
			"Runs it and prints what changed in /proc/vmstat and "
			"/proc/stat meanwhile.\n");
		return help ? 0 : EXIT_USAGE;
	}
	take_snapshot(&before);
	status = run(argv + 1);
	take_snapshot(&after);
	print_changes(&before, &after);
	return exit_code(status);
}
