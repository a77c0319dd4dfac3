package main
import "testing"
func (c cluster) restarts(kubeconfig string) { _ = testing.Short }
