// Package arch checks the rules of this project, as tests: which package of the module may import which, what the module
// may depend on, that the library does no I/O and keeps no state between calls, that tests go through all members of
// enumerations and set all options, that Examples and the code in comments and documents compile in another module, and
// that the names and links in documents exist. It has no other code.
//
// Each rule is a function from a project to its violations. Files in testdata plant another project with violations, and
// list those that the rule has to find.
package arch
