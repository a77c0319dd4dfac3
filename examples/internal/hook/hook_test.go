package hook_test

import (
	"cmp"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
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
		{"helm.sh/hook", "pre-upgrade", "", hook.Before}, {"helm.sh/hook", "post-install", "", hook.After}, {"helm.sh/hook", "test-failure", "", hook.Never},
		{"helm.sh/hook", "pre-rollback", "", hook.Never}, {"helm.sh/hook", "post-rollback", "", hook.Never}, {"helm.sh/hook", "post-delete", "", hook.Never},
		{"helm.sh/hook", "test,crd-install", "", hook.Main}, {"helm.sh/hook", "post-upgrade,some-day", "", hook.Main}, {"helm.sh/hook", "test,post-install,pre-install", "", hook.Before},
		{"argocd.argoproj.io/hook", "Skip", "", hook.Never}, {"argocd.argoproj.io/hook", "PreDelete", "", hook.Never}, {"argocd.argoproj.io/hook", "PostDelete", "", hook.Never},
		{"argocd.argoproj.io/hook", "PostSync,Sync", "", hook.Main}, {"argocd.argoproj.io/hook", "PostSync", "u1", hook.Main},
		{"argocd.argoproj.io/hook", "PreSync", "", hook.Before},
		{"argocd.argoproj.io/hook", "Sync", "", hook.Main},
		{"argocd.argoproj.io/hook", "PostSync", "", hook.After},
		{"argocd.argoproj.io/hook", "SyncFail", "", hook.Never},
	} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: test.uid, Annotations: map[string]string{test.key: test.events}}}
		testkit.Equal(t, hook.PhaseOf(pod), test.want, test.key, test.events)
	}
	// Argo CD reads the annotation of Helm if there is none of its own.
	both := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{"helm.sh/hook": "pre-install", "argocd.argoproj.io/hook": "PostSync"}}}
	testkit.Equal(t, hook.PhaseOf(both), hook.After, "of both")
}

func TestOrder(t *testing.T) {
	of := func(name, key, weight string) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: map[string]string{key: weight}}}
	}
	const helm, argoCD = "helm.sh/hook-weight", "argocd.argoproj.io/sync-wave"
	both := of("z", helm, "2")
	both.Annotations[argoCD] = "-9"
	sorted := []*corev1.Pod{of("y", helm, "-5"), of("x", argoCD, " -4"), of("a", helm, "many"), of("b", "", ""), of("a", argoCD, "1"), both}
	for i, a := range sorted {
		for j, b := range sorted {
			testkit.Equal(t, hook.OrderOf(a).Compare(hook.OrderOf(b)), cmp.Compare(i, j), "order of", i, j)
		}
	}
}

func TestEnd(t *testing.T) {
	const helm, argoCD = "helm.sh/hook-delete-policy", "argocd.argoproj.io/hook-delete-policy"
	for _, test := range []struct {
		key, policy string
		want        bool
	}{
		{helm, "before-hook-creation,hook-succeeded", true}, {helm, "before-hook-creation", false}, {helm, "hook-failed", false}, {"", "hook-succeeded", false},
		{argoCD, "HookSucceeded", true}, {argoCD, "BeforeHookCreation", false}, {argoCD, "HookFailed,HookSucceeded", true},
	} {
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{test.key: test.policy}}}
		testkit.Equal(t, hook.IsDeleted(claim), test.want, test.key, test.policy)
	}
	for object, want := range map[metav1.Object]bool{&corev1.Pod{}: true, &batchv1.Job{}: true, &batchv1.CronJob{}: false, &corev1.PersistentVolumeClaim{}: false} {
		testkit.Equal(t, hook.Ends(object), want, object)
	}
}
