package solver_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// recommend recommends an amount for the container c-0, c-1 …, by name. An amount of - is none.
func recommend(name corev1.ResourceName, amounts ...string) (all []solver.Recommendation) {
	for i, amount := range amounts {
		if amount != "-" {
			all = append(all, solver.Recommendation{Ref: computeresources.Ref{Name: fmt.Sprint("c-", i)}, Requests: list(string(name), amount)})
		}
	}
	return all
}

// withPolicy adds bounds, and whether limits are kept, to the first recommendation.
func withPolicy(all []solver.Recommendation, least, most corev1.ResourceList, keepLimits bool) []solver.Recommendation {
	all[0].Min, all[0].Max, all[0].KeepLimits = least, most, keepLimits
	return all
}

func TestRightSize(t *testing.T) {
	tests := []struct {
		name    string
		spec    *corev1.PodSpec
		recs    []solver.Recommendation
		objects solver.Objects
		want    []string // parts, then what is capped, or the error
	}{
		{"a limit keeps its ratio", pod("app cpu 100m 200m"), recommend("cpu", "300m"), solver.Objects{}, []string{"300m 600m"}},
		{"a limit at a ratio is rounded down", pod("app memory 100 150"), recommend("memory", "33"), solver.Objects{}, []string{"33 49"}},
		{"a recommendation is rounded up", pod("app cpu 1 1"), recommend("cpu", "100500u"), solver.Objects{}, []string{"101m 101m"}},
		{"a limit without a request equals it", pod("app cpu - 2"), recommend("cpu", "300m"), solver.Objects{}, []string{"300m 300m"}},
		{"no limit", pod("app cpu 1 -"), recommend("cpu", "300m"), solver.Objects{}, []string{"300m -"}},
		{"a limit of zero", pod("app cpu 1 0"), recommend("cpu", "300m"), solver.Objects{}, []string{"300m 300m"}},
		{"a recommendation of zero", pod("app cpu 1 2"), recommend("cpu", "0"), solver.Objects{}, []string{"0 0"}},
		{"a negative recommendation", pod("app cpu 1 2"), recommend("cpu", "-1"), solver.Objects{}, []string{"0 0"}},
		{"hugepages", pod("app hugepages-2Mi 4Mi 4Mi"), recommend("hugepages-2Mi", "5Mi"), solver.Objects{}, []string{"6Mi 6Mi"}},
		{"the default of a LimitRange", pod("app cpu 100m -"), recommend("cpu", "200m"), ofContainer(corev1.LimitRangeItem{Default: list("cpu", "500m")}), []string{"200m 1"}},
		{"a default request, which a limit leaves no room for", pod("app cpu - 400m"), recommend("cpu", "300m"), ofContainer(corev1.LimitRangeItem{DefaultRequest: list("cpu", "100m")}), []string{"300m 300m"}},
		{"both defaults", pod("app cpu - -"), recommend("cpu", "300m"), ofContainer(corev1.LimitRangeItem{Default: list("cpu", "500m"), DefaultRequest: list("cpu", "100m")}), []string{"300m 1500m"}},
		{"a maximum of the limit", pod("app cpu 900m 1300m"), recommend("cpu", "1800m"), ofContainer(corev1.LimitRangeItem{Max: list("cpu", "1600m")}), []string{
			"1108m 1600m", "container c-0: change the cpu request from 1800m to 1108m (LimitRange range-0)",
		}},
		{"a limit that would be one above its maximum", pod("app memory 1 2"), recommend("memory", "2"), ofContainer(corev1.LimitRangeItem{Max: list("memory", "3")}), []string{
			"1 2", "container c-0: change the memory request from 2 to 1 (LimitRange range-0)",
		}},
		{"only the smallest request can keep the ratio", pod("app memory 1 2"), recommend("memory", "3"), ofContainer(corev1.LimitRangeItem{Min: list("memory", "2"), Max: list("memory", "4")}), []string{
			"2 4", "container c-0: change the memory request from 3 to 2 (LimitRange range-0)",
		}},
		{"a minimum", pod("app cpu 100m 200m"), recommend("cpu", "50m"), ofContainer(corev1.LimitRangeItem{Min: list("cpu", "75m")}), []string{
			"75m 150m", "container c-0: change the cpu request from 50m to 75m (LimitRange range-0)",
		}},
		{"a policy", pod("app cpu 1 2"), withPolicy(recommend("cpu", "3"), list("cpu", "0"), list("cpu", "2"), false), solver.Objects{}, []string{
			"2 4", "container c-0: change the cpu request from 3 to 2 (policy)",
		}},
		{"a policy beside a container without a recommendation", pod("app cpu 1 2", "app cpu 1 2"), withPolicy(recommend("cpu", "-", "3"), nil, list("cpu", "2"), false), solver.Objects{}, []string{
			"1 2", "2 4", "container c-1: change the cpu request from 3 to 2 (policy)",
		}},
		{"a policy of zero", pod("app cpu 1 2"), withPolicy(recommend("cpu", "3"), nil, list("cpu", "0"), false), solver.Objects{}, []string{"3 6"}},
		{"a policy against the ratio", pod("app cpu 100m 200m"), withPolicy(recommend("cpu", "100m"), list("cpu", "2"), nil, false), ofContainer(corev1.LimitRangeItem{Max: list("cpu", "3")}), []string{
			"2 3", "container c-0: change the cpu request from 100m to 2 (policy)", "container c-0: change the cpu limit from 4 to 3 (LimitRange range-0)",
		}},
		{"a maximum beside a ratio above that of a LimitRange", pod("app cpu 1 4"), recommend("cpu", "5"), ofContainer(corev1.LimitRangeItem{Max: list("cpu", "3"), MaxLimitRequestRatio: list("cpu", "2")}), []string{
			"3 3", "container c-0: change the cpu request from 5 to 3 (LimitRange range-0)", "container c-0: change the cpu limit from 12 to 3 (LimitRange range-0)",
		}},
		{"a ratio above that of a LimitRange", pod("app cpu 100m 1"), recommend("cpu", "200m"), ofContainer(corev1.LimitRangeItem{MaxLimitRequestRatio: list("cpu", "4")}), []string{
			"200m 800m", "container c-0: change the cpu limit from 2 to 800m (LimitRange range-0)",
		}},
		{"a ratio above that of a LimitRange, and a maximum", pod("app memory 2 5"), recommend("memory", "4"), ofContainer(corev1.LimitRangeItem{Max: list("memory", "6"), MaxLimitRequestRatio: list("memory", "2")}), []string{
			"4 6", "container c-0: change the memory limit from 10 to 6 (LimitRange range-0)",
		}},
		{"a Pod minimum of limits that requests cannot follow", pod("app memory 1 1", "app memory 1 -"), withPolicy(recommend("memory", "1", "5"), nil, list("memory", "1"), false), ofPod(corev1.LimitRangeItem{Min: list("memory", "4")}), []string{
			"1 4", "5 -", "container c-0: change the memory limit from 1 to 4 (LimitRange range-0)",
		}},
		{"a maximum and a minimum of the pod", pod("app memory 2 6", "app memory 2 2"), recommend("memory", "4", "1"), both(ofPod(corev1.LimitRangeItem{Min: list("memory", "5")}), left("limits.memory", "11")), []string{
			"4 10", "1 1", "container c-0: change the memory limit from 12 to 10 (ResourceQuota quota-0)",
		}},
		{"a maximum that cuts one container, and a ratio that another has to meet", pod("init memory 1 -", "app memory 1 1"), recommend("memory", "2", "0"), ofPod(corev1.LimitRangeItem{Max: list("memory", "1"), MaxLimitRequestRatio: list("memory", "1")}), []string{
			"1 -", "0 1", "init container c-0: change the memory request from 2 to 1 (LimitRange range-0)", "container c-1: change the memory limit from 0 to 1 (LimitRange range-0)",
		}},
		{"a limit that is raised, since a quota leaves no other", pod("app ephemeral-storage 1 -", "app ephemeral-storage 1 1"), withPolicy(recommend("ephemeral-storage", "0", "0"), list("ephemeral-storage", "2"), nil, false), both(ofPod(corev1.LimitRangeItem{MaxLimitRequestRatio: list("ephemeral-storage", "1")}), left("limits.ephemeral-storage", "1")), []string{
			"2 -", "1 1", "container c-0: change the ephemeral-storage request from 0 to 2 (policy)", "container c-1: change the ephemeral-storage request from 0 to 1 (LimitRange range-0)",
		}},
		{"a kept limit", pod("app cpu 1 2"), withPolicy(recommend("cpu", "3"), nil, nil, true), solver.Objects{}, []string{
			"2 2", "container c-0: change the cpu request from 3 to 2 (Pod)",
		}},
		{"a kept default is rounded down", pod("app memory 1 -"), withPolicy(recommend("memory", "1"), nil, nil, true), ofContainer(corev1.LimitRangeItem{Default: list("memory", "1500m")}), []string{"1 1"}},
		{"a kept default", pod("app cpu 1 -"), withPolicy(recommend("cpu", "3"), nil, nil, true), ofContainer(corev1.LimitRangeItem{Default: list("cpu", "4")}), []string{"3 4"}},
		{"a kept default below the recommendation", pod("app cpu 1 -"), withPolicy(recommend("cpu", "3"), nil, nil, true), ofContainer(corev1.LimitRangeItem{Default: list("cpu", "2")}), []string{
			"3 3", "container c-0: change the cpu limit from 2 to 3",
		}},
		{"a Pod maximum", pod("app cpu 1 1", "app cpu 1 1"), recommend("cpu", "3", "1"), ofPod(corev1.LimitRangeItem{Max: list("cpu", "2")}), []string{
			"1500m 1500m", "500m 500m", "container c-0: change the cpu request from 3 to 1500m (LimitRange range-0)", "container c-1: change the cpu request from 1 to 500m (LimitRange range-0)",
		}},
		{"a Pod maximum of what does not divide", pod("app memory 1 1", "app memory 1 1", "app memory 1 1"), recommend("memory", "3", "3", "3"), ofPod(corev1.LimitRangeItem{Max: list("memory", "4")}), []string{
			"2 2", "1 1", "1 1", "container c-0: change the memory request from 3 to 2 (LimitRange range-0)", "container c-1: change the memory request from 3 to 1 (LimitRange range-0)", "container c-2: change the memory request from 3 to 1 (LimitRange range-0)",
		}},
		{"a Pod minimum", pod("app cpu 1 -", "app cpu 1 -", "app cpu - -"), recommend("cpu", "300m", "100m"), ofPod(corev1.LimitRangeItem{Min: list("cpu", "800m")}), []string{
			"600m -", "200m -", "- -", "container c-0: change the cpu request from 300m to 600m (LimitRange range-0)", "container c-1: change the cpu request from 100m to 200m (LimitRange range-0)",
		}},
		{"a quota of requests beside a ratio that is kept", pod("app memory 1 2", "app memory 1 1"), recommend("memory", "3", "3"), both(left("requests.memory", "3"), ofContainer(corev1.LimitRangeItem{Max: list("memory", "3")})), []string{
			"1 2", "2 2", "container c-0: change the memory request from 3 to 1 (LimitRange range-0)", "container c-1: change the memory request from 3 to 2 (ResourceQuota quota-0)",
		}},
		{"a limit of more than 64 bits", pod("app cpu 1 2"), recommend("cpu", "100P"), solver.Objects{}, []string{"100P 200P"}},
		{"a limit at a ratio that is above the largest amount", pod("app memory 1 2"), recommend("memory", "9223372036854775807"), solver.Objects{}, []string{
			"4611686018427387903 9223372036854775806", "container c-0: change the memory request from 9223372036854775807 to 4611686018427387903",
		}},
		{"a pod-level request of zero", whole(pod("app cpu - -"), list("cpu", "0"), nil), recommend("cpu", "1m"), solver.Objects{}, []string{
			"0 -", "0 -", "container c-0: change the cpu request from 1m to 0 (Pod)",
		}},
		{"a policy beside an init container that has the minimum of the pod", pod("init cpu 1m 1m", "app cpu - -"), slices.Concat(recommend("cpu", "0"), withPolicy(recommend("cpu", "-", "0"), list("cpu", "1m"), nil, false)), ofPod(corev1.LimitRangeItem{Min: list("cpu", "1m")}), []string{
			"1m 1m", "1m -", "init container c-0: change the cpu request from 0 to 1m (LimitRange range-0)", "container c-1: change the cpu request from 0 to 1m (policy)",
		}},
		{"a Pod ratio", pod("app cpu 100m 400m"), recommend("cpu", "100m"), ofPod(corev1.LimitRangeItem{MaxLimitRequestRatio: list("cpu", "2")}), []string{
			"100m 200m", "container c-0: change the cpu limit from 400m to 200m (LimitRange range-0)",
		}},
		{"a Pod ratio beside a pod-level request lowers limits, not requests", whole(pod("app cpu 1 3", "app cpu 1 3"), list("cpu", "4"), nil), recommend("cpu", "2", "2"), ofPod(corev1.LimitRangeItem{MaxLimitRequestRatio: list("cpu", "2")}), []string{
			"2 4", "2 4", "4 8", "container c-0: change the cpu limit from 6 to 4", "container c-1: change the cpu limit from 6 to 4",
		}},
		{"a Pod ratio, and a maximum of the limit at the ratio", pod("app memory 1 2"), recommend("memory", "3"), both(ofPod(corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "1")}), ofContainer(corev1.LimitRangeItem{Max: list("memory", "4")})), []string{
			"3 3", "container c-0: change the memory limit from 6 to 3 (LimitRange range-0)",
		}},
		{"a Pod ratio divides limits in proportion to those at the ratios", pod("app memory 1 2", "app memory 1 3"), recommend("memory", "2", "2"), ofPod(corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "1500m")}), []string{
			"2 2", "2 4", "container c-0: change the memory limit from 4 to 2 (LimitRange range-0)", "container c-1: change the memory limit from 6 to 4 (LimitRange range-0)",
		}},
		{"a Pod ratio, and a quota that caps the request", pod("app memory 1 2"), recommend("memory", "3"), both(ofPod(corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "1")}), left("requests.memory", "2")), []string{
			"2 2", "container c-0: change the memory request from 3 to 2 (ResourceQuota quota-0)", "container c-0: change the memory limit from 4 to 2 (LimitRange range-0)",
		}},
		{"the first container is too large for the limit that one needs", pod("app ephemeral-storage 1 -", "app ephemeral-storage 1 -"), recommend("ephemeral-storage", "3", "1"), both(ofPod(corev1.LimitRangeItem{Max: list("ephemeral-storage", "9")}), left("limits.ephemeral-storage", "1")), []string{"3 -", "1 1"}},
		{"a Pod maximum, and no limit", pod("app cpu 1 -"), recommend("cpu", "200m"), ofPod(corev1.LimitRangeItem{Max: list("cpu", "1")}), []string{"200m 200m"}},
		{"a quota of limits", pod("app cpu 1 2"), recommend("cpu", "2"), left("limits.cpu", "3"), []string{
			"1500m 3", "container c-0: change the cpu request from 2 to 1500m (ResourceQuota quota-0)",
		}},
		{"a quota beside overhead", overhead(pod("app cpu 1 -"), list("cpu", "1")), recommend("cpu", "2"), left("cpu", "2"), []string{
			"1 -", "container c-0: change the cpu request from 2 to 1 (ResourceQuota quota-0)",
		}},
		{"a pod-level limit", whole(pod("app cpu 1 1", "app cpu 1 -"), nil, list("cpu", "2")), recommend("cpu", "2", "2"), solver.Objects{}, []string{
			"1 1", "1 -", "2 2", "container c-0: change the cpu request from 2 to 1 (Pod)", "container c-1: change the cpu request from 2 to 1 (Pod)",
		}},
		{"an init container", pod("init cpu 1 2", "app cpu 1 1"), recommend("cpu", "4", "2"), ofPod(corev1.LimitRangeItem{Max: list("cpu", "4")}), []string{
			"2 4", "2 2", "init container c-0: change the cpu request from 4 to 2 (LimitRange range-0)",
		}},
		{"another resource", pod("app cpu 1 2"), recommend("memory", "3"), ofContainer(corev1.LimitRangeItem{Min: list("memory", "5")}), []string{
			"1,5 2,-", "container c-0: change the memory request from 3 to 5 (LimitRange range-0)",
		}},
		{"a container that is not there", pod("app cpu 1 2"), recommend("cpu", "-", "3"), solver.Objects{}, []string{"container c-1: recommendation: the pod has no such container"}},
		{"a Ref without a name", pod("app cpu 1 2"), []solver.Recommendation{{Requests: list("cpu", "3")}}, solver.Objects{}, []string{"pod: recommendation: the pod has no such container"}},
		{"a Ref of the pod", pod("app cpu 1 2"), []solver.Recommendation{{Ref: computeresources.Ref{Kind: computeresources.Pod}, Requests: list("cpu", "3")}}, solver.Objects{}, []string{"pod: recommendation: the pod has no such container"}},
		{"a name and a kind", pod("app cpu 1 2", "app cpu 1 2"), []solver.Recommendation{{Ref: computeresources.Ref{Kind: computeresources.App, Name: "c-1"}, Requests: list("cpu", "3")}}, solver.Objects{}, []string{"1 2", "3 6"}},
		{"a name", pod("init cpu 1 2", "app cpu 1 2", "app cpu 1 2"), []solver.Recommendation{{Ref: computeresources.Ref{Name: "c-2"}, Requests: list("cpu", "3")}}, solver.Objects{}, []string{"1 2", "1 2", "3 6"}},
		{"a Ref of another container", pod("app cpu 1 2"), []solver.Recommendation{{Ref: computeresources.Ref{Kind: computeresources.Init, Name: "c-0"}, Requests: list("cpu", "3")}}, solver.Objects{}, []string{"init container c-0: recommendation: the pod has no such container"}},
		{"a contradiction of the policy", pod("app cpu 1 2"), withPolicy(recommend("cpu", "3"), list("cpu", "2"), list("cpu", "1"), false), solver.Objects{}, []string{
			"cpu: no amount satisfies all of: container c-0 cpu min 2 of policy; container c-0 cpu max 1 of policy",
		}},
		{"a container without a recommendation is not cut", pod("app cpu 2 2", "app cpu 1 1"), recommend("cpu", "-", "3"), ofPod(corev1.LimitRangeItem{Max: list("cpu", "1")}), []string{
			"cpu: no amount satisfies all of: Pod cpu max 1 of LimitRange range-0; container c-0 cpu request 2",
		}},
		{"too large", pod("app cpu 1 2"), recommend("cpu", "10E"), solver.Objects{}, []string{
			"container c-0: recommendation[cpu] is beyond 9223372036854775807, the largest amount that Kubernetes compares",
		}},
		{"given twice", pod("app cpu 1 2"), append(recommend("cpu", "1"), recommend("cpu", "1")...), solver.Objects{}, []string{"container c-0: recommendation[cpu]: duplicate"}},
		{"a nil spec", nil, recommend("cpu", "1"), solver.Objects{}, []string{"container c-0: recommendation: the pod has no such container"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := solver.RightSize(test.spec, test.recs, inputOf(test.objects))
			testkit.NoDiff(t, inWords(got, err), test.want)
		})
	}
}

