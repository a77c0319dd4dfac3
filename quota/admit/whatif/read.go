package whatif

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/workload"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif/internal/places"
)

// Read returns a cluster with these objects, in any order: those of a cluster, as kubectl get prints
// them. Nil ones are ignored. Objects must have the types of k8s.io/api, as for admit.Namespace.Create; all others are
// only counted by quotas. They and the options are kept by pointer, and must not be modified afterwards.
//
// Controllers do nothing yet. A pod with a node counts as ready, unless the status of a container says that it fails to
// start, such as ImagePullBackOff or CrashLoopBackOff. Then it does not become ready, and if this holds for all pods of
// its ReplicaSet that have a node, neither do those that wait for one and any further pod.
//
// Pods without a node are placed, if that is possible now without preempting others. If there are no nodes, nothing is
// said about places, and each pod counts as ready, as if one endless node had them all. A DaemonSet then wants a pod on
// each node that its pods name, or one pod if there are none.
//
// A pod, ReplicaSet or Job belongs to the controller of its ownerReferences; if a ReplicaSet is not among the objects,
// the Deployment is found by the label pod-template-hash. A pod without a controller belongs to the StatefulSet or
// DaemonSet that selects it. A pod of these is of the revision that its labels name: ControllerRevisions, if they are
// among the objects, have the templates of former ones, for which their pods stand otherwise.
//
// Usage of quotas is that of their status. For resources that status.used does not name, such as those of manifests,
// it is that of the objects. If a quota has a UID, but no status, and no pods of its namespace are known, its usage
// is not known: its status remains empty, so that it limits nothing.
//
// If the status of a workload counts pods of which none is among the objects, as for a user who may not list them,
// Assumed pods of its template stand in for them, and use what its LimitRanges say. If there are no other pods at all,
// nothing is said about places, as if there were no nodes. If there are Namespace objects, objects cannot be created
// in other namespaces, except those that each cluster has: default and kube-system, kube-public, kube-node-lease. An
// object without a namespace is in default if it is of a namespaced type of k8s.io/api.
//
// It is an error if an object is larger than Options.Admission.MaxSize, and otherwise for each duplicate
// (computeresources.ErrExists), and for each LimitRange and ResourceQuota that the API server would not store. The
// cluster is nil then.
//
// Cost: O(n log n) for n objects, and about a microsecond for each pod.
func Read(objects []admit.APIObject, opts Options) (*Cluster, error) {
	if err := opts.Admission.MaxSize.Check(objects...); err != nil {
		return nil, err
	}
	opts.Admission.MaxSize = admit.MaxSize{} // of all that is read, not of a namespace
	opts = opts.withDeviceClasses(objects).withClasses(objects)
	bare, err := admit.Compile(nil, nil, opts.Admission)
	if err != nil {
		return nil, err
	}
	profile, err := opts.Profile.compile()
	if err != nil {
		return nil, err
	}
	d := (&Cluster{profile: profile, places: places.New(opts.scheduler(&profile))}).edit()
	d.opts, d.bare = opts, bare
	var errs []error
	var pods []*corev1.Pod
	nodes := map[string]*corev1.Node{}
	for _, obj := range objects {
		if workload.IsNil(obj) {
			continue
		}
		if p, ok := obj.(*corev1.Pod); ok {
			pods = append(pods, p)
			continue
		}
		if err := d.readItem(obj, nodes); err != nil {
			errs = append(errs, err)
		}
	}
	d.hasNamespaces = d.namesNamespaces()
	d.readVolumes()
	var placed []*places.Pod
	for _, object := range pods {
		p, err := d.readPod(object)
		if err != nil {
			errs = append(errs, err)
		} else if !p.ended {
			placed = append(placed, &p.Pod)
		}
	}
	d.located, d.isReading = len(nodes) > 0, true
	d.link()
	d.places.Load(slices.Collect(maps.Values(nodes)), placed)
	errs = append(errs, d.readShared()...)
	for _, name := range slices.Sorted(maps.Keys(d.spaces)) {
		if err := d.readQuotas(d.space(name)); err != nil {
			errs = append(errs, err)
		}
	}
	d.located = d.located && (len(pods) > 0 || !d.assumed)
	if len(errs) > 0 {
		slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
		return nil, aggregate.Of(errs)
	}
	d.countShared()
	d.settle()
	return d.freeze(), nil
}

