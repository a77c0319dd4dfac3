//go:build kubernetes136

package oracle

// Release is the release of Kubernetes, and ModFile the module file with its version.
const (
	Release = "1.36"
	ModFile = "kubernetes-1.36.mod"
)
