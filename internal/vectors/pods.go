package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
)

// A Pod is the part of a pod that matters for the question. It is text, since amounts would otherwise
// lose their notation: a Quantity writes "007" as "7".
type Pod struct {
	Spec json.RawMessage `json:"spec"`
}

// PodOf writes a spec, in which an amount of placeholder stands for the texts that are given.
func PodOf(spec corev1.PodSpec, notation ...string) Pod {
	text, err := json.Marshal(spec)
	if err != nil {
		panic(err) // no spec of this package
	}
	for _, n := range notation {
		text = bytes.ReplaceAll(text, []byte(`"`+placeholder+`"`), []byte(n))
	}
	return Pod{text}
}

// placeholder is an amount that no case has.
const placeholder = "424242424242"

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

// Requests are pods whose requests and limits are asked for.
func Requests() []Case[Pod, Totals] {
	var cases []Case[Pod, Totals]
	add := func(name, why string, spec corev1.PodSpec) {
		cases = append(cases, Case[Pod, Totals]{Name: name, Why: why, Input: PodOf(spec)})
	}
	for _, n := range notations {
		for _, resource := range n.of {
			list := testkit.List(resource, placeholder)
			text := n.text
			if !n.number {
				text = `"` + text + `"`
			}
			cases = append(cases, Case[Pod, Totals]{
				Name: resource + " written " + text, Why: n.why,
				Input: PodOf(pod(testkit.Container("app", list, list)), text),
			})
		}
	}
	for _, order := range orders(3) {
		add("start order: "+order.name, order.why(), order.pod("cpu", "1", "3", "2", "500m"))
	}
	for _, order := range orders(2) {
		add("start order in bytes: "+order.name, "The same rule holds for memory. "+order.why(), order.pod("memory", "1Gi", "3Gi", "2Gi", "512Mi"))
		add("start order of a device: "+order.name, "The same rule holds for extended resources. "+order.why(), order.pod("example.com/gpu", "1", "3", "2", "1"))
	}
	for _, n := range []int{0, 1, 2, 3, 7, 50} {
		var many []corev1.Container
		for i := range n {
			list := testkit.List("cpu", fmt.Sprintf("%dm", 100*i+1), "memory", fmt.Sprintf("%dMi", i))
			many = append(many, testkit.Container(fmt.Sprint("c", i), list, list))
		}
		add(fmt.Sprintf("%d containers", n), "App containers run at the same time, so that their amounts are added.", pod(many...))
	}
	for _, c := range overheads() {
		add(c.name, c.why, c.spec)
	}
	for _, c := range podLevels() {
		add(c.name, c.why, c.spec)
	}
	for _, c := range kinds() {
		add(c.name, c.why, c.spec)
	}
	return cases
}

type named struct {
	name, why string
	spec      corev1.PodSpec
}

func pod(containers ...corev1.Container) corev1.PodSpec {
	return corev1.PodSpec{Containers: containers}
}

