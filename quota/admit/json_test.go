package admit_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit"
)

// answers are all that marshal as JSON.
type answers struct {
	Decisions   []admit.Decision
	Outcomes    admit.Outcomes
	Replicas    admit.ReplicaCount
	Conflicts   computeresources.Problems[*limitrange.Conflict]
	Ambiguities []limitrange.Ambiguity
}

// sameAmounts compares amounts with those that are read from JSON. Apimachinery writes some sums beyond 10^21 of their
// unit without the suffix, and reads the largest amount in place of what is beyond it in a binary format, with its sign.
func sameAmounts() cmp.Option {
	most := *resource.NewQuantity(math.MaxInt64, resource.BinarySI)
	least := *resource.NewQuantity(-math.MaxInt64, resource.BinarySI)
	return cmp.Options{
		cmp.Comparer(func(a, b resource.Quantity) bool {
			return a.Cmp(b) == 0 || a.String() == b.String() || b.Cmp(most) == 0 && a.Cmp(most) > 0 ||
				b.Cmp(least) == 0 && a.Cmp(least) < 0
		}),
		cmpopts.EquateEmpty(),
	}
}

// Decoding the JSON of an answer gives the answer, also the object with its type and the error for the client. Answers
// compare with the tools of Kubernetes.
func TestAnswersAreReadFromJSON(t *testing.T) {
	seen := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		obj, updated := object().Draw(t, "object"), object().Draw(t, "updated")
		pod, resized := drawnPod().Draw(t, "old"), drawnPod().Draw(t, "resized")
		ranges := rangeList().Draw(t, "ranges")
		namespace := compile(t, ranges, quotaList(counted(obj)).Draw(t, "quotas"), options().Draw(t, "options"))
		resize := admit.Attributes{Subresource: "resize"}
		want := answers{
			Decisions: []admit.Decision{
				namespace.Create(obj, admit.Attributes{}), namespace.Update(obj, updated, admit.Attributes{}),
				namespace.Update(pod, resized, resize), namespace.Update(obj, obj, admit.Attributes{Subresource: "scale"}),
			},
			Outcomes: namespace.Possible(pod, resized, resize), Replicas: namespace.Replicas([]admit.APIObject{obj, pod}, admit.Attributes{}),
			Conflicts: limitrange.Conflicts(ranges), Ambiguities: limitrange.Ambiguities(ranges, nil),
		}
		for _, d := range want.Decisions {
			for _, r := range d.Refusals {
				seen["amount"] = seen["amount"] || r.Amount != nil
				seen["resize"] = seen["resize"] || r.Resize != nil
				seen["violation"] = seen["violation"] || r.Violation != nil
				seen["failure"] = seen["failure"] || r.Failure != nil
				seen["subresource"] = seen["subresource"] || r.Subresource != ""
			}
			seen["pods"] = seen["pods"] || d.Pods != nil
			seen["increases"] = seen["increases"] || d.Increases != nil
		}
		text, err := json.Marshal(want)
		testkit.OK(t, err)
		var got answers
		testkit.OK(t, json.Unmarshal(text, &got))
		testkit.NoDiff(t, got, want, sameAmounts(), text)
		for i, d := range want.Decisions {
			testkit.NoDiff(t, answerText(got.Decisions[i]), answerText(d), "the error")
		}
		if !equality.Semantic.DeepEqual(want, want) {
			t.Fatal("answers are not equal to themselves")
		}
	})
	if len(seen) < 7 && !testing.Short() {
		t.Errorf("only %v", seen)
	}
	for what, is := range seen {
		if !is && !testing.Short() {
			t.Errorf("no %s", what)
		}
	}
}

// Objects of each type that admission knows are read with that type, and all others as unstructured.
func TestObjectsAreReadFromJSON(t *testing.T) {
	foreign := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"name": "w", "namespace": "shop"}, "spec": map[string]any{"size": int64(3)},
	}}
	bare := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "w", "namespace": "shop"}, "spec": map[string]any{"field of a later version": int64(3)},
	}}
	later := bare.DeepCopy()
	later.Object["status"] = map[string]any{}
	nested := bare.DeepCopy()
	nested.Object["spec"] = map[string]any{"containers": []any{map[string]any{"name": "a", "resources": map[string]any{}}, map[string]any{"name": "b", "field of a later version": int64(3)}}}
	for _, obj := range append(admit.Typed(), foreign, bare, later, nested) {
		obj.SetName("o")
		want := compile(t, nil, []*corev1.ResourceQuota{resourceQuota("q", nil, nil)}, admit.Options{}).Create(obj, admit.Attributes{})
		text, err := json.Marshal(want)
		testkit.OK(t, err)
		testkit.Contract(t, func() any {
			var read admit.Decision
			return []any{read.UnmarshalJSON(text), read}
		}, text)
		var got admit.Decision
		testkit.OK(t, got.UnmarshalJSON(text))
		testkit.NoDiff(t, got, want, cmpopts.EquateEmpty(), obj)
	}
	// What has no type of k8s.io/api keeps its fields.
	whole := &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: "batch/v1", Kind: "Job"}, ObjectMeta: named("o")}
	namespace := compile(t, nil, nil, admit.Options{})
	text, err := json.Marshal(namespace.Create(whole, admit.Attributes{}))
	testkit.OK(t, err)
	var got admit.Decision
	testkit.OK(t, json.Unmarshal(text, &got))
	again, err := json.Marshal(got.Object)
	testkit.OK(t, err)
	testkit.Equal(t, string(again), `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"o","namespace":"shop"}}`)
	if _, ok := got.Object.(*unstructured.Unstructured); !ok {
		t.Errorf("metadata are read as %T", got.Object)
	}
	for _, invalid := range []string{`[]`, `{"object": 3}`, `{"subject": 3}`} {
		if err := json.Unmarshal([]byte(invalid), &got); err == nil {
			t.Errorf("%s is a decision", invalid)
		}
	}
}
