package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

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
			want := exceeded(test.what, test.resource, message)
			if diff := cmp.Diff(want, second.Reasons[0]); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if *r.Workloads[1].Fit.Replicas != 0 {
				t.Errorf("%d fit", *r.Workloads[1].Fit.Replicas)
			}
			// Only the pod of the first is there.
			if used := r.Workloads[2].Quotas[0]; used.Used.Text("pods") != "1" {
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
			"replica 4 of 5: ResourceQuota shop/q lacks cpu=500m,pods=1", "run no more than 3 replicas, request less, or raise the quota", "spec.template.spec",
			"exceeded quota: q, requested: cpu=500m,pods=1, used: cpu=3,pods=4, limited: cpu=3,pods=4",
		}},
		{"after a single one", join(quotaWith("q", "{pods: 1}", "{pods: 0}"), replicas(2, "{}")), true, []string{
			"replica 2 of 2: ResourceQuota shop/q lacks pods=1", "run no more than 1 replica, request less, or raise the quota", "spec.template.spec",
			"exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1",
		}},
		{"a pod", join(quotaWith("q", "{cpu: 1}", "{cpu: 0}"), podWith("resources: {requests: {cpu: 1001m}}")), false, []string{
			"pod: ResourceQuota shop/q lacks cpu=1m", "request less, or raise the quota", "spec",
			"exceeded quota: q, requested: cpu=1001m, used: cpu=0, limited: cpu=1",
		}},
		{"of several quotas", join(quotaWith("b", "{pods: 0}", "{pods: 0}"), quotaWith("a", "{limits.cpu: 1, limits.memory: 1Gi, requests.cpu: 1}", "{limits.cpu: 0, limits.memory: 0, requests.cpu: 0}"), podSpec("{initContainers: [{name: init, resources: {requests: {cpu: 1}}}], containers: [{name: app}]}")), false, []string{
			"pod: ResourceQuota shop/a requires limits.cpu of app and init, limits.memory of app and init, requests.cpu of app", "set it, or set a default in a LimitRange", "spec",
			"failed quota: a: must specify limits.cpu for: app,init; limits.memory for: app,init; requests.cpu for: app",
			"pod: ResourceQuota shop/b lacks pods=1", "request less, or raise the quota", "spec",
			"exceeded quota: b, requested: pods=1, used: pods=0, limited: pods=0",
		}},
		{"unknown", join(quotaWith("q", "{pods: 1}", "{}"), podWith("")), false, []string{
			"pod: ResourceQuota shop/q has no status of pods", "wait for the quota controller", "spec", "status unknown for quota: q, resources: pods",
		}},
		{"beside other reasons", join(quotaWith("q", "{pods: 0}", "{pods: 0}"), maxCPU("m", "1"), replicas(1, "{limits: {cpu: 2}}")), true, []string{
			"container app: limit cpu 2 is above the maximum 1 of LimitRange shop/m", "lower the limit", "spec.template.spec.containers[0].resources.limits[cpu]", "maximum cpu usage per Container is 1, but limit is 2",
			"replica: ResourceQuota shop/q lacks pods=1", "request less, or raise the quota", "spec.template.spec", "exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0",
		}},
		{"negative requests", join(quotaWith("q", "{cpu: 1}", "{cpu: 0}"), podWith("resources: {requests: {cpu: -1}}")), false, []string{
			"container app: cpu request -1: must be greater than or equal to 0", "set a request of zero or more", "spec.containers[0].resources.requests[cpu]", `spec.containers[0].resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0`,
			"pod: the object uses a negative amount of cpu and requests.cpu", "set amounts of zero or more", "spec", "quota usage is negative for resource(s): cpu,requests.cpu",
		}},
		{"a claim of a replica", join(quotaWith("q", "{requests.storage: 3Gi}", "{requests.storage: 0}"),
			"apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {namespace: shop, name: db}\nspec: {replicas: 2, template: {spec: {containers: [{name: app}]}}, volumeClaimTemplates: [{metadata: {name: data}, spec: {resources: {requests: {storage: 2Gi}}}}]}\n"), true, []string{
			"claim data of replica 2 of 2: ResourceQuota shop/q lacks requests.storage=1Gi", "run no more than 1 replica, request less, or raise the quota", "spec.volumeClaimTemplates[0].spec",
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

// exceeded returns the reason to refuse one more of a resource, of which quota q has 1.
func exceeded(subject, resource, server string) report.Reason {
	name, one := corev1.ResourceName(resource), corev1.ResourceList(amounts(texts{corev1.ResourceName(resource): "1"}))
	source := computeresources.Source{Kind: "ResourceQuota", Namespace: "shop", Name: "q", Field: "spec.hard"}
	return report.Reason{
		Refusal: admit.Refusal{
			Resource: name, Source: source, Path: "spec",
			What: subject + ": ResourceQuota shop/q lacks " + resource + "=1", Remedy: "request less, or raise the quota",
			Failure: &quota.Failure{
				Cause: quota.ExceededQuota, Source: source, Resources: []corev1.ResourceName{name}, Requested: one, Used: one, Limited: one,
			},
		},
		Subject: subject, Server: server,
	}
}
