package computeresources_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestValidate(t *testing.T) {
	always := corev1.ContainerRestartPolicyAlways
	one := func(requests, limits corev1.ResourceList) *corev1.PodSpec {
		return &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("app", requests, limits)}}
	}
	whole := func(container, requests, limits corev1.ResourceList) *corev1.PodSpec {
		spec := one(container, nil)
		spec.Resources = &corev1.ResourceRequirements{Requests: requests, Limits: limits}
		return spec
	}
	list := testkit.List
	tests := []struct {
		name string
		spec *corev1.PodSpec
		want []string
	}{
		{"nil", nil, nil},
		{"nothing", &corev1.PodSpec{}, nil},
		{"valid", one(list("cpu", "1", "memory", "1", "example.com/gpu", "1", "hugepages-2Mi", "4Mi"), list("cpu", "1", "example.com/gpu", "1", "hugepages-2Mi", "4Mi")), nil},
		{"names", one(list("storage", "1"), list("unknown", "1")), []string{
			`spec.containers[0].resources.limits[unknown]: Invalid value: "unknown": must be a standard resource type or fully qualified`,
			`spec.containers[0].resources.limits[unknown]: Invalid value: "unknown": must be a standard resource for containers`,
			`spec.containers[0].resources.requests[storage]: Invalid value: "storage": must be a standard resource for containers`,
		}},
		{"negative", one(list("memory", "-1"), list("cpu", "-1m")), []string{
			`spec.containers[0].resources.limits[cpu]: Invalid value: "-1m": must be greater than or equal to 0`,
			`spec.containers[0].resources.requests[memory]: Invalid value: "-1": must be greater than or equal to 0`,
		}},
		{"above the limit", one(list("cpu", "1001m", "memory", "1"), list("cpu", "1", "memory", "1")), []string{
			`spec.containers[0].resources.requests: Invalid value: "1001m": must be less than or equal to cpu limit of 1`,
		}},
		{"above a limit of zero", one(list("cpu", "1"), list("cpu", "0")), []string{
			`spec.containers[0].resources.requests: Invalid value: "1": must be less than or equal to cpu limit of 0`,
		}},
		{"not overcommitable", one(list("example.com/gpu", "1", "example.com/tpu", "3", "example.com/x", "1"), list("example.com/gpu", "2", "example.com/tpu", "2")), []string{
			`spec.containers[0].resources.requests: Invalid value: "1": must be equal to example.com/gpu limit of 2`,
			`spec.containers[0].resources.requests: Invalid value: "3": must be equal to example.com/tpu limit of 2`,
			"spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources",
		}},
		{"fraction of an integer resource", one(list("example.com/gpu", "1500m"), list("example.com/gpu", "1500m")), []string{
			`spec.containers[0].resources.limits[example.com/gpu]: Invalid value: "1500m": must be an integer`,
			`spec.containers[0].resources.requests[example.com/gpu]: Invalid value: "1500m": must be an integer`,
		}},
		{"hugepages", one(nil, list("cpu", "1", "hugepages-2Mi", "3Mi", "hugepages-x", "1", "hugepages-0", "1", "hugepages-500m", "1")), []string{
			`spec.containers[0].resources.limits[hugepages-0]: Invalid value: "1": 1 is not positive integer multiple of hugepages-0`,
			`spec.containers[0].resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
			`spec.containers[0].resources.limits[hugepages-500m]: Invalid value: "1": 1 is not positive integer multiple of hugepages-500m`,
			`spec.containers[0].resources.limits[hugepages-x]: Invalid value: "1": 1 is not positive integer multiple of hugepages-x`,
		}},
		{"hugepages rounded up", one(nil, list("cpu", "1", "hugepages-2", "1500m", "hugepages-1k", "100E", "hugepages-3", "100E")), []string{
			`spec.containers[0].resources.limits[hugepages-3]: Invalid value: "100E": 100E is not positive integer multiple of hugepages-3`,
		}},
		{"invalid hugepages size", one(nil, list("cpu", "1", "hugepages-1e-1000000000", "0", "hugepages-1E3", "1e6", "hugepages-2000e3", "4e6", "hugepages-1e100", "0")), []string{
			`spec.containers[0].resources.limits[hugepages-1e-1000000000]: Invalid value: "0": 0 is not positive integer multiple of hugepages-1e-1000000000`,
		}},
		{"hugepages alone", one(list("hugepages-2Mi", "2Mi"), list("hugepages-2Mi", "2Mi")), []string{
			"spec.containers[0].resources: Forbidden: HugePages require cpu or memory",
		}},
		{"hugepages with memory", one(list("hugepages-2Mi", "2Mi", "memory", "1"), list("hugepages-2Mi", "2Mi")), nil},
		{"hugepages with a cpu limit", one(nil, list("hugepages-2Mi", "2Mi", "cpu", "1")), nil},
		{"claims at pod level", &corev1.PodSpec{
			Containers: []corev1.Container{testkit.Container("app", list("cpu", "2"), nil)},
			Resources:  &corev1.ResourceRequirements{Claims: []corev1.ResourceClaim{{Name: "gpu"}}, Requests: list("cpu", "1", "hugepages-2Mi", "2Mi")},
		}, []string{
			"spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level",
			"spec.resources.limits: Required value: Limit must be set for non overcommitable resources",
			`spec.resources.claims[0]: Not found: "gpu": must be one of the names in pod.spec.resourceClaims which is empty`,
			`spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2`,
		}},
		{"the order of containers", &corev1.PodSpec{
			InitContainers: []corev1.Container{testkit.Container("i", list("cpu", "-1"), nil), {Name: "s", RestartPolicy: &always, Resources: corev1.ResourceRequirements{Requests: list("cpu", "-2")}}},
			Containers:     []corev1.Container{testkit.Container("a", nil, nil), testkit.Container("b", list("cpu", "-3"), nil)},
			Resources:      &corev1.ResourceRequirements{Requests: list("cpu", "-4")},
		}, []string{
			`spec.initContainers[0].resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0`,
			`spec.initContainers[1].resources.requests[cpu]: Invalid value: "-2": must be greater than or equal to 0`,
			`spec.containers[1].resources.requests[cpu]: Invalid value: "-3": must be greater than or equal to 0`,
			`spec.resources.requests[cpu]: Invalid value: "-4": must be greater than or equal to 0`,
			`spec.resources.requests[cpu]: Invalid value: "-4": must be greater than or equal to aggregate container requests of -1`,
		}},
		{"the pod level", whole(list("cpu", "1"), list("cpu", "1", "hugepages-2Mi", "2Mi"), list("cpu", "1", "memory", "1", "hugepages-2Mi", "2Mi")), nil},
		{"names of the pod level", whole(nil, list("ephemeral-storage", "1"), list("unknown", "1")), []string{
			`spec.resources.limits[unknown]: Invalid value: "unknown": must be a standard resource type or fully qualified`,
			`spec.resources.requests[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"`,
		}},
		{"less than the containers request", whole(list("cpu", "1001m", "memory", "1"), list("cpu", "1", "memory", "1"), nil), []string{
			`spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 1001m`,
		}},
		{"fewer hugepages than the containers are limited to", &corev1.PodSpec{
			Containers: []corev1.Container{
				testkit.Container("a", list("cpu", "1", "hugepages-2Mi", "2Mi"), list("hugepages-2Mi", "2Mi", "cpu", "2")),
				testkit.Container("b", list("cpu", "1", "hugepages-2Mi", "2Mi"), list("hugepages-2Mi", "2Mi", "cpu", "2")),
			},
			Resources: &corev1.ResourceRequirements{Requests: list("hugepages-2Mi", "3Mi", "cpu", "2"), Limits: list("hugepages-2Mi", "3Mi", "cpu", "3")},
		}, []string{
			`spec.resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
			`spec.resources.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
			`spec.resources.requests[hugepages-2Mi]: Invalid value: "3Mi": must be greater than or equal to aggregate container requests of 4Mi`,
			`spec.resources.limits[hugepages-2Mi]: Invalid value: "3Mi": must be greater than or equal to aggregate container limits of 4Mi`,
		}},
		{"a container's limit above that of the pod", &corev1.PodSpec{
			InitContainers: []corev1.Container{testkit.Container("i", nil, list("cpu", "9"))},
			Containers:     []corev1.Container{testkit.Container("a", nil, list("cpu", "1")), testkit.Container("b", nil, list("memory", "2", "cpu", "1001m"))},
			Resources:      &corev1.ResourceRequirements{Limits: list("cpu", "1", "memory", "1")},
		}, []string{
			`spec.resources.containers[1][cpu].limits: Invalid value: "1001m": must be less than or equal to pod limits of 1`,
			`spec.resources.containers[1][memory].limits: Invalid value: "2": must be less than or equal to pod limits of 1`,
		}},
		{"windows", &corev1.PodSpec{OS: &corev1.PodOS{Name: corev1.Windows}, Resources: &corev1.ResourceRequirements{Requests: list("x", "-1")}}, []string{
			"spec.resources: Forbidden: may not be set for a windows pod",
		}},
		{"linux", &corev1.PodSpec{OS: &corev1.PodOS{Name: corev1.Linux}, Resources: &corev1.ResourceRequirements{Requests: list("cpu", "1")}}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			testkit.NoDiff(t, testkit.Strings(computeresources.Validate(nil, test.spec, computeresources.Kubernetes{}).ErrorList(nil)), test.want)
		})
	}
}

