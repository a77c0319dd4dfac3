package pipelinerun

import (
	"context"
	"fmt"
	"slices"

	"github.com/tektoncd/pipeline/pkg/apis/config"
	"github.com/tektoncd/pipeline/pkg/apis/pipeline/pod"
	v1 "github.com/tektoncd/pipeline/pkg/apis/pipeline/v1"
	aa "github.com/tektoncd/pipeline/pkg/internal/affinityassistant"
	pipelinePod "github.com/tektoncd/pipeline/pkg/pod"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	errorutils "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/sets"
	"knative.dev/pkg/kmeta"

	"github.com/kubemath/kubemath/affinity"
)

var behaviors = map[aa.AffinityAssistantBehavior]affinity.Behavior{
	aa.AffinityAssistantPerWorkspace:                affinity.PerWorkspace,
	aa.AffinityAssistantPerPipelineRun:              affinity.PerRun,
	aa.AffinityAssistantPerPipelineRunWithIsolation: affinity.PerRunIsolated,
	aa.AffinityAssistantDisabled:                    affinity.Disabled,
}

func runOf(pr *v1.PipelineRun) *affinity.Run {
	run := &affinity.Run{Name: pr.Name, Namespace: pr.Namespace, UID: pr.UID, Labels: pr.Labels}
	for _, w := range pr.Spec.Workspaces {
		workspace := affinity.Workspace{Name: w.Name, ClaimTemplate: w.VolumeClaimTemplate}
		if w.PersistentVolumeClaim != nil {
			workspace.ClaimName, workspace.ClaimTemplate = w.PersistentVolumeClaim.ClaimName, nil
		}
		run.Workspaces = append(run.Workspaces, workspace)
	}
	if template := pr.Spec.TaskRunTemplate.PodTemplate; template != nil {
		run.PodTemplate.Affinity = template.Affinity
	}
	return run
}

func (c *Reconciler) createOrUpdateAffinityAssistantsAndPVCs(ctx context.Context, pr *v1.PipelineRun, behavior aa.AffinityAssistantBehavior) error {
	plan, err := affinity.PlanFor(runOf(pr), affinity.Options{Behavior: behaviors[behavior], Placeholder: affinity.Placeholder{Image: "any"}})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrAffinityAssistantCreationFailed, err)
	}
	for _, w := range pr.Spec.Workspaces {
		created := func(claim corev1.PersistentVolumeClaim) bool {
			return w.VolumeClaimTemplate != nil && claim.Name == affinity.Workspace{Name: w.Name, ClaimTemplate: w.VolumeClaimTemplate}.GeneratedClaimName(pr.UID, "")
		}
		if slices.ContainsFunc(plan.Claims, created) {
			if err := c.pvcHandler.CreatePVCFromVolumeClaimTemplate(ctx, w, *kmeta.NewControllerRef(pr), pr.Namespace); err != nil {
				return err
			}
		}
	}
	for _, set := range plan.StatefulSets {
		var claims []string
		for _, volume := range set.Spec.Template.Spec.Volumes {
			claims = append(claims, volume.PersistentVolumeClaim.ClaimName)
		}
		if err := c.createOrUpdateAffinityAssistant(ctx, set.Name, pr, set.Spec.VolumeClaimTemplates, claims, nil); err != nil {
			return fmt.Errorf("%w: %v", ErrAffinityAssistantCreationFailed, err)
		}
	}
	return nil
}

func (c *Reconciler) createOrUpdateAffinityAssistant(ctx context.Context, name string, pr *v1.PipelineRun, templates []corev1.PersistentVolumeClaim, claims []string, _ sets.Set[string]) []error {
	set, err := c.KubeClientSet.AppsV1().StatefulSets(pr.Namespace).Get(ctx, name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		err = c.createAffinityAssistant(ctx, name, pr, templates, claims)
		if err != nil {
			err = fmt.Errorf("failed to create StatefulSet %s: %w", name, err)
		}
	case err == nil && set.Status.ReadyReplicas == 1:
		err = c.deleteStrandedPlaceholder(ctx, name, pr.Namespace)
	}
	if err != nil {
		return []error{err}
	}
	return nil
}

func (c *Reconciler) createAffinityAssistant(ctx context.Context, name string, pr *v1.PipelineRun, templates []corev1.PersistentVolumeClaim, claims []string) error {
	behavior, err := aa.GetAffinityAssistantBehavior(ctx)
	if err != nil {
		return err
	}
	cfg := config.FromContextOrDefaults(ctx)
	container := aa.ContainerConfig{Image: c.Images.NopImage, SecurityContextConfig: pipelinePod.SecurityContextConfig{
		SetSecurityContext:        cfg.FeatureFlags.SetSecurityContext,
		SetReadOnlyRootFilesystem: cfg.FeatureFlags.SetSecurityContextReadOnlyRootFilesystem,
	}}
	set := affinityAssistantStatefulSet(behavior, name, pr, templates, claims, container, cfg.Defaults.DefaultAAPodTemplate)
	_, err = c.KubeClientSet.AppsV1().StatefulSets(pr.Namespace).Create(ctx, set, metav1.CreateOptions{})
	return err
}

