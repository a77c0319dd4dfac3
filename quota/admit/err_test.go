package admit_test

import (
	"errors"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

func named(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Namespace: "shop", Name: name} }

func pod(containers ...corev1.Container) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: named("web"), Spec: corev1.PodSpec{Containers: containers}}
}

func withInit(p *corev1.Pod, containers ...corev1.Container) *corev1.Pod {
	p.Spec.InitContainers = containers
	return p
}

func withPodLevel(p *corev1.Pod, requests, limits corev1.ResourceList) *corev1.Pod {
	p.Spec.Resources = &corev1.ResourceRequirements{Requests: requests, Limits: limits}
	return p
}

func volumeClaim(storage string) *corev1.PersistentVolumeClaim {
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: named("data")}
	if storage != "" {
		claim.Spec.Resources.Requests = list("storage", storage)
	}
	return claim
}

// answer is what a client gets.
type answer struct {
	Code    int32
	Reason  metav1.StatusReason
	Message string
}

func answerOf(t *testing.T, err error) answer {
	t.Helper()
	if err == nil {
		return answer{}
	}
	var status *apierrors.StatusError
	if !errors.As(err, &status) {
		t.Fatalf("%T is no StatusError", err)
	}
	testkit.Equal(t, status.ErrStatus.Status, metav1.StatusFailure)
	return answer{status.ErrStatus.Code, status.ErrStatus.Reason, status.ErrStatus.Message}
}

