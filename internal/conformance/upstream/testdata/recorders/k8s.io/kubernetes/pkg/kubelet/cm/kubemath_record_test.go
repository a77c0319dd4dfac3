package cm

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"
)

// reserveCase is what the QoS container manager sets on the tiers, for the pods of a node.
type reserveCase struct {
	Name        string
	Pods        []*corev1.Pod
	Allocatable *resource.Quantity `json:",omitempty"` // memory
	Percent     int64              // of QOSReserved
	Limits      tierMemory         // that it sets first
	Usage       map[string]int64   // of the cgroups, which refuse a limit below it
	AtUsage     tierMemory         // what it sets then
}

// tierMemory are limits in bytes; nil is none.
type tierMemory struct{ Burstable, BestEffort *int64 }

// kernel is a node's cgroups.
type kernel struct {
	CgroupManager
	usage map[string]int64
	calls []map[string]*int64 // limits, by the last part of the name, call by call of UpdateCgroups
}

func tierOf(name CgroupName) string { return name[len(name)-1] }

func (k *kernel) Update(_ klog.Logger, config *CgroupConfig) error {
	last := k.calls[len(k.calls)-1]
	tier := tierOf(config.Name)
	if _, again := last[tier]; again {
		last = map[string]*int64{}
		k.calls = append(k.calls, last)
	}
	limit := config.ResourceParameters.Memory
	if limit != nil {
		copied := *limit
		limit = &copied
	}
	last[tier] = limit
	if limit != nil && *limit < k.usage[tier] {
		return errors.New("device or resource busy")
	}
	return nil
}

func (k *kernel) MemoryUsage(name CgroupName) (int64, error) { return k.usage[tierOf(name)], nil }

func (k *kernel) tiers(call int) tierMemory {
	return tierMemory{k.calls[call]["burstable"], k.calls[call]["besteffort"]}
}

