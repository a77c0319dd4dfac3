package qos_test

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

var pressures = []qos.Pressure{"", qos.MemoryPressure, qos.StoragePressure, qos.InodePressure, qos.PIDPressure}

// evictions are the arguments of EvictionOrder.
type evictions struct {
	pods     []*corev1.Pod
	pressure qos.Pressure
	usage    map[types.UID]qos.PodUsage
	gates    computeresources.Kubernetes
}

func drawEvictions(t *rapid.T, most int) evictions {
	quantities := rapid.SampledFrom([]*rapid.Generator[resource.Quantity]{testkit.Quantity(), testkit.Bytes(), testkit.Bytes()}).Draw(t, "quantities")
	e := evictions{pods: testkit.NodePods(most, quantities).Draw(t, "pods"), usage: map[types.UID]qos.PodUsage{}}
	e.pressure = rapid.SampledFrom(pressures).Draw(t, "pressure")
	e.gates.Release = rapid.SampledFrom([]string{"", "1.36", "1.37", "1.38"}).Draw(t, "release")
	e.gates.PodLevelResources = testkit.OffIf(rapid.Bool().Draw(t, "ignore pod level"))
	for _, pod := range e.pods {
		if rapid.IntRange(0, 4).Draw(t, "known") > 0 {
			e.usage[pod.UID] = qos.PodUsage{
				Amount: testkit.Use().Draw(t, "amount"), Containers: testkit.Uses(pod).Draw(t, "containers"), EphemeralStorage: rapid.Int64Range(0, 3).Draw(t, "storage"),
				ContainerStorage: testkit.Uses(pod).Draw(t, "container storage"), VolumeStorage: testkit.Uses(pod).Draw(t, "volume storage"),
			}
		}
	}
	return e
}

func (e evictions) node() qos.NodePressure {
	threshold, available := resource.MustParse("1.5Gi"), resource.MustParse("1e3")
	return qos.NodePressure{Pressure: e.pressure, Usage: e.usage, Threshold: &threshold, Available: &available}
}

func (e evictions) order() []qos.Eviction {
	order, err := qos.EvictionOrder(e.pods, e.node(), e.gates)
	if err != nil {
		panic(err)
	}
	return order
}

func (e evictions) message(i int) string {
	message, err := qos.EvictionMessage(e.pods[i], e.node(), e.gates)
	if err != nil {
		panic(err)
	}
	return message
}

func TestUnknownPressure(t *testing.T) {
	const want = `pressure: Unsupported value: "no such": supported values: "ephemeral-storage", "inodes", "memory", "pids"`
	node := qos.NodePressure{Pressure: "no such"}
	order, err := qos.EvictionOrder([]*corev1.Pod{{}}, node, computeresources.Kubernetes{})
	testkit.Equal(t, fmt.Sprint(order, err), "[] "+want)
	message, err := qos.EvictionMessage(&corev1.Pod{}, node, computeresources.Kubernetes{})
	testkit.Equal(t, fmt.Sprint(message, err), want)
}

func TestEvictionContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawEvictions(t, 4)
		e.pods = append(e.pods, nil)
		threshold, available := testkit.Quantity().Draw(t, "threshold"), testkit.Quantity().Draw(t, "available")
		node := qos.NodePressure{Pressure: e.pressure, Usage: e.usage, Threshold: &threshold, Available: &available}
		testkit.Contract(t, func() any { return e.order() }, e.pods, node)
		testkit.Contract(t, func() any {
			var messages []string
			for _, pod := range e.pods {
				message, err := qos.EvictionMessage(pod, node, e.gates)
				testkit.OK(t, err)
				messages = append(messages, message)
			}
			return messages
		}, e.pods, node)
		testkit.EmptyIsNil(t, e.pods, func(pods []*corev1.Pod) any {
			e.pods = pods
			return e.order()
		})
	})
}

