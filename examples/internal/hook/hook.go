// Package hook says when hooks of Helm and Argo CD run.
package hook

import (
	"cmp"
	"strconv"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Phase is when an object is created during an installation or upgrade.
type Phase int

const (
	Before Phase = iota - 1 // and everything else only if it succeeds
	Main                    // with all others, as an object without such annotations
	After
	Never // only for tests, a deletion or a rollback
)

const (
	helm   = "helm.sh/hook"
	argoCD = "argocd.argoproj.io/hook"
)

// phases has the events of both.
var phases = map[string]Phase{
	"pre-install": Before, "pre-upgrade": Before, "post-install": After, "post-upgrade": After, "crd-install": Main,
	"test": Never, "test-success": Never, "test-failure": Never, "pre-delete": Never, "post-delete": Never, "pre-rollback": Never, "post-rollback": Never,
	"PreSync": Before, "Sync": Main, "PostSync": After, "SyncFail": Never, "Skip": Never, "PreDelete": Never, "PostDelete": Never,
}

// PhaseOf returns when an object of a manifest is created: of several events, the earliest counts. One that a cluster has stored, which has a
// UID, is there already: Main. So is one of unknown events.
//
// Source: helm.sh/helm/v3/pkg/release (hook.go); argoproj/gitops-engine/pkg/sync/hook and sync/common.
func PhaseOf(object metav1.Object) Phase {
	events := object.GetAnnotations()[argoCD]
	if events == "" {
		events = object.GetAnnotations()[helm]
	}
	if events == "" || object.GetUID() != "" {
		return Main
	}
	first := Never
	for event := range strings.SplitSeq(events, ",") {
		phase, known := phases[strings.TrimSpace(event)]
		if !known {
			return Main
		}
		first = min(first, phase)
	}
	return first
}

// Order is that of the hooks of a phase: the one with the lowest weight first, then by name.
type Order struct {
	weight int
	name   string
}

// Compare compares two of them.
func (a Order) Compare(b Order) int {
	return cmp.Or(cmp.Compare(a.weight, b.weight), cmp.Compare(a.name, b.name))
}

// OrderOf returns the order of a hook.
//
// Source: hookByWeight of helm.sh/helm/v3/pkg/action; argoproj/gitops-engine/pkg/sync (syncTasks).
func OrderOf(object metav1.Object) Order {
	for _, name := range []string{"helm.sh/hook-weight", "argocd.argoproj.io/sync-wave"} {
		if n, err := strconv.Atoi(strings.TrimSpace(object.GetAnnotations()[name])); err == nil {
			return Order{n, object.GetName()}
		}
	}
	return Order{0, object.GetName()}
}

// Ends reports whether a hook, which is a Job or a Pod, ends before anything else is created.
func Ends(object metav1.Object) bool {
	switch object.(type) {
	case *batchv1.Job, *corev1.Pod:
		return true
	}
	return false
}

// IsDeleted reports whether a hook is deleted once it has succeeded. Otherwise it stays until it runs again.
func IsDeleted(object metav1.Object) bool {
	for _, name := range []string{"helm.sh/hook-delete-policy", "argocd.argoproj.io/hook-delete-policy"} {
		policy := object.GetAnnotations()[name]
		if strings.Contains(policy, "hook-succeeded") || strings.Contains(policy, "HookSucceeded") {
			return true
		}
	}
	return false
}
