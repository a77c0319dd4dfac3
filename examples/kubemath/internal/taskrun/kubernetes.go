package taskrun

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
)

// addLimitRange adds a LimitRange as the API server stores it, unless it would be rejected, so that it
// has no effect.
func (in *input) addLimitRange(m *manifest) {
	lr := &corev1.LimitRange{}
	lr.Namespace, lr.Name = m.namespace, m.name
	for _, n := range m.child("spec").child("limits").items() {
		lr.Spec.Limits = append(lr.Spec.Limits, limitrange.WithDefaults(corev1.LimitRangeItem{
			Type:                 corev1.LimitType(n.child("type").text()),
			Min:                  n.child("min").amounts(),
			Max:                  n.child("max").amounts(),
			Default:              n.child("default").amounts(),
			DefaultRequest:       n.child("defaultRequest").amounts(),
			MaxLimitRequestRatio: n.child("maxLimitRequestRatio").amounts(),
		}))
	}
	if !m.readable() {
		return
	}
	if errs := limitrange.ValidateObject(lr); len(errs) > 0 {
		in.reject(m.Place, errs)
		return
	}
	in.replaces("LimitRange", m)
	in.ranges = replace(in.ranges, lr)
}

// addQuota adds a ResourceQuota. Without a status it is new, and nothing of it is used.
func (in *input) addQuota(m *manifest) {
	q := &corev1.ResourceQuota{}
	q.Namespace, q.Name = m.namespace, m.name
	spec, status := m.child("spec"), m.child("status")
	m.readScopes(spec, &q.Spec)
	q.Spec.Hard = spec.child("hard").amounts()
	q.Status.Hard, q.Status.Used = status.child("hard").amounts(), status.child("used").amounts()
	if !m.readable() {
		return
	}
	if errs := quota.ValidateObject(nil, q); len(errs) > 0 {
		in.reject(m.Place, errs)
		return
	}
	if q.Status.Hard == nil {
		q.Status, _ = quota.CalculateUsage(nil, q) // there is no object to go wrong
	}
	in.replaces("ResourceQuota", m)
	in.quotas = replace(in.quotas, q)
}

// readScopes reads the scopes of a quota.
func (m *manifest) readScopes(spec node, into *corev1.ResourceQuotaSpec) {
	for _, n := range spec.child("scopes").items() {
		into.Scopes = append(into.Scopes, corev1.ResourceQuotaScope(n.text()))
	}
	selector := spec.child("scopeSelector")
	if selector.missing() {
		return
	}
	text, err := json.Marshal(selector.tree)
	if err == nil {
		err = json.Unmarshal(text, &into.ScopeSelector)
	}
	if err != nil {
		fault := objects.TypeFault(err)
		if fault.Field != "" {
			selector.path = selector.path.Child(fault.Field)
		}
		selector.fault("%s", fault.Text)
	}
}

// addPod adds a pod that exists, or is created without Tekton.
func (in *input) addPod(m *manifest) {
	spec := m.child("spec")
	pod := &corev1.PodSpec{
		InitContainers:    readContainers(spec.child("initContainers")),
		Containers:        readContainers(spec.child("containers")),
		Overhead:          spec.child("overhead").amounts(),
		PriorityClassName: spec.child("priorityClassName").text(),
	}
	if !spec.child("activeDeadlineSeconds").missing() {
		pod.ActiveDeadlineSeconds = new(int64) // any puts it into the scope Terminating
	}
	if whole := spec.child("resources"); !whole.missing() {
		r := whole.requirements()
		pod.Resources = &r
	}
	if !m.readable() {
		return
	}
	if len(pod.Containers) == 0 {
		in.reject(m.Place, field.ErrorList{field.Required(spec.path.Child("containers"), "")})
		return
	}
	in.runs = append(in.runs, &taskRun{Place: m.Place, objectName: m.objectName, title: "Pod " + m.namespace + "/" + m.name, pod: pod})
}

func readContainers(list node) (containers []corev1.Container) {
	for _, n := range list.items() {
		c := corev1.Container{Name: n.child("name").text(), Resources: n.child("resources").requirements()}
		if policy := n.child("restartPolicy").text(); policy != "" {
			c.RestartPolicy = (*corev1.ContainerRestartPolicy)(&policy)
		}
		containers = append(containers, c)
	}
	return containers
}
