package limitrange_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

// bounded are the bounds of containers and pods that the updates below break.
var bounded = []*corev1.LimitRange{
	limitRange("containers", corev1.LimitRangeItem{
		Type: corev1.LimitTypeContainer, Max: list("cpu", "2", "memory", "2Gi"), MaxLimitRequestRatio: list("cpu", "2"),
	}),
	limitRange("pods", corev1.LimitRangeItem{Type: corev1.LimitTypePod, Min: list("cpu", "1"), Max: list("cpu", "3")}),
}

// The expected messages are those of PodValidateLimitFunc of k8s.io/kubernetes v1.37.2, which does not see the old pod,
// and v1.38.0-beta.0.
func TestUpdatesByRelease(t *testing.T) {
	const (
		limit = "maximum cpu usage per Container is 2, but limit is 4"
		ratio = "cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000"
		pod   = "maximum cpu usage per Pod is 3, but limit is 4"
		none  = "maximum memory usage per Container is 2Gi.  No limit is specified"
	)
	app := func(name, request, limit string, more ...string) corev1.Container {
		limits := append([]string{"cpu", limit, "memory", "1Gi"}, more...)
		return testkit.Container(name, list("cpu", request), list(limits...))
	}
	old := withContainers(app("app", "1", "4"))
	for _, test := range []struct {
		name         string
		old, updated *corev1.PodSpec
		before, now  []string // up to 1.37, since 1.38
	}{
		{"a creation", nil, old, []string{limit, ratio, pod}, []string{limit, ratio, pod}},
		{"nothing changes", old, old, []string{limit, ratio, pod}, nil},
		{"equal amounts are written otherwise", old, withContainers(app("app", "1000m", "4000m")), []string{limit, ratio, pod}, nil},
		{"memory changes", old, withContainers(app("app", "1", "4", "memory", "2Gi")), []string{limit, ratio, pod}, nil},
		{"the request of cpu changes", old, withContainers(app("app", "2", "4")), []string{limit, pod}, []string{limit, pod}},
		{"a limit goes", old, withContainers(testkit.Container("app", list("cpu", "1"), list("cpu", "4"))), []string{limit, none, ratio, pod}, []string{none}},
		{
			"containers change, and the pod does not", withContainers(app("app", "1", "3"), app("b", "1", "1")), withContainers(app("app", "1", "1"), app("b", "1", "3")),
			[]string{"maximum cpu usage per Container is 2, but limit is 3", "cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000", pod},
			[]string{"maximum cpu usage per Container is 2, but limit is 3", "cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000"},
		},
		{
			"containers change places", withContainers(app("app", "1", "3"), app("b", "1", "1")), withContainers(app("b", "1", "1"), app("app", "1", "3")),
			[]string{"maximum cpu usage per Container is 2, but limit is 3", "cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000", pod}, nil,
		},
		{"another container has the amounts", withContainers(app("b", "1", "4")), old, []string{limit, ratio, pod}, []string{limit, ratio}},
		{"an init container has the amounts", &corev1.PodSpec{InitContainers: []corev1.Container{app("app", "1", "4")}}, old, []string{limit, ratio, pod}, []string{limit, ratio}},
	} {
		for name, want := range map[string][]string{"1.36": test.before, "": test.before, "1.38": test.now} {
			found := limitrange.Compile(bounded, computeresources.Kubernetes{Release: name}).Validate(test.old, test.updated)
			testkit.NoDiff(t, testkit.Strings(found), want, test.name, "in", name)
		}
	}
}

