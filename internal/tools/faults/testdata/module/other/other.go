// Package other uses a package with faults.
package other

import "example.com/module"

// Twice returns two times n, through another package.
func Twice(n int) int { return module.Untested(n) }
