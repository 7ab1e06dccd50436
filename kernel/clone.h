/* What clone(2) shares and does, by Linux's numbers. */
#ifndef KERNEL_CLONE_H
#define KERNEL_CLONE_H

#define CSIGNAL			0x000000ffu
#define CLONE_VM		0x00000100u
#define CLONE_FS		0x00000200u
#define CLONE_FILES		0x00000400u
#define CLONE_SIGHAND		0x00000800u
#define CLONE_PTRACE		0x00002000u
#define CLONE_VFORK		0x00004000u
#define CLONE_PARENT		0x00008000u
#define CLONE_THREAD		0x00010000u
#define CLONE_NEWNS		0x00020000u
#define CLONE_SYSVSEM		0x00040000u
#define CLONE_SETTLS		0x00080000u
#define CLONE_PARENT_SETTID	0x00100000u
#define CLONE_CHILD_CLEARTID	0x00200000u
#define CLONE_DETACHED		0x00400000u
#define CLONE_UNTRACED		0x00800000u
#define CLONE_CHILD_SETTID	0x01000000u
/* New name spaces: there is one of each, so these are refused. */
#define CLONE_NEW_SPACES	(CLONE_NEWNS | 0x7e000000u)

#endif
