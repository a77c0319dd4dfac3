package manifest

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/quota/admit"
)

// A Deployment, its ReplicaSets and their pods are one workload.

// Member is an object that belongs to a workload: a pod, or an object that creates its pods.
type Member struct {
	Object  admit.APIObject // of an object that is not a pod
	Pod     *corev1.Pod     // of a pod; equal pods of an owner share it
	Node    string          // of a pod that is on a node, or can only be on this one
	Ended   bool            // it has ended, and requests nothing
	leaving bool            // it is being deleted and will be replaced
}

// content is what a pod of an owner has in JSON.
type content struct {
	owner identity
	text  string
}

// ownedPod is a pod with a controller. A cluster has very many, so it is less than a Workload.
type ownedPod struct {
	Object
	member Member
	owner  identity
	uid    types.UID // of the controller
	hash   string
}

func (in *Input) addOwned(w *Workload) {
	p := &ownedPod{w.Object, Member{Node: w.Node, Ended: w.Pods == 0, leaving: w.Pod.DeletionTimestamp != nil}, w.ownedBy(), w.owner.UID, w.hash}
	// The fields that distinguish the pods of an owner.
	w.Pod.ObjectMeta.Name, w.Pod.GenerateName, w.Pod.UID, w.Pod.ResourceVersion = "", "", "", ""
	w.Pod.Generation, w.Pod.CreationTimestamp = 0, metav1.Time{}
	w.Pod.Spec.NodeName = ""
	p.member.Pod, p.Typed = in.shared(p.owner, w.Pod), nil
	in.earlier(&p.Object)
	in.pods = append(in.pods, p)
}

func (w *Workload) ownedBy() identity { return identity{w.owner.Kind, w.Home, w.owner.Name} }

// shared returns a pod of an owner that is equal to this one: the one that was read first.
func (in *Input) shared(of identity, pod *corev1.Pod) *corev1.Pod {
	text, _ := json.Marshal(pod) // which was decoded
	equal := content{of, string(text)}
	if first, known := in.distinct[equal]; known {
		return first
	}
	in.distinct[equal] = pod
	return pod
}

// join makes objects members of their workloads, and finds the workloads of which only members are in
// the input.
func (in *Input) join() {
	in.workloads = map[identity]*Workload{} // without those that were replaced
	for _, w := range in.Workloads {
		if !w.gone {
			in.index(w)
			in.populated[w.Home] = in.populated[w.Home] || w.live
		}
	}
	for _, w := range in.Workloads { // without those that it adds
		in.adopt(w)
	}
	for _, p := range in.pods {
		if !p.gone {
			w := in.rootOf(p)
			in.populated[p.Home] = true
			w.Members = append(w.Members, p.member)
			w.Hidden = w.Hidden && (!w.unread || p.Hidden)
		}
	}
	in.Objects = slices.DeleteFunc(in.Objects, func(o *Object) bool { return o.gone })
	in.Workloads = slices.DeleteFunc(in.Workloads, func(w *Workload) bool { return w.gone })
	slices.SortStableFunc(in.Workloads, func(a, b *Workload) int { return cmp.Compare(a.Turn, b.Turn) })
	for _, w := range in.Workloads {
		in.settle(w)
		in.addDeviceClaims(w)
		w.children = nil
	}
	in.pods, in.distinct, in.workloads, in.byUID = nil, nil, nil, nil
	maps.DeleteFunc(in.byName, func(id identity, _ *Object) bool { return id.kind != "ResourceQuota" }) // see QuotaAt
}

func (in *Input) index(w *Workload) {
	for _, uid := range w.uids {
		in.byUID[uid] = w
	}
	in.workloads[w.identity()] = w
}

// find returns the workload that owns an object, or nil if the input lacks it.
func (in *Input) find(of identity, uid types.UID) *Workload {
	return cmp.Or(in.byUID[uid], in.workloads[of])
}

// adopt makes a ReplicaSet a member of its Deployment, and a Job one of its CronJob.
func (in *Input) adopt(w *Workload) {
	owner, isMade := map[string]string{"ReplicaSet": "Deployment", "Job": "CronJob"}[w.Kind]
	if w.gone || !isMade || w.owner == nil || w.owner.Kind != owner {
		return
	}
	of := in.find(w.ownedBy(), w.owner.UID)
	if of == nil {
		of = in.unread(w.ownedBy(), w.Place)
	}
	of.children = append(of.children, w)
	of.running = of.running || w.Pods > 0
	of.Members = append(of.Members, Member{Object: w.Typed, Ended: w.Kind == "Job" && w.Pods == 0})
	of.take(w)
	w.gone, w.parent = true, of
}

// take gives a workload the pod of an object that it has created.
func (w *Workload) take(child *Workload) {
	w.Exists = true
	switch {
	case w.unread:
		w.wanted += child.Pods
		w.Hidden = w.Hidden && child.Hidden
		if w.Pod == nil || child.Pods > 0 {
			w.Pod, w.Prefix, w.Claims = child.Pod, child.Prefix, child.Claims
		}
	case w.Kind == "CronJob":
		w.wanted += child.Pods // of all runs that have not finished
	}
}

// unread adds a workload that is only known as the owner of other objects. The place is that of the
// first of them.
func (in *Input) unread(of identity, at objects.Place) *Workload {
	w := &Workload{unread: true, Object: Object{Place: at, Kind: of.kind, Namespace: of.namespace, Home: of.namespace, Name: of.name,
		Hidden: in.Selects != nil}} // unless one of its objects is not
	in.Workloads = append(in.Workloads, w)
	in.index(w)
	return w
}

// rootOf returns the workload that a pod belongs to. The name of a ReplicaSet is that of its Deployment
// with the hash of the template.
func (in *Input) rootOf(p *ownedPod) *Workload {
	of := p.owner
	if w := in.find(of, p.uid); w != nil {
		if !p.member.Ended && !p.member.leaving {
			w.staying++
		}
		return cmp.Or(w.parent, w)
	}
	deployment, cut := strings.CutSuffix(of.name, "-"+p.hash)
	if cut && p.hash != "" && of.kind == "ReplicaSet" {
		of.kind, of.name = "Deployment", deployment
		if w := in.workloads[of]; w != nil {
			return w
		}
	}
	return in.unread(of, p.Place)
}

// LivePods returns how many of the pods exist.
func (w *Workload) LivePods() (n int64) {
	if w.Kind == "Pod" && w.live {
		return w.Pods
	}
	for _, m := range w.Members {
		if m.Pod != nil && !m.Ended {
			n++
		}
	}
	return n
}

// HasPods reports whether pods of the workload were read, including ones that have ended.
func (w *Workload) HasPods() bool {
	return slices.ContainsFunc(w.Members, func(m Member) bool { return m.Pod != nil })
}
