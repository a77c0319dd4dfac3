package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Which pods and objects belong to which workload, and how many pods that makes.
func TestMembers(t *testing.T) {
	set := func(name, owner, more, state string) string {
		return document("ReplicaSet", "name: "+name+", uid: "+name+", ownerReferences: [{controller: true, "+owner+"}]", spec(more+template), status(state))
	}
	job := func(name, owner, fields, state string) string {
		return document("Job", "name: "+name+", uid: "+name+", ownerReferences: [{controller: true, "+owner+"}]", spec(fields+template), status(state))
	}
	deployment := document("Deployment", "name: web, uid: web", spec("replicas: 3, "+template))
	cron := document("CronJob", "name: c, uid: c", spec("jobTemplate: {spec: {parallelism: 2, "+template+"}}"))
	const ofWeb, ofCron = "kind: Deployment, name: web, uid: web", "kind: CronJob, name: c, uid: c"
	check(t, []scene{
		{"a Deployment, its ReplicaSet and its pods", []string{
			deployment, set("web-1", ofWeb, "replicas: 3, ", "replicas: 2"),
			pod("a", "kind: ReplicaSet, name: web-1, uid: web-1", ""), pod("b", "kind: ReplicaSet, name: web-1, uid: web-1", ""),
		}, []string{"Deployment home/web: 3 replicas, of which 2 exist; pods 3, missing 1, live 2, members 3, exists"}},
		{"in another order", []string{
			pod("a", "kind: ReplicaSet, name: web-1, uid: web-1", ""), set("web-1", ofWeb, "replicas: 3, ", "replicas: 1"), deployment,
		}, []string{"Deployment home/web: 3 replicas, of which 1 exist; pods 3, missing 2, live 1, members 2, exists"}},
		{"by name, without the UID", []string{
			document("Deployment", "name: web", spec("replicas: 3, "+template)), set("web-1", "kind: Deployment, name: web", "replicas: 3, ", "replicas: 1"),
			pod("a", "kind: ReplicaSet, name: web-1", ""),
		}, []string{"Deployment home/web: 3 replicas, of which 1 exist; pods 3, missing 2, live 1, members 2, exists"}},
		{"by name, without a UID or a ReplicaSet", []string{document("StatefulSet", "name: s", spec("replicas: 2, "+template)), pod("a", "kind: StatefulSet, name: s", "")},
			[]string{"StatefulSet home/s: 2 replicas, of which 1 exist; pods 2, missing 1, live 1, members 1, exists"}},
		{"by name, without a UID or pods", []string{document("Deployment", "name: web", spec("replicas: 3, "+template)), set("web-1", "kind: Deployment, name: web", "replicas: 3, ", "replicas: 1")},
			[]string{"Deployment home/web: 3 replicas, of which 1 exist; pods 3, missing 2, members 1, exists"}},
		{"a ReplicaSet that was read twice", []string{deployment, set("web-1", ofWeb, "replicas: 3, ", "replicas: 1"), set("web-1", ofWeb, "replicas: 3, ", "replicas: 2")},
			[]string{"Deployment home/web: 3 replicas, of which 2 exist; pods 3, missing 1, members 1, exists", "2: replaced by the one of -, document 3, which has the same name"}},
		{"a manifest of a ReplicaSet does not say its owner", []string{deployment, set("web-1", ofWeb, "replicas: 3, ", "replicas: 1"), document("ReplicaSet", "name: web-1", spec("replicas: 2, "+template))},
			[]string{"Deployment home/web: 3 replicas, of which 1 exist; pods 3, missing 2, members 1, exists", "2: replaced by the one of -, document 3, which has the same name"}},
		{"owners that are not in the input are where the first of their objects is", []string{
			document("Deployment", "name: a", spec(template)), pod("x", "kind: StatefulSet, name: b", ""), document("Deployment", "name: c", spec(template)), pod("z", "kind: StatefulSet, name: b", ""),
		}, []string{
			"Deployment home/a: 1 replica; pods 1", "StatefulSet home/b: 2 pods in the input, without their owner; pods 2, live 2, members 2, exists, a live pod", "Deployment home/c: 1 replica; pods 1",
		}},
		{"only a pod of a DaemonSet, which has ended", []string{
			document("Pod", "name: a, uid: a, ownerReferences: [{controller: true, kind: DaemonSet, name: e, uid: e}]", spec(container), status("phase: Failed")),
		}, []string{"DaemonSet home/e: 1 pod per node, of which 0 exist; pods 1, missing 1, members 1, ended 1, exists, a live pod"}},
		{"the UID decides before the name", []string{
			document("StatefulSet", "name: s, uid: one", spec("replicas: 1, "+template)), document("StatefulSet", "name: t, uid: two", spec("replicas: 1, "+template)),
			pod("a", "kind: StatefulSet, name: s, uid: two", ""),
		}, []string{
			"StatefulSet home/s: 1 replica, of which 0 exist; pods 1, missing 1, exists", "StatefulSet home/t: 1 replica; pods 1, live 1, members 1, exists",
		}},
		{"by the hash, without the ReplicaSet", []string{deployment, pod("a", "kind: ReplicaSet, name: web-7f, uid: r", ", labels: {pod-template-hash: 7f}")},
			[]string{"Deployment home/web: 3 replicas, of which 1 exist; pods 3, missing 2, live 1, members 1, exists"}},
		{"the hash is that of a Deployment only beside a ReplicaSet", []string{
			pod("a", "kind: ReplicaSet, name: web-7f, uid: r", ", labels: {pod-template-hash: 7f}"), pod("b", "kind: Rollout, name: web-7f, uid: s", ", labels: {pod-template-hash: 7f}"),
			pod("c", "kind: ReplicaSet, name: web-7f, uid: t", ", labels: {pod-template-hash: 8f}"), pod("d", "kind: ReplicaSet, name: web-, uid: u", ""),
		}, []string{
			"Deployment home/web: 1 pod in the input, without their owner; pods 1, live 1, members 1, exists, a live pod",
			"Rollout home/web-7f: 1 pod in the input, without their owner; pods 1, live 1, members 1, exists, a live pod",
			"ReplicaSet home/web-7f: 1 pod in the input, without their owner; pods 1, live 1, members 1, exists, a live pod",
			"ReplicaSet home/web-: 1 pod in the input, without their owner; pods 1, live 1, members 1, exists, a live pod",
		}},
		{"a ReplicaSet without its Deployment", []string{set("web-1", ofWeb, "replicas: 3, ", "replicas: 2"), set("web-0", ofWeb, "replicas: 0, ", "replicas: 0")},
			[]string{"Deployment home/web: 3 replicas, of which 2 exist; pods 3, missing 1, members 2, exists"}},
		{"a ReplicaSet without its Deployment and without a status", []string{set("web-1", ofWeb, "replicas: 3, ", "")},
			[]string{"Deployment home/web: 3 pods in the input, without their owner; pods 3, members 1, exists, assumed"}},
		{"nor is one without a kind", []string{
			document("Deployment", "name: d, ownerReferences: [{controller: true, name: web, uid: web}]", spec(template)), deployment,
		}, []string{"Deployment home/d: 1 replica; pods 1", "Deployment home/web: 3 replicas; pods 3, exists, assumed"}},
		{"an owner of another kind is none", []string{
			set("r", "kind: Rollout, name: web, uid: web", "replicas: 2, ", "replicas: 2"), job("j", "kind: Deployment, name: web, uid: web", "", "active: 1"), deployment,
		}, []string{
			"ReplicaSet home/r: 2 replicas; pods 2, exists", "Job home/j: 1 pod at a time; pods 1, exists", "Deployment home/web: 3 replicas; pods 3, exists, assumed",
		}},
		{"pods that ended, and pods that leave", []string{
			document("StatefulSet", "name: s, uid: s", spec("replicas: 3, "+template), status("replicas: 3")),
			pod("s-0", "kind: StatefulSet, name: s, uid: s", ""), pod("s-1", "kind: StatefulSet, name: s, uid: s", ", deletionTimestamp: '2026-01-01T00:00:00Z'"),
			document("Pod", "name: s-2, uid: s2, ownerReferences: [{controller: true, kind: StatefulSet, name: s, uid: s}]", spec(container), status("phase: Failed")),
		}, []string{"StatefulSet home/s: 3 replicas: 2 pods, 2 yet to be created; pods 4, missing 2, live 2, members 3, ended 1, exists"}},
		{"one pod that was read twice", []string{
			document("StatefulSet", "name: s, uid: s", spec("replicas: 2, "+template)),
			pod("s-0", "kind: StatefulSet, name: s, uid: s", ""), pod("s-0", "kind: StatefulSet, name: s, uid: s", ""),
		}, []string{
			"StatefulSet home/s: 2 replicas, of which 1 exist; pods 2, missing 1, live 1, members 1, exists",
			"2: replaced by the one of -, document 3, which has the same name",
		}},
		{"pods of a DaemonSet", []string{
			document("DaemonSet", "name: e, uid: e", spec(template), status("currentNumberScheduled: 1, desiredNumberScheduled: 3")),
			pod("a", "kind: DaemonSet, name: e, uid: e", ""),
		}, []string{"DaemonSet home/e: 3 pods, of which 1 exist; pods 3, missing 2, live 1, members 1, exists"}},
		{"a Job has pods left", []string{
			document("Job", "name: j, uid: j", spec("completions: 3, parallelism: 3, "+template)),
			document("Pod", "name: a, uid: a, ownerReferences: [{controller: true, kind: Job, name: j, uid: j}]", spec(container), status("phase: Succeeded")),
			document("Pod", "name: b, uid: b, ownerReferences: [{controller: true, kind: Job, name: j, uid: j}]", spec(container), status("phase: Failed")),
			pod("c", "kind: Job, name: j, uid: j", ""),
		}, []string{"Job home/j: 2 pods at a time, of which 1 exist; pods 2, missing 1, live 1, members 3, ended 2, exists"}},
		{"a Job that is done, although its status does not say so", []string{
			document("Job", "name: j, uid: j", spec(template)),
			document("Pod", "name: a, uid: a, ownerReferences: [{controller: true, kind: Job, name: j, uid: j}]", spec(container), status("phase: Succeeded")),
		}, []string{"Job home/j: 0 pods at a time; pods 0, members 1, ended 1, exists"}},
		{"a run of a CronJob", []string{cron, job("c-1", ofCron, "parallelism: 2, ", "active: 1"), pod("a", "kind: Job, name: c-1, uid: c-1", "")},
			[]string{"CronJob home/c: 2 pods per run, of which 1 exist; pods 2, missing 1, live 1, members 2, exists"}},
		{"a run of a CronJob that is suspended now", []string{document("CronJob", "name: c, uid: c", spec("suspend: true, jobTemplate: {spec: {"+template+"}}")), job("c-1", ofCron, "parallelism: 2, ", "active: 2"),
			pod("a", "kind: Job, name: c-1, uid: c-1", "")}, []string{"CronJob home/c: 2 pods of earlier runs, of which 1 exist; pods 2, missing 1, live 1, members 2, exists"}},
		{"one run lacks a pod, and another has one too many", []string{cron, job("c-1", ofCron, "parallelism: 1, ", "active: 2"), job("c-2", ofCron, "parallelism: 2, ", "active: 1")},
			[]string{"CronJob home/c: 4 pods per run: 3 pods, 1 yet to be created; pods 4, missing 1, members 2, exists"}},
		{"two runs at a time", []string{cron, job("c-1", ofCron, "parallelism: 2, ", "active: 2"), job("c-2", ofCron, "parallelism: 2, ", "active: 2")},
			[]string{"CronJob home/c: 4 pods per run; pods 4, members 2, exists"}},
		{"a run beside one that has ended", []string{cron, job("c-1", ofCron, "parallelism: 2, ", "active: 2"), job("c-2", ofCron, "parallelism: 2, ", "succeeded: 2, conditions: [{type: Complete, status: 'True'}]")},
			[]string{"CronJob home/c: 2 pods per run; pods 2, members 2, ended 1, exists"}},
		{"a run of a CronJob has ended", []string{cron, job("c-1", ofCron, "parallelism: 2, ", "succeeded: 2, conditions: [{type: Complete, status: 'True'}]")},
			[]string{"CronJob home/c: 2 pods per run; pods 2, missing 2, members 1, ended 1, exists, next"}},
		{"a run of a CronJob is suspended", []string{cron, job("c-1", ofCron, "suspend: true, parallelism: 2, ", "")},
			[]string{"CronJob home/c: 2 pods per run; pods 2, missing 2, members 1, ended 1, exists, next"}},
		{"the pods of a run have succeeded, before its Job is complete", []string{cron, job("c-1", ofCron, "parallelism: 2, completions: 2, ", "succeeded: 2")},
			[]string{"CronJob home/c: 2 pods per run; pods 2, missing 2, members 1, ended 1, exists, next"}},
		{"the ReplicaSets say how many pods a Deployment has", []string{
			deployment, set("web-1", ofWeb, "replicas: 2, ", "replicas: 2"), set("web-0", ofWeb, "replicas: 1, ", "replicas: 1"),
		}, []string{"Deployment home/web: 3 replicas; pods 3, members 2, exists"}},
		{"a rollout may have more pods than replicas", []string{
			deployment, set("web-1", ofWeb, "replicas: 1, ", "replicas: 0, observedGeneration: 1"), set("web-0", ofWeb, "replicas: 3, ", "replicas: 3"),
		}, []string{"Deployment home/web: 3 replicas: 3 pods, 1 yet to be created; pods 4, missing 1, members 2, exists, surge"}},
		{"a rollout without a status, beside pods of others", []string{
			deployment, set("web-1", ofWeb, "replicas: 3, ", ""), set("web-0", ofWeb, "replicas: 1, ", ""), document("Pod", "name: p", spec(container), status("phase: Running")),
		}, []string{"Deployment home/web: 3 replicas: 0 pods, 4 yet to be created; pods 4, missing 4, members 2, exists, surge", "Pod home/p: 1 pod; pods 1, live 1, exists, a live pod"}},
		{"a rollout one of whose pods has ended", []string{
			document("Deployment", "name: web, uid: web", spec("replicas: 2, "+template)),
			set("web-1", ofWeb, "replicas: 2, ", "replicas: 2"), set("web-0", ofWeb, "replicas: 1, ", "replicas: 1"),
			pod("a", "kind: ReplicaSet, name: web-0, uid: web-0", ""), pod("b", "kind: ReplicaSet, name: web-1, uid: web-1", ""),
			document("Pod", "name: c, uid: c, ownerReferences: [{controller: true, kind: ReplicaSet, name: web-1, uid: web-1}]", spec(container), status("phase: Failed")),
		}, []string{"Deployment home/web: 2 replicas: 2 pods, 1 yet to be created; pods 3, missing 1, live 2, members 5, ended 1, exists, surge"}},
		{"a rollout whose pods are in the input", []string{
			document("Deployment", "name: web, uid: web", spec("replicas: 1, "+template)),
			set("web-1", ofWeb, "replicas: 1, ", "replicas: 0, observedGeneration: 1"), set("web-0", ofWeb, "replicas: 1, ", "replicas: 1"), pod("a", "kind: ReplicaSet, name: web-0, uid: web-0", ""),
		}, []string{"Deployment home/web: 1 replica: 1 pod, 1 yet to be created; pods 2, missing 1, live 1, members 3, exists, surge"}},
		{"the ReplicaSet fails", []string{
			document("Deployment", "name: web, uid: web", spec("replicas: 2, "+template), status("replicas: 1, updatedReplicas: 1")),
			set("web-1", ofWeb, "replicas: 2, ", "replicas: 1, conditions: [{type: ReplicaFailure, status: 'True', reason: R, message: M}]"),
		}, []string{"Deployment home/web: 2 replicas, of which 1 exist; pods 2, missing 1, members 1, exists, R: M"}},
		{"the Deployment failed, and its ReplicaSets have all their pods", []string{
			document("Deployment", "name: web, uid: web", spec("replicas: 2, "+template), status("replicas: 2, updatedReplicas: 1, conditions: [{type: ReplicaFailure, status: 'True', reason: R, message: M}]")),
			set("web-1", ofWeb, "replicas: 1, ", "replicas: 1"), set("web-0", ofWeb, "replicas: 1, ", "replicas: 1"),
		}, []string{"Deployment home/web: 2 replicas; pods 2, members 2, exists, R: M"}},
		{"the ReplicaSet failed before the manifest", []string{
			document("Deployment", "name: web, uid: web", spec("replicas: 2, "+template), status("replicas: 1, updatedReplicas: 1")),
			set("web-1", ofWeb, "replicas: 2, ", "replicas: 1, conditions: [{type: ReplicaFailure, status: 'True', reason: R, message: M}]"),
			document("Deployment", "name: web", spec("replicas: 2, "+template)),
		}, []string{
			"Deployment home/web: 2 replicas, of which 1 exist; pods 2, missing 1, members 1, exists, applied",
			"1: replaced by the one of -, document 3, which has the same name",
		}},
		{"a pod of the new ReplicaSet leaves during a rollout", []string{
			document("Deployment", "name: web, uid: web", spec("replicas: 2, "+template)),
			set("web-1", ofWeb, "replicas: 2, ", "replicas: 2"), set("web-0", ofWeb, "replicas: 1, ", "replicas: 1"),
			pod("a", "kind: ReplicaSet, name: web-0, uid: web-0", ""), pod("b", "kind: ReplicaSet, name: web-1, uid: web-1", ""),
			pod("c", "kind: ReplicaSet, name: web-1, uid: web-1", ", deletionTimestamp: '2026-01-01T00:00:00Z'"),
		}, []string{"Deployment home/web: 2 replicas: 3 pods, 1 yet to be created; pods 4, missing 1, live 3, members 5, exists, surge"}},
		{"the ReplicaSet fails, and the Deployment for another reason without a message", []string{
			document("Deployment", "name: web, uid: web", spec("replicas: 2, "+template), status("replicas: 1, updatedReplicas: 1, conditions: [{type: ReplicaFailure, status: 'True', reason: D}]")),
			set("web-1", ofWeb, "replicas: 2, ", "replicas: 1, conditions: [{type: ReplicaFailure, status: 'True', reason: R, message: M}]"),
		}, []string{"Deployment home/web: 2 replicas, of which 1 exist; pods 2, missing 1, members 1, exists, D: "}},
	})
}

