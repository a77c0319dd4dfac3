package vectors

import (
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
)

// A Request is one object that is created in a namespace with one ResourceQuota.
type Request struct {
	Kind   string                      `json:"kind"` // Pod, PersistentVolumeClaim or Service
	Spec   json.RawMessage             `json:"spec"`
	Scopes []corev1.ResourceQuotaScope `json:"scopes,omitempty"`
	Hard   Amounts                     `json:"hard"`
	Used   Amounts                     `json:"used"`
}

// An Admission is the answer of the API server.
type Admission struct {
	Usage    Amounts `json:"usage"`  // of everything that a quota could name
	Counts   bool    `json:"counts"` // whether the quota is about the object
	Admitted bool    `json:"admitted"`
	Message  string  `json:"message,omitempty"` // of the quota, without the name of the object
	Used     Amounts `json:"used,omitempty"`    // by the quota afterwards
}

// Admissions are objects and quotas.
func Admissions() []Case[Request, Admission] {
	var cases []Case[Request, Admission]
	for _, p := range quotaPods() {
		for _, q := range quotasForPods {
			cases = append(cases, request("Pod", p.spec, p.name, p.why, q))
		}
	}
	for _, c := range []struct{ name, class, storage string }{{"without a class", "", "5Gi"}, {"of class gold", "gold", "5Gi"}, {"of class silver, larger", "silver", "50Gi"}} {
		spec := corev1.PersistentVolumeClaimSpec{}
		spec.Resources.Requests = testkit.List("storage", c.storage)
		if c.class != "" {
			spec.StorageClassName = &c.class
		}
		for _, q := range quotasForClaims {
			cases = append(cases, request("PersistentVolumeClaim", spec, "a claim "+c.name, "A claim counts for its class and for all classes.", q))
		}
	}
	for _, c := range []struct {
		name string
		spec corev1.ServiceSpec
	}{
		{"ClusterIP", corev1.ServiceSpec{Type: corev1.ServiceTypeClusterIP, Ports: []corev1.ServicePort{{Port: 80}}}},
		{"NodePort with two ports", corev1.ServiceSpec{Type: corev1.ServiceTypeNodePort, Ports: []corev1.ServicePort{{Name: "a", Port: 80}, {Name: "b", Port: 81}}}},
		{"LoadBalancer with two ports", corev1.ServiceSpec{Type: corev1.ServiceTypeLoadBalancer, Ports: []corev1.ServicePort{{Name: "a", Port: 80}, {Name: "b", Port: 81}}}},
		{"LoadBalancer without node ports", corev1.ServiceSpec{Type: corev1.ServiceTypeLoadBalancer, AllocateLoadBalancerNodePorts: new(bool), Ports: []corev1.ServicePort{{Port: 80}}}},
	} {
		for _, q := range quotasForServices {
			cases = append(cases, request("Service", c.spec, "a Service: "+c.name, "Services count by type; each port of a NodePort or LoadBalancer takes a node port unless none are allocated.", q))
		}
	}
	return cases
}

// limit is one quota, in words.
type limit struct {
	name, why  string
	hard, used string // "cpu 1, memory 1Gi"
	scopes     []corev1.ResourceQuotaScope
}

func request(kind string, spec any, name, why string, q limit) Case[Request, Admission] {
	text, err := json.Marshal(spec)
	if err != nil {
		panic(err) // no object of this package
	}
	return Case[Request, Admission]{
		Name: fmt.Sprintf("%s: %s", name, q.name), Why: why + " " + q.why,
		Input: Request{Kind: kind, Spec: text, Scopes: q.scopes, Hard: amounts(q.hard), Used: amounts(q.used)},
	}
}

func amounts(text string) Amounts {
	return AmountsOf(testkit.List(strings.Fields(strings.ReplaceAll(text, ",", " "))...))
}

var quotasForPods = []limit{
	{"room for cpu", "The quota has room.", "cpu 10", "cpu 1", nil},
	{"cpu to the last milli-unit", "The used and the requested amount may add up to exactly the hard limit.", "requests.cpu 1500m", "requests.cpu 500m", nil},
	{"cpu by one milli-unit too much", "A milli-unit above the hard limit is too much.", "requests.cpu 1499m", "requests.cpu 500m", nil},
	{"two names of cpu", "cpu and requests.cpu are two names for the same usage, each with its own hard limit.", "cpu 10, requests.cpu 1", "cpu 1, requests.cpu 500m", nil},
	{"memory and limits", "Every name that is exceeded is in the message, sorted.", "requests.memory 1Gi, limits.memory 1Gi", "requests.memory 900Mi, limits.memory 1000Mi", nil},
	{"limits alone", "A quota on limits requires every container to set a limit.", "limits.cpu 100, limits.memory 100Gi", "limits.cpu 0, limits.memory 0", nil},
	{"pods", "Pods count one each.", "pods 5", "pods 4", nil},
	{"no pods left", "The count is exceeded.", "pods 5, count/pods 100", "pods 5, count/pods 5", nil},
	{"over already", "The namespace uses more than its hard limit; a pod that requests nothing of it still passes.", "requests.memory 1Gi", "requests.memory 5Gi", nil},
	{"devices", "Only requests of extended resources count.", "requests.example.com/gpu 2", "requests.example.com/gpu 1", nil},
	{"local storage", "Local storage has two names for its requests.", "ephemeral-storage 10Gi, requests.ephemeral-storage 1Gi", "ephemeral-storage 0, requests.ephemeral-storage 0", nil},
	{"scope BestEffort", "A quota with a scope applies only to pods within that scope.", "pods 0", "pods 0", []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeBestEffort}},
	{"scope NotBestEffort", "A quota with a scope applies only to pods within that scope.", "pods 0, requests.cpu 0", "pods 0, requests.cpu 0", []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeNotBestEffort}},
	{"scope Terminating", "A pod is terminating if it has a deadline.", "pods 0", "pods 0", []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeTerminating}},
	{"a name of other objects", "A quota without resources of pods does not apply to them.", "services 0", "services 0", nil},
}

