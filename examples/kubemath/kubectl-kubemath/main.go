// Kubectl-kubemath is kubemath as a plugin of kubectl, which runs it for "kubectl kubemath". Without -f, it reads the
// cluster of the current context:
//
//	kubectl kubemath -n shop
//	kubectl kubemath nodes
package main

import (
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/kubemath/internal/subcommands"
)

func main() { command.Main(subcommands.Plugin) }