// inWords writes a result as the tests do.
func inWords(s solver.RightSized, err error) (lines []string) {
	if err != nil {
		return []string{err.Error()}
	}
	for _, part := range s.Parts {
		var requests, limits []string
		for _, name := range []corev1.ResourceName{"cpu", "memory", "hugepages-2Mi", "ephemeral-storage"} {
			request, requested := part.Requests[name]
			limit, limited := part.Limits[name]
			if requested || limited || name == "cpu" && len(part.Requests) == 0 {
				requests, limits = append(requests, orAbsent(request.String(), requested)), append(limits, orAbsent(limit.String(), limited))
			}
		}
		lines = append(lines, strings.Join(requests, ",")+" "+strings.Join(limits, ","))
	}
	for _, c := range s.Capped {
		lines = append(lines, c.String())
	}
	return lines
}

func orAbsent(text string, present bool) string {
	if !present {
		return "-"
	}
	return text
}

// Changes have the amount of the spec, and why it changes; amounts that are right already are no changes.
func TestRightSizeChanges(t *testing.T) {
	spec := pod("app cpu 1 2", "app cpu 1 2", "app cpu 3 3")
	recs := recommend("cpu", "2", "1", "4")
	recs[0].Source, recs[2].Source = source("VerticalPodAutoscaler vpa"), source("VerticalPodAutoscaler vpa")
	got, err := solver.RightSize(spec, recs, inputOf(ofContainer(corev1.LimitRangeItem{Max: list("cpu", "4"), DefaultRequest: list("cpu", "1")})))
	testkit.OK(t, err)
	want := "[container c-0: change the cpu request from 1 to 2 (VerticalPodAutoscaler vpa) container c-0: change the cpu limit from 2 to 4 (ratio)" +
		" container c-2: change the cpu request from 3 to 4 (VerticalPodAutoscaler vpa) container c-2: change the cpu limit from 3 to 4 (ratio)]"
	testkit.Equal(t, fmt.Sprint(got.Changes), want, "changes")
	testkit.Equal(t, len(got.Capped), 0, "capped")
}

