package admit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit"
)

// The slow reference: the LimitRanger's functions, line by line, on the types of k8s.io/api, with the LimitRanges
// in one order for defaults and in another for bounds, and quotas in a third. It covers pods without pod-level
// resources and extended resources, and the object counts and ephemeral storage of quotas.

// mutateInTurn is PodMutateLimitFunc for one LimitRange after the other.
func mutateInTurn(ranges []*corev1.LimitRange, pod *corev1.Pod) {
	for _, lr := range ranges {
		defaults := corev1.ResourceRequirements{Requests: corev1.ResourceList{}, Limits: corev1.ResourceList{}}
		for i := range lr.Spec.Limits {
			if item := &lr.Spec.Limits[i]; item.Type == corev1.LimitTypeContainer {
				for name, q := range item.DefaultRequest {
					defaults.Requests[name] = q.DeepCopy()
				}
				for name, q := range item.Default {
					defaults.Limits[name] = q.DeepCopy()
				}
			}
		}
		var annotations []string
		for i := range pod.Spec.Containers {
			annotations = mergeContainer(&pod.Spec.Containers[i], defaults, "container", annotations)
		}
		for i := range pod.Spec.InitContainers {
			annotations = mergeContainer(&pod.Spec.InitContainers[i], defaults, "init container", annotations)
		}
		if len(annotations) > 0 {
			if pod.Annotations == nil {
				pod.Annotations = map[string]string{}
			}
			pod.Annotations["kubernetes.io/limit-ranger"] = "LimitRanger plugin set: " + strings.Join(annotations, "; ")
		}
	}
}

func mergeContainer(c *corev1.Container, defaults corev1.ResourceRequirements, prefix string, annotations []string) []string {
	merge := func(list *corev1.ResourceList, defaults corev1.ResourceList) (set []string) {
		if *list == nil {
			*list = corev1.ResourceList{}
		}
		for name, q := range defaults {
			if _, found := (*list)[name]; !found {
				(*list)[name] = q.DeepCopy()
				set = append(set, string(name))
			}
		}
		slices.Sort(set)
		return set
	}
	limits, requests := merge(&c.Resources.Limits, defaults.Limits), merge(&c.Resources.Requests, defaults.Requests)
	if len(requests) > 0 {
		annotations = append(annotations, strings.Join(requests, ", ")+fmt.Sprintf(" request for %s %s", prefix, c.Name))
	}
	if len(limits) > 0 {
		annotations = append(annotations, strings.Join(limits, ", ")+fmt.Sprintf(" limit for %s %s", prefix, c.Name))
	}
	return annotations
}

// enforcedValues is requestLimitEnforcedValues.
func enforcedValues(request, limit, enforced resource.Quantity) (r, l, e int64) {
	r, l, e = request.Value(), limit.Value(), enforced.Value()
	if r <= resource.MaxMilliValue && l <= resource.MaxMilliValue && e <= resource.MaxMilliValue {
		return request.MilliValue(), limit.MilliValue(), enforced.MilliValue()
	}
	return r, l, e
}

// constraintsOf are minConstraint, maxConstraint and limitRequestRatioConstraint for all resources of an item.
func constraintsOf(item *corev1.LimitRangeItem, requests, limits corev1.ResourceList) (errs []string) {
	add := func(format string, args ...any) { errs = append(errs, fmt.Sprintf(format, args...)) }
	for name, enforced := range item.Min {
		request, requested := requests[name]
		limit, limited := limits[name]
		r, l, e := enforcedValues(request, limit, enforced)
		switch prefix := fmt.Sprintf("minimum %s usage per %s is %s", name, item.Type, enforced.String()); {
		case !requested:
			add("%s.  No request is specified", prefix)
		case r < e:
			add("%s, but request is %s", prefix, request.String())
		case limited && l < e:
			add("%s, but limit is %s", prefix, limit.String())
		}
	}
	for name, enforced := range item.Max {
		request, requested := requests[name]
		limit, limited := limits[name]
		r, l, e := enforcedValues(request, limit, enforced)
		switch prefix := fmt.Sprintf("maximum %s usage per %s is %s", name, item.Type, enforced.String()); {
		case !limited:
			add("%s.  No limit is specified", prefix)
		case l > e:
			add("%s, but limit is %s", prefix, limit.String())
		case requested && r > e:
			add("%s, but request is %s", prefix, request.String())
		}
	}
	for name, enforced := range item.MaxLimitRequestRatio {
		request, requested := requests[name]
		limit, limited := limits[name]
		r, l, _ := enforcedValues(request, limit, enforced)
		prefix := fmt.Sprintf("%s max limit to request ratio per %s is %s", name, item.Type, enforced.String())
		if !requested || r == 0 {
			add("%s, but no request is specified or request is 0", prefix)
			continue
		}
		if !limited || l == 0 {
			add("%s, but no limit is specified or limit is 0", prefix)
			continue
		}
		ratio := float64(l) / float64(r)
		observed, most := ratio, float64(enforced.Value())
		if enforced.Value() <= resource.MaxMilliValue {
			observed, most = ratio*1000, float64(enforced.MilliValue())
		}
		if observed > most {
			add("%s, but provided ratio is %f", prefix, ratio)
		}
	}
	return errs
}