func TestClaimUpdatesByRelease(t *testing.T) {
	bounds := []*corev1.LimitRange{limitRange("claims", corev1.LimitRangeItem{
		Type: corev1.LimitTypePersistentVolumeClaim, Min: list("storage", "2Gi", "example.com/x", "1"), Max: list("storage", "8Gi"),
	})}
	const unset, above = "minimum example.com/x usage per PersistentVolumeClaim is 1.  No request is specified", "maximum storage usage per PersistentVolumeClaim is 8Gi, but request is 9Gi"
	of := func(storage string) *corev1.PersistentVolumeClaimSpec {
		return &corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{Requests: list("storage", storage)}}
	}
	for _, test := range []struct {
		name string
		old  *corev1.PersistentVolumeClaimSpec
		now  []string
	}{
		{"a creation", nil, []string{unset, above}},
		{"the request is unchanged", of("9Gi"), []string{unset}},
		{"the request grows", of("8Gi"), []string{unset, above}},
	} {
		for name, want := range map[string][]string{"1.36": {unset, above}, "": {unset, above}, "1.38": test.now} {
			found := limitrange.Compile(bounds, computeresources.Kubernetes{Release: name}).ValidateClaim(test.old, of("9Gi"))
			testkit.NoDiff(t, testkit.Strings(found), want, test.name, "in", name)
		}
	}
}

// Up to 1.37, ratios are floats, and amounts are rounded to milli-units.
func TestPrecisionByRelease(t *testing.T) {
	for _, test := range []struct {
		item           corev1.LimitRangeItem
		request, limit string
		before, now    string
	}{
		{corev1.LimitRangeItem{MaxLimitRequestRatio: list("cpu", "2007m")}, "1", "2007m", "cpu max limit to request ratio per Container is 2007m, but provided ratio is 2.007000", ""},
		{corev1.LimitRangeItem{Max: list("cpu", "1")}, "1", "1000000001n", "maximum cpu usage per Container is 1, but limit is 1000000001n", "maximum cpu usage per Container is 1, but limit is 1000000001n"},
		{corev1.LimitRangeItem{Max: list("cpu", "1500m")}, "1", "1499999999n", "", ""},
		{corev1.LimitRangeItem{Max: list("cpu", "1499999999n")}, "1", "1500m", "", "maximum cpu usage per Container is 1499999999n, but limit is 1500m"},
	} {
		test.item.Type = corev1.LimitTypeContainer
		spec := withContainers(testkit.Container("app", list("cpu", test.request), list("cpu", test.limit)))
		for name, want := range map[string]string{"1.36": test.before, "": test.before, "1.38": test.now} {
			found := limitrange.Compile([]*corev1.LimitRange{limitRange("a", test.item)}, computeresources.Kubernetes{Release: name}).Validate(nil, spec)
			got := ""
			for _, v := range found {
				got += v.Error()
			}
			testkit.Equal(t, got, want, test.limit, "of", test.request, "in", name)
		}
	}
}

// Sums of pods, claims and what a message adds are compared as the bounds of containers: exactly since 1.38.
func TestPrecisionOfOtherTypesByRelease(t *testing.T) {
	of := func(release string, item corev1.LimitRangeItem) *limitrange.Policy {
		return limitrange.Compile([]*corev1.LimitRange{limitRange("a", item)}, computeresources.Kubernetes{Release: release})
	}
	spec := withContainers(testkit.Container("app", list("cpu", "1"), list("cpu", "1500m")))
	claim := &corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{Requests: list("storage", "2")}}
	onlyLimit := withContainers(testkit.Container("app", nil, list("cpu", "1499999999n")))
	for release, want := range map[string][3]string{
		"": {"", "", "NoRequest "},
		"1.38": {
			"maximum cpu usage per Pod is 1499999999n, but limit is 1500m",
			"maximum storage usage per PersistentVolumeClaim is 1999999999n, but request is 2", "NoRequest LimitOut",
		},
	} {
		ofPod := of(release, corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: list("cpu", "1499999999n")}).Validate(nil, spec)
		testkit.Equal(t, strings.Join(testkit.Strings(ofPod), ""), want[0], "the pod in", release)
		ofClaim := of(release, corev1.LimitRangeItem{Type: corev1.LimitTypePersistentVolumeClaim, Max: list("storage", "1999999999n")})
		testkit.Equal(t, strings.Join(testkit.Strings(ofClaim.ValidateClaim(nil, claim)), ""), want[1], "the claim in", release)
		also := of(release, corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Min: list("cpu", "1500m")}).Validate(nil, onlyLimit)
		testkit.Equal(t, len(also), 1, "violations in", release)
		testkit.Equal(t, string(also[0].Cause)+" "+string(also[0].Also), want[2], "the minimum in", release)
	}
}
