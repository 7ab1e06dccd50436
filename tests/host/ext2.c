/* host-test: fs/ext2/aops.c fs/ext2/balloc.c fs/ext2/block_map.c */
/* host-test: fs/ext2/buffer.c fs/ext2/dir.c fs/ext2/file.c */
/* host-test: fs/ext2/geometry.c fs/ext2/ialloc.c fs/ext2/inode.c */
/* host-test: fs/ext2/namei.c fs/ext2/page_io.c fs/ext2/super.c */
/* host-test: fs/ext2/symlink.c fs/ext2/truncate.c */
/* host-test: fs/inode.c lib/bitmap.c lib/radix_tree.c */
/*
 * fs/ext2: random work on files and directories, compared with a model that
 * keeps the bytes in arrays, while pages are written and dropped behind its
 * back, allocations fail and the disk is full; e2fsck has the last word.  Then
 * damaged disks, on which nothing may go wrong but the files.
 *
 * A file's data lies in a few windows, so that each level of the block map is
 * used; between them are holes.
 */
#include "tests/host/ext2_vfs.h"

#define NR_FILES	24
#define NR_DIRS		4
#define WINDOW		50000u

/* Where the windows begin: direct, double and (1 KB blocks) triple. */
static const loff_t window_start[] = { 0, 290 * 1024, 67000 * 1024 + 77 };
#define NR_WINDOWS	ARRAY_SIZE(window_start)

struct content {
	int links;
	loff_t size;
	u8 window[NR_WINDOWS][WINDOW];
};

static struct file_model {
	char name[60];
	int dir;			/* index, -1: the root */
	struct content *content;	/* NULL: no such file */
} files[NR_FILES];

static bool dirs[NR_DIRS];		/* which of "dir0".. exist */
static bool may_fail;			/* memory or disk may be full */
static u8 buffer[WINDOW], wanted[WINDOW];

/* The bytes a file should have at [pos, pos + len) of a window. */
static void model_read(struct content *c, u32 w, u32 from, u32 len)
{
	memcpy(wanted, c->window[w] + from, len);
}

/* Cuts the model of a file. */
static void model_truncate(struct content *c, loff_t size)
{
	loff_t keep;
	u32 w;

	for (w = 0; w < NR_WINDOWS; w++) {
		keep = max(size - window_start[w], (loff_t)0);
		if (keep < WINDOW)
			memset(c->window[w] + keep, 0, WINDOW - keep);
	}
	c->size = size;
}

/* Panics unless the error is one that may happen now. */
static void check(int err, const char *what)
{
	if (err && !(may_fail && (err == -ENOSPC || err == -ENOMEM)))
		panic("%s: error %d", what, -err);
}

/* An inode by name, which must exist, whatever the memory. */
static struct inode *open_name(struct inode *dir, const char *name)
{
	u32 left = memory_left;
	struct inode *inode;

	memory_left = ~0u;
	inode = dir->ops->lookup(dir, name, strlen(name));
	memory_left = left;
	if (IS_ERR_OR_NULL(inode))
		panic("%s is not there: %d", name, (int)PTR_ERR(inode));
	return inode;
}

/* A directory's inode. */
static struct inode *open_dir(int dir)
{
	struct inode *root = igrab(sb.root->inode), *inode;
	char name[] = "dir0";

	if (dir < 0)
		return root;
	name[3] += dir;
	inode = open_name(root, name);
	iput(root);
	return inode;
}

/* A file's inode. */
static struct inode *open_file(struct file_model *f)
{
	struct inode *dir = open_dir(f->dir), *inode;

	inode = open_name(dir, f->name);
	iput(dir);
	if (inode->size != f->content->size)
		panic("%s has %d bytes", f->name, (int)inode->size);
	return inode;
}

/* A file, or NULL if the first tried does not exist. */
static struct file_model *pick_file(void)
{
	struct file_model *f = &files[rnd_below(NR_FILES)];

	return f->content ? f : NULL;
}

/* A directory that exists, or the root. */
static int pick_dir(void)
{
	int dir = rnd_below(NR_DIRS);

	return dirs[dir] ? dir : -1;
}

/* A new name, short or long, never the same. */
static void new_name(char *name)
{
	static u32 serial;
	u32 len = 6 + rnd_below(rnd_below(2) ? 5 : 40);

	memset(name, 'a' + rnd_below(26), len);
	snprintf(name + len, 60 - len, "%u", serial++);
}

