package whatif

import (
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/controllers"
)

// syncJob carries out what the controller of a Job does next.
func (d *draft) syncJob(namespace string, it *item, job *batchv1.Job) {
	pods := d.allSeen(d.podsOf(namespace, it.pods), it)
	for _, object := range it.uncounted {
		pods = append(pods, controllers.Pod{Object: object})
	}
	step := controllers.Job(job, pods)
	for _, p := range step.Delete {
		d.removeNamed(namespace, p.Object.Name)
	}
	it.uncounted = nil // what the controller deletes counts already, or never
	for _, p := range step.Waiting {
		it.uncounted = append(it.uncounted, p.Object)
	}
	for _, meta := range step.Create {
		p := podFrom(&job.Spec.Template, it, namespace)
		p.Labels, p.Annotations, p.Finalizers = meta.Labels, meta.Annotations, meta.Finalizers
		if !d.createNumbered(namespace, it, p) {
			break
		}
	}
	step.Status.Active = int32(len(it.pods))
	if !equality.Semantic.DeepEqual(step.Status, job.Status) {
		own := *job
		own.Status, it.object = step.Status, &own
	} else if len(step.Create)+len(step.Delete) == 0 {
		return
	}
	if it.missing == nil {
		d.lookAgain(namespace, it.key)
	}
}

// noteLost notes that a pod of a Job is gone. If its controller has not counted it, it has failed.
func (d *draft) noteLost(p *pod) {
	owner := d.item(p.Namespace, p.owner)
	if p.ended || owner == nil || owner.kind != "Job" {
		return
	}
	failed, isActive := *p.Object, p.Object.DeletionTimestamp == nil
	failed.Status.Phase = corev1.PodFailed
	if isActive && !slices.Contains(failed.Finalizers, batchv1.JobTrackingFinalizer) {
		failed.Finalizers = append(slices.Clip(failed.Finalizers), batchv1.JobTrackingFinalizer)
	}
	others := slices.DeleteFunc(slices.Clone(owner.uncounted), func(o *corev1.Pod) bool { return o == p.Object })
	owner.uncounted = append(others, &failed)
}

// unknownOfJob returns the fields of the Job of a pod that its controller reads and that are not considered.
func (c *Cluster) unknownOfJob(p *pod) (fields []string) {
	job := objectOf[*batchv1.Job](c, p.Namespace, p.owner)
	if job == nil {
		return nil
	}
	for _, field := range []struct {
		name  string
		isSet bool
	}{
		{"activeDeadlineSeconds", job.Spec.ActiveDeadlineSeconds != nil},
		{"podFailurePolicy", job.Spec.PodFailurePolicy != nil}, {"successPolicy", job.Spec.SuccessPolicy != nil},
	} {
		if field.isSet {
			fields = append(fields, "Job spec."+field.name)
		}
	}
	return fields
}

// syncCronJob carries out what the controller of a CronJob does next. A run that it forbids or suspends is made up for.
func (d *draft) syncCronJob(namespace string, it *item, object *batchv1.CronJob) {
	var jobs []*batchv1.Job
	for _, k := range slices.SortedFunc(slices.Values(it.owned), key.compare) {
		if job := objectOf[*batchv1.Job](d.Cluster, namespace, k); job != nil {
			jobs = append(jobs, job)
		}
	}
	step := controllers.CronJob(object, jobs, it.runs)
	for _, job := range step.Delete {
		d.deleteItem(namespace, key{"Job", job.Name})
	}
	if step.Create {
		job := d.createJob(namespace, it, &object.Spec.JobTemplate)
		it.runs = job == nil
		if job != nil {
			step.Active = append(step.Active, corev1.ObjectReference{Kind: "Job", APIVersion: "batch/v1",
				Namespace: namespace, Name: job.name, UID: job.object.GetUID()})
		}
	}
	own := *object
	own.Status.Active, it.object = step.Active, &own
}

// createJob creates a Job of a CronJob, nil if it is not admitted.
func (d *draft) createJob(namespace string, it *item, template *batchv1.JobTemplateSpec) (created *item) {
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Labels: template.Labels,
		Annotations: template.Annotations, OwnerReferences: controllerRef(it)}, Spec: template.Spec}
	d.draw(namespace, it, job, func() bool {
		created = d.createItem(d.space(namespace), it, job)
		return created != nil
	})
	return created
}
