/* The ways to end: power-off, restart, halt. */
#ifndef KERNEL_REBOOT_H
#define KERNEL_REBOOT_H

#include "kernel/linkage.h"
#include "lib/types.h"

void machine_power_off(void) noreturn;
void machine_restart(void) noreturn;
void machine_halt(void) noreturn;

asmlinkage long sys_reboot(u32 magic1, u32 magic2, u32 cmd, void *arg);

#endif