// validateLimits is PodValidateLimitFunc: the messages of one LimitRange.
func validateLimits(lr *corev1.LimitRange, pod *corev1.Pod) (errs []string) {
	for i := range lr.Spec.Limits {
		switch item := &lr.Spec.Limits[i]; item.Type {
		case corev1.LimitTypeContainer:
			for _, containers := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
				for _, c := range containers {
					errs = append(errs, constraintsOf(item, c.Resources.Requests, c.Resources.Limits)...)
				}
			}
		case corev1.LimitTypePod:
			requests := sumOfPod(pod, func(r *corev1.ResourceRequirements) corev1.ResourceList { return r.Requests })
			limits := sumOfPod(pod, func(r *corev1.ResourceRequirements) corev1.ResourceList { return r.Limits })
			errs = append(errs, constraintsOf(item, requests, limits)...)
		}
	}
	return errs
}

// sumOfPod is podRequests and podLimits of a pod without sidecars.
func sumOfPod(pod *corev1.Pod, of func(r *corev1.ResourceRequirements) corev1.ResourceList) corev1.ResourceList {
	sum := corev1.ResourceList{}
	for i := range pod.Spec.Containers {
		for name, q := range of(&pod.Spec.Containers[i].Resources) {
			if have, found := sum[name]; found {
				have.Add(q)
				sum[name] = have
			} else {
				sum[name] = q.DeepCopy()
			}
		}
	}
	for i := range pod.Spec.InitContainers {
		for name, q := range of(&pod.Spec.InitContainers[i].Resources) {
			if have, found := sum[name]; !found || q.Cmp(have) > 0 {
				sum[name] = q.DeepCopy()
			}
		}
	}
	return sum
}

// requestsAboveLimits is the part of the validation of a pod that defaults can fail.
func requestsAboveLimits(pod *corev1.Pod) (errs field.ErrorList) {
	for i, containers := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
		for j, c := range containers {
			path := field.NewPath("spec", []string{"containers", "initContainers"}[i]).Index(j).Child("resources", "requests")
			for _, name := range []corev1.ResourceName{"cpu", "ephemeral-storage", "memory"} {
				request, requested := c.Resources.Requests[name]
				if limit, limited := c.Resources.Limits[name]; requested && limited && request.Cmp(limit) > 0 {
					errs = append(errs, field.Invalid(path, request.String(), fmt.Sprintf("must be less than or equal to %s limit of %s", name, limit.String())))
				}
			}
		}
	}
	return errs
}

// exceeds is what CheckRequest says about one quota on pods and ephemeral storage.
func exceeds(q *corev1.ResourceQuota, pod *corev1.Pod) string {
	usage := corev1.ResourceList{"pods": resource.MustParse("1")}
	requests := sumOfPod(pod, func(r *corev1.ResourceRequirements) corev1.ResourceList { return r.Requests })
	limits := sumOfPod(pod, func(r *corev1.ResourceRequirements) corev1.ResourceList { return r.Limits })
	if request, found := requests["ephemeral-storage"]; found {
		usage["requests.ephemeral-storage"] = request
	}
	if limit, found := limits["ephemeral-storage"]; found {
		usage["limits.ephemeral-storage"] = limit
	}
	var requested, used, limited []string
	for _, name := range []corev1.ResourceName{"limits.ephemeral-storage", "pods", "requests.ephemeral-storage"} {
		hard, limits := q.Status.Hard[name]
		delta, uses := usage[name]
		if !limits || !uses || delta.IsZero() {
			continue
		}
		have := q.Status.Used[name]
		after := have.DeepCopy()
		if after.Add(delta); after.Cmp(hard) > 0 {
			requested = append(requested, fmt.Sprintf("%s=%s", name, delta.String()))
			used = append(used, fmt.Sprintf("%s=%s", name, have.String()))
			limited = append(limited, fmt.Sprintf("%s=%s", name, hard.String()))
		}
	}
	if requested == nil {
		return ""
	}
	return fmt.Sprintf("exceeded quota: %s, requested: %s, used: %s, limited: %s", q.Name, strings.Join(requested, ","), strings.Join(used, ","), strings.Join(limited, ","))
}

