/*
 * /proc: every file that programs read has the form they expect, and its
 * numbers move when what they count happens.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"
#include "user/lib_util.h"

/* Reads a file in pieces of that size; the length, or -1. Ends with NUL. */
static int slurp(const char *name, char *buf, int size, int piece)
{
	int fd = open(name, O_RDONLY), n = 0, k = 0;

	if (fd < 0)
		return -1;
	while (n + piece < size && (k = read(fd, buf + n, piece)) > 0)
		n += k;
	buf[n] = '\0';
	close(fd);
	return k < 0 ? -1 : n;
}

/* Is there a number behind the name in the file? */
static void has(const char *file, const char *name)
{
	long long value = proc_value(file, name);

	ok(value >= 0, "%s: %s is %lld", file, name, value);
}

/* meminfo, and that it is consistent. */
static void test_meminfo(void)
{
	static const char *const names[] = {
		"MemTotal",  "MemFree",    "MemAvailable", "Buffers",
		"Cached",    "SwapTotal",  "SwapFree",     "Dirty",
		"Writeback", "Mapped",     "Slab",         "SReclaimable",
		"Shmem",     "PageTables", "Active",       "Inactive",
		"AnonPages",
	};
	const char *file = "/proc/meminfo";
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		has(file, names[i]);
	ok(proc_value(file, "MemFree") < proc_value(file, "MemTotal"),
	   "not all memory is free");
	ok(proc_value(file, "SwapFree") <= proc_value(file, "SwapTotal"),
	   "swap");
}

/* vmstat's counters, before and after what they count. */
static void test_vmstat(void)
{
	const char *file = "/proc/vmstat";
	long long faults, dirty, shared;
	static char buf[256 * PAGE];
	char *p = map_anon(256 * PAGE, MAP_PRIVATE);
	int fd = make_file("dirty", 0);

	has(file, "nr_free_pages");
	has(file, "pgmajfault");
	has(file, "pswpin");
	has(file, "pswpout");
	faults = proc_value(file, "pgfault");
	memset(p, 1, 256 * PAGE);
	faults = proc_value(file, "pgfault") - faults;
	ok(faults >= 1, "pgfault: %lld more for 256 pages", faults);
	munmap(p, 256 * PAGE);
	fsync(fd);
	dirty = proc_value(file, "nr_dirty");
	memset(buf, 'd', sizeof(buf));
	is(write(fd, buf, sizeof(buf)), sizeof(buf), "write a megabyte");
	shared = proc_value(file, "nr_dirty") - dirty;
	ok(shared >= 128, "nr_dirty: %lld more for 256 pages", shared);
	fsync(fd);
	shared = proc_value(file, "nr_dirty") - dirty;
	ok(shared < 128, "nr_dirty: %lld more after fsync", shared);
	close(fd);
}

/* One line of maps, taken apart. */
struct mapping {
	unsigned long start, end, offset;
	char perms[5], path[256];
};

/* The mapping that holds addr; also counts lines and disorder. */
static int find_mapping(const void *addr, struct mapping *found, int *lines,
			int *bad)
{
	FILE *f = fopen("/proc/self/maps", "r");
	unsigned long last = 0, inode;
	unsigned major, minor;
	struct mapping m;
	char line[512];
	int there = 0;

	*lines = *bad = 0;
	while (f && fgets(line, sizeof(line), f)) {
		m.path[0] = '\0';
		if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu %255[^\n]",
			   &m.start, &m.end, m.perms, &m.offset, &major, &minor,
			   &inode, m.path) < 7 ||
		    m.start < last || m.end <= m.start || m.end % PAGE)
			++*bad;
		last = m.end;
		++*lines;
		if ((unsigned long)addr - m.start < m.end - m.start) {
			*found = m;
			there = 1;
		}
	}
	if (f)
		fclose(f);
	return there;
}

