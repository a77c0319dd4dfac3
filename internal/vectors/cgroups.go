package vectors

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
)

// A Conversion is a question about numbers of the kernel: for an amount of CPU, with a period in
// microseconds; for the cgroup of a pod; or for shares.
type Conversion struct {
	MilliCPU *int64  `json:"milliCPU,omitempty"`
	Period   *int64  `json:"period,omitempty"`
	Shares   *int64  `json:"shares,omitempty"`
	Pod      *Pod    `json:"pod,omitempty"`
	Identity *PodUID `json:"identity,omitempty"`
}

// A PodUID is what the name of the cgroup of a pod is made of.
type PodUID struct {
	UID      string             `json:"uid"`
	QOSClass corev1.PodQOSClass `json:"qosClass"`
}

// Numbers answer a Conversion. Numbers that are not part of the question, or that the kubelet does not
// set, are missing.
type Numbers struct {
	Shares *int64 `json:"shares,omitempty"` // cpu.shares of cgroup v1
	Quota  *int64 `json:"quota,omitempty"`  // microseconds a period
	Memory *int64 `json:"memory,omitempty"` // limit in bytes

	Weight       *int64 `json:"weight,omitempty"`       // cpu.weight of cgroup v2, by the formula of today's runtimes
	LinearWeight *int64 `json:"linearWeight,omitempty"` // by the formula of the kubelet and of older runtimes

	Cgroupfs string `json:"cgroupfs,omitempty"` // path, by the driver
	Systemd  string `json:"systemd,omitempty"`
}

// Conversions are what the kubelet and the kernel make of pods.
func Conversions() []Case[Conversion, Numbers] {
	var cases []Case[Conversion, Numbers]
	add := func(name, why string, in Conversion) {
		cases = append(cases, Case[Conversion, Numbers]{Name: name, Why: why, Input: in})
	}
	for _, milli := range []int64{0, 1, 2, 3, 9, 10, 11, 49, 50, 99, 100, 101, 125, 250, 333, 500, 750, 999, 1000, 1001, 1500, 1999, 2000, 2500, 3999, 4000, 8000, 15999, 16000, 32000, 64000, 128000, 255999, 256000, 256001, 300000, 1000000} {
		why := "Shares are 1024 a CPU, rounded down, at least 2 and at most 262144."
		if milli < 10 {
			why += " A quota is at least 1000 µs, which is 10m of the usual period."
		}
		for _, period := range []int64{100000, 10000} {
			add(fmt.Sprintf("%dm in %d µs", milli, period), why, Conversion{MilliCPU: &milli, Period: &period})
		}
	}
	for _, shares := range []int64{2, 3, 4, 9, 10, 26, 51, 52, 102, 103, 256, 341, 512, 768, 1000, 1023, 1024, 1025, 2048, 3072, 4096, 10240, 16384, 65536, 131072, 262143, 262144} {
		add(fmt.Sprintf("%d shares", shares), "Today's runtimes make 1024 shares a weight of 100: 10 to the power of (l² + 125 l) ÷ 612 - 7 ÷ 34, rounded up, with the binary logarithm l of the shares. The kubelet and older runtimes take 1 + (shares - 2) × 9999 ÷ 262142, rounded down, which is 39.", Conversion{Shares: &shares})
	}
	for _, uid := range []string{"1", "0f6e2b1c-7a3d-4a54-9a3b-2f0d5f3f8a11", "b2f1c0de-0000-4000-8000-000000000000", "static5f1d7a84db7d2f2b3a1c9e6d8b4f0a12", "abc-def", "a-b-c-d-e"} {
		for _, class := range []corev1.PodQOSClass{corev1.PodQOSGuaranteed, corev1.PodQOSBurstable, corev1.PodQOSBestEffort} {
			add(fmt.Sprintf("%s pod %s", class, uid), "Pods of a class have a parent, but for Guaranteed ones; for systemd a hyphen separates levels, so that those of the UID become underscores.", Conversion{Identity: &PodUID{uid, class}})
		}
	}
	for _, c := range podCgroups() {
		p := PodOf(c.spec)
		add("pod: "+c.name, c.why, Conversion{Pod: &p})
	}
	return cases
}

// podCgroups are pods for whose cgroups the kubelet sets something.
func podCgroups() (cases []named) {
	amounts := []corev1.ResourceList{nil, testkit.List("cpu", "250m", "memory", "256Mi"), testkit.List("cpu", "1", "memory", "1Gi"), testkit.List("cpu", "3m"), testkit.List("memory", "1000M"), testkit.List("cpu", "2", "memory", "2Gi", "hugepages-2Mi", "64Mi")}
	words := []string{"nothing", "250m and 256Mi", "1 and 1Gi", "3m of cpu", "1000M of memory", "2 and 2Gi with huge pages"}
	for i, requests := range amounts {
		for j, limits := range amounts {
			if i == 0 && j == 0 {
				continue
			}
			name := fmt.Sprintf("requests %s, limits %s", words[i], words[j])
			one := testkit.Container("app", requests, limits)
			cases = append(cases, named{"one container: " + name, "Shares follow from requests; a quota and a limit of memory need limits.", pod(one)})
			cases = append(cases, named{"beside one without limits: " + name, "One container without a limit leaves the whole pod without that limit.", pod(one, testkit.Container("free", testkit.List("cpu", "100m", "memory", "64Mi"), nil))})
			setup := one
			setup.Name = "setup"
			with := pod(testkit.Container("app", testkit.List("cpu", "100m", "memory", "64Mi"), testkit.List("cpu", "100m", "memory", "64Mi")))
			with.InitContainers = []corev1.Container{setup}
			cases = append(cases, named{"as an init container: " + name, "An init container counts with the most that runs at one time, for shares and for limits.", with})
		}
	}
	return cases
}