// The messages are those of kube-apiserver 1.36.
func TestValidateClaims(t *testing.T) {
	claims := func(of ...corev1.ResourceClaim) corev1.ResourceRequirements {
		return corev1.ResourceRequirements{Limits: testkit.List("cpu", "-1"), Claims: of}
	}
	spec := &corev1.PodSpec{
		ResourceClaims: []corev1.PodResourceClaim{{Name: "tpu"}, {Name: "gpu"}, {Name: "gpus"}, {Name: ""}},
		Containers: []corev1.Container{
			{Name: "valid", Resources: corev1.ResourceRequirements{Claims: []corev1.ResourceClaim{{Name: "gpu", Request: "a"}, {Name: "gpu", Request: "b"}, {Name: "tpu"}}}},
			{Name: "longer", Resources: corev1.ResourceRequirements{Claims: []corev1.ResourceClaim{{Name: "gpus", Request: "a"}, {Name: "gpu"}}}},
			{Name: "names", Resources: claims(corev1.ResourceClaim{Name: "fpga"}, corev1.ResourceClaim{}), ResizePolicy: []corev1.ContainerResizePolicy{{RestartPolicy: corev1.NotRequired}}},
			{Name: "twice", Resources: claims(corev1.ResourceClaim{Name: "gpu"}, corev1.ResourceClaim{Name: "gpu", Request: "a"}, corev1.ResourceClaim{Name: "tpu", Request: "x"}, corev1.ResourceClaim{Name: "tpu", Request: "x"})},
			{Name: "overlap", Resources: claims(corev1.ResourceClaim{Name: "gpu", Request: "a"}, corev1.ResourceClaim{Name: "gpu", Request: "B"}, corev1.ResourceClaim{Name: "gpu"})},
		},
		Resources: &corev1.ResourceRequirements{Claims: []corev1.ResourceClaim{{Name: "gpu"}, {Name: "fpga"}}},
	}
	const negative = `.resources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0`
	want := []string{
		"spec.containers[2]" + negative,
		`spec.containers[2].resources.claims[0]: Not found: "fpga": must be one of the names in pod.spec.resourceClaims: gpu, gpus, tpu`,
		"spec.containers[2].resources.claims[1]: Required value",
		"spec.containers[2].resizePolicy: Required value",
		"spec.containers[3]" + negative,
		`spec.containers[3].resources.claims[1]: Duplicate value: "gpu"`,
		`spec.containers[3].resources.claims[3]: Duplicate value: "tpu/x"`,
		"spec.containers[4]" + negative,
		`spec.containers[4].resources.claims[1].request: Invalid value: "B": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
		`spec.containers[4].resources.claims[2]: Duplicate value: "gpu"`,
		`spec.containers[4].resources.claims[2]: Duplicate value: "gpu"`,
		"spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level",
		`spec.resources.claims[1]: Not found: "fpga": must be one of the names in pod.spec.resourceClaims: gpu, gpus, tpu`,
	}
	found := computeresources.Validate(nil, spec, computeresources.Kubernetes{})
	testkit.NoDiff(t, messages(found.ErrorList(nil)), want)
}

func messages(errs field.ErrorList) (all []string) {
	for _, err := range errs {
		all = append(all, err.Error())
	}
	return all
}

// The messages are those of kube-apiserver 1.36.
func TestValidateResizePolicy(t *testing.T) {
	always := corev1.ContainerRestartPolicyAlways
	policy := func(name corev1.ResourceName, restart corev1.ResourceResizeRestartPolicy) corev1.ContainerResizePolicy {
		return corev1.ContainerResizePolicy{ResourceName: name, RestartPolicy: restart}
	}
	app := func(of ...corev1.ContainerResizePolicy) *corev1.PodSpec {
		return &corev1.PodSpec{Containers: []corev1.Container{{Name: "app", ResizePolicy: of}}}
	}
	with := func(spec *corev1.PodSpec, restart corev1.RestartPolicy, init ...corev1.Container) *corev1.PodSpec {
		spec.RestartPolicy, spec.InitContainers = restart, init
		return spec
	}
	const once, restart = corev1.NotRequired, corev1.RestartContainer
	setup := corev1.Container{Name: "setup", ResizePolicy: []corev1.ContainerResizePolicy{policy("memory", once), policy("cpu", restart)}}
	proxy := corev1.Container{Name: "proxy", RestartPolicy: &always, ResizePolicy: []corev1.ContainerResizePolicy{policy("cpu", restart)}}
	for _, test := range []struct {
		name      string
		old, spec *corev1.PodSpec
		want      []string
	}{
		{name: "valid", spec: app(policy("cpu", once), policy("memory", restart))},
		{name: "NotRequired with Never", spec: with(app(policy("cpu", once)), corev1.RestartPolicyNever)},
		{name: "RestartContainer with OnFailure", spec: with(app(policy("cpu", restart)), corev1.RestartPolicyOnFailure)},
		{name: "RestartContainer with Never", spec: with(app(policy("cpu", restart)), corev1.RestartPolicyNever, proxy), want: []string{
			"spec.initContainers[0].resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when pod `restartPolicy` is 'Never'",
			"spec.containers[0].resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when pod `restartPolicy` is 'Never'",
		}},
		{name: "another resource", spec: app(policy("hugepages-2Mi", once)), want: []string{
			`spec.containers[0].resizePolicy: Unsupported value: "hugepages-2Mi": supported values: "cpu", "memory"`,
		}},
		{name: "one resource twice", spec: app(policy("cpu", once), policy("cpu", once)), want: []string{
			`spec.containers[0].resizePolicy[1]: Duplicate value: "cpu"`,
		}},
		{name: "nothing set", spec: with(app(policy("cpu", once), policy("", "")), corev1.RestartPolicyNever), want: []string{
			"spec.containers[0].resizePolicy: Required value",
			"spec.containers[0].resizePolicy: Required value",
			"spec.containers[0].resizePolicy: Invalid value: \"\": must be 'NotRequired' when pod `restartPolicy` is 'Never'",
		}},
		{name: "another policy", spec: app(policy("cpu", "Restart")), want: []string{
			`spec.containers[0].resizePolicy: Unsupported value: "Restart": supported values: "NotRequired", "RestartContainer"`,
		}},
		{name: "an init container", spec: with(app(), "", setup, proxy), want: []string{
			"spec.initContainers[0].resizePolicy[1].restartPolicy: Invalid value: \"RestartContainer\": must not be set to 'RestartContainer' for non-sidecar initContainers",
		}},
		{name: "an init container that did so before", old: with(app(), "", proxy, setup), spec: with(app(policy("cpu", "")), "", setup), want: []string{
			"spec.containers[0].resizePolicy: Required value",
		}},
		{name: "a sidecar that did so before", old: with(app(), "", proxy), spec: with(app(), "", setup), want: []string{
			"spec.initContainers[0].resizePolicy[1].restartPolicy: Invalid value: \"RestartContainer\": must not be set to 'RestartContainer' for non-sidecar initContainers",
		}},
	} {
		found := computeresources.Validate(test.old, test.spec, computeresources.Kubernetes{})
		testkit.NoDiff(t, messages(found.ErrorList(nil)), test.want, test.name)
	}
}

// Updates may keep fractions of hugepages, but not add them.
func TestValidateUpdateOfHugePages(t *testing.T) {
	pages := func(amount string) *corev1.PodSpec {
		return &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("app", nil, testkit.List("cpu", "1", "hugepages-2Mi", amount))}}
	}
	for _, test := range []struct {
		old  *corev1.PodSpec
		want int
	}{{nil, 1}, {pages("2Mi"), 1}, {pages("3Mi"), 0}, {&corev1.PodSpec{Overhead: testkit.List("hugepages-2Mi", "3Mi")}, 0}} {
		if got := computeresources.Validate(test.old, pages("5Mi"), computeresources.Kubernetes{}); len(got) != test.want {
			t.Errorf("%v: %v", test.old, got.ErrorList(nil))
		}
	}
}

// A fraction of a hugepage at pod level counts since 1.38.
func TestValidateUpdateOfHugePagesAtPodLevel(t *testing.T) {
	list := testkit.List("cpu", "1", "hugepages-2Mi", "3Mi")
	old := &corev1.PodSpec{Resources: &corev1.ResourceRequirements{Requests: list, Limits: list}}
	for name, want := range map[string]int{"1.37": 2, "1.38": 0} {
		found := computeresources.Validate(old, old.DeepCopy(), computeresources.Kubernetes{Release: name})
		testkit.Equal(t, len(found), want, "errors in", name)
	}
}

// An error about an entry is at any path, and its own.
func TestInvalidEntryIsOwned(t *testing.T) {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "app", ResizePolicy: []corev1.ContainerResizePolicy{{ResourceName: "memory", RestartPolicy: "x"}}}}}
	found := computeresources.Validate(nil, spec, computeresources.Kubernetes{})
	ref := computeresources.Ref{Kind: computeresources.App, Name: "app"}
	if len(found) != 1 || found[0].Ref != ref || found[0].Resource != "memory" || found[0].Cause != computeresources.InvalidResizePolicy {
		t.Fatalf("%+v", found)
	}
	want := `template.containers[0].resizePolicy: Unsupported value: "x": supported values: "NotRequired", "RestartContainer"`
	testkit.Equal(t, found[0].Field(field.NewPath("template")).Error(), want)
	first := found[0]
	first.Field(nil).Field = "changed"
	testkit.Equal(t, first.Entry.Path, "resizePolicy", "the entry is shared")
}

// The server copies the amount of a single container, and so keeps how it is written; a sum has a canonical
// form.
func TestAggregateIsWrittenAsByTheServer(t *testing.T) {
	always := corev1.ContainerRestartPolicyAlways
	of := func(amount string) corev1.Container { return testkit.Container("c", testkit.List("cpu", amount), nil) }
	none := testkit.Container("n", nil, nil)
	sidecar := func(amount string) corev1.Container {
		c := of(amount)
		c.RestartPolicy = &always
		return c
	}
	type containers = []corev1.Container
	for _, test := range []struct {
		init, apps containers
		want       string
	}{
		{nil, containers{of("1e0"), none}, "1e0"},
		{nil, containers{none, of("+1")}, "+1"},
		{nil, containers{of("0001")}, "0001"},
		{nil, containers{of("1E3")}, "1E3"},
		{nil, containers{of("1e0"), of("0")}, "1"},
		{nil, containers{of("0"), of("1e3")}, "1e3"},
		{containers{of("+2")}, containers{of("1")}, "+2"},
		{containers{of("+1")}, containers{of("1e0")}, "1e0"},
		{containers{sidecar("+2")}, containers{none}, "+2"},
		{containers{sidecar("+2"), of("+3")}, containers{of("1")}, "5"},
		{containers{of("+3"), sidecar("+2")}, containers{of("1e0")}, "3"},
		{containers{none, of("+3"), none}, containers{of("1e0")}, "+3"},
	} {
		spec := &corev1.PodSpec{InitContainers: test.init, Containers: test.apps, Resources: &corev1.ResourceRequirements{Requests: testkit.List("cpu", "1m")}}
		found := computeresources.Validate(nil, spec, computeresources.Kubernetes{})
		want := `spec.resources.requests[cpu]: Invalid value: "1m": must be greater than or equal to aggregate container requests of ` + test.want
		if got := messages(found.ErrorList(nil)); len(got) != 1 || got[0] != want {
			t.Errorf("%q, want %s", got, want)
		}
	}
}

// The fields of each element identify the problem without its text.
func TestInvalidAmounts(t *testing.T) {
	always := corev1.ContainerRestartPolicyAlways
	list := testkit.List
	quantity := func(s string) *resource.Quantity {
		q := resource.MustParse(s)
		return &q
	}
	spec := &corev1.PodSpec{
		InitContainers: []corev1.Container{
			testkit.Container("setup", list("cpu", "-1"), nil),
			{Name: "proxy", RestartPolicy: &always, Resources: corev1.ResourceRequirements{Requests: list("example.com/gpu", "1500m")}},
		},
		Containers: []corev1.Container{
			testkit.Container("valid", nil, nil),
			testkit.Container("app", list("cpu", "4", "example.com/gpu", "1", "unknown", "7"), list("cpu", "3", "example.com/gpu", "2")),
			testkit.Container("pages", list("hugepages-2Mi", "3Mi"), list("hugepages-2Mi", "3Mi")),
		},
		Resources: &corev1.ResourceRequirements{Requests: list("cpu", "1", "ephemeral-storage", "5"), Limits: list("cpu", "2")},
	}
	setup := computeresources.Ref{Kind: computeresources.Init, Name: "setup"}
	proxy := computeresources.Ref{Kind: computeresources.Sidecar, Index: 1, Name: "proxy"}
	app := computeresources.Ref{Kind: computeresources.App, Index: 1, Name: "app"}
	pages := computeresources.Ref{Kind: computeresources.App, Index: 2, Name: "pages"}
	pod := computeresources.Ref{Kind: computeresources.Pod}
	const requests, limits = computeresources.Requests, computeresources.Limits
	want := computeresources.Problems[*computeresources.InvalidResource]{
		{Ref: setup, List: requests, Resource: "cpu", Cause: computeresources.Negative, Amount: quantity("-1")},
		{Ref: proxy, List: requests, Resource: "example.com/gpu", Cause: computeresources.NotInteger, Amount: quantity("1500m")},
		{Ref: proxy, List: limits, Resource: "example.com/gpu", Cause: computeresources.LimitMissing, Amount: quantity("1500m")},
		{Ref: app, List: requests, Resource: "cpu", Cause: computeresources.RequestAboveLimit, Amount: quantity("4"), Against: quantity("3")},
		{Ref: app, List: requests, Resource: "example.com/gpu", Cause: computeresources.RequestNotLimit, Amount: quantity("1"), Against: quantity("2")},
		{Ref: app, List: requests, Resource: "unknown", Cause: computeresources.InvalidName, Amount: quantity("7")},
		{Ref: app, List: requests, Resource: "unknown", Cause: computeresources.InvalidName, Amount: quantity("7")},
		{Ref: pages, List: limits, Resource: "hugepages-2Mi", Cause: computeresources.NotPageMultiple, Amount: quantity("3Mi")},
		{Ref: pages, List: requests, Resource: "hugepages-2Mi", Cause: computeresources.NotPageMultiple, Amount: quantity("3Mi")},
		{Ref: pages, Cause: computeresources.HugePagesAlone},
		{Ref: pod, List: requests, Resource: "ephemeral-storage", Cause: computeresources.NotPodLevel, Amount: quantity("5")},
		{Ref: pod, List: requests, Resource: "cpu", Cause: computeresources.BelowContainers, Amount: quantity("1"), Against: quantity("4")},
		{Ref: app, List: limits, Resource: "cpu", Cause: computeresources.AbovePodLevel, Amount: quantity("3"), Against: quantity("2")},
	}
	got := computeresources.Validate(nil, spec, computeresources.Kubernetes{})
	testkit.NoDiff(t, got, want, cmpopts.IgnoreFields(computeresources.InvalidResource{}, "Detail"))
	for i, err := range got.ErrorList(nil) {
		testkit.Equal(t, err.Detail, got[i].Detail, err, "Detail")
	}
	spec.OS = &corev1.PodOS{Name: corev1.Windows}
	windows := &computeresources.InvalidResource{Ref: pod, Cause: computeresources.PodLevelOnWindows, Detail: "may not be set for a windows pod"}
	got = computeresources.Validate(nil, spec, computeresources.Kubernetes{})
	if diff := cmp.Diff(windows, got[len(got)-1]); diff != "" || len(got) != 11 {
		t.Errorf("%d elements, the last (-want +got):\n%s", len(got), diff)
	}
	got = computeresources.Validate(nil, spec, computeresources.Kubernetes{PodLevelResources: new(bool)})
	if len(got) != 10 || got[9].Cause != computeresources.HugePagesAlone {
		t.Errorf("without pod-level resources: %v", got.ErrorList(nil))
	}
}

// Validating the requirements of one container gives the errors of a pod with that container, below their
// own path.
func TestValidateRequirements(t *testing.T) {
	list := testkit.List
	for _, test := range []struct {
		name string
		of   *corev1.ResourceRequirements
		want []string
	}{
		{"nil", nil, nil},
		{"valid", &corev1.ResourceRequirements{Requests: list("cpu", "1"), Limits: list("cpu", "2")}, nil},
		{"not at pod level", &corev1.ResourceRequirements{Requests: list("ephemeral-storage", "1")}, nil},
		{"everything", &corev1.ResourceRequirements{Requests: list("cpu", "3", "example.com/gpu", "1", "hugepages-2Mi", "1"), Limits: list("cpu", "2", "storage", "-1", "hugepages-2Mi", "1")}, []string{
			`template.resources.limits[hugepages-2Mi]: Invalid value: "1": 1 is not positive integer multiple of hugepages-2Mi`,
			`template.resources.limits[storage]: Invalid value: "storage": must be a standard resource for containers`,
			`template.resources.limits[storage]: Invalid value: "-1": must be greater than or equal to 0`,
			`template.resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 2`,
			`template.resources.limits: Required value: Limit must be set for non overcommitable resources`,
			`template.resources.requests[hugepages-2Mi]: Invalid value: "1": 1 is not positive integer multiple of hugepages-2Mi`,
		}},
		{"hugepages alone", &corev1.ResourceRequirements{Requests: list("hugepages-2Mi", "2Mi"), Limits: list("hugepages-2Mi", "2Mi")}, []string{
			"template.resources: Forbidden: HugePages require cpu or memory",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.NoDiff(t, testkit.Strings(computeresources.ValidateRequirements(test.of).ErrorList(field.NewPath("template", "resources"))), test.want)
		})
	}
	errs := computeresources.ValidateRequirements(&corev1.ResourceRequirements{Limits: list("cpu", "-1")})
	testkit.Equal(t, errs.Err().Error(), `resources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0`, "Err")
}

// Overhead does not count for what the pod level has to cover, and a limit of cpu is enough beside
// hugepages.
func TestValidateCountsNeitherTooMuchNorTooLittle(t *testing.T) {
	for name, spec := range map[string]*corev1.PodSpec{
		"overhead": {
			Containers: []corev1.Container{testkit.Container("a", testkit.List("cpu", "1"), nil)}, Overhead: testkit.List("cpu", "1"),
			Resources: &corev1.ResourceRequirements{Requests: testkit.List("cpu", "1")},
		},
		"hugepages beside a limit": {
			Containers: []corev1.Container{testkit.Container("a", testkit.List("hugepages-2Mi", "2Mi"), testkit.List("hugepages-2Mi", "2Mi", "cpu", "1"))},
		},
	} {
		testkit.NoDiff(t, computeresources.Validate(nil, spec, computeresources.Kubernetes{}), nil, name)
	}
}

func TestSpecWarnings(t *testing.T) {
	claim := corev1.PersistentVolumeClaimTemplate{}
	claim.Spec.Resources = corev1.VolumeResourceRequirements{Requests: testkit.List("storage", "1500m"), Limits: testkit.List("storage", "0.1")}
	second := corev1.PersistentVolumeClaimTemplate{}
	second.Spec.Resources.Requests = testkit.List("storage", "2500m")
	spec := &corev1.PodSpec{
		Volumes: []corev1.Volume{
			{}, {VolumeSource: corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{VolumeClaimTemplate: &claim}}},
			{VolumeSource: corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{VolumeClaimTemplate: &second}}},
		},
		Overhead:       testkit.List("memory", "1.5", "ephemeral-storage", "500m", "cpu", "0.1"),
		Containers:     []corev1.Container{testkit.Container("app", testkit.List("memory", "512m", "cpu", "512m", "ephemeral-storage", "500u"), testkit.List("memory", "1.5Gi", "ephemeral-storage", "0.1"))},
		InitContainers: []corev1.Container{testkit.Container("setup", testkit.List("memory", "999999999n"), testkit.List("ephemeral-storage", "1.5"))},
		Resources:      &corev1.ResourceRequirements{Limits: testkit.List("memory", "512m")},
	}
	const invalid = " is invalid, must be an integer"
	want := []string{
		`spec.volumes[1].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]: fractional byte value "1500m"` + invalid,
		`spec.volumes[1].ephemeral.volumeClaimTemplate.spec.resources.limits[storage]: fractional byte value "100m"` + invalid,
		`spec.volumes[2].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]: fractional byte value "2500m"` + invalid,
		`spec.overhead[memory]: fractional byte value "1500m"` + invalid,
		`spec.overhead[ephemeral-storage]: fractional byte value "500m"` + invalid,
		`spec.initContainers[0].resources.limits[ephemeral-storage]: fractional byte value "1500m"` + invalid,
		`spec.containers[0].resources.requests[memory]: fractional byte value "512m"` + invalid,
		`spec.containers[0].resources.limits[ephemeral-storage]: fractional byte value "100m"` + invalid,
		`spec.containers[0].resources.requests[ephemeral-storage]: fractional byte value "1m"` + invalid,
	}
	testkit.NoDiff(t, computeresources.SpecWarnings(spec, nil), want)
	testkit.Equal(t, `spec.template.spec.containers[0].resources.requests[memory]: fractional byte value "512m"`+invalid, computeresources.SpecWarnings(spec, field.NewPath("spec", "template", "spec"))[6], "in a template")
	if computeresources.SpecWarnings(nil, nil) != nil || computeresources.SpecWarnings(&corev1.PodSpec{}, nil) != nil {
		t.Error("nothing has warnings")
	}
}

// Up to 1.37, the server looks for fractions in milli-units of 64 bits, which wrap around: it takes 9223372036854776 for a
// fraction. Since 1.38, it is a whole number, as here in each release.
// See docs/decisions/computeresources.md#large-integers-are-not-fractions.
func TestDivergenceLargeIntegers(t *testing.T) {
	units := int64(9223372036854776)
	if units*1000%1000 == 0 {
		t.Error("the milli-units of the server do not wrap around")
	}
	amounts := testkit.List("memory", "9223372036854776", "example.com/x", "9223372036854776")
	spec := &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("app", amounts, amounts)}}
	for _, release := range []string{"1.36", "", "1.38"} {
		invalid := computeresources.Validate(nil, spec, computeresources.Kubernetes{Release: release})
		testkit.Equal(t, len(invalid), 0, "invalid amounts in", release)
	}
	testkit.Equal(t, len(computeresources.SpecWarnings(spec, nil)), 0, "warnings")
}
