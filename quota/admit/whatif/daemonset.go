package whatif

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/internal/nodeaffinity"
	"github.com/kubemath/kubemath/internal/taints"
)

// daemonTolerations are those that the controller adds to the pods of DaemonSets.
//
// Source: AddOrUpdateDaemonPodTolerations of k8s.io/kubernetes/pkg/controller/daemon/util.
func daemonTolerations(spec *corev1.PodSpec) []corev1.Toleration {
	all := []corev1.Toleration{
		{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoExecute},
		{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoExecute},
		{Key: corev1.TaintNodeDiskPressure, Effect: corev1.TaintEffectNoSchedule},
		{Key: corev1.TaintNodeMemoryPressure, Effect: corev1.TaintEffectNoSchedule},
		{Key: corev1.TaintNodePIDPressure, Effect: corev1.TaintEffectNoSchedule},
		{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule},
	}
	if spec.HostNetwork {
		all = append(all, corev1.Toleration{Key: corev1.TaintNodeNetworkUnavailable, Effect: corev1.TaintEffectNoSchedule})
	}
	tolerations := slices.Clone(spec.Tolerations)
	for _, t := range all {
		t.Operator = corev1.TolerationOpExists
		tolerations = slices.DeleteFunc(tolerations, func(other corev1.Toleration) bool { return t.MatchToleration(&other) })
		tolerations = append(tolerations, t)
	}
	return tolerations
}

// daemonPlace is where the pods of a DaemonSet have to be, whatever their requests are.
type daemonPlace struct {
	nodeName    string
	tolerations []corev1.Toleration
	required    nodeaffinity.Required
}

func daemonPlaceOf(object *appsv1.DaemonSet) *daemonPlace {
	spec := &object.Spec.Template.Spec
	return &daemonPlace{spec.NodeName, daemonTolerations(spec), nodeaffinity.RequiredOf(spec)}
}

// shouldRun reports whether a daemon has to be on a node. Taints with NoSchedule do not matter if it is there already.
//
// Source: NodeShouldRunDaemonPod of k8s.io/kubernetes/pkg/controller/daemon.
func (s *daemonPlace) shouldRun(n *corev1.Node) (shouldRun, mayStay bool) {
	if s.nodeName != "" && s.nodeName != n.Name || !s.required.Matches(n) {
		return false, false
	}
	mayStay = !taints.Untolerated(n.Spec.Taints, s.tolerations, corev1.TaintEffectNoExecute)
	return mayStay && !taints.Untolerated(n.Spec.Taints, s.tolerations, corev1.TaintEffectNoSchedule), mayStay
}

// daemonNodes returns the names of the nodes on which a DaemonSet wants a pod. If nothing is known of nodes, they are
// those of the pods that were read, or one without a name.
func (d *draft) daemonNodes(it *item, object *appsv1.DaemonSet) (names []string) {
	switch {
	case d.located:
	case it.targets == nil:
		return []string{""}
	default:
		return it.targets
	}
	s := daemonPlaceOf(object)
	for _, n := range d.places.Nodes() {
		if shouldRun, _ := s.shouldRun(n); shouldRun {
			names = append(names, n.Name)
		}
	}
	return names
}

// daemonPod returns the pod of a DaemonSet for a node.
func daemonPod(object *appsv1.DaemonSet, it *item, namespace, name, node string) *corev1.Pod {
	p := podFrom(&object.Spec.Template, it, namespace, name)
	p.Spec.Tolerations = daemonTolerations(&p.Spec)
	affinity := corev1.Affinity{}
	if p.Spec.Affinity != nil {
		affinity = *p.Spec.Affinity
	}
	onNode := corev1.NodeAffinity{}
	if affinity.NodeAffinity != nil {
		onNode = *affinity.NodeAffinity
	}
	onNode.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{
			{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{node}},
		}}},
	}
	affinity.NodeAffinity, p.Spec.Affinity = &onNode, &affinity
	p.Spec.NodeName = "" // the scheduler places it
	return p
}

// targetOf returns the node that a pod of a DaemonSet is or has to be on.
func targetOf(p *pod) string {
	if p.Node == "" && p.Shape != nil {
		if names, _ := p.Shape.Named(); len(names) == 1 {
			return names[0]
		}
	}
	return p.Node
}

// daemonTargetOf returns the node that daemonNodes has for a pod of a DaemonSet.
func (d *draft) daemonTargetOf(it *item, p *pod) string {
	if !d.located && it.targets == nil {
		return "" // also of a pod with a node that the DaemonSet has adopted
	}
	return targetOf(p)
}

// syncDaemonSet brings the pods of a DaemonSet to its nodes and template. While a pod is refused that a node lacks, no
// other is replaced.
//
// Source: updateDaemonSet and podsShouldBeOnNode of k8s.io/kubernetes/pkg/controller/daemon.
func (d *draft) syncDaemonSet(namespace string, it *item, object *appsv1.DaemonSet) {
	onNode := map[string][]*pod{}
	for _, p := range d.podsOf(namespace, it.pods) {
		target := d.daemonTargetOf(it, p)
		if d.located && p.Node == "" && d.places.Node(target) == nil {
			d.removePod(p) // its node is gone
			continue
		}
		onNode[target] = append(onNode[target], p)
	}
	s, wanted, nodes := daemonPlaceOf(object), d.daemonNodes(it, object), d.Nodes()
	if !d.located {
		nodes = wanted
	}
	surge, unavailable := daemonLimits(object, len(wanted))
	complete := true
	var names []string // of the nodes that have one
	for _, name := range nodes {
		shouldRun, mayStay := true, true
		if d.located {
			shouldRun, mayStay = s.shouldRun(d.places.Node(name))
		}
		pods := onNode[name]
		switch {
		case !mayStay:
			d.removePods(pods)
		case shouldRun && len(pods) == 0:
			p := d.createDaemon(namespace, it, object, name)
			complete = complete && p != nil
			if p != nil { // it counts as unavailable while it waits
				names, onNode[name] = append(names, name), []*pod{p}
			}
		case len(pods) > 0:
			if surge == 0 && len(pods) > 1 { // of a former strategy
				d.removePods(pods[1:])
				onNode[name] = pods[:1]
			}
			names = append(names, name)
		}
	}
	switch {
	case !complete || object.Spec.UpdateStrategy.Type == appsv1.OnDeleteDaemonSetStrategyType:
	case surge > 0:
		d.surgeDaemons(namespace, it, object, names, wanted, onNode, surge)
	default:
		d.replaceDaemons(namespace, it, object, names, wanted, onNode, unavailable)
	}
}

