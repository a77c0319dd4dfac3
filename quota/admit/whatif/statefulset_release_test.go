package whatif_test

import (
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

func ofRelease(name string) whatif.Options {
	return whatif.Options{Admission: admit.Options{Kubernetes: computeresources.Kubernetes{Release: name}}}
}

// The wanted numbers are those of stateful_set_control.go of v1.35.0, v1.36.3, v1.37.2 and v1.38.0-beta.0: how many pods
// there are after an update to a template whose pods do not all run, and how many of them have the former one.
func TestStatefulSetUpdatesByRelease(t *testing.T) {
	rolling := func(partition int32, unavailable string) appsv1.StatefulSetUpdateStrategy {
		most := intstr.Parse(unavailable)
		return appsv1.StatefulSetUpdateStrategy{RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{Partition: &partition, MaxUnavailable: &most}}
	}
	recreate := appsv1.StatefulSetUpdateStrategy{Type: "Recreate"}
	for _, test := range []struct {
		name        string
		replicas    int32
		cpus        string // of the node; each pod has one
		parallel    bool
		cpu         string // of the new template
		strategy    appsv1.StatefulSetUpdateStrategy
		want        map[string]string
		want137Gate string // in 1.37 with StatefulSetRecreateStrategy
	}{
		{name: "two at a time, in order", replicas: 4, cpus: "4", cpu: "9", strategy: rolling(0, "2"), want: map[string]string{
			"1.34": "4 pods, 3 outdated", "1.35": "3 pods, 2 outdated", "1.36": "4 pods, 3 outdated", "": "3 pods, 2 outdated", "1.38": "3 pods, 2 outdated",
		}},
		{name: "all of them run", replicas: 4, cpus: "8", cpu: "2", strategy: rolling(0, "3"), want: map[string]string{
			"1.36": "4 pods, 0 outdated", "": "4 pods, 0 outdated", "1.38": "4 pods, 0 outdated",
		}},
		{name: "a percentage above a partition", replicas: 10, cpus: "10", parallel: true, cpu: "99", strategy: rolling(6, "50%"), want: map[string]string{
			"1.35": "10 pods, 6 outdated", "1.36": "10 pods, 9 outdated", "": "10 pods, 6 outdated", "1.38": "10 pods, 8 outdated",
		}},
		{name: "less than one", replicas: 3, cpus: "3", parallel: true, cpu: "99", strategy: rolling(0, "1%"), want: map[string]string{
			"1.36": "3 pods, 2 outdated", "": "3 pods, 2 outdated", "1.38": "3 pods, 2 outdated",
		}},
		{name: "two wait already", replicas: 4, cpus: "2", parallel: true, cpu: "900m", want: map[string]string{
			"1.34": "4 pods, 3 outdated", "1.35": "4 pods, 4 outdated", "1.36": "4 pods, 3 outdated", "": "4 pods, 2 outdated", "1.38": "4 pods, 2 outdated",
		}},
		{name: "two that wait, and a third may", replicas: 4, cpus: "2", parallel: true, cpu: "99", strategy: rolling(0, "3"), want: map[string]string{
			"1.35": "4 pods, 1 outdated", "1.36": "4 pods, 3 outdated", "": "4 pods, 1 outdated", "1.38": "4 pods, 1 outdated",
		}},
		{name: "recreation", replicas: 2, cpus: "2", cpu: "2", strategy: recreate, want: map[string]string{
			"1.36": "2 pods, 2 outdated", "": "2 pods, 2 outdated", "1.38": "2 pods, 0 outdated",
		}, want137Gate: "2 pods, 0 outdated"},
	} {
		check := func(opts whatif.Options, want string, release string) {
			set := statefulSet("db", test.replicas, "1")
			if test.parallel {
				set.Spec.PodManagementPolicy = appsv1.ParallelPodManagement
			}
			c := did(read(t, opts, node("a", test.cpus)).Apply(set)).After
			set.Spec.Template, set.Spec.UpdateStrategy = template(test.cpu), test.strategy
			o := did(c.Apply(set)).Objects[0]
			testkit.Equal(t, fmt.Sprintf("%d pods, %d outdated", o.Pods+o.Outdated, o.Outdated), want, test.name, "in", release)
		}
		for release, want := range test.want {
			check(ofRelease(release), want, release)
		}
		if test.want137Gate != "" {
			opts := ofRelease("1.37")
			opts.Admission.Kubernetes.StatefulSetRecreateStrategy = testkit.On()
			check(opts, test.want137Gate, "1.37 with the gate")
		}
	}
}

// Since 1.38, pods beyond the replicas make room before others are created, so that these preempt nothing.
func TestExcessReplicasByRelease(t *testing.T) {
	for release, want := range map[string]string{"1.36": "", "": "", "1.38": "a"} {
		set := statefulSet("db", 2, "1")
		set.Spec.PodManagementPolicy = appsv1.ParallelPodManagement
		set.Spec.Template.Spec.PriorityClassName = "system-cluster-critical"
		c := did(did(read(t, ofRelease(release), node("a", "3")).Apply(set)).After.Apply(podOf("low", "1"))).After
		set.Spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: 2}
		moved := did(c.Apply(set))
		got := "a"
		for _, p := range moved.Pods {
			if p.Object.Name == "low" {
				got = p.Node
			}
		}
		testkit.Equal(t, got, want, "the node of the other pod in", release)
	}
}

// The first pod waits, while the others run: it counts in 1.37, and in 1.38 unless it is below the partition. The wanted
// numbers are those of stateful_set_control.go of v1.37.2 and v1.38.0-beta.0.
func TestWaitingReplicaBelowPartition(t *testing.T) {
	for _, test := range []struct {
		partition int32
		release   string
		want      int64 // former pods
	}{
		{0, "1.37", 3}, {0, "1.38", 3}, // the waiting pod is replaced, and waits
		{1, "1.37", 4}, {1, "1.38", 3},
	} {
		set := statefulSet("db", 3, "1")
		set.Spec.PodManagementPolicy = appsv1.ParallelPodManagement
		set.Spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: 1}
		c := did(read(t, ofRelease(test.release), node("a", "3")).Apply(set)).After
		set.Spec.Ordinals, set.Spec.Replicas = nil, pointer[int32](4)
		c = did(c.Apply(set)).After
		set.Spec.Template = template("99")
		set.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{Partition: &test.partition}
		o := did(c.Apply(set)).Objects[0]
		testkit.Equal(t, o.Outdated, test.want, "with the partition", test.partition, "in", test.release)
	}
}