// New pods have the containers that all live ones have beyond the template.
func TestInjected(t *testing.T) {
	const owner = ", ownerReferences: [{controller: true, kind: ReplicaSet, name: web-1, uid: web-1}]"
	live := func(name, spec string) string {
		return document("Pod", "name: "+name+", uid: "+name+owner, "spec: {"+spec+"}", status("phase: Running"))
	}
	deployment := document("Deployment", "name: web, uid: web", spec("replicas: 3, "+template), status("replicas: 2, updatedReplicas: 2"))
	set := document("ReplicaSet", "name: web-1, uid: web-1, ownerReferences: [{controller: true, kind: Deployment, name: web, uid: web}]", spec("replicas: 3, "+template), status("replicas: 2"))
	old := document("ReplicaSet", "name: web-0, uid: web-0, ownerReferences: [{controller: true, kind: Deployment, name: web, uid: web}]", spec("replicas: 1, "+template), status("replicas: 1"))
	const both = "initContainers: [{name: init}], containers: [{name: app}, {name: proxy}]"
	of := func(kind string) string {
		return document("Pod", "name: s-0, uid: s-0, ownerReferences: [{controller: true, kind: "+kind+", name: s, uid: s}]", "spec: {"+both+"}", status("phase: Running"))
	}
	zero := func(live string) string {
		return strings.Replace(strings.Replace(old, "replicas: 1", "replicas: 0", 1), "status: {replicas: 1", "status: {replicas: "+live, 1)
	}
	const begins = "Deployment home/web: 3 replicas, of which 2 exist; pods 3, missing 1, live 2, members 3, exists"
	check(t, []scene{
		{"by a webhook", []string{deployment, set, live("a", both), live("b", both)}, []string{begins + ", injected init container init and container proxy: [init app proxy]"}},
		{"into some pods", []string{deployment, set, live("a", both), live("b", "containers: [{name: proxy}, {name: app}]")}, []string{begins + ", injected container proxy: [app proxy]"}},
		{"into all pods but one", []string{deployment, set, live("a", both), live("b", "containers: [{name: proxy}, {name: app}]"), live("c", both)},
			[]string{"Deployment home/web: 3 replicas; pods 3, live 3, members 4, exists, injected container proxy: [app proxy]"}},
		{"beside a ReplicaSet of before without pods", []string{deployment, set, zero("0"), live("a", both), live("b", both)},
			[]string{strings.Replace(begins, "members 3", "members 4", 1) + ", injected init container init and container proxy: [init app proxy]"}},
		{"beside the last pod of a ReplicaSet of before", []string{deployment, set, zero("1"), live("a", both), strings.ReplaceAll(live("b", both), "web-1", "web-0")},
			[]string{"Deployment home/web: 3 replicas: 2 pods, 2 yet to be created; pods 4, missing 2, live 2, members 4, exists, surge"}},
		{"into a Deployment without a status", []string{document("Deployment", "name: web, uid: web", spec("replicas: 3, "+template)), set, live("a", both), live("b", both)},
			[]string{begins + ", injected init container init and container proxy: [init app proxy]"}},
		{"into pods that have the containers of the template", []string{deployment, set, live("a", container), live("b", "nodeName: one, "+container)}, []string{begins}},
		{"by a former template", []string{
			document("Deployment", "name: web, uid: web", spec("replicas: 3, template: {spec: {initContainers: [{name: init}], containers: [{name: app}, {name: gone}]}}"), status("replicas: 2, updatedReplicas: 2")),
			document("Deployment", "name: web", spec("replicas: 3, "+template)), set,
			live("a", "initContainers: [{name: init}], containers: [{name: app}, {name: gone}, {name: proxy}]"), live("b", "initContainers: [{name: init}], containers: [{name: app}, {name: gone}, {name: proxy}]"),
		}, []string{begins + ", applied, injected container proxy: [app proxy]", "1: replaced by the one of -, document 2, which has the same name"}},
		{"of two ReplicaSets, nobody knows", []string{deployment, set, old, live("a", both), live("b", both)},
			[]string{"Deployment home/web: 3 replicas: 2 pods, 2 yet to be created; pods 4, missing 2, live 2, members 4, exists, surge"}},
		{"during a rollout without ReplicaSets, nobody knows", []string{
			document("StatefulSet", "name: s, uid: s", spec("replicas: 2, "+template), status("replicas: 2, updatedReplicas: 1")),
			document("Pod", "name: s-0, uid: s-0, ownerReferences: [{controller: true, kind: StatefulSet, name: s, uid: s}]", "spec: {"+both+"}", status("phase: Running")),
		}, []string{"StatefulSet home/s: 2 replicas, of which 1 exist; pods 2, missing 1, live 1, members 1, exists"}},
		{"after a rollout without ReplicaSets", []string{
			document("StatefulSet", "name: s, uid: s", spec("replicas: 2, "+template), status("replicas: 1, updatedReplicas: 1")),
			document("Pod", "name: s-0, uid: s-0, ownerReferences: [{controller: true, kind: StatefulSet, name: s, uid: s}]", "spec: {"+both+"}", status("phase: Running")),
		}, []string{"StatefulSet home/s: 2 replicas, of which 1 exist; pods 2, missing 1, live 1, members 1, exists, injected init container init and container proxy: [init app proxy]"}},
		{"into the pods of a ReplicaSet", []string{document("ReplicaSet", "name: s, uid: s", spec("replicas: 2, "+template), status("replicas: 1")), of("ReplicaSet")},
			[]string{"ReplicaSet home/s: 2 replicas, of which 1 exist; pods 2, missing 1, live 1, members 1, exists, injected init container init and container proxy: [init app proxy]"}},
		{"into the pods of a ReplicationController", []string{document("ReplicationController", "name: s, uid: s", spec("replicas: 2, "+template), status("replicas: 1")), of("ReplicationController")},
			[]string{"ReplicationController home/s: 2 replicas, of which 1 exist; pods 2, missing 1, live 1, members 1, exists, injected init container init and container proxy: [init app proxy]"}},
		{"into the pods of a DaemonSet", []string{document("DaemonSet", "name: s, uid: s", spec(template), status("currentNumberScheduled: 1, desiredNumberScheduled: 2, updatedNumberScheduled: 1")), of("DaemonSet")},
			[]string{"DaemonSet home/s: 2 pods, of which 1 exist; pods 2, missing 1, live 1, members 1, exists, injected init container init and container proxy: [init app proxy]"}},
		{"into the pods of a Job", []string{document("Job", "name: s, uid: s", spec("parallelism: 2, "+template), status("active: 1")), of("Job")},
			[]string{"Job home/s: 2 pods at a time, of which 1 exist; pods 2, missing 1, live 1, members 1, exists, injected init container init and container proxy: [init app proxy]"}},
		{"pods that have ended need not have them", []string{
			document("StatefulSet", "name: s, uid: s", spec("replicas: 2, "+template), status("replicas: 1, updatedReplicas: 1")),
			document("Pod", "name: s-0, uid: s-0, ownerReferences: [{controller: true, kind: StatefulSet, name: s, uid: s}]", spec(container), status("phase: Failed")),
			document("Pod", "name: s-1, uid: s-1, ownerReferences: [{controller: true, kind: StatefulSet, name: s, uid: s}]", "spec: {"+both+"}", status("phase: Running")),
		}, []string{"StatefulSet home/s: 2 replicas, of which 1 exist; pods 2, missing 1, live 1, members 2, ended 1, exists, injected init container init and container proxy: [init app proxy]"}},
		{"pods that have ended do not count", []string{
			document("StatefulSet", "name: s, uid: s", spec("replicas: 2, "+template), status("replicas: 1, updatedReplicas: 1")),
			document("Pod", "name: s-0, uid: s-0, ownerReferences: [{controller: true, kind: StatefulSet, name: s, uid: s}]", "spec: {"+both+"}", status("phase: Failed")),
			document("Pod", "name: s-1, uid: s-1, ownerReferences: [{controller: true, kind: StatefulSet, name: s, uid: s}]", spec(container), status("phase: Running")),
		}, []string{"StatefulSet home/s: 2 replicas, of which 1 exist; pods 2, missing 1, live 1, members 2, ended 1, exists"}},
	})
	in := input(deployment, set, live("a", "containers: [{name: proxy, resources: {requests: {cpu: 20m}}}, {name: app, resources: {requests: {cpu: 7}}}]"))
	testkit.Equal(t, fmt.Sprint(names(&in.Workloads[0].Pod.Spec)), "[proxy app]", "the new pod")
	testkit.Equal(t, in.Workloads[0].Pod.Spec.Containers[0].Resources.Requests.Cpu().String(), "20m", "of the webhook")
	testkit.Equal(t, len(in.Workloads[0].Pod.Spec.Containers[1].Resources.Requests), 0, "of the template, not of the live pod")
	testkit.Equal(t, fmt.Sprint(names(&in.Workloads[0].Typed.(*appsv1.Deployment).Spec.Template.Spec)), "[app]", "the template")
}

