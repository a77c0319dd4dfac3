// Package testkit has the helpers that the tests of all packages share: rapid generators of valid
// and invalid Kubernetes objects, and one-line checks of the contract of every exported function.
// Only tests import it.
package testkit

import _ "github.com/kubemath/kubemath/internal/measure" // tests collect garbage less often
