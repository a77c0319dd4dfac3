package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/internal/testkit"
)

// sums describes amounts of pods.
func sums(s *report.Sums) string {
	text := fmt.Sprintf("requests %s; limits %s", list(s.Requests), list(s.Limits))
	if len(s.Unbounded) > 0 {
		text += fmt.Sprintf("; unbounded %v", s.Unbounded)
	}
	return text
}

// amounts describes what the pods of workloads have, in lines.
func amounts(r *report.Report) (lines []string) {
	totals := func(name string, t *report.Totals) {
		line := fmt.Sprintf("%s: %d workloads, %d rejected, %d pods", name, t.Workloads, t.Rejected, t.Pods)
		for _, class := range []string{"Guaranteed", "Burstable", "BestEffort"} {
			for of, n := range t.PodsByClass {
				if string(of) == class {
					line += fmt.Sprintf(", %d %s", n, class)
				}
			}
		}
		lines = append(lines, line, "  "+sums(&t.Sums))
	}
	for i := range r.Workloads {
		w := r.Workloads[i]
		line := w.Title() + ": " + w.Scale + ", " + string(w.QoS.Class) + ": " + w.QoS.Reason
		if w.Resizing {
			line += ", resizing"
		}
		lines = append(lines, line)
		for _, p := range w.Containers {
			lines = append(lines, fmt.Sprintf("  %v: requests %s; limits %s", p.Ref, list(p.Requests), list(p.Limits)))
		}
		if p := w.PodLevel; p != nil {
			lines = append(lines, fmt.Sprintf("  %v: requests %s; limits %s", p.Ref, list(p.Requests), list(p.Limits)))
		}
		if len(w.Overhead) > 0 {
			lines = append(lines, "  overhead "+list(w.Overhead))
		}
		lines = append(lines, "  one: "+sums(&w.Pod), "  all: "+sums(&w.All))
		for _, o := range w.Others {
			lines = append(lines, fmt.Sprintf("  %d others, %s: %s", o.Pods, o.Class, sums(&o.Pod)))
		}
		for _, given := range w.Given() {
			lines = append(lines, "  given by "+given)
		}
		for _, advice := range w.QoS.Advice {
			lines = append(lines, "  advice: "+advice)
		}
		for _, class := range w.Classes {
			lines = append(lines, "  of "+class.String())
		}
		if len(w.Unknown)+len(w.Injected) > 0 {
			lines = append(lines, fmt.Sprintf("  unknown %q, injected %q", w.Unknown, w.Injected))
		}
	}
	for i := range r.Namespaces {
		totals(r.Namespaces[i].Name, &r.Namespaces[i].Totals)
	}
	totals("total", &r.Totals)
	return append(lines, findings(r)...)
}

