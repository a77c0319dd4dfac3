package recipes_test

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// A lifetime is a pod and how long it has run.
type lifetime struct {
	pod *corev1.Pod
	ran time.Duration
}

// hoursByTeam returns what the pods of each team have reserved, times hours: CPU·h, and byte·h of
// memory. Whole seconds count. The sums are exact, and only the result is rounded, up to milli-units
// of CPU·h.
func hoursByTeam(lifetimes []lifetime) map[string]corev1.ResourceList {
	teams := map[string]corev1.ResourceList{}
	for _, l := range lifetimes {
		requests := computeresources.PodRequests(l.pod, computeresources.Options{})
		team := l.pod.Labels["team"]
		teams[team] = resourcelist.Add(teams[team], resourcelist.Multiply(requests, int64(l.ran/time.Second)))
	}
	for team, seconds := range teams {
		teams[team] = resourcelist.Scale(seconds, big.NewRat(1, 3600))
	}
	return teams
}

// Example_teamCosts adds up the hours of three pods. An init container and the overhead count as
// the scheduler counts them.
func Example_teamCosts() {
	build := ofTeam("platform", "500m")
	build.Spec.InitContainers = []corev1.Container{{Name: "warm-up", Resources: requestsOf("3")}}
	build.Spec.Overhead = requestsOf("250m").Requests
	teams := hoursByTeam([]lifetime{
		{build, 12 * time.Hour},
		{ofTeam("web", "500m"), 23*time.Hour + 20*time.Minute},
		{ofTeam("web", "500m"), 40 * time.Minute},
	})
	for _, team := range slices.Sorted(maps.Keys(teams)) {
		fmt.Printf("%-8s %s hours\n", team, resourcelist.String(teams[team]))
	}
	// Output:
	// platform cpu=39 hours
	// web      cpu=12 hours
}

func ofTeam(team, cpu string) *corev1.Pod {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "app", Resources: requestsOf(cpu)}}}}
	pod.Labels = map[string]string{"team": team}
	return pod
}

func requestsOf(cpu string) corev1.ResourceRequirements {
	return corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}}
}
