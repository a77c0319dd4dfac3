//go:build !linux && !darwin

package terminal

// Columns returns 0, because the number of columns is not known on this system.
func Columns(Descriptor) int { return 0 }