// What the pods of workloads request, and what they may use.
func TestAmounts(t *testing.T) {
	pod := func(name, fields, more string) string {
		return document("Pod", "name: "+name+more, spec(fields))
	}
	live := func(name, fields, state string) string {
		return document("Pod", "name: "+name+", uid: "+name+", ownerReferences: [{controller: true, kind: StatefulSet, name: s, uid: s}]", spec(fields), status("phase: Running"+state))
	}
	ofSet := func(name, fields string) string {
		return strings.Replace(live(name, fields, ""), "kind: StatefulSet", "kind: ReplicaSet", 1)
	}
	halves := func(a, b string) string {
		const requests = "resources: {requests: {cpu: 1, memory: 1Gi}, limits: {"
		return "containers: [{name: a, " + requests + a + "}}}, {name: b, " + requests + b + "}}}]"
	}
	const both = "containers: [{name: app, resources: {requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 1, memory: 1Gi}}}]"
	set := document("StatefulSet", "name: s, uid: s", spec("replicas: 3, template: {spec: {"+both+"}}"), status("replicas: 3, updatedReplicas: 3"))
	check(t, report.Options{}, []scene{
		{"limits are requests", []string{pod("p", "containers: [{name: app, resources: {limits: {cpu: 1, memory: 1Gi}}}]", "")}, `
			Pod p: 1 pod, Guaranteed: requests equal limits for cpu and memory
			  container app: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			  one: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			  all: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			home: 1 workloads, 0 rejected, 1 pods, 1 Guaranteed
			  requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			total: 1 workloads, 0 rejected, 1 pods, 1 Guaranteed
			  requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi`},
		{"parts", []string{document("Deployment", "name: d", spec("replicas: 2, template: {spec: {initContainers: [{name: side, restartPolicy: Always, resources: {requests: {cpu: 1}, limits: {cpu: 2}}}, {name: init, resources: {requests: {cpu: 9}}}], containers: [{name: app, resources: {requests: {cpu: 2, ephemeral-storage: 1Gi}}}], overhead: {cpu: 1}}}"))}, `
			Deployment d: 2 replicas, Burstable: sidecar side requests cpu 1, but its limit is 2
			  sidecar side: requests cpu 1; limits cpu 2
			  init container init: requests cpu 9; limits 
			  container app: requests cpu 2, ephemeral-storage 1Gi; limits 
			  overhead cpu 1
			  one: requests cpu 11, ephemeral-storage 1Gi; limits cpu 3; unbounded [cpu memory ephemeral-storage]
			  all: requests cpu 22, ephemeral-storage 2Gi; limits cpu 6; unbounded [cpu ephemeral-storage memory]
			  advice: sidecar side: change the cpu request from 1 to 2
			  advice: init container init: set the cpu limit to 9
			  advice: container app: set the cpu limit to 2
			  advice: sidecar side: set the memory request and limit to the same amount
			  advice: init container init: set the memory request and limit to the same amount
			  advice: container app: set the memory request and limit to the same amount
			home: 1 workloads, 0 rejected, 2 pods, 2 Burstable
			  requests cpu 22, ephemeral-storage 2Gi; limits cpu 6; unbounded [cpu ephemeral-storage memory]
			total: 1 workloads, 0 rejected, 2 pods, 2 Burstable
			  requests cpu 22, ephemeral-storage 2Gi; limits cpu 6; unbounded [cpu ephemeral-storage memory]`},
		{"pod level", []string{pod("p", "resources: {requests: {cpu: 4}, limits: {memory: 4Gi}}, containers: [{name: app, resources: {requests: {cpu: 1}}}]", "")}, `
			Pod p: 1 pod, Burstable: pod has no cpu limit
			  container app: requests cpu 1; limits 
			  pod: requests cpu 4, memory 4Gi; limits memory 4Gi
			  one: requests cpu 4, memory 4Gi; limits memory 4Gi; unbounded [cpu]
			  all: requests cpu 4, memory 4Gi; limits memory 4Gi; unbounded [cpu]
			  advice: pod: set the cpu limit to 4
			home: 1 workloads, 0 rejected, 1 pods, 1 Burstable
			  requests cpu 4, memory 4Gi; limits memory 4Gi; unbounded [cpu]
			total: 1 workloads, 0 rejected, 1 pods, 1 Burstable
			  requests cpu 4, memory 4Gi; limits memory 4Gi; unbounded [cpu]`},
		{"given by LimitRanges", []string{document("LimitRange", "name: b", spec("limits: [{type: Container, default: {cpu: 2, memory: 2Gi}, defaultRequest: {cpu: 1}}]")), document("LimitRange", "name: a", spec("limits: [{type: Container, default: {ephemeral-storage: 1Gi}}]")),
			pod("p", "containers: [{name: app}, {name: more, resources: {limits: {cpu: 3}}}]", "")}, `
			Pod p: 1 pod, Burstable: container app requests cpu 1, but its limit is 2
			  container app: requests cpu 1, memory 2Gi, ephemeral-storage 1Gi; limits cpu 2, memory 2Gi, ephemeral-storage 1Gi
			  container more: requests cpu 3, memory 2Gi, ephemeral-storage 1Gi; limits cpu 3, memory 2Gi, ephemeral-storage 1Gi
			  one: requests cpu 4, memory 4Gi, ephemeral-storage 2Gi; limits cpu 5, memory 4Gi, ephemeral-storage 2Gi
			  all: requests cpu 4, memory 4Gi, ephemeral-storage 2Gi; limits cpu 5, memory 4Gi, ephemeral-storage 2Gi
			  given by LimitRange home/a: ephemeral-storage request, ephemeral-storage limit of container app; ephemeral-storage request, ephemeral-storage limit of container more
			  given by LimitRange home/b: cpu request, memory request, cpu limit, memory limit of container app; memory request, memory limit of container more
			  advice: container app: change the cpu request from 1 to 2
			home: 1 workloads, 0 rejected, 1 pods, 1 Burstable
			  requests cpu 4, memory 4Gi, ephemeral-storage 2Gi; limits cpu 5, memory 4Gi, ephemeral-storage 2Gi
			total: 1 workloads, 0 rejected, 1 pods, 1 Burstable
			  requests cpu 4, memory 4Gi, ephemeral-storage 2Gi; limits cpu 5, memory 4Gi, ephemeral-storage 2Gi`},
		{"a class of a workload that exists, without pods", []string{document("Deployment", "name: d, uid: d", spec("template: {spec: {priorityClassName: high, "+both+"}}"), status("observedGeneration: 1"))}, `
			Deployment d: 1 replica, of which 0 exist, Guaranteed: requests equal limits for cpu and memory
			  container app: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			  one: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			  all: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			  unknown ["PriorityClass \"high\""], injected []
			home: 1 workloads, 0 rejected, 1 pods, 1 Guaranteed
			  requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			total: 1 workloads, 0 rejected, 1 pods, 1 Guaranteed
			  requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi`},
		{"classes", []string{document("RuntimeClass", "name: kata", "handler: h", "overhead: {podFixed: {cpu: 250m}}"), document("PriorityClass", "name: usual", "value: 5", "globalDefault: true"), pod("p", "runtimeClassName: kata, "+both, ""), pod("q", "priorityClassName: high, runtimeClassName: gvisor, "+both, "")}, `
			Pod p: 1 pod, Guaranteed: requests equal limits for cpu and memory
			  container app: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			  overhead cpu 250m
			  one: requests cpu 1250m, memory 1Gi; limits cpu 1250m, memory 1Gi
			  all: requests cpu 1250m, memory 1Gi; limits cpu 1250m, memory 1Gi
			  of PriorityClass usual
			  of RuntimeClass kata
			Pod q: 1 pod, Guaranteed: requests equal limits for cpu and memory
			  container app: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			  one: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			  all: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			  unknown ["PriorityClass \"high\"" "RuntimeClass \"gvisor\""], injected []
			home: 2 workloads, 0 rejected, 2 pods, 2 Guaranteed
			  requests cpu 2250m, memory 2Gi; limits cpu 2250m, memory 2Gi
			total: 2 workloads, 0 rejected, 2 pods, 2 Guaranteed
			  requests cpu 2250m, memory 2Gi; limits cpu 2250m, memory 2Gi`},
		{"pods that differ", []string{set, live("s-0", both, ""), live("s-1", both, ""), live("s-2", container("3"), "")}, `
			StatefulSet s: 3 replicas, Guaranteed: requests equal limits for cpu and memory
			  container app: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			  one: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			  all: requests cpu 5, memory 2Gi; limits cpu 2, memory 2Gi; unbounded [cpu memory]
			  1 others, Burstable: requests cpu 3; limits ; unbounded [cpu memory]
			home: 1 workloads, 0 rejected, 3 pods, 2 Guaranteed, 1 Burstable
			  requests cpu 5, memory 2Gi; limits cpu 2, memory 2Gi; unbounded [cpu memory]
			total: 1 workloads, 0 rejected, 3 pods, 2 Guaranteed, 1 Burstable
			  requests cpu 5, memory 2Gi; limits cpu 2, memory 2Gi; unbounded [cpu memory]`},
		{"pods of one class that differ", []string{document("StatefulSet", "name: s, uid: s", spec("replicas: 2, "+template("1")), status("replicas: 2, updatedReplicas: 2")), live("s-0", container("1"), ""), live("s-1", container("3"), "")}, `
			StatefulSet s: 2 replicas, Burstable: container app has no cpu limit
			  container app: requests cpu 1; limits 
			  one: requests cpu 1; limits ; unbounded [cpu memory]
			  all: requests cpu 4; limits ; unbounded [cpu memory]
			  1 others, Burstable: requests cpu 3; limits ; unbounded [cpu memory]
			  advice: container app: set the cpu limit to 1
			  advice: container app: set the memory request and limit to the same amount
			home: 1 workloads, 0 rejected, 2 pods, 2 Burstable
			  requests cpu 4; limits ; unbounded [cpu memory]
			total: 1 workloads, 0 rejected, 2 pods, 2 Burstable
			  requests cpu 4; limits ; unbounded [cpu memory]`},
		{"two pods that differ in the same way, and one in its limit only", []string{document("Deployment", "name: d, uid: d", spec("replicas: 4, "+template("1")), status("replicas: 4, updatedReplicas: 4")),
			document("ReplicaSet", "name: s, uid: s, ownerReferences: [{controller: true, kind: Deployment, name: d, uid: d}]", spec("replicas: 4, "+template("1")), status("replicas: 4")),
			ofSet("a", container("1")), ofSet("b", container("3")), ofSet("c", container("3")), ofSet("e", "containers: [{name: app, resources: {requests: {cpu: 1}, limits: {memory: 1Gi}}}]")}, `
			Deployment d: 4 replicas, Burstable: container app has no cpu limit
			  container app: requests cpu 1; limits 
			  one: requests cpu 1; limits ; unbounded [cpu memory]
			  all: requests cpu 8; limits memory 1Gi; unbounded [cpu memory]
			  2 others, Burstable: requests cpu 3; limits ; unbounded [cpu memory]
			  1 others, Burstable: requests cpu 1; limits memory 1Gi; unbounded [cpu]
			  advice: container app: set the cpu limit to 1
			  advice: container app: set the memory request and limit to the same amount
			home: 1 workloads, 0 rejected, 4 pods, 4 Burstable
			  requests cpu 8; limits memory 1Gi; unbounded [cpu memory]
			total: 1 workloads, 0 rejected, 4 pods, 4 Burstable
			  requests cpu 8; limits memory 1Gi; unbounded [cpu memory]`},
		{"a pod that differs in which containers have limits", []string{document("StatefulSet", "name: s, uid: s", spec("template: {spec: {"+halves("memory: 1Gi, cpu: 4", "memory: 1Gi")+"}}"), status("replicas: 1, updatedReplicas: 1")), live("s-0", halves("memory: 1Gi, cpu: 2", "memory: 1Gi, cpu: 2"), "")}, `
			StatefulSet s: 1 replica, Burstable: container a requests cpu 1, but its limit is 4
			  container a: requests cpu 1, memory 1Gi; limits cpu 4, memory 1Gi
			  container b: requests cpu 1, memory 1Gi; limits memory 1Gi
			  one: requests cpu 2, memory 2Gi; limits cpu 4, memory 2Gi; unbounded [cpu]
			  all: requests cpu 2, memory 2Gi; limits cpu 4, memory 2Gi
			  1 others, Burstable: requests cpu 2, memory 2Gi; limits cpu 4, memory 2Gi
			  advice: container a: change the cpu request from 1 to 4
			  advice: container b: set the cpu limit to 1
			home: 1 workloads, 0 rejected, 1 pods, 1 Burstable
			  requests cpu 2, memory 2Gi; limits cpu 4, memory 2Gi
			total: 1 workloads, 0 rejected, 1 pods, 1 Burstable
			  requests cpu 2, memory 2Gi; limits cpu 4, memory 2Gi`},
		{"a pod that differs in its limit only", []string{document("StatefulSet", "name: s, uid: s", spec("template: {spec: {"+halves("memory: 1Gi, cpu: 2", "memory: 1Gi, cpu: 2")+"}}"), status("replicas: 1, updatedReplicas: 1")), live("s-0", halves("memory: 1Gi, cpu: 2", "memory: 1Gi, cpu: 1"), "")}, `
			StatefulSet s: 1 replica, Burstable: container a requests cpu 1, but its limit is 2
			  container a: requests cpu 1, memory 1Gi; limits cpu 2, memory 1Gi
			  container b: requests cpu 1, memory 1Gi; limits cpu 2, memory 1Gi
			  one: requests cpu 2, memory 2Gi; limits cpu 4, memory 2Gi
			  all: requests cpu 2, memory 2Gi; limits cpu 3, memory 2Gi
			  1 others, Burstable: requests cpu 2, memory 2Gi; limits cpu 3, memory 2Gi
			  advice: container a: change the cpu request from 1 to 2
			  advice: container b: change the cpu request from 1 to 2
			home: 1 workloads, 0 rejected, 1 pods, 1 Burstable
			  requests cpu 2, memory 2Gi; limits cpu 3, memory 2Gi
			total: 1 workloads, 0 rejected, 1 pods, 1 Burstable
			  requests cpu 2, memory 2Gi; limits cpu 3, memory 2Gi`},
		{"fewer pods exist than the usage of a quota has room for", []string{quota("q", "requests.cpu: 9", "requests.cpu: 1"), document("Deployment", "name: d, uid: d", spec("replicas: 2, "+template("1")))}, `
			Deployment d: 2 replicas, of which 1 exist, Burstable: container app has no cpu limit
			  container app: requests cpu 1; limits 
			  one: requests cpu 1; limits ; unbounded [cpu memory]
			  all: requests cpu 2; limits ; unbounded [cpu memory]
			  advice: container app: set the cpu limit to 1
			  advice: container app: set the memory request and limit to the same amount
			home: 1 workloads, 0 rejected, 2 pods, 2 Burstable
			  requests cpu 2; limits ; unbounded [cpu memory]
			total: 1 workloads, 0 rejected, 2 pods, 2 Burstable
			  requests cpu 2; limits ; unbounded [cpu memory]`},
		{"a pod that differs by its class", []string{set, live("s-0", both, ""), live("s-1", both, ", qosClass: BestEffort"), live("s-2", both, "")}, `
			StatefulSet s: 3 replicas, Guaranteed: requests equal limits for cpu and memory
			  container app: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			  one: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			  all: requests cpu 3, memory 3Gi; limits cpu 3, memory 3Gi
			  1 others, BestEffort: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			home: 1 workloads, 0 rejected, 3 pods, 2 Guaranteed, 1 BestEffort
			  requests cpu 3, memory 3Gi; limits cpu 3, memory 3Gi
			total: 1 workloads, 0 rejected, 3 pods, 2 Guaranteed, 1 BestEffort
			  requests cpu 3, memory 3Gi; limits cpu 3, memory 3Gi`},
		{"a pod that has ended does not differ", []string{set, live("s-0", both, ""), live("s-1", both, ""), document("Pod", "name: s-2, uid: s-2, ownerReferences: [{controller: true, kind: StatefulSet, name: s, uid: s}]", spec(container("3")), status("phase: Failed"))}, `
			StatefulSet s: 3 replicas, of which 2 exist, Guaranteed: requests equal limits for cpu and memory
			  container app: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			  one: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			  all: requests cpu 3, memory 3Gi; limits cpu 3, memory 3Gi
			home: 1 workloads, 0 rejected, 3 pods, 3 Guaranteed
			  requests cpu 3, memory 3Gi; limits cpu 3, memory 3Gi
			total: 1 workloads, 0 rejected, 3 pods, 3 Guaranteed
			  requests cpu 3, memory 3Gi; limits cpu 3, memory 3Gi`},
		{"a live pod has no new defaults", []string{limits("default: {cpu: 2}"), document("Pod", "name: p, uid: p", spec("containers: [{name: app}]"), status("phase: Running"))}, `
			Pod p: 1 pod, BestEffort: no container requests or limits cpu or memory
			  container app: requests ; limits 
			  one: requests ; limits ; unbounded [cpu memory]
			  all: requests ; limits ; unbounded [cpu memory]
			  advice: container app: set the cpu request and limit to the same amount
			  advice: container app: set the memory request and limit to the same amount
			home: 1 workloads, 0 rejected, 1 pods, 1 BestEffort
			  requests ; limits ; unbounded [cpu memory]
			total: 1 workloads, 0 rejected, 1 pods, 1 BestEffort
			  requests ; limits ; unbounded [cpu memory]`},
		{"a pod is resized", []string{document("Pod", "name: p, uid: p", spec(container("1")), status("phase: Running, containerStatuses: [{name: app, allocatedResources: {cpu: 2}, resources: {requests: {cpu: 2}}}]"))}, `
			Pod p: 1 pod, Burstable: container app has no cpu limit, resizing
			  container app: requests cpu 1; limits 
			  one: requests cpu 2; limits ; unbounded [cpu memory]
			  all: requests cpu 2; limits ; unbounded [cpu memory]
			  advice: container app: set the cpu limit to 1
			  advice: container app: set the memory request and limit to the same amount
			home: 1 workloads, 0 rejected, 1 pods, 1 Burstable
			  requests cpu 2; limits ; unbounded [cpu memory]
			total: 1 workloads, 0 rejected, 1 pods, 1 Burstable
			  requests cpu 2; limits ; unbounded [cpu memory]`},
		{"a pod has the class that it was created with", []string{document("Pod", "name: p, uid: p", spec(both), status("phase: Running, qosClass: Burstable")), document("Pod", "name: q, uid: q", spec("priorityClassName: high, "+both), status("phase: Running, qosClass: Guaranteed"))}, `
			Pod p: 1 pod, Burstable: set when the pod was created; by its spec it would be Guaranteed: requests equal limits for cpu and memory
			  container app: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			  one: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			  all: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			Pod q: 1 pod, Guaranteed: requests equal limits for cpu and memory
			  container app: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			  one: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			  all: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			home: 2 workloads, 0 rejected, 2 pods, 1 Guaranteed, 1 Burstable
			  requests cpu 2, memory 2Gi; limits cpu 2, memory 2Gi
			total: 2 workloads, 0 rejected, 2 pods, 1 Guaranteed, 1 Burstable
			  requests cpu 2, memory 2Gi; limits cpu 2, memory 2Gi`},
		{"workloads without pods", []string{deployment("zero", 0, "1"), document("CronJob", "name: c", spec("suspend: true, jobTemplate: {spec: {"+template("1")+"}}"))}, `
			Deployment zero: 0 replicas, Burstable: container app has no cpu limit
			  container app: requests cpu 1; limits 
			  one: requests cpu 1; limits ; unbounded [cpu memory]
			  all: requests ; limits 
			  advice: container app: set the cpu limit to 1
			  advice: container app: set the memory request and limit to the same amount
			CronJob c: suspended, runs no pods, Burstable: container app has no cpu limit
			  container app: requests cpu 1; limits 
			  one: requests cpu 1; limits ; unbounded [cpu memory]
			  all: requests ; limits 
			  advice: container app: set the cpu limit to 1
			  advice: container app: set the memory request and limit to the same amount
			home: 2 workloads, 0 rejected, 0 pods
			  requests ; limits 
			total: 2 workloads, 0 rejected, 0 pods
			  requests ; limits `},
		{"containers that webhooks add", []string{set, live("s-0", "containers: [{name: app, resources: {requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 1, memory: 1Gi}}}, {name: proxy, resources: {requests: {cpu: 500m}}}]", "")}, `
			StatefulSet s: 3 replicas, of which 1 exist, Burstable: container proxy has no cpu limit
			  container app: requests cpu 1, memory 1Gi; limits cpu 1, memory 1Gi
			  container proxy: requests cpu 500m; limits 
			  one: requests cpu 1500m, memory 1Gi; limits cpu 1, memory 1Gi; unbounded [cpu memory]
			  all: requests cpu 4500m, memory 3Gi; limits cpu 3, memory 3Gi; unbounded [cpu memory]
			  advice: container proxy: set the cpu limit to 500m
			  advice: container proxy: set the memory request and limit to the same amount
			  unknown [], injected ["container proxy"]
			home: 1 workloads, 0 rejected, 3 pods, 3 Burstable
			  requests cpu 4500m, memory 3Gi; limits cpu 3, memory 3Gi; unbounded [cpu memory]
			total: 1 workloads, 0 rejected, 3 pods, 3 Burstable
			  requests cpu 4500m, memory 3Gi; limits cpu 3, memory 3Gi; unbounded [cpu memory]`},
		{"the largest namespace first", []string{
			document("Pod", "name: p, namespace: c", spec("containers: [{name: app, resources: {requests: {cpu: 1}}}]")), document("Pod", "name: p, namespace: b", spec("containers: [{name: app, resources: {requests: {memory: 3Gi}}}]")),
			document("Pod", "name: p, namespace: a", spec("containers: [{name: app, resources: {requests: {cpu: 3, memory: 1Gi}}}]")), document("Pod", "name: p, namespace: e", spec("containers: [{name: app}]")),
			document("Deployment", "name: p, namespace: f", spec("replicas: 2, template: {spec: {containers: [{name: app}]}}")), document("Pod", "name: p, namespace: d", spec("containers: [{name: app}]")),
			document("LimitRange", "name: lr, namespace: g", spec("limits: [{type: Container, max: {cpu: 1}}]")),
		}, `
			Pod c/p: 1 pod, Burstable: container app has no cpu limit
			  container app: requests cpu 1; limits 
			  one: requests cpu 1; limits ; unbounded [cpu memory]
			  all: requests cpu 1; limits ; unbounded [cpu memory]
			  advice: container app: set the cpu limit to 1
			  advice: container app: set the memory request and limit to the same amount
			Pod b/p: 1 pod, Burstable: container app has no cpu limit
			  container app: requests memory 3Gi; limits 
			  one: requests memory 3Gi; limits ; unbounded [cpu memory]
			  all: requests memory 3Gi; limits ; unbounded [cpu memory]
			  advice: container app: set the memory limit to 3Gi
			  advice: container app: set the cpu request and limit to the same amount
			Pod a/p: 1 pod, Burstable: container app has no cpu limit
			  container app: requests cpu 3, memory 1Gi; limits 
			  one: requests cpu 3, memory 1Gi; limits ; unbounded [cpu memory]
			  all: requests cpu 3, memory 1Gi; limits ; unbounded [cpu memory]
			  advice: container app: set the cpu limit to 3
			  advice: container app: set the memory limit to 1Gi
			Pod e/p: 1 pod, BestEffort: no container requests or limits cpu or memory
			  container app: requests ; limits 
			  one: requests ; limits ; unbounded [cpu memory]
			  all: requests ; limits ; unbounded [cpu memory]
			  advice: container app: set the cpu request and limit to the same amount
			  advice: container app: set the memory request and limit to the same amount
			Deployment f/p: 2 replicas, BestEffort: no container requests or limits cpu or memory
			  container app: requests ; limits 
			  one: requests ; limits ; unbounded [cpu memory]
			  all: requests ; limits ; unbounded [cpu memory]
			  advice: container app: set the cpu request and limit to the same amount
			  advice: container app: set the memory request and limit to the same amount
			Pod d/p: 1 pod, BestEffort: no container requests or limits cpu or memory
			  container app: requests ; limits 
			  one: requests ; limits ; unbounded [cpu memory]
			  all: requests ; limits ; unbounded [cpu memory]
			  advice: container app: set the cpu request and limit to the same amount
			  advice: container app: set the memory request and limit to the same amount
			a: 1 workloads, 0 rejected, 1 pods, 1 Burstable
			  requests cpu 3, memory 1Gi; limits ; unbounded [cpu memory]
			b: 1 workloads, 0 rejected, 1 pods, 1 Burstable
			  requests memory 3Gi; limits ; unbounded [cpu memory]
			c: 1 workloads, 0 rejected, 1 pods, 1 Burstable
			  requests cpu 1; limits ; unbounded [cpu memory]
			f: 1 workloads, 0 rejected, 2 pods, 2 BestEffort
			  requests ; limits ; unbounded [cpu memory]
			d: 1 workloads, 0 rejected, 1 pods, 1 BestEffort
			  requests ; limits ; unbounded [cpu memory]
			e: 1 workloads, 0 rejected, 1 pods, 1 BestEffort
			  requests ; limits ; unbounded [cpu memory]
			g: 0 workloads, 0 rejected, 0 pods
			  requests ; limits 
			total: 6 workloads, 0 rejected, 7 pods, 3 Burstable, 4 BestEffort
			  requests cpu 4, memory 4Gi; limits ; unbounded [cpu memory]`},
		{"rejected pods have no advice", []string{limits("max: {cpu: 1}"), deployment("d", 1, "2")}, `
			Deployment d: 1 replica, Burstable: container app requests cpu 2, but its limit is 1
			  container app: requests cpu 2; limits cpu 1
			  one: requests cpu 2; limits cpu 1; unbounded [memory]
			  all: requests cpu 2; limits cpu 1; unbounded [memory]
			  given by LimitRange home/lr: cpu limit of container app
			home: 0 workloads, 1 rejected, 0 pods
			  requests ; limits 
			total: 0 workloads, 1 rejected, 0 pods
			  requests ; limits `},
		{"some pods are admitted", []string{quota("q", "requests.cpu: 5", "requests.cpu: 0"), deployment("d", 3, "2")}, `
			Deployment d: 3 replicas, Burstable: container app has no cpu limit
			  container app: requests cpu 2; limits 
			  one: requests cpu 2; limits ; unbounded [cpu memory]
			  all: requests cpu 6; limits ; unbounded [cpu memory]
			home: 1 workloads, 0 rejected, 2 pods, 2 Burstable
			  requests cpu 4; limits ; unbounded [cpu memory]
			total: 1 workloads, 0 rejected, 2 pods, 2 Burstable
			  requests cpu 4; limits ; unbounded [cpu memory]`},
	}, amounts)
}