// Each amount has its own source, in the order of containers, then of resources.
func TestRightSizeSources(t *testing.T) {
	spec, recs := pod("app cpu 1 2", "app cpu 1 -"), recommend("cpu", "3", "4")
	for i := range recs {
		recs[i].KeepLimits, recs[i].Source = true, source("VerticalPodAutoscaler vpa")
	}
	recs[0].Requests["memory"], recs[0].Min, recs[1].Max = resource.MustParse("1"), list("memory", "2"), list("cpu", "3")
	decimal := spec.Containers[0].Resources.Requests["cpu"]
	decimal.AsDec() // which a copy shares
	spec.Containers[0].Resources.Requests["cpu"] = decimal
	in := inputOf(ofContainer(corev1.LimitRangeItem{Default: list("cpu", "6")}))
	testkit.Contract(t, func() any {
		got, err := solver.RightSize(spec, recs, in)
		return []any{&got, err}
	}, spec, recs, in)
	got, err := solver.RightSize(spec, recs, in)
	testkit.OK(t, err)
	testkit.Equal(t, fmt.Sprint(got.Changes), "[container c-0: change the cpu request from 1 to 2 (Pod) container c-0: set the memory request to 2 (VerticalPodAutoscaler vpa)"+
		" container c-1: change the cpu request from 1 to 3 (VerticalPodAutoscaler vpa) container c-1: set the cpu limit to 6 (VerticalPodAutoscaler vpa)]", "changes")
	testkit.Equal(t, fmt.Sprint(got.Capped), "[container c-0: change the cpu request from 3 to 2 (Pod) container c-0: change the memory request from 1 to 2 (VerticalPodAutoscaler vpa)"+
		" container c-1: change the cpu request from 4 to 3 (VerticalPodAutoscaler vpa)]", "capped")
	testkit.Equal(t, got.Capped[0].Source.Field, "spec.containers[0].resources.limits[cpu]", "the field of a limit")
	got, _ = solver.RightSize(pod("app cpu 1 1"), recommend("cpu", "1"), in)
	testkit.Equal(t, got.Changes == nil, true, "no changes")
	_, err = solver.RightSize(spec, append(recommend("cpu", "-", "10E"), recommend("cpu", "10E")...), in)
	testkit.Equal(t, fmt.Sprint(err), "container c-0: recommendation[cpu] is beyond 9223372036854775807, the largest amount that Kubernetes compares", "the first error")
}

