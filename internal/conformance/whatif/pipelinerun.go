package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/conformance/controlplane"
)

// pipelineRuns is the path of PipelineRuns, which the server knows by a CustomResourceDefinition: the garbage collector deletes
// what has an owner only if the server knows its kind.
const pipelineRuns = "/apis/tekton.dev/v1/namespaces/ci/pipelineruns"

const (
	claims       = "/api/v1/namespaces/ci/persistentvolumeclaims"
	statefulSets = "/apis/apps/v1/namespaces/ci/statefulsets"
	podsOfRuns   = "/api/v1/namespaces/ci/pods"
)

// runs plays PipelineRuns that are deleted while they run.
type runs struct {
	*world
	number int
}

// playPipelineRuns creates what package affinity plans for a PipelineRun, deletes the run while a task has its claim, and looks
// which claims are left: with every behavior, as Tekton creates claims, and with the run as their owner.
func playPipelineRuns(ctx context.Context, quiet time.Duration, out io.Writer) (err error) {
	server, err := start(ctx, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	r := &runs{world: newWorld(server, quiet)}
	ctx, stop := context.WithTimeout(ctx, 10*time.Minute)
	defer stop()
	go r.playKubelet(ctx)
	if err := r.begin(ctx, server); err != nil {
		return err
	}
	for _, test := range []struct {
		what       string
		options    affinity.Options
		left, more int // claims that are left after the run is deleted, and of these after Cleanup
	}{
		{"one placeholder a workspace", affinity.Options{Behavior: affinity.PerWorkspace}, 0, 0},
		{"disabled", affinity.Options{Behavior: affinity.Disabled}, 0, 0},
		{"one placeholder a run, as Tekton creates it", affinity.Options{Behavior: affinity.PerRun}, 1, 0},
		{"one placeholder a run, isolated, as Tekton creates it", affinity.Options{Behavior: affinity.PerRunIsolated}, 1, 0},
		{"one placeholder a run, whose claims it owns", affinity.Options{Behavior: affinity.PerRun, LabelClaims: true}, 0, 0},
		{"one placeholder a run, isolated, whose claims it owns", affinity.Options{Behavior: affinity.PerRunIsolated, LabelClaims: true}, 0, 0},
	} {
		left, more, err := r.deleteWhileRunning(ctx, test.options)
		if err != nil {
			return fmt.Errorf("%s: %w", test.what, err)
		}
		fmt.Fprintf(out, "a PipelineRun is deleted while it runs, %s: %d of 1 claims left, and %d after Cleanup\n", test.what, left, more)
		if left != test.left || more != test.more {
			return fmt.Errorf("%s: want %d and %d claims", test.what, test.left, test.more)
		}
	}
	return nil
}

// begin creates a node, a namespace, and the kind PipelineRun.
func (r *runs) begin(ctx context.Context, server *controlplane.Server) error {
	definition := map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "pipelineruns.tekton.dev"},
		"spec": map[string]any{
			"group": "tekton.dev", "scope": "Namespaced",
			"names": map[string]any{"kind": "PipelineRun", "plural": "pipelineruns", "singular": "pipelinerun"},
			"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true, "schema": map[string]any{
				"openAPIV3Schema": map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true},
			}}},
		},
	}
	if err := server.Client.Create(ctx, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition, nil); err != nil {
		return err
	}
	many := corev1.ResourceList{"cpu": resource.MustParse("8"), "memory": resource.MustParse("32Gi"), "pods": resource.MustParse("110")}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "large"}, Status: corev1.NodeStatus{Capacity: many, Allocatable: many}}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "ci"}}
	if err := errors.Join(r.create(ctx, node), r.create(ctx, namespace)); err != nil {
		return err
	}
	return r.until(ctx, "the server knows PipelineRuns", func() (bool, error) {
		err := r.client.Get(ctx, pipelineRuns, &unstructured.UnstructuredList{})
		return err == nil, ignoreNotFound(err)
	})
}

