package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// quotaWith returns a ResourceQuota in force, with so much in use.
func quotaWith(name, hard, used string) string {
	return "apiVersion: v1\nkind: ResourceQuota\nmetadata: {namespace: shop, name: " + name + "}\nspec: {hard: " + hard + "}\nstatus: {hard: " + hard + ", used: " + used + "}\n"
}

// newQuota returns a ResourceQuota without a status.
func newQuota(name, spec string) string {
	return "apiVersion: v1\nkind: ResourceQuota\nmetadata: {namespace: shop, name: " + name + "}\nspec: " + spec + "\n"
}

func serviceWith(spec string) string {
	return "apiVersion: v1\nkind: Service\nmetadata: {namespace: shop, name: web}\nspec: " + spec + "\n"
}

// replicas returns a Deployment of n replicas whose one container has the resources.
func replicas(n int, resources string) string {
	return strings.Replace(deploymentWith(resources), "spec: {", fmt.Sprintf("spec: {replicas: %d, ", n), 1)
}

// quotaLines returns the tables of quotas, and what fits, of all workloads, claims and
// services, a line each: quota, resource, used, asked, hard, left.
func quotaLines(r *Report) []string {
	var lines []string
	add := func(q *QuotaReport) {
		for _, u := range q.Quotas {
			for _, c := range u.Resources {
				lines = append(lines, strings.Join(append([]string{u.Name, string(c.Resource)}, c.cells()...), " "))
			}
			if u.Unknown != "" {
				lines = append(lines, u.Unknown)
			}
		}
		if q.Fit != nil {
			fit := *q.Fit
			for i := range fit.Stops {
				fit.Stops[i].words = fit.Stops[i].Server
			}
			lines = append(lines, fit.Unit+" "+fit.words())
		}
	}
	for i := range r.Workloads {
		add(&r.Workloads[i].QuotaReport)
	}
	for i := range r.Claims {
		add(&r.Claims[i].QuotaReport)
	}
	for i := range r.Services {
		add(&r.Services[i].QuotaReport)
	}
	return lines
}

