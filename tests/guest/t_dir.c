/*
 * Names: directories, links, symbolic links, rename, getdents, and the long,
 * circular and misplaced ones.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/guest/lib_guest.h"
#include "tests/guest/tap.h"

#define NR_FILES 500

/* Makes an empty file. */
static void touch(const char *name)
{
	close(make_file(name, 0));
}

/* The number of links of a name, or -1. */
static int links(const char *name)
{
	struct stat st;

	return lstat(name, &st) < 0 ? -1 : (int)st.st_nlink;
}

/* The inode number of a name, or 0. */
static unsigned long long inode(const char *name)
{
	struct stat st;

	return lstat(name, &st) < 0 ? 0 : st.st_ino;
}

/* mkdir and rmdir. */
static void test_mkdir(void)
{
	is(mkdir("d", 0755), 0, "mkdir");
	is_errno(mkdir("d", 0755), EEXIST, "a second time");
	is_errno(mkdir("none/d", 0755), ENOENT, "in a directory not there");
	touch("d/f");
	is_errno(mkdir("d/f/x", 0755), ENOTDIR, "in a file");
	is_errno(rmdir("d"), ENOTEMPTY, "rmdir of one that is not empty");
	is_errno(unlink("d"), EISDIR, "unlink of a directory");
	is_errno(rmdir("d/f"), ENOTDIR, "rmdir of a file");
	is(unlink("d/f"), 0, "unlink");
	is_errno(rmdir("d/."), EINVAL, "rmdir of .");
	is(rmdir("d"), 0, "rmdir");
	is_errno(rmdir("d"), ENOENT, "a second time");
}

/* Hard links, and their count in files and directories. */
static void test_links(void)
{
	touch("one");
	is(link("one", "two"), 0, "link");
	is(links("one"), 2, "counts");
	ok(inode("one") == inode("two"), "one inode");
	is_errno(link("one", "two"), EEXIST, "to a name in use");
	is_errno(link("none", "three"), ENOENT, "of nothing");
	mkdir("ld", 0755);
	is_errno(link("ld", "three"), EPERM, "of a directory");
	unlink("one");
	is(links("two"), 1, "unlink takes one away");
	mkdir("ld/sub", 0755);
	if (links("ld") == 1) {
		skip(2, "directories have no count here");
	} else {
		is(links("ld"), 3, "a directory counts its directories");
		rmdir("ld/sub");
		is(links("ld"), 2, "and no longer");
	}
	rmdir("ld/sub");
	rmdir("ld");
	unlink("two");
}

/* Symbolic links, short and long, good and bad. */
static void test_symlinks(void)
{
	char long_target[1001], buf[1100];

	mkdir("sd", 0755);
	fill_file("sd/file", "text", 4);
	is(symlink("file", "sd/link"), 0, "symlink");
	is(file_size("sd/link"), 4, "leads to the file");
	is(readlink("sd/link", buf, 2), 2, "readlink cuts off");
	is_errno(readlink("sd/file", buf, 2), EINVAL, "readlink of a file");
	is_errno(syscall(SYS_readlink, "sd/link", buf, 0), EINVAL,
		 "readlink of 0 bytes");
	symlink("../sd", "sd/up");
	is(file_size("sd/up/up/up/link"), 4, "through directories");
	is_errno(open("sd/link/x", O_RDONLY), ENOTDIR, "below a file");
	symlink("b", "a");
	symlink("a", "b");
	is_errno(open("a", O_RDONLY), ELOOP, "a circle");
	is_errno(open("a/x", O_RDONLY), ELOOP, "below a circle");
	memset(long_target, 'l', 1000);
	long_target[1000] = '\0';
	is(symlink(long_target, "long"), 0, "a target of 1000 bytes");
	is(readlink("long", buf, sizeof(buf)), 1000, "is read");
	ok(!memcmp(buf, long_target, 1000), "as it was");
	is_errno(symlink("", "empty"), ENOENT, "an empty target");
	symlink("nowhere", "dangling");
	is_errno(open("dangling", O_RDONLY), ENOENT, "to nothing");
	close(open("dangling", O_CREAT | O_WRONLY, 0644));
	is(file_size("nowhere"), 0, "O_CREAT makes what it points to");
	is_errno(open("dangling", O_CREAT | O_EXCL | O_WRONLY, 0644), EEXIST,
		 "O_EXCL does not follow");
}

