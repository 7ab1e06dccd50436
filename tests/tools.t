#!/bin/sh
# The build-time tools: dependencies, help, disk images, figures.
. tests/lib.sh

# ---- deps.sh

out=$(sh tools/deps.sh 2>&1)
is "deps.sh: nothing to do a second time" "$out" "deps.sh: all there"

mkdir "$TEST_DIR/bin"
for tool in sh dirname cat; do
	ln -s "$(command -v $tool)" "$TEST_DIR/bin/$tool"
done
# The copy looks into no sbin, so that it finds no apt there either.
mkdir "$TEST_DIR/tools"
sed 's/^PATH=.*//' tools/deps.sh > "$TEST_DIR/tools/deps.sh"
status=0
out=$(PATH=$TEST_DIR/bin sh "$TEST_DIR/tools/deps.sh" 2>&1) || status=$?
is "deps.sh: no apt: status" "$status" 1
for system in Fedora Arch Homebrew; do
	like "deps.sh: no apt: names for $system" "$out" "^$system .*(gcc|devel)"
done

# ---- help

out=$(make -s help)
for target in $(sed -n '/^\.PHONY:/,/[^\\]$/p' Makefile | tr -d '\\' |
		sed 's/^\.PHONY://; s/FORCE//'); do
	like "make help: $target" "$out" "^  make $target "
done
out=$(make -s test T=no_such_test 2>&1) || :
like "make test T=: an unknown name" "$out" 'no test is named no_such_test'

# ---- mkdisk

tree=$TEST_DIR/tree
mkdir -p "$tree/dir"
echo hello > "$tree/dir/file"
ln -s dir/file "$tree/link"
for size in 1024 2048 4096; do
	image=$TEST_DIR/disk$size
	ok "mkdisk -b $size" tools/mkdisk -b $size -d 64 -w 16 "$tree" "$image"
	ok "mkdisk -b $size: clean" e2fsck -fn "$image?offset=1048576"
	is "mkdisk -b $size: content" "$(debugfs -R 'cat /dir/file' \
		"$image?offset=1048576" 2>/dev/null)" hello
done
image=$TEST_DIR/disk4096
is "mkdisk: size of the image" "$(wc -c < "$image")" $((81 * 1048576))
is "mkdisk: the partitions" \
	"$(od -An -tx1 -j446 -N32 -v "$image" | tr -d '\n')" \
	" 00 fe ff ff 83 fe ff ff 00 08 00 00 00 00 02 00\
 00 fe ff ff 82 fe ff ff 00 08 02 00 00 80 00 00"
is "mkdisk: the MBR's signature" "$(od -An -tx1 -j510 -N2 "$image")" " 55 aa"
swap=$((65 * 1048576))
is "mkdisk: the swap signature" \
	"$(dd if="$image" bs=1 skip=$((swap + 4086)) count=10 2>/dev/null)" \
	SWAPSPACE2
is "mkdisk: the swap label" \
	"$(dd if="$image" bs=1 skip=$((swap + 1052)) count=12 2>/dev/null)" \
	pagelab-swap
ok "mkdisk -w 0" tools/mkdisk -d 16 -w 0 "$tree" "$image"
is "mkdisk -w 0: no second partition" \
	"$(od -An -tx1 -j462 -N16 -v "$image" | tr -d ' 0')" ""
status=0
out=$(tools/mkdisk -d many "$tree" "$image" 2>&1) || status=$?
is "mkdisk: a word for a number: status" "$status" 1
like "mkdisk: a word for a number" "$out" "not 'many'"
out=$(tools/mkdisk -b 512 "$tree" "$image" 2>&1) || :
like "mkdisk: a strange block size" "$out" "1024, 2048 or 4096"

# ---- cstats

cat > "$TEST_DIR/long.c" <<END
/* Long. */
int long_one(void)
{
$(yes '	;' | head -n 61)
}
END
status=0
out=$(tools/cstats "$TEST_DIR/long.c") || status=$?
is "cstats: a long function: status" "$status" 1
like "cstats: a long function: is named" "$out" 'long_one: 61 lines'
finish
