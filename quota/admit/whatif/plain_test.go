package whatif_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// Answers are plain data: they compare with themselves, and are the same after a round trip through JSON.
func TestAnswersArePlainData(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		gated := podOf("gated", "1")
		gated.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "g"}}
		changes := append(drawChanges(t), gated, podOf("large", "9"), resourceQuota("z", "pods", "1"), deployment("more", 2, "1"))
		for i, name := range []string{"low", "urgent"} { // the second one preempts the first
			p := podOf(name, "1")
			p.Namespace, p.Spec.NodeSelector, p.Spec.Priority = "calm", map[string]string{"name": "z"}, pointer(int32(i))
			changes = append(changes, p)
		}
		applied := did(drawCluster(t).Apply(append([]admit.APIObject{node("z", "1")}, changes...)...))
		deleted, drained := did(applied.After.Delete(drawObject(t))), did(applied.After.Drain("z"))
		for _, r := range []whatif.Result{applied.Result, deleted.Result, drained.Result} {
			isPlain(t, r)
			count(seen, &r)
		}
		isPlain(t, applied.After.Room(deployment("more", 2, "1")))
		isPlain(t, applied.After.Pods(""))
		isPlain(t, applied.After.Pods("z"))
	})
	for _, what := range []string{"refused by a Status", "missing for a Status", "waits for a FitError", "waits for its gates", "preempted", "evicted", "gone"} {
		if !testing.Short() && seen[what] == 0 {
			t.Errorf("no answer is %s", what)
		}
	}
	testkit.Equal(t, seen["without a cause"], 0)
}

// Results share no reasons: neither with each other, nor with the cluster.
func TestReasonsAreOwned(t *testing.T) {
	web := deployment("web", 2, "1")
	r, after := read(t, whatif.Options{}, resourceQuota("q", "pods", "1"), node("a", "0")).Apply(web, web)
	first, want := r.Objects[0].Missing.Status, testkit.Fingerprint(r.Objects[1].Missing)
	first.Message, first.Details.Name = "", ""
	r.Pods[0].Waits.FitError.Reasons[0].Message = ""
	testkit.Equal(t, testkit.Fingerprint(r.Objects[1].Missing), want)
	testkit.Equal(t, after.Pods("")[0].Waits.FitError.Reasons[0].Message, "Insufficient cpu")
}

// isPlain compares an answer with itself, and with what is read from its JSON.
func isPlain[A any](t *rapid.T, answer A) {
	t.Helper()
	testkit.Equal(t, equality.Semantic.DeepEqual(answer, answer), true)
	text, err := json.Marshal(answer)
	testkit.OK(t, err)
	var again A
	testkit.OK(t, json.Unmarshal(text, &again))
	testkit.NoDiff(t, again, answer, cmp.FilterPath(isObject, cmp.Comparer(sameObject)), text)
}

func isObject(p cmp.Path) bool {
	return p.Last().String() == ".Object" && p.Last().Type() == reflect.TypeFor[admit.APIObject]()
}

// sameObject compares the objects of two decisions. Of a kind that admit does not know, the one that is read has no type.
func sameObject(a, b admit.APIObject) bool {
	_, isRead := a.(*unstructured.Unstructured)
	_, isReadToo := b.(*unstructured.Unstructured)
	if isRead != isReadToo && a != nil && b != nil {
		return a.GetName() == b.GetName()
	}
	return equality.Semantic.DeepEqual(a, b)
}

// count counts what a result has, and looks at the reasons.
func count(seen map[string]int, r *whatif.Result) {
	add := func(what string, reason whatif.Reason) {
		switch {
		case reason.Cause == "" && reason.Message != "":
			seen["without a cause"]++
		case reason.Cause == "":
		case reason.Status != nil:
			seen[what+" a Status"]++
		case reason.FitError != nil:
			seen[what+" a FitError"]++
		default:
			seen[what+" its gates"]++
		}
	}
	for _, list := range [][]whatif.Object{r.Objects, r.Others} {
		for _, o := range list {
			add("refused by", o.Reason)
			add("missing for", o.Missing)
		}
	}
	for _, p := range r.Pods {
		add("waits for", p.Waits)
		for what, is := range map[string]bool{"preempted": p.Preempted, "evicted": p.Evicted, "gone": p.Gone} {
			if is {
				seen[what]++
			}
		}
	}
}