/* rename of files. */
static void test_rename_files(void)
{
	unsigned long long ino;

	fill_file("ra", "a", 1);
	fill_file("rb", "bb", 2);
	ino = inode("ra");
	is(rename("ra", "rb"), 0, "rename over a file");
	ok(inode("rb") == ino && !inode("ra"), "it is the other one now");
	is(rename("rb", "rb"), 0, "rename to itself");
	link("rb", "rc");
	is(rename("rb", "rc"), 0, "rename to another name of the same file");
	ok(inode("rb") && inode("rc"), "does nothing");
	is_errno(rename("none", "x"), ENOENT, "of nothing");
	mkdir("rd", 0755);
	is_errno(rename("rb", "rd"), EISDIR, "a file over a directory");
	is_errno(rename("rd", "rb"), ENOTDIR, "a directory over a file");
	is(rename("rb", "rd/moved"), 0, "into another directory");
	ok(inode("rd/moved") == ino, "it is there");
	is_errno(rename("/dev/null", "x"), EXDEV, "to another file system");
}

/* rename of directories. */
static void test_rename_dirs(void)
{
	unsigned long long parent;

	mkdir("p1", 0755), mkdir("p1/c", 0755), mkdir("p1/c/d", 0755);
	mkdir("p2", 0755), mkdir("p3", 0755);
	touch("p3/x");
	is_errno(rename("p1", "p1/c/d/e"), EINVAL, "into itself");
	is_errno(rename("p1", "p3"), ENOTEMPTY, "over one that is not empty");
	is(rename("p1/c", "p2/c"), 0, "to another parent");
	parent = inode("p2");
	ok(inode("p2/c/..") == parent, ".. follows");
	is(rename("p1", "p2/c/d"), 0, "over an empty one");
	ok(inode("p2/c/d") && !inode("p1"), "takes its place");
	is_errno(rename("p2/.", "x"), EBUSY, "of .");
	is_errno(rmdir("p2"), ENOTEMPTY, "the parent is not empty");
}

/* Names and paths that are too long. */
static void test_long_names(void)
{
	char name[NAME_MAX + 2], path[PATH_MAX + 100];
	int i;

	memset(name, 'n', sizeof(name));
	name[NAME_MAX] = '\0';
	touch(name);
	is(file_size(name), 0, "a name of 255 bytes");
	name[NAME_MAX] = 'n';
	name[NAME_MAX + 1] = '\0';
	is_errno(open(name, O_CREAT | O_WRONLY, 0644), ENAMETOOLONG,
		 "one of 256");
	for (i = 0; i < PATH_MAX + 50; i += 2)
		memcpy(path + i, "./", 2);
	path[i] = '\0';
	is_errno(open(path, O_RDONLY), ENAMETOOLONG, "a path of 4146 bytes");
	memcpy(path + PATH_MAX - 6, "/nnnn", 6);
	is_errno(open(path, O_RDONLY), ENOENT, "one of 4095");
	is_errno(open("", O_RDONLY), ENOENT, "an empty path");
}

/* Counts with readdir what begins with "f", and marks which. */
static int list(const char *name, char *seen)
{
	DIR *dir = opendir(name);
	struct dirent *de;
	int n = 0, number;

	while (dir && (de = readdir(dir)))
		if (sscanf(de->d_name, "f%d", &number) == 1 &&
		    number < NR_FILES) {
			seen[number]++;
			n++;
		}
	if (dir)
		closedir(dir);
	return n;
}

/* The name of file i: they are of different lengths. */
static void name_file(char *name, size_t size, int i)
{
	snprintf(name, size, "many/f%d-%0*d", i, 1 + i % 100, 0);
}

