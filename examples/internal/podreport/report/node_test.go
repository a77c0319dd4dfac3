package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/internal/testkit"
)

// placed describes where pods are, in lines.
func placed(r *report.Report) (lines []string) {
	for i := range r.Workloads {
		w := r.Workloads[i]
		line := w.Title() + ":"
		for _, on := range w.Nodes {
			line += fmt.Sprintf(" %d on %s,", on.Pods, on.Node)
		}
		if w.Room != nil {
			line += fmt.Sprintf(" room for %d on %q, then lacks %s", w.Room.Fit, w.Room.Node, list(w.Room.Stops))
		}
		lines = append(lines, line)
	}
	for _, n := range r.Nodes {
		line := fmt.Sprintf("node %q: %d pods, %s of %s", n.Name, n.Pods, list(n.Requested), list(n.Allocatable))
		if len(n.Missing) > 0 {
			line += ", lacks " + list(n.Missing)
		}
		if n.Cordoned {
			line += ", cordoned"
		}
		lines = append(lines, line)
	}
	for _, u := range r.Unplaced {
		lines = append(lines, fmt.Sprintf("unplaced: %d of %s %s: %s", u.Pods, u.Kind, u.Name, u.Message))
	}
	return append(lines, findings(r)...)
}

// node has so much CPU, and 8Gi of memory.
func node(name, cpu, more string) string {
	return document("Node", "name: "+name+more, status("allocatable: {cpu: "+cpu+", memory: 8Gi, pods: 9}"))
}

