package trace

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/terminal"
)

var cpuRequests, cpuLimits = Number{computeresources.Requests, "cpu"}, Number{computeresources.Limits, "cpu"}

func reportOf(t *testing.T, manifests string) *report.Report {
	in := manifest.Of(objects.Reader{Kinds: manifest.Kinds}.File("a.yaml", strings.NewReader(manifests)), manifest.Options{Home: "shop"})
	cpu := resource.MustParse("2")
	memory := resource.MustParse("16Gi")
	r := report.Of(in, report.Options{Size: report.Size{CPU: &cpu, Memory: &memory}})
	if len(r.Workloads) == 0 {
		t.Fatalf("%v", r.Errors)
	}
	return r
}

// stepsOf returns the steps of the first workload: headings, and rows as "label = amount; note".
func stepsOf(r *report.Report, n Number) (lines []string) {
	for _, row := range of(&r.Workloads[0], n).Rows {
		line := row.Label
		if row.Indent > 0 {
			line = "  " + strings.TrimSuffix(strings.Join([]string{strings.Join(append([]string{line}, row.Cells...), " = "), row.Note}, "; "), "; ")
		}
		lines = append(lines, line)
	}
	return lines
}

func TestParse(t *testing.T) {
	for text, want := range map[string]Number{
		"cpu":                     {computeresources.Requests, "cpu"},
		"requests.cpu":            {computeresources.Requests, "cpu"},
		"limits.cpu":              {computeresources.Limits, "cpu"},
		"limits.memory":           {computeresources.Limits, "memory"},
		"requests.nvidia.com/gpu": {computeresources.Requests, "nvidia.com/gpu"},
	} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for number, want := range map[Number]string{{computeresources.Requests, "cpu"}: "requests.cpu", {computeresources.Limits, "memory"}: "limits.memory"} {
		if got := number.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for _, text := range []string{"", "limits.", "a b", "limits.a/b/c"} {
		if _, err := Parse(text); err == nil || err.Error() != `"`+text+`" is not a resource such as cpu or limits.memory` {
			t.Errorf("%q: %v", text, err)
		}
	}
}

const (
	pod   = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  "
	quota = "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: team}\nspec: {hard: %}\nstatus: {hard: %, used: "
)

func withQuota(hard, used string) string { return strings.ReplaceAll(quota, "%", hard) + used + "}\n" }

// Each step of the formula has a row, with its terms.
func TestSteps(t *testing.T) {
	noQuota := func(lines ...string) []string { return append(lines, "quotas", "  no quota counts it") }
	for _, test := range []struct {
		name, manifests string
		number          Number
		want            []string
	}{
		{"one container", pod + "containers: [{name: a, resources: {requests: {cpu: 100m}}}]", cpuRequests, append(noQuota(
			"set", "  container a = 100m; spec.containers[0].resources.requests[cpu]", "one pod", "  all containers = 100m"),
			"node", "  fit on the empty node = 20; the next lacks 100m of cpu")},
		{"limits that not all have", pod + "containers: [{name: a, resources: {limits: {cpu: 1500m}}}, {name: b, resources: {limits: {cpu: 500m}}}, {name: c}]", cpuLimits, noQuota(
			"set", "  container a = 1500m; spec.containers[0].resources.limits[cpu]", "  container b = 500m; spec.containers[1].resources.limits[cpu]", "  container c = -; not set",
			"one pod", "  all containers = 2; 1500m + 500m", "  binding limit = unbounded; not all containers have one")},
		{"limits that all have", pod + "containers: [{name: a, resources: {limits: {cpu: 1500m}}}, {name: b, resources: {limits: {cpu: 500m}}}]", cpuLimits, noQuota(
			"set", "  container a = 1500m; spec.containers[0].resources.limits[cpu]", "  container b = 500m; spec.containers[1].resources.limits[cpu]",
			"one pod", "  all containers = 2; 1500m + 500m")},
		{"what is not set", pod + "overhead: {memory: 1Gi}\n  containers: [{name: a}]", cpuRequests, nil},
		{"a limit for the request", pod + "containers: [{name: a, resources: {limits: {memory: 1Gi}}}]", Number{computeresources.Requests, "memory"}, append(noQuota(
			"set", "  container a = 1Gi; defaults to its limit", "one pod", "  all containers = 1Gi"), "node", "  fit on the empty node = 16; the next lacks 1Gi of memory")},
		{"init containers and sidecars", pod + `initContainers:
  - {name: early, resources: {requests: {cpu: 300m}}}
  - {name: side, restartPolicy: Always, resources: {requests: {cpu: 200m}}}
  - {name: late, resources: {requests: {cpu: 1}}}
  - {name: none}
  containers: [{name: a, resources: {requests: {cpu: 250m}}}, {name: b, resources: {requests: {cpu: 150m}}}]
  overhead: {cpu: 50m}`, cpuRequests, append(noQuota(
			"set", "  init container early = 300m; spec.initContainers[0].resources.requests[cpu]", "  sidecar side = 200m; spec.initContainers[1].resources.requests[cpu]",
			"  init container late = 1; spec.initContainers[2].resources.requests[cpu]", "  init container none = -; not set",
			"  container a = 250m; spec.containers[0].resources.requests[cpu]", "  container b = 150m; spec.containers[1].resources.requests[cpu]", "  overhead = 50m; spec.overhead[cpu]",
			"one pod", "  while early runs = 300m", "  while late runs = 1200m; 200m + 1", "  while containers run = 600m; 200m + 250m + 150m", "  the maximum = 1200m", "  with overhead = 1250m; 1200m + 50m"),
			"node", "  fit on the empty node = 1; the next lacks 500m of cpu")},
		{"a pod-level amount", pod + "resources: {requests: {cpu: 2}}\n  containers: [{name: a, resources: {requests: {cpu: 500m}}}]", cpuRequests, append(noQuota(
			"set", "  container a = 500m; spec.containers[0].resources.requests[cpu]", "  pod = 2; spec.resources.requests[cpu]",
			"one pod", "  all containers = 500m", "  pod level = 2; replaces 500m"), "node", "  fit on the empty node = 1; the next lacks 2 of cpu")},
		{"a pod-level amount alone", pod + "resources: {limits: {cpu: 2}}\n  containers: [{name: a}]", cpuLimits, noQuota(
			"set", "  container a = -; not set", "  pod = 2; spec.resources.limits[cpu]", "one pod", "  pod level = 2")},
		{"the pod-level limit for the request", pod + "resources: {limits: {cpu: 2}}\n  containers: [{name: a}]", cpuRequests, append(noQuota(
			"set", "  container a = -; not set", "  pod = 2; defaults to its limit", "one pod", "  pod level = 2"), "node", "  fit on the empty node = 1; the next lacks 2 of cpu")},
		{"the requests of containers for the pod-level one", pod + "resources: {limits: {cpu: 2}}\n  containers: [{name: a, resources: {requests: {cpu: 1}}}]", cpuRequests, append(noQuota(
			"set", "  container a = 1; spec.containers[0].resources.requests[cpu]", "  pod = 1; defaults to what its containers request", "one pod", "  all containers = 1", "  pod level = 1; replaces 1"),
			"node", "  fit on the empty node = 2; the next lacks 1 of cpu")},
		{"overhead of a limit that is not set", pod + "overhead: {cpu: 50m}\n  containers: [{name: a, resources: {limits: {memory: 1Gi}}}]", cpuLimits, []string{
			"set", "  container a = -; not set", "  overhead = 50m; spec.overhead[cpu]"}},
		{"all pods", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3, template: {spec: {containers: [{name: a, resources: {requests: {cpu: 100m}}}]}}}", cpuRequests, append(noQuota(
			"set", "  container a = 100m; spec.containers[0].resources.requests[cpu]", "one pod", "  all containers = 100m", "all pods", "  3 replicas = 300m; 3 × 100m"),
			"node", "  fit on the empty node = 20; the next lacks 100m of cpu")},
		{"no pods", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 0, template: {spec: {containers: [{name: a, resources: {requests: {cpu: 100m}}}]}}}", cpuRequests, append(noQuota(
			"set", "  container a = 100m; spec.containers[0].resources.requests[cpu]", "one pod", "  all containers = 100m", "all pods", "  0 replicas = 0; 0 × 100m"),
			"node", "  fit on the empty node = 20; the next lacks 100m of cpu")},
		{"defaults of a LimitRange", pod + "containers: [{name: a}]\n---\napiVersion: v1\nkind: LimitRange\nmetadata: {name: d}\nspec: {limits: [{type: Container, default: {cpu: 1}, defaultRequest: {cpu: 200m}}]}\n",
			cpuLimits, noQuota("set", "  container a = 1; LimitRange shop/d: spec.limits[0].default[cpu]", "one pod", "  all containers = 1")},
		{"default requests of a LimitRange", pod + "containers: [{name: a}]\n---\napiVersion: v1\nkind: LimitRange\nmetadata: {name: d}\nspec: {limits: [{type: Container, default: {cpu: 1}, defaultRequest: {cpu: 200m}}]}\n",
			cpuRequests, append(noQuota("set", "  container a = 200m; LimitRange shop/d: spec.limits[0].defaultRequest[cpu]", "one pod", "  all containers = 200m"),
				"node", "  fit on the empty node = 10; the next lacks 200m of cpu")},
		{"both names of a quota", pod + "containers: [{name: a, resources: {requests: {cpu: 500m}}}]\n" + withQuota("{cpu: 3, requests.cpu: 4, limits.cpu: 5}", "{cpu: 1, requests.cpu: 2, limits.cpu: 1}"), cpuRequests, []string{
			"set", "  container a = 500m; spec.containers[0].resources.requests[cpu]", "one pod", "  all containers = 500m",
			"quotas", "  quota team = 500m; 1 used by others, of 3; 1500m left", "  quota team = 500m; 2 used by others, of 4; 1500m left",
			"node", "  fit on the empty node = 4; the next lacks 500m of cpu"}},
		{"a quota of limits", pod + "containers: [{name: a, resources: {limits: {cpu: 500m}}}]\n" + withQuota("{cpu: 3, limits.cpu: 5}", "{cpu: 1, limits.cpu: 2}"), cpuLimits, []string{
			"set", "  container a = 500m; spec.containers[0].resources.limits[cpu]", "one pod", "  all containers = 500m",
			"quotas", "  quota team = 500m; 2 used by others, of 5; 2500m left"}},
		{"a quota without a status", pod + "containers: [{name: a, resources: {limits: {cpu: 500m}}}]\n---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: new}\nspec: {hard: {limits.cpu: 5}}\n", cpuLimits, []string{
			"set", "  container a = 500m; spec.containers[0].resources.limits[cpu]", "one pod", "  all containers = 500m", "quotas", "  quota new = 500m; of 5; usage unknown"}},
		{"a pod that exists", strings.Replace(pod, "name: web", "name: web, uid: u", 1) + "containers: [{name: a, resources: {limits: {cpu: 500m}}}]\nstatus: {phase: Running}\n" + withQuota("{limits.cpu: 5}", "{limits.cpu: 2}"), cpuLimits, []string{
			"set", "  container a = 500m; spec.containers[0].resources.limits[cpu]", "one pod", "  all containers = 500m", "quotas", "  quota team = 500m; included in 2 used, of 5; 3 left"}},
		{"a resize", strings.Replace(pod, "name: web", "name: web, uid: u", 1) + "nodeName: n1\n  containers: [{name: a, resources: {requests: {cpu: 500m}}}]\n" +
			"status: {phase: Running, containerStatuses: [{name: a, allocatedResources: {cpu: 800m}, resources: {requests: {cpu: 800m}}}]}\n", cpuRequests, append(noQuota(
			"set", "  container a = 500m; spec.containers[0].resources.requests[cpu]", "one pod", "  all containers = 500m",
			"  resize in progress = 800m; the allocated and the actuated amounts count, too"), "node", "  fit on the empty node = 2; the next lacks 400m of cpu")},
	} {
		got := stepsOf(reportOf(t, test.manifests), test.number)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", test.name, test.number, diff)
		}
	}
}

