#!/bin/sh
# ext2 at each block size: what the host wrote is read in the guest, what the
# guest wrote is read on the host, and e2fsck finds nothing to say.
. tests/lib.sh

# The guest's work. Prints what the host compares.
cat > "$TEST_DIR/work" <<'END'
set -e
md5sum < /bin/sample
dd if=/dev/urandom of=big bs=64k count=100 2>/dev/null
dd if=/dev/urandom of=sparse bs=1k count=3 seek=70000 2>/dev/null
mkdir -p deep/a/b/c
for i in $(seq 300); do echo $i > deep/a/file-with-a-rather-long-name-$i; done
for i in $(seq 2 2 300); do rm deep/a/file-with-a-rather-long-name-$i; done
mv deep/a/b/c deep/moved
ln big hard
ln -s big soft
ln -s /a/long/way/that/does/not/fit/into/the/inode/itself/as/it/is/too/long far
cp -r /bin/busybox copy && truncate -s 12345 copy
tar cf - deep | tar xf - -C /mnt
diff -r deep /mnt/deep
echo one > over && echo two >> over && mv over deep/over
md5sum big sparse copy deep/over | sort
ls deep/a | wc -l
sync
END
dd if=/dev/urandom of="$TEST_DIR/sample" bs=1000 count=3000 2>/dev/null

# from_host IMAGE FILE: the md5 sum of a file on the image.
from_host() {
	debugfs -R "cat /data/$2" "$1?offset=1048576" 2>/dev/null | md5sum |
		cut -d ' ' -f 1
}

for size in 1024 2048 4096; do
	kept=$TEST_DIR/kept$size
	guest_ok "$size: the guest's work" -b $size -d 256 -w 0 --fsck \
		-k "$kept" -f "$TEST_DIR/sample" -C "$TEST_DIR/work"
	is "$size: the guest reads what the host wrote" \
		"$(echo "$out" | sed -n '1s/ .*//p')" \
		"$(md5sum < "$TEST_DIR/sample" | cut -d ' ' -f 1)"
	for file in big sparse copy deep/over; do
		is "$size: the host reads $file" \
			"$(from_host "$kept/disk.img" $file)" \
			"$(echo "$out" | sed -n "s|  $file\$||p")"
	done
	is "$size: removed entries are gone" "$(echo "$out" | tail -n 1)" 151
	like "$size: a hole takes no blocks" "$(debugfs -R 'stat /data/sparse' \
		"$kept/disk.img?offset=1048576" 2>/dev/null)" \
		'Blockcount: ([1-9]|[1-6][0-9])$'
	rm -r "$kept"
done

# What was only written through a mapping is on the disk after power-off.
guest_ok "mapped data: rmap-test" -m 64 -d 64 --fsck -k "$TEST_DIR/mapped" \
	-c 'rmap-test -l -i 1 -n 4 -s 8 -t 3 foo'
is "mapped data is there after power-off" "$(debugfs -R 'cat /data/foo' \
	"$TEST_DIR/mapped/disk.img?offset=1048576" 2>/dev/null |
	od -An -v -tu1 -w4096 | awk '{ printf "%s ", $1 }')" \
	"4 4 4 4 4 4 4 4 0 4 4 4 4 4 4 4 4 0 4 4 4 4 4 4 4 4 0\
 4 4 4 4 4 4 4 4 "
finish
