// Package arch holds the rules of the house, as tests: which package of the module
// may import which, what the module may depend on, that the packages which compute
// neither touch the world outside nor keep state between calls, that every export has
// a comment and an Example, that errors can be compared, that no two packages or types have
// one name, that enumerations are read and written as text, that lists of objects are passed
// in one form, and that what the documents name exists. It has no other code. Each rule is a function from data to violations, so that
// a second test can plant a violation and see that the rule finds it.
package arch
