package taskrun

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/objects"
)

// comparisonOf returns what the samples have of a run.
func comparisonOf(t *testing.T, title string) comparison {
	t.Helper()
	in := inputOf(objects.Reader{Kinds: kinds()}.FS(samples), "default")
	for _, n := range compareAll(&in, nil) {
		for _, c := range n.runs {
			if c.title == title {
				return c
			}
		}
	}
	t.Fatalf("the samples lack %s", title)
	return comparison{}
}

// amountsOf returns "request/limit" of each container, in order, and of what is charged.
func amountsOf(r *result, name corev1.ResourceName) (all []string) {
	text := func(list corev1.ResourceList) string {
		if q, ok := list[name]; ok {
			return canonical(q)
		}
		return "-"
	}
	for _, c := range computeresources.Containers(&r.pod.Spec) {
		all = append(all, text(c.Resources.Requests)+"/"+text(c.Resources.Limits))
	}
	return append(all, text(r.requests.counted)+"/"+text(r.limits.counted))
}

// The numbers of the documents, and related ones.
func TestNumbersOfTheDocuments(t *testing.T) {
	const asStated, truncated, exact, fitted = 0, 1, 2, 3
	for _, test := range []struct {
		run      string
		resource corev1.ResourceName
		want     map[int]string // containers, then all of the pod
	}{
		{"TaskRun limitrange/two-steps", "cpu", map[int]string{
			asStated: "1/2 1/2 2/4", truncated: "500m/2 500m/2 1/4", exact: "500m/2 500m/2 1/4", fitted: "500m/2 500m/2 1/4"}},
		{"TaskRun limitrange/two-steps-and-a-sidecar", "cpu", map[int]string{
			truncated: "500m/2 500m/2 1/2 2/6", exact: "500m/2 500m/2 1/2 2/6", fitted: "500m/2 500m/2 1/2 2/6"}},
		{"TaskRun limitrange/out-of-bounds", "cpu", map[int]string{
			asStated: "200m/2 1/4 1200m/6", truncated: "200m/2 1/4 1200m/6", exact: "200m/2 1/4 1200m/6", fitted: "300m/2 1/3 1300m/5"}},
		// The least default limit is 1500m, but the LimitRanger takes that of the first
		// range.
		{"TaskRun two-limitranges/two-steps", "cpu", map[int]string{
			truncated: "500m/2 500m/2 1/4", exact: "500m/2 500m/2 1/4", fitted: "500m/1500m 500m/1500m 1/3"}},
		{"TaskRun quota/twenty-steps", "cpu", map[int]string{truncated: strings.Repeat("1/1 ", 20) + "20/20"}},
		{"TaskRun task-level/foo", "cpu", map[int]string{
			asStated: "4/- -/- -/- 4/-", truncated: "500m/2 500m/2 -/- 1/4", exact: "500m/2 500m/2 -/- 1/4", fitted: "500m/2 500m/2 -/- 1/4"}},
		{"TaskRun task-level/limits-alone", "cpu", map[int]string{truncated: "1/2 1/2 -/- 2/4", exact: "1/2 1/2 -/- 2/4"}},
		{"TaskRun task-level/with-sidecar", "cpu", map[int]string{truncated: "1/- 1/- 750m/1 2750m/1", exact: "1/- 1/- 750m/1 2750m/1"}},
		{"TaskRun division/three-steps", "cpu", map[int]string{
			asStated: "1/- 1/- 1/- 3/-", truncated: "333m/- 333m/- 333m/- 999m/-", exact: "334m/- 333m/- 333m/- 1/-", fitted: "334m/- 333m/- 333m/- 1/-"}},
		{"TaskRun division/three-steps", "memory", map[int]string{
			truncated: "357913941/- 357913941/- 357913941/- 1073741823/-", exact: "357913942/- 357913941/- 357913941/- 1073741824/-"}},
		{"TaskRun division/one-gpu", "nvidia.com/gpu", map[int]string{
			truncated: "1/1 -/- -/- 1/1", exact: "1/1 -/- -/- 1/1", fitted: "1/1 -/- -/- 1/1"}},
		{"TaskRun no-limitrange/nothing-stated", "cpu", map[int]string{asStated: "-/- -/- -/-", fitted: "-/- -/- -/-"}},
		{"Pod pods/background", "cpu", map[int]string{asStated: "1/2 2/3 1/2 2/3 3/- 6/5"}},
		{"Pod pods/limitrange-support", "cpu", map[int]string{asStated: "1/- 2/- 1/- 2/- 3/- 6/-"}},
		{"Pod pods/limitrange-support", "memory", map[int]string{asStated: "100m/- 200m/- 50m/- 250m/- 500m/- 800m/-"}},
	} {
		c := comparisonOf(t, test.run)
		for i, want := range test.want {
			if got := strings.Join(amountsOf(&c.results[i], test.resource), " "); got != want {
				t.Errorf("%s, %s, %s: %s\nwant %s", test.run, ways[i].name, test.resource, got, want)
			}
		}
	}
}

