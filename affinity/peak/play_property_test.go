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

// played is a run whose pods request whole CPUs, a quota of them, and a LimitRange that refuses pods of more than 4.
type played struct {
	run   *affinity.Run
	cpus  map[string]int
	hard  int
	used  int
	scene peak.Scene
}

const largest = 4

func plays() *rapid.Generator[played] {
	return rapid.Custom(func(t *rapid.T) played {
		p := played{run: &affinity.Run{Name: "run"}, cpus: map[string]int{}, scene: peak.Scene{Pods: map[string]*corev1.PodSpec{}, Live: map[string][]*corev1.Pod{}}}
		oneIn := func(n int, label string) bool { return rapid.IntRange(1, n).Draw(t, label) == 1 }
		p.hard = rapid.IntRange(0, 6).Draw(t, "hard")
		for i := range rapid.IntRange(0, 6).Draw(t, "tasks") {
			task := affinity.Task{Name: string(rune('a' + i)), FanOut: rapid.IntRange(0, 3).Draw(t, "fan out"), Retries: rapid.IntRange(0, 1).Draw(t, "retries")}
			task.NoPod, task.ContinueOnError = oneIn(8, "no pod"), oneIn(3, "continues")
			final := oneIn(5, "finally")
			for _, before := range p.run.Tasks {
				uses := oneIn(6, "uses")
				if uses {
					task.ResultsOf = append(task.ResultsOf, before.Name)
				}
				if !final && (uses || oneIn(4, "after")) {
					task.RunAfter = append(task.RunAfter, before.Name)
				}
			}
			cpu := rapid.IntRange(1, largest).Draw(t, "cpu")
			if oneIn(6, "refused") {
				cpu = largest + 1
			}
			p.cpus[task.Name], p.scene.Pods[task.Name] = cpu, specOf(fmt.Sprint(cpu))
			if final {
				p.run.Finally = append(p.run.Finally, task)
				continue
			}
			if len(task.RunAfter) == 0 && !task.NoPod && cpu <= largest && oneIn(4, "lives") {
				p.scene.Live[task.Name] = []*corev1.Pod{{Spec: *specOf(fmt.Sprint(cpu))}}
				p.used += cpu
			}
			if len(task.RunAfter) == 0 && !task.NoPod && cpu <= largest && task.FanOut > 1 && oneIn(3, "some have ended") {
				for range rapid.IntRange(1, task.FanOut-1).Draw(t, "ended") {
					to := rapid.SampledFrom([]*[]string{&p.scene.Succeeded, &p.scene.Succeeded, &p.scene.Failed}).Draw(t, "end")
					*to = append(*to, task.Name)
				}
			}
			p.run.Tasks = append(p.run.Tasks, task)
		}
		if n := len(p.run.Tasks); n > 1 && rapid.Bool().Draw(t, "in another order") {
			slices.Reverse(p.run.Tasks)
		}
		return p
	})
}

func (p *played) options() peak.Options {
	item := corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: testkit.List("cpu", fmt.Sprint(largest))}
	return peak.Options{Quotas: quotaWith(testkit.List("requests.cpu", fmt.Sprint(p.hard)), testkit.List("requests.cpu", fmt.Sprint(p.used))),
		LimitRanges: []*corev1.LimitRange{{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{item}}}}}
}

// slowTask is how far a task is.
type slowTask struct {
	affinity.Task
	final        bool
	state        string // "", begun, succeeded, failed, invalid, skipped
	waits, lives int
}

func (t *slowTask) over() bool { return t.state != "" && t.state != "begun" }

// slowRun counts CPUs.
type slowRun struct {
	played
	order []*slowTask
	begun []*slowTask // in this order, pods are created
}

func (r *slowRun) named(name string) *slowTask {
	return r.order[slices.IndexFunc(r.order, func(t *slowTask) bool { return t.Name == name })]
}

func (r *slowRun) all(names []string, is func(*slowTask) bool) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !is(r.named(name)) })
}

// stops reports whether a task before Finally has failed.
func (r *slowRun) stops() bool {
	return slices.ContainsFunc(r.order, func(t *slowTask) bool {
		return !t.final && (t.state == "invalid" || t.state == "failed" && !t.ContinueOnError)
	})
}

// turn reports whether a task may begin.
func (r *slowRun) turn(t *slowTask) bool {
	for _, other := range r.order {
		if t.final && !other.final && !other.over() && (other.state == "begun" || !r.stops()) {
			return false
		}
	}
	return t.state == "" && (t.final || !r.stops()) && r.all(t.RunAfter, (*slowTask).over)
}