/* maps shows what mmap did. */
static void test_maps(void)
{
	int fd = make_file("mapped file", 8 * PAGE), lines, bad, local;
	char *p =
		map(3 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 2 * PAGE);
	struct mapping m;

	ok(find_mapping(p, &m, &lines, &bad), "maps has a file mapping");
	is(bad, 0, "%d lines in order", lines);
	ok(m.start == (unsigned long)p && m.end == m.start + 3 * PAGE,
	   "its place");
	is(m.offset, 2 * PAGE, "its offset");
	is_str(m.perms, "rw-s", "its permissions");
	ok(strstr(m.path, "/t_proc.dir/mapped file") != NULL, "its name: %s",
	   m.path);
	mprotect(p + PAGE, PAGE, PROT_NONE);
	ok(find_mapping(p + PAGE, &m, &lines, &bad) &&
		   m.end - m.start == PAGE && m.offset == 3 * PAGE,
	   "a split");
	is_str(m.perms, "---s", "and its permissions");
	ok(find_mapping((void *)(unsigned long)test_maps, &m, &lines, &bad) &&
		   m.perms[2] == 'x' && strstr(m.path, "t_proc"),
	   "the text");
	ok(find_mapping(&local, &m, &lines, &bad) && !strcmp(m.path, "[stack]"),
	   "the stack");
	munmap(p, 3 * PAGE);
	ok(!find_mapping(p, &m, &lines, &bad) ||
		   !strstr(m.path, "mapped file"),
	   "munmap removes the lines of %p, not %lx-%lx %s", (void *)p,
	   m.start, m.end, m.path);
	close(fd);
}

/* status, and the size of what is resident. */
static void test_status(void)
{
	const char *file = "/proc/self/status";
	long long before = proc_value(file, "VmRSS"), size;
	char *p;

	is(proc_value(file, "Pid"), getpid(), "status: Pid");
	is(proc_value(file, "PPid"), getppid(), "PPid");
	size = proc_value(file, "VmSize");
	p = map_anon(512 * PAGE, MAP_PRIVATE);
	is(proc_value(file, "VmSize") - size, 2048, "VmSize counts mmap");
	memset(p, 1, 512 * PAGE);
	size = proc_value(file, "VmRSS") - before;
	ok(size >= 1700 && size <= 2500, "VmRSS counts pages (%lld KB)", size);
	munmap(p, 512 * PAGE);
	size = proc_value(file, "VmRSS") - before;
	ok(size < 500, "and no longer (%lld KB)", size);
}

/* The numbers of a task's stat, in the places where programs look. */
static void test_stat(void)
{
	char buf[1024], name[64] = "", state = 0, *p;
	int n = slurp("/proc/self/stat", buf, sizeof(buf), 512);
	int pid = 0, ppid = 0, pgrp = 0, sid = 0, fields = 3;
	unsigned long vsize;
	long rss;

	ok(n > 0 && sscanf(buf, "%d (%63[^)]) %c %d %d %d", &pid, name, &state,
			   &ppid, &pgrp, &sid) == 6,
	   "stat: %.40s...", buf);
	ok(pid == getpid() && ppid == getppid() && pgrp == getpgrp() &&
		   sid == getsid(0),
	   "process, parent, group, session");
	is_str(name, "t_proc", "the name");
	is(state, 'R', "the state");
	for (p = strrchr(buf, ')') + 4; p && (p = strchr(p, ' ')); p++)
		if (++fields == 22 && sscanf(p, "%lu %ld", &vsize, &rss) == 2)
			ok(vsize % PAGE == 0 &&
				   vsize / PAGE >= (unsigned long)rss &&
				   rss > 0,
			   "vsize %lu, rss %ld", vsize, rss);
	ok(fields >= 24, "it has %d fields", fields);
	ok(slurp("/proc/stat", buf, sizeof(buf), 512) > 0 &&
		   !strncmp(buf, "cpu  ", 5),
	   "/proc/stat begins with all CPUs");
}

