package webhooks

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	"sigs.k8s.io/yaml"

	"github.com/kubemath/kubemath/examples/controller/capsule"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/quota/admit"
)

func newScheme(t *testing.T) *runtime.Scheme {
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), capsule.AddToScheme(scheme)); err != nil {
		t.Fatal(err)
	}
	return scheme
}

// raw is an object as a request has it; "" is none.
func raw(t *testing.T, manifest string) runtime.RawExtension {
	t.Helper()
	if manifest == "" {
		return runtime.RawExtension{}
	}
	text, err := yaml.YAMLToJSON([]byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	return runtime.RawExtension{Raw: text}
}

// ask is what the webhook at a path answers about an object, or a change of one.
func ask(t *testing.T, c client.Reader, path, from, to string) *admissionv1.AdmissionResponse {
	t.Helper()
	request := admissionv1.AdmissionRequest{UID: "1", Namespace: "team", Operation: admissionv1.Create, Object: raw(t, to), OldObject: raw(t, from)}
	switch {
	case to == "":
		request.Operation = admissionv1.Delete
	case from != "":
		request.Operation = admissionv1.Update
	}
	response := handlers(c, newScheme(t))[path].Handle(t.Context(), admission.Request{AdmissionRequest: request})
	return &response.AdmissionResponse
}

func wantRefusal(t *testing.T, got *admissionv1.AdmissionResponse, code int32, message string) {
	t.Helper()
	if got.Allowed || got.Result.Code != code || got.Result.Message != message {
		t.Errorf("allowed %t, %+v\nwant %d %s", got.Allowed, got.Result, code, message)
	}
}

func wantAllowed(t *testing.T, got *admissionv1.AdmissionResponse) {
	t.Helper()
	if !got.Allowed || len(got.Patch) > 0 {
		t.Errorf("%+v", got)
	}
}

const limits = `
apiVersion: v1
kind: LimitRange
metadata: {name: bounds, namespace: team}
spec:
  limits:
  - type: Container
    default: {cpu: "1"}
    defaultRequest: {cpu: 100m}
    max: {cpu: "2"}
`

func limited(t *testing.T) client.Client {
	t.Helper()
	ranges, elsewhere := &corev1.LimitRange{}, &corev1.LimitRange{}
	if err := yaml.UnmarshalStrict([]byte(limits), ranges); err != nil {
		t.Fatal(err)
	}
	ranges.DeepCopyInto(elsewhere)
	elsewhere.Namespace, elsewhere.Spec.Limits[0].Max = "other", corev1.ResourceList{}
	return fake.NewClientBuilder().WithScheme(newScheme(t)).WithObjects(ranges, elsewhere).Build()
}

func TestPods(t *testing.T) {
	c := limited(t)
	pod := func(annotation, containers string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  annotations: {kubernetes.io/limit-ranger: '" + annotation + "'}\nspec:\n" + containers
	}
	above := func(limit string) string {
		return `Pod "p" is invalid: spec.containers[0].resources.requests: Invalid value: "1500m": must be less than or equal to cpu limit of ` + limit
	}
	for _, test := range []struct {
		name, annotation, spec string
		code                   int32
		reason                 metav1.StatusReason
		message                string
		warnings               []string
	}{
		{"within the bounds", "", "  containers: [{name: app, resources: {requests: {cpu: 1}, limits: {cpu: 2}}}]", 0, "", "", nil},
		{"above the maximum", "", "  containers: [{name: app, resources: {requests: {cpu: 1}, limits: {cpu: 3}}}]",
			http.StatusForbidden, metav1.StatusReasonForbidden, `pods "p" is forbidden: maximum cpu usage per Container is 2, but limit is 3`,
			[]string{"container app: limit cpu 3 is above the maximum 2 of LimitRange team/bounds: lower the limit"}},
		{"above the default limit", "LimitRanger plugin set: cpu limit for container app",
			"  containers: [{name: app, resources: {requests: {cpu: 1500m}, limits: {cpu: 1}}}]",
			http.StatusUnprocessableEntity, metav1.StatusReasonInvalid, above("1"),
			[]string{"container app: request cpu 1500m is above the default limit 1 from LimitRange team/bounds: set a limit or lower the request"}},
		{"above the limit that was written", "",
			"  containers: [{name: app, resources: {requests: {cpu: 1500m}, limits: {cpu: 1}}}]",
			http.StatusUnprocessableEntity, metav1.StatusReasonInvalid, above("1"),
			[]string{"container app: request cpu 1500m is above its limit 1: raise the limit or lower the request"}},
		{"above a limit that is no longer the default", "LimitRanger plugin set: cpu limit for container app",
			"  containers: [{name: app, resources: {requests: {cpu: 1500m}, limits: {cpu: 1200m}}}]",
			http.StatusUnprocessableEntity, metav1.StatusReasonInvalid, above("1200m"),
			[]string{"container app: request cpu 1500m is above its limit 1200m: raise the limit or lower the request"}},
		{"invalid, and above the maximum", "LimitRanger plugin set: cpu limit for init container setup",
			"  initContainers: [{name: setup, resources: {requests: {cpu: 1500m}, limits: {cpu: 1}}}]\n" +
				"  containers: [{name: app, resources: {requests: {cpu: 1}, limits: {cpu: 3}}}]",
			http.StatusUnprocessableEntity, metav1.StatusReasonInvalid, strings.Replace(above("1"), "containers", "initContainers", 1),
			[]string{
				"init container setup: request cpu 1500m is above the default limit 1 from LimitRange team/bounds: set a limit or lower the request",
				"container app: limit cpu 3 is above the maximum 2 of LimitRange team/bounds: lower the limit",
			}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ask(t, c, "/pods", "", pod(test.annotation, test.spec))
			if !slices.Equal(got.Warnings, test.warnings) {
				t.Errorf("warnings %q\nwant %q", got.Warnings, test.warnings)
			}
			if test.code == 0 {
				wantAllowed(t, got)
				return
			}
			wantRefusal(t, got, test.code, test.message)
			if got.Result.Reason != test.reason {
				t.Errorf("reason %s, want %s", got.Result.Reason, test.reason)
			}
		})
	}
}

