package manifest_test

import "testing"

// How many pods the manifest of a workload asks for.
func TestPodsOfManifests(t *testing.T) {
	affine := func(operator, values string) string {
		return document("Pod", "name: p", spec("affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: "+operator+", values: ["+values+"]}]}]}}}, "+container))
	}
	check(t, []scene{
		{"a pod for one node", []string{affine("In", "one")}, []string{"Pod home/p: 1 pod; pods 1, node one"}},
		{"a pod for one of two nodes", []string{affine("In", "one, two")}, []string{"Pod home/p: 1 pod; pods 1"}},
		{"a pod for all nodes but one", []string{affine("NotIn", "one")}, []string{"Pod home/p: 1 pod; pods 1"}},
		{"a pod", []string{document("Pod", "name: p", spec(container))}, []string{"Pod home/p: 1 pod; pods 1"}},
		{"a pod that names its node", []string{document("Pod", "name: p, namespace: shop", spec("nodeName: one, "+container))},
			[]string{"Pod shop/p: 1 pod; pods 1, node one"}},
		{"a pod that has succeeded", []string{document("Pod", "name: p, uid: u", spec(container), status("phase: Succeeded"))},
			[]string{"Pod home/p: finished (Succeeded), requests nothing; pods 0, exists, a live pod"}},
		{"a pod with a status, which exists", []string{document("Pod", "name: p", spec(container), status("phase: Pending"))},
			[]string{"Pod home/p: 1 pod; pods 1, live 1, exists, a live pod"}},
		{"one replica by default", []string{
			document("Deployment", "name: d", spec(template)), document("StatefulSet", "name: s", spec(template)),
			document("ReplicaSet", "name: r", spec(template)), document("ReplicationController", "name: c", spec(template)),
		}, []string{
			"Deployment home/d: 1 replica; pods 1", "StatefulSet home/s: 1 replica; pods 1",
			"ReplicaSet home/r: 1 replica; pods 1", "ReplicationController home/c: 1 replica; pods 1",
		}},
		{"so many replicas", []string{
			document("Deployment", "name: d", spec("replicas: 3, "+template)), document("StatefulSet", "name: s", spec("replicas: 4, "+template)),
			document("ReplicaSet", "name: r", spec("replicas: 5, "+template)), document("ReplicationController", "name: c", spec("replicas: 0, "+template)),
		}, []string{
			"Deployment home/d: 3 replicas; pods 3", "StatefulSet home/s: 4 replicas; pods 4",
			"ReplicaSet home/r: 5 replicas; pods 5", "ReplicationController home/c: 0 replicas; pods 0",
		}},
		{"a DaemonSet without nodes", []string{document("DaemonSet", "name: d", spec(template))}, []string{"DaemonSet home/d: 1 pod per node; pods 1"}},
		{"a Job has one pod", []string{document("Job", "name: j", spec(template))}, []string{"Job home/j: 1 pod at a time; pods 1"}},
		{"completions one after the other", []string{document("Job", "name: j", spec("completions: 5, "+template))},
			[]string{"Job home/j: 1 pod at a time; pods 1"}},
		{"parallel pods without completions", []string{document("Job", "name: j", spec("parallelism: 4, "+template))},
			[]string{"Job home/j: 4 pods at a time; pods 4"}},
		{"no more parallel pods than completions", []string{document("Job", "name: j", spec("parallelism: 4, completions: 3, "+template))},
			[]string{"Job home/j: 3 pods at a time; pods 3"}},
		{"fewer parallel pods than completions", []string{document("Job", "name: j", spec("parallelism: 2, completions: 3, "+template))},
			[]string{"Job home/j: 2 pods at a time; pods 2"}},
		{"a Job that waits", []string{document("Job", "name: j", spec("suspend: true, "+template))},
			[]string{"Job home/j: suspended, runs no pods; pods 0"}},
		{"a Job that does not wait", []string{document("Job", "name: j", spec("suspend: false, "+template))},
			[]string{"Job home/j: 1 pod at a time; pods 1"}},
		{"a CronJob", []string{document("CronJob", "name: c", spec("jobTemplate: {spec: {parallelism: 2, "+template+"}}"))},
			[]string{"CronJob home/c: 2 pods per run; pods 2"}},
		{"a CronJob that waits", []string{document("CronJob", "name: c", spec("suspend: true, jobTemplate: {spec: {"+template+"}}"))},
			[]string{"CronJob home/c: suspended, runs no pods; pods 0"}},
		{"a name beside one to be generated", []string{document("Job", "name: j, generateName: k-", spec(template))}, []string{"Job home/j: 1 pod at a time; pods 1"}},
		{"a generated name", []string{document("Job", "generateName: j-", spec(template)), document("Job", "generateName: j-", spec(template))},
			[]string{"Job home/j-...: 1 pod at a time; pods 1", "Job home/j-...: 1 pod at a time; pods 1"}},
		{"a static pod has a node as its owner", []string{document("Pod", "name: p, uid: u, ownerReferences: [{controller: true, kind: Node, name: one}]",
			spec(container), status("phase: Running"))}, []string{"Pod home/p: 1 pod; pods 1, live 1, exists, a live pod"}},
		{"hooks", []string{
			document("Job", "name: before, annotations: {helm.sh/hook: pre-install}", spec(template)),
			document("Job", "name: gone, annotations: {helm.sh/hook: post-install, helm.sh/hook-delete-policy: hook-succeeded}", spec(template)),
			document("Pod", "name: test, annotations: {helm.sh/hook: test}", spec(container)),
		}, []string{
			"Job home/before: 1 pod at a time; pods 1, leaves", "Job home/gone: 1 pod at a time; pods 1",
			"3: a hook for tests, a deletion or a rollback, which is not installed",
		}},
	})
}