// notations are ways to write an amount, with the parsers that fail on them.
var notations = []struct {
	text, why string
	of        []string
	number    bool // of JSON, not a string
}{
	{"0", "A request of zero is a request: the resource is in the answer.", []string{"cpu", "memory", "example.com/gpu"}, false},
	{"1", "The plainest amount.", []string{"cpu", "memory", "example.com/gpu"}, false},
	{"1m", "The least CPU that the API keeps; for memory a thousandth of a byte, which is most often a typing error for Mi.", []string{"cpu", "memory"}, false},
	{"500m", "The suffix m is a thousandth, for memory as well.", []string{"cpu", "memory"}, false},
	{"1000m", "Equal to 1.", []string{"cpu", "memory"}, false},
	{"1500m", "A whole and a half.", []string{"cpu", "memory"}, false},
	{"0.1", "A decimal that binary floating point cannot hold.", []string{"cpu", "memory"}, false},
	{"0.5", "Equal to 500m.", []string{"cpu", "memory"}, false},
	{".5", "The digit before the point may be missing.", []string{"cpu"}, false},
	{"2.", "The digits after the point may be missing.", []string{"cpu"}, false},
	{"+1", "A plus sign is allowed.", []string{"cpu", "memory"}, false},
	{"007", "Leading zeros change nothing, and do not make the number octal.", []string{"cpu", "memory"}, false},
	{"1e3", "An exponent of ten, in lower case.", []string{"cpu", "memory"}, false},
	{"1E3", "An exponent of ten, in upper case: not 3 exa.", []string{"cpu", "memory"}, false},
	{"1E", "Without digits behind it, E is exa: 10^18.", []string{"memory"}, false},
	{"12e6", "An exponent instead of M.", []string{"memory"}, false},
	{"1e-3", "A negative exponent: equal to 1m.", []string{"cpu"}, false},
	{"1k", "The decimal kilo is written in lower case.", []string{"cpu", "memory"}, false},
	{"1Ki", "1024, where k is 1000.", []string{"cpu", "memory"}, false},
	{"1M", "10^6.", []string{"memory"}, false},
	{"1Mi", "2^20.", []string{"memory"}, false},
	{"1G", "10^9.", []string{"memory"}, false},
	{"1Gi", "2^30.", []string{"memory"}, false},
	{"1T", "10^12.", []string{"memory"}, false},
	{"1Ti", "2^40.", []string{"memory"}, false},
	{"1P", "10^15.", []string{"memory"}, false},
	{"1Pi", "2^50.", []string{"memory"}, false},
	{"1Ei", "2^60.", []string{"memory"}, false},
	{"1.5Gi", "A fraction with a binary suffix that is a whole number of bytes.", []string{"memory"}, false},
	{"0.1Gi", "A fraction with a binary suffix that is no whole number of bytes: 107374182.4.", []string{"memory"}, false},
	{"129e6", "One of the four notations of about 128 MB in the Kubernetes documentation.", []string{"memory"}, false},
	{"129M", "Another of them.", []string{"memory"}, false},
	{"128974848000m", "Another of them: thousandths of bytes.", []string{"memory"}, false},
	{"123Mi", "The last of them.", []string{"memory"}, false},
	{"128974848", "Plain bytes.", []string{"memory"}, false},
	{"9007199254740993", "2^53 + 1, which a double of JavaScript rounds.", []string{"memory"}, false},
	{"9223372036854775807", "2^63 - 1, the largest 64-bit integer.", []string{"memory"}, false},
	{"7Ei", "Close to the largest 64-bit integer: two of them do not fit.", []string{"memory"}, false},
	{"100u", "A tenth of a thousandth. Kubernetes keeps it in arithmetic, and the API server rounds it up to 1m when it stores it.", []string{"cpu"}, false},
	{"1n", "The finest unit that a quantity has.", []string{"cpu"}, false},
	{"0.333", "Thousandths that do not divide evenly.", []string{"cpu"}, false},
	{"64", "A large but real machine.", []string{"cpu", "example.com/gpu"}, false},
	{"100k", "More CPU than any machine has.", []string{"cpu"}, false},
	{"2", "A number of JSON instead of a string: YAML makes it of cpu: 2.", []string{"cpu", "memory"}, true},
	{"0.25", "A number of JSON with a fraction.", []string{"cpu"}, true},
	{"1e3", "A number of JSON with an exponent.", []string{"memory"}, true},
}

// An order is a sequence of init containers and sidecars: i is a small init container, I a large
// one, s a sidecar.
type order struct{ name string }

// orders returns all orders of at most n containers.
func orders(n int) []order {
	all := []order{{""}}
	for from, length := 0, 0; length < n; length++ {
		to := len(all)
		for _, shorter := range all[from:to] {
			for _, next := range []string{"i", "I", "s"} {
				all = append(all, order{shorter.name + next})
			}
		}
		from = to
	}
	for i := range all {
		words := strings.NewReplacer("i", "small init, ", "I", "large init, ", "s", "sidecar, ").Replace(all[i].name)
		all[i].name = strings.TrimSuffix(words+"app", ", ")
	}
	return all
}

