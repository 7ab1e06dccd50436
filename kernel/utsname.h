/* The names uname(2) reports; /proc/sys/kernel shows them too. */
#ifndef KERNEL_UTSNAME_H
#define KERNEL_UTSNAME_H

#define UTS_LEN		65

#define UTS_SYSNAME	"Linux"		/* what programs look for */
#define UTS_RELEASE	"3.2.0-pagelab"	/* glibc wants 3.2 at least */
#define UTS_VERSION	"#1 Pagelab"
#define UTS_MACHINE	"i686"

extern char uts_nodename[UTS_LEN], uts_domainname[UTS_LEN];

#endif
