package admit_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// A pod that tolerates everything gets no further tolerations.
func TestDefaultTolerations(t *testing.T) {
	const notReady, unreachable = "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"
	for _, test := range []struct {
		name  string
		own   corev1.Toleration
		added []string
	}{
		{"of every taint", corev1.Toleration{}, nil},
		{"of every taint that evicts", corev1.Toleration{Effect: corev1.TaintEffectNoExecute}, nil},
		{"of every taint that keeps pods away", corev1.Toleration{Effect: corev1.TaintEffectNoSchedule}, []string{notReady, unreachable}},
		{"of every effect of a taint", corev1.Toleration{Key: notReady}, []string{unreachable}},
		{"of a taint", corev1.Toleration{Key: unreachable, Effect: corev1.TaintEffectNoExecute}, []string{notReady}},
		{"of another effect", corev1.Toleration{Key: notReady, Effect: corev1.TaintEffectNoSchedule}, []string{notReady, unreachable}},
		{"of another taint", corev1.Toleration{Key: "dedicated", Effect: corev1.TaintEffectNoExecute}, []string{notReady, unreachable}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.own.Operator = corev1.TolerationOpExists
			p := pod(testkit.Container("app", nil, nil))
			p.Spec.Tolerations = []corev1.Toleration{test.own}
			all := compile(t, nil, nil, admit.Options{}).Create(p, admit.Attributes{}).Object.(*corev1.Pod).Spec.Tolerations
			var added []string
			for _, toleration := range all[1:] {
				added = append(added, toleration.Key)
			}
			testkit.NoDiff(t, added, test.added)
		})
	}
}