func TestQuotas(t *testing.T) {
	const cpu = "{requests: {cpu: 1}}"
	exceeded := func(hard int) string {
		return fmt.Sprintf("; the next does not: exceeded quota: q, requested: pods=1, used: pods=%d, limited: pods=%d", hard, hard)
	}
	here := strings.NewReplacer("namespace: shop, ", "")
	for _, test := range []struct {
		name, manifests string
		code            int
		want            []string
	}{
		{"all of it fits", join(quotaWith("q", "{pods: 5}", "{pods: 2}"), replicas(3, "{}")), 0, []string{"q pods 2 3 5 0", "replica 3" + exceeded(5)}},
		{"one too many", join(quotaWith("q", "{pods: 5}", "{pods: 3}"), replicas(3, "{}")), 2, []string{"q pods 3 3 5 -1", "replica 2 of 3" + exceeded(5)}},
		{"no replicas", join(quotaWith("q", "{pods: 5}", "{pods: 5}"), replicas(0, "{}")), 0, []string{"q pods 5 0 5 0", "replica 0" + exceeded(5)}},
		{"behind the workload", join(replicas(1, "{}"), quotaWith("q", "{pods: 5}", "{pods: 2}")), 0, []string{"q pods 2 1 5 2", "replica 3" + exceeded(5)}},
		{"of another namespace", join(here.Replace(quotaWith("q", "{pods: 0}", "{pods: 0}")), replicas(1, "{}")), 0, nil},
		{"neither states a namespace", here.Replace(join(quotaWith("q", "{pods: 1}", "{pods: 0}"), replicas(1, "{}"))), 0, []string{"q pods 0 1 1 0", "replica 1" + exceeded(1)}},
		{"a template that states another namespace", join(quotaWith("q", "{pods: 0}", "{pods: 0}"), strings.Replace(replicas(1, "{}"), "template: {", "template: {metadata: {namespace: other}, ", 1)), 2, []string{"q pods 0 1 0 -1", "replica 0 of 1" + exceeded(0)}},
		{"does not limit workloads", join(quotaWith("q", "{services: 0}", "{services: 0}"), replicas(1, "{}")), 0, nil},
		{"defaults count", join(quotaWith("q", "{limits.cpu: 2}", "{limits.cpu: 500m}"), limitRangeWith("d", "{type: Container, default: {cpu: 500m}}"), replicas(4, "{}")), 2, []string{
			"q limits.cpu 500m 2 2 -500m",
			"replica 3 of 4; the next does not: exceeded quota: q, requested: limits.cpu=500m, used: limits.cpu=2, limited: limits.cpu=2",
		}},
		{"without the default", join(quotaWith("q", "{limits.cpu: 2}", "{limits.cpu: 500m}"), replicas(4, "{}")), 2, []string{
			"q limits.cpu 500m 0 2 1500m", "replica 0 of 4; the next does not: failed quota: q: must specify limits.cpu for: app",
		}},
		{"request that follows from the limit", join(quotaWith("q", "{requests.cpu: 2}", "{requests.cpu: 0}"), replicas(1, "{limits: {cpu: 1}}")), 0, []string{
			"q requests.cpu 0 1 2 1",
			"replica 2; the next does not: exceeded quota: q, requested: requests.cpu=1, used: requests.cpu=2, limited: requests.cpu=2",
		}},
		{"in order, by name", join(quotaWith("b", "{pods: 9}", "{pods: 0}"), quotaWith("a", "{cpu: 3}", "{cpu: 0}"), replicas(2, cpu), replicas(2, cpu)), 2, []string{
			"a cpu 0 2 3 1", "b pods 0 2 9 7", "replica 3; the next does not: exceeded quota: a, requested: cpu=1, used: cpu=3, limited: cpu=3",
			"a cpu 2 2 3 -1", "b pods 2 2 9 5", "replica 1 of 2; the next does not: exceeded quota: a, requested: cpu=1, used: cpu=3, limited: cpu=3",
		}},
		{"what is admitted counts for what follows", join(quotaWith("q", "{pods: 3}", "{pods: 0}"), replicas(5, "{}"), podWith("")), 2, []string{
			"q pods 0 5 3 -2", "replica 3 of 5" + exceeded(3), "q pods 3 1 3 -1", "pod 0 of 1" + exceeded(3),
		}},
		{"what a LimitRange rejects does not", join(quotaWith("q", "{pods: 3, count/deployments.apps: 2}", "{pods: 0, count/deployments.apps: 0}"), maxCPU("m", "1"), replicas(2, "{limits: {cpu: 2}}"), podWith("")), 2, []string{
			"q count/deployments.apps 0 1 2 1", "q pods 0 2 3 1", "replica 3" + exceeded(3), "q pods 0 1 3 2", "pod 3" + exceeded(3),
		}},
		{"but the workload is stored", join(quotaWith("q", "{count/deployments.apps: 2}", "{count/deployments.apps: 0}"), maxCPU("m", "1"), replicas(1, "{limits: {cpu: 2}}"), replicas(1, "{}")), 2, []string{
			"q count/deployments.apps 0 1 2 1", "replica any number", "q count/deployments.apps 1 1 2 0", "replica any number",
		}},
		{"unless it is invalid", join(quotaWith("q", "{count/deployments.apps: 2}", "{count/deployments.apps: 0}"), replicas(1, "{requests: {cpu: 2}, limits: {cpu: 1}}"), replicas(1, "{}")), 2, []string{
			"q count/deployments.apps 0 1 2 1", "replica any number", "q count/deployments.apps 0 1 2 1", "replica any number",
		}},
		{"what exists is part of what is used", join(quotaWith("q", "{pods: 5}", "{pods: 3}"), strings.Replace(replicas(3, "{}"), "name: web", "name: web, uid: u", 1), podWith("")), 0, []string{
			"q pods 3 3 5 2", "replica 2" + exceeded(5), "q pods 3 1 5 1", "pod 2" + exceeded(5),
		}},
		{"a pod with a status exists", join(quotaWith("q", "{pods: 1}", "{pods: 1}"), podWith("")+"status: {phase: Running}\n"), 0, []string{"q pods 1 1 1 0", "pod 0" + exceeded(1)}},
		{"a pod that has finished", join(quotaWith("q", "{pods: 1, count/pods: 3}", "{pods: 1, count/pods: 2}"), podWith("")+"status: {phase: Failed}\n"), 0, []string{
			"q count/pods 2 1 3 1", "q pods 1 0 1 0", "pod 1; the next does not: exceeded quota: q, requested: count/pods=1, used: count/pods=3, limited: count/pods=3",
		}},
		{"no status", join(newQuota("q", "{hard: {pods: 3}}"), replicas(2, "{}"), podWith("")), 0, []string{
			"q pods unknown 2 3 unknown", "status unknown for quota: q, resources: pods", "replica at most 3" + exceeded(3),
			"q pods unknown 1 3 unknown", "status unknown for quota: q, resources: pods", "pod at most 1" + exceeded(3),
		}},
		{"no status, and too little anyway", join(newQuota("q", "{hard: {pods: 2}}"), replicas(3, "{}")), 2, []string{
			"q pods unknown 3 2 unknown", "status unknown for quota: q, resources: pods", "replica at most 2 of 3" + exceeded(2),
		}},
		{"no status, but something that exists", join(newQuota("q", "{hard: {pods: 2}}"), podWith(""), podWith("")+"status: {phase: Running}\n"), 0, []string{
			"q pods unknown 1 2 unknown", "status unknown for quota: q, resources: pods", "pod at most 1" + exceeded(2),
			"q pods unknown 1 2 unknown", "status unknown for quota: q, resources: pods", "pod at most 0" + exceeded(2),
		}},
		{"usage that is not known", join(quotaWith("q", "{pods: 2, count/pods: 5}", "{count/pods: 1}"), podWith("")), 2, []string{
			"q count/pods 1 1 5 3", "q pods unknown 1 2 unknown", "pod 0 of 1; the next does not: status unknown for quota: q, resources: count/pods,pods",
		}},
		{"negative usage", join(quotaWith("q", "{pods: 2}", "{pods: -1}"), podWith("")), 0, []string{"q pods -1 1 2 2", "pod 3" + exceeded(2)}},
		{"more used than allowed", join(quotaWith("q", "{pods: 2}", "{pods: 3}"), podWith("")), 2, []string{
			"q pods 3 1 2 -2", "pod 0 of 1; the next does not: exceeded quota: q, requested: pods=1, used: pods=3, limited: pods=2",
		}},
		{"huge amounts", join(quotaWith("q", "{requests.memory: 1e36}", "{requests.memory: 1}"), replicas(2000000000, "{requests: {memory: 10E}}")), 0, []string{
			"q requests.memory 1 20e27 1e36 999999979999999999999999999999999999",
			"replica 99999999999999999; the next does not: exceeded quota: q, requested: requests.memory=10E, used: requests.memory=999999999999999990000000000000000001, limited: requests.memory=1e36",
		}},
		{"scopes", join(
			newQuota("best", "{hard: {pods: 1}, scopes: [BestEffort]}"), newQuota("not", "{hard: {pods: 9}, scopes: [NotBestEffort]}"),
			newQuota("high", "{hard: {pods: 1}, scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high]}]}}"),
			replicas(1, cpu), podSpec("{priorityClassName: high, containers: [{name: app}]}"),
		), 0, []string{
			"not pods unknown 1 9 unknown", "status unknown for quota: not, resources: pods",
			"replica at most 9; the next does not: exceeded quota: not, requested: pods=1, used: pods=9, limited: pods=9",
			"best pods unknown 1 1 unknown", "status unknown for quota: best, resources: pods",
			"high pods unknown 1 1 unknown", "status unknown for quota: high, resources: pods",
			"pod at most 1; the next does not: exceeded quota: best, requested: pods=1, used: pods=1, limited: pods=1; exceeded quota: high, requested: pods=1, used: pods=1, limited: pods=1",
		}},
		{"scope that is none", join(newQuota("q", "{hard: {pods: 1}, scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: Near}]}}"), podWith("")), 2, []string{
			`pod 0 of 1; the next does not: error matching scopes of quota q, err: error on matching scope {PriorityClass Near []}: failed to parse and convert selector: "Near" is not a valid scope selector operator`,
		}},
		{"claims of their own", join(quotaWith("q", "{requests.storage: 5Gi, persistentvolumeclaims: 9}", "{requests.storage: 1Gi, persistentvolumeclaims: 0}"), claimWith("3Gi"), claimWith("3Gi")), 2, []string{
			"q persistentvolumeclaims 0 1 9 8", "q requests.storage 1Gi 3Gi 5Gi 1Gi", "claim 1; the next does not: exceeded quota: q, requested: requests.storage=3Gi, used: requests.storage=4Gi, limited: requests.storage=5Gi",
			"q persistentvolumeclaims 1 1 9 7", "q requests.storage 4Gi 3Gi 5Gi -2Gi", "claim 0 of 1; the next does not: exceeded quota: q, requested: requests.storage=3Gi, used: requests.storage=4Gi, limited: requests.storage=5Gi",
		}},
		{"a claim that exists", join(quotaWith("q", "{persistentvolumeclaims: 1}", "{persistentvolumeclaims: 1}"), claimWith("3Gi")+"status: {phase: Bound}\n"), 0, []string{
			"q persistentvolumeclaims 1 1 1 0", "claim 0; the next does not: exceeded quota: q, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=1, limited: persistentvolumeclaims=1",
		}},
		{"a claim that a LimitRange rejects", join(quotaWith("q", "{persistentvolumeclaims: 1}", "{persistentvolumeclaims: 0}"), limitRangeWith("m", "{type: PersistentVolumeClaim, max: {storage: 1Gi}}"), claimWith("2Gi"), claimWith("1Gi")), 2, []string{
			"q persistentvolumeclaims 0 1 1 0", "claim 1; the next does not: exceeded quota: q, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=1, limited: persistentvolumeclaims=1",
			"q persistentvolumeclaims 0 1 1 0", "claim 1; the next does not: exceeded quota: q, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=1, limited: persistentvolumeclaims=1",
		}},
		// 11Gi for replicas of 3Gi: a claim of 2Gi would still fit, but not the other.
		{"claims of a StatefulSet share what is left", join(quotaWith("q", "{requests.storage: 11Gi}", "{requests.storage: 0}"),
			"apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {namespace: shop, name: db}\nspec: {replicas: 4, template: {spec: {containers: [{name: app}]}}, "+
				"volumeClaimTemplates: [{metadata: {name: a}, spec: {resources: {requests: {storage: 2Gi}}}}, {metadata: {name: b}, spec: {resources: {requests: {storage: 1Gi}}}}]}\n"), 2, []string{
			"q requests.storage 0 12Gi 11Gi -1Gi", "replica 3 of 4; the next does not: exceeded quota: q, requested: requests.storage=1Gi, used: requests.storage=11Gi, limited: requests.storage=11Gi",
		}},
		{"claims of volumes", join(quotaWith("q", "{gold.storageclass.storage.k8s.io/requests.storage: 1Gi}", "{gold.storageclass.storage.k8s.io/requests.storage: 0}"),
			podSpec("{containers: [{name: app}], volumes: [{name: tmp, ephemeral: {volumeClaimTemplate: {metadata: {annotations: {volume.beta.kubernetes.io/storage-class: gold}}, spec: {resources: {requests: {storage: 2Gi}}}}}}]}")), 2, []string{
			"q gold.storageclass.storage.k8s.io/requests.storage 0 2Gi 1Gi -1Gi",
			"pod 0 of 1; the next does not: exceeded quota: q, requested: gold.storageclass.storage.k8s.io/requests.storage=2Gi, used: gold.storageclass.storage.k8s.io/requests.storage=0, limited: gold.storageclass.storage.k8s.io/requests.storage=1Gi",
		}},
		{"services", join(quotaWith("q", "{services.nodeports: 2, services: 5}", "{services.nodeports: 0, services: 1}"), serviceWith("{type: NodePort, ports: [{port: 80}, {port: 443}]}"), serviceWith("{ports: [{port: 80}]}")), 0, []string{
			"q services 1 1 5 3", "q services.nodeports 0 2 2 0", "service 1; the next does not: exceeded quota: q, requested: services.nodeports=2, used: services.nodeports=2, limited: services.nodeports=2",
			"q services 2 1 5 2", "q services.nodeports 2 0 2 0", "service 3; the next does not: exceeded quota: q, requested: services=1, used: services=5, limited: services=5",
		}},
		{"a service that exists", join(quotaWith("q", "{services: 1}", "{services: 1}"), strings.Replace(serviceWith("{}"), "name: web", "name: web, uid: u", 1)), 0, []string{
			"q services 1 1 1 0", "service 0; the next does not: exceeded quota: q, requested: services=1, used: services=1, limited: services=1",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := reportWith(t, test.code, test.manifests)
			if diff := cmp.Diff(test.want, quotaLines(&r)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Every kind of workload is counted itself, too, and so is what it creates its pods by.
func TestQuotasCountWorkloads(t *testing.T) {
	const template = "template: {spec: {containers: [{name: app}]}}"
	for _, test := range []struct {
		apiVersion, kind, spec, resource string
		stored                           bool
		what                             string
	}{
		{"apps/v1", "Deployment", template, "count/deployments.apps", false, "deployment"},
		{"apps/v1", "Deployment", template, "count/replicasets.apps", true, "replicaset"},
		{"apps/v1", "StatefulSet", template, "count/statefulsets.apps", false, "statefulset"},
		{"apps/v1", "DaemonSet", template, "count/daemonsets.apps", false, "daemonset"},
		{"apps/v1", "ReplicaSet", template, "count/replicasets.apps", false, "replicaset"},
		{"batch/v1", "Job", template, "count/jobs.batch", false, "job"},
		{"batch/v1", "CronJob", "jobTemplate: {spec: {" + template + "}}", "count/cronjobs.batch", false, "cronjob"},
		{"batch/v1", "CronJob", "jobTemplate: {spec: {" + template + "}}", "count/jobs.batch", true, "job"},
	} {
		t.Run(test.kind+" "+test.resource, func(t *testing.T) {
			object := "apiVersion: " + test.apiVersion + "\nkind: " + test.kind + "\nmetadata: {namespace: shop, name: web}\nspec: {" + test.spec + "}\n"
			hard := "{" + test.resource + ": 1, pods: 5}"
			used := "{" + test.resource + ": 0, pods: 0}"
			r := reportWith(t, 2, join(quotaWith("q", hard, used), object, object, podWith("")))
			if r.Workloads[0].Rejection != nil {
				t.Error("the first is rejected")
			}
			second := r.Workloads[1].Rejection
			if second.Stored != test.stored || len(second.Reasons) != 1 {
				t.Fatalf("the second: %+v", second)
			}
			message := "exceeded quota: q, requested: " + test.resource + "=1, used: " + test.resource + "=1, limited: " + test.resource + "=1"
			want := Reason{
				Kind: test.what, What: test.what + ": quota q lacks 1 of " + test.resource, Remedy: "ask for less, or raise the quota", Path: "spec", Server: message,
				Quota: &BrokenQuota{
					Name: "q", Cause: "exceeded quota", Resources: []corev1.ResourceName{corev1.ResourceName(test.resource)},
					Requested: one(test.resource), Used: one(test.resource), Limited: one(test.resource), Missing: one(test.resource),
				},
			}
			if diff := cmp.Diff(want, second.Reasons[0]); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if *r.Workloads[1].Fit.Replicas != 0 {
				t.Errorf("%d fit", *r.Workloads[1].Fit.Replicas)
			}
			// Only the pod of the first is there.
			if used := r.Workloads[2].Quotas[0].Resources[0]; used.Resource != "pods" || used.Used != "1" {
				t.Errorf("in use behind them: %+v", used)
			}
		})
	}
}

func TestQuotaRejections(t *testing.T) {
	for _, test := range []struct {
		name, manifests string
		stored          bool
		want            []string // what, remedy, path, server
	}{
		{"a replica", join(quotaWith("q", "{pods: 4, cpu: 3}", "{pods: 1, cpu: 1500m}"), replicas(5, "{requests: {cpu: 500m}}")), true, []string{
			"replica 4 of 5: quota q lacks 500m of cpu and 1 of pods", "run no more than 3 replicas, ask for less, or raise the quota", "spec.template.spec",
			"exceeded quota: q, requested: cpu=500m,pods=1, used: cpu=3,pods=4, limited: cpu=3,pods=4",
		}},
		{"after a single one", join(quotaWith("q", "{pods: 1}", "{pods: 0}"), replicas(2, "{}")), true, []string{
			"replica 2 of 2: quota q lacks 1 of pods", "run no more than 1 replica, ask for less, or raise the quota", "spec.template.spec",
			"exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1",
		}},
		{"a pod", join(quotaWith("q", "{cpu: 1}", "{cpu: 0}"), podWith("resources: {requests: {cpu: 1001m}}")), false, []string{
			"pod: quota q lacks 1m of cpu", "ask for less, or raise the quota", "spec",
			"exceeded quota: q, requested: cpu=1001m, used: cpu=0, limited: cpu=1",
		}},
		{"of several quotas", join(quotaWith("b", "{pods: 0}", "{pods: 0}"), quotaWith("a", "{limits.cpu: 1, limits.memory: 1Gi, requests.cpu: 1}", "{limits.cpu: 0, limits.memory: 0, requests.cpu: 0}"), podSpec("{initContainers: [{name: init, resources: {requests: {cpu: 1}}}], containers: [{name: app}]}")), false, []string{
			"pod: quota a wants every container to state limits.cpu (missing in app, init), limits.memory (missing in app, init) and requests.cpu (missing in app)", "state it, or let a LimitRange give a default", "spec",
			"failed quota: a: must specify limits.cpu for: app,init; limits.memory for: app,init; requests.cpu for: app",
			"pod: quota b lacks 1 of pods", "ask for less, or raise the quota", "spec",
			"exceeded quota: b, requested: pods=1, used: pods=0, limited: pods=0",
		}},
		{"unknown", join(quotaWith("q", "{pods: 1}", "{}"), podWith("")), false, []string{
			"pod: quota q does not know how much is used", "", "spec", "status unknown for quota: q, resources: pods",
		}},
		{"beside other reasons", join(quotaWith("q", "{pods: 0}", "{pods: 0}"), maxCPU("m", "1"), replicas(1, "{limits: {cpu: 2}}")), true, []string{
			"container app: limit cpu 2 is above the maximum 1 of LimitRange shop/m", "lower the limit", "spec.template.spec.containers[0]", "maximum cpu usage per Container is 1, but limit is 2",
			"replica: quota q lacks 1 of pods", "ask for less, or raise the quota", "spec.template.spec", "exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0",
		}},
		{"negative requests", join(quotaWith("q", "{cpu: 1}", "{cpu: 0}"), podWith("resources: {requests: {cpu: -1}}")), false, []string{
			`spec.containers[0].resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0`, "", "spec.containers[0].resources.requests[cpu]", `spec.containers[0].resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0`,
			"pod: quota usage is negative for resource(s): cpu,requests.cpu", "", "spec", "quota usage is negative for resource(s): cpu,requests.cpu",
		}},
		{"a claim of a replica", join(quotaWith("q", "{requests.storage: 3Gi}", "{requests.storage: 0}"),
			"apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {namespace: shop, name: db}\nspec: {replicas: 2, template: {spec: {containers: [{name: app}]}}, volumeClaimTemplates: [{metadata: {name: data}, spec: {resources: {requests: {storage: 2Gi}}}}]}\n"), true, []string{
			"claim data of replica 2 of 2: quota q lacks 1Gi of requests.storage", "run no more than 1 replica, ask for less, or raise the quota", "spec.volumeClaimTemplates[0].spec",
			"exceeded quota: q, requested: requests.storage=2Gi, used: requests.storage=2Gi, limited: requests.storage=3Gi",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := reportWith(t, 2, test.manifests).Workloads[0].Rejection
			if r.Stored != test.stored {
				t.Errorf("stored %v", r.Stored)
			}
			var got []string
			for _, reason := range r.Reasons {
				got = append(got, reason.What, reason.Remedy, reason.Path, reason.Server)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestServiceIsTyped(t *testing.T) {
	service := strings.Replace(serviceWith("{ports: [{port: 80}]}"), "name: web", "generateName: web-", 1)
	got := reportWith(t, 2, join(quotaWith("q", "{services: 1}", "{services: 1}"), service)).Services
	fits := int64(0)
	message := "exceeded quota: q, requested: services=1, used: services=1, limited: services=1"
	want := []Service{{
		Source: Source{"-", 2, ""}, Namespace: "shop", Name: "web-...", Type: "ClusterIP", Ports: 1,
		QuotaReport: QuotaReport{
			Quotas: []QuotaUse{{Name: "q", Resources: []ResourceUse{{"services", "1", "1", "1", "-1"}}}},
			Fit:    &Fit{Unit: "service", Replicas: &fits, Wanted: 1, Stops: []Stop{{Quota: "q", Reason: "exceeded quota", Missing: Amounts{"services": "1"}, Server: message}}},
		},
		Rejection: &Rejection{Reasons: []Reason{{
			Kind: "service", Name: "web-...", What: "service web-...: quota q lacks 1 of services", Remedy: "ask for less, or raise the quota", Path: "spec", Server: message,
			Quota: &BrokenQuota{
				Name: "q", Cause: "exceeded quota", Resources: []corev1.ResourceName{"services"},
				Requested: one("services"), Used: one("services"), Limited: one("services"), Missing: one("services"),
			},
		}}},
	}}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Stop{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhichQuotasCount(t *testing.T) {
	generated := strings.NewReplacer("name: q", "generateName: q-")
	quota := quotaWith("q", "{pods: 1}", "{pods: 0}")
	for _, test := range []struct {
		name, manifests, args string
		code                  int
		quotas                []string // namespace and name
		stderr                string
	}{
		{"one", quota, "", 0, []string{"shop/q"}, ""},
		{"the same again", join(quota, quota), "", 0, []string{"shop/q"}, ""},
		{"replaced", join(quota, newQuota("q", "{hard: {pods: 1}}")), "", 0, []string{"shop/q"}, "podreport: -: document 1: ResourceQuota shop/q: skipped: replaced by -, document 2\n"},
		{"with another limit", join(newQuota("q", "{hard: {pods: 2}}"), newQuota("q", "{hard: {pods: 1}}")), "", 0, []string{"shop/q"}, "podreport: -: document 1: ResourceQuota shop/q: skipped: replaced by -, document 2\n"},
		{"by name", join(quotaWith("b", "{}", "{}"), quotaWith("a", "{}", "{}")), "", 0, []string{"shop/a", "shop/b"}, ""},
		{"in the namespace of -n", strings.Replace(join(quota, quota), "namespace: shop, ", "", 1), "mine", 0, []string{"mine/q", "shop/q"}, ""},
		{"names to be generated", generated.Replace(join(quota, quota)), "", 0, []string{"shop/q-...", "shop/q-..."}, ""},
		{"no name", strings.Replace(quota, ", name: q", "", 1), "", 2, nil, "podreport: -: document 1: ResourceQuota: metadata.name: missing\n"},
		{"negative limits", quotaWith("q", "{pods: -1, cpu: -500m}", "{}"), "", 2, nil, "" +
			"podreport: -: document 1: ResourceQuota shop/q: spec.hard[cpu]: Invalid value: \"-500m\": must be greater than or equal to 0\n" +
			"podreport: -: document 1: ResourceQuota shop/q: spec.hard[pods]: Invalid value: \"-1\": must be greater than or equal to 0\n"},
		{"a service without a name", "apiVersion: v1\nkind: Service\n", "", 2, nil, "podreport: -: document 1: Service: metadata.name: missing\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			args := []string{"-f", "-", "-o", "json"}
			if test.args != "" {
				args = append(args, "-n", test.args)
			}
			got := runWith(test.manifests, args...)
			if got.Code != test.code || got.Stderr != test.stderr {
				t.Errorf("exit code %d, stderr %q, want %d, %q", got.Code, got.Stderr, test.code, test.stderr)
			}
			r := unmarshal(t, got.Stdout)
			var quotas []string
			for _, n := range r.Namespaces {
				for _, q := range n.ResourceQuotas {
					quotas = append(quotas, n.Name+"/"+q.Name)
				}
			}
			if diff := cmp.Diff(test.quotas, quotas); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestQuotasInTable(t *testing.T) {
	manifests := join(
		newQuota("q", "{hard: {pods: 1, services: 2}}"), serviceWith("{ports: [{port: 80}]}"),
		strings.Replace(claimWith("1Gi"), "namespace: shop, ", "", 1),
	)
	const want = `Namespace shop
  ResourceQuotas: q

PersistentVolumeClaim data: 1Gi of storage
  from -, document 3

Service shop/web: ClusterIP, 1 port
  from -, document 2

  ResourceQuota     used  this service  hard     left
  q
    services     unknown             1     2  unknown
  status unknown for quota: q, resources: services
  Services that fit: at most 2; the next does not: quota q lacks 1 of services

no workloads
`
	if diff := cmp.Diff(result{0, want, ""}, runWith(manifests, "-f", "-")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestLimitsOfSteps is that of the documentation of Tekton: 20 steps that run one after the
// other, each with a limit of 1 CPU, under a quota of 10.
func TestLimitsOfSteps(t *testing.T) {
	var steps []string
	for i := range 20 {
		steps = append(steps, fmt.Sprintf("{name: step-%d, resources: {limits: {cpu: 1}}}", i))
	}
	r := reportWith(t, 2, join(quotaWith("compute", "{limits.cpu: 10}", "{limits.cpu: 0}"), podSpec("{containers: ["+strings.Join(steps, ", ")+"]}")))
	want := "exceeded quota: compute, requested: limits.cpu=20, used: limits.cpu=0, limited: limits.cpu=10"
	if got := r.Workloads[0].Rejection.Reasons[0].Server; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// There are suffixes up to E and Ei. Beyond them, nothing may be lost either.
func TestCanonicalBeyondSuffixes(t *testing.T) {
	for _, format := range []resource.Format{resource.DecimalSI, resource.BinarySI, resource.DecimalExponent} {
		for factor, want := range map[int64]string{1000: "1e21", 1001: "1001e18", 20_000_000: "20e24", -1000: "-1e21"} {
			q := *resource.NewQuantity(1e18, format)
			q.Mul(factor)
			if got := canonical(q); got != want {
				t.Errorf("%d E in %s: %s, want %s", factor, format, got, want)
			}
		}
	}
}

// one returns an amount of 1.
func one(resource string) Amounts { return Amounts{corev1.ResourceName(resource): "1"} }
