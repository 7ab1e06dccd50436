/* host-test: fs/ext2/aops.c fs/ext2/balloc.c fs/ext2/block_map.c */
/* host-test: fs/ext2/buffer.c fs/ext2/dir.c fs/ext2/file.c */
/* host-test: fs/ext2/geometry.c fs/ext2/ialloc.c fs/ext2/inode.c */
/* host-test: fs/ext2/namei.c fs/ext2/page_io.c fs/ext2/super.c */
/* host-test: fs/ext2/symlink.c fs/ext2/truncate.c */
/* host-test: fs/inode.c lib/bitmap.c lib/radix_tree.c */
/*
 * fs/ext2 on damaged disks: bytes of the metadata are changed at random, or a
 * sector can be neither read nor written, and then every file is read, written,
 * cut and removed.  Any operation may fail; nothing may panic, hang or touch
 * memory it should not.  Damage that is found makes the mount read-only.
 */
#include "tests/host/ext2_vfs.h"

#define MAX_ENTRIES	40

/* What a directory listed. */
struct listing {
	struct dir_context ctx;
	char name[MAX_ENTRIES][EXT2_NAME_LEN + 1];
	u32 count;
};

static u8 buffer[60000];
static u8 pristine[MAX_SECTORS * 512];
static u32 budget;			/* directories still to be visited */

/* dir_context.emit */
static bool take_entry(struct dir_context *ctx, const char *name, unsigned len,
		       u32 ino unused_arg, unsigned type unused_arg,
		       loff_t next unused_arg)
{
	struct listing *list = container_of(ctx, struct listing, ctx);

	if (list->count >= MAX_ENTRIES)
		return false;
	memcpy(list->name[list->count], name, len);
	list->name[list->count++][len] = '\0';
	return true;
}

/* Lists a directory as far as that goes. */
static void list_dir(struct inode *dir, struct listing *list)
{
	struct file f = { .inode = dir };
	loff_t before;

	list->ctx.emit = take_entry;
	list->count = 0;
	do {
		before = f.pos;
		if (dir->fops->iterate(&f, &list->ctx))
			return;
	} while (f.pos != before);
}

/* Reads a file or link; writes and cuts a file. */
static void use_file(struct inode *inode)
{
	if (S_ISLNK(inode->mode))
		inode->ops->readlink(inode, (char *)buffer, sizeof(buffer));
	if (!S_ISREG(inode->mode))
		return;
	read_inode(inode, buffer, sizeof(buffer), rnd_below(100000));
	if (sb_readonly(&sb))
		return;
	write_inode(inode, buffer, rnd_below(sizeof(buffer)),
		    rnd_below(400000), rnd_below(9) == 0);
	if (rnd_below(2) && !sb_readonly(&sb))
		truncate_inode(inode, rnd_below(100000));
}

/* Removes a name, and puts a new file and a new directory beside it. */
static void change_dir(struct inode *dir, const char *name,
		       struct inode *inode)
{
	char new[] = "new-file-0";
	struct inode *out = NULL;

	new[9] += rnd_below(70);
	if (S_ISDIR(inode->mode))
		dir->ops->rmdir(dir, name, strlen(name), inode);
	else
		dir->ops->unlink(dir, name, strlen(name), inode);
	if (sb_readonly(&sb))
		return;
	out = dir->ops->lookup(dir, new, strlen(new));
	if (out) {
		if (!IS_ERR(out))
			iput(out);
		return;
	}
	if (rnd_below(2) ? dir->ops->create(dir, new, 10, 0644, &out) :
			   dir->ops->mkdir(dir, new, 10, 0755, &out))
		return;
	use_file(out);
	close_inode(out);
}

static void visit(struct inode *dir);

/* Does everything with one name of a directory. */
static void visit_name(struct inode *dir, const char *name)
{
	struct inode *inode = dir->ops->lookup(dir, name, strlen(name));

	if (IS_ERR_OR_NULL(inode))
		return;
	if (S_ISDIR(inode->mode) && inode != dir)
		visit(inode);
	else
		use_file(inode);
	if (inode != dir && !sb_readonly(&sb) && rnd_below(3) == 0)
		change_dir(dir, name, inode);
	close_inode(inode);
}

