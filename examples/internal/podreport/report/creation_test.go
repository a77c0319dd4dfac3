package report_test

import (
	"testing"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

// What of a workload fits into quotas, and what they then have in use.
func TestQuotasOfManifests(t *testing.T) {
	check(t, report.Options{}, []scene{
		{"all fit", []string{quota("q", "requests.cpu: 10, pods: 9", "requests.cpu: 1, pods: 2"), deployment("d", 3, "2")}, `
			Deployment d: 3 of 3 admitted
			  q: used pods 2, requests.cpu 1; asks pods 3, requests.cpu 6 of pods 9, requests.cpu 10; left pods 4, requests.cpu 3
			  replica, of 3, exist false: 4; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=1
			home/q: pods 2, requests.cpu 1 -> pods 5, requests.cpu 7 of pods 9, requests.cpu 10`},
		{"some fit", []string{quota("q", "requests.cpu: 10, pods: 9", "requests.cpu: 5, pods: 2"), deployment("d", 3, "2")}, `
			Deployment d: 2 of 3 admitted, rejected, stored
			  q: used pods 2, requests.cpu 5; asks pods 3, requests.cpu 6 of pods 9, requests.cpu 10; left pods 4, requests.cpu -1
			  replica, of 3, exist false: 2 of 3; the next does not: replica 3 of 3: ResourceQuota home/q lacks requests.cpu=1
			  replica 3 of 3 (spec.template.spec): replica 3 of 3: ResourceQuota home/q lacks requests.cpu=1: run no more than 2 replicas, request less, or raise the quota to requests.cpu=11
			home/q: pods 2, requests.cpu 5 -> pods 4, requests.cpu 9 of pods 9, requests.cpu 10`},
		{"none fits", []string{quota("q", "requests.cpu: 10, pods: 9", "requests.cpu: 9, pods: 2"), deployment("d", 3, "2")}, `
			Deployment d: 0 of 3 admitted, rejected, stored
			  q: used pods 2, requests.cpu 9; asks pods 3, requests.cpu 6 of pods 9, requests.cpu 10; left pods 4, requests.cpu -5
			  replica, of 3, exist false: 0 of 3; the next does not: replica 1 of 3: ResourceQuota home/q lacks requests.cpu=1
			  replica 1 of 3 (spec.template.spec): replica 1 of 3: ResourceQuota home/q lacks requests.cpu=1: request less, or raise the quota to requests.cpu=15
			home/q: pods 2, requests.cpu 9 -> pods 2, requests.cpu 9 of pods 9, requests.cpu 10`},
		{"none is wanted, and none fits", []string{quota("q", "requests.cpu: 10", "requests.cpu: 9"), deployment("d", 0, "2")}, `
			Deployment d: 0 of 0 admitted
			  q: used requests.cpu 9; asks requests.cpu 0 of requests.cpu 10; left requests.cpu 1
			  replica, of 0, exist false: 0; the next does not: replica: ResourceQuota home/q lacks requests.cpu=1
			home/q: requests.cpu 9 -> requests.cpu 9 of requests.cpu 10`},
		{"one after the other", []string{quota("q", "requests.cpu: 10", "requests.cpu: 0"), deployment("d", 3, "2"), deployment("e", 3, "2"), deployment("f", 1, "1")}, `
			Deployment d: 3 of 3 admitted
			  q: used requests.cpu 0; asks requests.cpu 6 of requests.cpu 10; left requests.cpu 4
			  replica, of 3, exist false: 5; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=2
			Deployment e: 2 of 3 admitted, rejected, stored
			  q: used requests.cpu 6; asks requests.cpu 6 of requests.cpu 10; left requests.cpu -2
			  replica, of 3, exist false: 2 of 3; the next does not: replica 3 of 3: ResourceQuota home/q lacks requests.cpu=2
			  replica 3 of 3 (spec.template.spec): replica 3 of 3: ResourceQuota home/q lacks requests.cpu=2: run no more than 2 replicas, request less, or raise the quota to requests.cpu=12
			Deployment f: 0 of 1 admitted, rejected, stored
			  q: used requests.cpu 10; asks requests.cpu 1 of requests.cpu 10; left requests.cpu -1
			  replica, of 1, exist false: 0 of 1; the next does not: replica: ResourceQuota home/q lacks requests.cpu=1
			  replica (spec.template.spec): replica: ResourceQuota home/q lacks requests.cpu=1: request less, or raise the quota to requests.cpu=11
			home/q: requests.cpu 0 -> requests.cpu 10 of requests.cpu 10`},
		{"exactly", []string{quota("q", "requests.cpu: 6", "requests.cpu: 0"), deployment("d", 3, "2")}, `
			Deployment d: 3 of 3 admitted
			  q: used requests.cpu 0; asks requests.cpu 6 of requests.cpu 6; left requests.cpu 0
			  replica, of 3, exist false: 3; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=2
			home/q: requests.cpu 0 -> requests.cpu 6 of requests.cpu 6`},
		{"two quotas", []string{quota("a", "requests.cpu: 3", "requests.cpu: 0"), quota("b", "pods: 1", "pods: 0"), deployment("d", 3, "2")}, `
			Deployment d: 1 of 3 admitted, rejected, stored
			  a: used requests.cpu 0; asks requests.cpu 6 of requests.cpu 3; left requests.cpu -3
			  b: used pods 0; asks pods 3 of pods 1; left pods -2
			  replica, of 3, exist false: 1 of 3; the next does not: replica 2 of 3: ResourceQuota home/a lacks requests.cpu=1; replica 2 of 3: ResourceQuota home/b lacks pods=1
			  replica 2 of 3 (spec.template.spec): replica 2 of 3: ResourceQuota home/a lacks requests.cpu=1: run no more than 1 replica, request less, or raise the quota to requests.cpu=6
			  replica 2 of 3 (spec.template.spec): replica 2 of 3: ResourceQuota home/b lacks pods=1: run no more than 1 replica, request less, or raise the quota to pods=3
			home/a: requests.cpu 0 -> requests.cpu 2 of requests.cpu 3
			home/b: pods 0 -> pods 1 of pods 1`},
		{"a quota of ReplicaSets", []string{quota("q", "count/replicasets.apps: 1, count/deployments.apps: 1", "count/replicasets.apps: 1, count/deployments.apps: 0"), deployment("d", 3, "2")}, `
			Deployment d: 0 of 3 admitted, rejected, stored
			  q: used count/deployments.apps 0, count/replicasets.apps 1; asks count/deployments.apps 1, count/replicasets.apps 1 of count/deployments.apps 1, count/replicasets.apps 1; left count/deployments.apps 0, count/replicasets.apps -1
			  replica, of 3, exist false: 0 of 3; the next does not: replicaset: ResourceQuota home/q lacks count/replicasets.apps=1
			  replicaset (spec): replicaset: ResourceQuota home/q lacks count/replicasets.apps=1: request less, or raise the quota to count/replicasets.apps=2
			home/q: count/deployments.apps 0, count/replicasets.apps 1 -> count/deployments.apps 1, count/replicasets.apps 1 of count/deployments.apps 1, count/replicasets.apps 1`},
		{"a quota of Jobs", []string{quota("q", "count/jobs.batch: 0, count/cronjobs.batch: 5", "count/jobs.batch: 0, count/cronjobs.batch: 1"), document("CronJob", "name: c", spec("jobTemplate: {spec: {"+template("1")+"}}"))}, `
			CronJob c: 0 of 1 admitted, rejected, stored
			  q: used count/cronjobs.batch 1, count/jobs.batch 0; asks count/cronjobs.batch 1, count/jobs.batch 1 of count/cronjobs.batch 5, count/jobs.batch 0; left count/cronjobs.batch 3, count/jobs.batch -1
			  pod, of 1, exist false: 0 of 1; the next does not: job: ResourceQuota home/q lacks count/jobs.batch=1
			  job (spec): job: ResourceQuota home/q lacks count/jobs.batch=1: request less, or raise the quota to count/jobs.batch=1
			home/q: count/cronjobs.batch 1, count/jobs.batch 0 -> count/cronjobs.batch 2, count/jobs.batch 0 of count/cronjobs.batch 5, count/jobs.batch 0`},
		{"a pod", []string{quota("q", "requests.cpu: 1", "requests.cpu: 500m"), document("Pod", "name: p", spec(container("1")))}, `
			Pod p: 0 of 1 admitted, rejected
			  q: used requests.cpu 500m; asks requests.cpu 1 of requests.cpu 1; left requests.cpu -500m
			  pod, of 1, exist false: 0 of 1; the next does not: pod: ResourceQuota home/q lacks requests.cpu=500m
			  pod (spec): pod: ResourceQuota home/q lacks requests.cpu=500m: request less, or raise the quota to requests.cpu=1500m
			home/q: requests.cpu 500m -> requests.cpu 500m of requests.cpu 1`},
		{"a limit that is not round", []string{quota("q", "requests.memory: 1Gi", "requests.memory: 0"), document("Pod", "name: p", spec("containers: [{name: app, resources: {requests: {memory: 1610612737}}}]"))}, `
			Pod p: 0 of 1 admitted, rejected
			  q: used requests.memory 0; asks requests.memory 1610612737 of requests.memory 1Gi; left requests.memory -536870913
			  pod, of 1, exist false: 0 of 1; the next does not: pod: ResourceQuota home/q lacks requests.memory=536870913
			  pod (spec): pod: ResourceQuota home/q lacks requests.memory=536870913: request less, or raise the quota to requests.memory=1600Mi
			home/q: requests.memory 0 -> requests.memory 0 of requests.memory 1Gi`},
		{"a daemon, a job", []string{quota("q", "pods: 1", "pods: 0"), document("DaemonSet", "name: e", spec(template("1"))), document("Job", "name: j", spec("parallelism: 2, "+template("1")))}, `
			DaemonSet e: 1 of 1 admitted
			  q: used pods 0; asks pods 1 of pods 1; left pods 0
			  pod, of 1, exist false: 1; the next does not: the next pod: ResourceQuota home/q lacks pods=1
			Job j: 0 of 2 admitted, rejected, stored
			  q: used pods 1; asks pods 2 of pods 1; left pods -2
			  pod, of 2, exist false: 0 of 2; the next does not: pod 1 of 2: ResourceQuota home/q lacks pods=1
			  pod 1 of 2 (spec.template.spec): pod 1 of 2: ResourceQuota home/q lacks pods=1: request less, or raise the quota to pods=3
			home/q: pods 0 -> pods 1 of pods 1`},
		{"a quota without a status", []string{document("ResourceQuota", "name: q", spec("hard: {requests.cpu: 5}")), deployment("d", 3, "2")}, `
			Deployment d: 2 of 3 admitted, rejected, stored
			  q: used ; asks requests.cpu 6 of requests.cpu 5; left ; status unknown for quota: q, resources: requests.cpu
			  replica, of 3, exist false: at most 2 of 3; the next does not: replica 3 of 3: ResourceQuota home/q lacks requests.cpu=1
			  replica 3 of 3 (spec.template.spec): replica 3 of 3: ResourceQuota home/q lacks requests.cpu=1: run no more than 2 replicas, request less, or raise the quota
			home/q: requests.cpu 0 -> requests.cpu 4 of requests.cpu 5, at least`},
		{"an empty status", []string{document("ResourceQuota", "name: q, uid: q", spec("hard: {requests.cpu: 5}")), deployment("d", 3, "2")}, `
			Deployment d: 3 of 3 admitted
			  q: used ; asks requests.cpu 6 of ; left ; status unknown for quota: q, resources: requests.cpu
			  replica, of 3, exist false: any number
			home/q:  ->  of 
			warning in 1: ResourceQuota q: its status is empty: the API server enforces nothing of it before the quota controller has written the status`},
		{"a status without any usage", []string{document("ResourceQuota", "name: q, uid: q", spec("hard: {requests.cpu: 5}"), status("hard: {requests.cpu: 5}")), deployment("d", 0, "2")}, `
			Deployment d: 0 of 0 admitted
			  q: used ; asks requests.cpu 0 of requests.cpu 5; left 
			  replica, of 0, exist false: 0; the next does not: replica: ResourceQuota home/q has no status of requests.cpu
			home/q:  ->  of requests.cpu 5`},
		{"a manifest with the limits of a status", []string{document("ResourceQuota", "name: q", spec("hard: {requests.cpu: 5}"), status("hard: {requests.cpu: 5}")), deployment("d", 1, "2")}, `
			Deployment d: 0 of 1 admitted, rejected, stored
			  q: used ; asks requests.cpu 2 of requests.cpu 5; left 
			  replica, of 1, exist false: 0 of 1; the next does not: replica: ResourceQuota home/q has no status of requests.cpu
			  replica (spec.template.spec): replica: ResourceQuota home/q has no status of requests.cpu: wait for the quota controller
			home/q:  ->  of requests.cpu 5`},
		{"a pod whose claim is refused is stored", []string{quota("q", "persistentvolumeclaims: 1", "persistentvolumeclaims: 1"),
			document("Pod", "name: p", spec("containers: [{name: c}], volumes: [{name: data, ephemeral: {volumeClaimTemplate: {spec: {resources: {requests: {storage: 1Gi}}}}}}]"))}, `
			Pod p: 0 of 1 admitted, rejected, stored
			  q: used persistentvolumeclaims 1; asks persistentvolumeclaims 1 of persistentvolumeclaims 1; left persistentvolumeclaims -1
			  pod, of 1, exist false: 0 of 1; the next does not: claim data of pod: ResourceQuota home/q lacks persistentvolumeclaims=1
			  claim data of pod (spec.volumes[0].ephemeral.volumeClaimTemplate.spec): claim data of pod: ResourceQuota home/q lacks persistentvolumeclaims=1: request less, or raise the quota to persistentvolumeclaims=2
			home/q: persistentvolumeclaims 1 -> persistentvolumeclaims 1 of persistentvolumeclaims 1`},
		{"pods whose owner is not in the input", []string{quota("q", "pods: 2", "pods: 1"),
			document("Pod", "name: p, uid: p, ownerReferences: [{controller: true, kind: ReplicaSet, name: r, uid: r}]", spec("containers: [{name: c}]"), status("phase: Running"))}, `
			ReplicaSet home/r: 1 of 1 admitted
			  q: used pods 1; asks pods 1 of pods 2; left pods 1
			  replica, of 1, exist true: 1; the next does not: the next replica: ResourceQuota home/q lacks pods=1
			home/q: pods 1 -> pods 1 of pods 2`},
		{"a status without one of the limits", []string{document("ResourceQuota", "name: q, uid: q", spec("hard: {requests.cpu: 5, pods: 2}"), status("hard: {requests.cpu: 5}, used: {requests.cpu: 1}")), deployment("d", 3, "2")}, `
			Deployment d: 2 of 3 admitted, rejected, stored
			  q: used requests.cpu 1; asks requests.cpu 6 of requests.cpu 5; left requests.cpu -2; status unknown for quota: q, resources: pods
			  replica, of 3, exist false: at most 2 of 3; the next does not: replica 3 of 3: ResourceQuota home/q lacks requests.cpu=2
			  replica 3 of 3 (spec.template.spec): replica 3 of 3: ResourceQuota home/q lacks requests.cpu=2: run no more than 2 replicas, request less, or raise the quota to requests.cpu=7
			home/q: requests.cpu 1 -> requests.cpu 5 of requests.cpu 5`},
		{"a status without limits of the set, its claims and its pods", []string{document("ResourceQuota", "name: q, uid: q", spec("hard: {requests.cpu: 5, requests.storage: 5Gi, count/statefulsets.apps: 1, limits.cpu: 5, pods: 9}"), status("hard: {requests.cpu: 5}, used: {requests.cpu: 1}")),
			document("StatefulSet", "name: db", spec("replicas: 2, volumeClaimTemplates: [{metadata: {name: data}, spec: {resources: {requests: {storage: 1Gi}}}}], "+template("1")))}, `
			StatefulSet db: 2 of 2 admitted
			  q: used requests.cpu 1; asks requests.cpu 2 of requests.cpu 5; left requests.cpu 2; status unknown for quota: q, resources: count/statefulsets.apps,limits.cpu,pods,requests.storage
			  replica, of 2, exist false: at most 4; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=1
			home/q: requests.cpu 1 -> requests.cpu 3 of requests.cpu 5`},
		{"what no object here is counted by", []string{quota("q", "services: 5, example.com/x: 2, requests.cpu: 9", "services: 1, example.com/x: 0, requests.cpu: 0"), deployment("d", 1, "2")}, `
			Deployment d: 1 of 1 admitted
			  q: used requests.cpu 0; asks requests.cpu 2 of requests.cpu 9; left requests.cpu 7
			  replica, of 1, exist false: 4; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=1
			home/q: example.com/x 0, requests.cpu 0, services 1 -> example.com/x 0, requests.cpu 2, services 1 of example.com/x 2, requests.cpu 9, services 5, unevaluated [example.com/x services], never [example.com/x]`},
		{"no replica is wanted", []string{quota("q", "pods: 5", "pods: 1"), deployment("d", 0, "2")}, `
			Deployment d: 0 of 0 admitted
			  q: used pods 1; asks pods 0 of pods 5; left pods 4
			  replica, of 0, exist false: 4; the next does not: the next replica: ResourceQuota home/q lacks pods=1
			home/q: pods 1 -> pods 1 of pods 5`},
		{"in the order of the files", []string{quota("q", "persistentvolumeclaims: 1", "persistentvolumeclaims: 0"), document("PersistentVolumeClaim", "name: a", spec("resources: {requests: {storage: 1Gi}}")),
			document("StatefulSet", "name: db", spec("volumeClaimTemplates: [{metadata: {name: data}, spec: {resources: {requests: {storage: 1Gi}}}}], "+template("1")))}, `
			StatefulSet db: 0 of 1 admitted, rejected, stored
			  q: used persistentvolumeclaims 1; asks persistentvolumeclaims 1 of persistentvolumeclaims 1; left persistentvolumeclaims -1
			  replica, of 1, exist false: 0 of 1; the next does not: claim data of replica: ResourceQuota home/q lacks persistentvolumeclaims=1
			  claim data of replica (spec.volumeClaimTemplates[0].spec): claim data of replica: ResourceQuota home/q lacks persistentvolumeclaims=1: request less, or raise the quota to persistentvolumeclaims=2
			PersistentVolumeClaim a
			  q: used persistentvolumeclaims 0; asks persistentvolumeclaims 1 of persistentvolumeclaims 1; left persistentvolumeclaims 0
			  claim, of 1, exist false: 1; the next does not: claim a: ResourceQuota home/q lacks persistentvolumeclaims=1
			home/q: persistentvolumeclaims 0 -> persistentvolumeclaims 1 of persistentvolumeclaims 1`},
		{"another namespace", []string{document("ResourceQuota", "name: q, namespace: other, uid: q", spec("hard: {pods: 1}"), status("hard: {pods: 1}, used: {pods: 1}")), deployment("d", 1, "2")}, `
			Deployment d: 1 of 1 admitted
			other/q: pods 1 -> pods 1 of pods 1, unevaluated [pods], never []`},
		{"claims and services", []string{quota("q", "persistentvolumeclaims: 1, requests.storage: 5Gi, services.nodeports: 0, configmaps: 1", "persistentvolumeclaims: 0, requests.storage: 1Gi, services.nodeports: 0, configmaps: 0"),
			document("PersistentVolumeClaim", "name: a", spec("resources: {requests: {storage: 2Gi}}")), document("PersistentVolumeClaim", "name: b", spec("resources: {requests: {storage: 1Gi}}")),
			document("Service", "name: s", spec("type: NodePort, ports: [{port: 80}]")), document("ConfigMap", "name: c"), document("ConfigMap", "name: d"), "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n"}, `
			PersistentVolumeClaim a
			  q: used persistentvolumeclaims 0, requests.storage 1Gi; asks persistentvolumeclaims 1, requests.storage 2Gi of persistentvolumeclaims 1, requests.storage 5Gi; left persistentvolumeclaims 0, requests.storage 2Gi
			  claim, of 1, exist false: 1; the next does not: claim a: ResourceQuota home/q lacks persistentvolumeclaims=1
			PersistentVolumeClaim b, rejected
			  q: used persistentvolumeclaims 1, requests.storage 3Gi; asks persistentvolumeclaims 1, requests.storage 1Gi of persistentvolumeclaims 1, requests.storage 5Gi; left persistentvolumeclaims -1, requests.storage 1Gi
			  claim, of 1, exist false: 0 of 1; the next does not: claim b: ResourceQuota home/q lacks persistentvolumeclaims=1
			  claim b (spec): claim b: ResourceQuota home/q lacks persistentvolumeclaims=1: request less, or raise the quota to persistentvolumeclaims=2
			Service s, rejected
			  q: used services.nodeports 0; asks services.nodeports 1 of services.nodeports 0; left services.nodeports -1
			  service, of 1, exist false: 0 of 1; the next does not: service s: ResourceQuota home/q lacks services.nodeports=1
			  service s (spec): service s: ResourceQuota home/q lacks services.nodeports=1: request less, or raise the quota to services.nodeports=1
			ConfigMap c
			  q: used configmaps 0; asks configmaps 1 of configmaps 1; left configmaps 0
			  object, of 1, exist false: 1; the next does not: object c: ResourceQuota home/q lacks configmaps=1
			ConfigMap d, rejected
			  q: used configmaps 1; asks configmaps 1 of configmaps 1; left configmaps -1
			  object, of 1, exist false: 0 of 1; the next does not: object d: ResourceQuota home/q lacks configmaps=1
			  object d (spec): object d: ResourceQuota home/q lacks configmaps=1: request less, or raise the quota to configmaps=2
			home/q: configmaps 0, persistentvolumeclaims 0, requests.storage 1Gi, services.nodeports 0 -> configmaps 1, persistentvolumeclaims 1, requests.storage 3Gi, services.nodeports 0 of configmaps 1, persistentvolumeclaims 1, requests.storage 5Gi, services.nodeports 0
			skipped: 1 Secret`},
		{"claims of a StatefulSet", []string{quota("q", "persistentvolumeclaims: 2", "persistentvolumeclaims: 0"),
			document("StatefulSet", "name: db", spec("replicas: 3, volumeClaimTemplates: [{metadata: {name: data}, spec: {resources: {requests: {storage: 1Gi}}}}], "+template("1")))}, `
			StatefulSet db: 2 of 3 admitted, rejected, stored
			  q: used persistentvolumeclaims 0; asks persistentvolumeclaims 3 of persistentvolumeclaims 2; left persistentvolumeclaims -1
			  replica, of 3, exist false: 2 of 3; the next does not: claim data of replica 3 of 3: ResourceQuota home/q lacks persistentvolumeclaims=1
			  claim data of replica 3 of 3 (spec.volumeClaimTemplates[0].spec): claim data of replica 3 of 3: ResourceQuota home/q lacks persistentvolumeclaims=1: run no more than 2 replicas, request less, or raise the quota to persistentvolumeclaims=3
			home/q: persistentvolumeclaims 0 -> persistentvolumeclaims 2 of persistentvolumeclaims 2`},
		{"a hook before, and one after", []string{quota("q", "requests.cpu: 5", "requests.cpu: 0"), deployment("d", 1, "3"),
			document("Job", "name: before, annotations: {helm.sh/hook: pre-install}", spec(template("4"))), document("Job", "name: after, annotations: {helm.sh/hook: post-install}", spec(template("3")))}, `
			Deployment d: 1 of 1 admitted
			  q: used requests.cpu 0; asks requests.cpu 3 of requests.cpu 5; left requests.cpu 2
			  replica, of 1, exist false: 1; the next does not: the next replica: ResourceQuota home/q lacks requests.cpu=1
			Job before: 1 of 1 admitted
			  q: used requests.cpu 0; asks requests.cpu 4 of requests.cpu 5; left requests.cpu 1
			  pod, of 1, exist false: 1; the next does not: the next pod: ResourceQuota home/q lacks requests.cpu=3
			Job after: 0 of 1 admitted, rejected, stored
			  q: used requests.cpu 3; asks requests.cpu 3 of requests.cpu 5; left requests.cpu -1
			  pod, of 1, exist false: 0 of 1; the next does not: pod: ResourceQuota home/q lacks requests.cpu=1
			  pod (spec.template.spec): pod: ResourceQuota home/q lacks requests.cpu=1: request less, or raise the quota to requests.cpu=6
			home/q: requests.cpu 0 -> requests.cpu 3 of requests.cpu 5`},
		{"hooks by weight, of which one stays as an object", []string{quota("q", "count/jobs.batch: 2", "count/jobs.batch: 0"),
			document("Job", "name: goes, annotations: {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: hook-succeeded}", spec(template("4"))), document("Job", "name: stays, annotations: {helm.sh/hook: pre-install, helm.sh/hook-weight: '-1'}", spec(template("4"))),
			document("Job", "name: last", spec(template("3"))), document("Job", "name: too-many", spec(template("3")))}, `
			Job goes: 1 of 1 admitted
			  q: used count/jobs.batch 1; asks count/jobs.batch 1 of count/jobs.batch 2; left count/jobs.batch 0
			  pod, of 1, exist false: any number
			Job stays: 1 of 1 admitted
			  q: used count/jobs.batch 0; asks count/jobs.batch 1 of count/jobs.batch 2; left count/jobs.batch 1
			  pod, of 1, exist false: any number
			Job last: 1 of 1 admitted
			  q: used count/jobs.batch 1; asks count/jobs.batch 1 of count/jobs.batch 2; left count/jobs.batch 0
			  pod, of 1, exist false: any number
			Job too-many: 0 of 1 admitted, rejected
			  q: used count/jobs.batch 2; asks count/jobs.batch 1 of count/jobs.batch 2; left count/jobs.batch -1
			  pod, of 1, exist false: 0 of 1; the next does not: job: ResourceQuota home/q lacks count/jobs.batch=1
			  job (spec): job: ResourceQuota home/q lacks count/jobs.batch=1: request less, or raise the quota to count/jobs.batch=3
			home/q: count/jobs.batch 0 -> count/jobs.batch 2 of count/jobs.batch 2`},
		{"a hook of which some pods are refused, after which all others are as if it had ended", []string{quota("q", "count/jobs.batch: 5, requests.cpu: 5", "count/jobs.batch: 0, requests.cpu: 0"),
			document("Job", "name: fails, annotations: {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: hook-succeeded}", spec("completions: 2, parallelism: 2, "+template("3"))), document("Job", "name: last", spec(template("5")))}, `
			Job fails: 1 of 2 admitted, rejected, stored
			  q: used count/jobs.batch 0, requests.cpu 0; asks count/jobs.batch 1, requests.cpu 6 of count/jobs.batch 5, requests.cpu 5; left count/jobs.batch 4, requests.cpu -1
			  pod, of 2, exist false: 1 of 2; the next does not: pod 2 of 2: ResourceQuota home/q lacks requests.cpu=1
			  pod 2 of 2 (spec.template.spec): pod 2 of 2: ResourceQuota home/q lacks requests.cpu=1: run no more than 1 pod, request less, or raise the quota to requests.cpu=6
			Job last: 1 of 1 admitted
			  q: used count/jobs.batch 0, requests.cpu 0; asks count/jobs.batch 1, requests.cpu 5 of count/jobs.batch 5, requests.cpu 5; left count/jobs.batch 4, requests.cpu 0
			  pod, of 1, exist false: 1; the next does not: the next pod: ResourceQuota home/q lacks requests.cpu=5
			home/q: count/jobs.batch 0, requests.cpu 0 -> count/jobs.batch 1, requests.cpu 5 of count/jobs.batch 5, requests.cpu 5`},
	}, verdicts)
	r, _ := of(report.Options{}, quota("q", "pods: 5", "pods: 1"), deployment("d", 3, "2"))
	if next := r.Workloads[0].Fit.Stops[0]; next.Subject != "the next replica" || next.Remedy != "request less, or raise the quota" {
		t.Errorf("one more than is wanted: %s: %s", next.Subject, next.Remedy)
	}
}
