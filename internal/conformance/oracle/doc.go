// Package oracle says which release of Kubernetes kubemath is compared with.
//
// Without a build tag it is 1.37. With the tag kubernetes136 it is 1.36, and with kubernetes138 it is 1.38: each tag goes
// with the module file of its name. .ci/conformance, and the other commands that take -kubernetes, choose both.
package oracle
