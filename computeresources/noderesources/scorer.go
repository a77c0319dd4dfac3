package noderesources

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/aggregate"
)

// maxScore is the highest score of a node by one scorer.
const maxScore = 100

// Strategy is a way to score nodes, in the words of the scheduler's configuration. The zero value means
// LeastAllocated. NewScorer refuses any other value that is not a constant.
type Strategy string

const (
	// LeastAllocated prefers nodes with much of their resources free. It is what
	// NodeResourcesFit of a default scheduler does.
	LeastAllocated Strategy = "LeastAllocated"
	// MostAllocated prefers nodes with little of their resources free.
	MostAllocated Strategy = "MostAllocated"
	// RequestedToCapacityRatio rates utilization by ScoreOptions.Shape.
	RequestedToCapacityRatio Strategy = "RequestedToCapacityRatio"
	// BalancedAllocation prefers nodes on which the pod brings the utilization of resources
	// closer together. It is the plugin NodeResourcesBalancedAllocation.
	BalancedAllocation Strategy = "BalancedAllocation"
)

// ScoreOptions select how nodes are scored. The zero value means NodeResourcesFit of a default
// scheduler.
//
// Source: ScoringStrategy of NodeResourcesFitArgs, and NodeResourcesBalancedAllocationArgs.
type ScoreOptions struct {
	Strategy Strategy
	// Resources are the resources that count, with their weights. The default is cpu and memory,
	// each with weight 1.
	Resources []ResourceWeight
	// Shape is used by RequestedToCapacityRatio only.
	Shape []UtilizationShapePoint
}

// ResourceWeight is the weight of a resource in a score.
type ResourceWeight struct {
	Name   corev1.ResourceName
	Weight int64 // from 1 to 100, 1 for BalancedAllocation; 0 stands for 1
}

// UtilizationShapePoint is the score of a utilization. Scores between two points are interpolated linearly;
// scores before the first and after the last point are those of that point.
type UtilizationShapePoint struct {
	Utilization int32 // percent, from 0 to 100
	Score       int32 // from 0 to 10
}

// Scorer scores nodes. It is opaque and immutable, so copies share memory. The zero value has the zero
// ScoreOptions.
type Scorer struct {
	strategy  Strategy
	resources []weightedColumn // none for cpu and memory
	byPercent []int64          // of RequestedToCapacityRatio: the score of each utilization, from 0 to 100
}

// weightedColumn is a ResourceWeight, with a weight.
type weightedColumn struct {
	resourceColumn
	weight int64
}

// NewScorer returns a Scorer. If the scheduler would refuse the options, it returns an error with a
// *field.Error for each reason, at the fields of the scheduler's configuration. The Scorer does not
// keep the lists of opts.
//
// Source: ValidateNodeResourcesFitArgs and ValidateNodeResourcesBalancedAllocationArgs of
// k8s.io/kubernetes/pkg/scheduler/apis/config/validation.
func NewScorer(opts ScoreOptions) (Scorer, error) {
	s := Scorer{strategy: opts.Strategy}
	for _, r := range opts.Resources {
		if r.Weight == 0 {
			r.Weight = 1
		}
		s.resources = append(s.resources, weightedColumn{resourceColumnOf(r.Name), r.Weight})
	}
	if errs := s.validate(opts.Shape); len(errs) > 0 {
		return Scorer{}, aggregate.Of(errs)
	}
	if s.strategy == RequestedToCapacityRatio {
		for utilization := range int32(101) {
			s.byPercent = append(s.byPercent, shapeScore(opts.Shape, utilization))
		}
	}
	return s, nil
}

// maxShapeScore is the largest score of a UtilizationShapePoint.
const maxShapeScore = 10

func (s *Scorer) validate(shape []UtilizationShapePoint) (errs field.ErrorList) {
	switch s.strategy {
	case "", LeastAllocated, MostAllocated, RequestedToCapacityRatio, BalancedAllocation:
	default:
		errs = append(errs, field.NotSupported(field.NewPath("type"), s.strategy,
			[]Strategy{BalancedAllocation, LeastAllocated, MostAllocated, RequestedToCapacityRatio}))
	}
	path := field.NewPath("resources")
	seen := map[corev1.ResourceName]bool{}
	for i, r := range s.resources {
		switch {
		case s.strategy != BalancedAllocation:
			if r.weight < 1 || r.weight > 100 {
				errs = append(errs, field.Invalid(path.Index(i).Child("weight"), r.weight,
					fmt.Sprintf("resource weight of %s not in valid range (0, 100]", r.name)))
			}
			continue
		case seen[r.name]:
			errs = append(errs, field.Duplicate(path.Index(i).Child("name"), string(r.name)))
		}
		seen[r.name] = true
		if r.weight != 1 {
			errs = append(errs, field.Invalid(path.Index(i).Child("weight"), r.weight, "must be 1"))
		}
	}
	path = field.NewPath("shape")
	switch {
	case s.strategy == RequestedToCapacityRatio:
		errs = append(errs, validateShape(shape, path)...)
	case len(shape) > 0:
		errs = append(errs, field.Forbidden(path, "must be nil when type is not RequestedToCapacityRatio"))
	}
	return errs
}

func validateShape(shape []UtilizationShapePoint, path *field.Path) (errs field.ErrorList) {
	if len(shape) == 0 {
		return field.ErrorList{field.Required(path, "at least one point must be specified")}
	}
	for i := 1; i < len(shape); i++ {
		if shape[i-1].Utilization >= shape[i].Utilization {
			errs = append(errs, field.Invalid(path.Index(i).Child("utilization"), shape[i].Utilization,
				"values must be sorted in increasing order"))
			break
		}
	}
	for i, p := range shape {
		if p.Utilization < 0 || p.Utilization > 100 {
			errs = append(errs, field.Invalid(path.Index(i).Child("utilization"), p.Utilization, "not in valid range [0, 100]"))
		}
		if p.Score < 0 || p.Score > maxShapeScore {
			errs = append(errs, field.Invalid(path.Index(i).Child("score"), p.Score, "not in valid range [0, 10]"))
		}
	}
	return errs
}

// shapeScore returns the score of a utilization, up to maxScore.
func shapeScore(shape []UtilizationShapePoint, utilization int32) int64 {
	const scale = maxScore / maxShapeScore
	for i, p := range shape {
		switch {
		case utilization > p.Utilization:
		case i == 0:
			return int64(p.Score) * scale
		default:
			before := shape[i-1]
			rise := (p.Score - before.Score) * scale
			return int64(before.Score*scale + rise*(utilization-before.Utilization)/(p.Utilization-before.Utilization))
		}
	}
	return int64(shape[len(shape)-1].Score) * scale
}

func (s *Scorer) len() int {
	if len(s.resources) == 0 {
		return scored
	}
	return len(s.resources)
}

func (s *Scorer) at(i int) weightedColumn {
	if len(s.resources) == 0 {
		return weightedColumn{resourceColumn{nameOf(i), i, true}, 1}
	}
	return s.resources[i]
}
