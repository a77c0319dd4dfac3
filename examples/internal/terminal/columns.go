//go:build linux || darwin

package terminal

import (
	"syscall"
	"unsafe"
)

// Columns returns the number of columns of a terminal, and 0 if the file is not a terminal.
func Columns(file Descriptor) int {
	var size struct{ rows, columns, x, y uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, file.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	if errno != 0 {
		return 0
	}
	return int(size.columns)
}
