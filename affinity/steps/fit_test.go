package steps_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestFit(t *testing.T) {
	document := bounded(cpu("1"), cpu("2"), cpu("300m"), cpu("3"), nil)
	ratio := func(r string) corev1.LimitRangeItem { return bounded(nil, nil, nil, nil, cpu(r)) }
	odd := document
	odd.Type = corev1.LimitTypePod
	request, limit := entry{"container step-a", "cpu", "request"}, entry{"container step-a", "cpu", "limit"}
	gpuRequest, gpuLimit := entry{"container step-a", "nvidia.com/gpu", "request"}, entry{"container step-a", "nvidia.com/gpu", "limit"}
	toEach := steps.Options{Division: division.Options{ToEach: true}}
	of := func(name, stated, limit string, item corev1.LimitRangeItem, changes ...string) filling {
		return filling{name, pod(step("step-a", stated, limit)), item, steps.Options{}, changes, nil}
	}
	never := func(name, stated, limit string, item corev1.LimitRangeItem, conflict string) filling {
		return filling{name, pod(step("step-a", stated, limit)), item, steps.Options{}, nil, []string{"container step-a cpu: " + conflict}}
	}
	whole := func(name, stated, limit string, item corev1.LimitRangeItem, changes ...string) filling {
		return filling{name, pod(stepOf("nvidia.com/gpu", "step-a", stated, limit)), item, steps.Options{}, changes, nil}
	}

	for _, test := range []filling{
		{"the document's second table", pod(step("step-a", "200m", "2"), step("step-b", "1", "4")), document, steps.Options{},
			[]string{request.change("200m", "300m"), "container step-b: change the cpu limit from 4 to 3"}, nil},
		{"nothing set", pod(step("step-a", "", ""), step("step-b", "", "")), document, steps.Options{},
			[]string{request.set("500m"), limit.set("2"), "container step-b: set the cpu request to 500m", "container step-b: set the cpu limit to 2"}, nil},
		{"a sidecar", pod(step("step-a", "1", "2"), step("sidecar-b", "", "")), document, steps.Options{},
			[]string{"container sidecar-b: set the cpu request to 1", "container sidecar-b: set the cpu limit to 2"}, nil},
		{"a default above the maximum", pod(step("step-a", "", "2")), bounded(cpu("9"), nil, nil, cpu("3"), nil), steps.Options{}, []string{request.set("2")}, nil},
		{"a default above the maximum is divided as the maximum", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(cpu("3"), nil, nil, cpu("1"), nil), steps.Options{},
			[]string{request.set("500m"), limit.set("1"), "container step-b: set the cpu request to 500m", "container step-b: set the cpu limit to 1"}, nil},
		{"init containers and native sidecars", &corev1.PodSpec{
			InitContainers: []corev1.Container{step("prepare", "100m", "1"), testkit.Sidecar("proxy", cpu("1"), cpu("5"))},
		}, document, steps.Options{}, []string{"init container prepare: change the cpu request from 100m to 300m", "sidecar proxy: change the cpu limit from 5 to 3"}, nil},
		{"no containers", pod(), document, steps.Options{}, nil, nil},
		{"no spec", nil, document, steps.Options{}, nil, nil},
		of("a LimitRange item of another type", "200m", "4", odd),

		of("within the bounds", "1", "2", document),
		of("at the bounds", "300m", "3", document),
		of("just outside the bounds", "299m", "3001m", document, request.change("299m", "300m"), limit.change("3001m", "3")),
		of("request and limit below the bounds", "100m", "200m", document, request.change("100m", "300m"), limit.change("200m", "300m")),
		of("request and limit above the bounds", "4", "5", document, request.change("4", "3"), limit.change("5", "3")),
		of("only a limit, below the part", "", "500m", document, request.set("500m")),
		of("only a limit, below the minimum", "", "100m", document, request.set("300m"), limit.change("100m", "300m")),
		of("only a request, above the default limit", "2500m", "", document, limit.set("2500m")),
		of("only a request, above the maximum", "5", "", document, request.change("5", "3"), limit.set("3")),
		of("no default limit", "1", "", bounded(nil, nil, nil, cpu("3"), nil), limit.set("3")),
		of("no limit at all", "100m", "", bounded(nil, nil, cpu("300m"), nil, nil), request.change("100m", "300m")),
		of("a default limit above the maximum", "1", "", bounded(nil, cpu("5"), nil, cpu("3"), nil), limit.set("3")),
		of("a default limit below the minimum", "", "", bounded(nil, cpu("100m"), cpu("300m"), nil, nil), request.set("300m"), limit.set("300m")),
		of("a default limit below a request", "2", "", bounded(nil, cpu("1"), nil, nil, nil), limit.set("2")),
		of("a negative default limit", "1", "", bounded(nil, cpu("-1"), nil, nil, nil)),
		of("a request above its limit", "2", "1", bounded(nil, nil, cpu("300m"), nil, nil), request.change("2", "1")),
		of("a request above its limit, without bounds", "2", "1", corev1.LimitRangeItem{}, request.change("2", "1")),
		of("a request above a limit of zero", "2", "0", corev1.LimitRangeItem{}, limit.change("0", "2")),
		of("no request above a limit of zero", "0", "0", corev1.LimitRangeItem{}),
		of("a limit of zero is missing", "1", "0", document, limit.change("0", "2")),
		of("a negative request", "-1", "2", document, request.change("-1", "1")),
		of("a negative request, of no default", "-1", "", bounded(nil, cpu("1"), nil, nil, nil), request.change("-1", "0"), limit.set("1")),
		of("a negative limit, of no default", "0", "-1", bounded(nil, nil, cpu("0"), nil, nil), limit.change("-1", "0")),
		of("a negative request of no bounds", "-2", "", corev1.LimitRangeItem{}, request.change("-2", "0")),
		of("a negative limit of no bounds", "", "-2", corev1.LimitRangeItem{}, limit.change("-2", "0")),
		of("negative amounts of no bounds", "-2", "-1", corev1.LimitRangeItem{}, request.change("-2", "0"), limit.change("-1", "0")),

		of("a minimum of zero requires a request", "", "", bounded(nil, nil, cpu("0"), nil, nil), request.set("0")),
		of("a negative minimum requires a request", "-2", "", bounded(nil, nil, cpu("-1"), nil, nil), request.change("-2", "0")),
		of("a maximum of zero", "1", "2", bounded(nil, nil, nil, cpu("0"), nil), request.change("1", "0"), limit.change("2", "0")),
		of("a maximum of zero demands a limit", "", "", bounded(nil, cpu("1"), nil, cpu("0"), nil), limit.set("0")),
		of("zero is within a maximum of zero", "0", "0", bounded(nil, nil, nil, cpu("0"), nil)),

		of("the ratio is kept", "1", "2", ratio("2")),
		of("the ratio is just not kept", "1", "2001m", ratio("2"), request.change("1", "1001m")),
		of("a limit too high for the request", "100m", "2", ratio("3"), request.change("100m", "667m")),
		of("a limit too high for a request of a finer unit", "100u", "300500u", ratio("3"), request.change("100u", "101m")),
		of("a limit too high for a request, and no whole unit between them", "100u", "500u", ratio("2"), request.change("100u", "500u")),
		of("a default limit too high for the request", "100m", "", bounded(nil, cpu("2"), nil, nil, cpu("3")), limit.set("300m")),
		of("a default limit too high, and no whole unit above the request", "100u", "", bounded(nil, cpu("2"), nil, nil, cpu("3")), limit.set("100u")),
		of("a default limit too high for the default request", "", "", bounded(cpu("100m"), cpu("2"), nil, nil, cpu("2500m")), request.set("100m"), limit.set("250m")),
		of("a limit that is lowered to the maximum keeps the ratio", "1", "9", bounded(nil, nil, nil, cpu("2"), cpu("2")), limit.change("9", "2")),
		of("a request that is raised to the minimum keeps the ratio", "1m", "2", bounded(nil, nil, cpu("1"), nil, cpu("2")), request.change("1m", "1")),
		of("a ratio, and only a limit", "", "2", ratio("3"), request.set("667m")),
		of("a ratio, and only a request", "1", "", ratio("2500m"), limit.set("2500m")),
		of("a ratio, and a request of zero", "0", "2", ratio("4"), request.change("0", "500m")),
		of("a ratio of one", "1", "3", ratio("1"), request.change("1", "3")),
		of("a ratio and bytes", "", "", corev1.LimitRangeItem{MaxLimitRequestRatio: testkit.List("memory", "3"), Default: testkit.List("memory", "1Gi"), Max: testkit.List("memory", "1Gi")},
			"container step-a: set the memory request to 357913942", "container step-a: set the memory limit to 1Gi"),
		of("a ratio that floating point numbers miss", "40m", "161m", ratio("4025m"), request.change("40m", "41m")),
		of("a ratio that floating point numbers miss, from below", "40m", "", bounded(nil, cpu("1"), nil, nil, cpu("4025m")), limit.set("160m")),
		of("a ratio of more than milli-units can hold, just kept", "1", "10P", ratio("10P")),
		of("a ratio of more than milli-units can hold, kept", "2", "10P", ratio("10P")),
		of("a ratio and a limit of just as much as milli-units can hold", "1", "9223372036854775", ratio("9223372036854775")),
		of("a limit of more than milli-units can hold, which floating point numbers round up", "2", "18446744073709550", ratio("9223372036854775"), request.change("2", "2001m")),

		never("a minimum above the maximum", "1", "2", bounded(nil, nil, cpu("4"), cpu("3"), nil), "min is above max: min 4, max 3"),
		of("a minimum that is the maximum", "1", "5", bounded(nil, nil, cpu("3"), cpu("3"), nil), request.change("1", "3"), limit.change("5", "3")),
		never("a maximum below zero", "", "", bounded(nil, nil, nil, cpu("-1m"), nil), "max is below zero: max -1m"),
		never("a maximum below zero, and a minimum above it", "", "", bounded(nil, nil, cpu("1"), cpu("-1m"), nil), "max is below zero: max -1m"),
		never("a ratio below one", "1", "1", ratio("999m"), "no request and limit within the bounds meet the ratio: maxLimitRequestRatio 999m"),
		never("a ratio of zero", "1", "1", ratio("0"), "no request and limit within the bounds meet the ratio: maxLimitRequestRatio 0"),
		never("a negative ratio", "1", "1", ratio("-2"), "no request and limit within the bounds meet the ratio: maxLimitRequestRatio -2"),
		of("a ratio of nothing", "", "", ratio("2"), request.set("1m"), limit.set("1m")),
		of("a ratio of zeros", "0", "0", ratio("2"), request.change("0", "1m"), limit.change("0", "1m")),
		{"a ratio, and a part of zero", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(cpu("1m"), nil, nil, nil, cpu("1")), steps.Options{},
			[]string{request.set("1m"), limit.set("1m"), "container step-b: set the cpu request to 1m", "container step-b: set the cpu limit to 1m"}, nil},
		never("a ratio under a maximum of zero", "1", "1", bounded(nil, nil, nil, cpu("0"), cpu("2")), "no request and limit within the bounds meet the ratio: maxLimitRequestRatio 2, max 0"),

		{"a GPU over two steps", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(gpu("1"), gpu("1"), nil, nil, nil), steps.Options{},
			[]string{gpuRequest.set("1"), gpuLimit.set("1"), "container step-b: set the nvidia.com/gpu request to 0", "container step-b: set the nvidia.com/gpu limit to 0"}, nil},
		{"a GPU to each", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(gpu("1"), nil, nil, nil, nil), toEach,
			[]string{gpuRequest.set("1"), gpuLimit.set("1"), "container step-b: set the nvidia.com/gpu request to 1", "container step-b: set the nvidia.com/gpu limit to 1"}, nil},
		whole("GPUs within the bounds", "2", "2", bounded(gpu("1"), nil, nil, gpu("3"), gpu("1"))),
		whole("GPUs above the maximum", "4", "4", bounded(nil, nil, nil, gpu("3"), nil), gpuRequest.change("4", "3"), gpuLimit.change("4", "3")),
		whole("GPUs below the minimum", "1", "1", bounded(nil, nil, gpu("2"), nil, nil), gpuRequest.change("1", "2"), gpuLimit.change("1", "2")),
		whole("no GPUs below the minimum", "", "", bounded(nil, nil, gpu("2"), nil, nil), gpuRequest.set("2"), gpuLimit.set("2")),
		whole("GPUs that are only requested", "2", "", bounded(gpu("1"), nil, nil, gpu("3"), nil), gpuLimit.set("2")),
		whole("GPUs that are only limited", "", "2", bounded(gpu("1"), nil, nil, gpu("3"), nil), gpuRequest.set("2")),
		whole("GPUs that are overcommitted", "1", "2", bounded(gpu("1"), nil, nil, gpu("3"), gpu("2")), gpuRequest.change("1", "2")),
		whole("no GPUs for anybody", "1", "1", bounded(nil, nil, nil, gpu("0"), nil), gpuRequest.change("1", "0"), gpuLimit.change("1", "0")),
		whole("no GPUs where some are allowed", "", "", bounded(nil, nil, nil, gpu("3"), nil), gpuRequest.set("0"), gpuLimit.set("0")),
		whole("GPUs of no bounds", "1", "2", corev1.LimitRangeItem{}),
		whole("a ratio of no GPUs", "", "", bounded(nil, nil, nil, nil, gpu("1")), gpuRequest.set("1"), gpuLimit.set("1")),
		whole("a ratio, and a maximum below one GPU", "", "", bounded(nil, nil, nil, gpu("500m"), gpu("1")), gpuRequest.set("500m"), gpuLimit.set("500m")),
		{"a ratio, and a GPU over two steps", pod(stepOf("nvidia.com/gpu", "step-a", "", ""), stepOf("nvidia.com/gpu", "step-b", "", "")), bounded(nil, gpu("2"), nil, nil, gpu("1")), steps.Options{},
			[]string{gpuRequest.set("2"), gpuLimit.set("2"), "container step-b: set the nvidia.com/gpu request to 1", "container step-b: set the nvidia.com/gpu limit to 1"}, nil},
		{"a ratio of GPUs below 1", pod(stepOf("nvidia.com/gpu", "step-a", "", "")), bounded(nil, nil, nil, nil, gpu("500m")), steps.Options{},
			nil, []string{"container step-a nvidia.com/gpu: no request and limit within the bounds meet the ratio: maxLimitRequestRatio 500m"}},
		{"a minimum of GPUs above the maximum", pod(stepOf("nvidia.com/gpu", "step-a", "1", "1")), bounded(nil, nil, gpu("3"), gpu("2"), nil), steps.Options{},
			nil, []string{"container step-a nvidia.com/gpu: min is above max: min 3, max 2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			changes, conflicts := steps.Fit(test.spec, test.item, steps.TektonStep, test.opts.Division)
			expect(t, test.changes, test.conflicts, changes, conflicts)
		})
	}
}