func (o order) parts() []string {
	parts := strings.Split(o.name, ", ")
	return parts[:len(parts)-1]
}

// why describes which containers run when, which is the reason for the case.
func (o order) why() string {
	running, moments := 0, []string{}
	for _, part := range o.parts() {
		if part == "sidecar" {
			running++
			continue
		}
		moments = append(moments, fmt.Sprintf("a %s container %s", part, beside(running)))
	}
	moments = append(moments, "the app "+beside(running))
	return "The pod needs the most of these moments: " + strings.Join(moments, "; ") + "."
}

func beside(sidecars int) string {
	switch sidecars {
	case 0:
		return "alone"
	case 1:
		return "beside a sidecar"
	}
	return fmt.Sprintf("beside %d sidecars", sidecars)
}

func (o order) pod(resource, small, large, app, sidecar string) corev1.PodSpec {
	list := func(amount string) corev1.ResourceList { return testkit.List(resource, amount) }
	spec := pod(testkit.Container("app", list(app), list(app)))
	for i, part := range o.parts() {
		name := fmt.Sprint("c", i)
		switch part {
		case "sidecar":
			spec.InitContainers = append(spec.InitContainers, testkit.Sidecar(name, list(sidecar), list(sidecar)))
		case "small init":
			spec.InitContainers = append(spec.InitContainers, testkit.Container(name, list(small), list(small)))
		case "large init":
			spec.InitContainers = append(spec.InitContainers, testkit.Container(name, list(large), list(large)))
		}
	}
	return spec
}

func overheads() (cases []named) {
	small, large := testkit.List("cpu", "1", "memory", "1Gi"), testkit.List("cpu", "4", "memory", "4Gi")
	for _, c := range []struct {
		name string
		why  string
		spec corev1.PodSpec
	}{
		{"containers with requests and limits", "The overhead of the runtime class is added to the requests, and to limits that there are.", pod(testkit.Container("app", small, large))},
		{"containers with requests only", "There is no limit to add the overhead to, so that there is none in the answer.", pod(testkit.Container("app", small, nil))},
		{"containers with limits only", "Requests are the overhead alone: the answer takes the pod as it is, before defaults.", pod(testkit.Container("app", nil, small))},
		{"containers without anything", "The overhead counts although no container requests anything.", pod(testkit.Container("app", nil, nil))},
		{"an init container that needs the most", "The overhead is added after the most of init and app containers was taken, not to either of them.", corev1.PodSpec{InitContainers: []corev1.Container{testkit.Container("init", large, large)}, Containers: []corev1.Container{testkit.Container("app", small, small)}}},
		{"requests at the pod level", "The overhead is added to what is set at the pod level, too.", corev1.PodSpec{Containers: []corev1.Container{testkit.Container("app", small, nil)}, Resources: &corev1.ResourceRequirements{Requests: large.DeepCopy(), Limits: large.DeepCopy()}}},
	} {
		for _, overhead := range []corev1.ResourceList{testkit.List("cpu", "250m", "memory", "120Mi"), testkit.List("memory", "64Mi"), testkit.List("example.com/gpu", "1")} {
			c.spec.Overhead = overhead
			cases = append(cases, named{"overhead of " + names(overhead) + ": " + c.name, c.why, *c.spec.DeepCopy()})
		}
	}
	return cases
}

