/* COM1: the terminal ttyS0. */
#ifndef DRIVERS_SERIAL_H
#define DRIVERS_SERIAL_H

/* Early: makes the port a console if there is one. */
void serial_console_init(void);
/* Later: makes it a terminal with input by interrupt. */
void serial_init(void);

#endif
