package taints_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/taints"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestTolerated(t *testing.T) {
	taint := corev1.Taint{Key: "gpu", Value: "a100", Effect: corev1.TaintEffectNoSchedule}
	for name, test := range map[string]struct {
		toleration corev1.Toleration
		want       bool
	}{
		"the zero toleration":       {corev1.Toleration{}, false},
		"of everything":             {corev1.Toleration{Operator: "Exists"}, true},
		"of everything and a value": {corev1.Toleration{Operator: "Exists", Value: "h100"}, true},
		"of the key":                {corev1.Toleration{Key: "gpu", Operator: "Exists"}, true},
		"of another key":            {corev1.Toleration{Key: "cpu", Operator: "Exists"}, false},
		"of the value by default":   {corev1.Toleration{Key: "gpu", Value: "a100"}, true},
		"of the value of any key":   {corev1.Toleration{Operator: "Equal", Value: "a100"}, true},
		"of another value":          {corev1.Toleration{Key: "gpu", Operator: "Equal", Value: "h100"}, false},
		"of the effect":             {corev1.Toleration{Operator: "Exists", Effect: corev1.TaintEffectNoSchedule}, true},
		"of another effect":         {corev1.Toleration{Operator: "Exists", Effect: corev1.TaintEffectNoExecute}, false},
		"greater, which is off":     {corev1.Toleration{Key: "gpu", Operator: "Gt", Value: "a100"}, false},
		"an unknown operator":       {corev1.Toleration{Key: "gpu", Operator: "x", Value: "a100"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			tolerations := []corev1.Toleration{{Key: "other"}, {Key: "gpu", Value: "v100"}, test.toleration}
			testkit.Equal(t, taints.Tolerated(&taint, tolerations), test.want, "tolerated")
			all := []corev1.Taint{{Key: "other", Effect: corev1.TaintEffectNoExecute}, taint}
			if got := taints.Untolerated(all, tolerations, corev1.TaintEffectNoSchedule); got == test.want {
				t.Errorf("untolerated: %v, want %v", got, !test.want)
			}
			if taints.Untolerated(all, tolerations, corev1.TaintEffectNoExecute) {
				t.Error("a toleration without an effect does not tolerate each of them")
			}
			if taints.Untolerated(all, tolerations, corev1.TaintEffectPreferNoSchedule) {
				t.Error("there is no taint with this effect")
			}
		})
	}
}

func TestIsCordonTolerated(t *testing.T) {
	cordon := corev1.Toleration{Key: "node.kubernetes.io/unschedulable", Effect: corev1.TaintEffectNoSchedule}
	if !taints.IsCordonTolerated([]corev1.Toleration{cordon}) {
		t.Error("the cordon is not tolerated")
	}
	cordon.Value = "true"
	if taints.IsCordonTolerated([]corev1.Toleration{cordon}) {
		t.Error("the cordon has no value, and is tolerated")
	}
}

func TestAvoided(t *testing.T) {
	all := []corev1.Taint{
		{Key: "a", Effect: corev1.TaintEffectPreferNoSchedule}, {Key: "b", Effect: corev1.TaintEffectNoSchedule},
		{Key: "c", Effect: corev1.TaintEffectPreferNoSchedule}, {Key: "d", Effect: corev1.TaintEffectPreferNoSchedule},
	}
	for effect, want := range map[corev1.TaintEffect]int{"": 2, corev1.TaintEffectPreferNoSchedule: 2, corev1.TaintEffectNoSchedule: 3} {
		testkit.Equal(t, taints.Avoided(all, []corev1.Toleration{{Key: "c", Operator: "Exists", Effect: effect}}), want, "a toleration of", effect)
	}
}
