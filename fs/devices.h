/* The devices of major 1 that need no hardware. */
#ifndef FS_DEVICES_H
#define FS_DEVICES_H

void devices_init(void);	/* once, after devfs exists */

#endif
