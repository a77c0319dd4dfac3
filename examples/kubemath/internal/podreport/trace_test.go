package podreport_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// traced returns the trace of a number in manifests, without the headings of workloads.
func traced(t *testing.T, code int, number, manifests string, args ...string) []string {
	t.Helper()
	got := runWith(manifests, append([]string{"-f", "-", "-explain", number}, args...)...)
	if got.Code != code || got.Stderr != "" {
		t.Fatalf("exit code %d, stderr %q", got.Code, got.Stderr)
	}
	text, _, _ := strings.Cut(got.Stdout, "\n"+number+" of ")
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n"); strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "  kernel") {
			lines = append(lines, strings.Join(strings.Fields(line), " "))
		}
	}
	return lines
}

func TestTrace(t *testing.T) {
	const both = "{requests: {cpu: 200m}, limits: {cpu: 400m}}"
	pod := func(fields string) string { return podSpec("{" + fields + "}") }
	for _, test := range []struct {
		name, number, manifests string
		args                    []string
		want                    []string
	}{
		{"one container", "requests.cpu", pod("containers: [{name: app, resources: " + both + "}]"), nil, []string{
			"container app 200m spec.containers[0].resources.requests[cpu]",
			"all containers 200m",
			"no quota counts it",
		}},
		{"the request of a limit", "requests.cpu", pod("containers: [{name: app, resources: {limits: {cpu: 400m}}}]"), nil, []string{
			"container app 400m defaults to its limit",
			"all containers 400m",
			"no quota counts it",
		}},
		{"a limit that not all have", "limits.cpu", pod("containers: [{name: a, resources: " + both + "}, {name: b}, {name: c}]"), nil, []string{
			"container a 400m spec.containers[0].resources.limits[cpu]",
			"container b - not set",
			"container c - not set",
			"all containers 400m",
			"binding limit unbounded container b and container c have none",
			"no quota counts it",
		}},
		{"an init container before the sidecar, and one behind it", "requests.cpu", pod("initContainers: [{name: early, resources: {requests: {cpu: 3}}}, " +
			"{name: side, restartPolicy: Always, resources: {requests: {cpu: 1}}}, {name: late, resources: {requests: {cpu: 3}}}, {name: idle}], " +
			"containers: [{name: app, resources: {requests: {cpu: 2}}}]"), nil, []string{
			"init container early 3 spec.initContainers[0].resources.requests[cpu]",
			"sidecar side 1 spec.initContainers[1].resources.requests[cpu]",
			"init container late 3 spec.initContainers[2].resources.requests[cpu]",
			"init container idle - not set",
			"container app 2 spec.containers[0].resources.requests[cpu]",
			"while early runs 3",
			"while late runs 4 1 + 3",
			"while containers run 3 1 + 2",
			"the maximum 4",
			"no quota counts it",
		}},
		{"pod level", "limits.cpu", pod("overhead: {cpu: 50m}, resources: {limits: {cpu: 1}}, containers: [{name: app, resources: " + both + "}, {name: b}]"), nil, []string{
			"container app 400m spec.containers[0].resources.limits[cpu]",
			"container b - not set",
			"pod 1 spec.resources.limits[cpu]",
			"overhead 50m spec.overhead[cpu]",
			"all containers 400m",
			"pod level 1 replaces 400m",
			"with overhead 1050m 1 + 50m",
			"no quota counts it",
		}},
		{"pod-level requests", "requests.memory", pod("resources: {limits: {memory: 1Gi}}, containers: [{name: app}]"), []string{"-node-memory", "2Gi"}, []string{
			"container app - not set",
			"pod 1Gi defaults to its limit",
			"pod level 1Gi",
			"no quota counts it",
			"kernel oom_score_adj",
			"container app 500",
		}},
		{"pod-level requests, by its containers", "requests.cpu", pod("resources: {limits: {cpu: 1}}, containers: [{name: app, resources: " + both + "}]"), nil, []string{
			"container app 200m spec.containers[0].resources.requests[cpu]",
			"pod 200m defaults to what its containers request",
			"all containers 200m",
			"pod level 200m replaces 200m",
			"no quota counts it",
		}},
		{"pod-level hugepages", "limits.hugepages-2Mi", pod("resources: {limits: {cpu: 1}}, containers: [{name: app, resources: {limits: {hugepages-2Mi: 2Mi, memory: 1Mi}}}]"), nil, []string{
			"container app 2Mi spec.containers[0].resources.limits[hugepages-2Mi]",
			"pod 2Mi defaults to what its containers limit",
			"all containers 2Mi",
			"pod level 2Mi replaces 2Mi",
			"no quota counts it",
		}},
		{"overhead of nothing", "limits.cpu", pod("overhead: {cpu: 50m}, containers: [{name: app, resources: {limits: {cpu: 0}}}]"), nil, []string{
			"container app 0 spec.containers[0].resources.limits[cpu]",
			"overhead 50m spec.overhead[cpu]",
			"all containers 0",
			"binding limit unbounded container app has none",
			"no quota counts it",
		}},
		{"overhead alone", "requests.cpu", pod("overhead: {cpu: 50m}, containers: [{name: app}]"), nil, []string{
			"container app - not set",
			"overhead 50m spec.overhead[cpu]",
			"with overhead 50m 0 + 50m",
			"no quota counts it",
		}},
		{"replicas and defaults of a LimitRange", "requests.cpu", join(strings.Replace(deploymentWith("{}"), "spec: {", "spec: {replicas: 3, ", 1),
			limitRangeWith("first", "{type: PersistentVolumeClaim, max: {storage: 1Gi}}, {type: Container, max: {cpu: 1}, defaultRequest: {cpu: 100m}}")), nil, []string{
			"container app 100m LimitRange shop/first: spec.limits[1].defaultRequest[cpu]",
			"all containers 100m",
			"3 replicas 300m 3 × 100m",
			"no quota counts it",
		}},
		{"a limit by a LimitRange", "limits.cpu", join(deploymentWith("{}"), limitRangeWith("first", "{type: Container, max: {cpu: 1}}")), nil, []string{
			"container app 1 LimitRange shop/first: spec.limits[0].default[cpu]",
			"all containers 1",
			"no quota counts it",
		}},
		{"two quotas", "requests.cpu", join(deploymentWith("{requests: {cpu: 1}, limits: {cpu: 1}}"), quotaWith("a", "{cpu: 4, limits.cpu: 9}", "{cpu: 2, limits.cpu: 1}"), quotaWith("b", "{requests.cpu: 3, pods: 8}", "{requests.cpu: 0, pods: 0}")), nil, []string{
			"container app 1 spec.containers[0].resources.requests[cpu]",
			"all containers 1",
			"quota a 1 2 used by others, of 4; 1 left",
			"quota b 1 0 used by others, of 3; 2 left",
		}},
		{"a quota without a status", "limits.memory", join(deploymentWith("{limits: {memory: 1Gi}}"), newQuota("a", "{hard: {limits.memory: 4Gi}}")), nil, []string{
			"container app 1Gi spec.containers[0].resources.limits[memory]",
			"all containers 1Gi",
			"quota a 1Gi of 4Gi; usage unknown",
		}},
		{"a node", "requests.cpu", pod("containers: [{name: app, resources: {requests: {cpu: 1}}}]"), []string{"-node-cpu", "2500m"}, []string{
			"container app 1 spec.containers[0].resources.requests[cpu]",
			"all containers 1",
			"no quota counts it",
			"fit on the empty node 2 the next lacks 500m",
			"kernel cpu.shares cpu.weight CPU under v1 under v2",
			"pod 1024 39 2500m 2500m",
			"container app 1024 100 2500m 2500m",
		}},
		{"a node where another resource stops", "requests.memory", pod("containers: [{name: app, resources: {requests: {cpu: 1, memory: 1Gi}}}]"), []string{"-node-cpu", "2500m", "-node-memory", "8Gi"}, []string{
			"container app 1Gi spec.containers[0].resources.requests[memory]",
			"all containers 1Gi",
			"no quota counts it",
			"fit on the empty node 2 the next lacks cpu",
			"kernel oom_score_adj",
			"container app 875",
		}},
		{"a limit that the kernel is told", "limits.cpu", pod("containers: [{name: app, resources: {limits: {cpu: 1500m}}}]"), []string{"-node-cpu", "2"}, []string{
			"container app 1500m spec.containers[0].resources.limits[cpu]",
			"all containers 1500m",
			"no quota counts it",
			"kernel cpu.cfs_quota_us cpu.max",
			"pod 150000 150000 100000",
			"container app 150000 150000 100000",
		}},
		{"a limit of memory that the kernel is told", "limits.memory", pod("containers: [{name: app, resources: {limits: {memory: 1Ki}}}, {name: b}]"), []string{"-node-cpu", "2"}, []string{
			"container app 1Ki spec.containers[0].resources.limits[memory]",
			"container b - not set",
			"all containers 1Ki",
			"binding limit unbounded container b has none",
			"no quota counts it",
			"kernel memory.limit_in_bytes memory.max",
			"pod - -",
			"container app 1024 1024",
			"container b - -",
		}},
		{"what the kernel is not told", "requests.ephemeral-storage", pod("containers: [{name: app, resources: {requests: {ephemeral-storage: 1Gi}}}]"), nil, []string{
			"container app 1Gi spec.containers[0].resources.requests[ephemeral-storage]",
			"all containers 1Gi",
			"no quota counts it",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, traced(t, 0, test.number, test.manifests, test.args...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTraceOfNothing(t *testing.T) {
	want := "requests.cpu of 0 pods\n\n  all pods\n    total  -\n"
	if got := runWith("# nothing", "-f", "-", "-explain", "cpu"); got.Stdout != want || got.Code != 0 {
		t.Errorf("exit code %d, output:\n%s", got.Code, got.Stdout)
	}
}

func TestNumbers(t *testing.T) {
	for name, title := range map[string]string{
		"cpu":                     "requests.cpu",
		"requests.cpu":            "requests.cpu",
		"limits.cpu":              "limits.cpu",
		"nvidia.com/gpu":          "requests.nvidia.com/gpu",
		"requests.nvidia.com/gpu": "requests.nvidia.com/gpu",
		"hugepages-2Mi":           "requests.hugepages-2Mi",
	} {
		if got := runWith(strings.Replace(podWith("resources: {limits: {nvidia.com/gpu: 1, hugepages-2Mi: 2Mi}}")+"status: {phase: Failed}\n", "shop", "a", 1), "-f", "-", "-explain", name); !strings.Contains("\n"+got.Stdout, "\n"+title+" of 0 pods\n") {
			t.Errorf("%s:\n%s", name, got.Stdout)
		}
	}
	for _, name := range []string{"", "limits.", "requests.", "a b", "a/b/c"} {
		got := runWith("", "-explain", name)
		want := `invalid value "` + name + `" for flag -explain: "` + name + `" is not a resource such as cpu or limits.memory` + "\n"
		if got.Code != 1 || !strings.HasPrefix(got.Stderr, want) {
			t.Errorf("%s: exit code %d, stderr %q", name, got.Code, got.Stderr)
		}
	}
	got := runWith("", "-explain", "cpu", "-o", "json")
	if want := (result{Code: 1, Stdout: "", Stderr: "kubemath: -explain writes text, and cannot be given with -o json\n"}); got != want {
		t.Errorf("with JSON: %+v", got)
	}
}