// A CronJob keeps three runs that succeeded and one that failed, or as many as it says.
func TestExpiredRuns(t *testing.T) {
	run := func(name, condition string) string {
		return document("Job", "name: "+name+", uid: "+name+", ownerReferences: [{controller: true, kind: CronJob, name: c, uid: c}]", spec(template),
			status("conditions: [{type: "+condition+", status: 'True'}]"))
	}
	runs := []string{
		run("a", "Complete"), run("b", "Complete"), run("d", "Complete"), run("e", "Complete"), run("f", "Complete"),
		run("g", "Failed"), run("h", "Failed"), run("i", "Failed"), run("j", "Failed"),
	}
	const jobs = "jobTemplate: {spec: {" + template + "}}"
	const begins = "CronJob home/c: 1 pod per run; pods 1, missing 1, members 9, ended 9"
	check(t, []scene{
		{"by default", append([]string{document("CronJob", "name: c, uid: c", spec(jobs))}, runs...), []string{begins + ", expired 5, exists, next"}},
		{"two and none", append([]string{document("CronJob", "name: c, uid: c", spec("successfulJobsHistoryLimit: 2, failedJobsHistoryLimit: 0, "+jobs))}, runs...), []string{begins + ", expired 7, exists, next"}},
		{"all", append([]string{document("CronJob", "name: c, uid: c", spec("successfulJobsHistoryLimit: 5, failedJobsHistoryLimit: 4, "+jobs))}, runs...), []string{begins + ", exists, next"}},
		{"the run that has not ended stays", []string{
			document("CronJob", "name: c, uid: c", spec("successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0, "+jobs)),
			document("Job", "name: k, uid: k, ownerReferences: [{controller: true, kind: CronJob, name: c, uid: c}]", spec(template), status("active: 1")),
		}, []string{"CronJob home/c: 1 pod per run; pods 1, members 1, exists"}},
	})
}

