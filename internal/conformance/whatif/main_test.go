package main

import (
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/kubemath/kubemath/internal/conformance/controlplane"
)

func TestWithoutControlPlane(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if err := run(t.Context(), nil, io.Discard); !errors.Is(err, controlplane.ErrUnavailable) {
		t.Error(err)
	}
}

// A scenario follows from its number, and within some of them there is every kind of change.
func TestScenarios(t *testing.T) {
	draw := func(number uint64) (text string, kinds map[string]int) {
		kinds = map[string]int{}
		d := &drawing{Rand: rand.New(rand.NewPCG(1, number)), namespace: "shop"}
		objects := d.begin()
		for range steps {
			step := d.next()
			objects = append(objects, step.object)
			kinds[step.what+" "+kindOf(step.object)]++
		}
		all, err := json.Marshal(objects)
		if err != nil {
			t.Fatal(err)
		}
		return string(all), kinds
	}
	reached := map[string]int{}
	for number := range uint64(200) {
		text, kinds := draw(number)
		if again, _ := draw(number); again != text {
			t.Fatalf("scenario %d differs from itself", number)
		}
		for kind, n := range kinds {
			reached[kind] += n
		}
	}
	for _, kind := range []string{"create Deployment", "create StatefulSet", "create DaemonSet", "create Job", "create Pod", "update Deployment", "update StatefulSet",
		"update DaemonSet", "update ResourceQuota", "update Node", "delete Deployment", "delete StatefulSet", "delete DaemonSet", "delete Job", "delete Pod"} {
		if reached[kind] == 0 {
			t.Errorf("no %s", kind)
		}
	}
}

// Each scenario is played once, in whichever cluster, and what was compared adds up.
func TestGame(t *testing.T) {
	g := &game{next: 3, end: 6}
	for want := 3; want < 6; want++ {
		if number, left := g.take(); number != want || !left {
			t.Fatal(number, left)
		}
	}
	if _, left := g.take(); left {
		t.Fatal("a fourth scenario")
	}
	all := counts{changes: 1, refused: 2, pods: 3, waiting: 4, missing: 5, quotas: 6, drawn: 9, differences: 10, current: 15, outdated: 16,
		tries: tries{placed: 1, ties: 2, waiting: 3, preempting: 4, drawn: 5, hinted: 6, unsure: 7, unknown: 8, claims: 9},
		told:  11, unknown: 12, advices: map[string]int{"quota": 13}, hopeless: 14}
	g.counts.add(&all)
	g.counts.add(&all)
	want := counts{2, 4, 6, 8, 10, 12, 18, 20, 30, 32, tries{2, 4, 6, 8, 10, 12, 14, 16, 18}, 22, 24, map[string]int{"quota": 26}, 28}
	if !reflect.DeepEqual(g.counts, want) {
		t.Errorf("%+v, want %+v", g.counts, want)
	}
}

// Names that are drawn, usage at an earlier time and the order of a map do not count.
func TestComparable(t *testing.T) {
	a := comparable(`pods "web-x7" is forbidden: exceeded quota: team, requested: pods=1, used: pods=3, limited: pods=3`)
	if b := comparable(`pods "web-1-4" is forbidden: exceeded quota: team, requested: pods=1, used: pods=2, limited: pods=3`); a != b {
		t.Errorf("%q, %q", a, b)
	}
	first := comparable(`Pod "a" is invalid: [spec.containers[0].resources.requests: Invalid value: "2": too large, spec.containers[0].x: Required value]`)
	second := comparable(`Pod "b" is invalid: [spec.containers[0].x: Required value, spec.containers[0].resources.requests: Invalid value: "2": too large]`)
	if first != second {
		t.Errorf("%q, %q", first, second)
	}
	if other := comparable(`Pod "b" is invalid: spec.containers[0].x: Required value`); other == first {
		t.Error(other)
	}
}