// withDeviceClasses returns the options with the extended resources of DeviceClasses.
func (o Options) withDeviceClasses(objects []admit.APIObject) Options {
	if o.Admission.ExtendedResources != nil || !release.Rules(o.Admission.Kubernetes).DelegatesExtendedResources() {
		return o
	}
	var classes []*resourcev1.DeviceClass
	for _, obj := range objects {
		if class, ok := obj.(*resourcev1.DeviceClass); ok {
			classes = append(classes, class)
		}
	}
	if classes != nil {
		o.Admission.ExtendedResources = quota.ExtendedResources(classes)
	}
	return o
}

// withClasses returns the options with the classes among the objects of a cluster.
func (o Options) withClasses(objects []admit.APIObject) Options {
	own := o
	for _, obj := range objects {
		if !workload.IsNil(obj) {
			own.setClass(obj, true)
		}
	}
	own.Admission.Incomplete = o.Admission.Incomplete
	return own
}

// setClass adds or removes an object if it is a class that admission looks at, and reports whether it is.
func (o *Options) setClass(obj admit.APIObject, isThere bool) bool {
	return setClassIn(o, &o.Admission.PriorityClasses, "PriorityClass", obj, isThere) ||
		setClassIn(o, &o.Admission.RuntimeClasses, "RuntimeClass", obj, isThere) ||
		setClassIn(o, &o.Admission.StorageClasses, "StorageClass", obj, isThere)
}

func setClassIn[C interface {
	comparable
	admit.APIObject
}](o *Options, classes *[]C, kind string, obj admit.APIObject, isThere bool) bool {
	class, ok := obj.(C)
	if !ok {
		return false
	}
	if *classes == nil {
		o.Admission.Incomplete = append(slices.Clip(o.Admission.Incomplete), kind)
	}
	*classes = without(*classes, class.GetName())
	if isThere {
		*classes = append(*classes, class)
	}
	return true
}

// readItem adds an object other than a pod: a node to nodes, and any other to its namespace.
func (d *draft) readItem(obj admit.APIObject, nodes map[string]*corev1.Node) error {
	namespace, k := placeOf(obj)
	if n, ok := obj.(*corev1.Node); ok {
		if nodes[n.Name] != nil {
			return exists(namespace, k)
		}
		nodes[n.Name] = n
		return nil
	}
	s := d.space(namespace)
	if s.items.Get(k) != nil {
		return exists(namespace, k)
	}
	d.addItem(s, k, obj, key{}) // its owner may be read later
	if workload.Of(obj).Template != nil {
		s.behind[k] = true
	}
	return nil
}

func exists(namespace string, k key) error {
	return fmt.Errorf("whatif: %v %w", sourceOf(namespace, k), computeresources.ErrExists)
}

// readPod adds a pod.
func (d *draft) readPod(object *corev1.Pod) (*pod, error) {
	namespace, k := placeOf(object)
	s := d.space(namespace)
	if s.pods.Get(object.Name) != nil {
		return nil, exists(namespace, k)
	}
	p := d.newPod(namespace, object)
	p.owner, p.Node, p.fails = ownerOf(object), object.Spec.NodeName, failsToStart(object)
	s.pods.Set(object.Name, p)
	return p, nil
}

// newPod returns a pod without an owner and a node.
func (d *draft) newPod(namespace string, object *corev1.Pod) *pod {
	name := types.NamespacedName{Namespace: namespace, Name: object.Name}
	// The scheduler does not place a pod that is being deleted.
	ended := podwalk.HasEnded(object) || object.Spec.NodeName == "" && object.DeletionTimestamp != nil
	p := &pod{Pod: places.Pod{NamespacedName: name, Object: object}, ended: ended}
	if !p.ended {
		p.Request = d.opts.podRequest(object)
	}
	if object.Spec.NodeName == "" && !p.ended {
		p.Shape = d.shapeOf(object)
	}
	return p
}

