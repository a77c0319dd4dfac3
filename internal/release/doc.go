// Package release has the rules that differ between minor releases of Kubernetes. Each rule is a method of [Rules],
// which says from which release on it holds, and which feature gate turns it on or off. No other package compares
// releases or reads a gate.
package release
