package module

// Same returns n.
func Same(n int) int {
	// the same text as in another file
	return n
}

// moved returns n.
func moved(n int) int {
	// was in another file before
	return n
}
