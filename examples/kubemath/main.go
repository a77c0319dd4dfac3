// Kubemath says what the pods of manifests or of a cluster request, and what becomes of them.
//
//	kubemath [SUBCOMMAND] [flags]
//
// Without a subcommand, it reports; without -f, on samples of its own:
//
//	go run ./examples/kubemath
//	go run ./examples/kubemath nodes -f DIR
//	kubectl get pods,nodes -A -o json | go run ./examples/kubemath nodes -f -
//
// With -n or -A, and as a plugin of kubectl, it reads the cluster: it runs kubectl get with the user's context. All
// subcommands have the same flags -f, -n, -A and -o, and the exit codes
//
//	0  everything is admitted,
//	1  the arguments are invalid, or some input could not be read,
//	2  the API server, the scheduler or a controller would refuse an object in the input, even if other input
//	   could not be read,
//	3  the program itself failed, or its output could not be written, and
//	130  it was interrupted.
//
// README.md describes the subcommands.
package main

import (
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/kubemath/internal/subcommands"
)

func main() { command.Main(subcommands.Run) }
