// Command faults plants semantic faults in the kernels, one at a time, and reports which of them
// the tests of their package do not detect. These are mistakes that a maintainer could make: a
// stale cache, a lost tie-breaker, an option that is ignored in one mode, a result that shares
// memory.
//
// The mistakes are in the files of the folder planted, one file for each package, as small edits:
//
//	fault: the limits of a Ref are its requests
//	file: computeresources/list.go
//	tests: computeresources limitrange
//	 	case Limits:
//	-		return &r.Limits
//	+		return &r.Requests
//
// A line that starts with a space is context, one with a minus is removed, one with a plus is
// added. The lines before the edit have to be in the file exactly once. The line "tests:" names the
// packages whose tests run, in this order, until one fails; at least one has to fail. Without it, these
// are the tests of the package of the file. With a line "race: true", they run with the race detector.
// Faults are separated by empty lines; lines that start with # are comments.
//
// An edit that does not apply, or does not compile, is an error: the code has changed, and the fault has
// to be updated. No file is changed; the go command gets the edits by -overlay.
//
//	go run ./faults [-n 20] [-seed 7] [-run REGEXP] [-parallel 2] [-v]
package main