func TestPeaksOfTheDocuments(t *testing.T) {
	for _, test := range []struct{ run, request, limit string }{
		{"TaskRun limitrange/two-steps", "500m", "2"},
		{"TaskRun limitrange/two-steps-and-a-sidecar", "1500m", "4"},
		{"TaskRun quota/twenty-steps", "1", "1"},
		{"TaskRun task-level/with-sidecar", "1750m", "unbounded"},
		{"Pod pods/background", "6", "unbounded"},
	} {
		r := comparisonOf(t, test.run).results[tekton]
		got := []string{amount(r.requests.used, "cpu", ""), limitAtPeak(r.limits.used, "cpu")}
		if diff := cmp.Diff([]string{test.request, test.limit}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.run, diff)
		}
	}
}

func TestVerdictsOfTheDocuments(t *testing.T) {
	const outOfBounds = `rejected by the API server
    - container step-one: request cpu 200m is below the minimum 300m of LimitRange limitrange/limitrange-example: raise the request
      server: minimum cpu usage per Container is 300m, but request is 200m
    - container step-two: limit cpu 4 is above the maximum 3 of LimitRange limitrange/limitrange-example: lower the limit
      server: maximum cpu usage per Container is 3, but limit is 4
`
	const overQuota = `rejected by a quota
    - ResourceQuota quota/ten-cpu lacks limits.cpu=10: request less, or raise the quota
      server: exceeded quota: ten-cpu, requested: limits.cpu=20, used: limits.cpu=0, limited: limits.cpu=10
      limits.cpu: 20 is charged, 1 is used at the peak, which would fit: the gap is 19
`
	for _, test := range []struct{ run, asStated, truncated, exact, fitted string }{
		{"TaskRun limitrange/two-steps", "admitted, Burstable\n", "admitted, Burstable\n", "admitted, Burstable\n", "admitted, Burstable\n"},
		{"TaskRun limitrange/out-of-bounds", outOfBounds, outOfBounds, outOfBounds, "admitted, Burstable\n"},
		{"TaskRun quota/twenty-steps", overQuota, overQuota, overQuota, overQuota},
		{"TaskRun no-limitrange/nothing-stated", "admitted, BestEffort\n", "admitted, BestEffort\n", "admitted, BestEffort\n", "admitted, BestEffort\n"},
	} {
		c := comparisonOf(t, test.run)
		for i, want := range []string{test.asStated, test.truncated, test.exact, test.fitted} {
			if diff := cmp.Diff(want, c.results[i].verdict()); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", test.run, ways[i].name, diff)
			}
		}
	}
}

func TestRejectionsOfTheDocuments(t *testing.T) {
	for run, want := range map[string]string{
		"TaskRun task-level/both": "spec.stepOverrides[0].resources: Forbidden: expected exactly one, got both: spec.computeResources, spec.stepOverrides.resources",
		"PipelineRun task-level/both, task foo": "spec.taskRunSpecs[0].stepOverrides[0].resources: Forbidden: expected exactly one, got both: " +
			"spec.taskRunSpecs[0].computeResources, spec.taskRunSpecs[0].stepOverrides.resources",
	} {
		c := comparisonOf(t, run)
		if len(c.rejected) != 1 || c.rejected[0].Error() != want || c.results != nil {
			t.Errorf("%s: %v\nwant %s", run, c.rejected, want)
		}
	}
}

// The document prints 300m as the minimum of two LimitRanges, against its own rule.
func TestDivergenceAggregateOfTheDocument(t *testing.T) {
	in := inputOf(objects.Reader{Kinds: kinds()}.FS(samples), "default")
	var text strings.Builder
	writeBounds(&text, in.newNamespace("two-limitranges"))
	want := `  LimitRange limitrange-1 and limitrange-2:
    Container  cpu  min             500m   of limitrange-1
    Container  cpu  max             2500m  of limitrange-2
    Container  cpu  default         1500m  of limitrange-2
    Container  cpu  defaultRequest  750m   of limitrange-1

`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
