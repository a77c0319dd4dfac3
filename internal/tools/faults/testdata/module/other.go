package module

// Other returns n.
func Other(n int) int {
	// the same text as in another file
	return n
}
