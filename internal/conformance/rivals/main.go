// Rivals measures kubemath and the implementations that it is compared with, and prints four tables:
// medians, how many times faster ours is, the targets, and the allocations of both; large inputs and
// the bounds of their growth, and of their memory; and events of a large pool. It exits with 1 if a row misses its lower
// target.
//
//	cd internal/conformance && go run ./rivals
//
// The rows of component-helpers, Kueue, scheduler-library, the vertical autoscaler and Tekton come from programs of the
// same name in modules below, which cannot be linked together with this one.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	statsapi "k8s.io/kubelet/pkg/apis/stats/v1alpha1"
	upstreamqos "k8s.io/kubernetes/pkg/apis/core/v1/helper/qos"
	kubeletqos "k8s.io/kubernetes/pkg/kubelet/qos"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/conformance/kubelet"
	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

// The results of the measured functions are stored here, so the compiler cannot eliminate the work.
var (
	classSink corev1.PodQOSClass
	intSink   int
	tierSink  qos.Tiers

	evictionSink []qos.Eviction
)

func main() {
	rounds := flag.Int("rounds", 25, "how many `rounds` to measure")
	docs := flag.String("docs", "", "write rivals.md and rivals.svg into this `directory`, too")
	only := flag.String("run", "", "measure only kernels and subjects that match the `regexp`")
	flag.Parse()
	met, err := run(*rounds, *docs, *only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "rivals:", err)
	}
	if err != nil || !met {
		os.Exit(1)
	}
}

func run(rounds int, docs, only string) (met bool, err error) {
	matches, err := regexp.Compile(only)
	if err != nil {
		return false, err
	}
	requests, err := rowsBelow("componenthelpers", rounds, only)
	if err != nil {
		return false, err
	}
	trees, err := rowsBelow("kueue", rounds, only)
	if err != nil {
		return false, err
	}
	placements, err := rowsBelow("schedulerlibrary", rounds, only)
	if err != nil {
		return false, err
	}
	sizes, err := rowsBelow("autoscaler", rounds, only)
	if err != nil {
		return false, err
	}
	runs, err := rowsBelow("tekton", rounds, only)
	if err != nil {
		return false, err
	}
	rows := slices.DeleteFunc(slices.Concat(rows(), limitRangeRows(), cgroupRows(), quotaRows(), nodeRows(), preemptRows(), profileRows(), admitRows(), podRows(), poolRows(), resizeRows()),
		func(r measure.Row) bool { return !matches.MatchString(r.Kernel) })
	results := slices.Concat(requests, measure.Run(rows, rounds), trees, placements, sizes, runs)
	scale := measure.RunScale(slices.DeleteFunc(slices.Concat(scaleRows(), placementRows(), possibleScales(), profileScales(), whatifRows(), questionRows()),
		func(s measure.Scale) bool { return !matches.MatchString(s.Subject) }), max(3, rounds/5))
	memory := measure.RunMemory(slices.DeleteFunc(whatifMemory(), func(m measure.Memory) bool { return !matches.MatchString(m.Subject) }))
	events := measure.RunEvents(slices.DeleteFunc(eventRows(),
		func(e measure.Events) bool { return !matches.MatchString(e.Subject) }), 40*rounds)
	fast, err := measure.Print(os.Stdout, results)
	if err != nil {
		return false, err
	}
	fmt.Println()
	quick, err := measure.PrintScale(os.Stdout, scale)
	if err != nil {
		return false, err
	}
	fmt.Println()
	small, err := measure.PrintMemory(os.Stdout, memory)
	if err == nil && len(events) > 0 {
		err = measure.MarkdownEvents(os.Stdout, eventTitle, events)
	}
	if err == nil && docs != "" {
		err = write(docs, results, scale, memory, events)
	}
	return fast && quick && small, err
}

const eventTitle = "events of a pool with 1,000,000 claims"

// write writes the tables and the chart of the first one for the documentation.
func write(dir string, results []measure.Result, scale []measure.ScaleResult, memory []measure.MemoryResult, events []measure.EventResult) error {
	var table, chart bytes.Buffer
	table.WriteString("# Kubemath and its rivals\n\nWritten by `go run ./rivals -docs ../../docs` in internal/conformance. Times are medians of one run, in which\n" +
		"ours, theirs and the floor took turns. The floor is the look-ups, additions or comparisons alone.\n\n![ratios](rivals.svg)\n\n")
	if err := measure.Markdown(&table, results, scale); err != nil {
		return err
	}
	if err := measure.MarkdownMemory(&table, memory); err != nil {
		return err
	}
	table.WriteString("\n## Events of a pool\n\nThe pool has enough for half of its claims, which want random amounts of four resources. CPU time of the thread. By\n" +
		"decision, it is divided by one and the claims that were granted, the most of which are in the last column.\n")
	if err := measure.MarkdownEvents(&table, eventTitle, events); err != nil {
		return err
	}
	if err := measure.Chart(&chart, results); err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "rivals.md"), table.Bytes(), 0o644),
		os.WriteFile(filepath.Join(dir, "rivals.svg"), chart.Bytes(), 0o644),
	)
}