// unset is an amount that a list does not have.
const unset = -100

// smallList is a list of one amount, or empty if it is unset.
func smallList(name corev1.ResourceName, amount int64) corev1.ResourceList {
	if amount == unset {
		return nil
	}
	return corev1.ResourceList{name: *resource.NewQuantity(amount, resource.DecimalSI)}
}

// admits reports whether the API server stores a container of a namespace with an item: its request,
// which is the limit if it is missing, and its limit are valid, and the LimitRanger does not reject
// them.
func admits(c corev1.Container, item corev1.LimitRangeItem, name corev1.ResourceName) bool {
	request, hasRequest := c.Resources.Requests[name]
	limit, hasLimit := c.Resources.Limits[name]
	if hasLimit && !hasRequest {
		request, hasRequest = limit, true
		c.Resources.Requests = corev1.ResourceList{name: limit}
	}
	valid := request.Sign() >= 0 && limit.Sign() >= 0 && (!hasLimit || request.Cmp(limit) <= 0)
	if !divisible(name) {
		valid = valid && hasRequest == hasLimit && request.Cmp(limit) == 0
	}
	return valid && len(rejections(&c, item, name)) == 0
}

// admitsSome tries all requests and limits up to 4.
func admitsSome(item corev1.LimitRangeItem, name corev1.ResourceName) bool {
	amounts := []int64{unset, 0, 1, 2, 3, 4}
	return slices.ContainsFunc(amounts, func(request int64) bool {
		return slices.ContainsFunc(amounts, func(limit int64) bool {
			c := testkit.Container("c", smallList(name, request), smallList(name, limit))
			return admits(c, item, name)
		})
	})
}