// What containers have to set.
func TestRequired(t *testing.T) {
	manifests := []string{
		document("Deployment", "name: d", spec("template: {spec: {containers: [{name: app, resources: {limits: {memory: 1Gi}}}, {name: b}, {name: c}]}}")),
		limits("default: {cpu: 1}"),
	}
	opts := report.Options{Required: []corev1.ResourceName{"limits.memory", "limits.cpu"}}
	r, in := of(opts, manifests...)
	want := []string{"warning in 1: Deployment d: spec.template.spec: sets no limits.memory for: b,c"}
	if diff := cmp.Diff(want, findings(r)); diff != "" || in.Problems[0].Code() != 0 || r.Warnings[0].Line != 1 {
		t.Errorf("(-want +got):\n%s", diff)
	}
	testkit.Equal(t, in.Problems[0].String(), "-: document 1, line 1: Deployment d: warning: spec.template.spec: sets no limits.memory for: b,c")
	in = manifest.Of(reader(manifests...), manifest.Options{Home: "home", Strict: true})
	want = []string{"error in 1: Deployment d: spec.template.spec: sets no limits.memory for: b,c (rejected)"}
	if diff := cmp.Diff(want, findings(report.Of(in, opts))); diff != "" || in.Problems[0].Code() != 2 {
		t.Errorf("strict (-want +got):\n%s", diff)
	}
}

