package podwalk_test

import (
	"math/big"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/testkit"
)

// deciding returns the requirements that decide on the class.
func deciding(spec *corev1.PodSpec) (all []corev1.ResourceRequirements) {
	if spec.Resources != nil {
		return []corev1.ResourceRequirements{*spec.Resources}
	}
	cs := podwalk.Of(spec)
	for i := range cs.Len() {
		_, c := cs.At(i)
		all = append(all, c.Resources)
	}
	return all
}

// slowBalanced is the definition of Balanced, in fractions.
func slowBalanced(spec *corev1.PodSpec, name corev1.ResourceName) bool {
	requests, limits := new(big.Rat), new(big.Rat)
	for _, r := range deciding(spec) {
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
		testkit.Equal(t, podwalk.Class(spec), testkit.SpecClass(spec))
		for _, name := range computeNames {
			testkit.Equal(t, podwalk.Balanced(spec, name), slowBalanced(spec, name), "Balanced of", name)
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
	for name, test := range map[string]struct {
		spec *corev1.PodSpec
		want corev1.PodQOSClass
	}{
		"nil spec":                        {nil, corev1.PodQOSBestEffort},
		"no containers":                   {spec(), corev1.PodQOSBestEffort},
		"only ephemeral storage":          {spec(testkit.Container("app", testkit.List("ephemeral-storage", "1Gi"), nil)), corev1.PodQOSBestEffort},
		"a negative request":              {spec(testkit.Container("app", both("-1", "-1"), nil)), corev1.PodQOSBestEffort},
		"requests equal limits":           {spec(testkit.Container("app", both("1", "1Gi"), both("1000m", "1024Mi"))), corev1.PodQOSGuaranteed},
		"cpu guaranteed, memory not set":  {spec(testkit.Container("app", testkit.List("cpu", "1"), testkit.List("cpu", "1"))), corev1.PodQOSBurstable},
		"memory guaranteed, cpu not set":  {spec(testkit.Container("app", testkit.List("memory", "1"), testkit.List("memory", "1"))), corev1.PodQOSBurstable},
		"limits only":                     {spec(testkit.Container("app", nil, both("1", "1Gi"))), corev1.PodQOSBurstable},
		"a sidecar without limits":        {sidecarWithoutLimits, corev1.PodQOSBurstable},
		"an empty spec.resources decides": {podLevel, corev1.PodQOSBestEffort},
		"sums are equal, and one container requests all": {
			spec(testkit.Container("a", both("2", "2Gi"), both("1", "1Gi")), testkit.Container("b", nil, both("1", "1Gi"))), corev1.PodQOSGuaranteed,
		},
		"sums are equal, and one container is limited for all": {
			spec(testkit.Container("a", both("1", "1Gi"), both("2", "2Gi")), testkit.Container("b", both("1", "1Gi"), nil)), corev1.PodQOSBurstable,
		},
		"a negative request adds nothing": {
			spec(testkit.Container("a", both("-1", "1Gi"), both("1", "1Gi")), testkit.Container("b", both("2", "1Gi"), both("1", "1Gi"))), corev1.PodQOSGuaranteed,
		},
		"sums are equal, containers are not": {
			spec(testkit.Container("a", both("1", "1Gi"), both("2", "1Gi")), testkit.Container("b", both("2", "1Gi"), both("1", "1Gi"))),
			corev1.PodQOSGuaranteed,
		},
	} {
		testkit.Equal(t, podwalk.Class(test.spec), test.want, name)
		var b podwalk.Both
		if test.spec != nil && test.spec.Resources == nil && b.Read(test.spec) && b.Class != test.want {
			t.Errorf("%s: Both has %v, want %v", name, b.Class, test.want)
		}
	}
}
