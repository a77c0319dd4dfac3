package vectors

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Pod is the part of a pod that matters for the question. It is text, since amounts would otherwise
// lose their notation: a Quantity writes "007" as "7".
type Pod struct {
	Spec json.RawMessage `json:"spec"`
}

// PodSpec reads the spec.
func (p Pod) PodSpec() (*corev1.PodSpec, error) {
	spec := &corev1.PodSpec{}
	return spec, json.Unmarshal(p.Spec, spec)
}

// Totals are the answers about the requests and limits of a pod.
type Totals struct {
	Requests Amounts `json:"requests"`
	Limits   Amounts `json:"limits"`
}

// A PodOnNode is a pod on a node with that many bytes of memory.
type PodOnNode struct {
	Pod
	NodeMemory int64 `json:"nodeMemory"`
}

// A Class is the class of quality of service of a pod, and the OOM score of each of its containers,
// by name.
type Class struct {
	QOSClass    corev1.PodQOSClass `json:"qosClass"`
	OOMScoreAdj map[string]int     `json:"oomScoreAdj"`
}

// A Conversion is a question about numbers of the kernel: for an amount of CPU, with a period in
// microseconds; for the cgroup of a pod; or for shares.
type Conversion struct {
	MilliCPU *int64  `json:"milliCPU,omitempty"`
	Period   *int64  `json:"period,omitempty"`
	Shares   *int64  `json:"shares,omitempty"`
	Pod      *Pod    `json:"pod,omitempty"`
	Identity *PodUID `json:"identity,omitempty"`
}

// A PodUID is what the name of the cgroup of a pod is made of.
type PodUID struct {
	UID      string             `json:"uid"`
	QOSClass corev1.PodQOSClass `json:"qosClass"`
}

// Numbers answer a Conversion. Numbers that are not part of the question, or that the kubelet does not
// set, are missing.
type Numbers struct {
	Shares *int64 `json:"shares,omitempty"` // cpu.shares of cgroup v1
	Quota  *int64 `json:"quota,omitempty"`  // microseconds a period
	Memory *int64 `json:"memory,omitempty"` // limit in bytes

	Weight       *int64 `json:"weight,omitempty"`       // cpu.weight of cgroup v2, by the formula of today's runtimes
	LinearWeight *int64 `json:"linearWeight,omitempty"` // by the formula of the kubelet and of older runtimes

	Cgroupfs string `json:"cgroupfs,omitempty"` // path, by the driver
	Systemd  string `json:"systemd,omitempty"`
}

// A Creation is a pod, or a claim for storage, that is created in a namespace with a LimitRange. The
// LimitRange is as the API server has stored it: with the defaults that follow from its own bounds.
type Creation struct {
	LimitRange corev1.LimitRangeSpec `json:"limitRange"`
	Pod        *Pod                  `json:"pod,omitempty"`
	Storage    string                `json:"storage,omitempty"` // what a claim requests
}

// Object is the LimitRange of a creation, with a name.
func (c Creation) Object() *corev1.LimitRange {
	return &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Name: "limits"}, Spec: *c.LimitRange.DeepCopy()}
}

// A Verdict is the answer of the API server: the stored requirements of each container, or its messages,
// sorted.
type Verdict struct {
	Admitted   bool                    `json:"admitted"`
	Containers map[string]Requirements `json:"containers,omitempty"`
	Messages   []string                `json:"messages,omitempty"`
}

// Requirements are requests and limits.
type Requirements struct {
	Requests Amounts `json:"requests,omitempty"`
	Limits   Amounts `json:"limits,omitempty"`
}

// A Request is one object that is created in a namespace with one ResourceQuota.
type Request struct {
	Kind   string                      `json:"kind"` // Pod, PersistentVolumeClaim or Service
	Spec   json.RawMessage             `json:"spec"`
	Scopes []corev1.ResourceQuotaScope `json:"scopes,omitempty"`
	Hard   Amounts                     `json:"hard"`
	Used   Amounts                     `json:"used"`
}

// Quota is the quota of a request, as its controller has left it.
func (r Request) Quota() (*corev1.ResourceQuota, error) {
	q := &corev1.ResourceQuota{}
	q.Name, q.Spec.Scopes = "quota", r.Scopes
	var err error
	q.Spec.Hard, err = r.Hard.List()
	if err != nil {
		return nil, err
	}
	q.Status.Hard = q.Spec.Hard.DeepCopy()
	q.Status.Used, err = r.Used.List()
	return q, err
}

// An Admission is the answer of the API server.
type Admission struct {
	Usage    Amounts `json:"usage"`  // of everything that a quota could name
	Counts   bool    `json:"counts"` // whether the quota is about the object
	Admitted bool    `json:"admitted"`
	Message  string  `json:"message,omitempty"` // of the quota, without the name of the object
	Used     Amounts `json:"used,omitempty"`    // by the quota afterwards
}

// A Placement is a pod that the scheduler is to place on a node where other pods are.
type Placement struct {
	Allocatable Amounts `json:"allocatable"`
	Placed      []Pod   `json:"placed,omitempty"`
	Pod         Pod     `json:"pod"`
}

// A Fit is the answer of the scheduler about the node: the reasons why the pod does not fit, sorted, and
// the scores of NodeResourcesFit and NodeResourcesBalancedAllocation over cpu and memory, with equal
// weights.
type Fit struct {
	Reasons            []string `json:"reasons"`
	LeastAllocated     int64    `json:"leastAllocated"`
	MostAllocated      int64    `json:"mostAllocated"`
	BalancedAllocation int64    `json:"balancedAllocation"`
}

// A Queue is a resource pool of Capsule and the claims on it, by age.
type Queue struct {
	Hard    Amounts   `json:"hard"`
	Ordered bool      `json:"ordered"` // whether a claim that waits makes those behind it wait
	Claims  []Amounts `json:"claims"`
}

// Bound says of each claim whether the pool binds it, and what remains of the pool.
type Bound struct {
	Bound     []bool  `json:"bound"`
	Available Amounts `json:"available"`
}