// Each grade of a problem has a list of its own.
func TestFindings(t *testing.T) {
	r, _ := of(report.Options{},
		document("Pod", "name: a", spec("restartPolicy: Never")), "a: [\n", document("Node", "name: one", status("allocatable: {cpu: 1}")),
		document("Pod", "name: b", spec("containers: [{name: app, resources: {requests: {cpu: x}}}]")), document("Pod", "name: c", spec("containers: [{name: app, resources: {requests: {memory: 512m}}}]")),
		"apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n", "apiVersion: v1\nkind: Secret\nmetadata: {name: t}\n", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: s}\n",
		"apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: r}\nspec: {template: {spec: {containers: [{name: app}]}}}\n",
		document("Service", "name: s", spec("ports: [{port: 80}]")), document("Service", "labels: {a: b}", spec("ports: [{port: 80}]")),
		document("Node", "name: two", status("allocatable: {cpu: 1}")),
	)
	got := findings(r)
	want := []string{
		"error in 1: Pod a: spec.containers: no containers (rejected)",
		"error in 2: : invalid YAML: line 6: did not find expected node content",
		`error in 4: Pod b: spec.containers[0].resources.requests[cpu]: "x" is not a quantity such as 500m or 2Gi`,
		"error in 11: Service: metadata.name: missing (rejected)",
		"warning in 5: Pod c: spec.containers[0].resources.requests[memory]: 512m is a fraction of a byte: the suffix m means milli, M means mega, Mi means mebi",
		"note in 3: Node one: no status.allocatable of cpu and memory: no pod fits on it",
		"note in 12: Node two: no status.allocatable of cpu and memory: no pod fits on it",
		"not computed in 9: Rollout r: it has pods, which are not computed",
		"skipped: 1 ConfigMap", "skipped: 1 Rollout", "skipped: 2 Secret", "skipped: 1 Service",
	}
	testkit.NoDiff(t, got, want)
	r, _ = of(report.Options{}, document("Pod", "name: c", "spec:", "  containers: [{name: app}]", "  containers: [{name: app}]"))
	if w := r.Warnings[0]; w.Line != 6 {
		t.Errorf("a duplicate field is in line %d: %s", w.Line, w.Text)
	}
}