// What the status of a workload says about its pods, which are not in the input.
func TestPodsOfStatus(t *testing.T) {
	failure := func(condition string) string {
		return "replicas: 1, updatedReplicas: 1, conditions: [{" + condition + "}]"
	}
	check(t, []scene{
		{"some exist", []string{
			document("Deployment", "name: d, uid: d", spec("replicas: 3, "+template), status("replicas: 2, updatedReplicas: 1")),
			document("StatefulSet", "name: s, uid: s", spec("replicas: 4, "+template), status("replicas: 2")),
			document("ReplicaSet", "name: r, uid: r", spec("replicas: 5, "+template), status("replicas: 2")),
			document("ReplicationController", "name: c, uid: c", spec("replicas: 6, "+template), status("replicas: 2")),
			document("DaemonSet", "name: e, uid: e", spec(template), status("currentNumberScheduled: 2, desiredNumberScheduled: 7, updatedNumberScheduled: 1")),
			document("Job", "name: j, uid: j", spec("parallelism: 8, "+template), status("active: 2")),
		}, []string{
			"Deployment home/d: 3 replicas, of which 2 exist; pods 3, missing 1, exists",
			"StatefulSet home/s: 4 replicas, of which 2 exist; pods 4, missing 2, exists",
			"ReplicaSet home/r: 5 replicas, of which 2 exist; pods 5, missing 3, exists",
			"ReplicationController home/c: 6 replicas, of which 2 exist; pods 6, missing 4, exists",
			"DaemonSet home/e: 7 pods, of which 2 exist; pods 7, missing 5, exists",
			"Job home/j: 8 pods at a time, of which 2 exist; pods 8, missing 6, exists",
		}},
		{"more exist than are wanted", []string{
			document("Deployment", "name: d, uid: d", spec("replicas: 1, "+template), status("replicas: 3, updatedReplicas: 1")),
			document("DaemonSet", "name: e, uid: e", spec(template), status("currentNumberScheduled: 3, desiredNumberScheduled: 2")),
		}, []string{
			"Deployment home/d: 1 replica, of which 3 exist; pods 3, exists",
			"DaemonSet home/e: 3 pods; pods 3, exists",
		}},
		{"without a status and without pods, they are assumed", []string{
			document("Deployment", "name: d, uid: d", spec("replicas: 3, "+template)),
			document("Deployment", "name: zero, uid: z", spec("replicas: 0, "+template)),
			document("DaemonSet", "name: e, uid: e", spec(template)),
		}, []string{
			"Deployment home/d: 3 replicas; pods 3, exists, assumed",
			"Deployment home/zero: 0 replicas; pods 0, exists",
			"DaemonSet home/e: 1 pod per node; pods 1, exists, assumed",
		}},
		{"without a status, beside pods of others, none exists", []string{
			document("Deployment", "name: d, uid: d", spec("replicas: 3, "+template)),
			document("Pod", "name: p, uid: p", spec(container), status("phase: Running")),
		}, []string{
			"Deployment home/d: 3 replicas, of which 0 exist; pods 3, missing 3, exists",
			"Pod home/p: 1 pod; pods 1, live 1, exists, a live pod",
		}},
		{"without a status, behind a pod of another", []string{
			document("Pod", "name: p, uid: p", spec(container), status("phase: Running")), document("Pod", "name: q", spec(container)),
			document("Deployment", "name: d, uid: d", spec("replicas: 3, "+template)), document("DaemonSet", "name: e, uid: e", spec(template)),
		}, []string{
			"Pod home/p: 1 pod; pods 1, live 1, exists, a live pod", "Pod home/q: 1 pod; pods 1",
			"Deployment home/d: 3 replicas, of which 0 exist; pods 3, missing 3, exists",
			"DaemonSet home/e: 1 pod per node, of which 0 exist; pods 1, missing 1, exists",
		}},
		{"a manifest of a pod says nothing", []string{
			document("Deployment", "name: d, uid: d", spec("replicas: 3, "+template)), document("Pod", "name: p", spec(container)),
		}, []string{"Deployment home/d: 3 replicas; pods 3, exists, assumed", "Pod home/p: 1 pod; pods 1"}},
		{"pods of another namespace say nothing", []string{
			document("Deployment", "name: d, uid: d", spec("replicas: 3, "+template)),
			document("Pod", "name: p, uid: p, namespace: other", spec(container), status("phase: Running")),
		}, []string{
			"Deployment home/d: 3 replicas; pods 3, exists, assumed",
			"Pod other/p: 1 pod; pods 1, live 1, exists, a live pod",
		}},
		{"what a Job has yet to do", []string{
			document("Job", "name: j, uid: j", spec("completions: 6, parallelism: 4, "+template), status("active: 1, succeeded: 4")),
			document("Job", "name: k, uid: k", spec("completions: 6, parallelism: 4, "+template), status("active: 4, succeeded: 1")),
			document("Job", "name: l, uid: l", spec("completions: 1, "+template), status("succeeded: 3")),
			document("Job", "name: m, uid: m", spec(template), status("succeeded: 1")),
		}, []string{
			"Job home/j: 2 pods at a time, of which 1 exist; pods 2, missing 1, exists",
			"Job home/k: 4 pods at a time; pods 4, exists",
			"Job home/l: 0 pods at a time; pods 0, exists",
			"Job home/m: 0 pods at a time; pods 0, exists",
		}},
		{"a Job that has ended", []string{
			document("Job", "name: complete, uid: a", spec(template), status("conditions: [{type: Complete, status: 'True'}]")),
			document("Job", "name: failed, uid: b", spec("suspend: true, "+template), status("conditions: [{type: Failed, status: 'True'}]")),
			document("Job", "name: runs, uid: c", spec(template), status("active: 1, conditions: [{type: Complete, status: 'False'}, {type: SuccessCriteriaMet, status: 'True'}]")),
		}, []string{
			"Job home/complete: finished (Complete), runs no pods; pods 0, exists",
			"Job home/failed: finished (Failed), runs no pods; pods 0, exists",
			"Job home/runs: 1 pod at a time; pods 1, exists",
		}},
		{"a CronJob that does not run", []string{document("CronJob", "name: c, uid: c", spec("jobTemplate: {spec: {parallelism: 2, "+template+"}}"))},
			[]string{"CronJob home/c: 2 pods per run; pods 2, missing 2, exists, next"}},
		{"why a controller cannot create a pod", []string{
			document("Deployment", "name: d, uid: d", spec("replicas: 2, "+template), status(failure("type: ReplicaFailure, status: 'True', reason: R, message: M"))),
			document("ReplicaSet", "name: r, uid: r", spec("replicas: 2, "+template), status("replicas: 1, conditions: [{type: ReplicaFailure, status: 'True', message: L}]")),
			document("ReplicationController", "name: c, uid: c", spec("replicas: 2, "+template), status("replicas: 1, conditions: [{type: ReplicaFailure, status: 'True', reason: S}]")),
			document("Deployment", "name: e, uid: e", spec("replicas: 2, "+template), status(failure("type: ReplicaFailure, status: 'False', reason: R, message: M"))),
			document("Deployment", "name: f, uid: f", spec("replicas: 2, "+template), status(failure("type: Progressing, status: 'True', reason: R, message: M"))),
		}, []string{
			"Deployment home/d: 2 replicas, of which 1 exist; pods 2, missing 1, exists, R: M",
			"ReplicaSet home/r: 2 replicas, of which 1 exist; pods 2, missing 1, exists, FailedCreate: L",
			"ReplicationController home/c: 2 replicas, of which 1 exist; pods 2, missing 1, exists, S: ",
			"Deployment home/e: 2 replicas, of which 1 exist; pods 2, missing 1, exists",
			"Deployment home/f: 2 replicas, of which 1 exist; pods 2, missing 1, exists",
		}},
		{"a controller that fails during a rollout lacks one pod of the new template", []string{
			document("Deployment", "name: d, uid: d", spec("replicas: 2, "+template), status("replicas: 2, updatedReplicas: 1, conditions: [{type: ReplicaFailure, status: 'True', reason: R, message: M}]")),
			document("Deployment", "name: e, uid: e", spec("replicas: 2, "+template), status("replicas: 2, updatedReplicas: 2, conditions: [{type: ReplicaFailure, status: 'True', reason: R, message: M}]")),
			document("Deployment", "name: f, uid: f", spec("replicas: 2, "+template), status("replicas: 2, updatedReplicas: 1, conditions: [{type: ReplicaFailure, status: 'True', reason: R}]")),
		}, []string{
			"Deployment home/d: 2 replicas: 2 pods, 1 yet to be created; pods 3, missing 1, exists, surge, R: M",
			"Deployment home/e: 2 replicas; pods 2, exists, R: M",
			"Deployment home/f: 2 replicas: 2 pods, 1 yet to be created; pods 3, missing 1, exists, surge, R: ",
		}},
		{"a manifest replaces an object and keeps its status, but not its failure", []string{
			document("Deployment", "name: d, uid: d", spec("replicas: 2, "+template), status("replicas: 2, updatedReplicas: 2, conditions: [{type: ReplicaFailure, status: 'True', reason: R, message: M}]")),
			document("Deployment", "name: d", spec("replicas: 5, "+template)),
		}, []string{
			"Deployment home/d: 5 replicas, of which 2 exist; pods 5, missing 3, exists, applied",
			"1: replaced by the one of -, document 2, which has the same name",
		}},
		{"an object that was read twice is that of the second time", []string{
			document("Deployment", "name: d, uid: d", spec("replicas: 3, "+template), status("replicas: 1, updatedReplicas: 1")), document("Deployment", "name: d, uid: d", spec("replicas: 3, "+template), status("replicas: 2, updatedReplicas: 2")),
		}, []string{
			"Deployment home/d: 3 replicas, of which 2 exist; pods 3, missing 1, exists", "1: replaced by the one of -, document 2, which has the same name",
		}},
		{"an object behind its manifest is not replaced by it", []string{
			document("Deployment", "name: d", spec("replicas: 5, "+template)), document("Deployment", "name: d, uid: d", spec("replicas: 3, "+template), status("replicas: 2, updatedReplicas: 2")),
		}, []string{
			"Deployment home/d: 3 replicas, of which 2 exist; pods 3, missing 1, exists", "1: replaced by the one of -, document 2, which has the same name",
		}},
		{"two manifests of one object are not applied to a cluster", []string{
			document("Deployment", "name: d", spec("replicas: 2, "+template)), document("Deployment", "name: d, namespace: home", spec("replicas: 5, "+template)),
			document("Deployment", "name: d, namespace: other", spec("replicas: 7, "+template)),
		}, []string{
			"Deployment home/d: 5 replicas; pods 5", "Deployment other/d: 7 replicas; pods 7",
			"1: replaced by the one of -, document 2, which has the same name",
		}},
	})
}