func (c *Reconciler) deleteStrandedPlaceholder(ctx context.Context, name, namespace string) error {
	cordoned, err := c.KubeClientSet.CoreV1().Nodes().List(ctx, metav1.ListOptions{FieldSelector: "spec.unschedulable=true"})
	if err != nil {
		return err
	}
	placeholder, err := c.KubeClientSet.CoreV1().Pods(namespace).Get(ctx, name+"-0", metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil // interim
	}
	if err != nil {
		return err
	}
	var nodes []*corev1.Node
	for i := range cordoned.Items {
		nodes = append(nodes, &cordoned.Items[i])
	}
	for _, s := range affinity.Stranded([]*corev1.Pod{placeholder}, nodes, affinity.StrandedOptions{}) {
		return c.KubeClientSet.CoreV1().Pods(namespace).Delete(ctx, s.Pod.Name, metav1.DeleteOptions{})
	}
	return nil
}

func (c *Reconciler) cleanupAffinityAssistantsAndPVCs(ctx context.Context, pr *v1.PipelineRun) error {
	behavior, err := aa.GetAffinityAssistantBehavior(ctx)
	if err != nil {
		return err
	}
	var errs []error
	autoCleanup := pr.Annotations[AutoCleanupPVCAnnotation] == "true"
	sets, claims := affinity.Cleanup(runOf(pr), affinity.Options{Behavior: behaviors[behavior], AutoCleanup: autoCleanup})
	for _, name := range sets {
		if err := c.KubeClientSet.AppsV1().StatefulSets(pr.Namespace).Delete(ctx, name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			errs = append(errs, fmt.Errorf("failed to delete StatefulSet %s: %w", name, err))
		}
	}
	for _, name := range claims {
		if err := c.pvcHandler.PurgeFinalizerAndDeletePVCForWorkspace(ctx, name, pr.Namespace); err != nil {
			errs = append(errs, err)
		}
	}
	return errorutils.NewAggregate(errs)
}

func getPersistentVolumeClaimNameWithAffinityAssistant(_, prName string, wb v1.WorkspaceBinding, owner metav1.OwnerReference) string {
	return affinity.Workspace{Name: wb.Name, ClaimTemplate: wb.VolumeClaimTemplate}.GeneratedClaimName(owner.UID, prName)
}

func GetAffinityAssistantName(workspace, run string) string {
	return affinity.Workspace{Name: workspace}.AssistantName(run)
}

func sanitizeVolumeName(name string) string { return affinity.VolumeName(name) }

func affinityAssistantStatefulSet(behavior aa.AffinityAssistantBehavior, name string, pr *v1.PipelineRun, templates []corev1.PersistentVolumeClaim, claims []string, container aa.ContainerConfig, defaults *pod.AffinityAssistantTemplate) *appsv1.StatefulSet {
	run := runOf(pr)
	tpl := &pod.AffinityAssistantTemplate{}
	if pr.Spec.TaskRunTemplate.PodTemplate != nil || defaults != nil {
		tpl = pod.MergeAAPodTemplateWithDefault(pr.Spec.TaskRunTemplate.PodTemplate.ToAffinityAssistantTemplate(), defaults)
	}
	to := &run.PodTemplate
	to.NodeSelector, to.Tolerations, to.ImagePullSecrets, to.SecurityContext = tpl.NodeSelector, tpl.Tolerations, tpl.ImagePullSecrets, tpl.SecurityContext
	if tpl.PriorityClassName != nil {
		to.PriorityClassName = *tpl.PriorityClassName
	}
	to.ServiceAccountName = tpl.ServiceAccountName
	if to.ServiceAccountName == "" {
		to.ServiceAccountName = pr.Spec.TaskRunTemplate.ServiceAccountName
	}
	placeholder := affinity.Placeholder{Image: container.Image, Args: []string{"tekton_run_indefinitely"}}
	if container.SecurityContextConfig.SetSecurityContext {
		placeholder.SecurityContext = container.SecurityContextConfig.GetSecurityContext(tpl.NodeSelector[pipelinePod.OsSelectorLabel] == "windows")
	}
	var volumes []*corev1.PersistentVolumeClaim
	for i := range templates {
		templates[i].Name = affinity.VolumeName(templates[i].Name)
		volumes = append(volumes, &templates[i])
	}
	return affinity.StatefulSetFor(run, name, claims, volumes, affinity.Options{Behavior: behaviors[behavior], Placeholder: placeholder})
}

func getAssistantAffinityMergedWithPodTemplateAffinity(pr *v1.PipelineRun, behavior aa.AffinityAssistantBehavior) *corev1.Affinity {
	return affinity.PlaceholderAffinity(runOf(pr).PodTemplate.Affinity, behaviors[behavior])
}