// A pod that got the defaults of one LimitRange is admitted with a warning if the next one may get others and be refused.
func TestPodsThatMayBeRejected(t *testing.T) {
	item := func(amounts corev1.LimitRangeItem) *corev1.LimitRange {
		amounts.Type = corev1.LimitTypeContainer
		return &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{amounts}}}
	}
	cpu := func(amount string) corev1.ResourceList { return corev1.ResourceList{"cpu": resource.MustParse(amount)} }
	a, b := item(corev1.LimitRangeItem{Default: cpu("2")}), item(corev1.LimitRangeItem{Default: cpu("1"), Max: cpu("1")})
	a.Name, b.Name = "a", "b"
	namespace, err := admit.Compile([]*corev1.LimitRange{a, b}, nil, admit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sent := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "app"}}}}
	stored := map[bool]*corev1.Pod{}
	for _, d := range namespace.Possible(nil, sent, admit.Attributes{}).Decisions {
		stored[d.Admitted()] = d.Object.(*corev1.Pod)
	}
	const why = "container app: the default limit cpu 2 from LimitRange a is above the maximum 1 of LimitRange b: set a limit"
	if got := answer(decide(stored[true], namespace)); !got.Allowed || !slices.Equal(got.Warnings, []string{"the next pod like this one may be rejected, as LimitRanges have different defaults: " + why}) {
		t.Errorf("with the smaller default: allowed %v, warnings %q", got.Allowed, got.Warnings)
	}
	if got := answer(decide(stored[false], namespace)); got.Allowed || !slices.Equal(got.Warnings, []string{why}) {
		t.Errorf("with the larger default: allowed %v, warnings %q", got.Allowed, got.Warnings)
	}
}