// smallBounds yields items of one resource with all bounds from a few, without defaults. Ratios are
// in halves.
func smallBounds(name corev1.ResourceName, yield func(corev1.LimitRangeItem)) {
	for _, least := range []int64{unset, -1, 0, 1, 2} {
		for _, most := range []int64{unset, -1, 0, 1, 2} {
			for _, halves := range []int64{unset, 0, 1, 2, 4} {
				item := bounded(nil, nil, smallList(name, least), smallList(name, most), nil)
				if halves != unset {
					item.MaxLimitRequestRatio = corev1.ResourceList{name: *resource.NewMilliQuantity(halves*500, resource.DecimalSI)}
				}
				yield(item)
			}
		}
	}
}

// For each combination of small amounts, Fit reports a conflict exactly if no request and limit at all
// would be admitted. Otherwise, it makes both steps admitted, also one that has nothing.
func TestFitConflictsWhereNothingIsAdmitted(t *testing.T) {
	fitted, conflicting := 0, 0
	check := func(item corev1.LimitRangeItem, name corev1.ResourceName, possible bool, request, limit int64, opts division.Options) {
		spec := pod(testkit.Container("step-a", smallList(name, request), smallList(name, limit)), testkit.Container("step-b", nil, nil))
		changes, conflicts := steps.Fit(spec, item, steps.TektonStep, opts)
		if possible != (len(conflicts) == 0) {
			t.Fatalf("%s %d/%d in %+v: conflicts %v; admitted amounts exist: %v", name, request, limit, item, sentences(conflicts), possible)
		}
		if !possible {
			conflicting++
			return
		}
		fitted++
		testkit.OK(t, computeresources.ApplyChanges(spec, changes))
		for _, c := range spec.Containers {
			if !admits(c, item, name) {
				t.Fatalf("%s %d/%d in %+v: %s is %+v", name, request, limit, item, c.Name, c.Resources)
			}
		}
	}
	for _, name := range []corev1.ResourceName{"memory", "nvidia.com/gpu"} {
		smallBounds(name, func(item corev1.LimitRangeItem) {
			possible := admitsSome(item, name)
			for _, defaults := range [][2]int64{{unset, unset}, {unset, 1}, {1, unset}, {1, 1}, {0, 2}, {2, 1}} {
				item.DefaultRequest, item.Default = smallList(name, defaults[0]), smallList(name, defaults[1])
				if len(item.Min)+len(item.Max)+len(item.MaxLimitRequestRatio)+len(item.DefaultRequest)+len(item.Default) == 0 {
					continue // Fit brings no resource within the bounds that the item does not name
				}
				for _, amounts := range [][2]int64{{unset, unset}, {0, 0}, {unset, 0}, {unset, 1}, {1, unset}, {1, 1}, {1, 2}, {2, 1}, {unset, 3}, {3, 3}} {
					for _, toEach := range []bool{false, true} {
						check(item, name, possible, amounts[0], amounts[1], division.Options{ToEach: toEach})
					}
				}
			}
		})
	}
	if fitted+conflicting < 24_000 || fitted == 0 || conflicting == 0 {
		t.Errorf("%d pods fitted, %d conflicted", fitted, conflicting)
	}
}
