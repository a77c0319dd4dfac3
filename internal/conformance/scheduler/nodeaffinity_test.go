package scheduler

import (
	"context"
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corehelpers "k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	upstream "k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeaffinity"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/nodeaffinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

func affinityRequirement(t *rapid.T, key string) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{
		Key:      key,
		Operator: spreadOneOf(t, "operator", corev1.NodeSelectorOpIn, corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn, "Exists", "DoesNotExist", "Gt", "Lt", "Like"),
		Values:   rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "5", "x y", ""}), 0, 2).Draw(t, "values"),
	}
}

func affinityTerm(t *rapid.T) (term corev1.NodeSelectorTerm) {
	for range spreadOneOf(t, "expressions", 0, 1, 1, 2) {
		term.MatchExpressions = append(term.MatchExpressions, affinityRequirement(t, spreadOneOf(t, "key", "zone", "cores", "zone", "bad key")))
	}
	for range spreadOneOf(t, "fields", 0, 0, 1, 2) {
		term.MatchFields = append(term.MatchFields, affinityRequirement(t, spreadOneOf(t, "field", "metadata.name", "metadata.name", "metadata.name", "spec.x")))
	}
	return term
}

func affinitySubject(t *rapid.T) *corev1.Pod {
	pod := &corev1.Pod{}
	pod.Spec.NodeSelector = spreadOneOf(t, "nodeSelector", nil, nil, map[string]string{}, map[string]string{"zone": "a"}, map[string]string{"cores": "x y"})
	if spreadOneOf(t, "has no affinity", true, false, false, false) {
		return pod
	}
	affinity := &corev1.NodeAffinity{}
	pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: affinity}
	if spreadOneOf(t, "is required", true, true, false) {
		affinity.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{}
		for range rapid.IntRange(0, 3).Draw(t, "terms") {
			affinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms = append(affinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms, affinityTerm(t))
		}
	}
	if spreadOneOf(t, "is preferred", true, false) {
		affinity.PreferredDuringSchedulingIgnoredDuringExecution = []corev1.PreferredSchedulingTerm{}
		for range rapid.IntRange(0, 3).Draw(t, "terms") {
			term := corev1.PreferredSchedulingTerm{Weight: spreadOneOf[int32](t, "weight", 0, 1, 5, 100), Preference: affinityTerm(t)}
			affinity.PreferredDuringSchedulingIgnoredDuringExecution = append(affinity.PreferredDuringSchedulingIgnoredDuringExecution, term)
		}
	}
	return pod
}

// Which nodes match, which are named, and which are preferred are those of the plugin NodeAffinity.
func TestNodeAffinity(t *testing.T) {
	ctx := context.Background()
	made, err := upstream.New(ctx, &config.NodeAffinityArgs{}, nil, oracle.SchedulerFeatures())
	testkit.OK(t, err)
	plugin := made.(*upstream.NodeAffinity)
	rapid.Check(t, func(t *rapid.T) {
		pod := affinitySubject(t)
		var infos []fwk.NodeInfo
		for range rapid.IntRange(1, 4).Draw(t, "nodes") {
			node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: spreadOneOf(t, "name", "a", "b", "5", "")}}
			node.Labels = spreadLabels(t, map[string][]string{"zone": {"a", "b", "-"}, "cores": {"4", "5", "6", "x y", "many", "-"}}, "zone", "cores")
			info := framework.NewNodeInfo()
			info.SetNode(node)
			infos = append(infos, info)
		}
		state := framework.NewCycleState()
		result, status := plugin.PreFilter(ctx, state, pod, infos)
		names, areNamed := nodeaffinity.NamedNodes(&pod.Spec)
		switch {
		case status.Message() != "":
			testkit.Equal(t, fmt.Sprint(len(names), areNamed), "0 true", status.Message())
		case result.AllNodes():
			testkit.Equal(t, areNamed, false, "are named")
		default:
			testkit.Equal(t, fmt.Sprint(names, areNamed), fmt.Sprint(slices.Sorted(slices.Values(result.NodeNames.UnsortedList())), true))
		}
		required := nodeaffinity.RequiredOf(&pod.Spec)
		preferred, err := nodeaffinity.PreferredOf(&pod.Spec)
		scored := plugin.PreScore(ctx, state, pod, infos)
		switch {
		case err != nil:
			testkit.Equal(t, scored.AsError().Error(), err.Error())
		default:
			testkit.Equal(t, preferred == nil, scored.IsSkip(), "nothing is preferred")
		}
		for _, info := range infos {
			node := info.Node()
			testkit.Equal(t, required.Matches(node), plugin.Filter(ctx, state, pod, info).IsSuccess(), node.Name)
			if err == nil {
				score, status := plugin.Score(ctx, state, pod, info)
				testkit.Equal(t, fmt.Sprint(preferred.Score(node), true), fmt.Sprint(score, status.IsSuccess()), node.Name)
			}
			if a := pod.Spec.Affinity; a != nil && a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution != nil {
				selector := a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
				own := nodeaffinity.SelectorOf(selector)
				matches, _ := corehelpers.NewLazyErrorNodeSelector(selector).Match(node)
				testkit.Equal(t, own.Matches(node), matches, node.Name)
			}
		}
	})
}