// deleteWhileRunning creates a run and what is planned for it, deletes the run, and returns how many of its claims are left when
// its placeholder and its task are gone, and how many after those that Cleanup names are deleted, too.
func (r *runs) deleteWhileRunning(ctx context.Context, options affinity.Options) (left, afterCleanup int, err error) {
	r.number++
	run, plan, err := r.createRun(ctx, options)
	if err != nil {
		return 0, 0, err
	}
	claim := plan.Workspaces[0].Claim
	owner := metav1.OwnerReference{APIVersion: "tekton.dev/v1", Kind: "PipelineRun", Name: run.Name, UID: run.UID}
	task := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: run.Name + "-build-pod", Namespace: "ci", OwnerReferences: []metav1.OwnerReference{owner}}}
	task.Spec.NodeName = "large"
	task.Spec.Containers = []corev1.Container{{Name: "step-build", Image: "none"}}
	source := corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim}}
	task.Spec.Volumes = []corev1.Volume{{Name: "source", VolumeSource: source}}
	if err := r.client.Create(ctx, podsOfRuns, task, nil); err != nil {
		return 0, 0, err
	}
	if err := r.until(ctx, "the claim is there", func() (bool, error) { return r.exists(ctx, claims+"/"+claim, &corev1.PersistentVolumeClaim{}) }); err != nil {
		return 0, 0, err
	}
	if err := r.client.Delete(ctx, pipelineRuns+"/"+run.Name); err != nil {
		return 0, 0, err
	}
	gone := func() (bool, error) {
		var sets appsv1.StatefulSetList
		var pods corev1.PodList
		if err := errors.Join(r.client.Get(ctx, statefulSets, &sets), r.client.Get(ctx, podsOfRuns, &pods)); err != nil {
			return false, err
		}
		return len(sets.Items)+len(pods.Items) == 0, nil
	}
	if err := r.until(ctx, "the placeholder and the task are gone", gone); err != nil {
		return 0, 0, err
	}
	left, err = r.claimsLeft(ctx)
	if err != nil {
		return 0, 0, err
	}
	_, names := affinity.Cleanup(run, options)
	for _, name := range names {
		if err := ignoreNotFound(r.client.Delete(ctx, claims+"/"+name)); err != nil {
			return 0, 0, err
		}
	}
	afterCleanup, err = r.claimsLeft(ctx)
	return left, afterCleanup, err
}

// createRun creates a run with a claim from a template, and what is planned for it.
func (r *runs) createRun(ctx context.Context, options affinity.Options) (*affinity.Run, *affinity.Plan, error) {
	name := fmt.Sprint("run-", r.number)
	stored := &unstructured.Unstructured{}
	object := map[string]any{"apiVersion": "tekton.dev/v1", "kind": "PipelineRun", "metadata": map[string]any{"name": name}}
	if err := r.client.Create(ctx, pipelineRuns, object, stored); err != nil {
		return nil, nil, err
	}
	template := &corev1.PersistentVolumeClaim{}
	template.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
	template.Spec.Resources.Requests = corev1.ResourceList{"storage": resource.MustParse("1Gi")}
	run := &affinity.Run{
		Name: name, Namespace: "ci", UID: types.UID(stored.GetUID()),
		Workspaces: []affinity.Workspace{{Name: "source", ClaimTemplate: template}},
		Tasks:      []affinity.Task{{Name: "build", Workspaces: []string{"source"}}},
	}
	options.Placeholder.Image = "none"
	plan, err := affinity.PlanFor(run, options)
	if err != nil {
		return nil, nil, err
	}
	for i := range plan.Claims {
		if err := r.client.Create(ctx, claims, &plan.Claims[i], nil); err != nil {
			return nil, nil, err
		}
	}
	for i := range plan.StatefulSets {
		if err := r.client.Create(ctx, statefulSets, &plan.StatefulSets[i], nil); err != nil {
			return nil, nil, err
		}
	}
	return run, plan, nil
}

// claimsLeft returns how many claims there are when their number has not changed for a while.
func (r *runs) claimsLeft(ctx context.Context) (n int, err error) {
	var numbers []int
	err = r.until(ctx, "claims stay or go", func() (bool, error) {
		var list corev1.PersistentVolumeClaimList
		if err := r.client.Get(ctx, claims, &list); err != nil {
			return false, err
		}
		n = len(list.Items)
		numbers = append(numbers, n)
		last := numbers[max(0, len(numbers)-50):] // 5 seconds
		return n == 0 || len(last) == 50 && slices.Max(last) == slices.Min(last), nil
	})
	return n, err
}

func (r *runs) exists(ctx context.Context, path string, object any) (bool, error) {
	err := r.client.Get(ctx, path, object)
	return err == nil, ignoreNotFound(err)
}

// until asks every tenth of a second.
func (r *runs) until(ctx context.Context, what string, is func() (bool, error)) error {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if ok, err := is(); ok || err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("not within a minute: %s", what)
}

func ignoreNotFound(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