// The messages are those of kube-apiserver 1.36.
func TestErr(t *testing.T) {
	container := testkit.Container
	ofContainers := func(item corev1.LimitRangeItem) corev1.LimitRangeItem {
		item.Type = corev1.LimitTypeContainer
		return item
	}
	maximum := limitRange("maximum", ofContainers(corev1.LimitRangeItem{Max: list("cpu", "1")}))
	minimum := limitRange("minimum", ofContainers(corev1.LimitRangeItem{Min: list("memory", "1Gi")}))
	ofClaims := limitRange("claims", corev1.LimitRangeItem{Type: corev1.LimitTypePersistentVolumeClaim, Min: list("storage", "1Gi"), Max: list("storage", "10Gi")})
	ofPods := limitRange("pods",
		corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: list("cpu", "1")},
		ofContainers(corev1.LimitRangeItem{Max: list("cpu", "2"), Min: list("cpu", "100m")}))
	cpu := resourceQuota("cpu", list("requests.cpu", "1"), list("requests.cpu", "500m"))
	count := resourceQuota("count", list("pods", "1", "count/deployments.apps", "1", "configmaps", "2", "services.nodeports", "1", "persistentvolumeclaims", "1", "count/ingresses.networking.k8s.io", "0", "gold.deviceclass.resource.k8s.io/devices", "1"),
		list("pods", "1", "count/deployments.apps", "1", "configmaps", "2", "services.nodeports", "1", "persistentvolumeclaims", "1", "count/ingresses.networking.k8s.io", "0", "gold.deviceclass.resource.k8s.io/devices", "0"))
	unknown := resourceQuota("unknown", list("pods", "1"), nil)
	limits := resourceQuota("limits", list("limits.cpu", "10", "limits.memory", "10Gi"), list("limits.cpu", "0", "limits.memory", "0"))

	small, big := list("cpu", "200m"), list("cpu", "3")
	deployment := func(spec corev1.PodSpec) *appsv1.Deployment {
		return &appsv1.Deployment{ObjectMeta: named("web"), Spec: appsv1.DeploymentSpec{Template: corev1.PodTemplateSpec{Spec: spec}}}
	}
	cronJob := &batchv1.CronJob{ObjectMeta: named("nightly")}
	cronJob.Spec.JobTemplate.Spec.Template.Spec = pod(container("app", big, small)).Spec
	generated := pod(container("app", big, small))
	generated.Name, generated.GenerateName = "", "web-"
	devices := &resourcev1.ResourceClaim{ObjectMeta: named("gpus")}
	devices.Spec.Devices.Requests = []resourcev1.DeviceRequest{{Name: "gpu", Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: "gold", AllocationMode: resourcev1.DeviceAllocationModeExactCount, Count: 2}}}
	urgent := pod(container("app", small, nil))
	urgent.Spec.PriorityClassName = "high"
	limited := admit.Options{Limited: []quota.LimitedResource{{
		Resource: "pods", MatchContains: []string{"requests.cpu"},
		MatchScopes: []corev1.ScopedResourceSelectorRequirement{{ScopeName: "PriorityClass", Operator: "In", Values: []string{"high"}}},
	}}}

	negative := func(p *corev1.Pod) *corev1.Pod {
		p.Spec.Volumes = []corev1.Volume{
			{Name: "zero", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{SizeLimit: new(resource.Quantity)}}},
			{Name: "cache", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{SizeLimit: pointer(resource.MustParse("-1Gi"))}}},
			{Name: "more", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{SizeLimit: pointer(resource.MustParse("-1"))}}},
		}
		return p
	}
	resized := func(c corev1.Container, policies ...corev1.ContainerResizePolicy) corev1.Container {
		c.ResizePolicy = policies
		return c
	}
	pages := corev1.ContainerResizePolicy{ResourceName: "hugepages-2Mi", RestartPolicy: corev1.NotRequired}
	restarts := corev1.ContainerResizePolicy{ResourceName: "cpu", RestartPolicy: corev1.RestartContainer}
	sidecar := resized(container("proxy", nil, nil), restarts, restarts)
	sidecar.RestartPolicy = pointer(corev1.ContainerRestartPolicyAlways)
	never := withInit(negative(pod(resized(container("app", big, small), pages))), resized(container("setup", nil, list("cpu", "-1")), restarts), sidecar)
	never.Spec.RestartPolicy = corev1.RestartPolicyNever
	job := &batchv1.Job{ObjectMeta: named("once")}
	job.Spec.Template.Spec = *never.Spec.DeepCopy()
	podClaims := withPodLevel(pod(container("app", big, nil)), small, nil)
	podClaims.Spec.Resources.Claims = []corev1.ResourceClaim{{Name: "gpu"}}

	const invalid, forbidden = metav1.StatusReasonInvalid, metav1.StatusReasonForbidden
	for _, test := range []struct {
		name   string
		ranges []*corev1.LimitRange
		quotas []*corev1.ResourceQuota
		opts   admit.Options
		object admit.APIObject
		req    admit.Attributes
		want   answer
	}{
		{name: "admitted", object: pod(container("app", small, nil))},
		{
			name: "request above the limit", object: pod(container("app", big, small)),
			want: answer{422, invalid, `Pod "web" is invalid: spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 200m`},
		},
		{
			name:   "app containers come before init containers, and limits before requests",
			object: withInit(pod(container("app", list("cpu", "3"), list("memory", "-1", "cpu", "1"))), container("setup", big, small)),
			want: answer{422, invalid, `Pod "web" is invalid: [spec.containers[0].resources.limits[memory]: Invalid value: "-1": must be greater than or equal to 0, ` +
				`spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 1, ` +
				`spec.containers[0].resources.requests[memory]: Invalid value: "-1": must be greater than or equal to 0, ` +
				`spec.initContainers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 200m]`},
		},
		{
			name:   "a container above the pod-level limit comes last",
			object: withPodLevel(withInit(pod(container("app", nil, big)), container("setup", list("cpu", "-1"), nil)), nil, list("cpu", "2")),
			want: answer{422, invalid, `Pod "web" is invalid: [spec.initContainers[0].resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0, ` +
				`spec.resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 2, ` +
				`spec.resources.containers[0][cpu].limits: Invalid value: "3": must be less than or equal to pod limits of 2]`},
		},
		{
			name: "volumes come first, and the resize policy of a container after its amounts", object: never,
			want: answer{422, invalid, `Pod "web" is invalid: [spec.volumes[1].emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity, ` +
				`spec.volumes[2].emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity, ` +
				`spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 200m, ` +
				`spec.containers[0].resizePolicy: Unsupported value: "hugepages-2Mi": supported values: "cpu", "memory", ` +
				`spec.initContainers[0].resources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0, ` +
				`spec.initContainers[0].resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0, ` +
				"spec.initContainers[0].resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when pod `restartPolicy` is 'Never', " +
				`spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid value: "RestartContainer": must not be set to 'RestartContainer' for non-sidecar initContainers, ` +
				"spec.initContainers[1].resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when pod `restartPolicy` is 'Never', " +
				`spec.initContainers[1].resizePolicy[1]: Duplicate value: "cpu"]`},
		},
		{
			name: "volumes and resize policies of a template", object: job,
			want: answer{422, invalid, `Job.batch "once" is invalid: [spec.template.spec.volumes[1].emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity, ` +
				`spec.template.spec.volumes[2].emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity, ` +
				`spec.template.spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 200m, ` +
				`spec.template.spec.containers[0].resizePolicy: Unsupported value: "hugepages-2Mi": supported values: "cpu", "memory", ` +
				`spec.template.spec.initContainers[0].resources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0, ` +
				"spec.template.spec.initContainers[0].resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when pod `restartPolicy` is 'Never', " +
				`spec.template.spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid value: "RestartContainer": must not be set to 'RestartContainer' for non-sidecar initContainers, ` +
				"spec.template.spec.initContainers[1].resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when pod `restartPolicy` is 'Never', " +
				`spec.template.spec.initContainers[1].resizePolicy[1]: Duplicate value: "cpu"]`},
		},
		{
			name: "claims at pod level", object: podClaims,
			want: answer{422, invalid, `Pod "web" is invalid: [spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level, ` +
				`spec.resources.claims[0]: Not found: "gpu": must be one of the names in pod.spec.resourceClaims which is empty, ` +
				`spec.resources.requests[cpu]: Invalid value: "200m": must be greater than or equal to aggregate container requests of 3]`},
		},
		{
			name: "pod-level resources of a cluster without them", opts: admit.Options{Kubernetes: computeresources.Kubernetes{PodLevelResources: new(bool)}},
			object: withPodLevel(pod(container("app", small, nil)), big, small),
		},
		{
			name: "invalid comes before LimitRanges and quotas", ranges: []*corev1.LimitRange{maximum}, quotas: []*corev1.ResourceQuota{cpu}, object: pod(container("app", big, nil)),
			want: answer{422, invalid, `Pod "web" is invalid: spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 1`},
		},
		{
			name: "a LimitRange comes before quotas", ranges: []*corev1.LimitRange{maximum}, quotas: []*corev1.ResourceQuota{cpu}, object: pod(container("app", nil, big)),
			want: answer{403, forbidden, `pods "web" is forbidden: maximum cpu usage per Container is 1, but limit is 3`},
		},
		{
			name: "the first of two LimitRanges by name", ranges: []*corev1.LimitRange{minimum, maximum}, object: pod(container("app", nil, big)),
			want: answer{403, forbidden, `pods "web" is forbidden: maximum cpu usage per Container is 1, but limit is 3`},
		},
		{
			name: "all items of one LimitRange, app containers first", ranges: []*corev1.LimitRange{ofPods},
			object: withInit(pod(container("app", list("cpu", "50m"), big), container("two", small, small)), container("setup", list("cpu", "10m"), small)),
			want: answer{403, forbidden, `pods "web" is forbidden: [maximum cpu usage per Pod is 1, but limit is 3200m, minimum cpu usage per Container is 100m, but request is 50m, ` +
				`maximum cpu usage per Container is 2, but limit is 3, minimum cpu usage per Container is 100m, but request is 10m]`},
		},
		{
			name: "all resources of one container, by name", ranges: []*corev1.LimitRange{limitRange("both", ofContainers(corev1.LimitRangeItem{Max: list("cpu", "1", "memory", "1Gi")}))},
			object: pod(container("app", nil, list("memory", "2Gi", "cpu", "2"))),
			want:   answer{403, forbidden, `pods "web" is forbidden: [maximum cpu usage per Container is 1, but limit is 2, maximum memory usage per Container is 1Gi, but limit is 2Gi]`},
		},
		{
			name: "equal messages are not repeated", ranges: []*corev1.LimitRange{maximum}, object: pod(container("app", nil, big), container("two", nil, big)),
			want: answer{403, forbidden, `pods "web" is forbidden: maximum cpu usage per Container is 1, but limit is 3`},
		},
		{
			name: "quota exceeded", quotas: []*corev1.ResourceQuota{cpu}, object: pod(container("app", list("cpu", "600m"), nil)),
			want: answer{403, forbidden, `pods "web" is forbidden: exceeded quota: cpu, requested: requests.cpu=600m, used: requests.cpu=500m, limited: requests.cpu=1`},
		},
		{
			name: "the first of two quotas by name", quotas: []*corev1.ResourceQuota{cpu, count}, object: pod(container("app", big, nil)),
			want: answer{403, forbidden, `pods "web" is forbidden: exceeded quota: count, requested: pods=1, used: pods=1, limited: pods=1`},
		},
		{
			name: "missing amounts come before exceeded quotas", quotas: []*corev1.ResourceQuota{count, limits}, object: pod(container("b", small, nil), container("a", small, list("cpu", "1"))),
			want: answer{403, forbidden, `pods "web" is forbidden: failed quota: limits: must specify limits.cpu for: b; limits.memory for: a,b`},
		},
		{
			name: "an unknown status comes before exceeded quotas", quotas: []*corev1.ResourceQuota{count, unknown}, object: pod(container("app", small, nil)),
			want: answer{403, forbidden, `pods "web" is forbidden: status unknown for quota: unknown, resources: pods`},
		},
		{
			name: "limited by default", opts: limited, object: pod(container("app", small, nil)),
			want: answer{403, forbidden, `pods "web" is forbidden: insufficient quota to consume: requests.cpu`},
		},
		{
			name: "within a scope that is limited by default", opts: limited, quotas: []*corev1.ResourceQuota{cpu}, object: urgent,
			want: answer{500, "", `insufficient quota to match these scopes: [{PriorityClass In [high]}]`},
		},
		{
			name: "a generated name", object: generated, req: admit.Attributes{GeneratedName: "web-x7k2p"},
			want: answer{422, invalid, `Pod "web-x7k2p" is invalid: spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 200m`},
		},
		{
			name: "a name that is not generated yet", object: generated,
			want: answer{422, invalid, `Pod "web-" is invalid: spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 200m`},
		},
		{
			name: "a claim without storage", object: volumeClaim(""),
			want: answer{422, invalid, `PersistentVolumeClaim "data" is invalid: spec.resources[storage]: Required value`},
		},
		{
			name: "a claim that requests zero", ranges: []*corev1.LimitRange{ofClaims}, object: volumeClaim("0"),
			want: answer{422, invalid, `PersistentVolumeClaim "data" is invalid: spec.resources[storage]: Invalid value: "0": must be greater than zero`},
		},
		{
			name: "a claim whose amount is rounded, below the minimum", ranges: []*corev1.LimitRange{ofClaims}, object: volumeClaim("1500u"),
			want: answer{403, forbidden, `persistentvolumeclaims "data" is forbidden: minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 2m`},
		},
		{
			name: "a claim below the minimum", ranges: []*corev1.LimitRange{ofClaims}, object: volumeClaim("512Mi"),
			want: answer{403, forbidden, `persistentvolumeclaims "data" is forbidden: minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 512Mi`},
		},
		{
			name: "one claim above the quota", quotas: []*corev1.ResourceQuota{count}, object: volumeClaim("1Gi"),
			want: answer{403, forbidden, `persistentvolumeclaims "data" is forbidden: exceeded quota: count, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=1, limited: persistentvolumeclaims=1`},
		},
		{
			name: "a service", quotas: []*corev1.ResourceQuota{count},
			object: &corev1.Service{ObjectMeta: named("web"), Spec: corev1.ServiceSpec{Type: corev1.ServiceTypeNodePort, Ports: make([]corev1.ServicePort, 2)}},
			want:   answer{403, forbidden, `services "web" is forbidden: exceeded quota: count, requested: services.nodeports=2, used: services.nodeports=1, limited: services.nodeports=1`},
		},
		{
			name: "a claim for devices", quotas: []*corev1.ResourceQuota{count}, object: devices,
			want: answer{403, forbidden, `resourceclaims.resource.k8s.io "gpus" is forbidden: exceeded quota: count, requested: gold.deviceclass.resource.k8s.io/devices=2, used: gold.deviceclass.resource.k8s.io/devices=0, limited: gold.deviceclass.resource.k8s.io/devices=1`},
		},
		{
			name: "a config map", quotas: []*corev1.ResourceQuota{count}, object: &corev1.ConfigMap{ObjectMeta: named("settings")},
			want: answer{403, forbidden, `configmaps "settings" is forbidden: exceeded quota: count, requested: configmaps=1, used: configmaps=2, limited: configmaps=2`},
		},
		{
			name: "an object whose resource follows from its kind", quotas: []*corev1.ResourceQuota{count},
			object: &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: "networking.k8s.io/v1", Kind: "Ingress"}, ObjectMeta: named("web")},
			want:   answer{403, forbidden, `ingresses.networking.k8s.io "web" is forbidden: exceeded quota: count, requested: count/ingresses.networking.k8s.io=1, used: count/ingresses.networking.k8s.io=0, limited: count/ingresses.networking.k8s.io=0`},
		},
		{
			name: "an object whose resource is in the attributes", quotas: []*corev1.ResourceQuota{count},
			object: &metav1.PartialObjectMetadata{ObjectMeta: named("web")}, req: admit.Attributes{Resource: schema.GroupResource{Group: "networking.k8s.io", Resource: "ingresses"}},
			want: answer{403, forbidden, `ingresses.networking.k8s.io "web" is forbidden: exceeded quota: count, requested: count/ingresses.networking.k8s.io=1, used: count/ingresses.networking.k8s.io=0, limited: count/ingresses.networking.k8s.io=0`},
		},
		{
			name: "a template that is invalid", object: deployment(pod(container("app", big, small)).Spec),
			want: answer{422, invalid, `Deployment.apps "web" is invalid: spec.template.spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 200m`},
		},
		{
			name: "a template in a template that is invalid", object: cronJob,
			want: answer{422, invalid, `CronJob.batch "nightly" is invalid: spec.jobTemplate.spec.template.spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 200m`},
		},
		{name: "a template that LimitRanges do not apply to", ranges: []*corev1.LimitRange{maximum}, object: deployment(pod(container("app", nil, big)).Spec)},
		{
			name: "one workload above the quota", quotas: []*corev1.ResourceQuota{count}, object: deployment(pod().Spec),
			want: answer{403, forbidden, `deployments.apps "web" is forbidden: exceeded quota: count, requested: count/deployments.apps=1, used: count/deployments.apps=1, limited: count/deployments.apps=1`},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := compile(t, test.ranges, test.quotas, test.opts).Create(test.object, test.req)
			testkit.NoDiff(t, answerOf(t, d.Err()), test.want)
		})
	}
}

