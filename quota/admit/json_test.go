package admit_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// answers are all that marshal as JSON.
type answers struct {
	Refusals    computeresources.Problems[*admit.Refusal]
	Changes     []computeresources.Change
	Conflicts   computeresources.Problems[*limitrange.Conflict]
	Ambiguities []limitrange.Ambiguity
}

// Decoding the JSON of an answer gives the answer, except the error of the validation, which Amount and
// Resize represent.
func TestAnswersAreReadFromJSON(t *testing.T) {
	seen, most := map[string]bool{}, *resource.NewQuantity(math.MaxInt64, resource.BinarySI)
	rapid.Check(t, func(t *rapid.T) {
		obj, pod, resized := object().Draw(t, "object"), drawnPod().Draw(t, "old"), drawnPod().Draw(t, "resized")
		ranges := rangeList().Draw(t, "ranges")
		namespace := compile(t, ranges, quotaList(counted(obj)).Draw(t, "quotas"), options().Draw(t, "options"))
		d := namespace.Create(obj, admit.Attributes{})
		want := answers{
			Refusals: append(d.Refusals, namespace.Resize(pod, resized, admit.Attributes{}).Refusals...), Changes: d.Changes,
			Conflicts: limitrange.AggregateOf(ranges).Conflicts(), Ambiguities: limitrange.Ambiguities(ranges, nil),
		}
		for _, r := range want.Refusals {
			seen["amount"] = seen["amount"] || r.Amount != nil
			seen["resize"] = seen["resize"] || r.Resize != nil
			seen["violation"] = seen["violation"] || r.Violation != nil
			seen["failure"] = seen["failure"] || r.Failure != nil
		}
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got answers
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		unmarshaled := cmp.Options{
			// Apimachinery writes some sums beyond 10^21 of their unit without the suffix, and reads the largest
			// amount in place of what is beyond it in a binary format.
			cmp.Comparer(func(a, b resource.Quantity) bool {
				return a.Cmp(b) == 0 || a.String() == b.String() || b.Cmp(most) == 0 && a.Cmp(most) > 0
			}),
			cmpopts.EquateEmpty(), cmpopts.IgnoreFields(admit.Refusal{}, "Invalid"), cmpopts.IgnoreUnexported(computeresources.ResizeProblem{}),
		}
		if diff := cmp.Diff(want, got, unmarshaled); diff != "" {
			t.Fatalf("%s\n(-want +got):\n%s", text, diff)
		}
	})
	if all := seen["amount"] && seen["resize"] && seen["violation"] && seen["failure"]; !testing.Short() && (!all || len(seen) != 4) {
		t.Errorf("refusals of %v only", seen)
	}
}

// The fields are named as in the Kubernetes API, in camel case, and zero values are omitted.
func TestNamesInJSON(t *testing.T) {
	for _, test := range []struct {
		answer any
		want   string
	}{
		{computeresources.Ref{Kind: computeresources.Sidecar, Index: 1, Name: "proxy"}, `{"kind":"sidecar","index":1,"name":"proxy"}`},
		{computeresources.Change{Ref: computeresources.Ref{Kind: computeresources.Pod}, List: computeresources.Limits, Resource: "cpu", To: pointer(resource.MustParse("1"))},
			`{"ref":{"kind":"pod","index":0},"list":"limit","resource":"cpu","to":"1"}`},
		{computeresources.Source{Kind: "LimitRange", Namespace: "shop", Name: "a", Field: "spec.limits[0]"}, `{"kind":"LimitRange","namespace":"shop","name":"a","field":"spec.limits[0]"}`},
		{computeresources.InvalidResource{Cause: computeresources.HugePagesAlone, Detail: "d"}, `{"cause":"hugepages without cpu or memory","detail":"d"}`},
		{computeresources.ResizeProblem{Cause: computeresources.ResizeChangesClass, ClassBefore: "Burstable", ClassAfter: "Guaranteed"},
			`{"cause":"` + string(computeresources.ResizeChangesClass) + `","classBefore":"Burstable","classAfter":"Guaranteed"}`},
		{limitrange.Violation{Type: "Pod", Resource: "cpu", Bound: limitrange.Ratio, Cause: limitrange.RatioOut, Enforced: resource.MustParse("2"), Request: pointer(resource.MustParse("1")), Limit: pointer(resource.MustParse("3")), Ratio: 3},
			`{"type":"Pod","resource":"cpu","bound":"maxLimitRequestRatio","cause":"` + string(limitrange.RatioOut) + `","enforced":"2","request":"1","limit":"3","ratio":3}`},
		{limitrange.Conflict{Cause: limitrange.MaxBelowZero, Resource: "cpu", Values: []limitrange.BoundValue{{Resource: "cpu", Bound: limitrange.Max, Amount: resource.MustParse("-1")}}},
			`{"cause":"max is below zero","resource":"cpu","values":[{"resource":"cpu","bound":"max","amount":"-1"}]}`},
		{limitrange.Ambiguity{Resource: "cpu", Bound: limitrange.DefaultLimit}, `{"resource":"cpu","bound":"default","values":null}`},
		{quota.Failure{
			Cause: quota.MustSpecify, Resources: []corev1.ResourceName{"cpu"}, MissingRequired: []quota.MissingResource{{Resource: "cpu", Containers: []string{"app"}}}, Detail: "d",
			Scopes: []corev1.ScopedResourceSelectorRequirement{{ScopeName: "BestEffort", Operator: "Exists"}},
		},
			`{"cause":"must specify","resources":["cpu"],"missingRequired":[{"resource":"cpu","containers":["app"]}],"scopes":[{"scopeName":"BestEffort","operator":"Exists"}],"detail":"d"}`},
		{admit.Refusal{Path: "spec", What: "w"}, `{"path":"spec","what":"w"}`},
	} {
		text, err := json.Marshal(test.answer)
		if err != nil || string(text) != test.want {
			t.Errorf("%T: %s, %v; want %s", test.answer, text, err, test.want)
		}
	}
}