/* Makes a file, or one more name for one. */
static void do_create(void)
{
	struct file_model *f = &files[rnd_below(NR_FILES)], *old = pick_file();
	struct inode *dir, *inode = NULL;
	int err;

	if (f->content)
		return;
	f->dir = pick_dir();
	new_name(f->name);
	dir = open_dir(f->dir);
	if (old && rnd_below(3) == 0) {
		inode = open_file(old);
		err = dir->ops->link(dir, f->name, strlen(f->name), inode);
		f->content = err ? NULL : old->content;
	} else {
		err = dir->ops->create(dir, f->name, strlen(f->name), 0644,
				       &inode);
		f->content = err ? NULL : calloc(1, sizeof(*f->content));
	}
	check(err, "create");
	if (!err)
		f->content->links++;
	if (inode)
		iput(inode);
	iput(dir);
}

/* Forgets a name in the model. */
static void forget(struct file_model *f)
{
	if (!--f->content->links)
		free(f->content);
	f->content = NULL;
}

/* Removes a name, sometimes while the file is still in use. */
static void do_unlink(void)
{
	struct file_model *f = pick_file();
	struct inode *dir, *inode;
	int err;

	if (!f)
		return;
	dir = open_dir(f->dir);
	inode = open_file(f);
	err = dir->ops->unlink(dir, f->name, strlen(f->name), inode);
	iput(dir);
	check(err, "unlink");
	if (!err) {
		if (read_inode(inode, buffer, 100, 0) >= 0 &&
		    memcmp(buffer, f->content->window[0],
			   min(f->content->size, (loff_t)100)))
			panic("an unlinked file lost its data");
		forget(f);
	}
	iput(inode);
}

/* Makes or removes a directory. */
static void do_dir(void)
{
	int d = rnd_below(NR_DIRS), err, i, used = 0;
	struct inode *root = sb.root->inode, *inode = NULL;
	char name[] = "dir0";

	name[3] += d;
	for (i = 0; i < NR_FILES; i++)
		used += files[i].content && files[i].dir == d;
	if (!dirs[d]) {
		err = root->ops->mkdir(root, name, 4, 0755, &inode);
		dirs[d] = !err;
	} else {
		inode = open_dir(d);
		err = root->ops->rmdir(root, name, 4, inode);
		dirs[d] = err;
		if (used && (err == -ENOTEMPTY || err == -ENOMEM))
			err = 0;
	}
	if (used && !dirs[d])
		panic("a full directory was removed");
	check(err, "mkdir or rmdir");
	if (inode)
		iput(inode);
}

/* Moves a name, perhaps over another. */
static void do_rename(void)
{
	struct file_model *f = pick_file(), *over = pick_file();
	struct inode *from, *to, *inode, *victim = NULL;
	char name[60];
	int dir = pick_dir(), err;

	if (!f)
		return;
	new_name(name);
	if (over && over->content != f->content) {
		dir = over->dir;
		strcpy(name, over->name);
		victim = open_file(over);
	}
	from = open_dir(f->dir);
	to = open_dir(dir);
	inode = open_file(f);
	err = from->ops->rename(from, f->name, strlen(f->name), to, name,
				strlen(name), inode, victim);
	check(err, "rename");
	if (!err) {
		if (victim)
			forget(over);
		f->dir = dir;
		strcpy(f->name, name);
	}
	if (victim)
		iput(victim);
	iput(inode);
	iput(to);
	iput(from);
}

/* Writes somewhere in a window; the copy may fail half-way. */
static void do_write(void)
{
	struct file_model *f = pick_file();
	u32 w = rnd_below(NR_WINDOWS), from, len, i;
	struct inode *inode;
	int done;

	if (!f)
		return;
	from = rnd_below(WINDOW - 1);
	len = rnd_below(rnd_below(2) ? 2000 : WINDOW);
	len = min(len + 1, WINDOW - from);
	for (i = 0; i < len; i++)
		buffer[i] = rnd() | 1;
	inode = open_file(f);
	done = write_inode(inode, buffer, len, window_start[w] + from,
			   rnd_below(8) == 0);
	if (done < 0 && done != -EFAULT)
		check(done, "write");
	if (done > 0) {
		memcpy(f->content->window[w] + from, buffer, done);
		f->content->size = max(f->content->size,
				       window_start[w] + from + done);
	}
	close_inode(inode);
}

/* Compares a piece of a file with the model. */
static void compare(struct inode *inode, struct content *c, u32 w, u32 from,
		    u32 len)
{
	int n = read_inode(inode, buffer, len, window_start[w] + from);

	if (n < 0) {
		check(n, "read");
		return;
	}
	model_read(c, w, from, n);
	if (memcmp(buffer, wanted, n))
		panic("file %u differs in window %u", inode->ino, w);
}

/* Reads somewhere in a window. */
static void do_read(void)
{
	struct file_model *f = pick_file();
	u32 from = rnd_below(WINDOW);
	struct inode *inode;

	if (!f)
		return;
	inode = open_file(f);
	compare(inode, f->content, rnd_below(NR_WINDOWS), from,
		rnd_below(WINDOW - from));
	iput(inode);
}

