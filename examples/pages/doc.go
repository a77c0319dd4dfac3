// Package pages has the code of the documents in docs, and of README.md: each block of Go there is part
// of an Example here, so that it compiles and prints what the page says.
package pages