func podLevels() (cases []named) {
	containers := func() []corev1.Container {
		return []corev1.Container{
			testkit.Container("a", testkit.List("cpu", "1", "memory", "1Gi", "ephemeral-storage", "1Gi", "example.com/gpu", "1"), testkit.List("cpu", "2", "memory", "2Gi", "ephemeral-storage", "2Gi", "example.com/gpu", "1")),
			testkit.Container("b", testkit.List("cpu", "500m"), nil),
		}
	}
	init := []corev1.Container{testkit.Container("init", testkit.List("cpu", "8", "memory", "8Gi"), testkit.List("cpu", "8", "memory", "8Gi"))}
	for _, c := range []struct {
		name, why        string
		requests, limits corev1.ResourceList
	}{
		{"nothing", "An empty spec.resources changes nothing.", nil, nil},
		{"cpu requests", "What the pod requests of CPU replaces the sum of its containers; memory is still their sum.", testkit.List("cpu", "3"), nil},
		{"memory requests", "What the pod requests of memory replaces the sum of its containers; CPU is still their sum.", testkit.List("memory", "4Gi"), nil},
		{"cpu and memory requests", "Both are replaced.", testkit.List("cpu", "3", "memory", "4Gi"), nil},
		{"cpu limits", "A limit of the pod replaces the sum of limits. Requests do not follow from it here, as the API server would let them.", nil, testkit.List("cpu", "6")},
		{"memory limits", "The same for memory.", nil, testkit.List("memory", "6Gi")},
		{"requests and limits", "All four are replaced.", testkit.List("cpu", "3", "memory", "4Gi"), testkit.List("cpu", "6", "memory", "6Gi")},
		{"requests of zero", "Zero is set, and replaces the sum.", testkit.List("cpu", "0", "memory", "0"), nil},
		{"less than its containers", "The API server would refuse the pod; the arithmetic takes what the pod says.", testkit.List("cpu", "100m"), nil},
		{"huge pages", "Huge pages can be set at the pod level.", testkit.List("hugepages-2Mi", "64Mi"), testkit.List("hugepages-2Mi", "64Mi")},
		{"ephemeral storage", "Ephemeral storage cannot be set at the pod level: what stands there is ignored.", testkit.List("ephemeral-storage", "9Gi"), testkit.List("ephemeral-storage", "9Gi")},
		{"an extended resource", "Extended resources cannot be set at the pod level: what stands there is ignored.", testkit.List("example.com/gpu", "9"), nil},
	} {
		spec := corev1.PodSpec{Containers: containers(), Resources: &corev1.ResourceRequirements{Requests: c.requests, Limits: c.limits}}
		cases = append(cases, named{"pod level: " + c.name, c.why, spec})
		with := *spec.DeepCopy()
		with.InitContainers = init
		cases = append(cases, named{"pod level with a large init container: " + c.name, c.why + " A large init container counts only for what is not set at the pod level.", with})
	}
	return cases
}

// kinds returns one case for each kind of resource in each place of a pod.
func kinds() (cases []named) {
	small := testkit.List("cpu", "100m")
	for _, resource := range []struct{ name, amount, why string }{
		{"ephemeral-storage", "1.5Gi", "Local storage follows the rules of memory."},
		{"hugepages-2Mi", "64Mi", "Huge pages are a resource for each size of page."},
		{"hugepages-1Gi", "2Gi", "Another size of page is another resource."},
		{"example.com/gpu", "2", "An extended resource has a domain."},
		{"attachable-volumes-csi-x", "3", "A name that nothing in a pod should have is added up all the same."},
	} {
		list := testkit.List(resource.name, resource.amount)
		for _, place := range []string{"a container", "an init container", "a sidecar", "two containers", "limits only"} {
			spec := pod(testkit.Container("app", small, nil))
			switch place {
			case "a container":
				spec = pod(testkit.Container("app", list, list))
			case "an init container":
				spec.InitContainers = []corev1.Container{testkit.Container("init", list, list)}
			case "a sidecar":
				spec.InitContainers = []corev1.Container{testkit.Sidecar("proxy", list, list)}
			case "two containers":
				spec = pod(testkit.Container("a", list, list), testkit.Container("b", list, list))
			case "limits only":
				spec = pod(testkit.Container("app", nil, list))
			}
			cases = append(cases, named{resource.name + " in " + place, resource.why, spec})
		}
	}
	return cases
}

// names joins the names of a list in order.
func names(list corev1.ResourceList) string {
	var all []string
	for _, name := range []corev1.ResourceName{"cpu", "memory", "example.com/gpu"} {
		if _, ok := list[name]; ok {
			all = append(all, string(name))
		}
	}
	return strings.Join(all, " and ")
}
