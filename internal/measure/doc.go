// Package measure times kernels beside their rivals: ours, theirs and the floor in turn, in one
// process, over many short rounds, so that other load on the machine affects all three alike.
// Programs that print tables use it; tests assert no times.
package measure
