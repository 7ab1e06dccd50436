/* The PS/2 keyboard: input of the terminal tty0. */
#ifndef DRIVERS_KEYBOARD_H
#define DRIVERS_KEYBOARD_H

/* Sets the controller up and takes its interrupt; nothing where it is absent.*/
void keyboard_init(void);

#endif