func TestRecordMemoryReserve(t *testing.T) {
	file := os.Getenv("KUBEMATH_RECORD")
	if file == "" {
		t.Skip("KUBEMATH_RECORD is not set")
	}
	if err := utilfeature.DefaultMutableFeatureGate.Set("QOSReserved=true"); err != nil {
		t.Fatal(err)
	}
	cases := append(writtenCases(), drawnCases(200)...)
	var lines []string
	for i := range cases {
		ask(t, &cases[i])
		line, err := json.Marshal(cases[i])
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	if err := os.WriteFile(file, []byte("[\n"+strings.Join(lines, ",\n")+"\n]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// ask asks the kubelet.
func ask(t *testing.T, c *reserveCase) {
	t.Helper()
	manager := func(k *kernel) *qosContainerManagerImpl {
		pods := func() (copies []*corev1.Pod) {
			for _, pod := range c.Pods {
				copies = append(copies, pod.DeepCopy())
			}
			return copies
		}
		root := NewCgroupName(RootCgroupName, "kubepods")
		return &qosContainerManagerImpl{
			cgroupManager: k,
			activePods:    pods,
			getNodeAllocatable: func() corev1.ResourceList {
				if c.Allocatable == nil {
					return corev1.ResourceList{}
				}
				return corev1.ResourceList{corev1.ResourceMemory: c.Allocatable.DeepCopy()}
			},
			qosReserved:       map[corev1.ResourceName]int64{corev1.ResourceMemory: c.Percent},
			qosContainersInfo: QOSContainersInfo{Guaranteed: root, Burstable: NewCgroupName(root, "burstable"), BestEffort: NewCgroupName(root, "besteffort")},
		}
	}
	k := &kernel{usage: c.Usage, calls: []map[string]*int64{{}}}
	if err := manager(k).UpdateCgroups(klog.Background()); err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	c.Limits, c.AtUsage = k.tiers(0), k.tiers(len(k.calls)-1)
}

func list(pairs ...string) corev1.ResourceList {
	out := corev1.ResourceList{}
	for i := 0; i < len(pairs); i += 2 {
		out[corev1.ResourceName(pairs[i])] = resource.MustParse(pairs[i+1])
	}
	return out
}

func container(name string, requests, limits corev1.ResourceList) corev1.Container {
	return corev1.Container{Name: name, Resources: corev1.ResourceRequirements{Requests: requests, Limits: limits}}
}

func podOf(name string, containers ...corev1.Container) *corev1.Pod {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: containers}}
	pod.Name = name
	return pod
}

func guaranteed(name, memory string) *corev1.Pod {
	all := list("cpu", "1", "memory", memory)
	return podOf(name, container("app", all, all.DeepCopy()))
}

func burstable(name, memory string) *corev1.Pod {
	return podOf(name, container("app", list("memory", memory), nil))
}

func sidecar(c corev1.Container) corev1.Container {
	always := corev1.ContainerRestartPolicyAlways
	c.RestartPolicy = &always
	return c
}

func quantity(text string) *resource.Quantity {
	q := resource.MustParse(text)
	return &q
}

// writtenCases are the ones with a name of their own.
func writtenCases() []reserveCase {
	initialized := burstable("init", "1Gi")
	initialized.Spec.InitContainers = []corev1.Container{
		sidecar(container("proxy", list("memory", "256Mi"), nil)), container("setup", list("memory", "2Gi"), nil),
	}
	heavy := burstable("overhead", "512Mi")
	heavy.Spec.Overhead = list("memory", "128Mi")
	whole := burstable("pod-level", "512Mi")
	whole.Spec.Resources = &corev1.ResourceRequirements{Requests: list("memory", "3Gi")}
	decided := guaranteed("status", "1Gi")
	decided.Status.QOSClass = corev1.PodQOSBurstable
	cpuOnly := podOf("cpu", container("app", list("cpu", "500m"), nil))
	best := podOf("best-effort", container("app", nil, nil))
	several := []*corev1.Pod{guaranteed("a", "4Gi"), burstable("b", "2Gi"), burstable("c", "512Mi"), best}
	small := []*corev1.Pod{burstable("a", "100m"), burstable("b", "100m"), guaranteed("c", "1500m")}
	return []reserveCase{
		{Name: "no pods", Allocatable: quantity("8Gi"), Percent: 50},
		{Name: "nothing reserved", Pods: several, Allocatable: quantity("16Gi")},
		{Name: "half", Pods: several, Allocatable: quantity("16Gi"), Percent: 50},
		{Name: "all", Pods: several, Allocatable: quantity("16Gi"), Percent: 100},
		{Name: "a third, rounded down tier by tier", Pods: []*corev1.Pod{guaranteed("a", "1000001"), burstable("b", "1000001")}, Allocatable: quantity("3000000"), Percent: 33},
		{Name: "allocatable is unknown", Pods: several, Percent: 50},
		{Name: "allocatable is zero", Pods: several, Allocatable: quantity("0"), Percent: 50},
		{Name: "allocatable is no whole byte", Pods: several, Allocatable: quantity("17179869184500m"), Percent: 50},
		{Name: "fractions of a byte round up pod by pod", Pods: small, Allocatable: quantity("1000"), Percent: 100},
		{Name: "init containers and sidecars", Pods: []*corev1.Pod{initialized}, Allocatable: quantity("8Gi"), Percent: 100},
		{Name: "overhead", Pods: []*corev1.Pod{heavy}, Allocatable: quantity("8Gi"), Percent: 100},
		{Name: "pod-level requests", Pods: []*corev1.Pod{whole}, Allocatable: quantity("8Gi"), Percent: 100},
		{Name: "the class of the status", Pods: []*corev1.Pod{decided}, Allocatable: quantity("8Gi"), Percent: 100},
		{Name: "no memory is requested", Pods: []*corev1.Pod{cpuOnly, best}, Allocatable: quantity("8Gi"), Percent: 100},
		{Name: "more is requested than there is", Pods: several, Allocatable: quantity("4Gi"), Percent: 100},
		{Name: "usage below the limits", Pods: several, Allocatable: quantity("16Gi"), Percent: 50, Usage: map[string]int64{"burstable": 1 << 30, "besteffort": 1 << 30}},
		{Name: "usage at the limits", Pods: several, Allocatable: quantity("16Gi"), Percent: 100, Usage: map[string]int64{"burstable": 12 << 30, "besteffort": 9<<30 + 512<<20}},
		{Name: "one tier uses more", Pods: several, Allocatable: quantity("16Gi"), Percent: 100, Usage: map[string]int64{"burstable": 1 << 30, "besteffort": 10 << 30}},
		{Name: "both use more", Pods: several, Allocatable: quantity("16Gi"), Percent: 100, Usage: map[string]int64{"burstable": 13 << 30, "besteffort": 10 << 30}},
		{Name: "more is requested than there is, and used", Pods: several, Allocatable: quantity("4Gi"), Percent: 100, Usage: map[string]int64{"burstable": 1 << 20, "besteffort": 1 << 10}},
	}
}

// drawnCases are the same in every run.
func drawnCases(n int) (cases []reserveCase) {
	random := rand.New(rand.NewPCG(1, 2))
	amounts := []string{"0", "1", "100m", "999", "64Mi", "100M", "128974848", "1Gi", "1536Mi", "2.5Gi", "7G"}
	for i := range n {
		c := reserveCase{Name: fmt.Sprintf("drawn-%03d", i), Percent: int64(random.IntN(101)), Usage: map[string]int64{}}
		for j := range random.IntN(5) {
			name := fmt.Sprintf("p-%d", j)
			amount := amounts[random.IntN(len(amounts))]
			switch random.IntN(4) {
			case 0:
				c.Pods = append(c.Pods, guaranteed(name, amount))
			case 1:
				c.Pods = append(c.Pods, podOf(name, container("app", nil, nil)))
			case 2:
				pod := burstable(name, amount)
				pod.Spec.InitContainers = []corev1.Container{container("init", list("memory", amounts[random.IntN(len(amounts))]), nil)}
				c.Pods = append(c.Pods, pod)
			default:
				c.Pods = append(c.Pods, burstable(name, amount))
			}
		}
		c.Allocatable = quantity([]string{"1Gi", "16Gi", "16G", "8191Mi", "100Gi"}[random.IntN(5)])
		for _, tier := range []string{"burstable", "besteffort"} {
			if random.IntN(2) == 0 {
				c.Usage[tier] = random.Int64N(2 << 34)
			}
		}
		cases = append(cases, c)
	}
	return cases
}
