package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/quota/admit"
)

// remedy is an advice: what is applied instead.
type remedy struct {
	what   string
	object admit.APIObject
	quotas []*corev1.ResourceQuota
}

// remedies returns all advices about the object of a step.
func (t *told) remedies(object admit.APIObject, objects []admit.APIObject) (all []remedy) {
	o := &t.Objects[0]
	add := func(what string, set func(admit.APIObject)) {
		fixed := object.DeepCopyObject().(admit.APIObject)
		set(fixed)
		all = append(all, remedy{what: what, object: fixed})
	}
	if len(o.Fix) > 0 {
		add("amounts", func(fixed admit.APIObject) {
			for _, c := range o.Fix {
				spec := podSpecOf(fixed)
				i := slices.IndexFunc(spec.Containers, func(own corev1.Container) bool { return strings.HasSuffix(c.Container, " "+own.Name) })
				list := &spec.Containers[i].Resources.Requests
				if c.List == "limit" {
					list = &spec.Containers[i].Resources.Limits
				}
				if *list == nil {
					*list = corev1.ResourceList{}
				}
				(*list)[corev1.ResourceName(c.Resource)] = resource.MustParse(c.To)
			}
		})
	}
	r := o.Remedies
	if r == nil {
		return all
	}
	if r.Strategy != nil {
		add("strategy", func(fixed admit.APIObject) { fixed.(*appsv1.Deployment).Spec.Strategy = *r.Strategy })
	}
	if r.Replicas > 0 {
		add("replicas", func(fixed admit.APIObject) {
			switch w := fixed.(type) {
			case *appsv1.Deployment:
				w.Spec.Replicas = &r.Replicas
			case *appsv1.StatefulSet:
				w.Spec.Replicas = &r.Replicas
			}
		})
	}
	if len(r.Quotas) > 0 {
		add("quota", func(admit.APIObject) {})
		for _, raise := range r.Quotas {
			for _, stored := range objects {
				if q, is := stored.(*corev1.ResourceQuota); is && q.Name == raise.Name && q.Namespace == object.GetNamespace() {
					own := &corev1.ResourceQuota{ObjectMeta: q.ObjectMeta, Spec: *q.Spec.DeepCopy()}
					own.ResourceVersion, own.UID = "", ""
					for name, hard := range raise.Hard {
						own.Spec.Hard[name] = hard
					}
					all[len(all)-1].quotas = append(all[len(all)-1].quotas, own)
				}
			}
		}
	}
	return all
}

func podSpecOf(o admit.APIObject) *corev1.PodSpec {
	switch w := o.(type) {
	case *appsv1.Deployment:
		return &w.Spec.Template.Spec
	case *appsv1.StatefulSet:
		return &w.Spec.Template.Spec
	case *appsv1.DaemonSet:
		return &w.Spec.Template.Spec
	case *batchv1.Job:
		return &w.Spec.Template.Spec
	case *appsv1.ReplicaSet:
		return &w.Spec.Template.Spec
	case *corev1.ReplicationController:
		return &w.Spec.Template.Spec
	case *corev1.Pod:
		return &w.Spec
	}
	return nil
}

// advised applies one of the advices about a step instead of it, if there are some, and returns what has not become true of it: all pods
// are created, of the new template, and none is left over.
func (w *world) advised(ctx context.Context, p *program, number int, d *drawing, objects []admit.APIObject, step change, c *counts) (after []admit.APIObject, difference string, err error) {
	t, err := p.diff(ctx, number, objects, whole, step.object)
	if err != nil {
		return nil, "", err
	}
	all := t.remedies(step.object, objects)
	if len(all) == 0 {
		if r := t.Objects[0].Remedies; r != nil && r.None {
			c.hopeless++
		}
		return nil, "", nil
	}
	chosen := all[d.IntN(len(all))]
	for _, q := range chosen.quotas {
		if err := w.apply(ctx, q); err != nil {
			return nil, "", fmt.Errorf("raising a quota: %w", err)
		}
		d.quota = q
	}
	if len(chosen.quotas) > 0 { // the server enforces limits once the quota's status has them
		if _, err := w.settle(ctx); err != nil {
			return nil, "", err
		}
	}
	what := func(text string) string { return fmt.Sprintf("advice %q: %s\n%s", chosen.what, text, t.text) }
	if refused := w.apply(ctx, chosen.object); refused != nil {
		return objects, what(refused.Error()), nil
	}
	d.replace(chosen.object)
	after, err = w.settle(ctx)
	if err != nil {
		return nil, "", err
	}
	for _, o := range after {
		if kindOf(o) == kindOf(chosen.object) && o.GetName() == chosen.object.GetName() && o.GetNamespace() == chosen.object.GetNamespace() {
			if text := incomplete(o); text != "" {
				return after, what(text), nil
			}
		}
	}
	if c.advices == nil {
		c.advices = map[string]int{}
	}
	c.advices[chosen.what]++
	return after, "", nil
}

// incomplete says which pods a workload lacks or has left.
func incomplete(o admit.APIObject) string {
	says := func(what string, got, want int32) string {
		if got == want {
			return ""
		}
		return what + ": " + strconv.Itoa(int(got)) + " pods of " + strconv.Itoa(int(want))
	}
	switch s := o.(type) {
	case *appsv1.Deployment:
		return says("present template", s.Status.UpdatedReplicas, *s.Spec.Replicas) + says("all", s.Status.Replicas, *s.Spec.Replicas)
	case *appsv1.StatefulSet:
		return says("all", s.Status.Replicas, *s.Spec.Replicas)
	case *appsv1.DaemonSet:
		return says("scheduled", s.Status.CurrentNumberScheduled, s.Status.DesiredNumberScheduled) + says("present template", s.Status.UpdatedNumberScheduled, s.Status.DesiredNumberScheduled)
	case *batchv1.Job:
		return says("active", s.Status.Active, *s.Spec.Parallelism)
	}
	return ""
}
