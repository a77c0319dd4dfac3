module github.com/kubemath/kubemath/internal/conformance/autoscaler

go 1.26.0

require (
	github.com/kubemath/kubemath v0.0.0
	k8s.io/api v0.37.1
	k8s.io/apimachinery v0.37.1
	k8s.io/autoscaler/vertical-pod-autoscaler v1.8.1
	k8s.io/client-go v0.37.1
	pgregory.net/rapid v1.3.0
)

replace github.com/kubemath/kubemath => ../../..