func TestEvictionOrderOfTwo(t *testing.T) {
	type used struct {
		amount   int64
		requests corev1.ResourceList
		priority int32
	}
	for _, test := range []struct {
		name          string
		pressure      qos.Pressure
		victim, other used
	}{
		{"of one tier, the larger usage minus request", qos.MemoryPressure, used{3 * gi, list("memory", "1Gi"), 0}, used{5 * gi, list("memory", "4Gi"), 0}},
		{"within the request, the one with less unused", qos.MemoryPressure, used{gi, list("memory", "2Gi"), 0}, used{3 * gi, list("memory", "8Gi"), 0}},
		{"the lower priority", qos.MemoryPressure, used{5 * gi, list("memory", "4Gi"), 0}, used{3 * gi, list("memory", "1Gi"), 1}},
		{"above the request, whatever the priority", qos.StoragePressure, used{2 * gi, list("ephemeral-storage", "1Gi"), 1}, used{2 * gi, list("ephemeral-storage", "2Gi"), 0}},
		{"inodes minus bytes of ephemeral-storage", qos.InodePressure, used{8, list("ephemeral-storage", "1"), 0}, used{9, list("ephemeral-storage", "3"), 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := evictions{pressure: test.pressure, usage: map[types.UID]qos.PodUsage{}}
			add := func(name string, pod used) {
				p := &corev1.Pod{Spec: corev1.PodSpec{Priority: &pod.priority, Containers: []corev1.Container{container("app", pod.requests, nil)}}}
				p.Name, p.UID = name, types.UID(name)
				e.pods = append(e.pods, p)
				e.usage[p.UID] = qos.PodUsage{Amount: pod.amount}
			}
			add("other", test.other) // the first by name
			add("victim", test.victim)
			testkit.Equal(t, e.pods[e.order()[0].Index].Name, "victim", "the first")
		})
	}
}

// The order and the amounts are those of fractions, pod by pod. Only pods in the order have a message.
func TestEvictionOrderEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawEvictions(t, 8)
		got, want := e.order(), e.slowOrder()
		testkit.Equal(t, len(got), len(want), "pods")
		messages := 0
		for i := range e.pods {
			if e.message(i) != "" {
				messages++
			}
		}
		testkit.Equal(t, messages, len(got), "messages")
		for i, slow := range want {
			testkit.Equal(t, got[i].Index, slow.index, "place", i)
			testkit.Equal(t, got[i].AboveLimit, slow.aboveLimit, "above a limit, at", i)
			testkit.Equal(t, got[i].AboveLimit, !strings.HasPrefix(e.message(slow.index), "The node was low on"), "a message about a limit, at", i)
			testkit.Equal(t, got[i].NoUsage, slow.noUsage, "no usage, at", i)
			if testkit.Exact(got[i].Request).Cmp(slow.request) != 0 || testkit.Exact(got[i].Excess).Cmp(slow.excess) != 0 {
				t.Fatalf("pod %d requests %v and exceeds it by %v, want %v and %v", slow.index, got[i].Request, got[i].Excess, slow.request, slow.excess)
			}
		}
	})
}

// slowEviction is an Eviction in fractions, and by what pods are compared in turn.
type slowEviction struct {
	index               int
	aboveLimit, noUsage bool
	request, excess     *big.Rat
	keys                []*big.Rat // the least first
}

