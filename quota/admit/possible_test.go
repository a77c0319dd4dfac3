package admit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// answersIn returns the error of each decision, "admitted" if there is none.
func answersIn(o admit.Outcomes) (texts []string) {
	for _, d := range o.Decisions {
		texts = append(texts, answerText(d))
	}
	return texts
}

func answerText(d admit.Decision) string {
	if err := d.Err(); err != nil {
		return err.Error()
	}
	return "admitted"
}

func verdict(o admit.Outcomes) string {
	var set []string
	for name, is := range map[string]bool{"always": o.Always, "never": o.Never, "depends": o.Depends} {
		if is {
			set = append(set, name)
		}
	}
	return strings.Join(set, " and ")
}

// bare returns a pod of a container without requests and limits.
func bare() *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c"}}}}
}

// The answers are those of a kube-apiserver of version 1.36 to 200 dry runs of each creation.
func TestPossibleAnswersOfTheServer(t *testing.T) {
	item := func(i corev1.LimitRangeItem) corev1.LimitRangeItem { i.Type = corev1.LimitTypeContainer; return i }
	for _, test := range []struct {
		name    string
		a, b    corev1.LimitRangeItem
		verdict string
		want    []string
	}{
		{
			"a default above another maximum",
			item(corev1.LimitRangeItem{Default: list("cpu", "2")}),
			item(corev1.LimitRangeItem{Default: list("cpu", "1"), Max: list("cpu", "1")}),
			"depends",
			[]string{`pods "p" is forbidden: maximum cpu usage per Container is 1, but limit is 2`, "admitted"},
		},
		{
			"a default request above another default limit",
			item(corev1.LimitRangeItem{Default: list("cpu", "2")}),
			item(corev1.LimitRangeItem{DefaultRequest: list("cpu", "3")}),
			"depends",
			[]string{"admitted", `Pod "p" is invalid: spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 2`},
		},
		{
			"two ratios",
			item(corev1.LimitRangeItem{Default: list("cpu", "2"), DefaultRequest: list("cpu", "1"), MaxLimitRequestRatio: list("cpu", "1")}),
			item(corev1.LimitRangeItem{Default: list("cpu", "1"), DefaultRequest: list("cpu", "100m"), MaxLimitRequestRatio: list("cpu", "1")}),
			"never",
			[]string{
				`pods "p" is forbidden: cpu max limit to request ratio per Container is 1, but provided ratio is 2.000000`,
				`pods "p" is forbidden: cpu max limit to request ratio per Container is 1, but provided ratio is 10.000000`,
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			namespace := compile(t, []*corev1.LimitRange{limitRange("b", test.b), limitRange("a", test.a)}, nil, admit.Options{})
			o := namespace.Possible(nil, bare(), admit.Attributes{})
			testkit.NoDiff(t, answersIn(o), test.want)
			testkit.Equal(t, verdict(o), test.verdict)
			testkit.NoDiff(t, o.Decisions[0], namespace.Create(bare(), admit.Attributes{}))
			wantOrders := []admit.Order{{}, {Defaults: []string{"b"}}}
			var orders []admit.Order
			for _, d := range o.Decisions {
				orders = append(orders, d.Order)
			}
			testkit.NoDiff(t, orders, wantOrders, "orders")
		})
	}
}

