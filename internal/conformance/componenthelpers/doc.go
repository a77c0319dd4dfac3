// Package componenthelpers compares the effective requests and limits of package computeresources with
// k8s.io/component-helpers v0.37: as oracle, in its tests, and as rival, in the program rivals.
//
// It is a module of its own because that version cannot be linked together with
// k8s.io/kubernetes v1.36, which the module above compares with.
package componenthelpers
