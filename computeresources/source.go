package computeresources

// Source is the object that a default, a bound or the remaining amount of a quota comes from. The
// zero value is the pod itself.
type Source struct {
	Kind      string `json:"kind"` // such as LimitRange or ResourceQuota
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	Field     string `json:"field,omitempty"` // the path of the field in the object, such as spec.limits[0]
}

// String returns kind, namespace and name: "LimitRange team/defaults", or "LimitRange defaults"
// without a namespace. The field is not included. The zero value is "pod".
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