// What is not selected counts, and is not in the report.
func TestHidden(t *testing.T) {
	pod := document("Pod", "name: p", spec(container("1")))
	claim := document("PersistentVolumeClaim", "name: c", spec("resources: {requests: {storage: 1Gi}}"))
	labelled := func(text string) string { return strings.Replace(text, "name: ", "labels: {team: a}, name: my-", 1) }
	in := manifest.Of(reader(quota("q", "pods: 9, persistentvolumeclaims: 9", "pods: 0, persistentvolumeclaims: 0"), pod, labelled(pod), claim, labelled(claim)),
		manifest.Options{Home: "home", Selects: func(o metav1.Object) bool { return o.GetLabels()["team"] == "a" }})
	r := report.Of(in, report.Options{})
	if len(r.Workloads) != 1 || r.Workloads[0].Name != "my-p" || len(r.Objects) != 1 || r.Objects[0].Name != "my-c" || r.Totals.Pods != 2 {
		t.Errorf("%+v, %+v, %d pods", r.Workloads, r.Objects, r.Totals.Pods)
	}
	testkit.NoDiff(t, usage(r), []string{"home/q: pods 0, persistentvolumeclaims 0 -> pods 2, persistentvolumeclaims 2 of pods 9, persistentvolumeclaims 9"})
}