// Which LimitRange and which quota rejects an object is part of the answer, and the order that says it too.
func TestPossibleRejections(t *testing.T) {
	storage := func(least, most string) corev1.LimitRangeItem {
		return corev1.LimitRangeItem{Type: corev1.LimitTypePersistentVolumeClaim, Min: list("storage", least), Max: list("storage", most)}
	}
	ranges := []*corev1.LimitRange{limitRange("a", storage("2Gi", "9Gi")), limitRange("b", storage("1Gi", "9Gi")), limitRange("c", storage("3Gi", "9Gi")), limitRange("d", storage("3Gi", "9Gi"))}
	quotas := []*corev1.ResourceQuota{
		resourceQuota("x", list("requests.storage", "1Gi"), list("requests.storage", "1Gi")),
		resourceQuota("y", list("persistentvolumeclaims", "1"), list("persistentvolumeclaims", "1")),
		resourceQuota("z", list("services", "0"), list("services", "0")),
	}
	namespace := compile(t, ranges, quotas, admit.Options{})
	claim := func(storage string) *corev1.PersistentVolumeClaim {
		c := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "data", ResourceVersion: "1"}}
		c.Spec.Resources.Requests = list("storage", storage)
		return c
	}
	for _, test := range []struct {
		name     string
		old, obj admit.APIObject
		want     []string
	}{
		{"of LimitRanges", nil, claim("1Gi"), []string{
			`{[] [] []} persistentvolumeclaims "data" is forbidden: minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 1Gi`,
			`{[] [c] []} persistentvolumeclaims "data" is forbidden: minimum storage usage per PersistentVolumeClaim is 3Gi, but request is 1Gi`,
		}},
		{"of one LimitRange", claim("8Gi"), claim("10Gi"), []string{
			`{[] [] []} persistentvolumeclaims "data" is forbidden: maximum storage usage per PersistentVolumeClaim is 9Gi, but request is 10Gi`,
		}},
		{"of quotas", nil, claim("4Gi"), []string{
			`{[] [] []} persistentvolumeclaims "data" is forbidden: exceeded quota: x, requested: requests.storage=4Gi, used: requests.storage=1Gi, limited: requests.storage=1Gi`,
			`{[] [] [y]} persistentvolumeclaims "data" is forbidden: exceeded quota: y, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=1, limited: persistentvolumeclaims=1`,
		}},
		{"of an update", claim("4Gi"), claim("5Gi"), []string{
			`{[] [] []} persistentvolumeclaims "data" is forbidden: exceeded quota: x, requested: requests.storage=1Gi, used: requests.storage=1Gi, limited: requests.storage=1Gi`,
		}},
		{"of validation", nil, claim("-1"), []string{
			`{[] [] []} PersistentVolumeClaim "data" is invalid: spec.resources[storage]: Invalid value: "-1": must be greater than zero`,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			o := namespace.Possible(test.old, test.obj, admit.Attributes{})
			for _, d := range o.Decisions {
				got = append(got, fmt.Sprint(d.Order, " ", answerText(d)))
			}
			testkit.NoDiff(t, got, test.want)
			if !o.Never || o.Always || o.Depends || o.Incomplete {
				t.Errorf("outcomes %s, incomplete %v", verdict(o), o.Incomplete)
			}
		})
	}
}

// A quota that lacks an amount rejects before one that is exceeded, in any order.
func TestPossibleRejectionsByStage(t *testing.T) {
	namespace := compile(t, nil, []*corev1.ResourceQuota{
		resourceQuota("a", list("pods", "0"), list("pods", "0")),
		resourceQuota("b", list("requests.cpu", "1"), list("requests.cpu", "0")),
		resourceQuota("c", list("limits.cpu", "1"), list("limits.cpu", "0")),
	}, admit.Options{})
	want := []string{
		`pods "p" is forbidden: failed quota: b: must specify requests.cpu for: c`,
		`pods "p" is forbidden: failed quota: c: must specify limits.cpu for: c`,
	}
	testkit.NoDiff(t, answersIn(namespace.Possible(nil, bare(), admit.Attributes{})), want)
}

// The node counts for a resize in any order.
func TestPossibleResizesOnANode(t *testing.T) {
	namespace := compile(t, []*corev1.LimitRange{
		limitRange("a", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: list("memory", "1Gi")}),
		limitRange("b", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: list("memory", "1073741824")}),
	}, nil, admit.Options{})
	node := &corev1.Node{Status: corev1.NodeStatus{Allocatable: list("cpu", "1", "memory", "4Gi")}}
	old := bare()
	old.Namespace, old.ResourceVersion, old.Spec.NodeName = "shop", "1", "n"
	old.Spec.Containers[0].Resources.Requests = list("cpu", "1")
	updated := old.DeepCopy()
	updated.Spec.Containers[0].Resources.Requests = list("cpu", "2")
	o := namespace.Possible(old, updated, admit.Attributes{Subresource: "resize", Node: node})
	const small = `pods "p" is forbidden: node didn't have enough allocatable resources: cpu, requested: 2000, allocatable: 1000`
	testkit.NoDiff(t, answersIn(o), []string{small, small})
}

// LimitRanges that set different resources, or the same amounts, leave only the annotation in doubt.
func TestPossibleIgnoresAnnotations(t *testing.T) {
	container := func(defaults ...string) corev1.LimitRangeItem {
		return corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: list(defaults...)}
	}
	namespace := compile(t, []*corev1.LimitRange{
		limitRange("a", container("cpu", "1")), limitRange("b", container("memory", "1Gi")), limitRange("c", container("memory", "1024Mi")),
	}, nil, admit.Options{})
	o := namespace.Possible(nil, bare(), admit.Attributes{})
	if len(o.Decisions) != 1 || !o.Always {
		t.Fatalf("%d decisions, %s", len(o.Decisions), verdict(o))
	}
	const want = "LimitRanger plugin set: memory request for container c; memory limit for container c"
	testkit.Equal(t, o.Decisions[0].Object.GetAnnotations()["kubernetes.io/limit-ranger"], want, "annotation")
}

