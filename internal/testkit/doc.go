// Package testkit is what the tests of all packages share: rapid generators of
// Kubernetes objects, the valid and the nasty, and one-line checks of the contract
// that every exported function keeps. Only tests import it.
package testkit
