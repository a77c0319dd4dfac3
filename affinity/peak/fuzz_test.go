package peak_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The bits of edges determine which of six tasks run after which earlier ones. For any requests, the
// peak equals that of the reference implementation.
func FuzzOf(f *testing.F) {
	f.Add(uint16(0), "1", "2", "500m", "1.5Gi", "1n", "0")
	f.Add(uint16(0b101_0110_1101_001), "10E", "1E", "1n", "1", "1", "1")
	f.Add(uint16(1<<15-1), "9223372036854775807", "1", "9223372036854775807", "2", "1u", "3")
	f.Fuzz(func(t *testing.T, edges uint16, a, b, c, d, e, g string) {
		run := &affinity.Run{}
		for i, text := range []string{a, b, c, d, e, g} {
			q, ok := testkit.Parse(text)
			if !ok || q.Sign() < 0 {
				return
			}
			task := affinity.Task{Name: fmt.Sprint(i), Requests: corev1.ResourceList{"cpu": q}}
			for before := range i {
				if edges&1 == 1 {
					task.RunAfter = append(task.RunAfter, fmt.Sprint(before))
				}
				edges >>= 1
			}
			run.Tasks = append(run.Tasks, task)
		}
		demand := of(t, run, peak.Options{})
		for _, name := range resources(run) {
			s := slowly(run, peak.Options{}, name)
			most, _ := s.heaviest()
			if got := take(&demand, name); testkit.Exact(got.Amount).Cmp(most) != 0 {
				t.Errorf("%s: %s, want %v", name, got.Amount.String(), most)
			}
		}
	})
}
