/* Finding the file that a program name stands for, through #! lines. */
#include "fs/fcntl.h"
#include "fs/stat.h"
#include "fs/vfs.h"
#include "kernel/exec.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/slab.h"

#define MAY_EXEC	1

/* Opens a dentry as a program: a regular file with permission to execute it,
 * which nobody has open for writing. */
static struct file *open_program(struct dentry *d)
{
	struct inode *inode = d->inode;
	struct file *f;
	int error;

	if (!S_ISREG(inode->mode))
		return ERR_PTR(-EACCES);
	error = permission(inode, MAY_EXEC);
	if (!error && !(inode->mode & 0111))
		error = -EACCES;
	if (!error)
		error = deny_write_access(inode);
	if (error)
		return ERR_PTR(error);
	f = dentry_open(d, O_RDONLY);
	if (IS_ERR(f))
		allow_write_access(inode);
	else
		f->mode |= FMODE_EXEC;
	return f;
}

/* Opens a program by name; ERR_PTR.  May sleep. */
struct file *open_exec(const char *path)
{
	struct dentry *d = path_lookup(AT_FDCWD, path, LOOKUP_FOLLOW);
	struct file *f;

	if (IS_ERR(d))
		return (struct file *)d;
	f = open_program(d);
	dput(d);
	return f;
}

/* Splits a #! line in place into interpreter and, if any, one argument.  False
 * when there is no interpreter. */
static bool split_line(char *line, char **interp, char **arg)
{
	char *end = strchr(line, '\n');

	*arg = NULL;
	if (end)
		*end = '\0';
	for (end = line + strlen(line); end > line; *--end = '\0')
		if (end[-1] != ' ' && end[-1] != '\t' && end[-1] != '\r')
			break;
	while (*line == ' ' || *line == '\t')
		line++;
	*interp = line;
	while (*line && *line != ' ' && *line != '\t')
		line++;
	if (*line) {
		*line++ = '\0';
		while (*line == ' ' || *line == '\t')
			line++;
		*arg = line;
	}
	return **interp != '\0';
}

/* Puts interpreter, argument and script name before the arguments; the script
 * name takes the place of what was first. */
static void add_prefix(struct exec *x, const char *interp, const char *arg,
		       const char *script)
{
	unsigned n = arg ? 2 : 1, keep = x->nr_prefix ? x->nr_prefix - 1 : 0;

	memmove(x->prefix + n + 1, x->prefix + 1, keep * sizeof(char *));
	x->prefix[0] = interp;
	if (arg)
		x->prefix[1] = arg;
	x->prefix[n] = script;
	x->nr_prefix = n + 1 + keep;
}

/* Opens `path` as x->file and reads how it begins. */
static int open_and_peek(struct exec *x, const char *path)
{
	struct file *f = open_exec(path);
	ssize_t n;

	if (IS_ERR(f))
		return PTR_ERR(f);
	if (x->file)
		fput(x->file);
	x->file = f;
	n = mapping_read(f->mapping, x->header, HEADER_SIZE - 1, 0);
	if (n < 0)
		return n;
	x->header_len = n;
	x->header[n] = '\0';
	return 0;
}

/* Opens x->path, then the interpreter as long as the file is a script.  0, or
 * an error: -ELOOP when scripts nest too deep. */
int exec_open(struct exec *x)
{
	const char *path = x->path;
	char *interp, *arg;
	int error = open_and_peek(x, path);

	for (int depth = 0; !error; depth++) {
		if (x->header[0] != '#' || x->header[1] != '!')
			return 0;
		if (depth == SCRIPT_DEPTH)
			return -ELOOP;
		x->line[depth] = kmalloc(HEADER_SIZE, GFP_KERNEL);
		if (!x->line[depth])
			return -ENOMEM;
		memcpy(x->line[depth], x->header, HEADER_SIZE);
		if (!split_line(x->line[depth] + 2, &interp, &arg))
			return -ENOEXEC;
		add_prefix(x, interp, arg, path);
		path = interp;
		error = open_and_peek(x, path);
	}
	return error;
}
