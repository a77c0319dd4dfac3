package affinity_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

// runs draws runs. Most of them can be planned; now and then, something is wrong with one.
func runs() *rapid.Generator[*affinity.Run] {
	return rapid.Custom(func(t *rapid.T) *affinity.Run {
		run := &affinity.Run{
			Name: "run-" + rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name"), Namespace: "ci", UID: "uid",
			Labels:      rapid.SampledFrom([]map[string]string{nil, {"team": "web"}, {"app.kubernetes.io/instance": "x"}}).Draw(t, "labels"),
			PodTemplate: podTemplate().Draw(t, "pod template"),
		}
		if rapid.IntRange(0, 9).Draw(t, "nameless") == 0 {
			run.Name = ""
		}
		var names []string
		for i := range rapid.SampledFrom([]int{0, 1, 2, 3, 4, 5}).Draw(t, "workspaces") {
			w := affinity.Workspace{Name: fmt.Sprintf("w-%d", i)}
			switch rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "claim") {
			case 0:
				w.ClaimName = rapid.SampledFrom([]string{"one", "two", "three"}).Draw(t, "claim name")
			case 1:
				w.ClaimTemplate = template(rapid.SampledFrom([]string{"", "cache", "long-long-long-long-long-long-long-long-long-long-long-name"}).Draw(t, "template"))
				w.ClaimTemplate.Labels = rapid.SampledFrom([]map[string]string{nil, {"tier": "fast"}}).Draw(t, "template labels")
			}
			run.Workspaces = append(run.Workspaces, w)
			names = append(names, w.Name)
		}
		for i := range rapid.SampledFrom([]int{0, 1, 2, 3, 4, 5}).Draw(t, "tasks") {
			task := drawTask(t, fmt.Sprintf("t-%d", i), names)
			for before := range i {
				if rapid.Bool().Draw(t, "edge") {
					task.RunAfter = append(task.RunAfter, fmt.Sprintf("t-%d", before))
				}
			}
			run.Tasks = append(run.Tasks, task)
		}
		for i := range rapid.IntRange(0, 2).Draw(t, "finally") {
			run.Finally = append(run.Finally, drawTask(t, fmt.Sprintf("f-%d", i), names))
		}
		return run
	})
}

// pairs draws two runs, some of which are the same but for the name, so that they use the same claims.
func pairs() *rapid.Generator[[2]*affinity.Run] {
	return rapid.Custom(func(t *rapid.T) [2]*affinity.Run {
		run := runs().Draw(t, "run")
		if rapid.Bool().Draw(t, "two of one kind") {
			other := *run
			other.Name = "run-d"
			return [2]*affinity.Run{run, &other}
		}
		return [2]*affinity.Run{run, runs().Draw(t, "other")}
	})
}

func drawTask(t *rapid.T, name string, workspaces []string) affinity.Task {
	task := affinity.Task{Name: name, Requests: testkit.ResourceList(testkit.Ordinary()).Draw(t, "requests")}
	least, most := 0, 1
	if rapid.Bool().Draw(t, "several") {
		least, most = 2, 4
	}
	task.NoPod = rapid.IntRange(0, 9).Draw(t, "no pod") == 0
	task.FanOut = rapid.IntRange(0, 3).Draw(t, "fan-out")
	if rapid.IntRange(0, 3).Draw(t, "pod template") == 0 {
		task.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{}}
	}
	if len(workspaces) > 0 {
		task.Workspaces = rapid.SliceOfN(rapid.SampledFrom(workspaces), least, most).Draw(t, "uses")
	}
	return task
}