func (e evictions) slowOrder() (all []slowEviction) {
	yes := func(b bool) *big.Rat { return big.NewRat(map[bool]int64{true: 0, false: 1}[b], 1) }
	for i, pod := range e.pods {
		static := pod.Annotations["kubernetes.io/config.source"]
		_, annotated := pod.Annotations["kubernetes.io/config.source"]
		_, mirror := pod.Annotations[corev1.MirrorPodAnnotationKey]
		var priority int32
		if pod.Spec.Priority != nil {
			priority = *pod.Spec.Priority
		}
		if annotated && static != "api" || mirror || priority >= 2e9 || pod.Status.Phase == "Succeeded" || pod.Status.Phase == "Failed" {
			continue
		}
		use, known := e.usage[pod.UID]
		s := slowEviction{index: i, noUsage: !known, request: new(big.Rat), excess: new(big.Rat)}
		s.aboveLimit = known && slowAboveLimit(&pod.Spec, use, e.gates.Release != "1.36")
		subtracted := new(big.Rat)
		switch e.pressure {
		case qos.MemoryPressure, qos.StoragePressure:
			s.request = slowEvictionRequest(pod.Spec, corev1.ResourceName(e.pressure), e.gates.PodLevelResources != nil)
			subtracted = s.request
		case qos.InodePressure:
			subtracted = slowEvictionRequest(pod.Spec, "ephemeral-storage", e.gates.PodLevelResources != nil)
		case qos.PIDPressure:
		}
		none := !slices.Contains(pressures[1:5], e.pressure)
		usage := big.NewRat(use.Amount, 1)
		more := usage.Cmp(s.request) > 0
		if known && !none {
			s.excess.Sub(usage, s.request)
		}
		beyond := new(big.Rat).Sub(subtracted, usage)
		switch {
		case none && !s.aboveLimit:
			continue
		case none:
			s.keys = []*big.Rat{yes(true), big.NewRat(int64(priority), 1)}
		case e.pressure == qos.PIDPressure:
			s.keys = []*big.Rat{yes(s.aboveLimit), big.NewRat(int64(priority), 1), yes(!known), beyond}
		default:
			s.keys = []*big.Rat{yes(s.aboveLimit), yes(!known), yes(known && more), big.NewRat(int64(priority), 1), beyond}
		}
		if !known && !none {
			s.keys[len(s.keys)-1] = new(big.Rat)
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b slowEviction) int {
		p, q := e.pods[a.index], e.pods[b.index]
		byName := cmp.Or(cmp.Compare(p.Namespace, q.Namespace), cmp.Compare(p.Name, q.Name), cmp.Compare(p.UID, q.UID))
		return cmp.Or(slices.CompareFunc(a.keys, b.keys, (*big.Rat).Cmp), byName)
	})
	return all
}

// slowEvictionRequest ignores the containers of a pod with pod-level resources, and overhead without a request.
func slowEvictionRequest(spec corev1.PodSpec, name corev1.ResourceName, ignorePodLevel bool) *big.Rat {
	overhead := testkit.Exact(spec.Overhead[name].DeepCopy())
	spec.Overhead = nil
	if ignorePodLevel {
		spec.Resources = nil
	} else if podLevel := spec.Resources; podLevel != nil {
		for _, list := range []corev1.ResourceList{podLevel.Requests, podLevel.Limits} {
			for set := range list {
				if set == "cpu" || set == "memory" || strings.HasPrefix(string(set), "hugepages-") {
					spec.Containers, spec.InitContainers = nil, nil
				}
			}
		}
	}
	requests, _ := testkit.SpecSums(&spec)
	request := requests[name]
	if request == nil || request.Sign() == 0 {
		return new(big.Rat)
	}
	return overhead.Add(overhead, request)
}

// slowAboveLimit compares local storage with the limits of a pod.
func slowAboveLimit(spec *corev1.PodSpec, use qos.PodUsage, sidecars bool) bool {
	above := func(bytes int64, limit *big.Rat) bool { return big.NewRat(bytes, 1).Cmp(limit) > 0 }
	for _, v := range spec.Volumes {
		if bytes, known := use.VolumeStorage[v.Name]; known && v.EmptyDir != nil {
			if limit := testkit.Exact(v.EmptyDir.SizeLimit.DeepCopy()); limit.Sign() > 0 && above(bytes, limit) {
				return true
			}
		}
	}
	_, limits := testkit.SpecSums(spec)
	if limit := limits["ephemeral-storage"]; limit != nil && above(use.EphemeralStorage, limit) {
		return true
	}
	all := slices.Clone(spec.Containers)
	for _, c := range spec.InitContainers {
		if sidecars && c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			all = append(all, c)
		}
	}
	return slices.ContainsFunc(all, func(c corev1.Container) bool {
		bytes, known := use.ContainerStorage[c.Name]
		limit := testkit.Exact(c.Resources.Limits["ephemeral-storage"].DeepCopy())
		return known && limit.Sign() != 0 && above(bytes, limit)
	})
}