// referenceAnswers calls yield with the stored or refused pod and its answer, "admitted" if there is none, for all
// orders: of LimitRanges for defaults, of LimitRanges for bounds, and of quotas.
func referenceAnswers(ranges []*corev1.LimitRange, quotas []*corev1.ResourceQuota, sent *corev1.Pod, yield func(defaults, bounds, quotas []string, pod *corev1.Pod, answer string)) {
	stored := completed(ranges)
	for _, defaults := range orders(stored) {
		pod := sent.DeepCopy()
		for _, containers := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
			for i := range containers {
				r := &containers[i].Resources
				for name, limit := range r.Limits {
					if _, found := r.Requests[name]; !found {
						if r.Requests == nil {
							r.Requests = corev1.ResourceList{}
						}
						r.Requests[name] = limit.DeepCopy()
					}
				}
			}
		}
		mutateInTurn(defaults, pod)
		invalid := requestsAboveLimits(pod)
		violations, exceeded := map[string][]string{}, map[string]string{}
		for _, lr := range stored {
			violations[lr.Name] = validateLimits(lr, pod)
		}
		for _, q := range quotas {
			exceeded[q.Name] = exceeds(q, pod)
		}
		for _, bounds := range orders(stored) {
			for _, inQuotas := range orders(quotas) {
				yield(namesOf(defaults), namesOf(bounds), namesOf(inQuotas), pod, referenceAnswer(pod, invalid, namesOf(bounds), violations, namesOf(inQuotas), exceeded))
			}
		}
	}
}

func referenceAnswer(pod *corev1.Pod, invalid field.ErrorList, bounds []string, violations map[string][]string, quotas []string, exceeded map[string]string) string {
	if len(invalid) > 0 {
		return normalized(apierrors.NewInvalid(schema.GroupKind{Kind: "Pod"}, pod.Name, invalid).Error())
	}
	forbidden := fmt.Sprintf("pods %q is forbidden: ", pod.Name)
	for _, name := range bounds {
		all := slices.Compact(slices.Sorted(slices.Values(violations[name])))
		if len(all) == 1 {
			return forbidden + all[0]
		}
		if len(all) > 1 {
			return normalized(forbidden + "[" + strings.Join(all, ", ") + "]")
		}
	}
	for _, name := range quotas {
		if exceeded[name] != "" {
			return forbidden + exceeded[name]
		}
	}
	return "admitted"
}

// normalized returns a message with the parts in brackets sorted.
func normalized(message string) string {
	head, list, found := strings.Cut(message, ": [")
	if !found {
		return message
	}
	parts := strings.Split(strings.TrimSuffix(list, "]"), ", ")
	slices.Sort(parts)
	return head + ": [" + strings.Join(parts, ", ") + "]"
}

// orders returns a list in all orders.
func orders[T any](list []T) [][]T {
	if len(list) == 0 {
		return [][]T{nil}
	}
	var all [][]T
	for i, first := range list {
		for _, rest := range orders(slices.Concat(list[:i], list[i+1:])) {
			all = append(all, append([]T{first}, rest...))
		}
	}
	return all
}

func namesOf[O metav1.Object](objects []O) (names []string) {
	for _, o := range objects {
		names = append(names, o.GetName())
	}
	return names
}

