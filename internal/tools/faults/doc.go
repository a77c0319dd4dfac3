// Command faults plants faults in the kernels and in the rules of the program below examples, and reports which of them
// the tests of their package do not notice.
//
// Most faults are made by operators, which look for places in the syntax tree of each function: a condition is
// negated, or loses an operand or its bound; a statement, a case, a special case, a field of a struct, a tie-breaker
// or a copy is left out; arguments, fields or constants of the same type take each other's place; an error is
// dropped. There are some thirty thousand such places. One in 20 of each function is planted, and at least one:
// different operators first, and otherwise by a key, which is a hash of the operator, the statement and the signature
// of the function. The names of unexported functions, types and variables are not in the key, so a fault is the same
// after they are renamed, and a change of one function does not change what is planted in another.
//
// Some faults of operators are not planted: they are in the file planted/exceptions.tsv, with the package, the key
// and the reason. It begins with "equivalent" if the fault changes nothing, with "speed" if the answer is the same
// but takes longer, with "endless" if tests do not end, and with "untested" if no test notices a fault that may
// change an answer; "with few objects" says that this was not tried with the usual number. Say more where it is
// not obvious.
//
// Other faults need to know what the code means: two amounts that share memory, an option that is ignored in one
// mode, an order of rules. They are in the other files of the folder planted, one for each package, as small edits:
//
//	package: computeresources
//	tests: computeresources limitrange
//
//	fault: the limits of a Ref are its requests
//	 	case Limits:
//	-		return &r.Limits
//	+		return &r.Requests
//
// A line that starts with a space is context, one with a minus is removed, one with a plus is added. The lines before
// the edit have to be in the files of the package exactly once. If they are not there, the edit is where the same
// tokens are, but for names of functions and variables: these may have changed. If several places fit, it is the one
// where the most names are the same.
//
// The lines "package:" and "tests:" before the first fault hold for all in the file. A line "file:" in a fault names
// a file of a package, which matters only if others have the same lines. The line "tests:" names the packages whose
// tests run, in this order, until one fails; at least one has to fail. Without it, these are the tests of the
// package. Faults are separated by empty lines; lines that start with # are comments.
//
// All faults of a package are compiled into one binary of its tests: a function that is edited begins with a switch
// over its bodies, and an environment variable chooses one. Only an edit of something else, such as a constant, a
// type or a signature, has a binary of its own. No file is changed; the go command gets the edits by -overlay.
//
// A fault is noticed if a test fails that passes in the same binary, alone and with the same random objects, if no
// fault is chosen; and if it fails alone, or next to other tests that pass together without the fault. At first tests
// draw few objects, and the fast ones run together before each of the others, of which those come first that noticed
// another fault; the usual number is drawn for faults that no test has noticed. The test that noticed such a fault the
// last time, one with which other tests do not end, or one that took long to notice, runs before all others: see
// planted/first.tsv, which -write writes. Tests that take much longer than without a fault are ended, and run once more
// with more time. A fault whose tests do not end then is without verdict. A test that needs too much memory, 4 GiB of
// address space, fails.
//
// A fault or an exception is stale if the code that it is about has changed. Up to one of 50 may be stale: whoever
// changes the code need not know this tool. A fault is stale as well if it uses a name that is gone; one that does
// not compile for another reason is an error.
//
// The controller below examples is a module of its own, with faults in the folder controller:
//
//	go run ./faults -root ../../examples/controller -faults faults/controller book webhooks
//
// With -per 1, a package has a fault at each place: which tests are missing is then a list.
//
// A table counts the faults of each package. The flag -write keeps which tests noticed faults, and drops exceptions that
// are stale. The flag -excepted plants the exceptions; with -write, it drops those that tests notice by now.
//
//	go run ./faults [-hand] [-per 20] [-n 20] [-seed 7] [-run REGEXP] [-excepted] [-parallel 2] [-v] [-write] [PACKAGE...]
package main
