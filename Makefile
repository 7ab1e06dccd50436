# Pagelab's build. "make help" lists the targets.
#
# Everything is built below build/ (or O=DIR). Sources are found by name:
# a new .c or .asm file in one of the kernel's rooms, in user/ or in
# tests/guest/ needs no line here. Headers and flags are dependencies too.

O	?= build
MEM	?= 256
DISK	?= 1024
SWAP	?= 512
ARGS	?=
I386	:= build/i386

MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY:

all: $(O)/kernel.elf programs $(O)/root.stamp $(O)/initramfs.cpio

# The tools, probed once for each CC= and kept in a file.
ifeq ($(origin CC),default)
CC	:=
endif
CONFIG	:= $(O)/config-$(or $(notdir $(firstword $(CC))),default).mk
NO_TOOLS := help clean distclean stats check-format
ifneq ($(if $(MAKECMDGOALS),$(filter-out $(NO_TOOLS),$(MAKECMDGOALS)),all),)
override WANTED := $(CC)
include $(CONFIG)
endif
HOSTCC	?= gcc

$(CONFIG): tools/probe
	@mkdir -p $(@D)
	@tools/probe $(WANTED) > $@.new
	@sed 's/^CC :=/override CC :=/' $@.new > $@
	@rm $@.new

# ---- flags

WARN	:= -Wall -Wextra $(if $(WERROR),-Werror)
CFLAGS	:= -std=gnu11 -ffreestanding -march=pentium3 -mregparm=3 -O2 -g \
	   $(CC_FLAGS) $(WARN) -I.
USER_CFLAGS := -std=gnu11 -march=i686 -O2 -g $(WARN) -I. \
	   -fno-pic -fno-pie -fno-stack-protector -fcf-protection=none \
	   -nostdinc -isystem $(CC_INCLUDE) \
	   -isystem $(I386)/usr/include/i386-linux-musl
MUSL	:= $(I386)/usr/lib/i386-linux-musl
HOST_CFLAGS := -std=gnu11 -O2 -g $(WARN) -I.

# A file that changes only when its text does: $(call stamp,FILE,TEXT).
define stamp
$(1): FORCE
	@mkdir -p $$(@D)
	@echo '$(2)' | cmp -s - $$@ || echo '$(2)' > $$@
endef

# ---- the kernel