// inFull returns an order of all names: the given ones, then the others by name.
func inFull(first, all []string) string {
	names := slices.Clone(first)
	for _, name := range slices.Sorted(slices.Values(all)) {
		if !slices.Contains(first, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// contested draws up to four LimitRanges with defaults and bounds of the same resources, that the API server would store.
func contested() *rapid.Generator[[]*corev1.LimitRange] {
	return rapid.Custom(func(t *rapid.T) (ranges []*corev1.LimitRange) {
		amounts := func(often int, values ...string) *rapid.Generator[corev1.ResourceList] {
			return rapid.Custom(func(t *rapid.T) corev1.ResourceList {
				drawn := corev1.ResourceList{}
				for _, name := range []corev1.ResourceName{"cpu", "memory", "ephemeral-storage"} {
					if rapid.IntRange(1, often).Draw(t, string(name)) == 1 {
						drawn[name] = resource.MustParse(rapid.SampledFrom(values).Draw(t, "amount"))
					}
				}
				return drawn
			})
		}
		for _, name := range []string{"a", "b", "c", "d"}[:rapid.IntRange(0, 4).Draw(t, "LimitRanges")] {
			item := corev1.LimitRangeItem{
				Type: corev1.LimitTypeContainer, Default: amounts(3, "1", "2", "3", "1Gi", "1073741824").Draw(t, "default"), DefaultRequest: amounts(3, "1", "1", "2", "500m", "3").Draw(t, "default request"),
				Max: amounts(6, "2", "3", "4").Draw(t, "max"), Min: amounts(6, "100m", "1", "2").Draw(t, "min"), MaxLimitRequestRatio: amounts(8, "1", "1.5", "2").Draw(t, "ratio"),
			}
			lr := limitRange(name, item)
			if rapid.IntRange(0, 3).Draw(t, "of pods") == 0 {
				lr.Spec.Limits = append(lr.Spec.Limits, corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: amounts(3, "2", "3", "4", "5").Draw(t, "max"), Min: amounts(5, "1", "3").Draw(t, "min")})
			}
			if _, err := admit.Compile([]*corev1.LimitRange{lr}, nil, admit.Options{}); err == nil {
				ranges = append(ranges, lr)
			}
		}
		return ranges
	})
}

// contestedPod draws a pod that lacks many amounts.
func contestedPod() *rapid.Generator[*corev1.Pod] {
	return rapid.Custom(func(t *rapid.T) *corev1.Pod {
		list := rapid.Custom(func(t *rapid.T) corev1.ResourceList {
			drawn := corev1.ResourceList{}
			for _, name := range []corev1.ResourceName{"cpu", "memory", "ephemeral-storage"} {
				if rapid.IntRange(0, 5).Draw(t, string(name)) == 0 {
					drawn[name] = resource.MustParse(rapid.SampledFrom([]string{"1", "2", "3"}).Draw(t, "amount"))
				}
			}
			return drawn
		})
		containers := func(prefix string, n int) (all []corev1.Container) {
			for i := range n {
				all = append(all, corev1.Container{Name: fmt.Sprint(prefix, i), Resources: corev1.ResourceRequirements{Requests: list.Draw(t, "requests"), Limits: list.Draw(t, "limits")}})
			}
			return all
		}
		pod := bare()
		pod.Spec.Containers = containers("c", rapid.IntRange(1, 2).Draw(t, "containers"))
		pod.Spec.InitContainers = containers("i", rapid.IntRange(0, 1).Draw(t, "init containers"))
		return pod
	})
}

// contestedQuotas draws quotas that some of these pods exceed.
func contestedQuotas() *rapid.Generator[[]*corev1.ResourceQuota] {
	return rapid.Custom(func(t *rapid.T) (quotas []*corev1.ResourceQuota) {
		for _, name := range []string{"x", "y"}[:rapid.IntRange(0, 2).Draw(t, "quotas")] {
			hard, used := corev1.ResourceList{}, corev1.ResourceList{}
			for _, resourceName := range []corev1.ResourceName{"limits.ephemeral-storage", "pods", "requests.ephemeral-storage"} {
				if rapid.IntRange(0, 2).Draw(t, string(resourceName)) == 0 {
					hard[resourceName] = resource.MustParse(rapid.SampledFrom([]string{"2", "4", "8"}).Draw(t, "hard"))
					used[resourceName] = resource.MustParse(rapid.SampledFrom([]string{"0", "1", "2"}).Draw(t, "used"))
				}
			}
			quotas = append(quotas, resourceQuota(name, hard, used))
		}
		return quotas
	})
}

// Possible returns exactly the amounts and answers of all orders, each of them once, with an order that leads to it.
func TestPossibleIsAllOrders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ranges, quotas, pod := contested().Draw(t, "ranges"), contestedQuotas().Draw(t, "quotas"), contestedPod().Draw(t, "pod")
		namespace := compile(t, ranges, quotas, admit.Options{})
		o := namespace.Possible(nil, pod, admit.Attributes{})
		want, annotations := map[string]bool{}, map[string]string{}
		admitted, refused := false, false
		referenceAnswers(ranges, quotas, pod, func(defaults, bounds, inQuotas []string, pod *corev1.Pod, answer string) {
			key := amountsOf(&pod.Spec) + " " + answer
			want[key] = true
			annotations[fmt.Sprint(strings.Join(defaults, " "), "; ", strings.Join(bounds, " "), "; ", strings.Join(inQuotas, " "), ": ", key)] = pod.Annotations["kubernetes.io/limit-ranger"]
			admitted, refused = admitted || answer == "admitted", refused || answer != "admitted"
		})
		got := map[string]bool{}
		for _, d := range o.Decisions {
			key := amountsOf(&d.Object.(*corev1.Pod).Spec) + " " + normalized(answerText(d))
			if got[key] {
				t.Fatalf("twice: %s", key)
			}
			got[key] = true
			order := fmt.Sprint(inFull(d.Order.Defaults, namesOf(ranges)), "; ", inFull(d.Order.Bounds, namesOf(ranges)), "; ", inFull(d.Order.Quotas, namesOf(quotas)), ": ", key)
			annotation, found := annotations[order]
			if !found {
				t.Fatalf("the order does not lead to the answer: %s", order)
			}
			if is := d.Object.(*corev1.Pod).Annotations["kubernetes.io/limit-ranger"]; is != annotation {
				t.Fatalf("annotation %q, want %q, in order %s", is, annotation, order)
			}
		}
		if len(want) <= 64 && !o.Incomplete {
			testkit.NoDiff(t, got, want)
		} else if len(o.Decisions) != 64 {
			t.Fatalf("%d decisions of %d", len(o.Decisions), len(want))
		}
		if !o.Incomplete && (o.Depends != (admitted && refused) || o.Always != !refused || o.Never != !admitted) {
			t.Fatalf("%s, but admitted %v, refused %v", verdict(o), admitted, refused)
		}
		testkit.NoDiff(t, o.Decisions[0], namespace.Create(pod, admit.Attributes{}))
	})
}

