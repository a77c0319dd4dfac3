package replay_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/quota"
)

// replayClusterResourceQuota compares the usage of all namespaces, and of each, after the events of a test of OpenShift: of
// its reconciliation controller (TestSyncFunc) and of the accessor of its admission plugin (TestUpdateQuota, TestGetQuota).
func replayClusterResourceQuota(t *testing.T, raw json.RawMessage) bool {
	var c struct {
		Name  string
		Quota *unstructured.Unstructured
		Set   []struct {
			Namespace string
			Used      corev1.ResourceList
		}
		Admitted *struct { // the usage of all that the plugin writes after an admission
			Namespace string
			Total     corev1.ResourceList
		}
		In   string // the namespace that the quota is presented in
		Want struct {
			Total, Hard corev1.ResourceList
			Namespaces  map[string]corev1.ResourceList
		}
	}
	decode(t, raw, &c)
	all, err := quota.ClusterQuotasOf(c.Quota)
	if err != nil || len(all) != 1 {
		t.Errorf("%s: %d quotas, %v", c.Name, len(all), err)
		return true
	}
	q := all[0]
	for _, set := range c.Set {
		q.SetUsed(set.Namespace, set.Used)
	}
	if a := c.Admitted; a != nil {
		increase := resourcelist.Subtract(a.Total, q.Status.Used)
		q.SetUsed(a.Namespace, resourcelist.Add(q.Namespaces[a.Namespace], increase))
	}
	if c.In != "" {
		in := q.In(c.In)
		if in.Namespace != c.In || in.Name != q.Name || !resourcelist.Equals(in.Spec.Hard, c.Want.Hard) ||
			!resourcelist.Equals(in.Status.Hard, c.Want.Hard) || !resourcelist.Equals(in.Status.Used, c.Want.Total) {
			t.Errorf("%s: presented as %+v", c.Name, in)
		}
	}
	if !resourcelist.Equals(q.Status.Used, c.Want.Total) || len(q.Namespaces) != len(c.Want.Namespaces) {
		t.Errorf("%s: used by all: %v, want %v", c.Name, q.Status.Used, c.Want.Total)
	}
	for name, want := range c.Want.Namespaces {
		if !resourcelist.Equals(q.Namespaces[name], want) {
			t.Errorf("%s: used by %s: %v, want %v", c.Name, name, q.Namespaces[name], want)
		}
	}
	return true
}

// replayGlobalResourceQuota compares what a pod uses, and whether a GlobalResourceQuota admits it, with the tests of
// Capsule's webhook and evaluator.
func replayGlobalResourceQuota(t *testing.T, raw json.RawMessage) bool {
	var c struct {
		Name              string
		Hard, Used, Delta corev1.ResourceList
		Pod               *corev1.Pod
		Allowed           bool
		Detail            string
		Usage             corev1.ResourceList
		Absent            []corev1.ResourceName
	}
	decode(t, raw, &c)
	object := quota.Pod(c.Pod, time.Time{}, quota.PodOptions{})
	if c.Delta != nil {
		object = object.WithUsage(c.Delta)
	}
	usage := object.Usage()
	for name, want := range c.Usage {
		if got := usage[name]; got.Cmp(want) != 0 {
			t.Errorf("%s: %s: %s, want %s", c.Name, name, got.String(), want.String())
		}
	}
	for _, name := range c.Absent {
		if got, has := usage[name]; has {
			t.Errorf("%s: %s: %s", c.Name, name, got.String())
		}
	}
	if c.Hard == nil {
		return true
	}
	q := &quota.ClusterQuota{Kind: quota.GlobalResourceQuota, Name: "shared", Spec: corev1.ResourceQuotaSpec{Hard: c.Hard},
		Status: corev1.ResourceQuotaStatus{Hard: c.Hard, Used: c.Used}}
	a := quota.Admit(quota.Object{}, object, []*corev1.ResourceQuota{q.In("tenant-a")}, quota.AdmitOptions{})
	if (len(a.Failures) == 0) != c.Allowed {
		t.Errorf("%s: %v", c.Name, a.Failures.Err())
	}
	if len(a.Failures) > 0 && !strings.HasSuffix(a.Failures[0].Error(), c.Detail) {
		t.Errorf("%s: %s, want %s", c.Name, a.Failures[0].Error(), c.Detail)
	}
	return true
}
