package main

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

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
		if got := s.isRedrawn(test.got); got != test.want {
			t.Errorf("%s: %t", test.name, got)
		}
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

func TestSharesClaim(t *testing.T) {
	claim := func(volume string) *corev1.PersistentVolumeClaim {
		return &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "data"}, Spec: corev1.PersistentVolumeClaimSpec{VolumeName: volume}}
	}
	d := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "w"}}
	d.Spec.Template.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{
		PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"},
	}}}
	for _, test := range []struct {
		name           string
		earlier, after []admit.APIObject
		want           bool
	}{
		{"bound in the step", []admit.APIObject{claim("")}, []admit.APIObject{claim("v"), d}, true},
		{"bound before", []admit.APIObject{claim("v")}, []admit.APIObject{claim("v"), d}, false},
		{"not bound", []admit.APIObject{claim("")}, []admit.APIObject{claim(""), d}, false},
		{"without a DaemonSet", []admit.APIObject{claim("")}, []admit.APIObject{claim("v")}, false},
	} {
		if got := (&outcome{earlier: test.earlier, after: test.after}).sharesClaim(); got != test.want {
			t.Errorf("%s: %t", test.name, got)
		}
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
		if got := (&outcome{earlier: test.earlier, after: test.after}).isOverrun(); got != test.want {
			t.Errorf("%s: %t", test.name, got)
		}
	}
}
