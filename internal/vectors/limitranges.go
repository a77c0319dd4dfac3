package vectors

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
)

// A Creation is a pod, or a claim for storage, that is created in a namespace with a LimitRange. The
// LimitRange is as the API server has stored it: with the defaults that follow from its own bounds.
type Creation struct {
	LimitRange corev1.LimitRangeSpec `json:"limitRange"`
	Pod        *Pod                  `json:"pod,omitempty"`
	Storage    string                `json:"storage,omitempty"` // what a claim requests
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

// Creations are objects in namespaces with one LimitRange.
func Creations() []Case[Creation, Verdict] {
	var cases []Case[Creation, Verdict]
	add := func(name, why string, item corev1.LimitRangeItem, spec *corev1.PodSpec, storage string) {
		in := Creation{LimitRange: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{item}}, Storage: storage}
		if spec != nil {
			p := PodOf(*spec)
			in.Pod = &p
		}
		cases = append(cases, Case[Creation, Verdict]{Name: name, Why: why, Input: in})
	}
	for _, item := range containerItems() {
		for _, c := range containersFor(item.resource) {
			spec := pod(c.container)
			add(item.name+": "+c.words, item.why+" "+c.why, item.LimitRangeItem, &spec, "")
		}
	}
	for _, item := range podItems() {
		for _, c := range podsFor() {
			add(item.name+": "+c.name, item.why+" "+c.why, item.LimitRangeItem, &c.spec, "")
		}
	}
	for _, item := range claimItems() {
		for _, storage := range []string{"500Mi", "1Gi", "1073741825", "5Gi", "10Gi", "10737418241", "20Gi"} {
			add(item.name+": a claim of "+storage, item.why, item.LimitRangeItem, nil, storage)
		}
	}
	return cases
}

// item is an item of a LimitRange with its name.
type item struct {
	corev1.LimitRangeItem
	name, why, resource string
}

func containerItems() (items []item) {
	for _, resource := range []struct{ name, low, request, limit, high string }{
		{"memory", "128Mi", "256Mi", "512Mi", "1Gi"}, {"cpu", "100m", "250m", "500m", "1"},
	} {
		list := func(amount string) corev1.ResourceList { return testkit.List(resource.name, amount) }
		for _, set := range []struct{ words, why string }{
			{"default", "A default is the limit of a container that has none; requests follow from it."},
			{"defaultRequest", "A default request is the request of a container that has none; limits do not follow from it."},
			{"default defaultRequest", "Both defaults are filled in, each where its amount is missing."},
			{"max", "A maximum alone is also the default of limits and requests: the API server stores it so."},
			{"min", "A minimum alone is also the default of requests."},
			{"min max", "A minimum and a maximum."},
			{"maxLimitRequestRatio", "A limit is at most twice the request; both have to be set."},
			{"default max", "A default limit below the maximum."},
			{"defaultRequest min", "A default request above the minimum."},
			{"default defaultRequest min max", "Defaults within the bounds: what has no amounts passes."},
			{"default defaultRequest maxLimitRequestRatio", "A ratio that the defaults keep: what has no amounts passes."},
		} {
			i := corev1.LimitRangeItem{Type: corev1.LimitTypeContainer}
			for _, word := range strings.Fields(set.words) {
				switch word {
				case "default":
					i.Default = list(resource.limit)
				case "defaultRequest":
					i.DefaultRequest = list(resource.request)
				case "max":
					i.Max = list(resource.high)
				case "min":
					i.Min = list(resource.low)
				case "maxLimitRequestRatio":
					i.MaxLimitRequestRatio = list("2")
				}
			}
			items = append(items, item{i, resource.name + " " + set.words, set.why, resource.name})
		}
	}
	return items
}

