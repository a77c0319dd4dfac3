// Package newkind has only a test. It adds a kind of container to a copy of the tree, checks that the
// linter finds every place that depends on kinds, edits those that docs/extending.md names, and checks the
// answers of the packages that sum over containers.
package newkind