KERNEL_SRC := $(wildcard boot/*.asm boot/*.c kernel/*.asm kernel/*.c mm/*.c \
	   fs/*.c fs/*/*.c drivers/*.c drivers/*/*.c lib/*.c)
KERNEL_OBJ := $(KERNEL_SRC:%=$(O)/obj/%.o)

$(eval $(call stamp,$(O)/kernel.flags,$(CC) $(CFLAGS) $(KERNEL_OBJ)))
$(eval $(call stamp,$(O)/user.flags,$(CC) $(USER_CFLAGS)))

objects: $(KERNEL_OBJ)

$(O)/obj/%.c.o: %.c $(O)/kernel.flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

$(O)/obj/%.asm.o: %.asm $(O)/kernel.flags
	@mkdir -p $(@D)
	@echo "  NASM  $<"
	@nasm -f elf32 -g -F dwarf -I./ -MD $(@:.o=.d) -MT $@ -MP -o $@ $<

# Linked twice: first with an empty table of symbols, then with the symbols of
# the first link. The table lies behind the code, so no function moves.
LINK = $(LD) -m elf_i386 -T linker.ld -z max-page-size=4096 -z noexecstack

$(O)/ksyms0.s: tools/ksyms
	@mkdir -p $(@D)
	@tools/ksyms </dev/null > $@

$(O)/kernel0.elf: $(KERNEL_OBJ) $(O)/ksyms0.o linker.ld $(O)/kernel.flags
	@$(LINK) -o $@ $(KERNEL_OBJ) $(O)/ksyms0.o

$(O)/ksyms.s: $(O)/kernel0.elf tools/ksyms
	@$(NM) $< | tools/ksyms > $@

$(O)/ksyms%o: $(O)/ksyms%s
	@$(CC) -c -o $@ $<

$(O)/kernel.elf: $(O)/kernel0.elf $(O)/ksyms.o
	@echo "  LD    $@"
	@$(LINK) -Map=$(O)/kernel.map -o $@ $(KERNEL_OBJ) $(O)/ksyms.o
	@$(NM) $@ | tools/ksyms | cmp - $(O)/ksyms.s

# ---- programs: each user/NAME.c and tests/guest/NAME.c is a static binary;
# user/lib_*.c and tests/guest/lib_*.c are an archive for all of them.

USER_LIB := $(wildcard user/lib_*.c tests/guest/lib_*.c)
USER_SRC := $(filter-out $(USER_LIB),$(wildcard user/*.c))
TEST_SRC := $(filter-out $(USER_LIB),$(wildcard tests/guest/*.c))
USER_BIN := $(USER_SRC:user/%.c=$(O)/user/%)
TEST_BIN := $(TEST_SRC:tests/guest/%.c=$(O)/tests/%)
USER_LIB_OBJ := $(USER_LIB:%=$(O)/obj/%.o)

programs: $(USER_BIN) $(TEST_BIN)
$(USER_BIN) $(TEST_BIN): $(O)/libuser.a

$(eval $(call stamp,$(O)/libuser.list,$(USER_LIB_OBJ)))

$(O)/libuser.a: $(USER_LIB_OBJ) $(O)/libuser.list
	@rm -f $@
	@$(AR) rcs $@ $(USER_LIB_OBJ)

$(O)/obj/user/%.c.o: user/%.c $(O)/user.flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(CC) $(USER_CFLAGS) -MMD -MP -c -o $@ $<

$(O)/obj/tests/%.c.o: tests/%.c $(O)/user.flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(CC) $(USER_CFLAGS) -MMD -MP -c -o $@ $<

LINK_USER = $(LD) -m elf_i386 -static -z noexecstack -o $@ \
	   $(MUSL)/crt1.o $(MUSL)/crti.o $< $(O)/libuser.a \
	   --start-group $(MUSL)/libc.a $(LIBGCC) --end-group $(MUSL)/crtn.o

$(O)/user/%: $(O)/obj/user/%.c.o
	@mkdir -p $(@D)
	@$(LINK_USER)

$(O)/tests/%: $(O)/obj/tests/guest/%.c.o
	@mkdir -p $(@D)
	@$(LINK_USER)

$(O)/obj/user/%.c.o $(O)/obj/tests/%.c.o: | $(MUSL)/libc.a

$(MUSL)/libc.a $(I386)/bin/busybox:
	@echo "no $@: run 'sh tools/deps.sh'" >&2; exit 1

# ---- for the host: rmap-test, to compare with, and the unit tests, each
# linked with the sources that a line "host-test: FILES" at its top names.

UNIT_BIN := $(patsubst tests/host/%.c,$(O)/unit/%,$(wildcard tests/host/*.c))
UNIT_CFLAGS := $(HOST_CFLAGS) -DHOST_TEST -fno-omit-frame-pointer \
	   -fsanitize=address,undefined -fno-sanitize-recover=all

host: $(O)/host/rmap-test
units: $(UNIT_BIN)

$(eval $(call stamp,$(O)/host.flags,$(HOSTCC) $(UNIT_CFLAGS)))

HOST_LIB_OBJ := $(patsubst user/%.c,$(O)/obj/host/%.o,$(wildcard user/lib_*.c))

$(O)/obj/host/%.o: user/%.c $(O)/host.flags
	@mkdir -p $(@D)
	@echo "  HOSTCC $<"
	@$(HOSTCC) $(HOST_CFLAGS) -MMD -MP -c -o $@ $<

$(O)/host/libuser.a: $(HOST_LIB_OBJ) $(O)/libuser.list
	@mkdir -p $(@D)
	@rm -f $@
	@ar rcs $@ $(HOST_LIB_OBJ)

$(O)/host/%: $(O)/obj/host/%.o $(O)/host/libuser.a
	@$(HOSTCC) -o $@ $^

unit_sources = $(shell sed -n 's,.*host-test: \(.*\) \*/.*,\1,p' \
	   tests/host/$(1).c)

.SECONDEXPANSION:
$(O)/unit/%: tests/host/%.c $(O)/host.flags $$(call unit_sources,$$*) \
	   $(wildcard boot/*.h kernel/*.h mm/*.h fs/*.h fs/*/*.h drivers/*.h \
	   lib/*.h tests/host/*.h)
	@mkdir -p $(@D)
	@echo "  HOSTCC $<"
	@$(HOSTCC) $(UNIT_CFLAGS) -o $@ $(filter %.c,$^)

# ---- the root file system: a directory, packed as a disk or an initramfs

$(eval $(call stamp,$(O)/root.list,$(USER_BIN)))

$(O)/root.stamp: $(USER_BIN) $(O)/root.list tools/mkroot $(I386)/bin/busybox
	@echo "  ROOT  $(O)/root"
	@tools/mkroot $(O)/root $(I386)/bin/busybox $(STRIP) $(USER_BIN)
	@touch $@

$(O)/initramfs.cpio: $(O)/root.stamp tools/mkcpio
	@tools/mkcpio $(O)/root $@

$(eval $(call stamp,$(O)/disk.size,$(DISK) $(SWAP)))

$(O)/disk.img: $(O)/root.stamp $(O)/disk.size tools/mkdisk
	@echo "  DISK  $@"
	@tools/mkdisk -d $(DISK) -w $(SWAP) $(O)/root $@

# ---- running

QEMU	 = qemu-system-i386 -machine pc -cpu pentium3 -m $(MEM) -nic none \
	   -kernel $(O)/kernel.elf \
	   -drive file=$(O)/disk.img,format=raw,if=ide,index=0,cache=writeback
CONSOLE	:= $(if $(GUI),tty0,ttyS0)
KARGS	 = root=/dev/hda1 swap=/dev/hda2 console=$(CONSOLE) $(ARGS)
GDBPORT	:= $(shell expr `id -u` % 5000 + 25000)

run: all $(O)/disk.img
	@echo "Ctrl-A X ends QEMU."
	$(QEMU) -serial mon:stdio $(if $(GUI),,-display none) \
		-append "$(strip $(KARGS))"

gdb: all $(O)/disk.img
	@echo "The console goes to $(O)/gdb-console.log."
	@setsid $(QEMU) $(if $(GUI),,-display none) \
		-serial file:$(O)/gdb-console.log -append "$(strip $(KARGS))" \
		-S -gdb tcp:127.0.0.1:$(GDBPORT) & \
	qemu=$$!; trap 'kill $$qemu 2>/dev/null' EXIT; \
	gdb -nx -iex "add-auto-load-safe-path $(CURDIR)" -x gdb/init.gdb \
		-ex "target remote 127.0.0.1:$(GDBPORT)" $(GDBARGS) \
		$(O)/kernel.elf

iso: $(O)/pagelab.iso

$(O)/pagelab.iso: $(O)/kernel.elf $(O)/initramfs.cpio iso/grub.cfg tools/mkiso
	@echo "  ISO   $@"
	@STRIP="$(STRIP)" tools/mkiso $(O)/kernel.elf $(O)/initramfs.cpio \
		iso/grub.cfg $@

# ---- tests and figures

export O I386 HOSTCC
TESTS	:= $(if $(T),$(wildcard tests/$(T).t tests/long/$(T).t),tests/*.t)
ifeq ($(strip $(TESTS)),)
$(error no test is named $(T): see tests/ and tests/long/)
endif
PROVE	 = prove --timer -j$(or $(J),2) $(if $(V),-v)

test: all host units iso
	@$(PROVE) $(TESTS)

test-long: all host units iso
	@$(PROVE) tests/*.t tests/long/*.t

bench: all
	@bench/run $(if $(FULL),--size full) $(if $(J),-j $(J)) $(BENCHARGS)

stats:
	@tools/cstats boot kernel mm fs drivers lib user

check-format:
	@tools/check-format

help:
	@cat tools/help.txt

clean:
	@ls -d $(O)/* 2>/dev/null | grep -vx '$(I386)' | xargs rm -rf

distclean:
	@rm -rf $(O) build

FORCE:
.PHONY: all objects programs host units run gdb iso test test-long bench stats \
	check-format help clean distclean FORCE

-include $(KERNEL_OBJ:.o=.d) $(USER_LIB_OBJ:.o=.d) \
	$(USER_SRC:%=$(O)/obj/%.d) $(TEST_SRC:%=$(O)/obj/%.d) \
	$(HOST_LIB_OBJ:.o=.d) $(O)/obj/host/rmap-test.d
