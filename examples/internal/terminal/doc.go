// Package terminal writes text and tables in lines as wide as the terminal that a program writes to.
package terminal

// Descriptor is a file of the system, such as an *os.File.
type Descriptor interface{ Fd() uintptr }
