// Package transformers exports what is internal to the packages of Tekton. Go lets a package import another one's
// internal packages by its import path alone, so that this module has the path of a directory of Tekton.
package transformers

import (
	"github.com/tektoncd/pipeline/pkg/internal/affinityassistant"
	"github.com/tektoncd/pipeline/pkg/internal/computeresources"
	"github.com/tektoncd/pipeline/pkg/internal/computeresources/limitrange"
	"github.com/tektoncd/pipeline/pkg/internal/defaultresourcerequirements"
)

// The transformers of a pod, in the order of createPod, and the LimitRange that the second of them uses.
var (
	DefaultResourceRequirements = defaultresourcerequirements.NewTransformer
	ComputeResources            = computeresources.NewTransformer
	AffinityAssistant           = affinityassistant.NewTransformer

	VirtualLimitRange = limitrange.GetVirtualLimitRange
)