func TestPossibleOfNothing(t *testing.T) {
	var none *admit.Namespace
	for name, o := range map[string]admit.Outcomes{
		"no object":           none.Possible(nil, nil, admit.Attributes{}),
		"no namespace":        none.Possible(nil, bare(), admit.Attributes{}),
		"no pod to resize":    none.Possible(bare(), nil, admit.Attributes{Subresource: "resize"}),
		"no update":           none.Possible(bare(), nil, admit.Attributes{}),
		"a resize of nothing": none.Possible(bare(), bare(), admit.Attributes{Subresource: "resize"}),
	} {
		if len(o.Decisions) != 1 || verdict(o) != "always" || o.Incomplete {
			t.Errorf("%s: %d decisions, %s", name, len(o.Decisions), verdict(o))
		}
	}
	namespace := compile(t, []*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: list("cpu", "1")})}, nil, admit.Options{})
	foreign := bare()
	foreign.Namespace = "elsewhere"
	if o := namespace.Possible(nil, foreign, admit.Attributes{}); len(o.Decisions) != 1 || verdict(o) != "never" {
		t.Errorf("an object of another namespace: %d decisions, %s", len(o.Decisions), verdict(o))
	}
}

// pairs returns n pairs of LimitRanges with different defaults for a resource of their own.
func pairs(n int, amounts ...string) (ranges []*corev1.LimitRange) {
	for i := range n {
		name := fmt.Sprintf("example.com/r%d", i)
		for j, amount := range amounts {
			ranges = append(ranges, limitRange(fmt.Sprintf("r%d-%d", i, j), corev1.LimitRangeItem{
				Type: corev1.LimitTypeContainer, Default: list(name, amount), DefaultRequest: list(name, amount),
			}))
		}
	}
	return ranges
}

// Beyond 64 decisions, there are 64, and the verdict is known if it depends on the order, or if all sets of
// defaults are known.
func TestPossibleBeyondTheMost(t *testing.T) {
	tooMany := func(name string) *corev1.LimitRange {
		return limitRange("bound", corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: list(name, "1")})
	}
	reject := func(n int) (ranges []*corev1.LimitRange) {
		for i := range n {
			ranges = append(ranges, limitRange(fmt.Sprintf("reject-%d", i), corev1.LimitRangeItem{Type: corev1.LimitTypePod, Min: list("cpu", fmt.Sprint(i+1))}))
		}
		return ranges
	}
	for _, test := range []struct {
		name       string
		ranges     []*corev1.LimitRange
		decisions  int
		incomplete bool
		verdict    string
	}{
		{"exactly 64", pairs(6, "1", "2"), 64, false, "always"},
		{"65", append(pairs(1, "1", "2", "3", "4", "5"), pairs(1, "1")...), 5, false, "always"},
		{"more, all admitted", pairs(7, "1", "2"), 64, true, ""},
		{"more, some refused", append(pairs(7, "1", "2"), tooMany("example.com/r6")), 64, true, "depends"},
		{"more, those that are refused not among them", append(pairs(7, "1", "2"), tooMany("example.com/r0")), 64, true, ""},
		{"few defaults, many rejections", append(pairs(5, "1", "2"), reject(3)...), 64, true, "never"},
	} {
		t.Run(test.name, func(t *testing.T) {
			namespace := compile(t, test.ranges, nil, admit.Options{})
			o := namespace.Possible(nil, bare(), admit.Attributes{})
			if len(o.Decisions) != test.decisions || o.Incomplete != test.incomplete || verdict(o) != test.verdict {
				t.Errorf("%d decisions, incomplete %v, %q", len(o.Decisions), o.Incomplete, verdict(o))
			}
			testkit.NoDiff(t, o.Decisions[0], namespace.Create(bare(), admit.Attributes{}))
			if seen := slices.Compact(slices.Sorted(slices.Values(fingerprints(o)))); len(seen) != len(o.Decisions) {
				t.Errorf("%d decisions, %d of them different", len(o.Decisions), len(seen))
			}
		})
	}
}

