package quotatracker_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/quotatracker"
)

// drawObject draws an object of any kind, of one of few names in one of few namespaces.
func drawObject(t *rapid.T) quota.Object {
	meta := metav1.ObjectMeta{
		Namespace: rapid.SampledFrom([]string{"shop", "shop", "shop", "other", ""}).Draw(t, "namespace"),
		Name:      rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name"),
	}
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0:
		claim := testkit.VolumeClaim(testkit.Quantity()).Draw(t, "claim")
		claim.Namespace, claim.Name = meta.Namespace, meta.Name
		return quota.PersistentVolumeClaim(claim)
	case 1:
		service := testkit.Service().Draw(t, "service")
		service.ObjectMeta = meta
		return quota.Service(service)
	case 2:
		return quota.Counted(schema.GroupResource{Resource: "secrets"}, &meta)
	case 3:
		claim := testkit.ResourceClaim().Draw(t, "resource claim")
		claim.Namespace, claim.Name = meta.Namespace, meta.Name
		return quota.ResourceClaim(claim, quota.ResourceClaimOptions{})
	default:
		pod := testkit.QuotaPod(testkit.Quantity()).Draw(t, "pod")
		pod.Namespace, pod.Name = meta.Namespace, meta.Name
		return quota.Pod(pod, testkit.Now(), quota.PodOptions{})
	}
}

// After adding and removing any objects, known or not, every answer equals that of counting afresh.
func TestTrackerEqualsCalculateUsage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var quotas []*corev1.ResourceQuota
		for i := range rapid.IntRange(0, 4).Draw(t, "quotas") {
			names := append(testkit.QuotaNames(), "pods", "cpu", "memory", "requests.cpu", "limits.memory", "pods", "cpu", "services", "secrets")
			q := testkit.ResourceQuota(fmt.Sprint(i), names, testkit.Ordinary()).Draw(t, "quota")
			q.Namespace = rapid.SampledFrom([]string{"shop", "shop", "other", ""}).Draw(t, "namespace")
			quotas = append(quotas, q)
		}
		tracker, err := quotatracker.New(quotas)
		if err != nil {
			t.Fatal(err)
		}
		model := map[quota.Key]quota.Object{}
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				object := drawObject(t)
				_, known := model[object.Key()]
				err := tracker.Add(object)
				switch {
				case known != hasEnd(err, ": already tracked"):
					t.Fatalf("known: %v, error: %v", known, err)
				case err == nil:
					model[object.Key()] = object
				case !known:
					wantScopeError(t, quotas, object)
				}
			},
			"update": func(t *rapid.T) {
				object := drawObject(t)
				_, known := model[object.Key()]
				err := tracker.Update(object)
				switch {
				case known == hasEnd(err, ": not tracked"):
					t.Fatalf("known: %v, error: %v", known, err)
				case err == nil:
					model[object.Key()] = object
				case known:
					wantScopeError(t, quotas, object)
				}
			},
			"remove": func(t *rapid.T) {
				key := drawObject(t).Key()
				_, known := model[key]
				if err := tracker.Remove(key); known != (err == nil) || !known && !hasEnd(err, ": not tracked") {
					t.Fatalf("known: %v, error: %v", known, err)
				}
				delete(model, key)
			},
			"": func(t *rapid.T) { sameAsCalculated(t, tracker, quotas, model) },
		})
	})
}

// wantScopeError fails unless the scopes of a quota are invalid for the object.
func wantScopeError(t *rapid.T, quotas []*corev1.ResourceQuota, object quota.Object) {
	for i := range quotas {
		if _, err := object.Matches(&corev1.ResourceQuota{ObjectMeta: quotas[i].ObjectMeta, Spec: quotas[i].Spec}); err != nil {
			return
		}
	}
	t.Fatalf("%s was refused", object.Key())
}

func sameAsCalculated(t *rapid.T, tracker *quotatracker.Tracker, quotas []*corev1.ResourceQuota, model map[quota.Key]quota.Object) {
	for key := range model {
		if !tracker.Has(key) {
			t.Fatalf("%v is not tracked", key)
		}
	}
	var objects []quota.Object
	usage := map[string]corev1.ResourceList{}
	for key, object := range model {
		if !tracker.Has(key) {
			t.Fatalf("%s is missing", key)
		}
		objects = append(objects, object)
		usage[key.Namespace] = resourcelist.Add(usage[key.Namespace], object.Usage())
	}
	now := tracker.Quotas()
	for i := range quotas {
		want, err := quota.CalculateUsage(objects, quotas[i])
		if err != nil {
			t.Fatal(err)
		}
		got, ok := tracker.Status(quotas[i].Namespace, quotas[i].Name)
		if !ok || !resourcelist.Equals(got.Used, want.Used) || !resourcelist.Equals(got.Hard, want.Hard) {
			t.Fatalf("%s: status %v, want %v", quotas[i].Name, got, want)
		}
		if !resourcelist.Equals(now[i].Status.Used, want.Used) || now[i].Name != quotas[i].Name {
			t.Fatalf("%s: used %v, want %v", quotas[i].Name, now[i].Status.Used, want.Used)
		}
	}
	for _, namespace := range []string{"shop", "other", "", "none"} {
		if got, want := tracker.Usage(namespace), resourcelist.RemoveZeros(usage[namespace]); !resourcelist.Equals(got, want) {
			t.Fatalf("usage of %q: %v, want %v", namespace, got, want)
		}
	}
}

func hasEnd(err error, text string) bool { return err != nil && strings.HasSuffix(err.Error(), text) }
