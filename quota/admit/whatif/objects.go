package whatif

import (
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/layered"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/quota/admit"
)

// objects are all objects but nodes, by namespace. Namespaces and items are copied before they are written to: only
// those with the same token belong to these objects alone. Nobody else writes to their fields, except for notes, which
// belong to controllers.
type objects struct {
	*token
	opts    Options
	bare    *admit.Namespace       // without LimitRanges and quotas
	spaces  map[string]*space      // by namespace; that with the empty name has the objects of the cluster
	daemons []types.NamespacedName // the DaemonSets, by namespace and name
	shared  []*shared              // the quotas that several namespaces share, by kind and name
	changes int                    // of these quotas: how many there were
}

// token marks what may be written to.
type token struct{ _ byte }

// space is a namespace.
type space struct {
	*token
	name     string
	items    layered.Map[key, item]
	pods     layered.Map[string, pod]
	ranges   []*corev1.LimitRange // by name
	quotas   int
	compiled *admit.Namespace        // see draft.admission
	seen     int                     // the last change of a quota that it shares with others, in compiled
	isStale  bool                    // it has to be compiled again, with the quotas in changed
	changed  []*corev1.ResourceQuota // which belong to this namespace alone
	behind   map[key]bool            // the workloads whose controllers may have to create objects once they are admitted
	depends  bool                    // what its objects use depends on the order of LimitRanges
}

// key is an object other than a pod within its namespace.
type key struct{ kind, name string }

// item is an object other than a pod.
type item struct {
	*token
	key
	object admit.APIObject
	owner  key      // the controller that it belongs to; zero if there is none
	owned  []key    // the objects that it is the controller of
	pods   []string // the pods that it is the controller of and that have not ended, by name
	notes
}

// notes are what the controller of an item knows.
type notes struct {
	numbers   int             // of names that were drawn for its objects
	missing   error           // why its controller could not create the next object
	depends   bool            // what its controller creates depends on the order of LimitRanges
	hasPods   bool            // a pod of it was read, whether it has ended or not
	injected  *corev1.PodSpec // what its newest pod that was read has beyond its template; nil if there is no such pod
	targets   []string        // of a DaemonSet that was read: the nodes of its pods, sorted
	runs      bool            // of a CronJob: it is time for a Job
	fails     bool            // of a ReplicaSet that was read: its pods do not start
	isGuess   bool            // a claim that the cluster may have with another content
	past      []string        // its pods that were read and have ended or are being deleted, by name
	uncounted []*corev1.Pod   // of a Job: the pods that have ended or are deleted, which its status may not count yet

	current        *corev1.PodTemplateSpec // of a StatefulSet: that of status.currentRevision
	isCurrentGuess bool                    // it is not known, and the present one stands for it
}

// fork returns a copy to write to.
func (o *objects) fork() objects {
	own := *o
	own.token, own.spaces, own.daemons = &token{}, maps.Clone(o.spaces), slices.Clone(o.daemons)
	own.shared = slices.Clone(o.shared)
	if own.spaces == nil {
		own.spaces = map[string]*space{}
	}
	return own
}

// space returns a namespace to write to, and adds it if it is new.
func (o *objects) space(name string) *space {
	s := o.spaces[name]
	if s != nil && s.token == o.token {
		return s
	}
	own := &space{name: name, compiled: o.bare}
	if s != nil {
		*own = *s
	}
	own.token = o.token
	own.items, own.pods, own.behind = own.items.Fork(), own.pods.Fork(), maps.Clone(own.behind)
	if own.behind == nil {
		own.behind = map[key]bool{}
	}
	o.spaces[name] = own
	return own
}

// itemOf returns an object other than a pod, nil if there is none.
func (o *objects) itemOf(namespace string, k key) *item {
	if s := o.spaces[namespace]; s != nil {
		return s.items.Get(k)
	}
	return nil
}

// item returns an object to write to, nil if there is none.
func (o *objects) item(namespace string, k key) *item {
	it := o.itemOf(namespace, k)
	if it == nil || it.token == o.token {
		return it
	}
	own := *it
	own.token, own.owned, own.pods = o.token, slices.Clone(it.owned), slices.Clone(it.pods)
	o.space(namespace).items.Set(k, &own)
	return &own
}

// addItem adds an object that is not there.
func (o *objects) addItem(s *space, k key, object admit.APIObject, owner key) *item {
	it := &item{token: o.token, key: k, object: object, owner: owner}
	s.items.Set(k, it)
	if of := o.item(s.name, owner); of != nil {
		of.owned = append(of.owned, k)
	}
	if _, ok := object.(*appsv1.DaemonSet); ok {
		name := types.NamespacedName{Namespace: s.name, Name: k.name}
		i, _ := slices.BinarySearchFunc(o.daemons, name, ordering.Names)
		o.daemons = slices.Insert(o.daemons, i, name)
	}
	return it
}

// dropItem removes an object.
func (o *objects) dropItem(s *space, it *item) {
	s.items.Set(it.key, nil)
	delete(s.behind, it.key)
	if of := o.item(s.name, it.owner); of != nil {
		of.owned = slices.DeleteFunc(of.owned, func(other key) bool { return other == it.key })
	}
	name := types.NamespacedName{Namespace: s.name, Name: it.name}
	if _, ok := it.object.(*appsv1.DaemonSet); ok {
		o.daemons = slices.DeleteFunc(o.daemons, func(other types.NamespacedName) bool { return other == name })
	}
}

// dropSpace removes a namespace with all that is in it.
func (o *objects) dropSpace(name string) { delete(o.spaces, name) }

// podOf returns a pod, nil if there is none.
func (o *objects) podOf(name types.NamespacedName) *pod {
	if s := o.spaces[name.Namespace]; s != nil {
		return s.pods.Get(name.Name)
	}
	return nil
}

// setPod stores a pod, and tells its controller.
func (o *objects) setPod(p *pod) {
	o.space(p.Namespace).pods.Set(p.Name, p)
	if owner := o.item(p.Namespace, p.owner); owner != nil && !p.ended {
		if i, found := slices.BinarySearch(owner.pods, p.Name); !found {
			owner.pods = slices.Insert(owner.pods, i, p.Name)
		}
	}
}

// dropPod removes a pod.
func (o *objects) dropPod(p *pod) {
	o.space(p.Namespace).pods.Set(p.Name, nil)
	if owner := o.item(p.Namespace, p.owner); owner != nil {
		if i, found := slices.BinarySearch(owner.pods, p.Name); found {
			owner.pods = slices.Delete(owner.pods, i, i+1)
		}
	}
}

// setRange stores a LimitRange, or removes that of the name if it is nil.
func (s *space) setRange(name string, lr *corev1.LimitRange) {
	s.ranges = without(s.ranges, name)
	if lr != nil {
		i, _ := slices.BinarySearchFunc(s.ranges, name, func(r *corev1.LimitRange, name string) int {
			return strings.Compare(r.Name, name)
		})
		s.ranges = slices.Insert(s.ranges, i, lr)
	}
}

func (a key) compare(b key) int {
	if a.kind != b.kind {
		return strings.Compare(a.kind, b.kind)
	}
	return strings.Compare(a.name, b.name)
}
