package podwalk_test

import (
	"math/big"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/testkit"
)

// classes are rules with all combinations of those of the class.
var classes = []release.Rules{{}, {Release: "1.36"}, {PodLevelResourcesFixKubeletQOSClass: testkit.Off()}, {Release: "1.36", PodLevelResourcesFixKubeletQOSClass: testkit.On()}}

// slowBalanced is the definition of Balanced, in fractions.
func slowBalanced(spec *corev1.PodSpec, name corev1.ResourceName, rules release.Rules) bool {
	if rules.ClassifiesEachContainer() {
		return false
	}
	requests, limits := new(big.Rat), new(big.Rat)
	for _, r := range testkit.PartsOfClass(spec, !rules.ClassIgnoresEmptyPodLevel()) {
		request, limit := testkit.Exact(r.Requests[name]), testkit.Exact(r.Limits[name])
		if limit.Sign() <= 0 {
			return false
		}
		limits.Add(limits, limit)
		if request.Sign() > 0 {
			requests.Add(requests, request)
		}
	}
	return requests.Cmp(limits) == 0
}

func TestClassEqualsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := specs().Draw(t, "spec")
		rules := rapid.SampledFrom(classes).Draw(t, "rules")
		evenIfEmpty := !rules.ClassIgnoresEmptyPodLevel()
		want := testkit.SpecClassBySums(spec, evenIfEmpty)
		if rules.ClassifiesEachContainer() {
			want = testkit.SpecClassByParts(spec, evenIfEmpty)
		}
		testkit.Equal(t, podwalk.Class(spec, rules), want)
		for _, name := range computeNames {
			testkit.Equal(t, podwalk.Balanced(spec, name, rules), slowBalanced(spec, name, rules), "Balanced of", name)
		}
	})
}

func TestClass(t *testing.T) {
	both := func(cpu, memory string) corev1.ResourceList { return testkit.List("cpu", cpu, "memory", memory) }
	spec := func(containers ...corev1.Container) *corev1.PodSpec { return &corev1.PodSpec{Containers: containers} }
	sidecarWithoutLimits := spec(testkit.Container("app", both("1", "1Gi"), both("1", "1Gi")))
	sidecarWithoutLimits.InitContainers = []corev1.Container{testkit.Sidecar("proxy", nil, nil)}
	podLevel := spec(testkit.Container("app", both("1", "1Gi"), both("1", "1Gi")))
	podLevel.Resources = &corev1.ResourceRequirements{}
	const guaranteed, burstable, bestEffort = corev1.PodQOSGuaranteed, corev1.PodQOSBurstable, corev1.PodQOSBestEffort
	hugePages := spec(podLevel.Containers...)
	hugePages.Resources = &corev1.ResourceRequirements{Limits: testkit.List("hugepages-2Mi", "0")}
	others := spec(podLevel.Containers...)
	others.Resources = &corev1.ResourceRequirements{Limits: testkit.List("ephemeral-storage", "1Gi")}
	for name, test := range map[string]struct {
		spec      *corev1.PodSpec
		want, old corev1.PodQOSClass // in 1.37 and in 1.36
	}{
		"nil spec":                       {nil, bestEffort, bestEffort},
		"no containers":                  {spec(), bestEffort, bestEffort},
		"only ephemeral storage":         {spec(testkit.Container("app", testkit.List("ephemeral-storage", "1Gi"), nil)), bestEffort, bestEffort},
		"a negative request":             {spec(testkit.Container("app", both("-1", "-1"), nil)), burstable, bestEffort},
		"requests equal limits":          {spec(testkit.Container("app", both("1", "1Gi"), both("1000m", "1024Mi"))), guaranteed, guaranteed},
		"cpu guaranteed, memory not set": {spec(testkit.Container("app", testkit.List("cpu", "1"), testkit.List("cpu", "1"))), burstable, burstable},
		"memory guaranteed, cpu not set": {spec(testkit.Container("app", testkit.List("memory", "1"), testkit.List("memory", "1"))), burstable, burstable},
		"limits only":                    {spec(testkit.Container("app", nil, both("1", "1Gi"))), burstable, burstable},
		"a sidecar without limits":       {sidecarWithoutLimits, burstable, burstable},
		"an empty spec.resources":        {podLevel, guaranteed, bestEffort},
		"hugepages of the pod, of zero":  {hugePages, bestEffort, bestEffort},
		"what is not set at pod level":   {others, guaranteed, bestEffort},
		"sums are equal, and one container requests all": {
			spec(testkit.Container("a", both("2", "2Gi"), both("1", "1Gi")), testkit.Container("b", nil, both("1", "1Gi"))), burstable, guaranteed,
		},
		"sums are equal, and one container is limited for all": {
			spec(testkit.Container("a", both("1", "1Gi"), both("2", "2Gi")), testkit.Container("b", both("1", "1Gi"), nil)), burstable, burstable,
		},
		"a negative request adds nothing": {
			spec(testkit.Container("a", both("-1", "1Gi"), both("1", "1Gi")), testkit.Container("b", both("2", "1Gi"), both("1", "1Gi"))), burstable, guaranteed,
		},
		"negative amounts are equal": {spec(testkit.Container("a", both("-1", "1Gi"), both("-1", "1Gi"))), guaranteed, burstable},
		"sums are equal, containers are not": {
			spec(testkit.Container("a", both("1", "1Gi"), both("2", "1Gi")), testkit.Container("b", both("2", "1Gi"), both("1", "1Gi"))),
			burstable, guaranteed,
		},
	} {
		for rules, want := range map[release.Rules]corev1.PodQOSClass{{}: test.want, {Release: "1.36"}: test.old} {
			testkit.Equal(t, podwalk.Class(test.spec, rules), want, name, rules.Release)
			var b podwalk.Both
			if test.spec != nil && test.spec.Resources == nil && b.Read(test.spec, rules) && b.Class != want {
				t.Errorf("%s: Both has %v, want %v", name, b.Class, want)
			}
		}
	}
}