// On which nodes pods are.
func TestPlaces(t *testing.T) {
	onNode := func(name, node, cpu string) string {
		return document("Pod", "name: "+name, spec("nodeName: "+node+", "+container(cpu)))
	}
	live := func(name, node, phase string) string {
		return document("Pod", "name: "+name+", uid: "+name+", ownerReferences: [{controller: true, kind: StatefulSet, name: s, uid: s}]", spec("nodeName: "+node+", "+container("1")), status("phase: "+phase))
	}
	high := func(name, cpu, priority string) string {
		return document("Pod", "name: "+name, spec("priority: "+priority+", "+container(cpu)))
	}
	cordoned := document("Node", "name: c", spec("unschedulable: true"), status("allocatable: {cpu: 9, memory: 8Gi, pods: 9}"))
	check(t, report.Options{}, []scene{
		{"the first node by name that has room", []string{node("b", "4", ""), node("a", "3", ""), deployment("d", 3, "2")}, `
			Deployment d: 1 on a, 2 on b, room for 1 on "a", then lacks cpu 1
			node "b": 2 pods, cpu 4, pods 2 of cpu 4, memory 8Gi, pods 9
			node "a": 1 pods, cpu 2, pods 1 of cpu 3, memory 8Gi, pods 9`},
		{"some find no room", []string{node("a", "3", ""), node("b", "3", ""), deployment("d", 4, "2")}, `
			Deployment d: 1 on a, 1 on b, room for 1 on "a", then lacks cpu 1
			node "a": 1 pods, cpu 2, pods 1 of cpu 3, memory 8Gi, pods 9
			node "b": 1 pods, cpu 2, pods 1 of cpu 3, memory 8Gi, pods 9
			unplaced: 2 of Deployment d: 0/2 nodes are available: 2 Insufficient cpu.`},
		{"a node that is cordoned", []string{node("a", "3", ""), cordoned, deployment("d", 2, "2"), onNode("p", "c", "1")}, `
			Deployment d: 1 on a, room for 1 on "a", then lacks cpu 1
			Pod p: 1 on c, room for 9 on "c", then lacks cpu 1, pods 1
			node "a": 1 pods, cpu 2, pods 1 of cpu 3, memory 8Gi, pods 9
			node "c": 1 pods, cpu 1, pods 1 of cpu 9, memory 8Gi, pods 9, cordoned
			unplaced: 1 of Deployment d: 0/1 nodes are available: 1 Insufficient cpu. 1 more cordoned.`},
		{"a DaemonSet, whose pods tolerate that a node is cordoned", []string{node("a", "3", ""), cordoned, document("DaemonSet", "name: e", spec(template("1")))}, `
			DaemonSet e: 1 on a, 1 on c, room for 3 on "a", then lacks cpu 1
			node "a": 1 pods, cpu 1, pods 1 of cpu 3, memory 8Gi, pods 9
			node "c": 1 pods, cpu 1, pods 1 of cpu 9, memory 8Gi, pods 9, cordoned`},
		{"the higher priority by class first, and the default one before", []string{node("a", "2", ""), node("b", "1", ""), document("PriorityClass", "name: high", "value: 9"), document("PriorityClass", "name: usual", "value: 5", "globalDefault: true"), document("PriorityClass", "name: low", "value: 4"),
			document("Pod", "name: low", spec("priorityClassName: low, "+container("1"))), document("Pod", "name: usual", spec(container("1"))), document("Pod", "name: high", spec("priorityClassName: high, "+container("2")))}, `
			Pod low: room for 2 on "a", then lacks cpu 1
			Pod usual: 1 on b, room for 1 on "b", then lacks cpu 1
			Pod high: 1 on a, room for 1 on "a", then lacks cpu 2
			node "a": 1 pods, cpu 2, pods 1 of cpu 2, memory 8Gi, pods 9
			node "b": 1 pods, cpu 1, pods 1 of cpu 1, memory 8Gi, pods 9
			unplaced: 1 of Pod low: 0/2 nodes are available: 2 Insufficient cpu.`},
		{"the higher priority first", []string{node("a", "2", ""), node("b", "1", ""), high("low", "1", "-1"), deployment("d", 1, "1"), high("high", "2", "9")}, `
			Pod low: room for 2 on "a", then lacks cpu 1
			Deployment d: 1 on b, room for 1 on "b", then lacks cpu 1
			Pod high: 1 on a, room for 1 on "a", then lacks cpu 2
			node "a": 1 pods, cpu 2, pods 1 of cpu 2, memory 8Gi, pods 9
			node "b": 1 pods, cpu 1, pods 1 of cpu 1, memory 8Gi, pods 9
			unplaced: 1 of Pod low: 0/2 nodes are available: 2 Insufficient cpu.`},
		{"pods that name their nodes", []string{node("a", "3", ""), node("b", "3", ""), onNode("p", "b", "2"), onNode("q", "a", "4"), onNode("r", "gone", "1"), deployment("d", 1, "1")}, `
			Pod p: 1 on b, room for 1 on "b", then lacks cpu 1
			Pod q: 1 on a, room for 0 on "a", then lacks cpu 1
			Pod r: 1 on gone, room for 3 on "a", then lacks cpu 1
			Deployment d: 1 on b, room for 3 on "b", then lacks cpu 1
			node "a": 1 pods, cpu 4, pods 1 of cpu 3, memory 8Gi, pods 9, lacks cpu 1
			node "b": 2 pods, cpu 3, pods 2 of cpu 3, memory 8Gi, pods 9`},
		{"a pod that has not become smaller yet", []string{node("a", "3", ""), node("b", "3", ""), document("Pod", "name: p, uid: p", spec("nodeName: a, "+container("1")), status("phase: Running, containerStatuses: [{name: app, allocatedResources: {cpu: 2}, resources: {requests: {cpu: 2}}}]"))}, `
			Pod p: 1 on a, room for 1 on "a", then lacks cpu 1
			node "a": 1 pods, cpu 2, pods 1 of cpu 3, memory 8Gi, pods 9
			node "b": 0 pods,  of cpu 3, memory 8Gi, pods 9`},
		{"pods of the cluster", []string{node("a", "3", ""), node("b", "3", ""), document("StatefulSet", "name: s, uid: s", spec("replicas: 4, "+template("1")), status("replicas: 3")), live("s-0", "b", "Running"), live("s-1", "a", "Running"), live("s-2", "b", "Running"), live("s-3", "b", "Failed")}, `
			StatefulSet s: 2 on a, 2 on b, room for 3 on "b", then lacks cpu 1
			node "a": 2 pods, cpu 2, pods 2 of cpu 3, memory 8Gi, pods 9
			node "b": 2 pods, cpu 2, pods 2 of cpu 3, memory 8Gi, pods 9`},
		{"a DaemonSet", []string{node("a", "3", ", labels: {zone: z}"), node("b", "3", ""), node("c", "3", ", labels: {zone: z}"), document("DaemonSet", "name: e", spec("template: {spec: {nodeSelector: {zone: z}, "+container("1")+"}}"))}, `
			DaemonSet e: 1 on a, 1 on c, room for 3 on "a", then lacks cpu 1
			node "a": 1 pods, cpu 1, pods 1 of cpu 3, memory 8Gi, pods 9
			node "b": 0 pods,  of cpu 3, memory 8Gi, pods 9
			node "c": 1 pods, cpu 1, pods 1 of cpu 3, memory 8Gi, pods 9`},
		{"a DaemonSet that does not fit into a quota", []string{node("a", "3", ""), node("b", "3", ""), quota("q", "pods: 1", "pods: 0"), document("DaemonSet", "name: e", spec(template("1")))}, `
			DaemonSet e: 1 on a, room for 3 on "a", then lacks cpu 1
			node "a": 1 pods, cpu 1, pods 1 of cpu 3, memory 8Gi, pods 9
			node "b": 0 pods,  of cpu 3, memory 8Gi, pods 9`},
		{"a DaemonSet with more pods than there are nodes", []string{node("a", "3", ""), node("b", "3", ""), document("DaemonSet", "name: e, uid: e", spec(template("1")), status("currentNumberScheduled: 3, desiredNumberScheduled: 3"))}, `
			DaemonSet e: 2 on a, 1 on b, room for 3 on "a", then lacks cpu 1
			node "a": 2 pods, cpu 2, pods 2 of cpu 3, memory 8Gi, pods 9
			node "b": 1 pods, cpu 1, pods 1 of cpu 3, memory 8Gi, pods 9`},
		{"a DaemonSet that lacks a pod, which goes to the node without one", []string{node("a", "3", ""), node("b", "3", ""), document("DaemonSet", "name: s, uid: s", spec(template("1")), status("currentNumberScheduled: 1, desiredNumberScheduled: 2")), strings.Replace(live("s-0", "a", "Running"), "StatefulSet", "DaemonSet", 1)}, `
			DaemonSet s: 1 on a, 1 on b, room for 3 on "a", then lacks cpu 1
			node "a": 1 pods, cpu 1, pods 1 of cpu 3, memory 8Gi, pods 9
			node "b": 1 pods, cpu 1, pods 1 of cpu 3, memory 8Gi, pods 9`},
		{"a pod of a DaemonSet that waits for its node", []string{node("a", "3", ""), node("b", "3", ""), document("DaemonSet", "name: s, uid: s", spec(template("1")), status("currentNumberScheduled: 1, desiredNumberScheduled: 1")),
			document("Pod", "name: s-b, uid: s-b, ownerReferences: [{controller: true, kind: DaemonSet, name: s, uid: s}]", spec("affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [b]}]}]}}}, "+container("1")), status("phase: Pending"))}, `
			DaemonSet s: 1 on b, room for 3 on "b", then lacks cpu 1
			node "a": 0 pods,  of cpu 3, memory 8Gi, pods 9
			node "b": 1 pods, cpu 1, pods 1 of cpu 3, memory 8Gi, pods 9`},
		{"a pod that may be on two nodes", []string{node("a", "3", ""), node("b", "3", ""),
			document("Pod", "name: p", spec("affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [b, a]}]}]}}}, "+container("1")))}, `
			Pod p: 1 on a, room for 3 on "a", then lacks cpu 1
			node "a": 1 pods, cpu 1, pods 1 of cpu 3, memory 8Gi, pods 9
			node "b": 0 pods,  of cpu 3, memory 8Gi, pods 9`},
		{"a pod that may not be on a node, or be on another", []string{node("a", "3", ""), node("b", "3", ""),
			document("Pod", "name: p", spec("affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: NotIn, values: [b]}]}]}}}, "+container("1"))),
			document("Pod", "name: q", spec("affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [b]}]}, {matchExpressions: [{key: a, operator: Exists}]}]}}}, "+container("1")))}, `
			Pod p: 1 on a, room for 3 on "a", then lacks cpu 1
			Pod q: 1 on a, room for 3 on "a", then lacks cpu 1
			node "a": 2 pods, cpu 2, pods 2 of cpu 3, memory 8Gi, pods 9
			node "b": 0 pods,  of cpu 3, memory 8Gi, pods 9`},
		{"a resource that devices provide", []string{node("a", "3", ""), node("b", "3", ""), document("DeviceClass", "name: gpu", spec("extendedResourceName: example.com/gpu")),
			document("Pod", "name: p", spec("containers: [{name: app, resources: {requests: {cpu: 1, example.com/gpu: 1}, limits: {example.com/gpu: 1}}}]"))}, `
			Pod p: 1 on a, room for 3 on "a", then lacks cpu 1
			node "a": 1 pods, cpu 1, pods 1, example.com/gpu 1 of cpu 3, memory 8Gi, pods 9
			node "b": 0 pods,  of cpu 3, memory 8Gi, pods 9`},
		{"more of a resource of devices than the only node has", []string{document("Node", "name: a", status("allocatable: {cpu: 3, memory: 8Gi, pods: 9, example.com/gpu: 1}")),
			document("DeviceClass", "name: gpu", spec("extendedResourceName: example.com/gpu")),
			document("Deployment", "name: d", spec("replicas: 2, template: {spec: {containers: [{name: app, resources: {limits: {cpu: 1, example.com/gpu: 1}}}]}}"))}, `
			Deployment d: 2 on a, room for 1 on "", then lacks example.com/gpu 1
			node "a": 2 pods, cpu 2, pods 2, example.com/gpu 2 of cpu 3, memory 8Gi, pods 9, example.com/gpu 1, lacks example.com/gpu 1`},
		{"pods of a former template", []string{node("a", "3", ""), node("b", "3", ""), document("StatefulSet", "name: s, uid: s", spec("replicas: 3, "+template("2500m")), status("replicas: 2")), live("s-0", "b", "Running"), live("s-1", "b", "Running")}, `
			StatefulSet s: 1 on a, 2 on b, room for 1 on "b", then lacks cpu 2
			node "a": 1 pods, cpu 2500m, pods 1 of cpu 3, memory 8Gi, pods 9
			node "b": 2 pods, cpu 2, pods 2 of cpu 3, memory 8Gi, pods 9`},
		{"pods of a ReplicaSet of the input", []string{node("a", "5", ""), node("b", "3", ""), document("Deployment", "name: d, uid: d", spec("replicas: 3, "+template("1")), status("replicas: 2, updatedReplicas: 2")),
			document("ReplicaSet", "name: s, uid: s, ownerReferences: [{controller: true, kind: Deployment, name: d, uid: d}]", spec("replicas: 3, "+template("1")), status("replicas: 2")),
			strings.Replace(live("s-0", "b", "Running"), "StatefulSet", "ReplicaSet", 1), strings.Replace(live("s-1", "b", "Running"), "StatefulSet", "ReplicaSet", 1)}, `
			Deployment d: 1 on a, 2 on b, room for 3 on "b", then lacks cpu 1
			node "a": 1 pods, cpu 1, pods 1 of cpu 5, memory 8Gi, pods 9
			node "b": 2 pods, cpu 2, pods 2 of cpu 3, memory 8Gi, pods 9`},
		{"one node has all", []string{node("a", "3", ""), deployment("d", 2, "2"), onNode("p", "b", "1")}, `
			Deployment d: 2 on a, room for 1 on "", then lacks cpu 1
			Pod p: 1 on b, room for 3 on "", then lacks cpu 1
			node "a": 2 pods, cpu 4, pods 2 of cpu 3, memory 8Gi, pods 9, lacks cpu 1`},
		{"rejected pods are nowhere", []string{node("a", "3", ""), node("b", "3", ""), limits("max: {cpu: 1}"), deployment("d", 2, "2"), deployment("e", 1, "1")}, `
			Deployment d: room for 1 on "a", then lacks cpu 1
			Deployment e: 1 on a, room for 3 on "a", then lacks cpu 1
			node "a": 1 pods, cpu 1, pods 1 of cpu 3, memory 8Gi, pods 9
			node "b": 0 pods,  of cpu 3, memory 8Gi, pods 9`},
		{"what does not run is nowhere", []string{node("a", "3", ""), node("b", "3", ""), limits("max: {cpu: 1}"), document("DaemonSet", "name: e", spec(template("2"))),
			document("Pod", "name: p", spec("nodeName: a, "+container("1")), status("phase: Succeeded"))}, `
			DaemonSet e: room for 1 on "a", then lacks cpu 1
			Pod p: room for 3 on "a", then lacks cpu 1
			node "a": 0 pods,  of cpu 3, memory 8Gi, pods 9
			node "b": 0 pods,  of cpu 3, memory 8Gi, pods 9`},
		{"what no node has", []string{node("a", "3", ""), node("b", "3", ""), document("Pod", "name: p", spec("containers: [{name: app, resources: {requests: {cpu: 1, example.com/gpu: 1}, limits: {example.com/gpu: 1}}}]"))}, `
			Pod p: room for 0 on "a", then lacks example.com/gpu 1
			node "a": 0 pods,  of cpu 3, memory 8Gi, pods 9
			node "b": 0 pods,  of cpu 3, memory 8Gi, pods 9
			unplaced: 1 of Pod p: 0/2 nodes are available: 2 Insufficient example.com/gpu.`},
		{"the only node is cordoned", []string{cordoned, deployment("d", 1, "1")}, `
			Deployment d: 1 on c, room for 9 on "", then lacks cpu 1, pods 1
			node "c": 1 pods, cpu 1, pods 1 of cpu 9, memory 8Gi, pods 9, cordoned`},
		{"less than a resource of devices needs", []string{node("a", "3", ""), node("b", "3", ""), document("DeviceClass", "name: gpu", spec("extendedResourceName: example.com/gpu")),
			document("Pod", "name: p", spec("containers: [{name: app, resources: {requests: {cpu: 4, example.com/gpu: 1}, limits: {example.com/gpu: 1}}}]"))}, `
			Pod p: room for 0 on "a", then lacks cpu 1
			node "a": 0 pods,  of cpu 3, memory 8Gi, pods 9
			node "b": 0 pods,  of cpu 3, memory 8Gi, pods 9
			unplaced: 1 of Pod p: 0/2 nodes are available: 2 Insufficient cpu.`},
		{"no room for pods", []string{document("Node", "name: a", status("allocatable: {cpu: 9, memory: 8Gi, pods: 0}")), deployment("d", 1, "1")}, `
			Deployment d: 1 on a, room for 0 on "", then lacks pods 1
			node "a": 1 pods, cpu 1, pods 1 of cpu 9, memory 8Gi, pods 0, lacks pods 1`},
		{"the number of pods", []string{document("Node", "name: a", status("allocatable: {cpu: 9, memory: 8Gi, pods: 2}")), document("Node", "name: b", status("allocatable: {cpu: 9, memory: 8Gi}")), deployment("d", 3, "1")}, `
			Deployment d: 2 on a, 1 on b, room for 2 on "a", then lacks pods 1
			node "a": 2 pods, cpu 2, pods 2 of cpu 9, memory 8Gi, pods 2
			node "b": 1 pods, cpu 1, pods 1 of cpu 9, memory 8Gi, pods 110`},
	}, placed)
}