// The template of a Deployment that is not in the input is that of a ReplicaSet that wants pods, if one does.
func TestUnreadOwner(t *testing.T) {
	set := func(name, replicas, app string) string {
		return document("ReplicaSet", "name: "+name+", uid: "+name+", ownerReferences: [{controller: true, kind: Deployment, name: web}]",
			spec("replicas: "+replicas+", template: {spec: {containers: [{name: "+app+"}]}}"), status("observedGeneration: 1, replicas: "+replicas))
	}
	for _, test := range []struct {
		name  string
		input []string
		want  string
	}{
		{"the last", []string{set("a", "0", "old"), set("b", "1", "new")}, "new"},
		{"the first", []string{set("b", "2", "new"), set("a", "0", "old")}, "new"},
		{"none wants pods", []string{set("b", "0", "first"), set("a", "0", "second")}, "first"},
		{"a pod and a set", []string{pod("x", "kind: ReplicaSet, name: b, uid: b", ""), set("b", "1", "new")}, "new"},
	} {
		w := input(test.input...).Workloads[0]
		if got := w.Pod.Spec.Containers[0].Name; got != test.want || w.Prefix != "spec.template." || w.Namespace != "home" || w.Kind != "Deployment" {
			t.Errorf("%s: %s, want %s; %s of %s %s", test.name, got, test.want, w.Prefix, w.Kind, w.Namespace)
		}
	}
}