// The order is total and does not depend on the order of the pods: any two of them alone, either way round,
// are in the order that they have among all.
func TestEvictionOrderIsTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawEvictions(t, 8)
		all := e.order()
		for i := range all {
			for j := range i {
				first, second := e.pods[all[j].Index], e.pods[all[i].Index]
				for _, pair := range [][]*corev1.Pod{{first, second}, {second, first}} {
					two := e
					two.pods = pair
					testkit.Equal(t, pair[two.order()[0].Index].UID, first.UID, "the first of two")
				}
			}
		}
	})
}

// Ties are broken by namespace, name, UID and at last the place in the list.
func TestEvictionOrderBreaksTies(t *testing.T) {
	var e evictions
	e.pressure = qos.PIDPressure
	for _, names := range []string{"b a 1", "a b 1", "a a 2", "a a 1", "a a 1"} {
		parts, pod := strings.Fields(names), &corev1.Pod{}
		pod.Namespace, pod.Name, pod.UID = parts[0], parts[1], types.UID(parts[2])
		e.pods = append(e.pods, pod)
	}
	var got []int
	for _, eviction := range e.order() {
		got = append(got, eviction.Index)
	}
	testkit.NoDiff(t, got, []int{3, 4, 2, 1, 0})
}

func TestEvictionMessage(t *testing.T) {
	limit, negative := resource.MustParse("1Gi"), resource.MustParse("-1")
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		Containers:     []corev1.Container{container("app", list("memory", "1Gi"), nil), container("tiny", nil, list("ephemeral-storage", "1Mi"))},
		InitContainers: []corev1.Container{sidecar("proxy", list("memory", "64Mi", "ephemeral-storage", "1k"), nil)},
		Volumes: []corev1.Volume{{Name: "scratch", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{SizeLimit: &limit, Medium: corev1.StorageMediumMemory}}},
			{Name: "odd", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{SizeLimit: &negative}}}},
	}}
	pod.Name = "web"
	leveled := pod.DeepCopy()
	leveled.Spec.Resources = &corev1.ResourceRequirements{Requests: list("memory", "2Gi", "ephemeral-storage", "1k")}
	leveled.Spec.Overhead = list("ephemeral-storage", "1Mi")
	amounts := qos.PodUsage{Amount: 3 * gi, Containers: map[string]int64{"app": gi, "proxy": 1 << 30}}
	const low = "The node was low on resource: "
	const proxy = "Container proxy was using 1Gi, request is "
	for _, test := range []struct {
		name     string
		pod      *corev1.Pod
		pressure qos.Pressure
		usage    *qos.PodUsage
		want     string
	}{
		{"memory", pod, qos.MemoryPressure, &amounts, low + "memory. " + proxy + "64Mi, has larger consumption of memory. "},
		{"pod level", leveled, qos.MemoryPressure, &amounts, low + "memory. Pod web was using 3Gi, request is 2Gi, has larger consumption of memory. " + proxy + "64Mi, has larger consumption of memory. "},
		{"within the pod level", leveled, qos.MemoryPressure, &qos.PodUsage{Amount: 1}, low + "memory. Pod web was using 1, request is 2Gi, has larger consumption of memory. "},
		{"storage without requests of a container", leveled, qos.StoragePressure, &amounts, low + "ephemeral-storage. " + proxy + "1k, has larger consumption of ephemeral-storage. Container app was using 1Gi, request is 0, has larger consumption of ephemeral-storage. "},
		{"inodes", pod, qos.InodePressure, &amounts, low + "inodes. "},
		{"no usage", pod, qos.PIDPressure, nil, low + "pids. "},
		{"no pressure", pod, "", &amounts, ""},
		{"an emptyDir", pod, "", &qos.PodUsage{VolumeStorage: map[string]int64{"scratch": gi + 1}}, `Usage of EmptyDir volume "scratch" exceeds the limit "1Gi". `},
		{"the sum of limits", pod, qos.PIDPressure, &qos.PodUsage{EphemeralStorage: 1<<20 + 1}, "Pod ephemeral local storage usage exceeds the total limit of containers 1Mi. "},
		{"the sum of limits and overhead", leveled, "", &qos.PodUsage{EphemeralStorage: 1<<20 + 1}, ""},
		{"a limit", pod, "", &qos.PodUsage{ContainerStorage: map[string]int64{"tiny": 1<<20 + 1}}, `Container tiny exceeded its local ephemeral storage limit "1Mi". `},
		{"at its limits", pod, "", &qos.PodUsage{EphemeralStorage: 1 << 20, VolumeStorage: map[string]int64{"scratch": gi, "odd": 1}}, ""},
	} {
		usage := map[types.UID]qos.PodUsage{}
		if test.usage != nil {
			usage[""] = *test.usage
		}
		message, err := qos.EvictionMessage(test.pod, qos.NodePressure{Pressure: test.pressure, Usage: usage, Available: &limit}, computeresources.Kubernetes{})
		testkit.OK(t, err)
		testkit.Equal(t, message, test.want, test.name)
	}
	node := qos.NodePressure{Pressure: qos.MemoryPressure, Usage: map[types.UID]qos.PodUsage{"": {Amount: 3 * gi}}, Threshold: &limit}
	ignored, err := qos.EvictionMessage(leveled, node, computeresources.Kubernetes{PodLevelResources: new(bool)})
	testkit.OK(t, err)
	testkit.Equal(t, ignored, low+"memory. ", "pod level ignored, nothing known to be available")
}

