// Package sweep calls all exported functions of the library with the values that nobody expects, and those that read
// lists with lists that grow.
package sweep