// The amounts of a resize, and whether it is admitted, are those of all orders: of namespaces whose LimitRanges have
// names in that order.
func TestPossibleResizesAreAllOrders(t *testing.T) {
	several := 0
	rapid.Check(t, func(t *rapid.T) {
		ranges, quotas := contested().Draw(t, "ranges"), contestedQuotas().Draw(t, "quotas")
		old := contestedPod().Draw(t, "pod")
		old.ResourceVersion = "1"
		for i := range old.Spec.Containers {
			old.Spec.Containers[i].Resources.Requests["cpu"] = resource.MustParse("500m")
		}
		updated := old.DeepCopy()
		for i := range updated.Spec.Containers {
			r := &updated.Spec.Containers[i].Resources
			r.Requests["cpu"] = resource.MustParse("1")
			if rapid.Bool().Draw(t, "limit") {
				r.Limits["memory"] = resource.MustParse("2")
			}
		}
		o := compile(t, ranges, quotas, admit.Options{}).Possible(old, updated, admit.Attributes{Subresource: "resize"})
		want, got := map[string]bool{}, map[string]bool{}
		for _, order := range orders(ranges) {
			var renamed []*corev1.LimitRange
			for i, lr := range order {
				own := lr.DeepCopy()
				own.Name = fmt.Sprint(i, lr.Name)
				renamed = append(renamed, own)
			}
			d := compile(t, renamed, quotas, admit.Options{}).Update(old, updated, admit.Attributes{Subresource: "resize"})
			want[fmt.Sprint(amountsOf(&d.Object.(*corev1.Pod).Spec), d.Admitted())] = true
		}
		for _, d := range o.Decisions {
			got[fmt.Sprint(amountsOf(&d.Object.(*corev1.Pod).Spec), d.Admitted())] = true
		}
		if diff := cmp.Diff(want, got); diff != "" && !o.Incomplete {
			t.Fatalf("(-all orders +Possible):\n%s", diff)
		}
		if len(want) > 1 {
			several++
		}
	})
	if !testing.Short() && several == 0 { // every third draw
		t.Error("no resize depended on the order")
	}
}

// completed returns copies of LimitRanges with the defaults that the API server stores.
func completed(ranges []*corev1.LimitRange) (list []*corev1.LimitRange) {
	for _, lr := range ranges {
		if lr = lr.DeepCopy(); lr == nil {
			continue
		}
		for i := range lr.Spec.Limits {
			lr.Spec.Limits[i] = limitrange.WithDefaults(lr.Spec.Limits[i])
		}
		list = append(list, lr)
	}
	return list
}