func TestPodsFails(t *testing.T) {
	wantRefusal(t, ask(t, limited(t), "/pods", "", "kind: []"), http.StatusBadRequest, "couldn't get version/kind; json parse error: json: cannot unmarshal array into Go struct field .kind of type string")
	broken := interceptor.NewClient(limited(t).(client.WithWatch), interceptor.Funcs{List: func(context.Context, client.WithWatch, client.ObjectList, ...client.ListOption) error {
		return errors.New("no cache")
	}})
	wantRefusal(t, ask(t, broken, "/pods", "", "apiVersion: v1\nkind: Pod\n"), http.StatusInternalServerError, "no cache")
}

// Amounts that the LimitRanger has not set, or not listed in its annotation, are kept.
func TestWritten(t *testing.T) {
	const spec = `
initContainers: [{name: setup, resources: {requests: {cpu: 1, memory: 1}, limits: {cpu: 1, memory: 1}}}]
containers: [{name: app, resources: {requests: {cpu: 1, memory: 1}, limits: {cpu: 1, memory: 1}}}]
`
	for annotation, want := range map[string]string{
		"": "app cpu,memory/cpu,memory setup cpu,memory/cpu,memory",
		"LimitRanger plugin set: cpu, memory request for container app":                                "app /cpu,memory setup cpu,memory/cpu,memory",
		"LimitRanger plugin set: cpu request for container app; memory limit for init container setup": "app memory/cpu,memory setup cpu,memory/cpu",
		"LimitRanger plugin set: cpu limit for container none; cpu limit for app; gpu limit":           "app cpu,memory/cpu,memory setup cpu,memory/cpu,memory",
	} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{"kubernetes.io/limit-ranger": annotation}}}
		if err := yaml.UnmarshalStrict([]byte(spec), &pod.Spec); err != nil {
			t.Fatal(err)
		}
		got := written(pod)
		text := "app " + names(got.Spec.Containers[0]) + " setup " + names(got.Spec.InitContainers[0])
		if text != want {
			t.Errorf("%q: %s, want %s", annotation, text, want)
		}
		if names(pod.Spec.Containers[0]) != "cpu,memory/cpu,memory" {
			t.Errorf("%q: the pod has changed", annotation)
		}
	}
}

// names are the resources of the requests and the limits.
func names(c corev1.Container) string {
	var lists []string
	for _, list := range []corev1.ResourceList{c.Resources.Requests, c.Resources.Limits} {
		var is []string
		for _, name := range []corev1.ResourceName{"cpu", "memory"} {
			if _, has := list[name]; has {
				is = append(is, string(name))
			}
		}
		lists = append(lists, strings.Join(is, ","))
	}
	return strings.Join(lists, "/")
}

const (
	poolOf2  = "apiVersion: capsule.clastix.io/v1beta2\nkind: ResourcePool\nmetadata: {name: p}\nspec: {quota: {hard: {pods: 2}}}\n"
	claimOf2 = "apiVersion: capsule.clastix.io/v1beta2\nkind: ResourcePoolClaim\nmetadata: {name: c, namespace: team}\nspec: {pool: p, claim: {pods: 2}}\n"
	used2    = "status: {allocation: {used: {pods: 2}}}\n"
	unused   = "status: {pool: {name: p}, conditions: [{type: Exhausted, status: 'False'}, {type: Bound, status: 'False', reason: Unused}]}\n"
	inUse    = "status: {pool: {name: p}, conditions: [{type: Exhausted, status: 'False'}, {type: Bound, status: 'True', reason: InUse}]}\n"
)

