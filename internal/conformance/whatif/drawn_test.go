package main

import (
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// Of two equal pods, the controller may delete either one, and only one of them leaves room for the pod that waits.
func TestIsRedrawn(t *testing.T) {
	const (
		waits = "Pod big: 1 pods, 0 of them on nodes\nReplicaSet shop/w: 1 pods, 1 of them on nodes\n"
		isOn  = "Pod big: 1 pods, 1 of them on nodes\nReplicaSet shop/w: 1 pods, 1 of them on nodes\n"
	)
	labels := map[string]string{"app": "w"}
	two, one := int32(2), int32(1)
	set := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "w", UID: "w"}}
	set.Spec.Replicas, set.Spec.Selector = &two, &metav1.LabelSelector{MatchLabels: labels}
	set.Spec.Template = corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: podOn("", "").Spec}
	own := func(name, on string) *corev1.Pod {
		p, isController := podOn(name, on), true
		p.Labels = labels
		p.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "w", UID: "w", Controller: &isController}}
		return p
	}
	big := podOn("big", "")
	big.Spec.NodeSelector = map[string]string{"of": "big"}
	larger := node("b", 1000)
	larger.Labels = map[string]string{"of": "big"}
	smaller := set.DeepCopy()
	smaller.Spec.Replicas = &one
	s := &outcome{begin: time.Now(), step: change{object: smaller, what: "update"}, earlier: []admit.APIObject{
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}}, node("a", 1000), larger, set, own("w-1", "a"), own("w-2", "b"), big,
	}}
	for _, test := range []struct {
		name    string
		deleted []types.UID
		got     string
		want    bool
	}{
		{"the other one", []types.UID{"w-1"}, waits, true},
		{"this one", []types.UID{"w-2"}, isOn, true},
		{"the other one, with the state of this one", []types.UID{"w-1"}, isOn, false},
		{"none", nil, waits, false},
	} {
		s.deleted = test.deleted
		testkit.Equal(t, s.isRedrawn(test.got), test.want, test.name)
	}
	dear := own("w-1", "a")
	dear.Annotations = map[string]string{corev1.PodDeletionCost: "1"}
	s.earlier, s.deleted = append(s.earlier, dear), []types.UID{"w-1"}
	s.earlier = slices.DeleteFunc(s.earlier, func(o admit.APIObject) bool { return o.GetUID() == "w-1" && o != admit.APIObject(dear) })
	if s.isRedrawn(waits) {
		t.Error("its controller deletes the other one")
	}
}

// A pod is deleted once, when that begins.
func TestDeletions(t *testing.T) {
	ending, now := podOn("p1", "a"), metav1.Now()
	ending.DeletionTimestamp = &now
	got := deletions([]happening{
		{object: podOn("p1", "a")}, {object: podOn("p2", "a")}, {object: ending}, {object: podOn("p2", "a"), gone: true}, {object: ending, gone: true}, {object: node("a", 1), gone: true},
	})
	if len(got) != 2 || got[0] != "p1" || got[1] != "p2" {
		t.Error(got)
	}
}

// The order of the pods of a DaemonSet matters if they share what the first of them decides.
func TestAreInAnyOrder(t *testing.T) {
	labels, isController := map[string]string{"app": "w"}, true
	set := func(change func(spec *corev1.PodSpec)) *appsv1.DaemonSet {
		d := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "w", UID: "w"}}
		d.Spec.Template.Labels = labels
		change(&d.Spec.Template.Spec)
		return d
	}
	plain := set(func(*corev1.PodSpec) {})
	sharing := set(func(spec *corev1.PodSpec) {
		spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}}}}
	})
	affine := func(selected string) *appsv1.DaemonSet {
		return set(func(spec *corev1.PodSpec) {
			spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
				{TopologyKey: "zone", LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": selected}}},
			}}}
		})
	}
	spread := func(when corev1.UnsatisfiableConstraintAction) *appsv1.DaemonSet {
		return set(func(spec *corev1.PodSpec) {
			spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{WhenUnsatisfiable: when, LabelSelector: &metav1.LabelSelector{MatchLabels: labels}}}
		})
	}
	own := func(name, on string) *corev1.Pod {
		p := podOn(name, on)
		p.OwnerReferences = []metav1.OwnerReference{{Kind: "DaemonSet", Name: "w", UID: "w", Controller: &isController}}
		return p
	}
	claim := func(volume string) *corev1.PersistentVolumeClaim {
		return &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "data"}, Spec: corev1.PersistentVolumeClaimSpec{VolumeName: volume}}
	}
	two := []admit.APIObject{own("p1", "a"), own("p2", "")}
	for _, test := range []struct {
		name    string
		set     *appsv1.DaemonSet
		earlier []admit.APIObject
		want    bool
	}{
		{"pods of their own", plain, nil, false},
		{"a claim that is bound now", sharing, []admit.APIObject{claim("")}, true},
		{"a claim that was bound before", sharing, []admit.APIObject{claim("v")}, false},
		{"affinity to each other", affine("w"), nil, true},
		{"affinity to others", affine("other"), nil, false},
		{"spread", spread(corev1.DoNotSchedule), nil, true},
		{"spread if possible", spread(corev1.ScheduleAnyway), nil, false},
		{"one was there", affine("w"), two[:1], false},
		{"one waited", affine("w"), two[1:], true},
	} {
		s := &outcome{earlier: test.earlier, after: append([]admit.APIObject{test.set, claim("v")}, two...)}
		testkit.Equal(t, s.areInAnyOrder(), test.want, test.name)
	}
}

func TestNumbers(t *testing.T) {
	one, other := "DaemonSet a/w: 4 pods, 2 of them on nodes\n", "DaemonSet a/w: 4 pods, 1 of them on nodes\n"
	if !slices.Equal(numbers(one), numbers(other)) || slices.Equal(numbers(one), numbers("DaemonSet a/w: 3 pods, 2 of them on nodes\n")) {
		t.Error(numbers(one), numbers(other))
	}
}

func TestIsOverrun(t *testing.T) {
	quota := func(hard, used int64) []admit.APIObject {
		q := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "team"}}
		q.Status.Hard, q.Status.Used = corev1.ResourceList{"pods": count(hard)}, corev1.ResourceList{"pods": count(used)}
		return []admit.APIObject{q}
	}
	for _, test := range []struct {
		name           string
		earlier, after []admit.APIObject
		want           bool
	}{
		{"more than it allows", quota(2, 1), quota(2, 3), true},
		{"all that it allows", quota(2, 1), quota(2, 2), false},
		{"it allows less than before", quota(3, 3), quota(2, 3), false},
	} {
		testkit.Equal(t, (&outcome{earlier: test.earlier, after: test.after}).isOverrun(), test.want, test.name)
	}
}