// Amounts for programs, and for people.
func TestTextsOfAmounts(t *testing.T) {
	a := report.Amounts{"cpu": resource.MustParse("1500m"), "memory": resource.MustParse("1610612736"), "pods": resource.MustParse("1234567")}
	other := report.Amounts{"memory": resource.MustParse("2Gi")}
	for _, test := range []struct{ got, want string }{
		{a.Text("cpu"), "1500m"}, {a.Text("memory"), "1610612736"}, {a.Text("x"), ""},
		{a.Short("cpu"), "1500m"}, {a.Short("x"), ""},
		{a.ShortLike("memory", other), "1536Mi"}, {a.ShortLike("x", other), ""},
	} {
		testkit.Equal(t, test.got, test.want)
	}
	if text, err := a.MarshalJSON(); err != nil || string(text) != `{"cpu":"1500m","memory":"1610612736","pods":"1234567"}` {
		t.Errorf("%s %v", text, err)
	}
}

// Where a default of an amount is from.
func TestDefaultOf(t *testing.T) {
	r, _ := of(report.Options{}, limits("default: {cpu: 2}, defaultRequest: {cpu: 1}"), document("Pod", "name: p", spec("initContainers: [{name: i, resources: {limits: {cpu: 1}}}], containers: [{name: app}]")))
	w := r.Workloads[0]
	app, init := w.Containers[1].Ref, w.Containers[0].Ref
	if d := w.DefaultOf(app, computeresources.Requests, "cpu"); d == nil || d.To.String() != "1" || d.Source.Name != "lr" {
		t.Errorf("request %v", d)
	}
	if d := w.DefaultOf(app, computeresources.Limits, "cpu"); d == nil || d.To.String() != "2" {
		t.Errorf("limit %v", d)
	}
	if d := w.DefaultOf(init, computeresources.Limits, "cpu"); d != nil {
		t.Errorf("a limit that is set has the default %v", d)
	}
	if d := w.DefaultOf(app, computeresources.Limits, "memory"); d != nil {
		t.Errorf("no limit has the default %v", d)
	}
	if r.Rejects() || len(r.All()) != 1 || r.All()[0].Name != "p" {
		t.Errorf("%v", r.All())
	}
}

