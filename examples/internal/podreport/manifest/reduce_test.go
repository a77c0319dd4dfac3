package manifest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
)

// jsonOf returns an object as JSON, with its fields in order.
func jsonOf(t *testing.T, object any) any {
	t.Helper()
	text, err := json.Marshal(object)
	testkit.OK(t, err)
	var fields any
	testkit.OK(t, json.Unmarshal(text, &fields))
	return fields
}

// What counts of a pod stays, and what every object of a cluster has besides goes.
func TestReducedPod(t *testing.T) {
	const keeps = `"resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "2"}}, "resizePolicy": [{"resourceName": "cpu", "restartPolicy": "NotRequired"}]`
	const state = `"resources": {"requests": {"cpu": "1"}}, "allocatedResources": {"cpu": "1"}`
	const other = `"image": "i", "env": [{"name": "E", "value": "e"}], `
	const stays = `"initContainers": [{"name": "init", "restartPolicy": "Always", ` + other + keeps + `}], "containers": [{"name": "app", ` + other + keeps + `}],
		"resources": {"requests": {"memory": "1Gi"}}, "overhead": {"cpu": "1m"}, "restartPolicy": "Never", "activeDeadlineSeconds": 5, "nodeName": "one",
		"nodeSelector": {"a": "b"}, "affinity": {"podAffinity": {}, "podAntiAffinity": {}}, "priorityClassName": "high", "priority": 7, "runtimeClassName": "kata",
		"resourceClaims": [{"name": "c", "resourceClaimName": "d"}], "hostNetwork": true, "os": {"name": "linux"}, "schedulingGates": [{"name": "g"}]`
	in := input(`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "uid": "u", "labels": {"a": "b"}, "finalizers": ["f"],
		"annotations": {"a": "b"}},
		"spec": {` + stays + `, "serviceAccountName": "s", "terminationGracePeriodSeconds": 3, "tolerations": [{"key": "k"}]},
		"status": {"phase": "Running", "qosClass": "Burstable", "hostIP": "1.2.3.4", "message": "m",
		"conditions": [{"type": "Ready", "status": "True"}, {"type": "PodResizePending", "status": "True"}, {"type": "PodResizeInProgress", "status": "True"}],
		"resize": "Proposed", "allocatedResources": {"cpu": "3"}, "resources": {"requests": {"cpu": "4"}},
		"containerStatuses": [{"name": "app", "restartCount": 5, ` + state + `}], "initContainerStatuses": [{"name": "init", "image": "i", ` + state + `}],
		"resourceClaimStatuses": [{"name": "c", "resourceClaimName": "e"}], "extendedResourceClaimStatus": {"resourceClaimName": "x", "requestMappings": []}}}`)
	if len(in.Workloads) != 1 {
		t.Fatal(in.Problems)
	}
	got := jsonOf(t, in.Workloads[0].Pod)
	const zero = `"restartCount": 0, "ready": false, "image": "", "imageID": ""`
	want := jsonOf(t, json.RawMessage(`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "home", "uid": "u"},
		"spec": {`+strings.ReplaceAll(stays, other, "")+`}, "status": {"phase": "Running", "qosClass": "Burstable",
		"conditions": [{"type": "PodResizePending", "status": "True", "lastProbeTime": null, "lastTransitionTime": null}, {"type": "PodResizeInProgress", "status": "True", "lastProbeTime": null, "lastTransitionTime": null}],
		"resize": "Proposed", "allocatedResources": {"cpu": "3"}, "resources": {"requests": {"cpu": "4"}},
		"containerStatuses": [{"name": "app", "state": {}, "lastState": {}, `+zero+`, `+state+`}], "initContainerStatuses": [{"name": "init", "state": {}, "lastState": {}, `+zero+`, `+state+`}],
		"resourceClaimStatuses": [{"name": "c", "resourceClaimName": "e"}], "extendedResourceClaimStatus": {"resourceClaimName": "x", "requestMappings": []}}}`))
	testkit.NoDiff(t, dropKinds(got), want)
}

// Affinity to pods, or against them, decides a scope of quotas; that to nodes does not.
func TestReducedAffinity(t *testing.T) {
	for affinity, want := range map[string]string{"podAffinity: {}": "true false", "podAntiAffinity: {}": "false true", "nodeAffinity: {}, podAntiAffinity: {}": "false true", "nodeAffinity: {}": "none"} {
		got := "none"
		if a := input(document("Pod", "name: p", spec("affinity: {"+affinity+"}, "+container))).Workloads[0].Pod.Spec.Affinity; a != nil {
			got = fmt.Sprint(a.PodAffinity != nil, " ", a.PodAntiAffinity != nil)
			if a.NodeAffinity != nil {
				t.Errorf("%s: %v", affinity, a.NodeAffinity)
			}
		}
		testkit.Equal(t, got, want, affinity)
	}
}

// dropKinds makes an object that was decoded without its kind equal to one with it.
func dropKinds(object any) any {
	fields := object.(map[string]any)
	fields["apiVersion"], fields["kind"] = "v1", "Pod"
	delete(fields["metadata"].(map[string]any), "creationTimestamp")
	return fields
}