// The scopes of quotas count by the class that the result has.
func TestRightSizeOfAClass(t *testing.T) {
	scoped := func(scope corev1.ResourceQuotaScope, name corev1.ResourceName, hard string) *corev1.ResourceQuota {
		q := quotaOf(name, hard, "0")
		q.Spec.Scopes = []corev1.ResourceQuotaScope{scope}
		return q
	}
	tests := []struct {
		name, amount string
		quotas       []*corev1.ResourceQuota
		want         string
	}{
		{"a recommendation is not BestEffort", "2", []*corev1.ResourceQuota{scoped("BestEffort", "pods", "0"), scoped("NotBestEffort", "requests.cpu", "1")}, "1 -"},
		{"no room for others than BestEffort", "2", []*corev1.ResourceQuota{scoped("NotBestEffort", "pods", "0")}, "pods: no amount satisfies all of: pods remaining 0 of ResourceQuota compute"},
		{"a recommendation of zero is BestEffort", "0", []*corev1.ResourceQuota{scoped("NotBestEffort", "pods", "0")}, "0 -"},
		{"no room for BestEffort", "0", []*corev1.ResourceQuota{scoped("BestEffort", "pods", "0")}, "pods: no amount satisfies all of: pods remaining 0 of ResourceQuota compute"},
		{"cut to BestEffort", "2", []*corev1.ResourceQuota{scoped("NotBestEffort", "requests.cpu", "0")}, "0 -"},
		{"cut to BestEffort without room", "2", []*corev1.ResourceQuota{scoped("NotBestEffort", "requests.cpu", "0"), scoped("BestEffort", "pods", "0")}, "pods: no amount satisfies all of: pods remaining 0 of ResourceQuota compute"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := solver.RightSize(pod("app cpu 1 -"), recommend("cpu", test.amount), solver.Input{Quotas: test.quotas})
			testkit.Equal(t, inWords(got, err)[0], test.want, "result")
		})
	}
	_, err := solver.RightSize(whole(pod("app cpu - -"), list("cpu", "1"), nil), nil, solver.Input{Quotas: []*corev1.ResourceQuota{scoped("BestEffort", "pods", "0")}})
	testkit.OK(t, err) // what it requests at pod level alone counts
}

func TestRightSizeContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := slowSizes(3, rapid.Bool().Draw(t, "pod level")).Draw(t, "case")
		testkit.Contract(t, func() any {
			result, err := solver.RightSize(c.spec, c.recs, c.in)
			return []any{&result, err}
		}, c.spec, c.recs, c.in)
	})
}

// Neither the order of objects nor that of recommendations matters, the result sized again is the same, and
// no result is below zero or has a request above its limit.
func TestRightSizeLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec, objects := problems(t, testkit.Ordinary())
		in := inputOf(objects)
		var recs []solver.Recommendation
		for ref := range computeresources.Containers(spec) {
			recs = append(recs, solver.Recommendation{Ref: ref, Requests: testkit.ResourceList(testkit.Ordinary()).Draw(t, "recommendation"), KeepLimits: rapid.Bool().Draw(t, "keep limits")})
		}
		want, wantErr := solver.RightSize(spec, recs, in)
		other := in
		other.LimitRanges, other.Quotas = rapid.Permutation(in.LimitRanges).Draw(t, "ranges"), rapid.Permutation(in.Quotas).Draw(t, "quotas")
		got, err := solver.RightSize(spec, rapid.Permutation(recs).Draw(t, "recommendations"), other)
		if diff := cmp.Diff(want, got); diff != "" || fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("%v, then %v\n%s", wantErr, err, diff)
		}
		if err != nil {
			return
		}
		testkit.OK(t, computeresources.ApplyChanges(spec, got.Changes))
		if spec.Resources == nil {
			checkIsWritten(t, got.Solution, spec)
			if found := objections(spec, objects); len(found) > 0 {
				t.Fatalf("after %v: %v", got.Changes, found)
			}
		}
		again, err := solver.Solve(spec, in)
		if err != nil || len(again.Changes) > 0 {
			t.Fatalf("Solve: %v, %v", again.Changes, err)
		}
	})
}