// The sums are those of the release.
func TestSumsOfReleases(t *testing.T) {
	pod := document("Pod", "name: p", spec("resources: {requests: {cpu: 4}, limits: {cpu: 4, memory: 1Gi}}, containers: [{name: app, resources: {requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 1, memory: 1Gi}}}]"))
	// One container is resized from 1 CPU to 2, and the other from 2 to 1: since 1.37, both at once.
	resized := document("Pod", "name: r, uid: r", spec("containers: [{name: a, resources: {requests: {cpu: 2}}}, {name: b, resources: {requests: {cpu: 1}}}]"),
		status("phase: Running, containerStatuses: [{name: a, allocatedResources: {cpu: 1}, resources: {requests: {cpu: 1}}}, {name: b, allocatedResources: {cpu: 2}, resources: {requests: {cpu: 2}}}]"))
	for release, want := range map[string]string{"1.37": "3", "1.36": "4"} {
		r, _ := of(report.Options{Kubernetes: computeresources.Kubernetes{Release: release}}, resized)
		testkit.Equal(t, r.Workloads[0].Pod.Requests.Text("cpu"), want, "a resize in", release)
	}
	for release, want := range map[string]string{"1.37": "4", "1.33": "1"} {
		r, _ := of(report.Options{Kubernetes: computeresources.Kubernetes{Release: release}}, pod, quota("q", "requests.cpu: 9", "requests.cpu: 0"))
		w := r.Workloads[0]
		if got := w.Pod.Requests.Text("cpu"); got != want || r.Totals.Requests.Text("cpu") != want || w.Quotas[0].Asked.Text("requests.cpu") != want {
			t.Errorf("%s: %s, want %s; of the quota %v", release, got, want, w.Quotas[0].Asked)
		}
	}
}

