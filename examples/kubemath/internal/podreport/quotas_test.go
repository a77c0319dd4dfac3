package podreport_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
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
func quotaLines(r *report.Report) []string {
	var lines []string
	add := func(q *report.Verdict) {
		for _, u := range q.Quotas {
			for _, name := range slices.Sorted(maps.Keys(u.Hard)) {
				lines = append(lines, strings.Join([]string{u.Name, string(name), known(u.Used.Text(name)), u.Asked.Text(name), u.Hard.Text(name), known(u.Left.Text(name))}, " "))
			}
			if u.Unknown != "" {
				lines = append(lines, u.Unknown)
			}
		}
		if q.Fit != nil {
			fit := *q.Fit
			for i := range fit.Stops {
				fit.Stops[i].Words = fit.Stops[i].Server
			}
			lines = append(lines, fit.Unit+" "+fit.Words())
		}
	}
	for i := range r.Workloads {
		add(&r.Workloads[i].Verdict)
	}
	for i := range r.Claims {
		add(&r.Claims[i].Verdict)
	}
	for i := range r.Services {
		add(&r.Services[i].Verdict)
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
			"q count/deployments.apps 0 1 2 1", "q pods 0 2 3 1", "replica 0 of 2; the next does not: maximum cpu usage per Container is 1, but limit is 2", "q pods 0 1 3 2", "pod 3" + exceeded(3),
		}},
		{"but the workload is stored", join(quotaWith("q", "{count/deployments.apps: 2}", "{count/deployments.apps: 0}"), maxCPU("m", "1"), replicas(1, "{limits: {cpu: 2}}"), replicas(1, "{}")), 2, []string{
			"q count/deployments.apps 0 1 2 1", "replica 0 of 1; the next does not: maximum cpu usage per Container is 1, but limit is 2", "q count/deployments.apps 1 1 2 0", "replica any number",
		}},
		{"unless it is invalid", join(quotaWith("q", "{count/deployments.apps: 2}", "{count/deployments.apps: 0}"), replicas(1, "{requests: {cpu: 2}, limits: {cpu: 1}}"), replicas(1, "{}")), 2, []string{
			"q count/deployments.apps 0 1 2 1", `replica 0 of 1; the next does not: spec.template.spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1`, "q count/deployments.apps 0 1 2 1", "replica any number",
		}},
		{"what exists is part of what is used", join(quotaWith("q", "{pods: 5}", "{pods: 3}"), strings.Replace(replicas(3, "{}"), "name: web", "name: web, uid: u", 1), podWith("")), 0, []string{
			"q pods 3 3 5 2", "replica 2" + exceeded(5), "q pods 3 1 5 1", "pod 2" + exceeded(5),
		}},
		{"a pod with a status exists", join(quotaWith("q", "{pods: 1}", "{pods: 1}"), podWith("")+"status: {phase: Running}\n"), 0, []string{"q pods 1 1 1 0", "pod 0" + exceeded(1)}},
		{"a pod that has finished", join(quotaWith("q", "{pods: 1, count/pods: 3}", "{pods: 1, count/pods: 2}"), podWith("")+"status: {phase: Failed}\n"), 0, []string{
			"q count/pods 2 1 3 1", "q pods 1 0 1 0", "pod 0" + exceeded(1),
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
		{"a status without one of the limits", join(newQuota("q", "{hard: {pods: 3, requests.cpu: 1}}")+"status: {hard: {pods: 3}, used: {pods: 1}}\n", replicas(1, "{requests: {cpu: 2}}")), 0, []string{
			"q pods 1 1 3 1", "status unknown for quota: q, resources: requests.cpu", "replica at most 2" + exceeded(3),
		}},
		{"usage that is not known", join(quotaWith("q", "{pods: 2, count/pods: 5}", "{count/pods: 1}"), podWith("")), 2, []string{
			"q count/pods 1 1 5 3", "q pods unknown 1 2 unknown", "pod 0 of 1; the next does not: status unknown for quota: q, resources: count/pods,pods",
		}},
		{"more used than allowed", join(quotaWith("q", "{pods: 2}", "{pods: 3}"), podWith("")), 2, []string{
			"q pods 3 1 2 -2", "pod 0 of 1; the next does not: exceeded quota: q, requested: pods=1, used: pods=3, limited: pods=2",
		}},
		{"huge amounts", join(quotaWith("q", "{requests.memory: 1e36}", "{requests.memory: 1}"), replicas(2000000000, "{requests: {memory: 10E}}")), 0, []string{
			"q requests.memory 1 20e27 1e36 999999979999999999999999999999999999",
			"replica 99999999999999999; the next does not: exceeded quota: q, requested: requests.memory=10E, used: requests.memory=999999999999999990000000000000000001, limited: requests.memory=1e36",
		}},
		{"more room than can be counted", join(quotaWith("q", "{requests.cpu: 1e36}", "{requests.cpu: 0}"), replicas(1, "{requests: {cpu: 1n}}")), 0, []string{
			"q requests.cpu 0 1m 1e36 999999999999999999999999999999999999999e-3", "replica 9223372036854775807",
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
		{"claims of their own", join(quotaWith("q", "{requests.storage: 5Gi, persistentvolumeclaims: 9}", "{requests.storage: 1Gi, persistentvolumeclaims: 0}"), claimWith("3Gi"), claimWith("3Gi")), 2, []string{
			"q persistentvolumeclaims 0 1 9 8", "q requests.storage 1Gi 3Gi 5Gi 1Gi", "claim 1; the next does not: exceeded quota: q, requested: requests.storage=3Gi, used: requests.storage=4Gi, limited: requests.storage=5Gi",
			"q persistentvolumeclaims 1 1 9 7", "q requests.storage 4Gi 3Gi 5Gi -2Gi", "claim 0 of 1; the next does not: exceeded quota: q, requested: requests.storage=3Gi, used: requests.storage=4Gi, limited: requests.storage=5Gi",
		}},
		{"a claim that exists", join(quotaWith("q", "{persistentvolumeclaims: 1}", "{persistentvolumeclaims: 1}"), claimWith("3Gi")+"status: {phase: Bound}\n"), 0, []string{
			"q persistentvolumeclaims 1 1 1 0", "claim 0; the next does not: exceeded quota: q, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=1, limited: persistentvolumeclaims=1",
		}},
		{"a claim that a LimitRange rejects", join(quotaWith("q", "{persistentvolumeclaims: 1}", "{persistentvolumeclaims: 0}"), limitRangeWith("m", "{type: PersistentVolumeClaim, max: {storage: 1Gi}}"), claimWith("2Gi"), claimWith("1Gi")), 2, []string{
			"q persistentvolumeclaims 0 1 1 0", "claim 0 of 1; the next does not: maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi",
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

// known returns an amount as tables show it.
func known(amount string) string {
	if amount == "" {
		return "unknown"
	}
	return amount
}