// Containers without amounts and conditions are dropped from a status.
func TestReducedStatus(t *testing.T) {
	in := input(document("Pod", "name: p, uid: u", spec(container), status("phase: Running, containerStatuses: [{name: app, restartCount: 3}], conditions: [{type: Ready, status: 'True'}]")))
	s := &in.Workloads[0].Pod.Status
	if s.ContainerStatuses != nil || s.Conditions != nil || s.Phase != "Running" {
		t.Errorf("%+v", s)
	}
	for _, amounts := range []string{"allocatedResources: {cpu: 1}", "resources: {requests: {cpu: 1}}"} {
		in := input(document("Pod", "name: p, uid: u", spec("containers: [{name: app}, {name: b}]"), status("phase: Running, containerStatuses: [{name: app, "+amounts+"}, {name: b}]")))
		if s := in.Workloads[0].Pod.Status.ContainerStatuses; len(s) != 2 || s[0].Name != "app" || s[1].Name != "b" {
			t.Errorf("%s: %+v", amounts, s)
		}
	}
}

// Of the object, too, only what counts stays.
func TestReducedObject(t *testing.T) {
	const rest = "uid: u, labels: {a: b}, annotations: {c: d}, finalizers: [f], managedFields: [{manager: m}], ownerReferences: [{kind: K, name: k}]"
	for _, kind := range []string{"Deployment", "StatefulSet", "ReplicaSet", "ReplicationController", "DaemonSet", "Job", "CronJob"} {
		const begins = "template: {metadata: {labels: {a: b}, annotations: {c: d}, finalizers: [f], managedFields: [{manager: m}], ownerReferences: [{kind: K, name: k}]}, spec"
		fields := "selector: {matchLabels: {a: b}}, " + begins + ": {dnsPolicy: None, " + container + "}}"
		state := status("observedGeneration: 5, replicas: 2, updatedReplicas: 2")
		switch kind {
		case "ReplicationController":
			fields = "selector: {a: b}, " + begins + ": {dnsPolicy: None, " + container + "}}"
		case "DaemonSet":
			state = status("observedGeneration: 5, currentNumberScheduled: 1, desiredNumberScheduled: 1")
		case "Job":
			state = status("active: 1")
		case "CronJob":
			fields, state = "jobTemplate: {spec: {"+fields+"}}", status("active: [{name: j}]")
		}
		in := input(document(kind, "name: w, "+rest, spec(fields), state))
		if len(in.Workloads) != 1 {
			t.Fatal(kind, in.Problems)
		}
		object := jsonOf(t, in.Workloads[0].Typed).(map[string]any)
		meta, spec := object["metadata"].(map[string]any), object["spec"].(map[string]any)
		delete(meta, "creationTimestamp")
		testkit.NoDiff(t, meta, map[string]any{"name": "w", "namespace": "home", "uid": "u"}, kind, "metadata")
		if is, _ := object["status"].(map[string]any); is["observedGeneration"] != nil || is["active"] != nil || is["replicas"] != nil && is["replicas"] != 0. {
			t.Errorf("%s: %v", kind, is)
		}
		if kind == "CronJob" {
			spec = spec["jobTemplate"].(map[string]any)["spec"].(map[string]any)
		} else if spec["selector"] != nil {
			t.Errorf("%s: selects %v", kind, spec["selector"])
		}
		pod := spec["template"].(map[string]any)
		delete(pod["metadata"].(map[string]any), "creationTimestamp")
		if len(pod["metadata"].(map[string]any)) > 0 || pod["spec"].(map[string]any)["dnsPolicy"] != nil {
			t.Errorf("%s: the template is %v", kind, pod)
		}
	}
}

// Pods of an owner are one if they differ only in names, nodes and times, as the pods of a DaemonSet do.
func TestSharedPods(t *testing.T) {
	of := func(name, meta, fields string) string {
		return document("Pod", "name: "+name+", uid: "+name+", ownerReferences: [{controller: true, kind: StatefulSet, name: s, uid: s}]"+meta, spec(fields+container), status("phase: Running"))
	}
	const pinned = "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [two]}]}]}}}, "
	in := input(of("a", ", generation: 1, creationTimestamp: '2026-01-01T00:00:00Z', generateName: a-, resourceVersion: '1'", "nodeName: one, "), of("b", ", generation: 2, creationTimestamp: '2026-01-02T00:00:00Z'", "nodeName: two, "+pinned), of("c", "", "priority: 3, "))
	m := in.Workloads[0].Members
	if len(m) != 3 || m[0].Pod != m[1].Pod || m[0].Pod == m[2].Pod || m[0].Node != "one" || m[1].Node != "two" || m[2].Node != "" {
		t.Errorf("%+v", m)
	}
	if in.Workloads[0].Pod != m[0].Pod {
		t.Error("the pod of the owner is not the first")
	}
}

// Containers with equal amounts share the list.
func TestSharedLists(t *testing.T) {
	const amounts = "resources: {requests: {cpu: 1}, limits: {cpu: 2}}"
	in := input(document("Pod", "name: p", spec("initContainers: [{name: i, "+amounts+"}], containers: [{name: a, "+amounts+"}]")))
	pod := in.Workloads[0].Pod.Spec
	pod.Containers[0].Resources.Requests["x"], pod.Containers[0].Resources.Limits["x"] = pod.Overhead["x"], pod.Overhead["x"]
	first := pod.InitContainers[0].Resources
	if len(first.Requests) != 2 || len(first.Limits) != 2 || first.Requests.Cpu().String() != "1" || first.Limits.Cpu().String() != "2" {
		t.Errorf("%+v", first)
	}
}
