package resourcelist_test

import (
	"testing"

	"github.com/kubemath/kubemath/internal/resourcelist"
)

func TestEffective(t *testing.T) {
	type step struct {
		kind   string
		amount int64
	}
	for _, test := range []struct {
		name  string
		steps []step
		want  int64
	}{
		{"no containers", nil, 0},
		{"app containers run together", []step{{"app", 1}, {"app", 2}}, 3},
		{"init containers run one after the other", []step{{"init", 2}, {"init", 5}, {"init", 3}}, 5},
		{"the app containers exceed the init containers", []step{{"app", 6}, {"init", 5}}, 6},
		{"an init container exceeds the app containers", []step{{"app", 4}, {"init", 5}}, 5},
		{"sidecars run beside app containers", []step{{"app", 4}, {"sidecar", 2}}, 6},
		{"sidecars run beside later init containers", []step{{"sidecar", 2}, {"init", 5}, {"sidecar", 1}}, 7},
		{"but not beside earlier ones", []step{{"init", 5}, {"sidecar", 2}}, 5},
		{"all sidecars that were started before", []step{{"sidecar", 2}, {"sidecar", 3}, {"init", 4}}, 9},
	} {
		t.Run(test.name, func(t *testing.T) {
			var e resourcelist.Effective
			for _, s := range test.steps {
				map[string]func(int64){"app": e.App, "init": e.Init, "sidecar": e.Sidecar}[s.kind](s.amount)
			}
			if got := e.Total(); got != test.want {
				t.Errorf("total %d, want %d", got, test.want)
			}
		})
	}
}
