package podreport_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

// dumped returns an object as a cluster has it: with a UID, and an owner, unless that is empty.
func dumped(apiVersion, kind, name, owner, fields string) string {
	refs := ""
	if ownerKind, ownerName, owned := strings.Cut(owner, "/"); owned {
		refs = fmt.Sprintf(", ownerReferences: [{apiVersion: v1, kind: %s, name: %s, uid: %s-%s, controller: true}]", ownerKind, ownerName, ownerKind, ownerName)
	}
	return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {namespace: shop, name: %s, uid: %s-%s%s}\n%s\n", apiVersion, kind, name, kind, name, refs, fields)
}

const oneCPU = "{containers: [{name: app, resources: {requests: {cpu: 1}}}]}"

func replicasOf(n int) string {
	return fmt.Sprintf("spec: {replicas: %d, template: {spec: %s}}\n", n, oneCPU)
}

func running(name, owner, phase string) string {
	return dumped("v1", "Pod", name, owner, "spec: "+oneCPU+"\nstatus: {phase: "+phase+"}")
}

// documents joins documents without changing their names.
func documents(list ...string) string { return strings.Join(list, "---\n") }

// dump is a Deployment with its ReplicaSet and two pods.
func dump() []string {
	return []string{
		dumped("apps/v1", "Deployment", "web", "", replicasOf(2)),
		dumped("apps/v1", "ReplicaSet", "web-1", "Deployment/web", replicasOf(2)),
		running("web-1-a", "ReplicaSet/web-1", "Running"),
		running("web-1-b", "ReplicaSet/web-1", "Running"),
	}
}

func TestDumps(t *testing.T) {
	job := func(status string) string {
		return dumped("batch/v1", "Job", "migrate", "", "spec: {template: {spec: "+oneCPU+"}}\n"+status)
	}
	manifest := "apiVersion: apps/v1\nkind: Deployment\nmetadata: {namespace: shop, name: web}\n"
	for _, test := range []struct {
		name, manifests string
		code            int
		want            []string // workloads: kind, name, pods, live, admitted
		pods            int64
		cpu             string
	}{
		{"a Deployment with all that is its own", documents(dump()...), 0, []string{"Deployment web 2 2 2"}, 2, "2"},
		{"in another order", documents(dump()[3], dump()[1], dump()[0], dump()[2]), 0, []string{"Deployment web 2 2 2"}, 2, "2"},
		{"without the Deployment", documents(dump()[1:]...), 0, []string{"Deployment web 2 2 2"}, 2, "2"},
		{"the pods alone", documents(dump()[2:]...), 0, []string{"ReplicaSet web-1 2 2 2"}, 2, "2"},
		{"the Deployment alone", dump()[0], 0, []string{"Deployment web 2 0 2"}, 2, "2"},
		{"Deployment and ReplicaSet", documents(dump()[:2]...), 0, []string{"Deployment web 2 0 2"}, 2, "2"},
		{"a pod is missing", documents(dump()[:3]...), 0, []string{"Deployment web 2 1 2"}, 2, "2"},
		{"a pod too many", documents(append(dump(), running("web-2-c", "ReplicaSet/web-1", "Pending"))...), 0, []string{"Deployment web 3 3 3"}, 3, "3"},
		{"a pod that has ended", documents(append(dump(), running("web-2-c", "ReplicaSet/web-1", "Succeeded"))...), 0, []string{"Deployment web 2 2 2"}, 2, "2"},
		{"only one that has ended", running("x", "Workflow/x", "Failed"), 0, []string{"Workflow x 0 0 0"}, 0, ""},
		{"a pod that is being deleted, beside that in its place", documents(append(dump()[:3],
			strings.Replace(running("web-1-b", "ReplicaSet/web-1", "Running"), "uid:", "deletionTimestamp: 2026-01-01T00:00:00Z, uid:", 1),
			running("web-1-c", "ReplicaSet/web-1", "Running"))...), 0, []string{"Deployment web 3 3 3"}, 3, "3"},
		{"a Job that runs", job(""), 0, []string{"Job migrate 1 0 1"}, 1, "1"},
		{"a Job that is complete", job("status: {conditions: [{type: Complete, status: 'True'}]}"), 0, []string{"Job migrate 0 0 0"}, 0, ""},
		{"a Job that has failed", job("status: {conditions: [{type: Failed, status: 'True'}]}"), 0, []string{"Job migrate 0 0 0"}, 0, ""},
		{"a Job that has not failed", job("status: {conditions: [{type: Failed, status: 'False'}]}"), 0, []string{"Job migrate 1 0 1"}, 1, "1"},
		{"a Job that is suspended", strings.Replace(job(""), "spec: {", "spec: {suspend: true, ", 1), 0, []string{"Job migrate 0 0 0"}, 0, ""},
		{"a CronJob with a run", documents(
			dumped("batch/v1", "CronJob", "nightly", "", "spec: {jobTemplate: {spec: {template: {spec: "+oneCPU+"}}}}"),
			dumped("batch/v1", "Job", "nightly-29000000", "CronJob/nightly", "spec: {template: {spec: "+oneCPU+"}}"),
			running("nightly-29000000-x", "Job/nightly-29000000", "Running"),
		), 0, []string{"CronJob nightly 1 1 1"}, 1, "1"},
		{"a CronJob without its Jobs", documents(
			dumped("batch/v1", "CronJob", "nightly", "", "spec: {jobTemplate: {spec: {template: {spec: "+oneCPU+"}}}}"),
			running("nightly-29000000-x", "Job/nightly-29000000", "Running"),
		), 0, []string{"CronJob nightly 1 1 1"}, 1, "1"},
		{"a ReplicationController", documents(
			dumped("v1", "ReplicationController", "old", "", replicasOf(1)), running("old-x", "ReplicationController/old", "Running"),
		), 0, []string{"ReplicationController old 1 1 1"}, 1, "1"},
		{"a DaemonSet", documents(
			dumped("apps/v1", "DaemonSet", "agent", "", "spec: {template: {spec: "+oneCPU+"}}"),
			running("agent-x", "DaemonSet/agent", "Running"), running("agent-y", "DaemonSet/agent", "Running"),
		), 0, []string{"DaemonSet agent 2 2 2"}, 2, "2"},
		{"static pods", running("kube-proxy-a", "Node/a", "Running"), 0, []string{"Pod kube-proxy-a 1 1 1"}, 1, "1"},
		{"an object twice", documents(manifest+replicasOf(3), manifest+replicasOf(4)), 0, []string{"Deployment web 4 0 4"}, 4, "4"},
		{"a manifest for what is there", documents(append(dump(), manifest+replicasOf(4))...), 0, []string{"Deployment web 4 2 4"}, 4, "4"},
		{"its quota", documents(append(dump(), quotaWith("q", "{pods: 2, requests.cpu: 2}", "{pods: 2, requests.cpu: 2}"))...), 0, []string{"Deployment web 2 2 2"}, 2, "2"},
		{"its quota without a status", documents(append(dump(), newQuota("q", "{hard: {pods: 2, count/replicasets.apps: 1}}"))...), 0, []string{"Deployment web 2 2 2"}, 2, "2"},
		{"more than its quota", documents(append(dump(), quotaWith("q", "{pods: 3}", "{pods: 2}"), manifest+replicasOf(4))...), 2, []string{"Deployment web 4 2 3"}, 3, "3"},
		{"a LimitRange that is younger than the pods", documents(append(dump(), maxCPU("m", "500m"))...), 0, []string{"Deployment web 2 2 2"}, 2, "2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := reportWith(t, test.code, test.manifests)
			var got []string
			for _, w := range r.Workloads {
				got = append(got, fmt.Sprintf("%s %s %d %d %d", w.Kind, w.Name, w.Pods, w.Live, w.Admitted))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if r.Totals.Pods != test.pods || r.Totals.Requests.Text("cpu") != test.cpu {
				t.Errorf("totals: %d pods, cpu %s; want %d, %s", r.Totals.Pods, r.Totals.Requests.Text("cpu"), test.pods, test.cpu)
			}
		})
	}
}

