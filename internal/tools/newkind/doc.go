// Package newkind has a test only: it adds a kind of container to a copy of the tree, sees the
// linter find every place that knows kinds, repairs those that CONTRIBUTING.md names, and
// looks at the answers of the packages that fold over containers.
package newkind
