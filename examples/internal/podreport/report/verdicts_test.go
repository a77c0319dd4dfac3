package report_test

import (
	"fmt"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

// What is decided where several rules meet: of quotas, LimitRanges, controllers and what exists.
func TestVerdicts(t *testing.T) {
	exists := func(kind, name, more, state string) string {
		return document(kind, "name: "+name+", uid: "+name, spec(more), status(state))
	}
	live := func(name, owner, cpu, phase string) string {
		return document("Pod", "name: "+name+", uid: "+name+", ownerReferences: [{controller: true, "+owner+"}]", spec(container(cpu)), status("phase: "+phase))
	}
	const ofS = "kind: StatefulSet, name: s, uid: s"
	const failing = "conditions: [{type: ReplicaFailure, status: 'True', reason: FailedCreate, message: M}]"
	named := func(name, bounds string) string {
		return document("LimitRange", "name: "+name, spec("limits: [{type: Container, "+bounds+"}]"))
	}
	bare := func(name string, replicas string) string {
		return document("Deployment", "name: "+name, spec("replicas: "+replicas+", template: {spec: {containers: [{name: app}]}}"))
	}
	two := []string{named("a", "default: {cpu: 2}, defaultRequest: {cpu: 1}"), named("b", "default: {cpu: 4}, defaultRequest: {cpu: 3}")}
	some := func(replicas, exist int) string {
		return document("Deployment", "name: d, uid: d", spec(fmt.Sprintf("replicas: %d, template: {spec: {containers: [{name: app}]}}", replicas)), status(fmt.Sprintf("replicas: %d, updatedReplicas: %d", exist, exist)))
	}
	rs := document("ReplicaSet", "name: d-1, uid: d-1, ownerReferences: [{controller: true, kind: Deployment, name: d, uid: d}]", spec("replicas: 2, "+template("2")), status("replicas: 2"))
	const ofRS = "kind: ReplicaSet, name: d-1, uid: d-1"
	gold := "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: gold, annotations: {storageclass.kubernetes.io/is-default-class: 'true'}}\nprovisioner: p\n"
	check(t, report.Options{}, []scene{
		{"an amount that a quota requires, and one that it lacks", []string{quota("q", "pods: 1, requests.cpu: 5", "pods: 1, requests.cpu: 1"), bare("d", "1"), deployment("e", 1, "1")}, `
			Deployment d: 0 of 1 admitted, rejected, stored
			  q: used pods 1, requests.cpu 1; asks pods 1, requests.cpu 0 of pods 1, requests.cpu 5; left pods -1, requests.cpu 4
			  replica, of 1, exist false: 0 of 1; the next does not: replica: ResourceQuota home/q requires requests.cpu of app; replica: ResourceQuota home/q lacks pods=1
			  replica (spec.template.spec): replica: ResourceQuota home/q requires requests.cpu of app: set it, or set a default in a LimitRange
			  replica (spec.template.spec): replica: ResourceQuota home/q lacks pods=1: request less, or raise the quota to pods=2
			Deployment e: 0 of 1 admitted, rejected, stored
			  q: used pods 1, requests.cpu 1; asks pods 1, requests.cpu 1 of pods 1, requests.cpu 5; left pods -1, requests.cpu 3
			  replica, of 1, exist false: 0 of 1; the next does not: replica: ResourceQuota home/q lacks pods=1
			  replica (spec.template.spec): replica: ResourceQuota home/q lacks pods=1: request less, or raise the quota to pods=2
			home/q: pods 1, requests.cpu 1 -> pods 1, requests.cpu 1 of pods 1, requests.cpu 5`},
		{"refused by a LimitRange and by a quota", []string{limits("max: {cpu: 1}"), quota("q", "requests.cpu: 1", "requests.cpu: 0"), deployment("d", 2, "2")}, `
			Deployment d: 0 of 2 admitted, rejected, stored
			  q: used requests.cpu 0; asks requests.cpu 4 of requests.cpu 1; left requests.cpu -3
			  replica, of 2, exist false: 0 of 2; the next does not: container app: request cpu 2 is above the default limit 1 from LimitRange home/lr; container app: request cpu 2 is above the maximum 1 of LimitRange home/lr; replica 1 of 2: ResourceQuota home/q lacks requests.cpu=1
			  replica 1 of 2 (spec.template.spec.containers[0].resources.requests): container app: request cpu 2 is above the default limit 1 from LimitRange home/lr: set a limit or lower the request
			  replica 1 of 2 (spec.template.spec.containers[0].resources.requests[cpu]): container app: request cpu 2 is above the maximum 1 of LimitRange home/lr: lower the request
			  replica 1 of 2 (spec.template.spec): replica 1 of 2: ResourceQuota home/q lacks requests.cpu=1: request less, or raise the quota to requests.cpu=4
			home/q: requests.cpu 0 -> requests.cpu 0 of requests.cpu 1`},
		{"a workload that is refused has no doubtful pods", []string{quota("q", "count/deployments.apps: 0, requests.cpu: 9", "count/deployments.apps: 0, requests.cpu: 0"), two[0], two[1], bare("d", "4")}, `
			Deployment d: 0 of 4 admitted, rejected
			  q: used count/deployments.apps 0, requests.cpu 0; asks count/deployments.apps 1, requests.cpu 4 of count/deployments.apps 0, requests.cpu 9; left count/deployments.apps -1, requests.cpu 5
			  replica, of 4, exist false: 0 of 4; the next does not: deployment: ResourceQuota home/q lacks count/deployments.apps=1
			  deployment (spec): deployment: ResourceQuota home/q lacks count/deployments.apps=1: request less, or raise the quota to count/deployments.apps=1
			home/q: count/deployments.apps 0, requests.cpu 0 -> count/deployments.apps 0, requests.cpu 0 of count/deployments.apps 0, requests.cpu 9`},
		{"a workload and its pods are invalid for one reason", []string{document("Deployment", "name: d", spec("template: {spec: {containers: [{name: app, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]}}"))}, `
			Deployment d: 0 of 1 admitted, rejected
			  deployment (spec.template.spec.containers[0].resources.requests): container app: request cpu 2 is above its limit 1: raise the limit or lower the request`},
		{"a controller that failed has all pods now", []string{quota("q", "requests.cpu: 50", "requests.cpu: 4"), exists("Deployment", "d", "replicas: 2, "+template("2"), "replicas: 2, updatedReplicas: 2, "+failing)}, `
			Deployment d: 2 of 2 admitted
			  q: used requests.cpu 4; asks requests.cpu 4 of requests.cpu 50; left requests.cpu 46
			  replica, of 2, exist true: 23; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=2
			home/q: requests.cpu 4 -> requests.cpu 4 of requests.cpu 50`},
		{"a controller fails with room for one more pod", []string{quota("q", "requests.cpu: 6", "requests.cpu: 4"), exists("Deployment", "d", "replicas: 3, "+template("2"), "replicas: 2, updatedReplicas: 2, "+failing)}, `
			Deployment d: 2 of 3 admitted, rejected, stored, blocked: M
			  q: used requests.cpu 4; asks requests.cpu 6 of requests.cpu 6; left requests.cpu 0
			  replica, of 3, exist false: 3; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=2
			  replica 3 of 3 (spec.template.spec): M: no LimitRange or quota of the input refuses it now, so something else does, or did
			home/q: requests.cpu 4 -> requests.cpu 4 of requests.cpu 6`},
		{"nobody knows whether pods exist, beside a quota without usage and one of other objects", []string{quota("a", "requests.cpu: 9", "requests.cpu: 6"), quota("z", "services: 9", "services: 1"), document("ResourceQuota", "name: p, uid: p", spec("hard: {pods: 9}"), status("hard: {pods: 9}")), document("Deployment", "name: d, uid: d", spec("replicas: 3, "+template("2")))}, `
			Deployment d: 3 of 3 admitted
			  a: used requests.cpu 6; asks requests.cpu 6 of requests.cpu 9; left requests.cpu 3
			  p: used ; asks pods 3 of pods 9; left 
			  replica, of 3, exist true: 0; the next does not: the next replica: ResourceQuota home/p has no status of pods
			home/a: requests.cpu 6 -> requests.cpu 6 of requests.cpu 9
			home/p:  ->  of pods 9
			home/z: services 1 -> services 1 of services 9, unevaluated [services], never []
			warning in 4: Deployment d: the input does not say whether its pods exist: it has no status and no pods of namespace home; they count as existing`},
		{"fewer pods exist than the usage has room for, and their Deployment", []string{quota("q", "requests.cpu: 9, count/deployments.apps: 3", "requests.cpu: 5, count/deployments.apps: 1"), document("Deployment", "name: d, uid: d", spec("replicas: 3, "+template("2")))}, `
			Deployment d: 3 of 3 admitted
			  q: used count/deployments.apps 1, requests.cpu 5; asks count/deployments.apps 1, requests.cpu 6 of count/deployments.apps 3, requests.cpu 9; left count/deployments.apps 2, requests.cpu 2
			  replica, of 3, exist false: 4; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=2
			home/q: count/deployments.apps 1, requests.cpu 5 -> count/deployments.apps 1, requests.cpu 7 of count/deployments.apps 3, requests.cpu 9`},
		{"as many pods exist as the usage has room for, although the fraction is no exact number", []string{quota("q", "requests.cpu: 200", "requests.cpu: 29"), document("Deployment", "name: d, uid: d", spec("replicas: 100, "+template("1")))}, `
			Deployment d: 100 of 100 admitted
			  q: used requests.cpu 29; asks requests.cpu 100 of requests.cpu 200; left requests.cpu 100
			  replica, of 100, exist false: 200; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=1
			home/q: requests.cpu 29 -> requests.cpu 100 of requests.cpu 200`},
		{"a hook with claims for its pod", []string{quota("q", "count/jobs.batch: 2, persistentvolumeclaims: 5", "count/jobs.batch: 0, persistentvolumeclaims: 0"),
			document("Job", "name: stays, annotations: {helm.sh/hook: pre-install}", spec("template: {spec: {containers: [{name: c}], volumes: [{name: data, ephemeral: {volumeClaimTemplate: {spec: {resources: {requests: {storage: 1Gi}}}}}}]}}"))}, `
			Job stays: 1 of 1 admitted
			  q: used count/jobs.batch 0, persistentvolumeclaims 0; asks count/jobs.batch 1, persistentvolumeclaims 1 of count/jobs.batch 2, persistentvolumeclaims 5; left count/jobs.batch 1, persistentvolumeclaims 4
			  pod, of 1, exist false: 5; the next does not: claim data of the next pod: ResourceQuota home/q lacks persistentvolumeclaims=1
			home/q: count/jobs.batch 0, persistentvolumeclaims 0 -> count/jobs.batch 1, persistentvolumeclaims 0 of count/jobs.batch 2, persistentvolumeclaims 5`},
		{"a stale status behind an object, and of a default", []string{quota("q", "limits.cpu: 9, requests.memory: 8G, persistentvolumeclaims: 9", "limits.cpu: 3, requests.memory: 512Mi, persistentvolumeclaims: 1"), limits("default: {cpu: 2}"),
			document("PersistentVolumeClaim", "name: a", spec("resources: {requests: {storage: 1Gi}}"), status("phase: Bound")),
			exists("StatefulSet", "s", "replicas: 1, template: {spec: {containers: [{name: app, resources: {requests: {memory: 1Gi}}}]}}", "replicas: 1"),
			document("Pod", "name: s-0, uid: s-0, ownerReferences: [{controller: true, "+ofS+"}]", spec("containers: [{name: app, resources: {requests: {memory: 1Gi}, limits: {cpu: 2}}}]"), status("phase: Running"))}, `
			StatefulSet s: 1 of 1 admitted
			  q: used limits.cpu 3, requests.memory 512Mi; asks limits.cpu 2, requests.memory 1Gi of limits.cpu 9, requests.memory 8G; left limits.cpu 6, requests.memory 7463129088
			  replica, of 1, exist true: 3; the next does not: the next replica: ResourceQuota home/q lacks limits.cpu=2
			PersistentVolumeClaim a
			  q: used persistentvolumeclaims 1; asks persistentvolumeclaims 1 of persistentvolumeclaims 9; left persistentvolumeclaims 8
			  claim, of 1, exist true: 8; the next does not: claim a: ResourceQuota home/q lacks persistentvolumeclaims=1
			home/q: limits.cpu 3, persistentvolumeclaims 1, requests.memory 512Mi -> limits.cpu 3, persistentvolumeclaims 1, requests.memory 512Mi of limits.cpu 9, persistentvolumeclaims 9, requests.memory 8G
			warning in 1: ResourceQuota q: limits.cpu: used 3, but the pods in the input use 2: the quota's status is stale, or the input lacks pods
			warning in 1: ResourceQuota q: requests.memory: used 537M, but the pods in the input use 1.1G: the quota's status is stale`},
		{"claims without a class, of which one is old", []string{quota("q", "gold.storageclass.storage.k8s.io/requests.storage: 5Gi", "gold.storageclass.storage.k8s.io/requests.storage: 1Gi"), gold,
			document("PersistentVolumeClaim", "name: new", spec("resources: {requests: {storage: 2Gi}}")), document("PersistentVolumeClaim", "name: old", spec("resources: {requests: {storage: 2Gi}}"), status("phase: Bound"))}, `
			PersistentVolumeClaim new
			  q: used gold.storageclass.storage.k8s.io/requests.storage 1Gi; asks gold.storageclass.storage.k8s.io/requests.storage 2Gi of gold.storageclass.storage.k8s.io/requests.storage 5Gi; left gold.storageclass.storage.k8s.io/requests.storage 2Gi
			  claim, of 1, exist false: 2; the next does not: claim new: ResourceQuota home/q lacks gold.storageclass.storage.k8s.io/requests.storage=2Gi
			PersistentVolumeClaim old
			  q: used gold.storageclass.storage.k8s.io/requests.storage 3Gi; asks gold.storageclass.storage.k8s.io/requests.storage 0 of gold.storageclass.storage.k8s.io/requests.storage 5Gi; left gold.storageclass.storage.k8s.io/requests.storage 2Gi
			  claim, of 1, exist true: 1; the next does not: claim old: ResourceQuota home/q lacks gold.storageclass.storage.k8s.io/requests.storage=2Gi
			home/q: gold.storageclass.storage.k8s.io/requests.storage 1Gi -> gold.storageclass.storage.k8s.io/requests.storage 3Gi of gold.storageclass.storage.k8s.io/requests.storage 5Gi`},
		{"an invalid manifest of a claim that exists", []string{document("PersistentVolumeClaim", "name: a", spec("resources: {requests: {storage: 1Gi}}"), status("phase: Bound")), document("PersistentVolumeClaim", "name: a", spec("resources: {}"))}, `
			PersistentVolumeClaim a, rejected
			  claim a (spec.resources.requests[storage]): claim a: no storage request: set a storage request above zero
			note in 1: PersistentVolumeClaim a: replaced by the one of -, document 2, which has the same name`},
		{"defaults of existing pods count in a quota without a status", []string{document("ResourceQuota", "name: q", spec("hard: {limits.cpu: 9}")), limits("default: {cpu: 2}"), some(2, 2)}, `
			Deployment d: 2 of 2 admitted
			  q: used ; asks limits.cpu 4 of limits.cpu 9; left ; status unknown for quota: q, resources: limits.cpu
			  replica, of 2, exist true: at most 2; the next does not: the next replica: ResourceQuota home/q lacks limits.cpu=1
			home/q: limits.cpu 4 -> limits.cpu 4 of limits.cpu 9, at least`},
		{"an object whose pods are in the input", []string{quota("q", "count/statefulsets.apps: 5, pods: 9", "count/statefulsets.apps: 1, pods: 1"), exists("StatefulSet", "s", "replicas: 2, "+template("2"), "replicas: 1"), live("s-0", ofS, "2", "Running")}, `
			StatefulSet s: 2 of 2 admitted
			  q: used pods 1, count/statefulsets.apps 1; asks pods 2, count/statefulsets.apps 1 of pods 9, count/statefulsets.apps 5; left pods 7, count/statefulsets.apps 4
			  replica, of 2, exist false: 9; the next does not: the next replica: ResourceQuota home/q lacks pods=1
			home/q: pods 1, count/statefulsets.apps 1 -> pods 2, count/statefulsets.apps 1 of pods 9, count/statefulsets.apps 5`},
		{"a Deployment, its ReplicaSet and their pods count in a quota without a status", []string{document("ResourceQuota", "name: q", spec("hard: {pods: 9, count/replicasets.apps: 4, count/deployments.apps: 4}")), exists("Deployment", "d", "replicas: 2, "+template("2"), "replicas: 2, updatedReplicas: 2"), rs, live("a", ofRS, "2", "Running"), live("b", ofRS, "2", "Running")}, `
			Deployment d: 2 of 2 admitted
			  q: used ; asks pods 2, count/deployments.apps 1, count/replicasets.apps 1 of pods 9, count/deployments.apps 4, count/replicasets.apps 4; left ; status unknown for quota: q, resources: count/deployments.apps,count/replicasets.apps,pods
			  replica, of 2, exist true: at most 7; the next does not: the next replica: ResourceQuota home/q lacks pods=1
			home/q: pods 2, count/deployments.apps 1, count/replicasets.apps 1 -> pods 2, count/deployments.apps 1, count/replicasets.apps 1 of pods 9, count/deployments.apps 4, count/replicasets.apps 4, at least`},
		{"a run beside those that have ended", []string{quota("q", "count/jobs.batch: 9, count/cronjobs.batch: 2, count/pods: 9", "count/jobs.batch: 6, count/cronjobs.batch: 1, count/pods: 2"), document("CronJob", "name: c, uid: c", spec("jobTemplate: {spec: {"+template("2")+"}}")),
			document("Job", "name: r, uid: r, ownerReferences: [{controller: true, kind: CronJob, name: c, uid: c}]", spec(template("2")), status("active: 1")), live("r-0", "kind: Job, name: r, uid: r", "2", "Running"),
			job("a"), live("a-0", "kind: Job, name: a, uid: a", "2", "Succeeded"), job("b"), job("d"), job("e"), job("f")}, `
			CronJob c: 1 of 1 admitted
			  q: used count/cronjobs.batch 1, count/jobs.batch 4, count/pods 2; asks count/cronjobs.batch 1, count/jobs.batch 4, count/pods 2 of count/cronjobs.batch 2, count/jobs.batch 9, count/pods 9; left count/cronjobs.batch 1, count/jobs.batch 5, count/pods 7
			  pod, of 1, exist true: 7; the next does not: the next pod: ResourceQuota home/q lacks count/pods=1
			home/q: count/cronjobs.batch 1, count/jobs.batch 6, count/pods 2 -> count/cronjobs.batch 1, count/jobs.batch 4, count/pods 2 of count/cronjobs.batch 2, count/jobs.batch 9, count/pods 9`},
		{"the next run, and the CronJob itself", []string{quota("q", "count/jobs.batch: 9, count/cronjobs.batch: 2", "count/jobs.batch: 4, count/cronjobs.batch: 1"), document("CronJob", "name: c, uid: c", spec("jobTemplate: {spec: {"+template("2")+"}}")), job("a"), job("b"), job("d"), job("e")}, `
			CronJob c: 1 of 1 admitted
			  q: used count/cronjobs.batch 1, count/jobs.batch 3; asks count/cronjobs.batch 1, count/jobs.batch 4 of count/cronjobs.batch 2, count/jobs.batch 9; left count/cronjobs.batch 1, count/jobs.batch 5
			  pod, of 1, exist false: any number
			home/q: count/cronjobs.batch 1, count/jobs.batch 4 -> count/cronjobs.batch 1, count/jobs.batch 4 of count/cronjobs.batch 2, count/jobs.batch 9`},
		{"a ReplicationController", []string{quota("q", "pods: 2", "pods: 0"), document("ReplicationController", "name: r", spec("replicas: 3, "+template("1")))}, `
			ReplicationController r: 2 of 3 admitted, rejected, stored
			  q: used pods 0; asks pods 3 of pods 2; left pods -1
			  replica, of 3, exist false: 2 of 3; the next does not: replica 3 of 3: ResourceQuota home/q lacks pods=1
			  replica 3 of 3 (spec.template.spec): replica 3 of 3: ResourceQuota home/q lacks pods=1: run no more than 2 replicas, request less, or raise the quota to pods=3
			home/q: pods 0 -> pods 2 of pods 2`},
		{"two claims for each pod", []string{quota("q", "requests.storage: 5Gi", "requests.storage: 0"),
			document("StatefulSet", "name: db", spec("replicas: 3, volumeClaimTemplates: [{metadata: {name: data}, spec: {resources: {requests: {storage: 2Gi}}}}, {metadata: {name: log}, spec: {resources: {requests: {storage: 1Gi}}}}], "+template("1")))}, `
			StatefulSet db: 1 of 3 admitted, rejected, stored
			  q: used requests.storage 0; asks requests.storage 9Gi of requests.storage 5Gi; left requests.storage -4Gi
			  replica, of 3, exist false: 1 of 3; the next does not: claim log of replica 2 of 3: ResourceQuota home/q lacks requests.storage=1Gi
			  claim log of replica 2 of 3 (spec.volumeClaimTemplates[1].spec): claim log of replica 2 of 3: ResourceQuota home/q lacks requests.storage=1Gi: run no more than 1 replica, request less, or raise the quota to requests.storage=9Gi
			home/q: requests.storage 0 -> requests.storage 3Gi of requests.storage 5Gi`},
		{"a quota of other objects first, and a usage without a limit", []string{quota("a", "services: 1", "services: 0"), document("ResourceQuota", "name: b, uid: b", spec("hard: {pods: 5}"), status("hard: {pods: 5}, used: {pods: 1, secrets: 3}")), deployment("d", 1, "1")}, `
			Deployment d: 1 of 1 admitted
			  b: used pods 1; asks pods 1 of pods 5; left pods 3
			  replica, of 1, exist false: 4; the next does not: the next replica: ResourceQuota home/b lacks pods=1
			home/a: services 0 -> services 0 of services 1, unevaluated [services], never []
			home/b: pods 1 -> pods 2 of pods 5`},
		{"claims for devices are the extended resource of their class", []string{quota("q", "requests.example.com/gpu: 5", "requests.example.com/gpu: 1"), document("DeviceClass", "name: gpu", spec("extendedResourceName: example.com/gpu")),
			document("ResourceClaim", "name: c", spec("devices: {requests: [{name: a, exactly: {deviceClassName: gpu, count: 2}}]}"))}, `
			ResourceClaim c
			  q: used requests.example.com/gpu 1; asks requests.example.com/gpu 2 of requests.example.com/gpu 5; left requests.example.com/gpu 2
			  claim, of 1, exist false: 2; the next does not: claim c: ResourceQuota home/q lacks requests.example.com/gpu=2
			home/q: requests.example.com/gpu 1 -> requests.example.com/gpu 3 of requests.example.com/gpu 5`},
		{"only defaults that differ have to be set", []string{named("a", "default: {cpu: 2, memory: 2Gi}, defaultRequest: {cpu: 1, memory: 1Gi}"), named("b", "default: {cpu: 2, memory: 2Gi}, defaultRequest: {cpu: 2, memory: 1Gi}"), quota("q", "requests.cpu: 2", "requests.cpu: 0"),
			document("Deployment", "name: d", spec("template: {spec: {containers: [{name: app}, {name: b, resources: {limits: {cpu: 1, memory: 1Gi}}}]}}"))}, `
			Deployment d: 1 of 1 admitted
			  q: used requests.cpu 0; asks requests.cpu 2 of requests.cpu 2; left requests.cpu 0
			  replica, of 1, exist false: 1; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=2
			home/q: requests.cpu 0 -> requests.cpu 2 of requests.cpu 2
			warning in 4: Deployment d: spec.template.spec: may be rejected (in 1 of 2 orders of LimitRanges): ResourceQuota home/q lacks requests.cpu=1: set the cpu request of container app`},
		{"defaults that differ do not matter, because enough pods exist", []string{two[0], two[1], quota("q", "requests.cpu: 8", "requests.cpu: 2"), some(3, 2)}, `
			Deployment d: 3 of 3 admitted
			  q: used requests.cpu 2; asks requests.cpu 3 of requests.cpu 8; left requests.cpu 5
			  replica, of 3, exist false: 8; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=1
			home/q: requests.cpu 2 -> requests.cpu 3 of requests.cpu 8`},
		{"with the smaller defaults, exactly the missing pods are admitted", []string{two[0], two[1], quota("q", "requests.cpu: 3", "requests.cpu: 1"), some(3, 1)}, `
			Deployment d: 3 of 3 admitted
			  q: used requests.cpu 1; asks requests.cpu 3 of requests.cpu 3; left requests.cpu 0
			  replica, of 3, exist false: 3; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=1
			home/q: requests.cpu 1 -> requests.cpu 3 of requests.cpu 3
			warning in 4: Deployment d: spec.template.spec: may be rejected (in 1 of 2 orders of LimitRanges): ResourceQuota home/q lacks requests.cpu=1: set the cpu request of container app, cpu limit of container app`},
		{"of the pods that are missing, some are admitted in any order", []string{two[0], two[1], quota("q", "requests.cpu: 5", "requests.cpu: 1"), some(3, 1)}, `
			Deployment d: 3 of 3 admitted
			  q: used requests.cpu 1; asks requests.cpu 3 of requests.cpu 5; left requests.cpu 2
			  replica, of 3, exist false: 5; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=1
			home/q: requests.cpu 1 -> requests.cpu 3 of requests.cpu 5
			warning in 4: Deployment d: spec.template.spec: may be rejected: by the order in which the API server uses LimitRanges, from 1 to 2 replicas admitted: set the cpu request of container app, cpu limit of container app`},
		{"orders that differ in the message only are one", []string{named("a", "default: {cpu: 4}, defaultRequest: {cpu: 1}"), named("b", "default: {cpu: 2}, defaultRequest: {cpu: 1}"), named("e", "default: {cpu: 5}, defaultRequest: {cpu: 1}"), document("LimitRange", "name: f", spec("limits: [{type: Pod, max: {cpu: 3}}]")), document("LimitRange", "name: g", spec("limits: [{type: Pod, max: {cpu: 2500m}}]")), bare("d", "1")}, `
			Deployment d: 0 of 1 admitted, rejected, stored
			  replica (spec.template.spec): pod: limit cpu 4 is above the maximum 3 of LimitRange home/f: lower the limit
			  replica (spec.template.spec): pod: limit cpu 4 is above the maximum 2500m of LimitRange home/g: lower the limit
			warning in 6: Deployment d: spec.template.spec: may be rejected (in 2 of 3 orders of LimitRanges): pod: limit cpu 4 is above the maximum 3 of LimitRange home/f: set the cpu limit of container app`},
	}, verdicts)
}