// Steps of a trace leave its amounts as they are: a sum of one amount is not that amount itself.
func TestSumsAreCopies(t *testing.T) {
	var one terms
	one = one.plus(resource.MustParse("1.5"))
	two, other := one.plus(resource.MustParse("2")), one.plus(resource.MustParse("3"))
	for want, of := range map[string]terms{"1500m": one, "3500m": two, "4500m": other} {
		if r, sum := of.row(""); r.Cells[0] != want || sum.Cmp(resource.MustParse(want)) != 0 {
			t.Errorf("%v: %s, %v", of, want, r.Cells)
		}
	}
	three := two.plus(resource.MustParse("1"))
	four, again := three.plus(resource.MustParse("10")), three.plus(resource.MustParse("20"))
	for want, of := range map[string]terms{"14500m": four, "24500m": again} {
		if r, _ := of.row(""); r.Cells[0] != want {
			t.Errorf("%v: %v, want %s", of, r.Cells, want)
		}
	}
	big := resource.MustParse("1e30")
	sum := add(resource.Quantity{}, big)
	sum.Add(resource.MustParse("1e30"))
	if big.Cmp(resource.MustParse("1e30")) != 0 {
		t.Errorf("the amount is %v", &big)
	}
	digits := resource.MustParse("1234567890123456789012345")
	if sum := add(digits, digits); sum.Cmp(resource.MustParse("2469135780246913578024690")) != 0 || digits.Cmp(resource.MustParse("1234567890123456789012345")) != 0 {
		t.Errorf("the sum is %v, and the amount %v", &sum, &digits)
	}
	sum = add(big, big)
	if sum.Cmp(resource.MustParse("2e30")) != 0 || big.Cmp(resource.MustParse("1e30")) != 0 {
		t.Errorf("the sum is %v, and the amount %v", &sum, &big)
	}
}

