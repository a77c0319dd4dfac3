package peak_test

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/internal/testkit"
)

// played is a run whose pods request whole CPUs, and a quota of them.
type played struct {
	run   *affinity.Run
	cpus  map[string]int
	hard  int
	used  int
	scene peak.Scene
}

func plays() *rapid.Generator[played] {
	return rapid.Custom(func(t *rapid.T) played {
		p := played{run: &affinity.Run{Name: "run"}, cpus: map[string]int{}, scene: peak.Scene{Pods: map[string]*corev1.PodSpec{}, Live: map[string][]*corev1.Pod{}}}
		p.hard = rapid.IntRange(0, 6).Draw(t, "hard")
		for i := range rapid.IntRange(0, 6).Draw(t, "tasks") {
			task := affinity.Task{Name: string(rune('a' + i)), FanOut: rapid.IntRange(0, 3).Draw(t, "fan out")}
			for _, before := range p.run.Tasks {
				if rapid.IntRange(0, 3).Draw(t, "after") == 0 {
					task.RunAfter = append(task.RunAfter, before.Name)
				}
			}
			cpu := rapid.IntRange(1, 4).Draw(t, "cpu")
			p.cpus[task.Name], p.scene.Pods[task.Name] = cpu, specOf(fmt.Sprint(cpu))
			if rapid.IntRange(0, 4).Draw(t, "finally") == 0 {
				task.RunAfter = nil
				p.run.Finally = append(p.run.Finally, task)
				continue
			}
			if len(task.RunAfter) == 0 && rapid.IntRange(0, 3).Draw(t, "lives") == 0 {
				p.scene.Live[task.Name] = []*corev1.Pod{{Spec: *specOf(fmt.Sprint(cpu))}}
				p.used += cpu
			}
			p.run.Tasks = append(p.run.Tasks, task)
		}
		return p
	})
}

func (p *played) options() peak.Options {
	return peak.Options{Quotas: quotaWith(testkit.List("requests.cpu", fmt.Sprint(p.hard)), testkit.List("requests.cpu", fmt.Sprint(p.used)))}
}

// slowPlay returns which tasks run in each moment, by counting CPUs.
func slowPlay(p played) (all [][]string, stuck bool) {
	type state struct {
		waits, lives int
		begun        bool
	}
	tasks := map[string]*state{}
	var order []affinity.Task
	for _, t := range slices.Concat(p.run.Tasks, p.run.Finally) {
		tasks[t.Name] = &state{waits: max(t.FanOut, 1)}
		if len(p.scene.Live[t.Name]) > 0 {
			tasks[t.Name].waits, tasks[t.Name].lives, tasks[t.Name].begun = max(t.FanOut, 1)-1, 1, true
		}
		order = append(order, t)
	}
	over := func(name string) bool { return tasks[name].begun && tasks[name].waits+tasks[name].lives == 0 }
	// Pods are created in the order in which their tasks begin.
	var begun []string
	for _, t := range order {
		if tasks[t.Name].begun {
			begun = append(begun, t.Name)
		}
	}
	for {
		left := p.hard
		var running []string
		for i, t := range order {
			ready := !tasks[t.Name].begun
			for _, before := range t.RunAfter {
				ready = ready && over(before)
			}
			if i >= len(p.run.Tasks) {
				for _, other := range p.run.Tasks {
					ready = ready && over(other.Name)
				}
			}
			if ready {
				begun = append(begun, t.Name)
			}
		}
		for _, name := range begun {
			tasks[name].begun = true
			for range tasks[name].lives {
				running = append(running, name)
				left -= p.cpus[name]
			}
			tasks[name].lives = 0
		}
		waits := false
		for _, name := range begun {
			for tasks[name].waits > 0 && p.cpus[name] <= left {
				running = append(running, name)
				left -= p.cpus[name]
				tasks[name].waits--
			}
			waits = waits || tasks[name].waits > 0
		}
		switch {
		case len(running) > 0:
			slices.Sort(running)
			all = append(all, running)
		case waits:
			return all, true
		default:
			return all, false
		}
	}
}

// What runs at once is what a count of CPUs says, and the answer keeps the contract.
func TestPlayEqualsSlow(t *testing.T) {
	seen := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := plays().Draw(t, "run")
		testkit.Contract(t, func() any { timeline, _ := peak.Play(p.run, p.scene, p.options()); return timeline }, p.run, p.scene)
		testkit.Contract(t, func() any { return p.scene.Free(p.options().Quotas) }, p.scene)
		got, err := peak.Play(p.run, p.scene, p.options())
		testkit.OK(t, err)
		want, stuck := slowPlay(p)
		var runs [][]string
		for _, m := range got.Moments {
			if len(m.Running) > 0 {
				slices.Sort(m.Running)
				runs = append(runs, m.Running)
			}
		}
		testkit.NoDiff(t, runs, want)
		testkit.Equal(t, got.Stuck, stuck)
		testkit.Equal(t, got.Failed, false)
		seen[stuck]++
	})
	if !testing.Short() && (seen[true] == 0 || seen[false] == 0) {
		t.Error(seen)
	}
}

// The quota without the live pods of a run, once for each of its resources; what is not counted stays.
func TestFree(t *testing.T) {
	scene := peak.Scene{Live: map[string][]*corev1.Pod{"a": {{Spec: *specOf("2")}, {Spec: *specOf("1")}}, "b": {{Spec: *specOf("500m")}}}}
	quotas := quotaWith(testkit.List("requests.cpu", "9", "limits.cpu", "9"), testkit.List("requests.cpu", "8", "limits.cpu", "5", "pods", "4"))
	quotas[0].Spec.Hard["pods"], quotas[0].Status.Hard["pods"] = quotas[0].Spec.Hard["requests.cpu"], quotas[0].Spec.Hard["requests.cpu"]
	if none := (*peak.Scene)(nil).Free(quotas); len(none) != len(quotas) || none[0] == quotas[0] || none[0].Status.Used.Cpu().Cmp(*quotas[0].Status.Used.Cpu()) != 0 {
		t.Errorf("without a scene: %v", none)
	}
	free := scene.Free(append([]*corev1.ResourceQuota{nil}, quotas...))
	if len(free) != 1 {
		t.Fatal(len(free))
	}
	for name, want := range map[corev1.ResourceName]string{"requests.cpu": "4500m", "limits.cpu": "5", "pods": "1"} {
		q := free[0].Status.Used[name]
		testkit.Equal(t, q.String(), want, name)
	}
}
