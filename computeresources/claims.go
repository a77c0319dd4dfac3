package computeresources

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// claims looks at the references of a container, or of the pod level, to the claims of the pod. It does
// not allocate if there are none.
//
// Source: validateResourceClaimNames of k8s.io/kubernetes/pkg/apis/core/validation.
func (v *validator) claims(ref Ref, claims []corev1.ResourceClaim, ofPod []corev1.PodResourceClaim) {
	if len(claims) == 0 {
		return
	}
	list := field.NewPath("resources", "claims")
	var known []string
	for _, claim := range ofPod {
		if claim.Name != "" {
			known = append(known, claim.Name)
		}
	}
	slices.Sort(known)
	known = slices.Compact(known)
	seen := map[string]bool{} // claims, and claims with a request of them
	for i, claim := range claims {
		if claim.Name == "" {
			v.addEntry(ref, InvalidClaim, "", field.Required(list.Index(i), ""))
			continue
		}
		v.claimOnce(ref, claim, seen, list.Index(i))
		if !slices.Contains(known, claim.Name) {
			err := field.NotFound(list.Index(i), claim.Name)
			err.Detail = "must be one of the names in pod.spec.resourceClaims"
			if len(known) == 0 {
				err.Detail += " which is empty"
			} else {
				err.Detail += ": " + strings.Join(known, ", ")
			}
			v.addEntry(ref, InvalidClaim, "", err)
		}
	}
}

// claimOnce finds a reference to a claim, or to a request of it, that was seen before, and adds it to
// those seen.
func (v *validator) claimOnce(ref Ref, claim corev1.ResourceClaim, seen map[string]bool, at *field.Path) {
	if seen[claim.Name] {
		v.addEntry(ref, InvalidClaim, "", field.Duplicate(at, claim.Name))
		return
	}
	key := claim.Name
	if claim.Request != "" {
		for _, msg := range validation.IsDNS1123Label(claim.Request) {
			v.addEntry(ref, InvalidClaim, "", field.Invalid(at.Child("request"), claim.Request, msg))
		}
		key += "/" + claim.Request
	}
	switch {
	case seen[key]:
		v.addEntry(ref, InvalidClaim, "", field.Duplicate(at, key))
	case claim.Request == "":
		for other := range seen {
			if name, _, ofRequest := strings.Cut(other, "/"); ofRequest && name == claim.Name {
				v.addEntry(ref, InvalidClaim, "", field.Duplicate(at, claim.Name))
			}
		}
	}
	seen[key] = true
}
