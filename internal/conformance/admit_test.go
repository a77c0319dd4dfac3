package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota"
	resourcequotaapi "k8s.io/apiserver/pkg/admission/plugin/resourcequota/apis/resourcequota"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/apis/core"
	upstream "k8s.io/kubernetes/pkg/apis/core/v1"
	registry "k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// world is a namespace of both, and a pod that is created in it.
type world struct {
	ranges  []*corev1.LimitRange
	quotas  []*corev1.ResourceQuota
	limited []quota.LimitedResource
	pod     *corev1.Pod
}

// fitting draws amounts, many of which are valid together.
func fitting() *rapid.Generator[resource.Quantity] {
	return rapid.Map(rapid.SampledFrom([]string{"0", "1", "1", "1", "2", "2", "3", "100m", "250m", "1.5", "64Mi", "1Gi", "1.5Gi", "-1", "1500u"}), resource.MustParse)
}

func worlds() *rapid.Generator[world] {
	return rapid.Custom(func(t *rapid.T) (w world) {
		quantities := rapid.SampledFrom([]*rapid.Generator[resource.Quantity]{fitting(), fitting(), stored(testkit.Ordinary())}).Draw(t, "amounts")
		w.pod = testkit.QuotaPod(quantities).Draw(t, "pod")
		w.pod.Spec.Containers = w.pod.Spec.Containers[:min(2, len(w.pod.Spec.Containers))]
		w.pod.Spec.InitContainers = w.pod.Spec.InitContainers[:min(2, len(w.pod.Spec.InitContainers))]
		w.pod.Spec.Overhead, w.pod.Spec.Affinity = nil, nil
		if rapid.Bool().Draw(t, "tidy") {
			w.pod.Spec.Resources = nil
			for _, c := range computeresources.Containers(&w.pod.Spec) {
				c.Resources = corev1.ResourceRequirements{Limits: testkit.List("cpu", rapid.SampledFrom([]string{"100m", "1", "2"}).Draw(t, "limit"))}
			}
		}
		if deadline := w.pod.Spec.ActiveDeadlineSeconds; deadline != nil && *deadline < 1 {
			w.pod.Spec.ActiveDeadlineSeconds = nil
		}
		w.pod.Status, w.pod.DeletionTimestamp, w.pod.DeletionGracePeriodSeconds = corev1.PodStatus{}, nil, nil
		w.pod.Spec.Priority, w.pod.Annotations = nil, nil
		for i := range w.pod.Spec.InitContainers {
			w.pod.Spec.InitContainers[i].Name += "-init"
		}
		storedPod(w.pod)
		w.pod.ResourceVersion, w.pod.Namespace = "", "shop"
		// The amounts are those that a client sends, without defaults.
		for _, lr := range testkit.LimitRanges(quantities).Draw(t, "ranges") {
			if _, err := admit.Compile([]*corev1.LimitRange{lr}, nil, admit.Options{Kubernetes: kubernetes}); err == nil && lr != nil {
				lr.Namespace = "shop"
				upstream.SetObjectDefaults_LimitRange(lr)
				w.ranges = append(w.ranges, lr)
			}
		}
		names := namesFor(podCounterpart(w.pod))
		for _, name := range []string{"a", "b"}[:rapid.IntRange(0, 2).Draw(t, "quotas")] {
			q := testkit.ResourceQuota(name, names, quantities).Draw(t, "quota")
			if _, err := admit.Compile(nil, []*corev1.ResourceQuota{q}, admit.Options{Kubernetes: kubernetes}); err == nil {
				w.quotas = append(w.quotas, q)
			}
		}
		w.limited = limitedResources().Draw(t, "limited")
		slices.SortFunc(w.ranges, func(a, b *corev1.LimitRange) int { return strings.Compare(a.Name, b.Name) })
		return w
	})
}

