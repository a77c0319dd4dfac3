package pages_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/pages/internal/v1beta2"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

func Example_capsuleTypes() {
	yes := true
	stored := &v1beta2.ResourcePool{ObjectMeta: metav1.ObjectMeta{Name: "cpus"}}
	stored.Spec.Quota.Hard = corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("10")}
	stored.Spec.Config.DefaultsAssignZero = &yes
	_, claims := tenants()

	convert := func(from, to any) error {
		text, err := json.Marshal(from)
		if err != nil {
			return err
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		return decoder.Decode(to)
	}
	p, next := &pool.ResourcePool{}, &v1beta2.ResourcePool{}
	if err := convert(stored, p); err != nil {
		fmt.Println(err)
		return
	}
	pool.Allocate(p, claims, pool.Options{}).Apply(p, claims, []string{"red", "blue"}, time.Now(), pool.Options{})
	if err := convert(p, next); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(next.Status.ClaimSize, "claim holds", resourcelist.String(next.Status.Allocation.Claimed))
	// Output:
	// 1 claim holds requests.cpu=6
}

// convert is that of the Example. It returns an object of a type with the same JSON.
func convert[To any](from any) (*To, error) {
	text, err := json.Marshal(from)
	if err != nil {
		return nil, err
	}
	to := new(To)
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return to, decoder.Decode(to)
}

// Every field of Capsule's types survives the way there and back.
func TestCapsuleTypes(t *testing.T) {
	const poolText = `{"apiVersion": "capsule.clastix.io/v1beta2", "kind": "ResourcePool", "metadata": {"name": "p", "uid": "1", "generation": 2},
		"spec": {"selectors": [{"matchLabels": {"team": "sun"}, "matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]}],
			"quota": {"hard": {"pods": "3"}, "scopes": ["Terminating"]}, "defaults": {"pods": "1"},
			"config": {"defaultsZero": true, "orderedQueue": true, "deleteBoundResources": true}},
		"status": {"observedGeneration": 2, "namespaceCount": 1, "claimCount": 1, "namespaces": ["a"],
			"claims": {"a": [{"name": "c", "namespace": "a", "uid": "3", "claims": {"pods": "2"}}]},
			"allocation": {"hard": {"pods": "3"}, "used": {"pods": "2"}, "available": {"pods": "1"}},
			"exhaustions": {"pods": {"available": "1", "requesting": "4"}},
			"conditions": [{"type": "Ready", "status": "True", "reason": "Succeeded", "message": "m", "lastTransitionTime": "2026-01-02T03:04:05Z", "observedGeneration": 2}]}}`
	const claimText = `{"apiVersion": "capsule.clastix.io/v1beta2", "kind": "ResourcePoolClaim", "metadata": {"name": "c", "namespace": "a", "annotations": {"k": "v"}},
		"spec": {"pool": "p", "claim": {"requests.memory": "1Gi"}},
		"status": {"observedGeneration": 1, "pool": {"name": "p", "uid": "1"},
			"condition": {"type": "Bound", "status": "True", "reason": "r", "message": "m", "lastTransitionTime": "2026-01-02T03:04:05Z"},
			"conditions": [{"type": "Bound", "status": "False", "reason": "Unused", "message": "m", "lastTransitionTime": "2026-01-02T03:04:05Z"}],
			"allocation": {"hard": {"pods": "3"}, "used": {"pods": "2"}, "available": {"pods": "1"}}}}`
	wantSame[v1beta2.ResourcePool, pool.ResourcePool](t, poolText)
	wantSame[v1beta2.ResourcePoolClaim, pool.ResourcePoolClaim](t, claimText)
}

// wantSame decodes a text into one of Capsule's types, and converts that to ours and back.
func wantSame[Theirs, Ours any](t *testing.T, text string) {
	t.Helper()
	theirs, err := convert[Theirs](json.RawMessage(text))
	testkit.OK(t, err)
	ours, err := convert[Ours](theirs)
	testkit.OK(t, err)
	back, err := convert[Theirs](ours)
	testkit.OK(t, err)
	if !reflect.DeepEqual(theirs, back) {
		t.Errorf("%+v\nis %+v in the end", theirs, back)
	}
	for _, object := range []any{theirs, ours} {
		if got, want := generic(t, object), generic(t, json.RawMessage(text)); !reflect.DeepEqual(got, want) {
			t.Errorf("%T: %v\nwant %v", object, got, want)
		}
	}
}

func generic(t *testing.T, object any) any {
	t.Helper()
	all, err := convert[any](object)
	testkit.OK(t, err)
	return *all
}
