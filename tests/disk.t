#!/bin/sh
# Disks that are missing, foreign, damaged or failing: each has its message and
# its errno, and none stops the machine.
. tests/lib.sh

# The damaged disk is the second one, /dev/hdb.
bad=$TEST_DIR/bad.img
mkdir "$TEST_DIR/tree"
echo hello > "$TEST_DIR/tree/file"

fresh() {
	tools/mkdisk -d 32 -w 8 "$TEST_DIR/tree" "$bad"
}

# overwrite BYTE-OFFSET TEXT
overwrite() {
	printf "$2" | dd of="$bad" bs=1 seek="$1" conv=notrunc 2>/dev/null
}

# second COMMANDS [DRIVE-OPTIONS]: boots with the damaged disk as well.
second() {
	guest -t 60 --fsck -q "-drive ${2-file=$bad},format=raw,if=ide,index=1" \
		-c "{ $1; } 2>&1; echo status \$?; dmesg | tail -n 60"
	is "$name: the machine goes on" "$status" 0
}

name="a good second disk"
fresh
second 'mount /dev/hdb1 /mnt && cat /mnt/file && swapon /dev/hdb2'
like "$name: is mounted" "$out" '^hello$'
like "$name: status" "$out" '^status 0$'

name="a blank disk"
rm -f "$bad"
dd if=/dev/null of="$bad" bs=1M seek=32 2>/dev/null
second 'ls /dev/hdb1; mount /dev/hdb /mnt'
like "$name: has no partition" "$out" 'hdb1: No such file'
like "$name: is not mounted" "$out" '^status [1-9]'

name="a partition beyond the end"
fresh
overwrite 458 '\377\377\377\177'
second 'ls /dev/hdb1'
like "$name: is told" "$out" 'hdb1: ends behind the disk'

name="an unreadable partition table"
fresh
second 'ls /dev/hdb /dev/hdb1' "file.driver=blkdebug,\
file.image.driver=file,file.image.filename=$bad,\
file.inject-error.0.event=none,file.inject-error.0.iotype=read,\
file.inject-error.0.sector=0,file.inject-error.0.errno=5,rerror=report"
like "$name: is told" "$out" 'hdb: cannot read the partition table'
like "$name: no partition" "$out" 'hdb1: No such file'

name="a bad superblock"
fresh
overwrite $((1048576 + 1024 + 56)) '\000\000'
second 'mount -t ext2 /dev/hdb1 /mnt'
like "$name: EINVAL" "$out" 'Invalid argument'
like "$name: is told" "$out" 'ext2: hdb1: '

name="an unknown incompatible feature"
fresh
mke2fs -q -F -t ext4 -E offset=1048576 "$bad" 32M
second 'mount -t ext2 /dev/hdb1 /mnt'
like "$name: EINVAL" "$out" 'Invalid argument'
like "$name: is named" "$out" '(extent|64bit|flex_bg)'

name="a swap area without a header"
fresh
overwrite $((33 * 1048576 + 4086)) 'NOTASWAP!!'
second 'swapon /dev/hdb2'
like "$name: EINVAL" "$out" 'Invalid argument'

name="a hibernated system in the swap area"
fresh
overwrite $((33 * 1048576 + 4086)) 'S1SUSPEND\000'
second 'swapon /dev/hdb2'
like "$name: EINVAL" "$out" 'Invalid argument'

# ---- errors of the disk itself; the file lies where the host put it

dd if=/dev/urandom of="$TEST_DIR/tree/data" bs=4096 count=64 2>/dev/null
fresh
block=$(debugfs -R 'bmap /data 20' "$bad?offset=1048576" 2>/dev/null)
sector=$((2048 + block * 8))

# failing TYPE: options for the second disk, that fails at that sector.
failing() {
	echo "file.driver=blkdebug,file.image.driver=file,\
file.image.filename=$bad,file.inject-error.0.event=none,\
file.inject-error.0.iotype=$1,file.inject-error.0.sector=$sector,\
file.inject-error.0.errno=5,rerror=report,werror=report"
}

name="a read error"
second 'mount /dev/hdb1 /mnt; md5sum /mnt/data; cat /mnt/file' \
	"$(failing read)"
like "$name: EIO" "$out" '(I/O|Input/output) error'
like "$name: other files are well" "$out" '^hello$'
like "$name: the sector is told" "$out" "hdb: read: .*sector $sector"

name="a write error"
second 'mount /dev/hdb1 /mnt; dd if=/dev/zero of=/mnt/data bs=4k count=64 \
	conv=notrunc,fsync; echo dd $?; cat /mnt/file' "$(failing write)"
like "$name: fsync tells it" "$out" '(I/O|Input/output) error'
like "$name: dd fails" "$out" '^dd 1$'
like "$name: other files are well" "$out" '^hello$'

name="a slow disk"
fresh
second 'mount /dev/hdb1 /mnt; md5sum /mnt/data' \
	"file=$bad,throttling.iops-total=20"
like "$name: is waited for" "$out" "^$(md5sum < "$TEST_DIR/tree/data" |
	cut -d ' ' -f 1)"
finish