// The node that the arguments define, or whose amounts they replace.
func TestSizes(t *testing.T) {
	opts := func(cpu, memory string) (opts report.Options) {
		if cpu != "" {
			if err := opts.Size.SetCPU(cpu); err != nil {
				t.Error(err)
			}
		}
		if memory != "" {
			if err := opts.Size.SetMemory(memory); err != nil {
				t.Error(err)
			}
		}
		return opts
	}
	gpu := document("Pod", "name: p", spec("containers: [{name: app, resources: {requests: {cpu: 1, memory: 4Gi, example.com/gpu: 2}, limits: {example.com/gpu: 2}}}]"))
	check(t, opts("4", ""), []scene{
		{"a DaemonSet", []string{document("DaemonSet", "name: e", spec(template("1")))}, `
			DaemonSet e: room for 4 on "", then lacks cpu 1
			node "": 1 pods, cpu 1, pods 1 of cpu 4, memory 16Gi, pods 110`},
		{"cpu", []string{gpu, deployment("d", 2, "2")}, `
			Pod p: room for 4 on "", then lacks cpu 1, memory 4Gi
			Deployment d: room for 2 on "", then lacks cpu 2
			node "": 3 pods, cpu 5, memory 4Gi, pods 3, example.com/gpu 2 of cpu 4, memory 16Gi, pods 110, lacks cpu 1`},
		{"a request that the arguments do not limit", []string{document("Pod", "name: p", spec("containers: [{name: app, resources: {requests: {cpu: 1, ephemeral-storage: 1Gi}}}]"))}, `
			Pod p: room for 4 on "", then lacks cpu 1
			node "": 1 pods, cpu 1, pods 1, ephemeral-storage 1Gi of cpu 4, memory 16Gi, pods 110`},
		{"cpu of the first node", []string{node("b", "9", ""), node("a", "9", ""), gpu, deployment("d", 2, "2")}, `
			Pod p: 1 on b, room for 0 on "", then lacks example.com/gpu 2
			Deployment d: 2 on b, room for 2 on "", then lacks cpu 2
			node "b": 3 pods, cpu 5, memory 4Gi, pods 3, example.com/gpu 2 of cpu 4, memory 8Gi, pods 9, lacks cpu 1, example.com/gpu 2`},
	}, placed)
	check(t, opts("4", "2Gi"), []scene{
		{"cpu and memory", []string{gpu}, `
			Pod p: room for 0 on "", then lacks memory 2Gi
			node "": 1 pods, cpu 1, memory 4Gi, pods 1, example.com/gpu 2 of cpu 4, memory 2Gi, pods 110, lacks memory 2Gi`},
	}, placed)
	check(t, opts("", "2Gi"), []scene{
		{"memory alone", []string{gpu}, `
			Pod p:`},
		{"memory of the first node", []string{node("b", "9", ""), node("a", "9", ""), gpu}, `
			Pod p: 1 on b, room for 0 on "", then lacks memory 2Gi, example.com/gpu 2
			node "b": 1 pods, cpu 1, memory 4Gi, pods 1, example.com/gpu 2 of cpu 9, memory 2Gi, pods 9, lacks memory 2Gi, example.com/gpu 2`},
	}, placed)
}

