package report_test

import (
	"testing"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

// What exists is part of what quotas have in use, and what is missing is yet to be admitted.
func TestQuotasOfClusters(t *testing.T) {
	live := func(name, owner, cpu, phase string) string {
		return document("Pod", "name: "+name+", uid: "+name+", ownerReferences: [{controller: true, "+owner+"}]", spec(container(cpu)), status("phase: "+phase))
	}
	exists := func(kind, name, more, state string) string {
		return document(kind, "name: "+name+", uid: "+name, spec(more), status(state))
	}
	const ofS = "kind: StatefulSet, name: s, uid: s"
	const failing = "conditions: [{type: ReplicaFailure, status: 'True', reason: FailedCreate, message: M}]"
	check(t, report.Options{}, []scene{
		{"all exist", []string{quota("q", "requests.cpu: 10", "requests.cpu: 6"), exists("Deployment", "d", "replicas: 3, "+template("2"), "replicas: 3, updatedReplicas: 3"), deployment("new", 3, "2")}, `
			Deployment d: 3 of 3 admitted
			  q: used requests.cpu 6; asks requests.cpu 6 of requests.cpu 10; left requests.cpu 4
			  replica, of 3, exist true: 2; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=2
			Deployment new: 2 of 3 admitted, rejected, stored
			  q: used requests.cpu 6; asks requests.cpu 6 of requests.cpu 10; left requests.cpu -2
			  replica, of 3, exist false: 2 of 3; the next does not: replica 3 of 3: ResourceQuota home/q lacks requests.cpu=2
			  replica 3 of 3 (spec.template.spec): replica 3 of 3: ResourceQuota home/q lacks requests.cpu=2: run no more than 2 replicas, request less, or raise the quota to requests.cpu=12
			home/q: requests.cpu 6 -> requests.cpu 10 of requests.cpu 10`},
		{"one is missing, and does not fit", []string{quota("q", "requests.cpu: 5, count/deployments.apps: 1", "requests.cpu: 4, count/deployments.apps: 1"), exists("Deployment", "d", "replicas: 3, "+template("2"), "replicas: 2, updatedReplicas: 2")}, `
			Deployment d: 2 of 3 admitted, rejected, stored, blocked: exceeded quota: q, requested: requests.cpu=2, used: requests.cpu=4, limited: requests.cpu=5
			  q: used count/deployments.apps 1, requests.cpu 4; asks count/deployments.apps 1, requests.cpu 6 of count/deployments.apps 1, requests.cpu 5; left count/deployments.apps 0, requests.cpu -1
			  replica, of 3, exist false: 2 of 3; the next does not: replica 3 of 3: ResourceQuota home/q lacks requests.cpu=1
			  replica 3 of 3 (spec.template.spec): replica 3 of 3: ResourceQuota home/q lacks requests.cpu=1: run no more than 2 replicas, request less, or raise the quota to requests.cpu=6
			home/q: count/deployments.apps 1, requests.cpu 4 -> count/deployments.apps 1, requests.cpu 4 of count/deployments.apps 1, requests.cpu 5`},
		{"one is missing, and the controller says why", []string{quota("q", "requests.cpu: 5", "requests.cpu: 4"), exists("Deployment", "d", "replicas: 3, "+template("2"), "replicas: 2, updatedReplicas: 2, "+failing)}, `
			Deployment d: 2 of 3 admitted, rejected, stored, blocked: M
			  q: used requests.cpu 4; asks requests.cpu 6 of requests.cpu 5; left requests.cpu -1
			  replica, of 3, exist false: 2 of 3; the next does not: replica 3 of 3: ResourceQuota home/q lacks requests.cpu=1
			  replica 3 of 3 (spec.template.spec): replica 3 of 3: ResourceQuota home/q lacks requests.cpu=1: run no more than 2 replicas, request less, or raise the quota to requests.cpu=6
			home/q: requests.cpu 4 -> requests.cpu 4 of requests.cpu 5`},
		{"the controller fails, and nobody knows why", []string{quota("q", "requests.cpu: 50", "requests.cpu: 4"), exists("Deployment", "d", "replicas: 3, "+template("2"), "replicas: 2, updatedReplicas: 2, "+failing)}, `
			Deployment d: 2 of 3 admitted, rejected, stored, blocked: M
			  q: used requests.cpu 4; asks requests.cpu 6 of requests.cpu 50; left requests.cpu 44
			  replica, of 3, exist false: 25; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=2
			  replica 3 of 3 (spec.template.spec): M: no LimitRange or quota of the input refuses it now, so something else does, or did
			home/q: requests.cpu 4 -> requests.cpu 4 of requests.cpu 50`},
		{"a pod that has ended", []string{quota("q", "count/pods: 5", "count/pods: 1"), exists("Pod", "p", container("1"), "phase: Succeeded")}, `
			Pod p: 0 of 0 admitted
			  q: used count/pods 1; asks count/pods 1 of count/pods 5; left count/pods 4
			  pod, of 1, exist true: 4; the next does not: the next pod: ResourceQuota home/q lacks count/pods=1
			home/q: count/pods 1 -> count/pods 1 of count/pods 5`},
		{"the failure has a reason only", []string{exists("ReplicaSet", "d", "replicas: 3, "+template("2"), "replicas: 2, conditions: [{type: ReplicaFailure, status: 'True'}]")}, `
			ReplicaSet d: 2 of 3 admitted, rejected, stored, blocked: FailedCreate
			  replica 3 of 3 (spec.template.spec): FailedCreate: no LimitRange or quota of the input refuses it now, so something else does, or did`},
		{"a manifest is larger", []string{quota("q", "requests.cpu: 7", "requests.cpu: 4"), exists("Deployment", "d", "replicas: 2, "+template("2"), "replicas: 2, updatedReplicas: 2"), deployment("d", 4, "2")}, `
			Deployment d: 3 of 4 admitted, rejected, stored
			  q: used requests.cpu 4; asks requests.cpu 8 of requests.cpu 7; left requests.cpu -1
			  replica, of 4, exist false: 3 of 4; the next does not: replica 4 of 4: ResourceQuota home/q lacks requests.cpu=1
			  replica 4 of 4 (spec.template.spec): replica 4 of 4: ResourceQuota home/q lacks requests.cpu=1: run no more than 3 replicas, request less, or raise the quota to requests.cpu=8
			home/q: requests.cpu 4 -> requests.cpu 6 of requests.cpu 7
			note in 2: Deployment d: replaced by the one of -, document 3, which has the same name`},
		{"a rollout lets a pod go first", []string{quota("q", "pods: 2", "pods: 2"), exists("Deployment", "d", "replicas: 2, "+template("2"), "replicas: 2, updatedReplicas: 1, "+failing)}, `
			Deployment d: 2 of 3 admitted, rejected, stored, blocked: M
			  q: used pods 2; asks pods 3 of pods 2; left pods -1
			  replica, of 3, exist false: 2 of 3; the next does not: replica 3 of 3: ResourceQuota home/q lacks pods=1
			  replica 3 of 3 (spec.template.spec): replica 3 of 3: ResourceQuota home/q lacks pods=1: let the rollout delete a pod first (maxUnavailable: 1), request less, or raise the quota to pods=3
			home/q: pods 2 -> pods 2 of pods 2`},
		{"pods of the input", []string{quota("q", "requests.cpu: 5, pods: 9", "requests.cpu: 3, pods: 2"), exists("StatefulSet", "s", "replicas: 3, "+template("2"), "replicas: 2"), live("s-0", ofS, "2", "Running"), live("s-1", ofS, "1", "Running")}, `
			StatefulSet s: 3 of 3 admitted
			  q: used pods 2, requests.cpu 3; asks pods 3, requests.cpu 5 of pods 9, requests.cpu 5; left pods 6, requests.cpu 0
			  replica, of 3, exist false: 3; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=2
			home/q: pods 2, requests.cpu 3 -> pods 3, requests.cpu 5 of pods 9, requests.cpu 5`},
		{"the status is stale, or pods are missing", []string{quota("q", "requests.cpu: 9, pods: 9", "requests.cpu: 7, pods: 1"), exists("StatefulSet", "s", "replicas: 2, "+template("2"), "replicas: 2"), live("s-0", ofS, "2", "Running"), live("s-1", ofS, "2", "Running")}, `
			StatefulSet s: 2 of 2 admitted
			  q: used pods 1, requests.cpu 7; asks pods 2, requests.cpu 4 of pods 9, requests.cpu 9; left pods 8, requests.cpu 2
			  replica, of 2, exist true: 1; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=2
			home/q: pods 1, requests.cpu 7 -> pods 1, requests.cpu 7 of pods 9, requests.cpu 9
			warning in 1: ResourceQuota q: pods: used 1, but the pods in the input use 2: the quota's status is stale
			warning in 1: ResourceQuota q: requests.cpu: used 7, but the pods in the input use 4: the quota's status is stale, or the input lacks pods`},
		{"a pod that has ended is not used", []string{quota("q", "requests.cpu: 9, pods: 9, count/pods: 9", "requests.cpu: 2, pods: 1, count/pods: 2"), exists("StatefulSet", "s", "replicas: 1, "+template("2"), "replicas: 1"), live("s-0", ofS, "2", "Running"), live("s-1", ofS, "2", "Failed")}, `
			StatefulSet s: 1 of 1 admitted
			  q: used pods 1, count/pods 2, requests.cpu 2; asks pods 1, count/pods 2, requests.cpu 2 of pods 9, count/pods 9, requests.cpu 9; left pods 8, count/pods 7, requests.cpu 7
			  replica, of 1, exist true: 3; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=1
			home/q: pods 1, count/pods 2, requests.cpu 2 -> pods 1, count/pods 2, requests.cpu 2 of pods 9, count/pods 9, requests.cpu 9`},
		{"nobody knows whether they exist", []string{quota("q", "requests.cpu: 9", "requests.cpu: 6"), document("Deployment", "name: d, uid: d", spec("replicas: 3, "+template("2")))}, `
			Deployment d: 3 of 3 admitted
			  q: used requests.cpu 6; asks requests.cpu 6 of requests.cpu 9; left requests.cpu 3
			  replica, of 3, exist true: 1; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=1
			home/q: requests.cpu 6 -> requests.cpu 6 of requests.cpu 9
			warning in 2: Deployment d: the input does not say whether its pods exist: it has no status and no pods of namespace home; they count as existing`},
		{"fewer exist than the usage has room for", []string{quota("q", "requests.cpu: 9", "requests.cpu: 5"), document("Deployment", "name: d, uid: d", spec("replicas: 3, "+template("2")))}, `
			Deployment d: 3 of 3 admitted
			  q: used requests.cpu 5; asks requests.cpu 6 of requests.cpu 9; left requests.cpu 2
			  replica, of 3, exist false: 4; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=2
			home/q: requests.cpu 5 -> requests.cpu 7 of requests.cpu 9`},
		{"none exists, by the usage of one quota", []string{quota("a", "requests.cpu: 9", "requests.cpu: 5"), quota("b", "pods: 9", "pods: 0"), document("Deployment", "name: d, uid: d", spec("replicas: 3, "+template("2")))}, `
			Deployment d: 2 of 3 admitted, rejected, stored, blocked: exceeded quota: a, requested: requests.cpu=2, used: requests.cpu=9, limited: requests.cpu=9
			  a: used requests.cpu 5; asks requests.cpu 6 of requests.cpu 9; left requests.cpu -2
			  b: used pods 0; asks pods 3 of pods 9; left pods 6
			  replica, of 3, exist false: 2 of 3; the next does not: replica 3 of 3: ResourceQuota home/a lacks requests.cpu=2
			  replica 3 of 3 (spec.template.spec): replica 3 of 3: ResourceQuota home/a lacks requests.cpu=2: run no more than 2 replicas, request less, or raise the quota to requests.cpu=11
			home/a: requests.cpu 5 -> requests.cpu 9 of requests.cpu 9
			home/b: pods 0 -> pods 2 of pods 9`},
		{"without quotas, nobody asks whether they exist", []string{document("Deployment", "name: d, uid: d", spec("replicas: 3, "+template("2")))}, `
			Deployment d: 3 of 3 admitted`},
		{"a quota without a status counts what exists", []string{document("ResourceQuota", "name: q", spec("hard: {requests.cpu: 5}")), exists("Deployment", "d", "replicas: 2, "+template("2"), "replicas: 2, updatedReplicas: 2"), deployment("new", 1, "2")}, `
			Deployment d: 2 of 2 admitted
			  q: used ; asks requests.cpu 4 of requests.cpu 5; left ; status unknown for quota: q, resources: requests.cpu
			  replica, of 2, exist true: at most 0; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=1
			Deployment new: 0 of 1 admitted, rejected, stored
			  q: used ; asks requests.cpu 2 of requests.cpu 5; left ; status unknown for quota: q, resources: requests.cpu
			  replica, of 1, exist false: at most 0 of 1; the next does not: replica: ResourceQuota home/q lacks requests.cpu=1
			  replica (spec.template.spec): replica: ResourceQuota home/q lacks requests.cpu=1: request less, or raise the quota
			home/q: requests.cpu 4 -> requests.cpu 4 of requests.cpu 5, at least`},
		{"claims that exist", []string{quota("q", "persistentvolumeclaims: 1", "persistentvolumeclaims: 1"), document("PersistentVolumeClaim", "name: a", spec("resources: {requests: {storage: 1Gi}}"), status("phase: Bound")), document("PersistentVolumeClaim", "name: b", spec("resources: {requests: {storage: 1Gi}}"))}, `
			PersistentVolumeClaim a
			  q: used persistentvolumeclaims 1; asks persistentvolumeclaims 1 of persistentvolumeclaims 1; left persistentvolumeclaims 0
			  claim, of 1, exist true: 0; the next does not: claim a: ResourceQuota home/q lacks persistentvolumeclaims=1
			PersistentVolumeClaim b, rejected
			  q: used persistentvolumeclaims 1; asks persistentvolumeclaims 1 of persistentvolumeclaims 1; left persistentvolumeclaims -1
			  claim, of 1, exist false: 0 of 1; the next does not: claim b: ResourceQuota home/q lacks persistentvolumeclaims=1
			  claim b (spec): claim b: ResourceQuota home/q lacks persistentvolumeclaims=1: request less, or raise the quota to persistentvolumeclaims=2
			home/q: persistentvolumeclaims 1 -> persistentvolumeclaims 1 of persistentvolumeclaims 1`},
		{"runs that a CronJob deletes first", []string{quota("q", "count/jobs.batch: 4", "count/jobs.batch: 4"), document("CronJob", "name: c, uid: c", spec("jobTemplate: {spec: {"+template("2")+"}}")),
			job("a"), job("b"), job("d"), job("e")}, `
			CronJob c: 1 of 1 admitted
			  q: used count/jobs.batch 3; asks count/jobs.batch 4 of count/jobs.batch 4; left count/jobs.batch 0
			  pod, of 1, exist false: any number
			home/q: count/jobs.batch 4 -> count/jobs.batch 4 of count/jobs.batch 4`},
		{"runs that a CronJob deletes first, of a quota without a status", []string{document("ResourceQuota", "name: q", spec("hard: {count/jobs.batch: 6}")), document("CronJob", "name: c, uid: c", spec("jobTemplate: {spec: {"+template("2")+"}}")),
			job("a"), job("b"), job("d"), job("e"), job("f")}, `
			CronJob c: 1 of 1 admitted
			  q: used ; asks count/jobs.batch 4 of count/jobs.batch 6; left ; status unknown for quota: q, resources: count/jobs.batch
			  pod, of 1, exist false: any number
			home/q: count/jobs.batch 5 -> count/jobs.batch 4 of count/jobs.batch 6, at least`},
		{"the next run does not fit", []string{quota("q", "count/jobs.batch: 1", "count/jobs.batch: 1"), document("CronJob", "name: c, uid: c", spec("jobTemplate: {spec: {"+template("2")+"}}")), job("a")}, `
			CronJob c: 0 of 1 admitted, rejected, stored, blocked: exceeded quota: q, requested: count/jobs.batch=1, used: count/jobs.batch=1, limited: count/jobs.batch=1
			  q: used count/jobs.batch 1; asks count/jobs.batch 2 of count/jobs.batch 1; left count/jobs.batch -1
			  pod, of 1, exist false: 0 of 1; the next does not: job: ResourceQuota home/q lacks count/jobs.batch=1
			  job (spec): job: ResourceQuota home/q lacks count/jobs.batch=1: request less, or raise the quota to count/jobs.batch=2
			home/q: count/jobs.batch 1 -> count/jobs.batch 1 of count/jobs.batch 1`},
		{"an existing workload that is invalid now", []string{limits("max: {cpu: 1}"), exists("Deployment", "d", "replicas: 2, "+template("2"), "replicas: 2, updatedReplicas: 2")}, `
			Deployment d: 0 of 2 admitted, rejected, stored
			  replica 1 of 2 (spec.template.spec.containers[0].resources.requests): container app: request cpu 2 is above the default limit 1 from LimitRange home/lr: set a limit or lower the request
			  replica 1 of 2 (spec.template.spec.containers[0].resources.requests[cpu]): container app: request cpu 2 is above the maximum 1 of LimitRange home/lr: lower the request`},
		{"a claim that would be invalid now", []string{document("LimitRange", "name: lr", spec("limits: [{type: PersistentVolumeClaim, max: {storage: 1Gi}}]")), document("PersistentVolumeClaim", "name: c", spec("resources: {requests: {storage: 2Gi}}"), status("phase: Bound"))}, `
			skipped: 1 PersistentVolumeClaim`},
		{"an existing workload and its pods are invalid for one reason", []string{exists("Deployment", "d", "replicas: 1, template: {spec: {containers: [{name: app, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]}}", "replicas: 1, updatedReplicas: 1")}, `
			Deployment d: 0 of 1 admitted, rejected, stored
			  deployment (spec.template.spec.containers[0].resources.requests): container app: request cpu 2 is above its limit 1: raise the limit or lower the request`},
		{"a live pod that would be invalid now", []string{limits("max: {cpu: 1}"), document("Pod", "name: p, uid: p", spec(container("2")), status("phase: Running"))}, `
			Pod p: 1 of 1 admitted`},
	}, verdicts)
}

func job(name string) string {
	return document("Job", "name: "+name+", uid: "+name+", ownerReferences: [{controller: true, kind: CronJob, name: c, uid: c}]", spec(template("2")), status("conditions: [{type: Complete, status: 'True'}]"))
}

// limits is a LimitRange with one item for containers.
func limits(bounds string) string {
	return document("LimitRange", "name: lr", spec("limits: [{type: Container, "+bounds+"}]"))
}

// What LimitRanges refuse, or may refuse.
func TestLimitRanges(t *testing.T) {
	named := func(name, bounds string) string {
		return document("LimitRange", "name: "+name, spec("limits: [{type: Container, "+bounds+"}]"))
	}
	two := []string{named("a", "default: {cpu: 2}, defaultRequest: {cpu: 1}"), named("b", "default: {cpu: 4}, defaultRequest: {cpu: 3}"), quota("q", "requests.cpu: 4", "requests.cpu: 0")}
	bare := func(name string, replicas string) string {
		return document("Deployment", "name: "+name, spec("replicas: "+replicas+", template: {spec: {containers: [{name: app}]}}"))
	}
	check(t, report.Options{}, []scene{
		{"a container that is too large", []string{limits("max: {cpu: 1}, min: {cpu: 100m}"), deployment("d", 2, "2"), deployment("e", 1, "50m"), deployment("f", 1, "1")}, `
			Deployment d: 0 of 2 admitted, rejected, stored
			  replica 1 of 2 (spec.template.spec.containers[0].resources.requests): container app: request cpu 2 is above the default limit 1 from LimitRange home/lr: set a limit or lower the request
			  replica 1 of 2 (spec.template.spec.containers[0].resources.requests[cpu]): container app: request cpu 2 is above the maximum 1 of LimitRange home/lr: lower the request
			Deployment e: 0 of 1 admitted, rejected, stored
			  replica (spec.template.spec.containers[0].resources.requests[cpu]): container app: request cpu 50m is below the minimum 100m of LimitRange home/lr: raise the request
			Deployment f: 1 of 1 admitted`},
		{"a pod that is too large", []string{limits("max: {cpu: 1}"), document("Pod", "name: p", spec(container("2")))}, `
			Pod p: 0 of 1 admitted, rejected
			  pod (spec.containers[0].resources.requests): container app: request cpu 2 is above the default limit 1 from LimitRange home/lr: set a limit or lower the request
			  pod (spec.containers[0].resources.requests[cpu]): container app: request cpu 2 is above the maximum 1 of LimitRange home/lr: lower the request`},
		{"a claim that is too large", []string{document("LimitRange", "name: lr", spec("limits: [{type: PersistentVolumeClaim, max: {storage: 1Gi}}]")), document("PersistentVolumeClaim", "name: c", spec("resources: {requests: {storage: 2Gi}}")),
			document("StatefulSet", "name: db", spec("volumeClaimTemplates: [{metadata: {name: data}, spec: {resources: {requests: {storage: 3Gi}}}}], "+template("1")))}, `
			StatefulSet db: 0 of 1 admitted, rejected, stored
			  claim data of replica (spec.volumeClaimTemplates[0].spec.resources.requests[storage]): claim data: request storage 3Gi is above the maximum 1Gi of LimitRange home/lr: lower the request
			PersistentVolumeClaim c, rejected
			  claim c (spec.resources.requests[storage]): claim c: request storage 2Gi is above the maximum 1Gi of LimitRange home/lr: lower the request`},
		{"two reasons at one place", []string{limits("max: {cpu: 1, memory: 1Gi}"), document("Pod", "name: p", spec("containers: [{name: app, resources: {requests: {cpu: 2, memory: 2Gi}}}]"))}, `
			Pod p: 0 of 1 admitted, rejected
			  pod (spec.containers[0].resources.requests): container app: request cpu 2 is above the default limit 1 from LimitRange home/lr: set a limit or lower the request
			  pod (spec.containers[0].resources.requests): container app: request memory 2Gi is above the default limit 1Gi from LimitRange home/lr: set a limit or lower the request
			  pod (spec.containers[0].resources.requests[cpu]): container app: request cpu 2 is above the maximum 1 of LimitRange home/lr: lower the request
			  pod (spec.containers[0].resources.requests[memory]): container app: request memory 2Gi is above the maximum 1Gi of LimitRange home/lr: lower the request`},
		{"the larger defaults come first by name", []string{named("b", "default: {cpu: 2}, defaultRequest: {cpu: 1}"), named("a", "default: {cpu: 4}, defaultRequest: {cpu: 3}"), quota("q", "requests.cpu: 4", "requests.cpu: 0"), bare("d", "2")}, `
			Deployment d: 1 of 2 admitted, rejected, stored
			  q: used requests.cpu 0; asks requests.cpu 6 of requests.cpu 4; left requests.cpu -2
			  replica, of 2, exist false: 1 of 2; the next does not: replica 2 of 2: ResourceQuota home/q lacks requests.cpu=2
			  replica 2 of 2 (spec.template.spec): replica 2 of 2: ResourceQuota home/q lacks requests.cpu=2: run no more than 1 replica, request less, or raise the quota to requests.cpu=6
			home/q: requests.cpu 0 -> requests.cpu 3 of requests.cpu 4
			warning in 4: Deployment d: spec.template.spec: may be rejected: by the order in which the API server uses LimitRanges, from 1 to 2 replicas admitted: set the cpu request of container app, cpu limit of container app`},
		{"refused by one or the other", []string{named("a", "default: {cpu: 2}, defaultRequest: {cpu: 1}"), named("b", "default: {cpu: 4}, defaultRequest: {cpu: 1}"), document("LimitRange", "name: c", spec("limits: [{type: Pod, max: {cpu: 3}}]")), document("LimitRange", "name: d", spec("limits: [{type: Pod, max: {cpu: 2500m}}]")), bare("d", "1")}, `
			Deployment d: 1 of 1 admitted
			warning in 5: Deployment d: spec.template.spec: may be rejected (in 1 of 2 orders of LimitRanges): pod: limit cpu 4 is above the maximum 3 of LimitRange home/c: set the cpu limit of container app`},
		{"of another namespace", []string{document("LimitRange", "name: lr, namespace: other", spec("limits: [{type: Container, max: {cpu: 1}}]")), deployment("d", 1, "2")}, `
			Deployment d: 1 of 1 admitted`},
		{"the defaults of either may come first", append(two[:3:3], bare("d", "2")), `
			Deployment d: 2 of 2 admitted
			  q: used requests.cpu 0; asks requests.cpu 2 of requests.cpu 4; left requests.cpu 2
			  replica, of 2, exist false: 4; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=1
			home/q: requests.cpu 0 -> requests.cpu 2 of requests.cpu 4
			warning in 4: Deployment d: spec.template.spec: may be rejected: by the order in which the API server uses LimitRanges, from 1 to 2 replicas admitted: set the cpu request of container app, cpu limit of container app`},
		{"of three replicas", append(two[:3:3], bare("d", "3")), `
			Deployment d: 3 of 3 admitted
			  q: used requests.cpu 0; asks requests.cpu 3 of requests.cpu 4; left requests.cpu 1
			  replica, of 3, exist false: 4; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=1
			home/q: requests.cpu 0 -> requests.cpu 3 of requests.cpu 4
			warning in 4: Deployment d: spec.template.spec: may be rejected: by the order in which the API server uses LimitRanges, from 1 to 3 replicas admitted: set the cpu request of container app, cpu limit of container app`},
		{"both fit", append(two[:3:3], bare("d", "1")), `
			Deployment d: 1 of 1 admitted
			  q: used requests.cpu 0; asks requests.cpu 1 of requests.cpu 4; left requests.cpu 3
			  replica, of 1, exist false: 4; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=1
			home/q: requests.cpu 0 -> requests.cpu 1 of requests.cpu 4`},
		{"neither fits", append(two[:3:3], bare("d", "5")), `
			Deployment d: 4 of 5 admitted, rejected, stored
			  q: used requests.cpu 0; asks requests.cpu 5 of requests.cpu 4; left requests.cpu -1
			  replica, of 5, exist false: 4 of 5; the next does not: replica 5 of 5: ResourceQuota home/q lacks requests.cpu=1
			  replica 5 of 5 (spec.template.spec): replica 5 of 5: ResourceQuota home/q lacks requests.cpu=1: run no more than 4 replicas, request less, or raise the quota to requests.cpu=5
			home/q: requests.cpu 0 -> requests.cpu 4 of requests.cpu 4`},
		{"one of both is refused", []string{named("a", "default: {cpu: 2}, defaultRequest: {cpu: 1}"), named("b", "default: {cpu: 4}, defaultRequest: {cpu: 1}, max: {cpu: 4}"), named("c", "max: {cpu: 3}, default: {cpu: 2}"), bare("d", "1")}, `
			Deployment d: 1 of 1 admitted
			warning in 4: Deployment d: spec.template.spec: may be rejected (in 1 of 3 orders of LimitRanges): container app: the default limit cpu 4 from LimitRange home/b is above the maximum 3 of LimitRange home/c: set the cpu request of container app, cpu limit of container app`},
		{"requests without limits", []string{limits("max: {cpu: 1}, maxLimitRequestRatio: {cpu: 2}"), deployment("d", 1, "400m")}, `
			Deployment d: 0 of 1 admitted, rejected, stored
			  replica (spec.template.spec.containers[0].resources.limits[cpu]): container app: the default limit cpu 1 from LimitRange home/lr is 2.5 times its request 400m, but LimitRange home/lr allows 2 times: request at least 500m, or set a limit of at most 800m`},
	}, verdicts)
	r, in := of(report.Options{}, append(two[:3:3], bare("d", "2"))...)
	if n := &r.Namespaces[0]; len(n.Ambiguities) != 2 || len(n.LimitRanges) != 2 || n.LimitRanges[0] != "a" || len(n.Conflicts) != 0 {
		t.Errorf("%+v", n)
	}
	if len(in.Problems) != 1 || in.Problems[0].Code() != 0 {
		t.Errorf("a warning is %v", in.Problems)
	}
}
