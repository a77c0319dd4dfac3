package admit_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

func TestNamespaceMismatch(t *testing.T) {
	const message = "the namespace of the provided object does not match the namespace sent on the request"
	bounds := limitRange("bounds", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: list("cpu", "1")})
	count := resourceQuota("count", list("pods", "1"), list("pods", "1"))
	unnamed := func(lr *corev1.LimitRange) *corev1.LimitRange {
		lr = lr.DeepCopy()
		lr.Namespace = ""
		return lr
	}
	in := func(namespace string) *corev1.Pod {
		p := pod(testkit.Container("app", list("cpu", "2"), nil)) // above the bound, with a full quota
		p.Namespace, p.ResourceVersion = namespace, "1"
		return p
	}
	ranges, quotas := []*corev1.LimitRange{bounds}, []*corev1.ResourceQuota{count}
	for _, test := range []struct {
		name     string
		ranges   []*corev1.LimitRange
		quotas   []*corev1.ResourceQuota
		object   string // its namespace
		mismatch bool
		stored   string
		others   int // refusals
	}{
		{"object in the same namespace", ranges, quotas, "shop", false, "shop", 3},
		{"object without a namespace", ranges, quotas, "", false, "shop", 3},
		{"object in another namespace", ranges, quotas, "other", true, "other", 0},
		{"object in another namespace than the LimitRanges", ranges, nil, "other", true, "other", 0},
		{"object in another namespace than the quotas", nil, quotas, "other", true, "other", 0},
		{"none of LimitRanges", ranges, nil, "", false, "shop", 2},
		{"none of quotas", nil, quotas, "", false, "shop", 1},
		{"resource in the quota but not in the LimitRange", []*corev1.LimitRange{unnamed(bounds)}, quotas, "other", true, "other", 0},
		{"no namespace in LimitRanges and quotas", []*corev1.LimitRange{unnamed(bounds)}, nil, "other", false, "other", 2},
		{"no namespace in LimitRanges, quotas and the object", []*corev1.LimitRange{unnamed(bounds)}, nil, "", false, "", 2},
		{"an empty namespace", nil, nil, "other", false, "other", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			namespace := compile(t, test.ranges, test.quotas, admit.Options{})
			sent := in(test.object)
			template := &appsv1.Deployment{ObjectMeta: sent.ObjectMeta}
			template.Spec.Template.Spec = sent.Spec
			for verb, d := range map[string]admit.Decision{
				"create": namespace.Create(sent, admit.Attributes{}), "workload": namespace.Create(template, admit.Attributes{}),
				"update": namespace.Update(in("shop"), sent, admit.Attributes{}), "resize": namespace.Update(sent, in("shop"), admit.Attributes{Subresource: "resize"}),
			} {
				if verb == "create" && !test.mismatch && len(d.Refusals) != test.others {
					t.Errorf("refused for %v, want %d reasons", d.Refusals, test.others)
				}
				if !test.mismatch {
					if got := d.Object.GetNamespace(); got != test.stored && verb != "resize" {
						t.Errorf("%s: stored in %q, want %q", verb, got, test.stored)
					}
					if d.Pods != nil && d.Pods.First.Object.GetNamespace() != test.stored {
						t.Errorf("pods in %q, want %q", d.Pods.First.Object.GetNamespace(), test.stored)
					}
					continue
				}
				want := computeresources.Problems[*admit.Refusal]{{
					Path: "metadata.namespace", What: "the object names namespace other, but is sent to shop",
					Remedy: "leave the namespace out, or send the object to its own", BadRequest: computeresources.FieldErrorOf(field.Invalid(field.NewPath("metadata", "namespace"), "other", message)),
				}}
				testkit.NoDiff(t, d.Refusals, want, verb)
				if err := d.Err(); !apierrors.IsBadRequest(err) || err.Error() != message || d.Refusals[0].Message() != message {
					t.Errorf("%s: %v", verb, err)
				}
				if f := d.Refusals[0].Field(nil); f.Field != "metadata.namespace" || f.BadValue != "other" {
					t.Errorf("%s: field %v", verb, f)
				}
				if d.Pods != nil || len(d.Changes) > 0 {
					t.Errorf("%s: pods %v, changes %v", verb, d.Pods, d.Changes)
				}
				testkit.Scramble(d.Object)
				if sent.Name != "web" || template.Name != "web" {
					t.Fatalf("%s: the object is the one that was sent", verb)
				}
			}
			if fit := namespace.Replicas([]admit.APIObject{sent}, admit.Attributes{}); test.mismatch && (fit.Replicas != 0 || fit.Err().Error() != message) {
				t.Errorf("%d replicas, then %v", fit.Replicas, fit.Err())
			}
		})
	}
}

// The rule also holds in the namespaces that follow, for every kind of object.
func TestForeignObjectsChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		obj, first := object().Draw(t, "object"), drawnPod().Draw(t, "first")
		namespace := compile(t, nil, append(quotaList(counted(obj)).Draw(t, "quotas"), resourceQuota("named", nil, nil)), options().Draw(t, "options"))
		namespace = namespace.AfterReplicas(namespace.Replicas([]admit.APIObject{first}, admit.Attributes{}), 2)
		namespace = namespace.After(namespace.Create(first, admit.Attributes{}))
		before := testkit.Fingerprint(namespace.Quotas())
		obj.SetNamespace("other")
		d := namespace.Create(obj, admit.Attributes{})
		if len(d.Refusals) != 1 || d.Refusals[0].BadRequest == nil || testkit.Fingerprint(d.Object) != testkit.Fingerprint(obj) {
			t.Fatalf("%v, object %v", d.Refusals, d.Object)
		}
		if after := testkit.Fingerprint(namespace.After(d).Quotas()); after != before {
			t.Fatalf("quotas\n%s\nwere\n%s", after, before)
		}
		obj.SetNamespace("")
		unnamed := namespace.Create(obj, admit.Attributes{})
		obj.SetNamespace("shop")
		if named := namespace.Create(obj, admit.Attributes{}); testkit.Fingerprint(visible(named)) != testkit.Fingerprint(visible(unnamed)) {
			t.Fatalf("with the namespace\n%v\nwithout\n%v", visible(named), visible(unnamed))
		}
	})
}

// LimitRanges and quotas are of one namespace.
func TestCompileOneNamespace(t *testing.T) {
	bounds, other := limitRange("bounds"), limitRange("other")
	unnamed, count := limitRange("unnamed"), resourceQuota("count", list("pods", "1"), nil)
	other.Namespace, unnamed.Namespace, count.Namespace = "zoo", "", "yard"
	_, err := admit.Compile([]*corev1.LimitRange{other, bounds, unnamed}, []*corev1.ResourceQuota{count}, admit.Options{})
	var got []string
	if errs, ok := err.(interface{ Errors() []error }); ok {
		for _, err := range errs.Errors() {
			got = append(got, err.Error())
		}
	}
	want := []string{
		`LimitRange zoo/other: metadata.namespace: "zoo": other objects are of namespace shop`,
		`ResourceQuota yard/count: metadata.namespace: "yard": other objects are of namespace shop`,
	}
	testkit.NoDiff(t, got, want)
}
