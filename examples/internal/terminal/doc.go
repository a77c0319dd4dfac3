// Package terminal says what is known of the terminal that a program writes to.
package terminal

import "os"

// Is reports whether a file is a terminal, or another device that is written to character by character.
func Is(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && file.Name() != os.DevNull
}