func TestPools(t *testing.T) {
	less := strings.Replace(poolOf2, "pods: 2", "pods: 1", 1)
	wantAllowed(t, ask(t, nil, "/pools", "", poolOf2))
	wantRefusal(t, ask(t, nil, "/pools", "", strings.Replace(poolOf2, "pods: 2", "pods: -1", 1)), http.StatusUnprocessableEntity,
		`ResourcePool.capsule.clastix.io "p" is invalid: spec.quota.hard[pods]: Invalid value: "-1": must be greater than or equal to 0`)
	wantAllowed(t, ask(t, nil, "/pools", poolOf2, less))
	wantRefusal(t, ask(t, nil, "/pools", poolOf2+used2, less), http.StatusUnprocessableEntity,
		`ResourcePool.capsule.clastix.io "p" is invalid: spec.quota.hard[pods]: Forbidden: can not reduce pods usage to 1 because quantity 2 is claimed . Remove corresponding claims or keep the resources in the pool`)
	going := strings.Replace(less, "name: p", "name: p, deletionTimestamp: '2026-01-01T00:00:00Z'", 1)
	wantAllowed(t, ask(t, nil, "/pools", poolOf2+used2, going))
	wantAllowed(t, ask(t, nil, "/pools", poolOf2+used2, ""))
}

func TestClaims(t *testing.T) {
	const name = `ResourcePoolClaim.capsule.clastix.io "c" is invalid: `
	more := strings.Replace(claimOf2, "pods: 2", "pods: 3", 1)
	c := fake.NewClientBuilder().WithScheme(newScheme(t)).Build()
	wantAllowed(t, ask(t, c, "/claims", "", claimOf2))
	wantRefusal(t, ask(t, c, "/claims", "", strings.Replace(claimOf2, "{pods: 2}", "{}", 1)), http.StatusUnprocessableEntity,
		name+`spec.claim: Required value: a claim needs resources`)
	for _, stored := range []string{claimOf2, claimOf2 + unused} {
		wantAllowed(t, ask(t, c, "/claims", stored, more))
		wantAllowed(t, ask(t, c, "/claims", stored, ""))
	}
	wantAllowed(t, ask(t, c, "/claims", claimOf2+inUse, claimOf2+inUse))
	wantAllowed(t, ask(t, c, "/claims", claimOf2, more+inUse)) // the stored status counts
	wantRefusal(t, ask(t, c, "/claims", claimOf2+inUse, more+inUse), http.StatusUnprocessableEntity,
		name+`spec.claim: Forbidden: cannot change the requested resources while claim is allocated to a resourcepool p`)
	wantRefusal(t, ask(t, c, "/claims", claimOf2+inUse, ""), http.StatusUnprocessableEntity,
		name+`status.conditions: Forbidden: cannot delete the pool while claim is used in resourcepool p`)
}

// The current usage of the namespace counts, even if the status of the claim does not reflect it
// yet.
func TestClaimsThatAreInUseByNow(t *testing.T) {
	p, claim, quota := &pool.ResourcePool{}, &pool.ResourcePoolClaim{}, &corev1.ResourceQuota{}
	for manifest, object := range map[string]any{
		poolOf2 + "status: {claims: {team: [{name: c, claims: {pods: 2}}]}}\n": p,
		claimOf2 + unused: claim,
		"metadata: {name: capsule-pool-p, namespace: team}\nstatus: {used: {pods: 1}}\n": quota,
	} {
		if err := yaml.UnmarshalStrict([]byte(manifest), object); err != nil {
			t.Fatal(err)
		}
	}
	used := fake.NewClientBuilder().WithScheme(newScheme(t)).WithObjects(p, claim, quota).Build()
	quota = quota.DeepCopy()
	quota.ResourceVersion, quota.Status.Used = "", nil
	free := fake.NewClientBuilder().WithScheme(newScheme(t)).WithObjects(p, claim, quota).Build()
	more := strings.Replace(claimOf2, "pods: 2", "pods: 3", 1)
	wantAllowed(t, ask(t, free, "/claims", claimOf2+unused, more+unused))
	wantRefusal(t, ask(t, used, "/claims", claimOf2+unused, more+unused), http.StatusUnprocessableEntity,
		`ResourcePoolClaim.capsule.clastix.io "c" is invalid: spec.claim: Forbidden: cannot change the requested resources while claim is allocated to a resourcepool p`)
	if got := ask(t, used, "/claims", claimOf2+unused, more); got.Allowed {
		t.Error("the status of the new claim counts")
	}
	if got := ask(t, used, "/claims", claimOf2+unused, ""); got.Allowed {
		t.Error("a claim that is in use may be deleted")
	}
	broken := interceptor.NewClient(used, interceptor.Funcs{List: func(context.Context, client.WithWatch, client.ObjectList, ...client.ListOption) error {
		return errors.New("no cache")
	}})
	if got := ask(t, broken, "/claims", claimOf2+unused, more+unused); got.Allowed {
		t.Error("allowed without an answer")
	}
}

