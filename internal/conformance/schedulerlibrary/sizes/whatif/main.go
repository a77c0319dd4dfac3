// Whatif asks whatif where a pod is placed.
package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

func main() {
	cluster, err := whatif.Read([]admit.APIObject{&corev1.Node{}}, whatif.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, _ := cluster.Apply(&corev1.Pod{})
	fmt.Println(result.Objects, result.Pods)
}