func (r *slowRun) lacks(t *slowTask) bool {
	return !r.all(t.ResultsOf, func(other *slowTask) bool { return other.state == "succeeded" })
}

// settle lets tasks begin, fail and be skipped, until nothing changes.
func (r *slowRun) settle() {
	for changed := true; changed; {
		changed = false
		set := func(t *slowTask, state string) { t.state, changed = state, true }
		for _, t := range r.order {
			skips := !r.all(t.RunAfter, func(other *slowTask) bool { return other.state != "skipped" })
			switch {
			case t.state != "" || t.final && !r.turn(t):
			case skips, r.turn(t) && r.lacks(t) && (t.final || t.ContinueOnError):
				set(t, "skipped")
			case r.turn(t) && t.NoPod && !r.lacks(t):
				set(t, "succeeded")
			}
		}
		if changed {
			continue
		}
		var turns []*slowTask
		for _, t := range r.order {
			if r.turn(t) {
				turns = append(turns, t)
			}
		}
		invalid := slices.ContainsFunc(turns, r.lacks)
		for _, t := range turns {
			switch {
			case r.lacks(t):
				set(t, "invalid")
			case invalid:
			case r.cpus[t.Name] > largest:
				set(t, "failed")
			default:
				set(t, "begun")
				r.begun = append(r.begun, t)
			}
		}
	}
}

// slowPlay returns which tasks run in each moment, by counting CPUs.
func slowPlay(p played) (all [][]string, stuck, failed bool) {
	r := &slowRun{played: p}
	for i, group := range [][]affinity.Task{p.run.Tasks, p.run.Finally} {
		for _, task := range group {
			t := &slowTask{Task: task, final: i == 1, waits: max(task.FanOut, 1)}
			if len(p.scene.Live[t.Name]) > 0 {
				t.waits, t.lives, t.state = t.waits-1, 1, "begun"
				r.begun = append(r.begun, t)
			}
			for _, name := range slices.Concat(p.scene.Succeeded, p.scene.Failed) {
				if name == t.Name {
					t.waits--
				}
			}
			if ended := max(task.FanOut, 1) - t.waits - t.lives; ended > 0 && t.lives == 0 {
				t.state = "begun"
				r.begun = append(r.begun, t)
			}
			r.order = append(r.order, t)
		}
	}
	for {
		r.settle()
		left := p.hard
		var running []string
		run := func(t *slowTask) {
			running = append(running, t.Name)
			left -= p.cpus[t.Name]
		}
		for _, t := range r.begun {
			if t.lives > 0 {
				run(t)
			}
			t.lives = 0
		}
		for _, t := range r.begun {
			for ; t.waits > 0 && p.cpus[t.Name] <= left; t.waits-- {
				run(t)
			}
			switch {
			case t.waits == 0 && slices.Contains(p.scene.Failed, t.Name):
				t.state = "failed"
			case t.waits == 0:
				t.state = "succeeded"
			}
		}
		if len(running) == 0 {
			break
		}
		slices.Sort(running)
		all = append(all, running)
	}
	failed = slices.ContainsFunc(r.order, func(t *slowTask) bool {
		return t.state == "invalid" || t.state == "failed" && !t.ContinueOnError
	})
	return all, slices.ContainsFunc(r.order, func(t *slowTask) bool { return t.state == "begun" }), failed
}

// What runs at once is what a count of CPUs says, and the answer keeps the contract.
func TestPlayEqualsSlow(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := plays().Draw(t, "run")
		testkit.Contract(t, func() any { timeline, _ := peak.Play(p.run, p.scene, p.options()); return timeline }, p.run, p.scene)
		testkit.Contract(t, func() any { return p.scene.Free(p.options().Quotas) }, p.scene)
		got, err := peak.Play(p.run, p.scene, p.options())
		testkit.OK(t, err)
		want, stuck, failed := slowPlay(p)
		var runs [][]string
		for _, m := range got.Moments {
			if len(m.Running) > 0 {
				slices.Sort(m.Running)
				runs = append(runs, m.Running)
			}
		}
		testkit.NoDiff(t, runs, want)
		testkit.Equal(t, got.Stuck, stuck)
		testkit.Equal(t, got.Failed, failed)
		seen[fmt.Sprint(stuck, failed)]++
	})
	if !testing.Short() && len(seen) < 4 {
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
