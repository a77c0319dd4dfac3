//go:build kubernetes136

package oracle

// Release is the release of k8s.io/kubernetes in the module file.
const Release = "1.36"