// fingerprints returns the amounts and the answer of each decision.
func fingerprints(o admit.Outcomes) (texts []string) {
	for _, d := range o.Decisions {
		texts = append(texts, amountsOf(&d.Object.(*corev1.Pod).Spec)+" "+answerText(d))
	}
	return texts
}

// amountsOf returns the amounts of all containers as they are written.
func amountsOf(spec *corev1.PodSpec) string {
	var lines []string
	for _, containers := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for _, c := range containers {
			lines = append(lines, fmt.Sprint(c.Name, testkit.Texts(c.Resources.Requests), testkit.Texts(c.Resources.Limits)))
		}
	}
	if spec.Resources != nil {
		lines = append(lines, fmt.Sprint(testkit.Texts(spec.Resources.Requests), testkit.Texts(spec.Resources.Limits)))
	}
	return strings.Join(lines, "; ")
}

// Possible keeps the contract.
func TestPossibleContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		obj := object().Draw(t, "object")
		pod, resized := resize(t)
		ranges := append(rangeList().Draw(t, "ranges"), contested().Draw(t, "contested")...)
		namespace := compile(t, ranges, quotaList(counted(obj)).Draw(t, "quotas"), options().Draw(t, "options"))
		for _, ask := range []func() admit.Outcomes{
			func() admit.Outcomes { return namespace.Possible(nil, obj, admit.Attributes{}) },
			func() admit.Outcomes { return namespace.Possible(nil, pod, admit.Attributes{}) },
			func() admit.Outcomes {
				return namespace.Possible(pod, resized, admit.Attributes{Subresource: "resize"})
			},
		} {
			testkit.Contract(t, func() any {
				o := ask()
				all := []any{o.Incomplete, o.Always, o.Never, o.Depends}
				for _, each := range o.Decisions {
					all = append(all, visible(each), answerText(each))
				}
				return []string{testkit.Fingerprint(all)} // decisions on the same object share it
			}, namespace, obj, pod, resized)
		}
	})
}

// With other defaults, the classes of a pod are those that it has, once.
func TestPossibleKeepsClasses(t *testing.T) {
	ranges := []*corev1.LimitRange{
		limitRange("a", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: list("cpu", "1")}),
		limitRange("b", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: list("cpu", "2")}),
	}
	p := bare()
	p.Spec.RuntimeClassName = pointer("unknown")
	namespace := compile(t, ranges, nil, admit.Options{PriorityClasses: withClasses().PriorityClasses})
	d := namespace.Create(p, admit.Attributes{})
	if len(d.Classes) == 0 || len(d.Unknown) == 0 {
		t.Fatalf("classes %v, unknown %v", d.Classes, d.Unknown)
	}
	decisions := namespace.Possible(nil, p, admit.Attributes{}).Decisions
	testkit.Equal(t, len(decisions), 2)
	for _, other := range decisions {
		testkit.NoDiff(t, other.Classes, d.Classes)
		testkit.NoDiff(t, other.Unknown, d.Unknown)
	}
}

// The server may name any of several quotas that are exceeded.
func TestPossibleQuotas(t *testing.T) {
	full := func(name string) *corev1.ResourceQuota {
		return resourceQuota(name, list("pods", "0"), list("pods", "0"))
	}
	o := compile(t, nil, []*corev1.ResourceQuota{full("a"), full("b")}, admit.Options{}).Possible(nil, bare(), admit.Attributes{})
	var want []string
	for _, name := range []string{"a", "b"} {
		want = append(want, `pods "p" is forbidden: exceeded quota: `+name+`, requested: pods=1, used: pods=0, limited: pods=0`)
	}
	testkit.NoDiff(t, answersIn(o), want)
}

// The annotation is about the last LimitRange: of those whose order is not given, the last by name.
func TestAnnotationOfTheLastRange(t *testing.T) {
	container := func(name string, defaults ...string) *corev1.LimitRange {
		return limitRange(name, corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: list(defaults...)})
	}
	decisions := compile(t, []*corev1.LimitRange{
		container("a", "cpu", "1"), container("b", "cpu", "2"), container("c", "memory", "1Gi"), container("d", "ephemeral-storage", "1Gi"),
	}, nil, admit.Options{}).Possible(nil, bare(), admit.Attributes{}).Decisions
	testkit.Equal(t, len(decisions), 2)
	for _, of := range decisions {
		const want = "LimitRanger plugin set: ephemeral-storage request for container c; ephemeral-storage limit for container c"
		testkit.Equal(t, of.Object.GetAnnotations()["kubernetes.io/limit-ranger"], want)
	}
}