// Workloads that the API server would reject are no part of the report.
func TestInvalidWorkloads(t *testing.T) {
	check(t, []scene{
		{"an invalid amount before a valid pod", []string{document("Pod", "name: p", spec("containers: [{name: app, resources: {requests: {cpu: x}}}]")), document("Pod", "name: q", spec(container))},
			[]string{"Pod home/q: 1 pod; pods 1", `1: unreadable: spec.containers[0].resources.requests[cpu] "x" is not a quantity such as 500m or 2Gi`}},
		{"no name", []string{document("Pod", "labels: {a: b}", spec(container))}, []string{"1: invalid: metadata.name missing"}},
		{"negative numbers", []string{
			document("Deployment", "name: d", spec("replicas: -1, "+template)),
			document("CronJob", "name: c", spec("jobTemplate: {spec: {parallelism: -2, completions: -3, "+template+"}}")),
		}, []string{
			"1: invalid: spec.replicas -1 is negative", "2: invalid: spec.jobTemplate.spec.parallelism -2 is negative", "2: invalid: spec.jobTemplate.spec.completions -3 is negative",
		}},
		{"no containers", []string{document("Pod", "name: p", spec("restartPolicy: Never")), document("Job", "name: j", spec("template: {spec: {}}")), document("ReplicationController", "name: r", spec("replicas: 1"))},
			[]string{"1: invalid: spec.containers no containers", "2: invalid: spec.template.spec.containers no containers", "3: invalid: spec.template.spec.containers no containers"}},
		{"names of containers", []string{
			document("Pod", "name: p", spec("initContainers: [{name: app}, {image: i}], containers: [{name: app}, {name: b}]")),
			document("CronJob", "name: c", spec("jobTemplate: {spec: {template: {spec: {containers: [{image: i}]}}}}")),
		}, []string{
			`1: invalid: spec.initContainers[1].name missing`, `1: invalid: spec.containers[0].name "app" is the name of two containers`,
			"2: invalid: spec.jobTemplate.spec.template.spec.containers[0].name missing",
		}},
		{"classes", []string{
			document("Pod", "name: a, uid: a", spec(container), status("qosClass: Guaranteed")), document("Pod", "name: b, uid: b", spec(container), status("qosClass: Burstable")),
			document("Pod", "name: c, uid: c", spec(container), status("qosClass: BestEffort")), document("Pod", "name: d, uid: d", spec(container), status("qosClass: Best")),
		}, []string{
			"Pod home/a: 1 pod; pods 1, live 1, exists, a live pod", "Pod home/b: 1 pod; pods 1, live 1, exists, a live pod",
			"Pod home/c: 1 pod; pods 1, live 1, exists, a live pod", `4: invalid: status.qosClass "Best" is not a QoS class`,
		}},
	})
}