var quotasForClaims = []limit{
	{"claims", "The count of claims.", "persistentvolumeclaims 3", "persistentvolumeclaims 2", nil},
	{"storage", "The sum of all classes.", "requests.storage 10Gi", "requests.storage 5Gi", nil},
	{"storage by a byte too much", "A byte above the hard limit is too much.", "requests.storage 10737418239", "requests.storage 5Gi", nil},
	{"class gold", "The sum of one class.", "gold.storageclass.storage.k8s.io/requests.storage 8Gi", "gold.storageclass.storage.k8s.io/requests.storage 5Gi", nil},
	{"no claims of gold", "The count of one class.", "gold.storageclass.storage.k8s.io/persistentvolumeclaims 0", "gold.storageclass.storage.k8s.io/persistentvolumeclaims 0", nil},
}

var quotasForServices = []limit{
	{"services", "The count of Services.", "services 2", "services 2", nil},
	{"node ports", "Each port counts.", "services.nodeports 2", "services.nodeports 1", nil},
	{"load balancers", "The count of load balancers.", "services.loadbalancers 1", "services.loadbalancers 1", nil},
}

func quotaPods() []named {
	cpu := func(request, limit string) corev1.PodSpec {
		return pod(testkit.Container("app", testkit.List("cpu", request, "memory", "128Mi"), testkit.List("cpu", limit, "memory", "256Mi")))
	}
	init := cpu("100m", "200m")
	init.InitContainers = []corev1.Container{testkit.Container("setup", testkit.List("cpu", "1"), testkit.List("cpu", "2", "memory", "2Gi"))}
	side := cpu("100m", "200m")
	side.InitContainers = []corev1.Container{testkit.Sidecar("proxy", testkit.List("cpu", "900m"), nil)}
	overhead := cpu("750m", "1")
	overhead.Overhead = testkit.List("cpu", "250m")
	level := cpu("100m", "200m")
	level.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "1")}
	deadline, seconds := cpu("100m", "200m"), int64(60)
	deadline.ActiveDeadlineSeconds = &seconds
	return []named{
		{"a pod that sets nothing", "It is BestEffort, and uses only a count.", pod(testkit.Container("app", nil, nil))},
		{"a pod of one CPU", "The simplest pod.", cpu("1", "1")},
		{"a pod with limits above its requests", "Requests and limits count separately.", cpu("500m", "1")},
		{"a pod with a large init container", "The init container counts if it exceeds the others.", init},
		{"a pod with a sidecar without limits", "A sidecar counts with the containers, and has to set the amounts that the quota requires, too.", side},
		{"a pod with overhead", "The overhead counts.", overhead},
		{"a pod with requests at the pod level", "They replace the sum of the containers.", level},
		{"a pod with a device", "A device counts by its request.", pod(testkit.Container("app", testkit.List("example.com/gpu", "1"), testkit.List("example.com/gpu", "1")))},
		{"a pod with local storage", "Local storage counts.", pod(testkit.Container("app", testkit.List("ephemeral-storage", "2Gi"), testkit.List("ephemeral-storage", "4Gi")))},
		{"a pod with huge pages", "Huge pages count.", pod(testkit.Container("app", testkit.List("cpu", "1", "hugepages-2Mi", "64Mi"), testkit.List("cpu", "1", "hugepages-2Mi", "64Mi")))},
		{"a pod with a deadline", "It is terminating.", deadline},
		{"a pod of two containers, one of them without amounts", "The quota requires amounts for each container.", pod(cpu("1", "1").Containers[0], testkit.Container("free", nil, nil))},
	}
}

// Quota is the quota of a request, as its controller has left it.
func (r Request) Quota() (*corev1.ResourceQuota, error) {
	q := &corev1.ResourceQuota{}
	q.Name, q.Spec.Scopes = "quota", r.Scopes
	var err error
	if q.Spec.Hard, err = r.Hard.List(); err != nil {
		return nil, err
	}
	q.Status.Hard = q.Spec.Hard.DeepCopy()
	q.Status.Used, err = r.Used.List()
	return q, err
}
