package podreport_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

func TestKinds(t *testing.T) {
	const template = "template: {spec: {containers: [{name: app, resources: {limits: {cpu: 1}}}]}}"
	one := resource.MustParse("1")
	for _, test := range []struct {
		apiVersion, kind, spec string
		pods                   int64
		scale, path            string
	}{
		{"v1", "Pod", "containers: [{name: app, resources: {limits: {cpu: 1}}}]", 1, "1 pod", "spec"},
		{"apps/v1", "Deployment", template, 1, "1 replica", "spec.template.spec"},
		{"apps/v1", "Deployment", "replicas: 4, " + template, 4, "4 replicas", "spec.template.spec"},
		{"apps/v1", "Deployment", "replicas: 0, " + template, 0, "0 replicas", "spec.template.spec"},
		{"apps/v1", "StatefulSet", "replicas: 2, " + template, 2, "2 replicas", "spec.template.spec"},
		{"apps/v1", "ReplicaSet", "replicas: 2, " + template, 2, "2 replicas", "spec.template.spec"},
		{"apps/v1", "DaemonSet", template, 1, "1 pod per node", "spec.template.spec"},
		{"batch/v1", "Job", template, 1, "1 pod at a time", "spec.template.spec"},
		{"batch/v1", "Job", "parallelism: 3, " + template, 3, "3 pods at a time", "spec.template.spec"},
		{"batch/v1", "Job", "parallelism: 3, completions: 2, " + template, 2, "2 pods at a time", "spec.template.spec"},
		{"batch/v1", "CronJob", "jobTemplate: {spec: {parallelism: 2, " + template + "}}", 2, "2 pods per run", "spec.jobTemplate.spec.template.spec"},
	} {
		t.Run(test.kind+" "+test.scale, func(t *testing.T) {
			r := reportFor(t, fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {name: web}\nspec: {%s}", test.apiVersion, test.kind, test.spec))
			got := r.Workloads[0]
			want := report.Workload{
				Object:   report.Object{Source: at(1), Kind: test.kind, Name: "web", Scale: test.scale},
				Pods:     test.pods,
				Admitted: test.pods,
				Defaults: []computeresources.Change{{Ref: computeresources.Ref{Kind: computeresources.App, Name: "app"}, List: computeresources.Requests, Resource: "cpu", To: &one}},
				Pod: report.Sums{
					Requests: amounts(texts{"cpu": "1"}), Limits: amounts(texts{"cpu": "1"}), BindingLimits: amounts(texts{"cpu": "1"}),
					Unbounded: []corev1.ResourceName{"memory"},
				},
			}
			ignore := cmpopts.IgnoreFields(report.Workload{}, "Containers", "QoS")
			if diff := cmp.Diff(want, got, ignore, cmpopts.IgnoreUnexported(report.Workload{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if r.Totals.Pods != test.pods {
				t.Errorf("%d pods in all, want %d", r.Totals.Pods, test.pods)
			}
		})
	}
}

func TestFormsOfInput(t *testing.T) {
	pod := strings.Replace(podWith(""), "name: web", "name: %s", 1)
	a, b := fmt.Sprintf(pod, "a"), fmt.Sprintf(pod, "b")
	const json = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s"}, "spec": {"containers": [{"name": "app"}]}}`
	jsonA, jsonB := fmt.Sprintf(json, "a"), fmt.Sprintf(json, "b")
	for _, test := range []struct {
		name, manifests string
		want            []string // document, item and name
	}{
		{"comments", "# nothing\n---\n# here\n---\n", nil},
		{"one document", a, []string{"1  a"}},
		{"two documents", a + "---\n" + b, []string{"1  a", "2  b"}},
		{"leading marker", "---\n" + a, []string{"1  a"}},
		{"comment and directive before the marker", "# c\n%YAML 1.1\n---\n" + a, []string{"1  a"}},
		{"empty document between", a + "---\n---\n# none\n---\n" + b, []string{"1  a", "4  b"}},
		{"comment behind the marker", "--- # first\n" + a, []string{"1  a"}},
		{"document behind the marker", "--- " + jsonA, []string{"1  a"}},
		{"end markers", a + "...\n---\n" + b + "...\n# end\n", []string{"1  a", "2  b"}},
		{"carriage returns", strings.ReplaceAll(a+"---\n"+b, "\n", "\r\n"), []string{"1  a", "2  b"}},
		{"byte order mark", "\uFEFF" + a, []string{"1  a"}},
		{"JSON", jsonA, []string{"1  a"}},
		{"JSON with a byte order mark", "\uFEFF" + jsonA, []string{"1  a"}},
		{"JSON objects", jsonA + jsonB + "\n" + fmt.Sprintf(json, "c"), []string{"1  a", "2  b", "3  c"}},
		{"JSON and YAML", jsonA + "\n---\n" + b, []string{"1  a", "2  b"}},
		{"YAML in braces", "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: app}]}}", []string{"1  a"}},
		{"List", "apiVersion: v1\nkind: List\nitems: [" + jsonA + "," + jsonB + "]", []string{"1 items[0] a", "1 items[1] b"}},
		{"List in a List", "apiVersion: v1\nkind: List\nitems: [" + jsonA + ", {apiVersion: v1, kind: List, items: [" + jsonB + "]}]", []string{"1 items[0] a", "1 items[1].items[0] b"}},
		{"List without items", "apiVersion: v1\nkind: List", nil},
		{"name to be generated", strings.Replace(a, "name: a", "generateName: build-", 1), []string{"1  build-..."}},
		{"unknown fields", a + "unknown: {a: [1]}\n", []string{"1  a"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, w := range reportFor(t, test.manifests).Workloads {
				got = append(got, fmt.Sprintf("%d %s %s", w.Source.Document, w.Source.Item, w.Name))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestEmptyInput(t *testing.T) {
	if diff := cmp.Diff(result{Code: 0, Stdout: "no workloads\n", Stderr: ""}, runWith("# nothing", "-f", "-")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := report.Report{APIVersion: "podreport/v1alpha1", Kind: "Report", NodeMemory: "16Gi", Workloads: []report.Workload{}, Totals: report.Totals{
		PodsByClass: map[corev1.PodQOSClass]int64{"Guaranteed": 0, "Burstable": 0, "BestEffort": 0},
		Sums:        report.Sums{Requests: report.Amounts{}, Limits: report.Amounts{}, BindingLimits: report.Amounts{}},
	}}
	if diff := cmp.Diff(want, reportFor(t, "# nothing")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTotals(t *testing.T) {
	const large = "{limits: {memory: 7E}, requests: {cpu: 1n}}"
	manifests := strings.Replace(deploymentWith(large), "spec: {", "spec: {replicas: 2000000000, ", 1) +
		"---\n" + podWith("resources: {limits: {cpu: 1, memory: 1.5Gi, a/b: 3}}") + "---\n" +
		strings.Replace(strings.Replace(deploymentWith("{limits: {cpu: 9}}"), "spec: {", "spec: {replicas: 0, ", 1), "name: web", "name: idle", 1)
	want := report.Totals{
		Workloads: 3, Pods: 2_000_000_001,
		PodsByClass: map[corev1.PodQOSClass]int64{"Guaranteed": 1, "Burstable": 2_000_000_000, "BestEffort": 0},
		Sums: report.Sums{
			Requests:      amounts(texts{"cpu": "2000001", "memory": "14000000000000000001610612736", "a/b": "3"}),
			Limits:        amounts(texts{"cpu": "1", "memory": "14000000000000000001610612736", "a/b": "3"}),
			BindingLimits: amounts(texts{"memory": "14000000000000000001610612736", "a/b": "3"}),
			Unbounded:     []corev1.ResourceName{"cpu"},
		},
	}
	if diff := cmp.Diff(want, reportFor(t, manifests).Totals); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLivePods(t *testing.T) {
	const pod = "{containers: [{name: app, resources: {requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 1, memory: 1Gi}}}]}\n"
	t.Run("resize", func(t *testing.T) {
		w := reportFor(t, podSpec(pod+"status: {phase: Running, containerStatuses: [{name: app, allocatedResources: {cpu: 3, memory: 1Gi}}]}")).Workloads[0]
		if !w.Resizing || w.Pod.Requests.Text("cpu") != "3" {
			t.Errorf("resizing %v, cpu %s; want true, 3", w.Resizing, w.Pod.Requests.Text("cpu"))
		}
	})
	t.Run("resize in 1.36", func(t *testing.T) {
		const two = "{containers: [{name: a, resources: {requests: {cpu: 2}}}, {name: b, resources: {requests: {cpu: 1}}}]}\n" +
			"status: {phase: Running, containerStatuses: [{name: a, allocatedResources: {cpu: 1}, resources: {requests: {cpu: 1}}}, {name: b, allocatedResources: {cpu: 2}, resources: {requests: {cpu: 2}}}]}"
		for want, args := range map[string][]string{"3": nil, "3 ": {"-kubernetes", "1.37"}, "4": {"-kubernetes", "1.36"}} {
			w := reportWith(t, 0, podSpec(two), args...).Workloads[0]
			if got := w.Pod.Requests.Text("cpu"); got != strings.TrimSpace(want) {
				t.Errorf("%v: cpu %s, want %s", args, got, want)
			}
		}
	})
	t.Run("class of creation", func(t *testing.T) {
		w := reportFor(t, podSpec(pod+"status: {qosClass: Burstable}")).Workloads[0]
		want := report.QoS{Class: "Burstable", Reason: "set when the pod was created; by its spec it would be Guaranteed: requests equal limits for cpu and memory"}
		if diff := cmp.Diff(want, w.QoS); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("finished", func(t *testing.T) {
		r := reportFor(t, podSpec(pod+"status: {phase: Succeeded}"))
		w := r.Workloads[0]
		if w.Pods != 0 || w.Scale != "finished (Succeeded), no longer counts" || len(r.Totals.Requests) != 0 {
			t.Errorf("%d pods, %q, totals %v", w.Pods, w.Scale, r.Totals.Requests)
		}
	})
}
