package controllers

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
)

func (p *Pod) hasEnded() bool { return podwalk.HasEnded(p.Object) }

// isPending reports whether a pod waits for its node or its images. A pod that was not read has no phase.
func (p *Pod) isPending() bool {
	return !p.IsReady && (p.Object.Status.Phase == corev1.PodPending || p.Object.Status.Phase == "")
}

func (p *Pod) isTerminating() bool { return p.Object.DeletionTimestamp != nil }

// isToUpdate reports whether a pod is of a former template, and not being deleted yet.
func (p *Pod) isToUpdate() bool { return p.IsOutdated && !p.isTerminating() }

// isUnavailable reports whether a pod is missing, not ready, or being deleted.
func isUnavailable(p *Pod) bool { return p == nil || !p.IsReady || p.isTerminating() }
