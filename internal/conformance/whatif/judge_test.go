package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// story is what happens in a small cluster: node a has room for two pods, and node b for one.
type story struct {
	begin      time.Time
	happenings []happening
	attempts   []attempt
}

func (s *story) happens(after time.Duration, o admit.APIObject, gone bool) {
	s.happenings = append(s.happenings, happening{int64(len(s.happenings)), s.begin.Add(after), o, gone})
}

func (s *story) tries(after time.Duration, pod, failure string) {
	s.attempts = append(s.attempts, attempt{at: s.begin.Add(after), pod: types.NamespacedName{Namespace: "shop", Name: pod}, failure: failure})
}

func node(name string, cpu int64) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name)}}
	n.Status.Allocatable = corev1.ResourceList{"cpu": milli(cpu), "memory": mebi(1 << 20), "pods": count(10)}
	return n
}

// podOn is a pod that requests a whole CPU.
func podOn(name, node string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name)}}
	p.Spec.NodeName = node
	p.Spec.Containers = []corev1.Container{{Name: "c", Image: "image", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": milli(1000)}}}}
	return p
}

func newStory() *story {
	s := &story{begin: time.Now()}
	s.happens(0, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop", UID: "shop"}}, false)
	s.happens(0, node("a", 2000), false)
	s.happens(0, node("b", 1000), false)
	return s
}

func (s *story) compare(t *testing.T) (difference string, counted tries) {
	t.Helper()
	difference, err := newJudging(s.happenings, s.attempts, true, &counted).compare(0)
	testkit.OK(t, err)
	return difference, counted
}

// The first two pods have to be on the larger node, which stays the more balanced one; nothing is left for the fourth.
func TestJudge(t *testing.T) {
	const second, full = 2 * time.Second, "0/2 nodes are available: 2 Insufficient cpu."
	for _, test := range []struct {
		name, first, second, fails, want string
	}{
		{"each has the highest score", "a", "a", full, ""},
		{"another node has the highest score", "b", "a", full, "pod shop/p1 is on b, the highest score have [a]"},
		{"preemption is explained", "a", "a", full + " preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.", ""},
		{"another message", "a", "a", "0/2 nodes are available: 2 Too many pods.", "pod shop/p4 waits"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newStory()
			for i, on := range []string{test.first, test.second, "b"} {
				name := "p" + string(rune('1'+i))
				s.happens(second, podOn(name, ""), false)
				s.tries(second+time.Millisecond, name, "")
				s.happens(second, podOn(name, on), false)
			}
			s.happens(2*second, podOn("p4", ""), false)
			s.tries(2*second+time.Millisecond, "p4", test.fails)
			difference, counted := s.compare(t)
			if test.want == "" != (difference == "") || !strings.Contains(difference, test.want) {
				t.Errorf("%q, want %q", difference, test.want)
			}
			if want := (tries{placed: 3, waiting: 1}); difference == "" && counted != want {
				t.Errorf("%+v, want %+v", counted, want)
			}
		})
	}
}

// A pod that is bound later than another one may have been placed before it.
func TestJudgeInTheOrderOfAttempts(t *testing.T) {
	s := newStory()
	s.happens(0, podOn("p1", ""), false)
	s.happens(0, podOn("p2", ""), false)
	s.happens(0, podOn("p3", ""), false)
	for i, name := range []string{"p1", "p2", "p3"} {
		s.tries(2*time.Second+time.Duration(i)*time.Millisecond, name, "")
	}
	s.happens(2*time.Second, podOn("p3", "b"), false)
	s.happens(2*time.Second, podOn("p2", "a"), false)
	s.happens(2*time.Second, podOn("p1", "a"), false)
	if difference, counted := s.compare(t); difference != "" || counted.placed != 3 {
		t.Errorf("%q, %+v", difference, counted)
	}
}

// The scheduler hears a little later of what happens to nodes and pods.
func TestJudgeWhatTheSchedulerHasSeen(t *testing.T) {
	for _, test := range []struct {
		name    string
		earlier time.Duration
		unsure  int
	}{{"just before", 100 * time.Millisecond, 1}, {"long before", 5 * time.Second, 0}} {
		t.Run(test.name, func(t *testing.T) {
			s := newStory()
			s.happens(0, podOn("old", "a"), false)
			s.happens(0, podOn("older", "a"), false)
			s.happens(10*time.Second-test.earlier, podOn("old", "a"), true)
			s.happens(10*time.Second, podOn("p1", ""), false)
			s.tries(10*time.Second, "p1", "")
			s.happens(10*time.Second+time.Millisecond, podOn("p1", "b"), false)
			difference, counted := s.compare(t)
			if (difference == "") != (test.unsure == 1) || counted.unsure != test.unsure {
				t.Errorf("%q, %+v", difference, counted)
			}
		})
	}
}

// A pod that was to come to a node is told as well which plugins have refused that node.
func TestMessageOfANominatedPod(t *testing.T) {
	const theirs = "0/2 nodes are available: 1 node(s) didn't match pod anti-affinity rules, 1 node(s) didn't satisfy plugin(s) [InterPodAffinity NodeAffinity]. preemption: none."
	const ours = "0/2 nodes are available: 1 node(s) didn't match pod anti-affinity rules, 1 node(s) didn't satisfy plugin(s) [NodeAffinity]."
	s := &situation{pod: podOn("p", "")}
	if isMessage(s.spoken(theirs, false), ours) {
		t.Error("the pod was not nominated")
	}
	s.pod.Status.NominatedNodeName = "a"
	if !isMessage(s.spoken(theirs, false), ours) || !isMessage(s.spoken(ours, false), ours) {
		t.Error(s.spoken(theirs, false))
	}
}

// The scheduler skips its plugin of affinity if no pod that is there concerns the pod, even if one that is to come there does.
func TestComingPods(t *testing.T) {
	term := corev1.PodAffinityTerm{LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"tier": "a"}}, TopologyKey: "zone"}
	hostile := func(name, node string) *corev1.Pod {
		p := podOn(name, node)
		p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{term}}}
		return p
	}
	const refused = "1 node(s) didn't satisfy existing pods anti-affinity rules"
	for _, test := range []struct {
		name         string
		there        []*corev1.Pod
		cpu          int64 // of the first node
		best, reason string
	}{
		{"none is there", nil, 2000, "a", ""},
		{"another one is elsewhere", []*corev1.Pod{hostile("other", "b")}, 2000, "", refused},
		{"there is no room for both", nil, 1000, "", "Insufficient cpu"},
	} {
		s := &situation{pod: podOn("p", ""), pods: test.there, nominated: []*corev1.Pod{hostile("coming", "a")}}
		for i, cpu := range []int64{test.cpu, 1000} {
			n := node(string(rune('a'+i)), cpu)
			n.Labels = map[string]string{"zone": n.Name}
			s.nodes = append(s.nodes, n)
		}
		s.nodes[1].Spec.Unschedulable = true
		s.pod.Labels = map[string]string{"tier": "a"}
		s.pod.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
			MaxSkew: 5, TopologyKey: "zone", WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: term.LabelSelector,
		}}
		v := s.judge(true)
		if strings.Join(v.best, ",") != test.best || !strings.Contains(v.message, test.reason) {
			t.Errorf("%s: %v %s", test.name, v.best, v.message)
		}
	}
}

// A preemption is one even if it cannot be compared, such as one before the scheduler hears that a pod is gone.
func TestJudgePreempted(t *testing.T) {
	const trying = `I1129 15:43:44.014000    4775 schedule_one.go:117] "Attempting to schedule pod" pod="shop/b"` + "\n"
	const targeting = `I1129 15:43:44.014500    4775 preemption.go:189] "the target node for the preemption is determined" pod="shop/b" node="a"` + "\n"
	for lines, want := range map[string]bool{trying: false, trying + targeting: true} {
		w := &world{log: schedulerLog{path: filepath.Join(t.TempDir(), "log")}}
		testkit.OK(t, os.WriteFile(w.log.path, []byte(lines), 0o600))
		s := &outcome{counts: &counts{}}
		difference, err := w.judge(s)
		if difference != "" || err != nil || s.preempted != want {
			t.Errorf("%q, %v, %t", difference, err, s.preempted)
		}
	}
}
