package hook_test

import (
	"cmp"
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

func TestOrder(t *testing.T) {
	of := func(name, key, weight string) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: map[string]string{key: weight}}}
	}
	const helm, argoCD = "helm.sh/hook-weight", "argocd.argoproj.io/sync-wave"
	sorted := []*corev1.Pod{of("y", helm, "-5"), of("x", argoCD, " -4"), of("a", helm, "many"), of("b", "", ""), of("a", argoCD, "1")}
	for i, a := range sorted {
		for j, b := range sorted {
			testkit.Equal(t, hook.OrderOf(a).Compare(hook.OrderOf(b)), cmp.Compare(i, j), "order of", i, j)
		}
	}
}

func TestEnd(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{"helm.sh/hook-delete-policy": "before-hook-creation,hook-succeeded"}}}
	if !hook.IsDeleted(pod) || !hook.Ends(pod) {
		t.Error(hook.IsDeleted(pod), hook.Ends(pod))
	}
	if claim := (&corev1.PersistentVolumeClaim{}); hook.IsDeleted(claim) || hook.Ends(claim) {
		t.Error("a claim ends")
	}
}
