package conformance

import (
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
)

// kubernetes is the release that all tests of this package compare with, with the defaults of its gates.
var kubernetes = computeresources.Kubernetes{Release: oracle.Release}