// The template of an owner of pods is that of one that has not ended, if there is one.
func TestUnreadOwnerOfPods(t *testing.T) {
	runs := pod("live", "kind: StatefulSet, name: db, uid: db", "")
	ended := strings.NewReplacer("live", "ended", "name: app", "name: old", "Running", "Failed").Replace(runs)
	other := strings.NewReplacer("ended", "other", "name: old", "name: other").Replace(ended)
	leaves := strings.NewReplacer("name: live", "name: live, deletionTimestamp: '2026-01-01T00:00:00Z'", "name: app", "name: leaves").Replace(runs)
	for want, documents := range map[string][]string{"app": {ended, runs}, "old": {ended, other}, "leaves": {ended, leaves, other}} {
		if got := input(documents...).Workloads[0].Pod.Spec.Containers[0].Name; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// What is not selected counts, and is hidden. A workload of which only members are in the input is shown if one of them is.
func TestHidden(t *testing.T) {
	labelled := func(object string) string { return strings.Replace(object, "uid:", "labels: {team: a}, uid:", 1) }
	set := document("ReplicaSet", "name: b-1, uid: b-1, ownerReferences: [{controller: true, kind: Deployment, name: b}]", spec("replicas: 1, "+template))
	deployment, claim := document("Deployment", "name: web, uid: web", spec(template)), document("PersistentVolumeClaim", "name: data, uid: data", spec(""))
	owned := pod("x", "kind: StatefulSet, name: db, uid: db", "")
	other := strings.Replace(owned, "name: x, uid: x", "name: z, uid: z", 1)
	for _, test := range []struct {
		name  string
		input []string
		want  bool
	}{
		{"a workload with the label", []string{labelled(deployment)}, false},
		{"a workload without it", []string{deployment}, true},
		{"a workload without it, whose pod has it", []string{deployment, labelled(pod("x", "kind: Deployment, name: web, uid: web", ""))}, true},
		{"a workload with it, whose pod has not", []string{labelled(deployment), pod("x", "kind: Deployment, name: web, uid: web", "")}, false},
		{"only pods, without it", []string{owned, other}, true},
		{"only a pod that has ended, with it", []string{strings.Replace(labelled(owned), "Running", "Failed", 1)}, false},
		{"only pods, one with it", []string{owned, labelled(other)}, false},
		{"only pods, the other with it", []string{labelled(owned), other}, false},
		{"only a ReplicaSet, without it", []string{set}, true},
		{"only a ReplicaSet, with it", []string{labelled(set)}, false},
		{"only ReplicaSets, the first with it", []string{labelled(set), strings.ReplaceAll(set, "b-1", "b-0")}, false},
	} {
		all := objects.Reader{Kinds: manifest.Kinds}.File("a.yaml", strings.NewReader(strings.Join(test.input, "---\n")))
		in := manifest.Of(all, manifest.Options{Home: "home", Selects: func(o metav1.Object) bool { return o.GetLabels()["team"] == "a" }})
		if got := in.Workloads[0].Hidden; got != test.want || len(in.Workloads) != 1 {
			t.Errorf("%s: hidden %v of %d", test.name, got, len(in.Workloads))
		}
	}
	for text, want := range map[string]bool{claim: true, labelled(claim): false} {
		all := objects.Reader{Kinds: manifest.Kinds}.File("a.yaml", strings.NewReader(text))
		in := manifest.Of(all, manifest.Options{Selects: func(o metav1.Object) bool { return o.GetLabels()["team"] == "a" }})
		if in.Objects[0].Hidden != want {
			t.Errorf("%s: hidden %v", text, !want)
		}
	}
	if in := input(deployment, owned, claim); in.Workloads[0].Hidden || in.Workloads[1].Hidden || in.Objects[0].Hidden {
		t.Error("hidden without a selection")
	}
}

func TestOptions(t *testing.T) {
	before := 0
	all := objects.Reader{Kinds: manifest.Kinds}.File("a.yaml", strings.NewReader(document("Pod", "name: p", spec(container))+"---\n"+"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"))
	if in := manifest.Of(all, manifest.Options{Home: "h", Strict: true, Asked: true, Before: func() { before++ }}); in.Home != "h" || !in.Strict || !in.Asked || before != 2 {
		t.Errorf("%+v, before %d objects", in, before)
	}
}

// An object that cannot be handled is a problem, and takes nothing from the others.
func TestFailed(t *testing.T) {
	all := objects.Reader{Kinds: manifest.Kinds}.File("a.yaml", strings.NewReader(document("Pod", "name: a", spec(container))+"---\n"+document("Pod", "name: b", spec(container))))
	in := manifest.Of(all, manifest.Options{Selects: func(o metav1.Object) bool {
		return o.GetName() != "a" || o.GetLabels()["none"] == fmt.Sprint(1/len(o.GetLabels()))
	}})
	if got := problems(in); len(in.Workloads) != 1 || in.Workloads[0].Name != "b" || len(got) != 1 || !strings.HasPrefix(got[0], "1: failed: ") {
		t.Errorf("%d workloads, %q", len(in.Workloads), got)
	}
}