// Sums that cannot be raised far enough are found to be so at once.
func TestRightSizeAllocations(t *testing.T) {
	spec, recs, in := initContainers(12)
	if n := testing.AllocsPerRun(1, func() {
		sized, _ := solver.RightSize(spec, recs, in)
		testkit.Keep(sized)
	}); n > 1_500_000 {
		t.Errorf("%v allocations", n)
	}
}

// Of a container, all that is capped of a resource comes before the next resource.
func TestOrderOfCapped(t *testing.T) {
	spec := pod("app cpu 1 4")
	spec.Containers[0].Resources.Requests["memory"], spec.Containers[0].Resources.Limits["memory"] = resource.MustParse("1"), resource.MustParse("4")
	recs := recommend("cpu", "5")
	recs[0].Requests["memory"] = resource.MustParse("5")
	max := corev1.LimitRangeItem{Max: list("cpu", "3", "memory", "3"), MaxLimitRequestRatio: list("cpu", "2", "memory", "2")}
	got, err := solver.RightSize(spec, recs, inputOf(ofContainer(max)))
	testkit.OK(t, err)
	testkit.Equal(t, fmt.Sprint(got.Capped), "[container c-0: change the cpu request from 5 to 3 (LimitRange range-0) container c-0: change the cpu limit from 12 to 3 (LimitRange range-0)"+
		" container c-0: change the memory request from 5 to 3 (LimitRange range-0) container c-0: change the memory limit from 12 to 3 (LimitRange range-0)]")
}