// columns matches the space between columns.
var columns = regexp.MustCompile(`(\S) {2,}`)

// The traces of several workloads end with a table of all.
func written(r *report.Report, n Number) string {
	text := terminal.Text{Columns: 120}
	Write(&text, r, n)
	return text.String()
}

func TestWrite(t *testing.T) {
	const manifests = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 2, template: {spec: {containers: [{name: a, resources: {requests: {cpu: 300m}}}]}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: none}
spec: {replicas: 0, template: {spec: {containers: [{name: a, resources: {requests: {cpu: 300m}}}]}}}
---
apiVersion: v1
kind: Pod
metadata: {name: bad, namespace: data}
spec: {containers: [{name: a, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: unset}
spec: {containers: [{name: a}]}
`
	const want = `requests.cpu of Deployment web: 2 replicas
  from a.yaml, document 1, spec.template

  set
    container a | 300m | spec.containers[0].resources.requests[cpu]
  one pod
    all containers | 300m
  all pods
    2 replicas | 600m | 2 × 300m
  quotas
    no quota counts it
  node
    fit on the empty node | 6 | the next lacks 100m of cpu

requests.cpu of Deployment none: 0 replicas
  from a.yaml, document 2, spec.template

  set
    container a | 300m | spec.containers[0].resources.requests[cpu]
  one pod
    all containers | 300m
  all pods
    0 replicas | 0 | 0 × 300m
  quotas
    no quota counts it
  node
    fit on the empty node | 6 | the next lacks 100m of cpu

requests.cpu of Pod data/bad: 1 pod (rejected)
  from a.yaml, document 3

  set
    container a | 2 | spec.containers[0].resources.requests[cpu]
  one pod
    all containers | 2
  quotas
    no quota counts it
  node
    fit on the empty node | 1 | the next lacks 2 of cpu

requests.cpu of 3 pods

  all pods
    Deployment web | 600m
    Deployment none | 0
    Pod data/bad | - | would be rejected
    Pod unset | - | not set
    total | 600m
`
	if diff := cmp.Diff(want, columns.ReplaceAllString(written(reportOf(t, manifests), cpuRequests), "$1 | ")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := written(reportOf(t, manifests), Number{computeresources.Limits, corev1.ResourceMemory}); !strings.HasPrefix(got, "limits.memory of 3 pods\n") || !strings.HasSuffix(got, "    Pod unset        -  not set\n    total            -\n") {
		t.Errorf("of an amount that nothing sets:\n%s", got)
	}
	odd := reportOf(t, manifests)
	odd.Workloads[0].Name, odd.Workloads[0].Prefix = "w\x1b", "spec\x1b."
	if got := written(odd, cpuRequests); strings.Contains(got, "\x1b") {
		t.Errorf("control characters: %q", got)
	}
	if got := written(reportOf(t, strings.Replace(manifests, "name: a, ", `name: "a\e[0m", `, 1)), cpuRequests); strings.Contains(got, "\x1b") {
		t.Errorf("control characters: %q", got)
	}
}
