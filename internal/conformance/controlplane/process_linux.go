package controlplane

import "syscall"

// attributes put a process into a group of its own, so that a Ctrl-C meant for this
// program leaves it to Stop, and have the kernel kill it if this program dies.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
