#!/bin/sh
# Gets what Pagelab is built and tested with: "sh tools/deps.sh".
#
# On Debian and its derivatives it installs the missing packages by apt (as
# root or through sudo; nothing is ever removed), and says first which. Then
# it fetches three i386 packages (musl's headers and static library for our
# programs, BusyBox as the shell) and unpacks them into build/i386. For these
# apt gets a state of its own in build/apt: the system does not learn a new
# architecture. Where all is there already, nothing is done.
# Elsewhere it prints the names of the packages and exits with 1.
set -eu
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
I386=build/i386
I386_PACKAGES="musl-dev musl busybox-static"

die() {
	echo "deps.sh: $*" >&2
	exit 1
}

have() {
	command -v "$1" >/dev/null 2>&1
}

# Can this compiler make, and link, 32-bit code that divides 64-bit numbers?
makes_i386() {
	have "${1%% *}" || return 1
	try=$(mktemp -d)
	echo 'unsigned long long n; int _start(void){ return n / (n + 3); }' \
		> "$try/t.c"
	# shellcheck disable=SC2086     # $1 is a command with its options
	$1 -ffreestanding -nostdlib -static -o "$try/t" "$try/t.c" \
		-lgcc 2>/dev/null && found=0 || found=1
	rm -r "$try"
	return "$found"
}

# Prints the packages that are missing here, by the commands they bring.
missing_packages() {
	while read -r command package; do
		have "$command" || echo "$package"
	done <<-END
		make make
		gcc gcc
		clang clang
		nasm nasm
		qemu-system-i386 qemu-system-x86
		qemu-img qemu-utils
		grub-mkrescue grub-common
		xorriso xorriso
		mformat mtools
		gdb gdb
		cpio cpio
		mke2fs e2fsprogs
		mkswap util-linux
		prove perl
		python3 python3
	END
	[ -d /usr/lib/grub/i386-pc ] || echo grub-pc-bin
	[ -e /usr/include/stdio.h ] || echo libc6-dev
	makes_i386 i686-linux-gnu-gcc || makes_i386 "gcc -m32" ||
		echo gcc-i686-linux-gnu
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif have sudo; then
		sudo "$@"
	else
		die "not root and no sudo; as root: $*"
	fi
}

install_packages() {
	packages=$(missing_packages | sort -u | tr '\n' ' ')
	[ -n "$packages" ] || return 0
	echo "deps.sh: installing with apt: $packages"
	as_root apt-get -q update ||
		echo "deps.sh: apt-get update failed; going on" >&2
	# shellcheck disable=SC2086     # a list
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-remove \
		--no-install-recommends install $packages
	packages=$(missing_packages | sort -u | tr '\n' ' ')
	[ -z "$packages" ] || die "still missing: $packages"
}

i386_there() {
	[ -x $I386/bin/busybox ] &&
	[ -e $I386/usr/lib/i386-linux-musl/libc.a ] &&
	[ -e $I386/usr/include/i386-linux-musl/stdio.h ]
}

# Runs apt-get for i386 with all of its state below build/apt.
apt_i386() {
	set -- -q=2 -o APT::Architecture=i386 -o APT::Architectures=i386 \
		-o Dir::State::Lists="$APT/lists" -o Dir::Cache="$APT/cache" \
		-o Dir::State::status=/dev/null "$@"
	[ "$(id -u)" != 0 ] || set -- -o APT::Sandbox::User=root "$@"
	apt-get "$@"
}

# Unpacks beside the target and renames, so that a half-filled tree is never
# taken for a whole one.
fetch_i386() {
	! i386_there || return 0
	echo "deps.sh: fetching i386 packages into $I386: $I386_PACKAGES"
	rm -rf "$APT/deb" "$APT/root" "$I386"
	mkdir -p "$APT/lists/partial" "$APT/cache/archives/partial" "$APT/deb"
	# An index that does not exist for i386 fails the update, no more.
	apt_i386 update >"$APT/log" 2>&1 || true
	# shellcheck disable=SC2086     # a list
	(cd "$APT/deb" && apt_i386 download $I386_PACKAGES) >>"$APT/log" 2>&1 || {
		cat "$APT/log" >&2
		die "cannot fetch: $I386_PACKAGES"
	}
	for deb in "$APT"/deb/*.deb; do
		dpkg -x "$deb" "$APT/root"
	done
	# Newer releases keep everything below /usr.
	[ -e "$APT/root/bin/busybox" ] || {
		mkdir -p "$APT/root/bin"
		mv "$APT/root/usr/bin/busybox" "$APT/root/bin/"
	}
	mv "$APT/root" "$I386"
	rm -r "$APT"
	i386_there || die "the i386 packages lack what they should bring"
}

elsewhere() {
	cat >&2 <<-'END'
		deps.sh: not a Debian-like system. Install by hand:
		Fedora    make gcc clang nasm qemu-system-x86-core qemu-img
		          grub2-tools-extra grub2-pc-modules xorriso mtools gdb
		          cpio e2fsprogs util-linux perl-Test-Harness python3
		          glibc-devel.i686 libgcc.i686 busybox
		Arch      base-devel clang nasm qemu-system-x86 qemu-img grub
		          libisoburn mtools gdb cpio e2fsprogs util-linux perl
		          python lib32-gcc-libs busybox
		Homebrew  make i686-elf-gcc nasm qemu i686-elf-grub xorriso mtools
		          i386-elf-gdb cpio e2fsprogs util-linux python
		Then unpack Debian's i386 packages musl-dev and busybox-static
		into build/i386, so that build/i386/bin/busybox exists.
	END
	exit 1
}

if ! have apt-get || ! have dpkg; then
	elsewhere
fi
APT=$PWD/build/apt
if [ -z "$(missing_packages)" ] && i386_there; then
	echo "deps.sh: all there"
	exit 0
fi
install_packages
fetch_i386
