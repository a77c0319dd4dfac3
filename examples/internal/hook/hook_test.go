package hook_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/examples/internal/hook"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestPhaseOf(t *testing.T) {
	for _, test := range []struct {
		key, events string
		uid         types.UID
		want        hook.Phase
	}{
		{"", "", "", hook.Main},
		{"helm.sh/hook", "test", "", hook.Never},
		{"helm.sh/hook", "test-success", "", hook.Never},
		{"helm.sh/hook", "pre-delete,post-delete", "", hook.Never},
		{"helm.sh/hook", "pre-install", "", hook.Before},
		{"helm.sh/hook", "post-upgrade, pre-upgrade", "", hook.Before},
		{"helm.sh/hook", "post-install,post-rollback", "", hook.After},
		{"helm.sh/hook", "crd-install", "", hook.Main},
		{"helm.sh/hook", "some-day", "", hook.Main},
		{"helm.sh/hook", "pre-install", "u1", hook.Main},
		{"argocd.argoproj.io/hook", "PreSync", "", hook.Before},
		{"argocd.argoproj.io/hook", "Sync", "", hook.Main},
		{"argocd.argoproj.io/hook", "PostSync", "", hook.After},
		{"argocd.argoproj.io/hook", "SyncFail", "", hook.Never},
	} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: test.uid, Annotations: map[string]string{test.key: test.events}}}
		testkit.Equal(t, hook.PhaseOf(pod), test.want, test.key, test.events)
	}
}

func TestWeightAndPolicy(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{"helm.sh/hook-weight": "-5", "helm.sh/hook-delete-policy": "before-hook-creation,hook-succeeded"}}}
	if hook.Weight(pod) != -5 || !hook.IsDeleted(pod) || !hook.Ends(pod) {
		t.Error(hook.Weight(pod), hook.IsDeleted(pod), hook.Ends(pod))
	}
	if claim := (&corev1.PersistentVolumeClaim{}); hook.Weight(claim) != 0 || hook.IsDeleted(claim) || hook.Ends(claim) {
		t.Error("a claim ends")
	}
}