// A sidecar above its limit has the pod evicted since 1.37, and an init container never.
func TestEvictionByTheLimitOfASidecar(t *testing.T) {
	limit := list("ephemeral-storage", "1Gi")
	for _, test := range []struct {
		name string
		init corev1.Container
		want map[string]string
	}{
		{"sidecar", sidecar("logs", nil, limit), map[string]string{
			"": `Container logs exceeded its local ephemeral storage limit "1Gi". `, "1.36": "", "1.37": `Container logs exceeded its local ephemeral storage limit "1Gi". `,
		}},
		{"init container", container("logs", nil, limit), map[string]string{"": "", "1.36": "", "1.38": ""}},
	} {
		pod := &corev1.Pod{Spec: corev1.PodSpec{InitContainers: []corev1.Container{test.init}, Containers: []corev1.Container{container("app", nil, list("ephemeral-storage", "4Gi"))}}}
		node := qos.NodePressure{Usage: map[types.UID]qos.PodUsage{"": {EphemeralStorage: 2 * gi, ContainerStorage: map[string]int64{"logs": 2 * gi}}}}
		for release, want := range test.want {
			of := computeresources.Kubernetes{Release: release}
			message, err := qos.EvictionMessage(pod, node, of)
			testkit.OK(t, err)
			testkit.Equal(t, message, want, test.name, "of", release)
			order, err := qos.EvictionOrder([]*corev1.Pod{pod}, node, of)
			testkit.OK(t, err)
			testkit.Equal(t, len(order) == 1, want != "", test.name, "of", release, "is evicted")
		}
	}
}

// The draws reach what evictions distinguish.
func TestEvictionsReachEveryRule(t *testing.T) {
	testkit.Reached(t, 300, func(t *rapid.T) (reached []string) {
		e := drawEvictions(t, 8)
		for _, eviction := range e.order() {
			rules := map[string]bool{
				"above a limit": eviction.AboveLimit, "no usage": eviction.NoUsage, "above the request": eviction.Excess.Sign() > 0 && eviction.Request.Sign() > 0,
				"within the request": eviction.Excess.Sign() < 0,
			}
			words, _, _ := strings.Cut(e.message(eviction.Index), " ")
			reached = append(reached, "message: "+words)
			for rule, is := range rules {
				if is {
					reached = append(reached, rule)
				}
			}
		}
		return append(reached, "pressure: "+string(e.pressure))
	}, slices.Concat(testkit.Each("pressure: ", pressures),
		[]string{"above a limit", "no usage", "above the request", "within the request", "message: The", "message: Usage", "message: Pod", "message: Container"})...)
}
