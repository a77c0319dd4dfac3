package computeresources

import "cmp"

// Source is the object that says so: where a default, a bound or what remains of a quota
// comes from. The zero value is no object other than the pod itself.
type Source struct {
	Kind      string `json:"kind"` // such as LimitRange or ResourceQuota
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	Field     string `json:"field,omitempty"` // the path of the field in the object, such as spec.limits[0]
}

// String returns the object as a user knows it: "LimitRange team/defaults", or "LimitRange
// defaults" if it has no namespace. The field is left out, and so is the name if there is
// none. The zero value is "pod".
func (s Source) String() string {
	switch {
	case s == Source{}:
		return "pod"
	case s.Name == "":
		return s.Kind
	case s.Namespace == "":
		return s.Kind + " " + s.Name
	}
	return s.Kind + " " + s.Namespace + "/" + s.Name
}

// Compare orders sources by kind, namespace, name and field. Of two fields, the shorter comes
// first, so that items of a list stand in its order.
func (s Source) Compare(other Source) int {
	return cmp.Or(
		cmp.Compare(s.Kind, other.Kind),
		cmp.Compare(s.Namespace, other.Namespace),
		cmp.Compare(s.Name, other.Name),
		cmp.Compare(len(s.Field), len(other.Field)),
		cmp.Compare(s.Field, other.Field),
	)
}
