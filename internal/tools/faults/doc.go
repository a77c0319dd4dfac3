// Command faults plants semantic faults in the kernels, and reports which of them the tests of their
// package do not notice. These are mistakes that a maintainer could make: a stale cache, a lost tie-breaker,
// an option that is ignored in one mode, a result that shares memory.
//
// The mistakes are in the files of the folder planted, one file for each package, as small edits:
//
//	fault: the limits of a Ref are its requests
//	package: computeresources
//	tests: computeresources limitrange
//	 	case Limits:
//	-		return &r.Limits
//	+		return &r.Requests
//
// A line that starts with a space is context, one with a minus is removed, one with a plus is added. The
// lines before the edit have to be in the files of the package exactly once. A line "file:" in the place of
// "package:" names a file of the package, which matters only if others have the same lines. The line
// "tests:" names the packages whose tests run, in this order, until one fails; at least one has to fail.
// Without it, these are the tests of the package. With a line "race: true", they run with the race detector.
// Faults are separated by empty lines; lines that start with # are comments.
//
// All faults of a package are compiled into one binary of its tests: a function that is edited begins with a
// switch over its bodies, and an environment variable chooses one. Only an edit of something else, such as a
// constant, a type or a signature, has a binary of its own. No file is changed; the go command gets the
// edits by -overlay.
//
// A fault is noticed if a test fails that passes in the same binary, alone and with the same random objects, if
// no fault is chosen; and if it fails alone, or beside other tests that pass together without the fault. At first
// tests draw few objects, and the fast ones run together before each of the others, of which those come first
// that noticed another fault; the usual number is drawn for faults that no test has noticed. The test that noticed
// such a fault the last time runs before all others: see planted/first.tsv, which -write writes. Tests that take much
// longer than without a fault are ended, and run once more with more time. A fault whose tests do not end then is
// without verdict.
//
// A fault is stale if the code that it edits has changed. It has to be updated, but up to one of 50 may be
// stale: whoever changes the code need not know this tool. A fault that does not compile is an error.
//
//	go run ./faults [-n 20] [-seed 7] [-run REGEXP] [-parallel 2] [-v] [-write] [PACKAGE...]
package main
