//go:build !kubernetes136 && !kubernetes138

package oracle

// Release is the release of Kubernetes, and ModFile the module file with its version.
const (
	Release = "1.37"
	ModFile = "go.mod"
)
