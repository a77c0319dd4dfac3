// Kubectl-podreport is podreport as a plugin of kubectl, which runs it for "kubectl podreport":
//
//	kubectl get deployments,resourcequotas -n shop -o json | kubectl podreport -f -
package main

import "github.com/kubemath/kubemath/examples/podreport/internal/podreport"

func main() { podreport.Main() }
