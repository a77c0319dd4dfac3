//go:build !kubernetes138

package componenthelpers

// release is that of component-helpers in the module file.
const release = "1.37"