func containersFor(resource string) (all []struct {
	words, why string
	container  corev1.Container
}) {
	low, middle, high := "64Mi", "512Mi", "2Gi"
	if resource == "cpu" {
		low, middle, high = "50m", "500m", "2"
	}
	list := func(amount string) corev1.ResourceList {
		if amount == "" {
			return nil
		}
		return testkit.List(resource, amount)
	}
	for _, c := range []struct{ request, limit, why string }{
		{"", "", "The container sets nothing."},
		{middle, "", "The container has a request alone."},
		{"", middle, "The container has a limit alone: the API server takes it as the request before any LimitRange."},
		{low, middle, "The request is low, and an eighth or a tenth of the limit."},
		{middle, high, "The limit is high, and four times the request."},
		{high, "", "A high request alone: a default limit may be below it, and the pod invalid."},
		{"", low, "A low limit alone."},
	} {
		words := strings.TrimSpace(fmt.Sprintf("%s %s", prefixed("request ", c.request), prefixed("limit ", c.limit)))
		if words == "" {
			words = "nothing"
		}
		all = append(all, struct {
			words, why string
			container  corev1.Container
		}{words, c.why, testkit.Container("app", list(c.request), list(c.limit))})
	}
	return all
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

func podItems() (items []item) {
	for _, set := range []struct {
		words, why      string
		min, max, ratio string
	}{
		{"max", "A maximum of the pod holds the sum of its containers; it gives no defaults.", "", "1Gi", ""},
		{"min", "A minimum of the pod holds the sum of its containers.", "256Mi", "", ""},
		{"min and max", "Both bounds of a pod.", "256Mi", "1Gi", ""},
		{"ratio", "A ratio of sums.", "", "", "2"},
	} {
		i := corev1.LimitRangeItem{Type: corev1.LimitTypePod}
		if set.min != "" {
			i.Min = testkit.List("memory", set.min)
		}
		if set.max != "" {
			i.Max = testkit.List("memory", set.max)
		}
		if set.ratio != "" {
			i.MaxLimitRequestRatio = testkit.List("memory", set.ratio)
		}
		items = append(items, item{i, "pod " + set.words, set.why, "memory"})
	}
	return items
}

func podsFor() []named {
	list := func(amount string) corev1.ResourceList { return testkit.List("memory", amount) }
	small := testkit.Container("a", list("128Mi"), list("256Mi"))
	large := testkit.Container("b", list("512Mi"), list("1Gi"))
	with := func(init corev1.Container, containers ...corev1.Container) corev1.PodSpec {
		return corev1.PodSpec{InitContainers: []corev1.Container{init}, Containers: containers}
	}
	level := pod(small)
	level.Resources = &corev1.ResourceRequirements{Requests: list("1Gi"), Limits: list("2Gi")}
	overhead := pod(small)
	overhead.Overhead = list("2Gi")
	return []named{
		{"one small container", "Its amounts are those of the pod.", pod(small)},
		{"one large container", "Its amounts are those of the pod.", pod(large)},
		{"two containers", "Neither breaks a bound by itself; their sum does.", pod(small, large)},
		{"a container without limits", "A container without a limit leaves the sum with less than the pod can use; the sum counts what is there.", pod(small, testkit.Container("b", list("128Mi"), nil))},
		{"nothing set", "A bound on something that no container sets is broken.", pod(testkit.Container("a", nil, nil))},
		{"a large init container", "The most of the init containers counts where it is above the sum of the others.", with(testkit.Container("init", list("2Gi"), list("2Gi")), small)},
		{"a sidecar", "A sidecar counts with the containers.", with(testkit.Sidecar("proxy", list("512Mi"), list("1Gi")), small)},
		{"requests at the pod level", "What is set at the pod level counts instead of the sum.", level},
		{"overhead", "LimitRanges do not count the overhead.", overhead},
	}
}

func claimItems() (items []item) {
	list := func(amount string) corev1.ResourceList { return testkit.List("storage", amount) }
	return []item{
		{corev1.LimitRangeItem{Type: corev1.LimitTypePersistentVolumeClaim, Min: list("1Gi")}, "storage min", "A claim may request no less than the minimum, to the byte.", "storage"},
		{corev1.LimitRangeItem{Type: corev1.LimitTypePersistentVolumeClaim, Max: list("10Gi")}, "storage max", "A claim may request no more than the maximum, to the byte.", "storage"},
		{corev1.LimitRangeItem{Type: corev1.LimitTypePersistentVolumeClaim, Min: list("1Gi"), Max: list("10Gi")}, "storage min and max", "Both bounds of a claim.", "storage"},
	}
}

// Object is the LimitRange of a creation, with a name.
func (c Creation) Object() *corev1.LimitRange {
	return &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Name: "limits"}, Spec: *c.LimitRange.DeepCopy()}
}
