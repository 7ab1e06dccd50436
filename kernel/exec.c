/*
 * execve: another program in the place of the current one.
 *
 * prepare()	finds and checks the file, collects the arguments, makes the
 *		new address space.  Everything that can fail with an error.
 * commit()	gives up the old program: threads, mm, handlers, descriptors.
 * load()	maps the new one.  From commit() on there is no program to
 *		return an error to: a failure kills the task.
 */
#include "kernel/exec.h"

#include "fs/file.h"
#include "fs/stat.h"
#include "fs/vfs_internal.h"
#include "kernel/fpu.h"
#include "kernel/printk.h"
#include "kernel/rusage.h"
#include "kernel/switch.h"
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "kernel/thread_group.h"
#include "kernel/tls.h"
#include "kernel/trap.h"
#include "kernel/uaccess.h"
#include "lib/errno.h"
#include "lib/string.h"
#include "mm/mm.h"
#include "mm/slab.h"

/* Opens the dynamic linker that the program names.  0 or an error. */
static int open_interp(struct exec *x)
{
	const char *name = x->main.interp;
	struct file *f;
	int error;

	if (!name[0])
		return 0;
	f = open_exec(name);
	if (IS_ERR(f)) {
		printk(KERN_INFO "exec: %s: a dynamic program whose "
		       "interpreter %s cannot be opened (error %d)\n",
		       x->path, name, (int)PTR_ERR(f));
		return PTR_ERR(f);
	}
	x->interp_file = f;
	error = elf_read(&x->interp, f, name);
	if (!error && x->interp.interp[0])
		error = -ELIBBAD;
	return error;
}

/* The effective ids the program will have: the file's, if it is set-id. */
static void choose_ids(struct exec *x)
{
	struct inode *inode = x->file->inode;

	x->uid = current->euid;
	x->gid = current->egid;
	if (inode->mode & S_ISUID)
		x->uid = inode->uid;
	if ((inode->mode & (S_ISGID | 0010)) == (S_ISGID | 0010))
		x->gid = inode->gid;
	x->secure = x->uid != current->uid || x->gid != current->gid;
}

/* Makes descriptors and signal actions the task's own.  0 or -ENOMEM. */
static int unshare(void)
{
	struct files *files = current->files;
	struct sighand *sighand = current->sighand;

	if (files && files->count > 1) {
		files = files_dup(files);
		if (!files)
			return -ENOMEM;
		files_put(current->files);
		current->files = files;
	}
	if (sighand->count > 1) {
		sighand = sighand_dup(sighand);
		if (!sighand)
			return -ENOMEM;
		sighand_put(current->sighand);
		current->sighand = sighand;
	}
	return 0;
}

/* Everything that may fail while the old program can still be told. */
static int prepare(struct exec *x, struct arg_vector argv,
		   struct arg_vector envp)
{
	int error = exec_open(x);

	if (!error)
		error = elf_read(&x->main, x->file, x->path);
	if (!error)
		error = open_interp(x);
	if (!error)
		error = args_collect(x, argv, envp);
	if (error)
		return error;
	choose_ids(x);
	x->mm = mm_alloc();
	if (!x->mm)
		return -ENOMEM;
	error = setup_stack(x->mm, STACK_TOP);
	if (!error)
		error = become_only_thread();
	return error ? error : unshare();
}

/* Takes the new, still empty address space and drops the old one. */
static void take_mm(struct exec *x)
{
	struct mm *old = current->mm;

	mm_release(current);
	note_maxrss(current);
	x->mm->exe_file = get_file(x->file);
	current->mm = x->mm;
	x->mm = NULL;
	switch_mm(current->mm);
	if (old)
		mmput(old);
}

/* The part of the name behind the last slash, as ps shows it. */
static void set_comm(const char *path)
{
	const char *slash = strrchr(path, '/');

	strlcpy(current->comm, slash ? slash + 1 : path,
		sizeof(current->comm));
}

/* Gives up the old program.  May sleep; cannot fail. */
static void commit(struct exec *x)
{
	struct task *t = current;

	take_mm(x);
	set_comm(x->nr_prefix ? x->prefix[x->nr_prefix - 1] : x->path);
	t->flags &= ~(PF_KTHREAD | PF_FORKNOEXEC);
	t->group->execed = true;
	t->exit_signal = SIGCHLD;
	flush_signal_handlers(t->sighand);
	t->sas_ss_sp = t->sas_ss_size = 0;
	t->restart.fn = NULL;
	t->robust_list = 0;
	fpu_free(t);
	memset(t->tls, 0, sizeof(t->tls));
	load_gs(0);
	load_fs(0);
	load_tls(t);
	if (x->uid != t->euid || x->gid != t->egid)
		t->pdeath_signal = 0;
	t->euid = t->suid = t->fsuid = x->uid;
	t->egid = t->sgid = t->fsgid = x->gid;
	if (t->files)
		files_close_on_exec(t->files);
}

/* Points the registers at the program: all zero but for these, since edx at
 * the entry is a function to call at exit. */
static void start_thread(u32 eip, u32 esp)
{
	struct trap_frame *tf = task_frame();

	memset(tf, 0, sizeof(*tf));
	tf->ds = tf->es = tf->ss = USER_DS;
	tf->cs = USER_CS;
	tf->eflags = 0x202;
	tf->eip = eip;
	tf->esp = esp;
	tf->orig_eax = -1;
}

/* Maps the new program.  0 or an error, after which nothing can run. */
static int load(struct exec *x)
{
	struct elf_image *first = &x->main;
	u32 esp;
	int error = elf_map(&x->main, x->file, false);

	if (!error && x->interp_file) {
		first = &x->interp;
		error = elf_map(first, x->interp_file, true);
	}
	if (error)
		return error;
	esp = args_place(x, STACK_TOP);
	if (!esp)
		return -ENOMEM;
	start_thread(first->ehdr.e_entry + first->bias, esp);
	return 0;
}

/* Gives back what an exec holds, whether it succeeded or not. */
static void finish(struct exec *x)
{
	if (x->mm)
		mmput(x->mm);
	if (x->file)
		fput(x->file);
	if (x->interp_file)
		fput(x->interp_file);
	args_free(&x->args);
	for (int i = 0; i < SCRIPT_DEPTH; i++)
		kfree(x->line[i]);
	kfree(x);
}

/* The common part; takes over `path`, which lives in kernel memory. */
static int do_execve(char *path, struct arg_vector argv,
		     struct arg_vector envp)
{
	struct exec *x = kzalloc(sizeof(*x), GFP_KERNEL);
	bool committed = false;
	int error = -ENOMEM;

	if (!x)
		return error;
	x->path = path;
	error = prepare(x, argv, envp);
	if (!error) {
		committed = true;
		commit(x);
		error = load(x);
	}
	finish(x);
	if (error && committed) {
		printk(KERN_INFO "exec: %s: loading failed (error %d)\n",
		       current->comm, error);
		do_group_exit(SIGKILL);
	}
	return error;
}

/* execve(2) */
asmlinkage long sys_execve(const char *upath, const char *const *uargv,
			   const char *const *uenvp)
{
	struct arg_vector argv = { uargv, false }, envp = { uenvp, false };
	char *path = getname(upath, false);
	int error;

	if (IS_ERR(path))
		return PTR_ERR(path);
	error = do_execve(path, argv, envp);
	putname(path);
	return error;
}

/* Turns a kernel thread into a program; see kernel/task.h. */
int kernel_execve(const char *path, const char *const argv[],
		  const char *const envp[])
{
	struct arg_vector args = { argv, true }, env = { envp, true };

	return do_execve((char *)path, args, env);
}
