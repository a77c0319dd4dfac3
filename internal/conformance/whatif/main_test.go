package main

import (
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/conformance/controlplane"
	"github.com/kubemath/kubemath/internal/testkit"
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
			step := d.next(objects)
			objects = append(objects, step.object)
			kinds[step.what+" "+kindOf(step.object)]++
		}
		all, err := json.Marshal(objects)
		testkit.OK(t, err)
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
	for _, kind := range []string{"create Deployment", "create StatefulSet", "create DaemonSet", "create Job", "create Pod", "create ReplicaSet", "create ReplicationController", "update ReplicaSet", "update Job", "update Deployment", "update StatefulSet",
		"update DaemonSet", "update ResourceQuota", "update Node", "delete Deployment", "delete StatefulSet", "delete DaemonSet", "delete Job", "delete Pod"} {
		if reached[kind] == 0 {
			t.Errorf("no %s", kind)
		}
	}
}

// Within some scenarios, there is everything that the default profile of the scheduler looks at.
func TestConstraints(t *testing.T) {
	reached := map[string]int{}
	add := func(what string, isThere bool) {
		if isThere {
			reached[what]++
		}
	}
	for number := range uint64(100) {
		d := &drawing{Rand: rand.New(rand.NewPCG(1, number)), namespace: "shop", volumes: 50}
		objects := d.begin()
		for range steps {
			objects = append(objects, d.next(nil).object)
		}
		for _, o := range objects {
			reached[kindOf(o)]++
			if n, is := o.(*corev1.Node); is {
				add("images", len(n.Status.Images) > 0)
				add("a node without a hostname", n.Labels[corev1.LabelHostname] == "")
				for _, taint := range n.Spec.Taints {
					reached[string(taint.Effect)]++
				}
				continue
			}
			spec := podSpecOf(o)
			if spec == nil {
				continue
			}
			a := spec.Affinity
			add("tolerations", len(spec.Tolerations) > 0)
			add("a host port", len(spec.Containers[0].Ports) > 0)
			add("a claim", len(spec.Volumes) > 0)
			add("a priority", spec.PriorityClassName != "")
			add("required node affinity", a != nil && a.NodeAffinity != nil && a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution != nil)
			add("preferred node affinity", a != nil && a.NodeAffinity != nil && len(a.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution) > 0)
			add("required affinity", a != nil && a.PodAffinity != nil && len(a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution) > 0)
			add("preferred affinity", a != nil && a.PodAffinity != nil && len(a.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution) > 0)
			add("required anti-affinity", a != nil && a.PodAntiAffinity != nil && len(a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution) > 0)
			add("preferred anti-affinity", a != nil && a.PodAntiAffinity != nil && len(a.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution) > 0)
			for _, c := range spec.TopologySpreadConstraints {
				reached["spread "+string(c.WhenUnsatisfiable)]++
				add("minDomains", c.MinDomains != nil)
				add("policies", c.NodeTaintsPolicy != nil)
			}
			set, is := o.(*appsv1.StatefulSet)
			add("claims of a StatefulSet", is && len(set.Spec.VolumeClaimTemplates) > 0)
		}
	}
	for _, what := range []string{"Service", "PersistentVolume", "PersistentVolumeClaim", "images", "a node without a hostname", "NoSchedule", "PreferNoSchedule", "NoExecute",
		"tolerations", "a host port", "a claim", "a priority", "required node affinity", "preferred node affinity", "required affinity", "preferred affinity",
		"required anti-affinity", "preferred anti-affinity", "spread DoNotSchedule", "spread ScheduleAnyway", "minDomains", "policies", "claims of a StatefulSet"} {
		if reached[what] == 0 {
			t.Errorf("no %s", what)
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
		told:  11, scenarios: 17, unknown: 12, advices: map[string]int{"quota": 13}, hopeless: 14}
	g.counts.add(&all)
	g.counts.add(&all)
	want := counts{2, 4, 6, 8, 10, 12, 18, 20, 30, 32, tries{2, 4, 6, 8, 10, 12, 14, 16, 18}, 34, 22, 24, map[string]int{"quota": 26}, 28}
	if !reflect.DeepEqual(g.counts, want) {
		t.Errorf("%+v, want %+v", g.counts, want)
	}
}

// Names that are drawn, usage at an earlier time and the order of a map do not count.
func TestComparable(t *testing.T) {
	a := comparable(`pods "web-x7" is forbidden: exceeded quota: team, requested: pods=1, used: pods=3, limited: pods=3`)
	testkit.Equal(t, a, comparable(`pods "web-1-4" is forbidden: exceeded quota: team, requested: pods=1, used: pods=2, limited: pods=3`))
	first := comparable(`Pod "a" is invalid: [spec.containers[0].resources.requests: Invalid value: "2": too large, spec.containers[0].x: Required value]`)
	second := comparable(`Pod "b" is invalid: [spec.containers[0].x: Required value, spec.containers[0].resources.requests: Invalid value: "2": too large]`)
	testkit.Equal(t, first, second)
	if other := comparable(`Pod "b" is invalid: spec.containers[0].x: Required value`); other == first {
		t.Error(other)
	}
}