func podTemplate() *rapid.Generator[affinity.PodTemplate] {
	return rapid.Custom(func(t *rapid.T) (p affinity.PodTemplate) {
		if rapid.Bool().Draw(t, "plain") {
			return p
		}
		seconds, user := int64(1), int64(2)
		p.NodeSelector = map[string]string{"disk": "ssd"}
		p.Tolerations = []corev1.Toleration{{Key: "ci", TolerationSeconds: &seconds}}
		p.ImagePullSecrets = []corev1.LocalObjectReference{{Name: "registry"}}
		p.SecurityContext = &corev1.PodSecurityContext{RunAsUser: &user}
		p.ServiceAccountName = "builder"
		zone := corev1.PodAffinityTerm{TopologyKey: "zone", LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "db"}}}
		terms := append(make([]corev1.PodAffinityTerm, 0, 4), zone) // in place, with spare capacity
		p.Affinity = rapid.SampledFrom([]*corev1.Affinity{
			nil, {},
			{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: terms}},
			{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: terms, PreferredDuringSchedulingIgnoredDuringExecution: make([]corev1.WeightedPodAffinityTerm, 0, 4)}},
		}).Draw(t, "affinity")
		return p
	})
}

// behaviors are all behaviors.
var behaviors = []affinity.Behavior{affinity.PerWorkspace, affinity.PerRun, affinity.PerRunIsolated, affinity.Disabled}

// causes are all causes, in their order.
var causes = []affinity.StrandedCause{affinity.NodeFull, affinity.NodeEmptied, affinity.NodeCordoned, affinity.NodeGone}

// site is a placeholder and what is known of its node. Each cause may hold.
type site struct {
	pod   *corev1.Pod
	nodes []*corev1.Node
	opts  affinity.StrandedOptions
	holds map[affinity.StrandedCause]bool
}

func sites() *rapid.Generator[site] {
	return rapid.Custom(func(t *rapid.T) site {
		s := site{pod: placed("n", nil), holds: map[affinity.StrandedCause]bool{}}
		for _, cause := range causes {
			s.holds[cause] = rapid.IntRange(0, 2).Draw(t, string(cause)) == 0
		}
		if s.holds[affinity.NodeFull] {
			s.opts.Full = []types.NamespacedName{{Namespace: "other", Name: s.pod.Name}, {Namespace: s.pod.Namespace, Name: s.pod.Name}}
		}
		if s.holds[affinity.NodeGone] {
			s.opts.Gone, s.holds[affinity.NodeCordoned], s.holds[affinity.NodeEmptied] = []string{"n"}, false, false
			return s
		}
		on := node("n", s.holds[affinity.NodeCordoned])
		if s.holds[affinity.NodeEmptied] {
			on.Spec.Taints = []corev1.Taint{{Key: "karpenter.sh/disrupted", Effect: corev1.TaintEffectNoExecute}}
		}
		s.nodes = []*corev1.Node{node("m", true), on}
		return s
	})
}

// options draws options. Most of them have an image.
func options() *rapid.Generator[affinity.Options] {
	return rapid.Custom(func(t *rapid.T) affinity.Options {
		opts := affinity.Options{
			Behavior:    rapid.SampledFrom(append(behaviors, affinity.PerWorkspace)).Draw(t, "behavior"),
			AutoCleanup: rapid.Bool().Draw(t, "cleanup"),
			LabelClaims: rapid.Bool().Draw(t, "label"),

			RejectSeveralClaims: rapid.Bool().Draw(t, "reject"),
			Placeholder:         affinity.Placeholder{Image: "nop", Args: []string{"run"}},
		}
		if rapid.Bool().Draw(t, "sized") {
			opts.Placeholder.Requests = testkit.ResourceList(testkit.Ordinary()).Draw(t, "requests")
		}
		if rapid.IntRange(0, 3).Draw(t, "limited") == 0 {
			opts.Placeholder.Limits = rapid.SampledFrom([]corev1.ResourceList{{}, list("cpu", "100E", "memory", "100E")}).Draw(t, "limits")
		}
		if rapid.Bool().Draw(t, "secured") {
			yes := true
			opts.Placeholder.SecurityContext = &corev1.SecurityContext{RunAsNonRoot: &yes}
		}
		if rapid.IntRange(0, 19).Draw(t, "no image") == 0 {
			opts.Placeholder.Image = ""
		}
		return opts
	})
}