// rowsBelow runs the program of a module below.
func rowsBelow(module string, rounds int, only string) (results []measure.Result, err error) {
	program := exec.Command("go", "run", "-C", module, "./rivals", "-rounds", strconv.Itoa(rounds), "-run", only)
	program.Stderr = os.Stderr
	out, err := program.Output()
	if err != nil {
		return nil, fmt.Errorf("%v: %w", program, err)
	}
	return results, json.Unmarshal(out, &results)
}

func rows() []measure.Row {
	// Upstream is given pods of its own. The class is not in their status: both sides
	// have to compute it.
	const capacity = 16 << 30
	burstable, theirBurstable := testkit.StandardPod(false), testkit.StandardPod(false)
	guaranteed, theirGuaranteed := testkit.StandardPod(true), testkit.StandardPod(true)
	nodePods, theirNodePods := node(), node()
	statistics, usage := kubelet.Stats{}, map[types.UID]qos.PodUsage{}
	for i, pod := range nodePods {
		// Some 40 % use more than they request, and priorities are often equal.
		used, id, priority := uint64(i*7919%110)<<24, types.UID(strconv.Itoa(i)), int32(i%3)
		for _, same := range []*corev1.Pod{pod, theirNodePods[i]} {
			same.UID, same.Spec.Priority = id, &priority
		}
		statistics[id] = statsapi.PodStats{Memory: &statsapi.MemoryStats{WorkingSetBytes: &used}}
		usage[id] = qos.PodUsage{Amount: int64(used)}
	}
	unsorted := slices.Clone(theirNodePods)
	return []measure.Row{
		{
			Kernel: "QoS class, Guaranteed", Rival: kubernetes + " qos", AtLeast: 1.5, Aim: 2, // up to 1.36, theirs sums all amounts
			Floor:  func() { floorSink = lookUps(&guaranteed.Spec) },
			Ours:   func() { classSink = qos.Class(&guaranteed.Spec, computeresources.Kubernetes{}) },
			Theirs: func() { classSink = upstreamqos.ComputePodQOS(theirGuaranteed) },
		},
		{
			Kernel: "QoS class, Burstable", Rival: kubernetes + " qos", AtLeast: 0.8, Aim: 1, // both end at the first container
			Ours:   func() { classSink = qos.Class(&burstable.Spec, computeresources.Kubernetes{}) },
			Theirs: func() { classSink = upstreamqos.ComputePodQOS(theirBurstable) },
		},
		{
			Kernel: "OOM score", Rival: kubernetes + " kubelet/qos", AtLeast: 1.3, Aim: 2,
			Ours: func() {
				intSink = qos.OOMScoreAdj(burstable, &burstable.Spec.Containers[0], capacity, computeresources.Kubernetes{})
			},
			Theirs: func() {
				intSink = kubeletqos.GetContainerOOMScoreAdjust(theirBurstable, &theirBurstable.Spec.Containers[0], capacity)
			},
		},
		{
			Kernel: "tier totals of 110 pods", Rival: "kubelet's loop", AtLeast: 6, Aim: 10,
			Floor: func() {
				for _, pod := range nodePods {
					floorSink += lookUps(&pod.Spec)
				}
			},
			Ours:   func() { tierSink = qos.TierTotals(nodePods, computeresources.Kubernetes{}) },
			Theirs: func() { tierSink = kubelet.TierTotals(theirNodePods) },
		},
		{
			Kernel: "eviction order of 110 pods", Rival: "kubelet rankMemoryPressure", AtLeast: 5, Aim: 20, Allocs: 4,
			Floor: func() {
				for _, pod := range nodePods {
					floorSink += lookUps(&pod.Spec)
				}
			},
			Ours: func() {
				node := qos.NodePressure{Pressure: qos.MemoryPressure, Usage: usage}
				evictionSink, _ = qos.EvictionOrder(nodePods, node, computeresources.Kubernetes{})
			},
			Theirs: func() { kubelet.Rank(append(theirNodePods[:0], unsorted...), qos.MemoryPressure, statistics) },
		},
	}
}

// node returns the 110 pods that a node holds, one in four of them Guaranteed.
func node() (pods []*corev1.Pod) {
	for i := range 110 {
		pods = append(pods, testkit.StandardPod(i%4 == 0))
	}
	return pods
}
