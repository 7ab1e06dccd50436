#!/bin/sh
# tools/guest tells how a guest ended, and refuses wrong options. A fake kernel
# plays the endings, so this test needs no working one.
. tests/lib.sh

# fake N: builds the fake kernel that ends in way N.
fake() {
	nasm -f elf32 -DENDING="$1" -o "$TEST_DIR/fake.o" tests/fake_kernel.asm &&
	ld -m elf_i386 -Ttext 0x100000 -o "$TEST_DIR/fake" "$TEST_DIR/fake.o"
}

# ending N OPTION...: boots the fake kernel.
ending() {
	fake "$1" || bail_out "cannot build the fake kernel"
	shift
	guest --kernel "$TEST_DIR/fake" -c 'echo never run' "$@"
}

# refused NAME PATTERN OPTION...
refused() {
	refused_name=$1 pattern=$2
	shift 2
	guest "$@"
	is "$refused_name: status" "$status" 2
	like "$refused_name: the cure is named" "$said" "$pattern"
}

ending 0
is "the last command's status" "$status" 3
is "what the commands print and nothing else" "$out" "first line
no newline"

ending 0 -v
like "-v adds the boot log" "$out" '^booting$'

ending 0 --fsck -k "$TEST_DIR/kept"
is "an untouched file system is clean" "$status" 3
ok "-k keeps the disk" test -s "$TEST_DIR/kept/disk.img"
is "the commands are on the disk" "$(debugfs -R 'cat /etc/guest/commands' \
	"$TEST_DIR/kept/disk.img?offset=1048576" 2>/dev/null)" 'echo never run'

debugfs -w -R 'clri /bin/busybox' "$TEST_DIR/kept/disk.img?offset=1048576" \
	2>/dev/null
guest --kernel "$TEST_DIR/fake" --disk-image "$TEST_DIR/kept/disk.img" \
	--fsck -c true
is "an unclean file system is told" "$status" 123

ending 1
is "a panic: status" "$status" 125
like "a panic: its lines are shown" "$said" '^Kernel panic: fake'
like "a panic: what follows is shown" "$said" '^call trace'

ending 2
is "a triple fault: status" "$status" 126
like "a triple fault: is named" "$said" 'probable triple fault'

ending 3 -t 2
is "silence: status" "$status" 124
like "silence: the last words are told" "$said" 'time-out.*no newline'

ending 4
is "an early power-off: status" "$status" 126

ending 5 -t 2
is "no power-off: status" "$status" 124
like "no power-off: is named" "$said" 'did not power off'

ending 0 --no-disk
is "without a disk" "$status" 3

refused "no commands" "-c 'COMMANDS'"
refused "a word for a number" "'much' is not a number" -m much -c true
refused "too little memory" "from 4 up" -m 1 -c true
refused "a file that is not there" "build it first" -f /nonexistent -c true
refused "a kernel that is not there" "run make first" \
	--kernel /nonexistent -c true
refused "a strange injection" "read:SECTOR" --inject both:1 -c true
refused "a strange block size" "1024" -b 512 -c true
finish