// Errors about a quota itself come before an exceeded quota. Of two such errors, the one of the first
// quota comes first, regardless of its cause. Others come in the order of the causes.
func TestTheFirstFailureIsTheAnswer(t *testing.T) {
	of := func(cause quota.FailureCause, name string) *quota.Failure {
		return &quota.Failure{Cause: cause, Source: computeresources.Source{Kind: "ResourceQuota", Name: name}}
	}
	for _, test := range []struct {
		failures []*quota.Failure
		want     int
	}{
		{[]*quota.Failure{of(quota.ExceededQuota, "a"), of(quota.MustSpecify, "b")}, 1},
		{[]*quota.Failure{of(quota.StatusUnknown, "a"), of(quota.InvalidScope, "b")}, 0},
		{[]*quota.Failure{of(quota.MustSpecify, "a"), of(quota.InvalidScope, "b")}, 0},
		{[]*quota.Failure{of(quota.ExceededQuota, "a"), of(quota.StatusUnknown, "b")}, 1},
		{[]*quota.Failure{of(quota.ExceededQuota, "a"), of(quota.UncoveredScopes, "")}, 1},
		{[]*quota.Failure{of(quota.UncoveredScopes, ""), of(quota.UncoveredResources, "")}, 1},
		{[]*quota.Failure{of(quota.UncoveredResources, ""), of(quota.NegativeUsage, "a")}, 1},
		{[]*quota.Failure{of(quota.NegativeUsage, "a"), of(quota.InvalidScope, "b")}, 1},
	} {
		var d admit.Decision
		for _, f := range test.failures {
			d.Refusals = append(d.Refusals, &admit.Refusal{Failure: f})
		}
		if err := d.Err(); !strings.HasSuffix(err.Error(), test.failures[test.want].Error()) {
			t.Errorf("of %v, the answer is %v", test.failures, err)
		}
	}
	a, b := &admit.Refusal{Failure: of(quota.MustSpecify, "a")}, &admit.Refusal{Failure: of(quota.StatusUnknown, "b")}
	for _, refusals := range [][]*admit.Refusal{{a, b}, {b, a}} {
		inOrder := admit.Decision{Order: admit.Order{Quotas: []string{"b", "a"}}, Refusals: refusals}
		if err := inOrder.Err(); !strings.HasSuffix(err.Error(), b.Failure.Error()) {
			t.Errorf("of two quotas of which b is first, the answer is %v", err)
		}
	}
}

