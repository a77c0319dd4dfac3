//go:build kubernetes138

package oracle

// Release is the release of Kubernetes, and ModFile the module file with its version.
const (
	Release = "1.38"
	ModFile = "kubernetes-1.38.mod"
)