// createDaemon creates the pod of a DaemonSet for a node. It returns nil if it is refused.
func (d *draft) createDaemon(namespace string, it *item, object *appsv1.DaemonSet, node string) (p *pod) {
	draw(it, d.isPod(namespace), func(name string) bool {
		p = d.createFor(namespace, it, daemonPod(object, it, namespace, name, node))
		return p != nil
	})
	return p
}

// ofTemplate returns the last pod of a former template among pods, and that of the present one; nil if there is none.
func (d *draft) ofTemplate(pods []*pod, it *item) (old, present *pod) {
	for _, p := range pods {
		if d.isOutdated(p, it) {
			old = p
		} else {
			present = p
		}
	}
	return old, present
}

// replaceDaemons replaces the pods of a former template: those that do not run at once, and the others together as many
// as may be missing. It stops at the first rejected pod. Nodes that no longer match get no replacement.
//
// Source: rollingUpdate of k8s.io/kubernetes/pkg/controller/daemon, without surge.
func (d *draft) replaceDaemons(namespace string, it *item, object *appsv1.DaemonSet, names, wanted []string,
	onNode map[string][]*pod, unavailable int) {
	var batch, others []*pod
	for _, name := range names {
		old, present := d.ofTemplate(onNode[name], it)
		switch {
		case old == nil:
			if !d.runs(present) {
				unavailable--
			}
		case !d.runs(old):
			batch = append(batch, old)
		default:
			others = append(others, old)
		}
	}
	for more := unavailable - len(batch); ; more = unavailable {
		n := max(0, min(more, len(others)))
		batch, others = append(batch, others[:n]...), others[n:]
		if len(batch) == 0 {
			return
		}
		d.removePods(batch)
		complete := true
		for _, old := range batch {
			if _, found := slices.BinarySearch(wanted, d.daemonTargetOf(it, old)); !found {
				continue
			}
			p := d.createDaemon(namespace, it, object, d.daemonTargetOf(it, old))
			complete = complete && p != nil
			if p != nil && p.Node == "" {
				unavailable--
			}
		}
		if !complete {
			return
		}
		batch = nil
	}
}

// surgeDaemons replaces the pods of a former template, each once a pod of the present one runs next to it. If the old
// one does not run, its replacement may wait without counting as one more. On nodes that no longer match, the old pods
// stay until each of the other nodes has one that runs.
//
// Source: rollingUpdate of k8s.io/kubernetes/pkg/controller/daemon, with surge.
func (d *draft) surgeDaemons(namespace string, it *item, object *appsv1.DaemonSet, names, wanted []string,
	onNode map[string][]*pod, surge int) {
	lacking := 0
	for _, name := range names {
		if old, present := d.ofTemplate(onNode[name], it); old != nil && present != nil && !d.runs(present) {
			surge--
		}
	}
	var unwanted []*pod
	for _, name := range names {
		old, present := d.ofTemplate(onNode[name], it)
		if _, found := slices.BinarySearch(wanted, name); !found {
			unwanted = append(unwanted, onNode[name]...)
			continue
		}
		if old != nil && present == nil && (surge > 0 || !d.runs(old)) {
			present = d.createDaemon(namespace, it, object, name)
			if present != nil && !d.runs(present) && d.runs(old) {
				surge--
			}
		}
		runs := present != nil && d.runs(present)
		switch {
		case runs && old != nil:
			d.removePod(old)
		case !runs && (old == nil || !d.runs(old)):
			lacking++
		}
	}
	for _, p := range unwanted {
		if d.isOutdated(p, it) && (!d.runs(p) || lacking == 0) {
			d.removePod(p)
		}
	}
}

// runs reports whether a pod is ready now.
func (d *draft) runs(p *pod) bool {
	now := d.podOf(p.NamespacedName)
	return now != nil && d.isReady(now)
}

// daemonLimits returns on how many nodes there may be two pods, and on how many none that runs.
func daemonLimits(object *appsv1.DaemonSet, nodes int) (surge, unavailable int) {
	one, none := intstr.FromInt32(1), intstr.FromInt32(0)
	maxSurge, maxUnavailable := &none, &one
	if r := object.Spec.UpdateStrategy.RollingUpdate; r != nil &&
		object.Spec.UpdateStrategy.Type != appsv1.OnDeleteDaemonSetStrategyType {
		if r.MaxSurge != nil {
			maxSurge = r.MaxSurge
		}
		if r.MaxUnavailable != nil {
			maxUnavailable = r.MaxUnavailable
		}
	}
	surge, _ = intstr.GetScaledValueFromIntOrPercent(maxSurge, nodes, true)
	unavailable, _ = intstr.GetScaledValueFromIntOrPercent(maxUnavailable, nodes, true)
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	return surge, unavailable
}