/* A directory of many files, listed, half emptied, listed again. */
static void test_many(void)
{
	static char seen[NR_FILES];
	char name[300];
	int i, right = 0;

	mkdir("many", 0755);
	for (i = 0; i < NR_FILES; i++) {
		name_file(name, sizeof(name), i);
		touch(name);
	}
	is(list("many", seen), NR_FILES, "%d files are listed", NR_FILES);
	is(count_bytes(seen, NR_FILES, 1), NR_FILES, "each once");
	for (i = 0; i < NR_FILES; i += 2) {
		name_file(name, sizeof(name), i);
		right += unlink(name) == 0;
	}
	is(right, NR_FILES / 2, "half of them are removed");
	is(list("many", seen), NR_FILES / 2, "half are listed");
	for (i = right = 0; i < NR_FILES; i++)
		right += seen[i] == 1 + i % 2;
	is(right, NR_FILES, "the right half");
}

/* getdents64 itself: a small buffer, none, and a file. */
static void test_getdents(void)
{
	int dir = open("many", O_RDONLY | O_DIRECTORY), file;
	char buf[1024];
	long n, total = 0;

	while ((n = syscall(SYS_getdents64, dir, buf, sizeof(buf))) > 0)
		total += n;
	ok(n == 0 && total > 24 * NR_FILES / 2, "getdents64 ends");
	lseek(dir, 0, SEEK_SET);
	is_errno(syscall(SYS_getdents64, dir, buf, 10), EINVAL,
		 "a buffer too small for one");
	ok(syscall(SYS_getdents64, dir, buf, sizeof(buf)) > 0, "from 0 again");
	is_errno(read(dir, buf, 10), EISDIR, "read of a directory");
	close(dir);
	file = make_file("nodir", 0);
	is_errno(syscall(SYS_getdents64, file, buf, sizeof(buf)), ENOTDIR,
		 "of a file");
	close(file);
}

/* The working directory, also of one that is removed. */
static void test_cwd(void)
{
	char before[PATH_MAX], after[PATH_MAX];
	int here = open(".", O_RDONLY);

	ok(getcwd(before, sizeof(before)) != NULL, "getcwd");
	mkdir("w", 0755);
	is(chdir("w"), 0, "chdir");
	getcwd(after, sizeof(after));
	ok(!strncmp(after, before, strlen(before)) &&
		   !strcmp(after + strlen(before), "/w"),
	   "getcwd follows: %s", after);
	is_errno((long)getcwd(after, 3) - 1, ERANGE, "a buffer too small");
	is(rmdir("../w"), 0, "it is removed");
	is_errno(open("x", O_CREAT | O_WRONLY, 0644), ENOENT,
		 "nothing can be made in it");
	is(fchdir(here), 0, "fchdir");
	getcwd(after, sizeof(after));
	is_str(after, before, "back");
	is_errno(chdir("nodir"), ENOTDIR, "chdir to a file");
	close(here);
}

/* Paths relative to an open directory. */
static void test_at(void)
{
	int dir, fd;

	mkdir("at", 0755);
	dir = open("at", O_RDONLY | O_DIRECTORY);
	fd = openat(dir, "f", O_CREAT | O_WRONLY, 0644);
	ok(fd >= 0 && inode("at/f"), "openat");
	is(renameat(dir, "f", AT_FDCWD, "g"), 0, "renameat");
	is_errno(openat(fd, "x", O_RDONLY), ENOTDIR, "a file as directory");
	is_errno(openat(999, "x", O_RDONLY), EBADF, "no such descriptor");
	ok(openat(999, "/dev/null", O_RDONLY) >= 0, "an absolute path");
	is(unlinkat(AT_FDCWD, "at", AT_REMOVEDIR), 0, "unlinkat");
	is_errno(openat(dir, "x", O_CREAT | O_WRONLY, 0644), ENOENT,
		 "in a directory that is gone");
	close(dir), close(fd);
}

int main(void)
{
	enter_test_dir("t_dir");
	test_mkdir();
	test_links();
	test_symlinks();
	test_rename_files();
	test_rename_dirs();
	test_long_names();
	test_many();
	test_getdents();
	test_cwd();
	test_at();
	return done();
}