// Of two LimitRanges that a pod violates, the server names one: the first by name.
func TestOneLimitRangeIsTheAnswer(t *testing.T) {
	of := func(name, enforced string) *admit.Refusal {
		return &admit.Refusal{Violation: &limitrange.Violation{
			Type: corev1.LimitTypeContainer, Resource: "cpu", Bound: limitrange.Max, Cause: limitrange.NoLimit,
			Enforced: resource.MustParse(enforced), Source: computeresources.Source{Kind: "LimitRange", Name: name},
		}}
	}
	d := admit.Decision{Refusals: computeresources.Problems[*admit.Refusal]{of("team", "1"), of("platform", "2")}}
	if err, want := d.Err(), "maximum cpu usage per Container is 2.  No limit is specified"; !strings.HasSuffix(err.Error(), ": "+want) {
		t.Errorf("%v, want %s", err, want)
	}
	// It has all bounds of one kind before those of the next.
	bounds := limitRange("bounds", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: list("cpu", "1"), Min: list("memory", "2")})
	d = compile(t, []*corev1.LimitRange{bounds}, nil, admit.Options{}).Create(pod(testkit.Container("app", list("memory", "1"), list("cpu", "2"))), admit.Attributes{})
	if err, want := d.Err(), "[minimum memory usage per Container is 2, but request is 1, maximum cpu usage per Container is 1, but limit is 2]"; !strings.HasSuffix(err.Error(), ": "+want) {
		t.Errorf("%v, want %s", err, want)
	}
	for _, r := range d.Refusals {
		if r.Violation != nil && r.Field(nil).BadValue == "" {
			t.Errorf("%v has no value", r)
		}
	}
}

// A claim is refused where it sets its storage, although the server names another field.
func TestPathOfStorage(t *testing.T) {
	for _, storage := range []string{"", "0"} {
		refusals := compile(t, nil, nil, admit.Options{}).Create(volumeClaim(storage), admit.Attributes{}).Refusals
		testkit.Equal(t, len(refusals), 1)
		testkit.Equal(t, refusals[0].Path, "spec.resources.requests[storage]")
		testkit.Equal(t, refusals[0].Invalid.Path, "spec.resources[storage]")
	}
}

// A nil refusal is none.
func TestErrOfNil(t *testing.T) {
	testkit.OK(t, admit.Decision{Refusals: computeresources.Problems[*admit.Refusal]{nil}}.Err())
}