/* Cuts or extends a file. */
static void do_cut(void)
{
	struct file_model *f = pick_file();
	struct inode *inode;
	loff_t size;

	if (!f)
		return;
	size = window_start[rnd_below(NR_WINDOWS)] + rnd_below(WINDOW);
	if (rnd_below(2))
		size = rnd_below(2) ? 0 : f->content->size / 2;
	inode = open_file(f);
	check(truncate_inode(inode, size), "truncate");
	model_truncate(f->content, size);
	iput(inode);
}

/* Compares every file with the model. */
static void compare_all(void)
{
	struct inode *inode;
	u32 i, w;

	for (i = 0; i < NR_FILES; i++) {
		if (!files[i].content)
			continue;
		inode = open_file(&files[i]);
		for (w = 0; w < NR_WINDOWS; w++)
			compare(inode, files[i].content, w, 0, WINDOW);
		iput(inode);
	}
}

/* One piece of random work. */
static void do_something(void)
{
	static void (*const work[])(void) = {
		do_create, do_create, do_unlink, do_dir, do_rename, do_read,
		do_read, do_cut, do_write, do_write, do_write, do_write,
		reclaim,
	};

	work[rnd_below(ARRAY_SIZE(work))]();
	if (rnd_below(100) == 0)
		sync_fs();
}

/* Random work on a fresh file system, mounted three times. */
static void test_random(const char *options, u32 kilobytes, bool low_memory)
{
	int round, i, err = 0;

	make_fs(options, kilobytes);
	may_fail = low_memory || kilobytes < 4096;
	for (round = 0; round < 3 && !err; round++) {
		err = mount_fs(0);
		if (err)
			break;
		compare_all();
		for (i = 0; i < 1500; i++) {
			if (low_memory && rnd_below(20) == 0)
				memory_left = rnd_below(15);
			do_something();
			memory_left = ~0u;
		}
		compare_all();
		err = sb_readonly(&sb);
		umount_fs();
	}
	is(err, 0, "random work");
	ok(fsck(), "e2fsck after it: %s, %u KB%s", options, kilobytes,
	   low_memory ? ", allocations fail" : "");
	for (i = 0; i < NR_FILES; i++)
		if (files[i].content)
			forget(&files[i]);
	memset(dirs, 0, sizeof(dirs));
}

/* A file system that must not be mounted, or not for writing. */
static void test_features(void)
{
	static const struct {
		const char *options;
		int err;
		bool read_only;
	} cases[] = {
		{ "-O extents", -EINVAL, false },
		{ "-O 64bit,extents", -EINVAL, false },
		{ "-O inline_data", -EINVAL, false },
		{ "-O huge_file", 0, true },
		{ "-O metadata_csum", 0, true },
		{ "-O has_journal -b 1024", 0, false },
		{ "-r 0", 0, false },
	};
	u32 i;
	int err;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		make_fs(cases[i].options, 8192);
		err = mount_fs(0);
		ok(err == cases[i].err &&
		   (err || sb_readonly(&sb) == cases[i].read_only),
		   "mke2fs %s: %s", cases[i].options,
		   cases[i].err ? "refused" : cases[i].read_only ?
		   "read-only" : "writable");
		if (!err)
			umount_fs();
	}
	memset(disk, 0x5a, 4096);
	is(mount_fs(0), -EINVAL, "no file system at all");
}

/* Is the state of the file system on the disk "clean"? */
static bool marked_clean(void)
{
	return disk[1024 + 58] & EXT2_VALID_FS;
}

/* The mark that says whether e2fsck has to look. */
static void test_state(void)
{
	make_fs("-b 4096", 4096);
	is(mount_fs(0), 0, "mounted");
	ok(!marked_clean(), "while writable it is not clean");
	is(sb.ops->remount(&sb, MS_RDONLY), 0, "remounted read-only");
	ok(marked_clean(), "it is clean");
	is(sb.ops->remount(&sb, 0), 0, "remounted read-write");
	ok(!marked_clean(), "it is not");
	ext2_error(&sb, "this is a test");
	ok(sb_readonly(&sb), "damage makes it read-only");
	umount_fs();
	ok(!marked_clean() && disk[1024 + 58] & EXT2_ERROR_FS,
	   "and stays known after unmounting");
}

int main(void)
{
	static const char *const sizes[] = {
		"-b 1024", "-b 2048", "-b 4096",
	};
	u32 i;

	arena_init(FRAMES);
	inode_init();
	ext2_init();
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		test_random(sizes[i], 16384, false);
		test_random(sizes[i], 2048, false);
		test_random(sizes[i], 16384, true);
	}
	test_random("-b 1024 -g 1024 -O none -m 10", 3000, true);
	test_features();
	test_state();
	return done();
}
