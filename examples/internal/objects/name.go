package objects

import (
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/quota/admit"
)

// RejectedName returns why the API server would reject the name of an object that is created, such as the one of a template that
// nothing has filled in. It has to be a DNS subdomain, of all kinds that are read; of some, less is allowed.
func RejectedName(object admit.APIObject) (errs field.ErrorList) {
	check := func(of, name string, isPrefix bool) {
		for _, message := range validation.NameIsDNSSubdomain(name, isPrefix) {
			errs = append(errs, field.Invalid(field.NewPath("metadata", of), name, message))
		}
	}
	if name := object.GetName(); name != "" {
		check("name", name, false)
	} else if prefix := object.GetGenerateName(); prefix != "" {
		check("generateName", prefix, true)
	}
	return errs
}
