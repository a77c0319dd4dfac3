package nodeaffinity

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/aggregate"
)

// Preferred is the preferred node affinity of a pod. Nil and its zero value prefer no node.
type Preferred struct {
	terms []weightedTerm
}

type weightedTerm struct {
	term
	weight int64
}

// PreferredOf returns the preferred node affinity of a pod, nil if there is none. Terms that are empty or have weight 0
// are ignored. Any other term that is invalid is an error, with which the scheduler refuses to score nodes. The API
// server admits such terms, because no scores are needed where the pod fits on one node only.
//
// Source: NewPreferredSchedulingTerms, and PreScore of the plugin.
func PreferredOf(spec *corev1.PodSpec) (*Preferred, error) {
	if spec == nil || spec.Affinity == nil || spec.Affinity.NodeAffinity == nil ||
		spec.Affinity.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution == nil {
		return nil, nil
	}
	p := &Preferred{}
	var errs []error
	for i, preferred := range spec.Affinity.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution {
		if preferred.Weight == 0 || isEmpty(&preferred.Preference) {
			continue
		}
		t, err := termOf(&preferred.Preference, (*field.Path)(nil).Index(i))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		p.terms = append(p.terms, weightedTerm{t, int64(preferred.Weight)})
	}
	if len(errs) > 0 {
		return nil, aggregate.Of(errs)
	}
	return p, nil
}

// Score returns the sum of the weights of the terms that match a node. The scheduler normalises it.
//
// Source: PreferredSchedulingTerms.Score.
func (p *Preferred) Score(n *corev1.Node) (score int64) {
	if p == nil || n == nil {
		return 0
	}
	for i := range p.terms {
		if p.terms[i].matches(n) {
			score += p.terms[i].weight
		}
	}
	return score
}
