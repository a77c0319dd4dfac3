package pool

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// Decode returns the object of one manifest, YAML or JSON: a *ResourcePool or a *ResourcePoolClaim.
// Unknown fields, duplicate keys, and other kinds or versions are errors. Decode does not validate
// the object: see ValidatePool and ValidateClaim.
//
// The status is read more leniently, as either Capsule writes it: fields of it that do not exist
// are ignored.
func Decode(manifest []byte) (runtime.Object, error) {
	var meta metav1.TypeMeta
	if err := yaml.Unmarshal(manifest, &meta); err != nil {
		return nil, fmt.Errorf("decoding a manifest: %w", err)
	}
	var object runtime.Object
	var strict any
	switch {
	case meta.APIVersion != APIVersion:
	case meta.Kind == "ResourcePool":
		object, strict = &ResourcePool{}, &written[ResourcePoolSpec]{}
	case meta.Kind == "ResourcePoolClaim":
		object, strict = &ResourcePoolClaim{}, &written[ResourcePoolClaimSpec]{}
	}
	if object == nil {
		return nil, fmt.Errorf("decoding a manifest: neither ResourcePool nor ResourcePoolClaim of %s: kind %q, apiVersion %q", APIVersion, meta.Kind, meta.APIVersion)
	}
	if err := yaml.UnmarshalStrict(manifest, strict); err != nil {
		return nil, fmt.Errorf("decoding a %s: %w", meta.Kind, err)
	}
	if err := yaml.Unmarshal(manifest, object); err != nil {
		return nil, fmt.Errorf("decoding a %s: %w", meta.Kind, err)
	}
	return object, nil
}

// written is a manifest whose status may be anything.
type written[Spec any] struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   Spec `json:"spec"`
	Status any  `json:"status,omitempty"`
}