/* Visits a directory, and those below as long as the budget lasts. */
static void visit(struct inode *dir)
{
	struct listing *list;
	u32 i;

	if (!budget)
		return;
	budget--;
	list = malloc(sizeof(*list));
	list_dir(dir, list);
	for (i = 0; i < list->count; i++)
		if (strcmp(list->name[i], ".") && strcmp(list->name[i], ".."))
			visit_name(dir, list->name[i]);
	free(list);
}

/* A tree to damage: directories in each other with files and links. */
static void make_tree(const char *options)
{
	struct inode *dir, *inode;
	char name[] = "file-0";
	u32 depth, i;

	make_fs(options, 6000);
	BUG_ON(mount_fs(0));
	dir = igrab(sb.root->inode);
	for (depth = 0; depth < 4; depth++) {
		for (i = 0; i < 6; i++) {
			name[5] = '0' + i;
			dir->ops->create(dir, name, 6, 0644, &inode);
			write_inode(inode, buffer, 5000, i * 70000, false);
			iput(inode);
		}
		dir->ops->symlink(dir, "short", 5, "file-1", &inode);
		iput(inode);
		dir->ops->symlink(dir, "long", 4, "this/is/longer/than/what/"
				  "fits/into/the/inode/itself/so/it/has/a/"
				  "block/of/its/own", &inode);
		iput(inode);
		dir->ops->mkdir(dir, "dir", 3, 0755, &inode);
		iput(dir);
		dir = inode;
	}
	iput(dir);
	umount_fs();
	memcpy(pristine, disk, sizeof(disk));
}

/* Changes some bytes of sectors that hold anything. */
static void damage(u32 bytes)
{
	u32 sector, i;

	while (bytes) {
		sector = rnd_below(rnd_below(2) ? 200 : hda1.sectors);
		for (i = 0; i < 512 && !disk[sector * 512 + i]; i++)
			;
		if (i == 512)
			continue;
		i = sector * 512 + rnd_below(512);
		disk[i] = rnd_below(2) ? rnd() : disk[i] ^ 1u << rnd_below(8);
		bytes--;
	}
}

/* Mounts what is on the disk, if that can be, and does everything. */
static bool try_disk(void)
{
	bool mounted = !mount_fs(0);

	if (!mounted)
		return false;
	budget = 30;
	visit(sb.root->inode);
	umount_fs();
	return true;
}

/* Many damaged disks; the same seed gives the same ones. */
static void test_damage(const char *options)
{
	u32 i, mounted = 0;

	make_tree(options);
	for (i = 0; i < 60; i++) {
		memcpy(disk, pristine, sizeof(disk));
		damage(1u << rnd_below(9));
		mounted += try_disk();
	}
	ok(mounted > 20, "%s: %u of 60 damaged disks were mounted", options,
	   mounted);
}

/* Disks with one bad sector each. */
static void test_bad_sector(const char *options)
{
	u32 i, mounted = 0;

	make_tree(options);
	for (i = 0; i < 60; i++) {
		memcpy(disk, pristine, sizeof(disk));
		bad_sector = rnd_below(rnd_below(2) ? 200 : hda1.sectors);
		mounted += try_disk();
		bad_sector = -1;
	}
	ok(mounted > 20, "%s: %u of 60 disks with a bad sector were mounted",
	   options, mounted);
}

int main(void)
{
	static const char *const options[] = {
		"-b 1024", "-b 4096", "-b 2048 -O none",
	};
	u32 i;

	arena_init(FRAMES);
	inode_init();
	ext2_init();
	sharing_allowed = true;
	for (i = 0; i < ARRAY_SIZE(options); i++) {
		test_damage(options[i]);
		test_bad_sector(options[i]);
	}
	return done();
}
