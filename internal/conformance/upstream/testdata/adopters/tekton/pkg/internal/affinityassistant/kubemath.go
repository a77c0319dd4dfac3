package affinityassistant

import (
	"context"

	"github.com/tektoncd/pipeline/pkg/apis/config"
	"github.com/tektoncd/pipeline/pkg/pod"
	"github.com/tektoncd/pipeline/pkg/workspace"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity"
)

func GetAffinityAssistantBehavior(ctx context.Context) (AffinityAssistantBehavior, error) {
	behavior, err := affinity.BehaviorOf(config.FromContextOrDefaults(ctx).FeatureFlags.Coschedule)
	return map[affinity.Behavior]AffinityAssistantBehavior{
		affinity.PerWorkspace:   AffinityAssistantPerWorkspace,
		affinity.PerRun:         AffinityAssistantPerPipelineRun,
		affinity.PerRunIsolated: AffinityAssistantPerPipelineRunWithIsolation,
		affinity.Disabled:       AffinityAssistantDisabled,
	}[behavior], err
}

func NewTransformer(_ context.Context, annotations map[string]string) pod.Transformer {
	return func(p *corev1.Pod) (*corev1.Pod, error) {
		p.Spec.Affinity = affinity.TaskAffinity(p.Spec.Affinity, annotations[workspace.AnnotationAffinityAssistantName])
		return p, nil
	}
}
