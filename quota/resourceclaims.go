package quota

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/quantity"
)

const countResourceClaims corev1.ResourceName = "count/resourceclaims.resource.k8s.io"

// ResourceClaimOptions select how ResourceClaims and extended resources that refer to the same
// devices (KEP-5004) are counted. The zero value means a default cluster in which no device class
// has an extended resource name.
type ResourceClaimOptions struct {
	// IgnoreExtendedResources counts device classes only, like a cluster without
	// DRAExtendedResource. Otherwise a claim also uses
	// requests.deviceclass.resource.kubernetes.io/<class>, and requests.<name> if the class has the
	// name of an extended resource.
	IgnoreExtendedResources bool

	// ExtendedResources are the names of extended resources by device class: of each
	// DeviceClass, spec.extendedResourceName. Classes without one have an empty name, or are not in
	// the map, which makes no difference to quotas.
	ExtendedResources map[string]corev1.ResourceName

	// Pod is the pod whose extended resources the scheduler created the claim for. The claim does
	// not count what the pod uses as requests.… already. Claim and pod have to refer to each other:
	// the claim by its annotation resource.kubernetes.io/extended-resource-claim and by its
	// controller, the pod by the name of the claim in its status. While the status of the pod names
	// no claim, the oldest claim of the pod is taken: see Claims.
	Pod Object

	// Claims are the claims of the namespace, or those of them that the pod controls. While the
	// status of the pod names no claim, its claim is the oldest one that refers to it, or the first
	// one by name among claims of the same age. Without Claims, the claim itself is assumed to be
	// the only one. Claims of other namespaces and nil claims are ignored.
	Claims []*resourcev1.ResourceClaim
}

// ExtendedResources returns the names of extended resources by device class, for
// ResourceClaimOptions, admit.Options and noderesources.FitOptions. The name is empty for a class
// without one: the scheduler knows its implicit name. Nil classes are ignored. The result is nil if
// there is no class.
//
// Source: ExtendedResourceCache of k8s.io/dynamic-resource-allocation.
func ExtendedResources(classes []*resourcev1.DeviceClass) map[string]corev1.ResourceName {
	var names map[string]corev1.ResourceName
	for _, class := range classes {
		if class == nil {
			continue
		}
		if names == nil {
			names = map[string]corev1.ResourceName{}
		}
		var extended corev1.ResourceName
		if class.Spec.ExtendedResourceName != nil {
			extended = corev1.ResourceName(*class.Spec.ExtendedResourceName)
		}
		names[class.Name] = extended
	}
	return names
}

func (o *ResourceClaimOptions) matchesResource(name corev1.ResourceName) bool {
	if name == countResourceClaims || strings.HasSuffix(string(name), corev1.ResourceClaimsPerClass) {
		return true
	}
	if o.IgnoreExtendedResources || !requestsExtended(name) {
		return false
	}
	if class, ok := strings.CutPrefix(string(name), corev1.ResourceImplicitExtendedClaimsPerClass); ok {
		return o.ExtendedResources[class] != ""
	}
	for _, resource := range o.ExtendedResources {
		if resource != "" && requestsPrefix+resource == name {
			return true
		}
	}
	return false
}

// resourceClaimUsageInto adds the devices that the requests of a claim may get. For alternatives, it is the maximum
// over them, for each class separately.
func (o *Object) resourceClaimUsageInto(dst corev1.ResourceList) {
	dst[countResourceClaims] = units(1)
	for _, request := range o.resourceClaim.Spec.Devices.Requests {
		most := map[string]int64{} // by class
		if exactly := request.Exactly; exactly != nil && len(request.FirstAvailable) == 0 {
			most[exactly.DeviceClassName] = devices(exactly.AllocationMode, exactly.Count)
		}
		for _, alternative := range request.FirstAvailable {
			n := devices(alternative.AllocationMode, alternative.Count)
			if n > most[alternative.DeviceClassName] {
				most[alternative.DeviceClassName] = n
			}
		}
		for class, n := range most {
			name := corev1.ResourceName(class + corev1.ResourceClaimsPerClass)
			sum := dst[name]
			sum.Add(units(n))
			dst[name] = sum
		}
	}
	if !o.claimOptions.IgnoreExtendedResources {
		o.addExtended(dst)
	}
}

// devices returns how many devices a request may get. Unknown modes count as zero.
func devices(mode resourcev1.DeviceAllocationMode, count int64) int64 {
	switch mode {
	case resourcev1.DeviceAllocationModeExactCount:
		return count
	case resourcev1.DeviceAllocationModeAll:
		return resourcev1.AllocationResultsMaxSize
	}
	return 0
}

// addExtended adds the devices of dst once more, by the names of extended resources,
// less what the pod of the claim uses already.
func (o *Object) addExtended(dst corev1.ResourceList) {
	extended := corev1.ResourceList{}
	add := func(name corev1.ResourceName, q resource.Quantity) {
		sum := extended[name]
		sum.Add(q)
		extended[name] = sum
	}
	for name, q := range dst {
		class, ok := strings.CutSuffix(string(name), corev1.ResourceClaimsPerClass)
		if !ok || class == "" {
			continue
		}
		add(corev1.ResourceName(corev1.ResourceImplicitExtendedClaimsPerClass+class), q)
		if name := o.claimOptions.ExtendedResources[class]; name != "" {
			add(requestsPrefix+name, q)
		}
	}
	var ofPod corev1.ResourceList
	if pod := &o.claimOptions.Pod; isForPod(o.resourceClaim, pod.pod, o.claimOptions.Claims) {
		ofPod = pod.Usage()
	}
	for name, q := range extended {
		if rest := quantity.Minus(q, ofPod[name]); rest.Sign() > 0 {
			dst[name] = rest
		}
	}
}

// isForPod reports whether a claim is the one for the extended resources of a pod.
func isForPod(claim *resourcev1.ResourceClaim, pod *corev1.Pod, claims []*resourcev1.ResourceClaim) bool {
	if !refersTo(claim, pod) {
		return false
	}
	if status := pod.Status.ExtendedResourceClaimStatus; status != nil {
		return status.ResourceClaimName == claim.Name
	}
	isOlder := func(other *resourcev1.ResourceClaim) bool {
		return other != nil && refersTo(other, pod) && cmp.Or(
			other.CreationTimestamp.Compare(claim.CreationTimestamp.Time), cmp.Compare(other.Name, claim.Name)) < 0
	}
	return !slices.ContainsFunc(claims, isOlder)
}

// refersTo reports whether a claim is for the extended resources of a pod, according to its metadata.
func refersTo(claim *resourcev1.ResourceClaim, pod *corev1.Pod) bool {
	if pod == nil || pod.Namespace != claim.Namespace ||
		claim.Annotations[resourcev1.ExtendedResourceClaimAnnotation] != "true" {
		return false
	}
	owner := metav1.GetControllerOfNoCopy(claim)
	return owner != nil && owner.APIVersion == "v1" && owner.Kind == "Pod" && owner.Name == pod.Name &&
		owner.UID == pod.UID
}
