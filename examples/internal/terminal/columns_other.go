//go:build !linux && !darwin

package terminal

import "os"

// Columns returns 0: how many columns a terminal has is not known here.
func Columns(*os.File) int { return 0 }
