package manifest

import (
	"cmp"
	"encoding/json"
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
	Node    string          // of a pod that is on a node
	Ended   bool            // it has ended, and requests nothing
	leaving bool            // it is being deleted and will be replaced
}

// content is what a pod of an owner has in JSON.
type content struct {
	owner identity
	text  string
}

// ownedPod is a pod with a controller.
type ownedPod struct {
	Member
	owner  identity
	at     objects.Place
	uid    types.UID // of the controller
	hash   string
	gone   bool // it has been replaced
	hidden bool
}

// addOwned adds a pod that has a controller.
func (in *Input) addOwned(w *Workload) {
	p := ownedPod{
		Member: Member{Pod: w.Pod, Node: w.Node, Ended: w.Pods == 0, leaving: w.Pod.DeletionTimestamp != nil},
		owner:  identity{w.owner.Kind, w.Home, w.owner.Name}, at: w.Place, uid: w.owner.UID, hash: w.hash,
		hidden: w.Hidden,
	}
	// The fields that distinguish the pods of an owner.
	w.Pod.ObjectMeta.Name, w.Pod.GenerateName, w.Pod.UID, w.Pod.ResourceVersion = "", "", "", ""
	w.Pod.Generation, w.Pod.CreationTimestamp = 0, metav1.Time{}
	w.Pod.Spec.NodeName = ""
	p.Pod = in.shared(p.owner, w.Pod)
	id := identity{w.Kind, w.Home, w.Name}
	if before, known := in.earlier(w.Place, id, place{index: len(in.pods), owned: true}); known {
		in.drop(before)
	}
	in.pods = append(in.pods, p)
}

// shared returns a pod of an owner that is equal to this one: the one that was read first.
func (in *Input) shared(of identity, pod *corev1.Pod) *corev1.Pod {
	text, err := json.Marshal(pod)
	if err != nil {
		return pod
	}
	equal := content{of, string(text)}
	if first, known := in.distinct[equal]; known {
		return first
	}
	in.distinct[equal] = pod
	return pod
}

// drop forgets a pod or workload that has been replaced.
func (in *Input) drop(replaced place) {
	if replaced.owned {
		in.pods[replaced.index].gone = true
	} else {
		in.Workloads[replaced.index].gone = true
	}
}

// join makes objects members of their workloads, and finds the workloads of which only members are in
// the input.
func (in *Input) join() {
	f := family{in: in, byUID: map[types.UID]int{}, byName: map[identity]int{}, parent: map[int]int{}}
	for i := range in.Workloads {
		if w := &in.Workloads[i]; !w.gone {
			f.index(i)
			in.populated[w.Home] = in.populated[w.Home] || w.live
		}
	}
	for i := range len(in.Workloads) {
		f.adopt(i)
	}
	for i := range in.pods {
		if p := &in.pods[i]; !p.gone {
			w := &in.Workloads[f.rootOf(p)]
			in.populated[p.owner.namespace] = true
			w.Members = append(w.Members, p.Member)
			w.Hidden = w.Hidden && (!w.unread || p.hidden)
		}
	}
	for i := range in.Workloads {
		if w := &in.Workloads[i]; !w.gone {
			in.settle(w)
			in.addDeviceClaims(w)
		}
	}
	in.pods, in.distinct = nil, nil
	in.Objects = slices.DeleteFunc(in.Objects, func(o Object) bool { return o.gone })
	in.Workloads = slices.DeleteFunc(in.Workloads, func(w Workload) bool { return w.gone })
	slices.SortStableFunc(in.Workloads, func(a, b Workload) int { return cmp.Compare(a.Turn, b.Turn) })
}

// family finds the workload that an object belongs to.
type family struct {
	in     *Input
	byUID  map[types.UID]int
	byName map[identity]int
	parent map[int]int // of ReplicaSets and Jobs
}

func (f *family) index(i int) {
	w := &f.in.Workloads[i]
	for _, uid := range w.uids {
		f.byUID[uid] = i
	}
	f.byName[identity{w.Kind, w.Home, w.Name}] = i
}

// find returns the workload that an object names as its owner.
func (f *family) find(of identity, uid types.UID) (int, bool) {
	if i, known := f.byUID[uid]; known && uid != "" {
		return i, true
	}
	i, known := f.byName[of]
	return i, known
}

// adopt makes a ReplicaSet a member of its Deployment, and a Job one of its CronJob.
func (f *family) adopt(i int) {
	w := &f.in.Workloads[i]
	owners := map[string]string{"ReplicaSet": "Deployment", "Job": "CronJob"}
	if w.gone || w.owner == nil || w.owner.Kind == "" || owners[w.Kind] != w.owner.Kind {
		return
	}
	of := identity{w.owner.Kind, w.Home, w.owner.Name}
	root, known := f.find(of, w.owner.UID)
	if !known {
		root = f.unread(of, w.Place)
		w = &f.in.Workloads[i]
	}
	r := &f.in.Workloads[root]
	r.children = append(r.children, i)
	r.running = r.running || w.Kind == "Job" && w.Pods > 0
	r.Members = append(r.Members, Member{Object: w.Typed, Ended: w.Kind == "Job" && w.Pods == 0})
	r.take(w)
	w.gone = true
	f.parent[i] = root
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
func (f *family) unread(of identity, at objects.Place) int {
	i := len(f.in.Workloads)
	f.in.Workloads = append(f.in.Workloads, Workload{
		unread: true, Object: Object{Place: at, Kind: of.kind, Namespace: of.namespace, Home: of.namespace, Name: of.name, Exists: true,
			Hidden: f.in.Selects != nil}, // unless one of its objects is not
	})
	f.index(i)
	return i
}

// rootOf returns the workload that a pod belongs to. The name of a ReplicaSet is that of its Deployment
// with the hash of the template.
func (f *family) rootOf(p *ownedPod) int {
	if i, known := f.find(p.owner, p.uid); known {
		if !p.Ended && !p.leaving {
			f.in.Workloads[i].staying++
		}
		if root, isChild := f.parent[i]; isChild {
			return root
		}
		return i
	}
	deployment, cut := strings.CutSuffix(p.owner.name, "-"+p.hash)
	if cut && p.hash != "" && p.owner.kind == "ReplicaSet" {
		of := identity{"Deployment", p.owner.namespace, deployment}
		if i, known := f.byName[of]; known {
			return i
		}
		return f.unread(of, p.at)
	}
	return f.unread(p.owner, p.at)
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