// What exists is part of what a quota says is used, and only the rest is held against it.
func TestQuotaOfADump(t *testing.T) {
	manifest := "apiVersion: apps/v1\nkind: Deployment\nmetadata: {namespace: shop, name: web}\n" + replicasOf(4)
	r := reportWith(t, 2, documents(append(dump(), quotaWith("q", "{pods: 3}", "{pods: 2}"), manifest)...))
	w := r.Workloads[0]
	if got := w.Quotas[0]; got.Used.Text("pods") != "2" || got.Asked.Text("pods") != "4" || got.Left.Text("pods") != "-1" {
		t.Errorf("used %s, asked %s, left %s", got.Used.Text("pods"), got.Asked.Text("pods"), got.Left.Text("pods"))
	}
	if got := w.Rejection.Reasons[0].Subject; got != "replica 4 of 4" || *w.Fit.Replicas != 3 || w.Fit.Exist {
		t.Errorf("%s is refused, %d fit", got, *w.Fit.Replicas)
	}
}

func TestOthersThatQuotasCount(t *testing.T) {
	quota := func(hard string) string { return quotaWith("q", "{"+hard+": 1}", "{"+hard+": 1}") }
	object := func(apiVersion, kind string) string {
		return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {namespace: shop, name: a}\n", apiVersion, kind)
	}
	for hard, object := range map[string]string{
		"configmaps":                object("v1", "ConfigMap"),
		"count/secrets":             object("v1", "Secret"),
		"count/widgets.example.com": object("example.com/v1", "Widget"),
		"count/horizontalpodautoscalers.autoscaling": object("autoscaling/v2", "HorizontalPodAutoscaler") + "spec: {maxReplicas: 2, scaleTargetRef: {kind: Deployment, name: web}}\n",
		"d.deviceclass.resource.k8s.io/devices":      object("resource.k8s.io/v1", "ResourceClaim") + "spec: {devices: {requests: [{name: d, exactly: {deviceClassName: d}}]}}\n",
		"count/roles.rbac.authorization.k8s.io":      object("rbac.authorization.k8s.io/v1", "Role"),
	} {
		r := reportWith(t, 2, documents(quota(hard), object))
		if len(r.Others) != 1 || r.Others[0].Rejection == nil || r.Skipped != nil {
			t.Errorf("%s: %+v, skipped %v", hard, r.Others, r.Skipped)
		}
		exists := strings.Replace(object, "name: a", "name: a, uid: u", 1)
		if r := reportWith(t, 0, documents(quota(hard), exists)); r.Others[0].Rejection != nil {
			t.Errorf("%s of what exists: %+v", hard, r.Others[0].Rejection)
		}
	}
	r := reportWith(t, 0, documents(quotaWith("q", "{configmaps: 1, count/widgets.example.com: 1}", "{}"), strings.Replace(object("v1", "ConfigMap"), "name: a", "name: a, uid: u", 1)))
	if got := r.Namespaces[0].ResourceQuotas[0].Unevaluated; len(got) != 1 || got[0] != "count/widgets.example.com" {
		t.Errorf("not evaluated: %v", got)
	}
}