/* Links and the rest of a task's directory. */
static void test_task(void)
{
	char buf[512], path[512], number[16];
	int n = readlink("/proc/self", buf, sizeof(buf));

	buf[n > 0 ? n : 0] = '\0';
	snprintf(number, sizeof(number), "%d", getpid());
	is_str(buf, number, "/proc/self");
	n = readlink("/proc/self/exe", buf, sizeof(buf) - 1);
	buf[n > 0 ? n : 0] = '\0';
	ok(n > 7 && !strcmp(buf + n - 7, "/t_proc"), "exe: %s", buf);
	n = readlink("/proc/self/cwd", buf, sizeof(buf) - 1);
	buf[n > 0 ? n : 0] = '\0';
	is_str(buf, getcwd(path, sizeof(path)), "cwd");
	n = slurp("/proc/self/cmdline", buf, sizeof(buf), 1);
	ok(n > 6 && !strcmp(buf + strlen(buf) - 6, "t_proc"), "cmdline: %s",
	   buf);
	ok(n > (int)strlen(buf), "cmdline has a NUL behind each word");
	n = readlink("/proc/self/fd/0", buf, sizeof(buf));
	ok(n > 0, "fd/0 is a link");
	is_errno(open("/proc/999999/stat", O_RDONLY), ENOENT,
		 "a task that is not there");
}

/* The numbers in a listing of /proc. */
static void test_listing(void)
{
	DIR *dir = opendir("/proc");
	int me = 0, one = 0, meminfo = 0;
	struct dirent *de;

	while (dir && (de = readdir(dir))) {
		me += atoi(de->d_name) == getpid();
		one += atoi(de->d_name) == 1;
		meminfo += !strcmp(de->d_name, "meminfo");
	}
	ok(me == 1 && one == 1 && meminfo == 1,
	   "/proc lists me, process 1 and meminfo once each");
	if (dir)
		closedir(dir);
}

/* Files about the whole system, each with what has to be in it. */
static void test_system_files(void)
{
	static const struct {
		const char *name, *text;
	} files[] = {
		{"/proc/mounts", " / "},        {"/proc/filesystems", "proc"},
		{"/proc/swaps", "Filename"},    {"/proc/cpuinfo", "processor"},
		{"/proc/version", " version "}, {"/proc/cmdline", "\n"},
		{"/proc/slabinfo", "slabinfo"}, {"/proc/loadavg", "/"},
		{"/proc/uptime", "."},
	};
	static char all[1 << 17], pieces[1 << 17];
	float uptime = 0, later = 0;
	size_t i;
	int n;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		n = slurp(files[i].name, all, sizeof(all), PAGE);
		ok(n > 0 && strstr(all, files[i].text), "%s has \"%s\"",
		   files[i].name,
		   isspace(*files[i].text) ? "(blank)" : files[i].text);
	}
	n = slurp("/proc/filesystems", all, sizeof(all), PAGE);
	is(slurp("/proc/filesystems", pieces, sizeof(pieces), 3), n,
	   "read in pieces of three bytes");
	is_str(pieces, all, "it is the same");
	slurp("/proc/uptime", all, sizeof(all), PAGE);
	sscanf(all, "%f", &uptime);
	sleep_ms(50);
	slurp("/proc/uptime", all, sizeof(all), PAGE);
	sscanf(all, "%f", &later);
	ok(later > uptime && later < uptime + 30, "uptime goes on");
	is_errno(mkdir("/proc/new", 0755), ENOENT, "nothing can be made there");
}

int main(void)
{
	if (access("/proc/self/stat", R_OK) < 0)
		bail_out("/proc is not mounted");
	enter_test_dir("t_proc");
	test_meminfo();
	test_vmstat();
	test_maps();
	test_status();
	test_stat();
	test_task();
	test_listing();
	test_system_files();
	return done();
}