// A claim that is not in use has nothing to release. The status that counts is the stored one.
func TestReleases(t *testing.T) {
	c := fake.NewClientBuilder().WithScheme(newScheme(t)).Build()
	asks := strings.Replace(claimOf2, "namespace: team", "namespace: team, annotations: {projectcapsule.dev/release: 'true'}", 1)
	for _, test := range []struct {
		name, stored, to string
		dropped          bool
	}{
		{"of a new claim", "", asks, true},
		{"of a claim that is unused", claimOf2 + unused, asks + inUse, true},
		{"of a claim that is in use", claimOf2 + inUse, asks, false},
	} {
		got := ask(t, c, "/releases", test.stored, test.to)
		if !got.Allowed || strings.Contains(fmt.Sprint(string(got.Patch)), "remove") != test.dropped {
			t.Errorf("%s: %+v, patch %s", test.name, got, got.Patch)
		}
	}
	wantAllowed(t, ask(t, c, "/releases", claimOf2, claimOf2))
}

// A claim whose pool, or whose quota, is gone is not in use.
func TestClaimsWithoutQuota(t *testing.T) {
	p := &pool.ResourcePool{}
	if err := yaml.UnmarshalStrict([]byte(poolOf2+"status: {claims: {team: [{name: c, claims: {pods: 2}}]}}\n"), p); err != nil {
		t.Fatal(err)
	}
	more := strings.Replace(claimOf2, "pods: 2", "pods: 3", 1)
	for what, c := range map[string]client.Client{
		"pool":  fake.NewClientBuilder().WithScheme(newScheme(t)).Build(),
		"quota": fake.NewClientBuilder().WithScheme(newScheme(t)).WithObjects(p).Build(),
	} {
		if got := ask(t, c, "/claims", claimOf2+unused, more+unused); !got.Allowed {
			t.Errorf("without its %s: %+v", what, got)
		}
		if got := ask(t, c, "/claims", claimOf2+unused, ""); !got.Allowed {
			t.Errorf("deleted without its %s: %+v", what, got)
		}
	}
}

// What is too large is refused before it is decoded, with its largest field; LimitRanges count, too.
func TestTooLarge(t *testing.T) {
	c := limited(t)
	pod := func(names int) string {
		text := "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: team}\nspec:\n  containers:\n  - name: app\n    resources:\n      requests:\n"
		for i := range names {
			text += fmt.Sprintf("        example.com/%06d: 1\n", i)
		}
		return text
	}
	small, large := ask(t, c, "/pods", "", pod(10)), ask(t, c, "/pods", "", pod(20000))
	if small.Result != nil && small.Result.Code == http.StatusRequestEntityTooLarge {
		t.Errorf("%+v", small.Result)
	}
	wantRefusal(t, large, http.StatusRequestEntityTooLarge,
		"Pod team/p: 460141 bytes, at most 262144, of which spec.containers[0].resources.requests has 460001, in 20000 parts")
	for i := range 100 {
		if err := c.Create(t.Context(), &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: fmt.Sprint("l", i)}}); err != nil {
			t.Fatal(err)
		}
	}
	wantRefusal(t, ask(t, c, "/pods", "", pod(1)), http.StatusInternalServerError, "101 objects, at most 100")
}
