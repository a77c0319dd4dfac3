package admit_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
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
			cmpopts.EquateEmpty(), cmpopts.IgnoreFields(admit.Refusal{}, "Invalid"),
		}
		if diff := cmp.Diff(want, got, unmarshaled); diff != "" {
			t.Fatalf("%s\n(-want +got):\n%s", text, diff)
		}
	})
	if all := seen["amount"] && seen["resize"] && seen["violation"] && seen["failure"]; !testing.Short() && (!all || len(seen) != 4) {
		t.Errorf("refusals of %v only", seen)
	}
}