// theirs returns what the plugins and the strategy of the API server make of the pod, in the order
// in which it calls them: defaults, mutation by LimitRanges, validation of the object, validation
// by LimitRanges, quotas. LimitRanges and quotas come by name.
func (w world) theirs(t testkit.TB) (*corev1.Pod, []corev1.ResourceQuota, error) {
	sent := &corev1.Pod{} // as the server reads it: a fraction in binary notation, such as 1024.5Ki, is sent as 1049088
	text, err := json.Marshal(w.pod)
	testkit.OK(t, err)
	testkit.OK(t, json.Unmarshal(text, sent))
	upstream.SetObjectDefaults_Pod(sent)
	pod := corePod(t, sent)
	for _, lr := range w.ranges {
		if err := limitranger.PodMutateLimitFunc(lr.DeepCopy(), pod); err != nil {
			return nil, nil, err
		}
	}
	ctx := genericrequest.WithNamespace(context.Background(), "shop")
	ctx = genericrequest.WithRequestInfo(ctx, &genericrequest.RequestInfo{APIVersion: "v1", Resource: "pods", Namespace: "shop", Verb: "create"})
	rest.FillObjectMetaSystemFields(&pod.ObjectMeta)
	if err := rest.BeforeCreate(registry.Strategy, ctx, pod); err != nil {
		return nil, nil, err
	}
	attributes := admission.NewAttributesRecord(pod, nil, core.Kind("Pod").WithVersion("v1"), "shop", pod.Name, core.Resource("pods").WithVersion("v1"), "", admission.Create, &metav1.CreateOptions{}, false, nil)
	for _, lr := range w.ranges {
		if err := oracle.PodViolations(lr.DeepCopy(), pod, nil); err != nil {
			return nil, nil, admission.NewForbidden(attributes, err)
		}
	}
	var quotas []corev1.ResourceQuota
	for _, q := range w.quotas {
		quotas = append(quotas, *q.DeepCopy())
	}
	var limited []resourcequotaapi.LimitedResource
	for _, l := range w.limited {
		limited = append(limited, resourcequotaapi.LimitedResource{APIGroup: l.APIGroup, Resource: l.Resource, MatchContains: l.MatchContains, MatchScopes: l.MatchScopes})
	}
	after, err := resourcequota.CheckRequest(quotas, attributes, podCounterpart(w.pod).evaluator, limited)
	if err != nil {
		return nil, nil, err
	}
	out := &corev1.Pod{}
	if err := upstream.Convert_core_Pod_To_v1_Pod(pod, out, nil); err != nil {
		return nil, nil, err
	}
	upstream.SetObjectDefaults_Pod(out) // when it is read again
	return out, after, nil
}

// statusOf returns code, reason and message as a client gets them. An error that is not a
// StatusError has code 500.
func statusOf(err error) (code int32, reason metav1.StatusReason, message string) {
	var status *apierrors.StatusError
	if errors.As(err, &status) {
		return status.ErrStatus.Code, status.ErrStatus.Reason, status.ErrStatus.Message
	}
	return 500, "", err.Error()
}

// parts splits the list in a message such as "x: [a, b]", which has the order of a map.
func parts(message string) []string {
	head, list, found := strings.Cut(message, ": [")
	if !found || !strings.HasSuffix(list, "]") {
		return []string{message}
	}
	all := append(strings.Split(strings.TrimSuffix(list, "]"), ", "), head)
	slices.Sort(all)
	return all
}

// The result for a pod is that of the API server: the stored pod, the usage of quotas, and the
// code, reason and message of an error. Where the server iterates over a map, the call is repeated
// until it gives the same message.
func TestAdmitCreate(t *testing.T) {
	outcomes := map[string]int{}
	mostAsked := 0
	rapid.Check(t, func(t *rapid.T) {
		w := worlds().Draw(t, "world")
		namespace, err := admit.Compile(w.ranges, w.quotas, admit.Options{Kubernetes: kubernetes, Limited: w.limited})
		if err != nil {
			t.Fatalf("%v", err)
		}
		d := namespace.Create(w.pod, admit.Attributes{})
		pod, after, err := w.theirs(t)
		if err == nil || d.Err() == nil {
			if err != nil || d.Err() != nil {
				t.Fatalf("the server: %v\nkubemath: %v", err, d.Err())
			}
			outcomes["admitted"]++
			ours := d.Object.(*corev1.Pod)
			testkit.NoDiff(t, resources(&ours.Spec), resources(&pod.Spec), cmpopts.EquateEmpty(), "stored")
			testkit.NoDiff(t, ours.Annotations, pod.Annotations, cmpopts.EquateEmpty(), "annotations")
			if pod.Status.QOSClass != ours.Status.QOSClass || pod.Status.Phase != ours.Status.Phase {
				t.Fatalf("status: %v, not %v", ours.Status, pod.Status)
			}
			used := map[string]corev1.ResourceList{}
			for _, q := range namespace.After(d).Quotas() {
				used[q.Name] = q.Status.Used
			}
			for _, q := range after {
				testkit.NoDiff(t, used[q.Name], q.Status.Used, cmpopts.EquateEmpty(), "used of", q.Name)
			}
			return
		}
		code, reason, message := statusOf(d.Err())
		theirCode, theirReason, theirMessage := statusOf(err)
		if code != theirCode || reason != theirReason || !slices.Equal(parts(message), parts(theirMessage)) {
			t.Fatalf("the server: %d %s %s\nkubemath:   %d %s %s", theirCode, theirReason, theirMessage, code, reason, message)
		}
		outcomes[string(reason)]++
		if len(parts(message)) > 3 { // small maps come in a few orders only, by how they were filled
			outcomes["long messages, compared by their parts"]++
			return
		}
		asked := 1
		for ; message != theirMessage; asked++ {
			if asked > 500 {
				t.Fatalf("the server never says\n%s\nbut\n%s", message, theirMessage)
			}
			_, _, err := w.theirs(t)
			_, _, theirMessage = statusOf(err)
		}
		mostAsked = max(mostAsked, asked)
	})
	t.Logf("%v, asked at most %d times", outcomes, mostAsked)
	for _, outcome := range []string{"admitted", "Invalid", "Forbidden"} {
		if outcomes[outcome] == 0 {
			t.Errorf("nothing was %s: %v", outcome, outcomes)
		}
	}
}