// link tells owners of the pods and objects that were read.
func (o *objects) link() {
	revisions := revisions{}
	for _, s := range o.spaces {
		for _, it := range s.items.All {
			it.owner = ownerOf(it.object)
			if owner := s.items.Get(it.owner); owner != nil {
				owner.owned = append(owner.owned, it.key)
			}
		}
		adopters := adoptersIn(s)
		unread := map[key]*pod{} // the first pods by name of ReplicaSets that were not
		for _, p := range s.pods.All {
			if i := slices.IndexFunc(adopters, func(a adopter) bool { return a.adopts(p) }); i >= 0 {
				p.owned(s, adopters[i].item)
			}
			if s.items.Get(p.owner) == nil || unread[p.owner] != nil && p.compare(unread[p.owner]) < 0 {
				unread[p.owner] = p
			}
			owner := o.ownerItem(s, p)
			if owner == nil {
				continue
			}
			owner.hasPods = true
			if p.ended || p.Object.DeletionTimestamp != nil {
				owner.past = append(owner.past, p.Name)
				if owner.kind == "Job" &&
					(!p.ended || slices.Contains(p.Object.Finalizers, batchv1.JobTrackingFinalizer)) {
					owner.uncounted = append(owner.uncounted, p.Object)
				}
			} else {
				owner.pods = append(owner.pods, p.Name)
			}
		}
		for _, it := range s.items.All {
			slices.SortFunc(it.owned, key.compare)
			slices.Sort(it.pods)
			slices.Sort(it.past)
			slices.SortFunc(it.uncounted, func(a, b *corev1.Pod) int { return strings.Compare(a.Name, b.Name) })
		}
		for _, it := range s.items.All {
			if of, ok := it.object.(*appsv1.Deployment); ok {
				o.completeSets(s, it, of, unread)
			}
		}
		for _, p := range s.pods.All {
			if owner := s.items.Get(p.owner); owner != nil && p.template == nil {
				p.template = revisions.of(s, owner, p.Object)
			}
		}
		for _, it := range s.items.All {
			if set, ok := it.object.(*appsv1.StatefulSet); ok {
				it.current = revisions.current(s, it, set)
			}
		}
		o.noteFailing(s)
	}
	for name, s := range o.spaces {
		var pods []*pod
		for _, p := range s.pods.All {
			pods = append(pods, p)
		}
		slices.SortFunc(pods, func(a, b *pod) int { return cmp.Or(ordering.Ages(a.Object, b.Object), a.compare(b)) })
		for _, p := range pods {
			if p.template != nil && len(p.template.Spec.Containers) > 0 { // the newest one counts
				_, it := o.top(name, p.owner)
				it.injected = beyond(&p.Object.Spec, &p.template.Spec)
			}
		}
	}
}

// ownerItem returns the controller of a pod that was read. It adds a ReplicaSet that is not among the objects.
func (o *objects) ownerItem(s *space, p *pod) *item {
	if it := s.items.Get(p.owner); it != nil || p.owner.kind != "ReplicaSet" {
		return it
	}
	hash := p.Object.Labels[appsv1.DefaultDeploymentUniqueLabelKey]
	name, ok := strings.CutSuffix(p.owner.name, "-"+hash)
	owner := s.items.Get(key{"Deployment", name})
	if !ok || hash == "" || owner == nil {
		return nil
	}
	return o.addSet(s, owner, &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: s.name, Name: p.owner.name}})
}

// addSet adds a ReplicaSet of a Deployment that was not read.
func (o *objects) addSet(s *space, owner *item, rs *appsv1.ReplicaSet) *item {
	it := o.addItem(s, key{"ReplicaSet", rs.Name}, rs, owner.key)
	s.behind[it.key] = true
	return it
}

// readQuotas prepares the LimitRanges and quotas of a namespace.
func (d *draft) readQuotas(s *space) error {
	for _, it := range s.items.All {
		if lr, ok := it.object.(*corev1.LimitRange); ok {
			s.setRange(lr.Name, lr)
		}
	}
	if err := s.compile(nil, &d.opts); err == nil { // otherwise, quotas may add to the error
		d.assume(s)
	}
	var quotas []*corev1.ResourceQuota
	for _, it := range s.items.All {
		if q, ok := it.object.(*corev1.ResourceQuota); ok && !d.isProjected(q) {
			quotas = append(quotas, d.withUsage(s, q, nil))
		}
	}
	return s.compile(quotas, &d.opts)
}