func TestAutoscaler(t *testing.T) {
	scaler := "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {namespace: shop, name: a}\nspec: {maxReplicas: 5, scaleTargetRef: {kind: Deployment, name: web}}\n"
	r := reportWith(t, 0, documents(dump()[0], scaler))
	if got := r.Workloads[0].Autoscaler; got == nil || got.Min != 1 || got.Max != 5 {
		t.Errorf("%+v", got)
	}
	if least, most := r.Totals.AtMin, r.Totals.AtMax; least.Pods != 1 || least.Requests.Text("cpu") != "1" || most.Pods != 5 || most.Requests.Text("cpu") != "5" {
		t.Errorf("%+v, %+v", least, most)
	}
	got := runWith(scaler, "-f", "-")
	if !strings.Contains(got.Stderr, "it scales Deployment shop/web, which is not in the input") {
		t.Errorf("%q", got.Stderr)
	}
}

func TestPlaces(t *testing.T) {
	node := func(name, cpu string) string { return nodeWith(name, "{allocatable: {cpu: "+cpu+", memory: 1Gi}}") }
	on := func(name, node, cpu string) string {
		return fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata: {namespace: shop, name: %s}\nspec: {nodeName: %s, containers: [{name: app, resources: {requests: {cpu: %s}}}]}\n", name, node, cpu)
	}
	for _, test := range []struct {
		name, manifests string
		want            []string // of each node: name, pods, cpu, and what is missing of it
		unplaced        string
	}{
		{"a pod is on its own node", documents(node("a", "4"), node("b", "32"), on("big", "b", "30")), []string{"a 0  ", "b 1 30 "}, ""},
		{"even if that has no room", documents(node("a", "4"), node("b", "32"), on("big", "a", "30")), []string{"a 1 30 26", "b 0  "}, ""},
		{"a node that is not in the input", documents(node("a", "4"), on("big", "c", "30")), []string{"a 0  "}, ""},
		{"others are on the first with room", documents(node("b", "32"), node("a", "4"), on("first", "a", "3"), on("second", "''", "2"), on("third", "''", "1")), []string{"b 1 2 ", "a 2 4 "}, ""},
		{"or on none", documents(node("a", "4"), node("b", "4"), on("big", "''", "5")), []string{"a 0  ", "b 0  "}, "Pod big 1 0/2 nodes are available: 2 Insufficient cpu."},
		{"replicas", documents(node("a", "2"), node("b", "1"), replicas(4, "{requests: {cpu: 1}}")), []string{"a 2 2 ", "b 1 1 "}, "Deployment web 1 0/2 nodes are available: 2 Insufficient cpu."},
	} {
		r := reportWith(t, 0, test.manifests)
		var got []string
		for _, n := range r.Nodes {
			got = append(got, fmt.Sprintf("%s %d %s %s", n.Name, n.Pods, n.Requested.Text("cpu"), n.Missing.Text("cpu")))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		unplaced := ""
		for _, u := range r.Unplaced {
			unplaced += fmt.Sprintf("%s %s %d %s", u.Kind, u.Name, u.Pods, u.Message)
		}
		if unplaced != test.unplaced {
			t.Errorf("%s: %q on no node, want %q", test.name, unplaced, test.unplaced)
		}
	}
}

func TestPodsByNode(t *testing.T) {
	r := reportWith(t, 0, documents(strings.Replace(dump()[2], "spec: {", "spec: {nodeName: a, ", 1), strings.Replace(dump()[3], "spec: {", "spec: {nodeName: b, ", 1)))
	want := []report.NodePods{{Node: "a", Pods: 1}, {Node: "b", Pods: 1}}
	if diff := cmp.Diff(want, r.Workloads[0].Nodes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
