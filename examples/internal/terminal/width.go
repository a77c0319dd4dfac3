package terminal

import "io"

// usualWidth is the number of columns if the output is not a terminal.
const usualWidth = 100

// Width returns the number of columns of a terminal, or 100 for another output.
func Width(to io.Writer) int {
	if file, isFile := to.(Descriptor); isFile {
		if n := Columns(file); n > 0 {
			return n
		}
	}
	return usualWidth
}
