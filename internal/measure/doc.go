// Package measure compares the speed of kernels with their rivals: ours, theirs and the floor are timed
// in turn, in one process, over many short rounds, so that other load on the machine affects all three
// equally. Programs that print tables use it; tests assert no times.
package measure
