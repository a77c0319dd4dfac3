package computeresources

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// InvalidCause is the reason why the API server rejects a request or limit. Constants have the names of their values.
// The zero value is unspecified.
type InvalidCause string

const (
	InvalidName         InvalidCause = "InvalidName" // unknown, or cannot be set for containers
	NotPodLevel         InvalidCause = "NotPodLevel" // a resource that cannot be set at pod level
	Negative            InvalidCause = "Negative"
	NotInteger          InvalidCause = "NotInteger"      // a fraction of an integer resource
	NotPageMultiple     InvalidCause = "NotPageMultiple" // of hugepages, whose page size is in the name
	RequestAboveLimit   InvalidCause = "RequestAboveLimit"
	RequestNotLimit     InvalidCause = "RequestNotLimit"     // of a resource that cannot be overcommitted
	LimitMissing        InvalidCause = "LimitMissing"        // of such a resource, which has a request only
	HugePagesAlone      InvalidCause = "HugePagesAlone"      // hugepages without cpu or memory
	BelowContainers     InvalidCause = "BelowContainers"     // a pod-level amount below the sum of the containers
	AbovePodLevel       InvalidCause = "AbovePodLevel"       // the limit of a container is above that of the pod
	PodLevelOnWindows   InvalidCause = "PodLevelOnWindows"   // a Windows pod has pod-level resources
	ClaimsAtPodLevel    InvalidCause = "ClaimsAtPodLevel"    // resource claims are set at pod level
	InvalidClaim        InvalidCause = "InvalidClaim"        // a reference to a resource claim is invalid
	InvalidResizePolicy InvalidCause = "InvalidResizePolicy" // an entry of it is invalid
)

// InvalidResource is one reason why the API server rejects the resources of a pod spec, or of a
// container.
type InvalidResource struct {
	// Ref is the container, or the pod for pod-level resources. For a container's limit above the
	// pod-level limit, it is the container. It is zero if requirements were validated without a pod
	// (ValidateRequirements).
	Ref Ref `json:"ref,omitzero"`
	// List and Resource are the invalid amount: the request for RequestAboveLimit and
	// RequestNotLimit, the limit for LimitMissing. Both are zero for HugePagesAlone,
	// PodLevelOnWindows, ClaimsAtPodLevel and InvalidClaim, which are not about a single amount.
	// For InvalidResizePolicy, Resource is that of the entry.
	List     List                `json:"list,omitzero"`
	Resource corev1.ResourceName `json:"resource,omitempty"`
	Cause    InvalidCause        `json:"cause"`
	// Amount is the value, or the request if the limit is missing. It is nil if List is zero.
	Amount *resource.Quantity `json:"amount,omitempty"`
	// Against is what the amount is compared with: the limit, for a request; the sum of the
	// containers, for a pod-level amount; the pod-level limit, for the limit of a container. It is
	// nil for other causes.
	Against *resource.Quantity `json:"against,omitempty"`
	// Detail is the text of the API server, without the field and the value.
	Detail string `json:"detail,omitempty"`
	// Entry is the error of the API server for InvalidClaim and InvalidResizePolicy, with the path
	// below the container or the pod spec, such as resizePolicy[1]. It is nil for other causes.
	Entry *FieldError `json:"entry,omitempty"`
}

// Error returns the message of the API server, with the path of a Pod:
// `spec.containers[0].resources.limits[cpu]: Invalid value: "-1": must be greater than or
// equal to 0`.
func (i *InvalidResource) Error() string {
	if i == nil {
		return "<nil>"
	}
	return i.Field(nil).Error()
}

// Field returns the error of the API server, word for word. Path is that of the pod spec; nil is
// spec, where a Pod has it. If Ref is zero, path is that of the requirements, and nil is
// resources. The result shares nothing with i.
func (i *InvalidResource) Field(path *field.Path) *field.Error {
	if i == nil {
		return nil
	}
	if path == nil && i.Ref != (Ref{}) {
		path = field.NewPath("spec")
	}
	resources := i.resources(path)
	switch i.Cause {
	case InvalidName:
		return field.Invalid(i.entry(resources), i.Resource, i.Detail)
	case NotPodLevel:
		return notPodLevel(i.entry(resources), i.Resource)
	case RequestAboveLimit, RequestNotLimit:
		return field.Invalid(resources.Child("requests"), quantity.Text(i.Amount), i.Detail)
	case LimitMissing:
		return field.Required(resources.Child("limits"), i.Detail)
	case HugePagesAlone, PodLevelOnWindows:
		return field.Forbidden(resources, i.Detail)
	case ClaimsAtPodLevel:
		return field.Forbidden(resources.Child("claims"), i.Detail)
	case AbovePodLevel:
		containers := path.Child("resources", "containers").Index(i.Ref.Index)
		return field.Invalid(containers.Key(string(i.Resource)).Child("limits"), quantity.Text(i.Amount), i.Detail)
	case InvalidClaim, InvalidResizePolicy:
		if i.Entry != nil {
			return i.Entry.Field(i.Ref.Path(path))
		}
	case Negative, NotInteger, NotPageMultiple, BelowContainers:
	}
	return field.Invalid(i.entry(resources), quantity.Text(i.Amount), i.Detail)
}

// resources returns where the requirements stand that it is about.
func (i *InvalidResource) resources(path *field.Path) *field.Path {
	switch {
	case i.Ref != (Ref{}):
		return i.Ref.Path(path).Child("resources")
	case path == nil:
		return field.NewPath("resources")
	}
	return path
}

// entry returns the path of the amount below the path of its resources.
func (i *InvalidResource) entry(resources *field.Path) *field.Path {
	list := "requests"
	if i.List == Limits {
		list = "limits"
	}
	return resources.Child(list).Key(string(i.Resource))
}

// detail returns the text of the server for a cause that has one text.
func (i *InvalidResource) detail() string {
	switch i.Cause {
	case Negative:
		return validation.IsNegativeErrorMsg
	case NotInteger:
		return "must be an integer"
	case NotPageMultiple:
		return fmt.Sprintf("%s is not positive integer multiple of %s", quantity.Text(i.Amount), i.Resource)
	case RequestAboveLimit:
		return fmt.Sprintf("must be less than or equal to %s limit of %s", i.Resource, quantity.Text(i.Against))
	case RequestNotLimit:
		return fmt.Sprintf("must be equal to %s limit of %s", i.Resource, quantity.Text(i.Against))
	case LimitMissing:
		return "Limit must be set for non overcommitable resources"
	case HugePagesAlone:
		return "HugePages require cpu or memory"
	case BelowContainers:
		return fmt.Sprintf("must be greater than or equal to aggregate container %ss of %s", i.List, quantity.Text(i.Against))
	case AbovePodLevel:
		return "must be less than or equal to pod limits of " + quantity.Text(i.Against)
	case PodLevelOnWindows:
		return "may not be set for a windows pod"
	case ClaimsAtPodLevel:
		return "claims may not be set for Resources at pod-level"
	case NotPodLevel:
		return notPodLevel(nil, i.Resource).Detail
	case InvalidName, InvalidClaim, InvalidResizePolicy: // have several texts
	}
	return ""
}

func notPodLevel(path *field.Path, name corev1.ResourceName) *field.Error {
	return field.NotSupported(path, name, resourcename.PodLevelNames())
}