// The nodes of the input stay as they are, and between workloads the caller is asked: as they are described, created and placed.
func TestInput(t *testing.T) {
	calls := 0
	opts := report.Options{Between: func() { calls++ }}
	if err := opts.Size.SetCPU("4"); err != nil {
		t.Error(err)
	}
	_, in := of(opts, node("a", "9", ""), deployment("d", 1, "1"))
	if cpu := in.Nodes[0].Status.Allocatable.Cpu(); cpu.Value() != 9 || calls != 3 {
		t.Errorf("the node has %v, %d calls", cpu, calls)
	}
	r, in := of(report.Options{}, document("ResourceQuota", "name: q", spec("hard: {requests.cpu: 9}")), deployment("d", 1, "1"))
	testkit.NoDiff(t, verdicts(report.Of(in, report.Options{})), verdicts(r), "again")
}

// An invalid amount of a node is ignored.
func TestInvalidSizes(t *testing.T) {
	var s report.Size
	if s.SetCPU("1x") == nil || s.SetMemory("0") == nil || s != (report.Size{}) {
		t.Errorf("%+v", s)
	}
}

// Pods beyond the number that is placed are told.
func TestMostPlaced(t *testing.T) {
	r, _ := of(report.Options{}, document("Node", "name: a", status("allocatable: {cpu: 1, memory: 1Gi, pods: 2000000000}")), document("Node", "name: b", status("allocatable: {cpu: 1, memory: 1Gi, pods: 9}")),
		deployment("d", 100_001, "0"), deployment("e", 1, "0"), deployment("f", 1, "2"))
	var got []string
	for _, u := range r.Unplaced {
		got = append(got, fmt.Sprint(u.Name, " ", u.Pods, " ", u.Message))
	}
	want := []string{"d 1 more than 100000 pods are not placed", "e 1 more than 100000 pods are not placed", "f 1 0/2 nodes are available: 2 Insufficient cpu."}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, want %q", got, want)
	}
}
