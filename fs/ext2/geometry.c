/*
 * Is this super block one we can use, and where do its groups lie?
 *
 * A disk is not to be trusted: every number that is used as an index, a
 * divisor or a length is checked here once, and each refusal is named.
 */
#include "drivers/block.h"
#include "fs/ext2/ext2.h"
#include "kernel/printk.h"
#include "lib/bitmap.h"
#include "mm/slab.h"

/* The features we may meet, by bit. */
static const char *const incompat_name[] = {
	"compression", "filetype", "needs_recovery", "journal_dev", "meta_bg",
	NULL, "extents", "64bit", "mmp", "flex_bg", "ea_inode", NULL,
	"dirdata", "csum_seed", "large_dir", "inline_data", "encrypt",
	"casefold",
};
static const char *const ro_compat_name[] = {
	"sparse_super", "large_file", "btree_dir", "huge_file", "uninit_bg",
	"dir_nlink", "extra_isize", "snapshot", "quota", "bigalloc",
	"metadata_csum", "replica", "read-only", "project", "shared_blocks",
	"verity", "orphan_present",
};

/* Says which of the unknown features `bits` there are. */
static void name_features(const struct ext2_sb *s, u32 bits, const char *why,
			  const char *const names[], u32 nr_names)
{
	u32 bit;

	for (; bits; bits &= bits - 1) {
		bit = ffs32(bits);
		if (bit < nr_names && names[bit])
			printk(KERN_ERR "ext2: %s: %s: feature %s\n",
			       s->sb->bdev->name, why, names[bit]);
		else
			printk(KERN_ERR "ext2: %s: %s: feature bit %u\n",
			       s->sb->bdev->name, why, bit);
	}
}

/* Says why the file system cannot be mounted; -EINVAL. */
static int refuse(const struct ext2_sb *s, const char *why, u32 value)
{
	printk(KERN_ERR "ext2: %s: cannot mount: %s (%u)\n",
	       s->sb->bdev->name, why, value);
	return -EINVAL;
}

/* Refuses what we would misread; notes what we must not write. */
static int check_features(struct ext2_sb *s)
{
	struct ext2_super_block *es = s->es;
	u32 unknown;

	if (es->rev_level > 1)
		return refuse(s, "unknown revision", es->rev_level);
	if (!es->rev_level)
		return 0;
	unknown = es->feature_incompat & ~EXT2_INCOMPAT_FILETYPE;
	if (unknown) {
		name_features(s, unknown, "cannot mount", incompat_name,
			      ARRAY_SIZE(incompat_name));
		return -EINVAL;
	}
	unknown = es->feature_ro_compat &
		~(EXT2_RO_COMPAT_SPARSE_SUPER | EXT2_RO_COMPAT_LARGE_FILE |
		  EXT2_RO_COMPAT_BTREE_DIR);
	if (unknown) {
		name_features(s, unknown, "mounted read-only", ro_compat_name,
			      ARRAY_SIZE(ro_compat_name));
		s->ro_features = true;
		s->sb->flags |= MS_RDONLY;
	}
	return 0;
}

/* Sizes of blocks and inodes. */
static int check_sizes(struct ext2_sb *s)
{
	struct ext2_super_block *es = s->es;
	u32 size;

	if (es->log_block_size > 2)
		return refuse(s, "blocks must be 1024, 2048 or 4096 bytes; "
			      "log2 of their KB is", es->log_block_size);
	if (es->log_frag_size != es->log_block_size)
		return refuse(s, "fragments are not blocks; log2 of their KB",
			      es->log_frag_size);
	size = es->rev_level ? es->inode_size : EXT2_GOOD_OLD_INODE_SIZE;
	s->block_shift = 10 + es->log_block_size;
	if (size < EXT2_GOOD_OLD_INODE_SIZE || size & (size - 1) ||
	    size > 1u << s->block_shift)
		return refuse(s, "bad inode size", size);
	s->inode_size = size;
	s->first_ino = es->rev_level ? es->first_ino : EXT2_GOOD_OLD_FIRST_INO;
	s->inodes_per_block = (1u << s->block_shift) / size;
	s->addr_per_block = 1u << (s->block_shift - 2);
	return 0;
}

/* Numbers of blocks, inodes and groups. */
static int check_counts(struct ext2_sb *s)
{
	struct ext2_super_block *es = s->es;
	u32 bits = 8u << s->block_shift, data;

	if (es->first_data_block != (s->block_shift == 10))
		return refuse(s, "bad first data block", es->first_data_block);
	if (!es->blocks_per_group || es->blocks_per_group > bits)
		return refuse(s, "bad blocks per group", es->blocks_per_group);
	if (!es->inodes_per_group || es->inodes_per_group > bits ||
	    es->inodes_per_group % s->inodes_per_block)
		return refuse(s, "bad inodes per group", es->inodes_per_group);
	if (es->blocks_count <= es->first_data_block + 1)
		return refuse(s, "bad block count", es->blocks_count);
	if ((u64)es->blocks_count << (s->block_shift - 9) >
	    s->sb->bdev->sectors)
		return refuse(s, "larger than its device; blocks",
			      es->blocks_count);
	data = es->blocks_count - es->first_data_block;
	s->groups = data / es->blocks_per_group +
		!!(data % es->blocks_per_group);
	s->itable_blocks = es->inodes_per_group / s->inodes_per_block;
	if (es->inodes_count != (u64)s->groups * es->inodes_per_group)
		return refuse(s, "inode count does not fit the groups",
			      es->inodes_count);
	if (s->first_ino < EXT2_GOOD_OLD_FIRST_INO ||
	    s->first_ino > es->inodes_per_group)
		return refuse(s, "bad first inode", s->first_ino);
	return 0;
}

