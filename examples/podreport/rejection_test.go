package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit"
)

func TestRejections(t *testing.T) {
	const sidecar = "{initContainers: [{name: init, resources: {requests: {cpu: 50m}}}, {name: proxy, restartPolicy: Always, resources: {requests: {cpu: 60m}}}], containers: [{name: app, resources: {requests: {cpu: 1}}}]}"
	minCPU := limitRangeWith("bounds", "{type: Container, min: {cpu: 100m}}")
	for _, test := range []struct {
		name, manifests string
		stored          bool
		reasons         []string // what, remedy and path, and what the server says
	}{
		{"request above the limit", deploymentWith("{requests: {cpu: 1500m}, limits: {cpu: 1}}"), false, []string{
			"container app: request cpu 1500m is above its limit 1", "raise the limit or lower the request",
			"spec.template.spec.containers[0].resources.requests",
			`spec.template.spec.containers[0].resources.requests: Invalid value: "1500m": must be less than or equal to cpu limit of 1`,
		}},
		{"request above the default limit", join(deploymentWith("{requests: {cpu: 2}}"), limitRangeWith("team-defaults", "{type: Container, default: {cpu: 1}}")), true, []string{
			"container app: request cpu 2 is above the default limit 1 from LimitRange shop/team-defaults", "set a limit or lower the request",
			"spec.template.spec.containers[0].resources.requests",
			`spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1`,
		}},
		{"request above the default limit, in a Pod", join(podSpec("{containers: [{name: app, resources: {requests: {cpu: 2}}}]}"), limitRangeWith("team-defaults", "{type: Container, default: {cpu: 1}}")), false, []string{
			"container app: request cpu 2 is above the default limit 1 from LimitRange shop/team-defaults", "set a limit or lower the request",
			"spec.containers[0].resources.requests",
			`spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1`,
		}},
		{"negative amount", deploymentWith("{limits: {cpu: -100m}}"), false, []string{
			"container app: cpu limit -100m: must be greater than or equal to 0", "set a limit of zero or more",
			"spec.template.spec.containers[0].resources.limits[cpu]",
			`spec.template.spec.containers[0].resources.limits[cpu]: Invalid value: "-100m": must be greater than or equal to 0`,
			"container app: cpu request -100m: must be greater than or equal to 0", "set a request of zero or more",
			"spec.template.spec.containers[0].resources.requests[cpu]",
			`spec.containers[0].resources.requests[cpu]: Invalid value: "-100m": must be greater than or equal to 0`,
			"replica: the object uses a negative amount of cpu, limits.cpu and requests.cpu", "set amounts of zero or more",
			"spec.template.spec", "quota usage is negative for resource(s): cpu,limits.cpu,requests.cpu",
		}},
		{"no limit of what cannot be overcommitted", podWith("resources: {requests: {nvidia.com/gpu: 1}}"), false, []string{
			"container app: nvidia.com/gpu request 1: Limit must be set for non overcommitable resources", "set a limit of 1",
			"spec.containers[0].resources.limits",
			"spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources",
		}},
		// The pods would be admitted, because a LimitRange sets what the template lacks.
		{"only the template is invalid", join(deploymentWith("{requests: {nvidia.com/gpu: 1}}"), limitRangeWith("gpu", "{type: Container, default: {nvidia.com/gpu: 1}}")), false, []string{
			"container app: nvidia.com/gpu request 1: Limit must be set for non overcommitable resources", "set a limit of 1",
			"spec.template.spec.containers[0].resources.limits",
			"spec.template.spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources",
		}},
		{"more than at the pod level", podSpec("{resources: {requests: {cpu: 1, memory: 2Gi}, limits: {cpu: 2, memory: 1Gi}}, containers: [{name: app, resources: {requests: {cpu: 1500m}, limits: {cpu: 3}}}]}"), false, []string{
			"pod: request memory 2Gi is above its limit 1Gi", "raise the limit or lower the request",
			"spec.resources.requests",
			`spec.resources.requests: Invalid value: "2Gi": must be less than or equal to memory limit of 1Gi`,
			"pod: cpu request 1: must be greater than or equal to aggregate container requests of 1500m",
			"raise the pod-level request to 1500m, or lower those of the containers",
			"spec.resources.requests[cpu]",
			`spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 1500m`,
			"container app: cpu limit 3: must be less than or equal to pod limits of 2", "lower the limit to 2, or raise that of the pod",
			"spec.containers[0].resources.limits[cpu]",
			`spec.resources.containers[0][cpu].limits: Invalid value: "3": must be less than or equal to pod limits of 2`,
		}},
		{"bounds of all kinds of containers", join(podSpec(sidecar), minCPU), false, []string{
			"init container init: request cpu 50m is below the minimum 100m of LimitRange shop/bounds", "raise the request",
			"spec.initContainers[0].resources.requests[cpu]", "minimum cpu usage per Container is 100m, but request is 50m",
			"sidecar proxy: request cpu 60m is below the minimum 100m of LimitRange shop/bounds", "raise the request",
			"spec.initContainers[1].resources.requests[cpu]", "minimum cpu usage per Container is 100m, but request is 60m",
		}},
		{"bounds of the pod", join(deploymentWith("{requests: {cpu: 2}}"), limitRangeWith("totals", "{type: Pod, max: {cpu: 1}}")), true, []string{
			"pod: no cpu limit, and request cpu 2 is above the maximum 1 of LimitRange shop/totals", "set a limit of at most 1 and lower the request",
			"spec.template.spec", "maximum cpu usage per Pod is 1.  No limit is specified",
		}},
		{
			"template of a CronJob", join("apiVersion: batch/v1\nkind: CronJob\nmetadata: {namespace: shop, name: web}\nspec: {jobTemplate: {spec: {template: {spec: {containers: [{name: app, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]}}}}}\n"), false,
			[]string{
				"container app: request cpu 2 is above its limit 1", "raise the limit or lower the request",
				"spec.jobTemplate.spec.template.spec.containers[0].resources.requests",
				`spec.jobTemplate.spec.template.spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1`,
			},
		},
		{"a live pod is not bounded, but has to be valid", join(podSpec("{containers: [{name: app, resources: {requests: {cpu: 2m}, limits: {cpu: 1m}}}]}")+"status: {phase: Running}\n", minCPU), false, []string{
			"container app: request cpu 2m is above its limit 1m", "raise the limit or lower the request",
			"spec.containers[0].resources.requests",
			`spec.containers[0].resources.requests: Invalid value: "2m": must be less than or equal to cpu limit of 1m`,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := reportWith(t, 2, test.manifests).Workloads[0]
			if w.Rejection.Stored != test.stored {
				t.Errorf("stored: %v, want %v", w.Rejection.Stored, test.stored)
			}
			var got []string
			for _, r := range w.Rejection.Reasons {
				got = append(got, r.What, r.Remedy, r.Path, r.Server)
			}
			if diff := cmp.Diff(test.reasons, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestReasonsAreTyped(t *testing.T) {
	r := reportWith(t, 2, join(
		deploymentWith("{requests: {cpu: 3, memory: 1.5Gi}, limits: {memory: 6Gi}}"),
		limitRangeWith("bounds", "{type: Pod}, {type: Container, default: {cpu: 2}, maxLimitRequestRatio: {memory: 1.5}}"),
	))
	source := computeresources.Source{Kind: "LimitRange", Namespace: "shop", Name: "bounds", Field: "spec.limits[1]"}
	app := computeresources.Ref{Kind: computeresources.App, Name: "app"}
	two, three, request, limit := resource.MustParse("2"), resource.MustParse("3"), resource.MustParse("1536Mi"), resource.MustParse("6Gi")
	want := &report.Rejection{Stored: true, Reasons: []report.Reason{
		{
			Refusal: admit.Refusal{
				Ref: app, Resource: "cpu", Source: source,
				What:   "container app: request cpu 3 is above the default limit 2 from LimitRange shop/bounds",
				Remedy: "set a limit or lower the request",
				Path:   "spec.template.spec.containers[0].resources.requests",
				Amount: &computeresources.InvalidResource{
					Ref: app, List: computeresources.Requests, Resource: "cpu", Cause: computeresources.RequestAboveLimit,
					Amount: &three, Against: &two, Detail: "must be less than or equal to cpu limit of 2",
				},
				Defaults: []computeresources.Change{{Ref: app, List: computeresources.Limits, Resource: "cpu", To: &two, Source: source}},
			},
			Subject: "replica",
			Server:  `spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 2`,
		},
		{
			Refusal: admit.Refusal{
				Ref: app, Resource: "memory", Source: source,
				What:   "container app: limit memory 6Gi is 4 times its request 1536Mi, but LimitRange shop/bounds allows 1.5 times",
				Remedy: "request at least 4Gi, or set a limit of at most 2304Mi",
				Path:   "spec.template.spec.containers[0].resources.limits[memory]",
				Violation: &limitrange.Violation{
					Type: "Container", Ref: app, Resource: "memory", Bound: limitrange.Ratio, Enforced: resource.MustParse("1500m"), Source: source,
					Cause: limitrange.RatioOut, Request: &request, Limit: &limit, Ratio: 4,
				},
			},
			Subject: "replica",
			Server:  "memory max limit to request ratio per Container is 1500m, but provided ratio is 4.000000",
		},
	}}
	if diff := cmp.Diff(want, r.Workloads[0].Rejection); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Messages that only the server's error has refer to a container as well: of the pods, and of a
// template that is judged without the defaults of its pods.
func TestReasonsNameTheirContainer(t *testing.T) {
	template := "apiVersion: apps/v1\nkind: Deployment\nmetadata: {namespace: shop, name: web}\nspec: {template: {spec: {containers: [" +
		"{name: app}, {name: worker, resources: {requests: {nvidia.com/gpu: 1}}}]}}}\n"
	for name, ranges := range map[string]string{
		"pods":          "",
		"template only": limitRangeWith("gpus", "{type: Container, default: {nvidia.com/gpu: 1}}"),
	} {
		t.Run(name, func(t *testing.T) {
			reasons := reportWith(t, 2, join(template, ranges)).Workloads[0].Rejection.Reasons
			if len(reasons) != 1 || reasons[0].Ref.String() != "container worker" {
				t.Errorf("%+v", reasons)
			}
		})
	}
}

func TestRejectionInTable(t *testing.T) {
	got := runWith(join(
		deploymentWith("{requests: {cpu: 1, nvidia.com/gpu: 1}}"),
		limitRangeWith("totals", "{type: Pod, min: {memory: 1Mi}}"),
	), "-f", "-").Stdout
	const want = `
  Rejected by the API server:
    - container app: nvidia.com/gpu request 1: Limit must be set for non overcommitable resources:
      set a limit of 1
      server: spec.template.spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources
    - pod: no memory request, but LimitRange shop/totals has a minimum of 1Mi: set a request of at
      least 1Mi
      server: minimum memory usage per Pod is 1Mi.  No request is specified

`
	if !strings.Contains(got, want) {
		t.Errorf("output lacks:\n%s\ngot:\n%s", want, got)
	}
}

// TestRejectedPodsDoNotCount: rejected pods do not run.
func TestRejectedPodsDoNotCount(t *testing.T) {
	manifests := join(deploymentWith("{requests: {cpu: 2}, limits: {cpu: 1}}"), deploymentWith("{requests: {cpu: 4}}"),
		strings.Replace(deploymentWith("{requests: {cpu: 9}, limits: {cpu: -1}}"), "Deployment", "DaemonSet", 1))
	totals := reportWith(t, 2, manifests).Totals
	if totals.Workloads != 1 || totals.Rejected != 2 || totals.Pods != 1 || totals.Requests.Text("cpu") != "4" || totals.PerNode || totals.PodsByClass["Burstable"] != 1 {
		t.Errorf("totals %+v", totals)
	}
	const want = "\nTotal: 1 workload, 1 pod, not counting the 2 that would be rejected\n"
	if got := runWith(manifests, "-f", "-").Stdout; !strings.Contains(got, want) {
		t.Errorf("output lacks %q:\n%s", want, got)
	}
}