// A class that is not in a cluster whose classes are known refuses the pod. Those that the user may not list are not known.
func TestUnknownClass(t *testing.T) {
	manifests := []string{document("Pod", "name: p", spec("priorityClassName: high, "+container("1"))), document("Pod", "name: q", spec(container("1")))}
	for _, test := range []struct {
		opts   manifest.Options
		broken string
		less   []objects.Object
		want   bool
	}{
		{manifest.Options{Home: "home", Asked: true}, "", nil, true}, {manifest.Options{Home: "home", Strict: true}, "", nil, false},
		{manifest.Options{Home: "home", Asked: true}, "a: [\n", nil, false},
		{manifest.Options{Home: "home", Asked: true}, "apiVersion: kueue.x-k8s.io/v1beta1\nkind: LocalQueue\nmetadata: {name: l}\n", nil, true},
		{manifest.Options{Home: "home", Asked: true}, "", []objects.Object{objects.LeftOut("kubectl get", "you may not list priorityclasses", false)}, false},
	} {
		all := slices.AppendSeq(test.less, reader(append(manifests[:2:2], test.broken)...))
		in := manifest.Of(slices.Values(all), test.opts)
		r := report.Of(in, report.Options{})
		if got := r.Workloads[0].Rejection != nil; got != test.want || r.Workloads[1].Rejection != nil {
			t.Errorf("%+v %q: rejected %v", test.opts, test.broken, got)
		}
	}
}

// An object without pods may be all that is rejected.
func TestRejects(t *testing.T) {
	claims := []string{quota("q", "persistentvolumeclaims: 0", "persistentvolumeclaims: 0"), document("PersistentVolumeClaim", "name: c", spec("resources: {requests: {storage: 1Gi}}")), deployment("d", 1, "1")}
	r, _ := of(report.Options{}, claims...)
	if all := r.All(); !r.Rejects() || len(all) != 2 || all[0].Name != "d" || all[1].Name != "c" {
		t.Errorf("%v", all)
	}
	if r, _ := of(report.Options{}, claims[1:]...); r.Rejects() {
		t.Error("a claim without a quota is rejected")
	}
}

// A live pod keeps its class, so that no change of its amounts is advised; a manifest has no class yet.
func TestAdviceOfLivePods(t *testing.T) {
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: app, resources: {requests: {cpu: 1}}}]}\n"
	for status, want := range map[string]bool{"": true, "status: {phase: Running, qosClass: BestEffort}\n": false, "status: {phase: Running, qosClass: Burstable}\n": true} {
		r := reportOn(pod + status)
		if q := r.Workloads[0].QoS; len(q.Advice) > 0 != want {
			t.Errorf("%q: %+v", status, q)
		}
	}
}