/* Checks the super block; see ext2.h. */
int ext2_check_super(struct ext2_sb *s)
{
	int err;

	if (s->es->magic != EXT2_SUPER_MAGIC)
		return refuse(s, "no ext2 file system; magic number",
			      s->es->magic);
	err = check_features(s);
	if (!err)
		err = check_sizes(s);
	if (!err)
		err = check_counts(s);
	return err;
}

/* The descriptor of a group, in a buffer that is held while mounted. */
struct ext2_group_desc *ext2_group(struct ext2_sb *s, u32 group,
				   struct buffer **b)
{
	u32 shift = s->block_shift - 5;	/* descriptors are 32 bytes */

	*b = &s->gdt[group >> shift];
	return (struct ext2_group_desc *)(*b)->data +
		(group & ((1u << shift) - 1));
}

/* The first block of a group. */
u32 ext2_group_first(const struct ext2_sb *s, u32 group)
{
	return s->es->first_data_block + group * s->es->blocks_per_group;
}

/* How many blocks a group has: the last one may be shorter. */
u32 ext2_group_blocks(const struct ext2_sb *s, u32 group)
{
	return min(s->es->blocks_per_group,
		   s->es->blocks_count - ext2_group_first(s, group));
}

/* Do [nr, nr + count) and the block or blocks [at, at + n) overlap? */
static bool overlap(u32 nr, u32 count, u32 at, u32 n)
{
	return nr < at + n && at < nr + count;
}

/* Can these blocks belong to a file?  See ext2.h. */
bool ext2_data_blocks_ok(struct ext2_sb *s, u32 nr, u32 count)
{
	u32 first = s->es->first_data_block, group, last;
	struct ext2_group_desc *desc;
	struct buffer *gb;

	if (nr <= first + s->gdt_blocks || nr >= s->es->blocks_count ||
	    count > s->es->blocks_count - nr)
		return false;
	group = (nr - first) / s->es->blocks_per_group;
	last = (nr + count - 1 - first) / s->es->blocks_per_group;
	for (; group <= last; group++) {
		desc = ext2_group(s, group, &gb);
		if (overlap(nr, count, desc->block_bitmap, 1) ||
		    overlap(nr, count, desc->inode_bitmap, 1) ||
		    overlap(nr, count, desc->inode_table, s->itable_blocks))
			return false;
	}
	return true;
}

/* Do a group's bitmaps and table lie inside the group? */
static bool group_ok(struct ext2_sb *s, u32 group,
		     const struct ext2_group_desc *desc)
{
	u32 first = ext2_group_first(s, group);
	u32 end = first + ext2_group_blocks(s, group);

	return desc->block_bitmap >= first && desc->block_bitmap < end &&
	       desc->inode_bitmap >= first && desc->inode_bitmap < end &&
	       desc->inode_table >= first && desc->inode_table < end &&
	       s->itable_blocks <= end - desc->inode_table &&
	       desc->free_blocks_count <= end - first &&
	       desc->free_inodes_count <= s->es->inodes_per_group;
}

/* Is 'group' a power of `base`? */
static bool is_power(u32 group, u32 base)
{
	while (group > base && group % base == 0)
		group /= base;
	return group == base;
}

/* Blocks that groups use for copies of super block and descriptors. */
static u32 backup_blocks(struct ext2_sb *s, u32 group)
{
	u32 reserved = s->es->rev_level ? s->es->reserved_gdt_blocks : 0;

	if (group > 1 && s->es->rev_level &&
	    s->es->feature_ro_compat & EXT2_RO_COMPAT_SPARSE_SUPER &&
	    !is_power(group, 3) && !is_power(group, 5) && !is_power(group, 7))
		return 0;
	return 1 + s->gdt_blocks + reserved;
}

/* Checks the descriptors and sums them up.  0 or -EINVAL. */
static int sum_groups(struct ext2_sb *s)
{
	struct ext2_group_desc *desc;
	struct buffer *gb;
	u32 i;

	s->overhead = s->es->first_data_block;
	for (i = 0; i < s->groups; i++) {
		desc = ext2_group(s, i, &gb);
		if (!group_ok(s, i, desc))
			return refuse(s, "bad descriptor of group", i);
		s->free_blocks += desc->free_blocks_count;
		s->free_inodes += desc->free_inodes_count;
		s->dirs += desc->used_dirs_count;
		s->overhead += backup_blocks(s, i) + 2 + s->itable_blocks;
	}
	return 0;
}

/* Reads the group descriptors; see ext2.h. */
int ext2_load_groups(struct ext2_sb *s)
{
	u32 shift = s->block_shift - 5, n, i;
	int err;

	n = (s->groups + (1u << shift) - 1) >> shift;
	s->gdt = kzalloc(n * sizeof(*s->gdt), GFP_KERNEL);
	if (!s->gdt)
		return -ENOMEM;
	s->gdt_blocks = n;
	for (i = 0; i < n; i++) {
		err = bread(s->sb, s->es->first_data_block + 1 + i, &s->gdt[i]);
		if (!err)
			err = bpin(&s->gdt[i]);
		if (err) {
			printk(KERN_ERR "ext2: %s: cannot read the group "
			       "descriptors\n", s->sb->bdev->name);
			return err;
		}
	}
	return sum_groups(s);
}

/* Releases the descriptors; also after a failed load. */
void ext2_free_groups(struct ext2_sb *s)
{
	u32 i;

	for (i = 0; s->gdt && i < s->gdt_blocks; i++)
		bunpin(&s->gdt[i]);
	kfree(s->gdt);
	s->gdt = NULL;
}
