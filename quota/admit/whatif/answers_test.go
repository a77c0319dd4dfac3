package whatif_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/internal/workload"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// situation is a small cluster, what is done to it, and the whole answer. The answer was worked by hand from the sources
// and the documentation of Kubernetes 1.37, and not from the output of this package. Pods have one node that they may be
// on, or nodes of which the scheduler chooses one by each of its scores, so that the answer holds for the whole default
// profile.
type situation struct {
	name    string
	opts    whatif.Options
	cluster []admit.APIObject
	ask     func(c *whatif.Cluster) (whatif.Result, *whatif.Cluster)
	want    string
	differs string // why the answer is another one today; empty if it is not
}

// apply, remove and drain ask what happens to the objects that are applied, removed, and to the node that is drained.
// Nobody writes to the objects.
func apply(objects ...admit.APIObject) func(c *whatif.Cluster) (whatif.Result, *whatif.Cluster) {
	return func(c *whatif.Cluster) (whatif.Result, *whatif.Cluster) {
		before := testkit.Fingerprint(objects)
		r, next := c.Apply(objects...)
		drained, _ := next.Drain("a") // another question about what is stored now
		if len(drained.Objects) != 1 || testkit.Fingerprint(objects) != before {
			panic("a manifest was written to")
		}
		return r, next
	}
}

func remove(objects ...admit.APIObject) func(c *whatif.Cluster) (whatif.Result, *whatif.Cluster) {
	return func(c *whatif.Cluster) (whatif.Result, *whatif.Cluster) { return c.Delete(objects...) }
}

func drain(node string) func(c *whatif.Cluster) (whatif.Result, *whatif.Cluster) {
	return func(c *whatif.Cluster) (whatif.Result, *whatif.Cluster) { return c.Drain(node) }
}

// after asks the last question about the cluster after the others.
func inTurn(questions ...func(c *whatif.Cluster) (whatif.Result, *whatif.Cluster)) func(c *whatif.Cluster) (whatif.Result, *whatif.Cluster) {
	return func(c *whatif.Cluster) (r whatif.Result, next *whatif.Cluster) {
		for _, ask := range questions {
			r, c = ask(c)
		}
		return r, c
	}
}

// with changes an object.
func with[O any](obj O, change func(obj O)) O {
	change(obj)
	return obj
}

// withSpec changes the spec of a pod, or of the template of a workload.
func withSpec[O admit.APIObject](obj O, change func(spec *corev1.PodSpec)) O {
	if p, ok := any(obj).(*corev1.Pod); ok {
		change(&p.Spec)
	} else {
		change(&workload.Of(obj).Template.Spec)
	}
	return obj
}

// in puts an object into a namespace.
func in[O admit.APIObject](namespace string, obj O) O {
	obj.SetNamespace(namespace)
	return obj
}

// TestAnswers compares whole answers. A situation that differs from Kubernetes says why; once the answer is right, it has
// to stop saying so.
func TestAnswers(t *testing.T) {
	for _, s := range slices.Concat(situationsOfNamespaces(), situationsOfQuotas(), situationsOfJobs(), situationsOfNodes(),
		situationsOfUpdates(), situationsOfRevisions(), situationsOfClaims(), situationsOfOptions(), situationsOfVolumes()) {
		t.Run(strings.ReplaceAll(s.name, " ", "_"), func(t *testing.T) {
			before := testkit.Fingerprint(s.cluster)
			r, next := s.ask(read(t, s.opts, s.cluster...))
			got, want := tell(r), lines(s.want)
			switch {
			case s.differs == "":
				testkit.NoDiff(t, got, want)
			case slices.Equal(got, want):
				t.Errorf("the answer is right now: %q no longer holds", s.differs)
			}
			testkit.Equal(t, testkit.Fingerprint(s.cluster), before)
			if again, _ := next.Apply(); len(tell(again)) > 0 {
				t.Errorf("applying nothing afterwards: %q", tell(again))
			}
		})
	}
}

// lines returns the lines of a text without the space around them.
func lines(text string) (list []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// tell writes a whole result, one line for each object, pod and quota, and one for the nodes:
//
//	KIND NAMESPACE/NAME ACTION WANTED/PODS/PLACED, OUTDATED old; refused CAUSE: MESSAGE; misses CAUSE: MESSAGE
//	pod NAMESPACE/NAME REQUESTS of WORKLOAD: NODE -> evicted -> NODE
//	quota NAMESPACE/NAME RESOURCE USED/HARD, ...
//	nodes NAME ...
//
// A workload that was not asked about begins with "and". Requests are those of all containers, then of overhead. Of Unknown,
// only classes and volumes are written, since which other fields the scheduler reads is tested elsewhere.
func tell(r whatif.Result) (text []string) {
	for _, o := range r.Objects {
		text = append(text, tellObject(o))
	}
	for _, o := range r.Others {
		text = append(text, "and "+tellObject(o))
	}
	for _, p := range r.Pods {
		text = append(text, tellPod(p))
	}
	for _, q := range r.Quotas {
		var used []string
		for _, name := range slices.Sorted(maps.Keys(q.Spec.Hard)) {
			hard, is := q.Spec.Hard[name], q.Status.Used[name]
			used = append(used, fmt.Sprintf("%s %s/%s", name, is.String(), hard.String()))
		}
		text = append(text, fmt.Sprintf("quota %s/%s %s", q.Namespace, q.Name, strings.Join(used, ", ")))
	}
	if len(r.Nodes) > 0 {
		text = append(text, "nodes "+strings.Join(r.Nodes, " "))
	}
	return text
}

func tellObject(o whatif.Object) string {
	text := fmt.Sprintf("%s %s", tellSource(o.Source), o.Action)
	if o.Wanted+o.Pods+o.Placed+o.Outdated > 0 {
		text += fmt.Sprintf(" %d/%d/%d", o.Wanted, o.Pods, o.Placed)
	}
	if o.Outdated > 0 {
		text += fmt.Sprintf(", %d old", o.Outdated)
	}
	if o.Kept > 0 {
		text += fmt.Sprintf(", %d kept", o.Kept)
	}
	if o.Reason.Cause != "" {
		text += "; refused " + tellReason(o.Reason)
	}
	if o.Missing.Cause != "" {
		text += "; misses " + tellReason(o.Missing)
	}
	if len(o.Injected) > 0 {
		text += "; injected " + strings.Join(o.Injected, " ")
	}
	if o.Depends {
		text += "; depends"
	}
	return text
}

func tellSource(s computeresources.Source) string {
	if s.Namespace == "" {
		return s.Kind + " " + s.Name
	}
	return fmt.Sprintf("%s %s/%s", s.Kind, s.Namespace, s.Name)
}

func tellReason(r whatif.Reason) string { return r.Cause + ": " + r.Message }

func tellPod(p whatif.Pod) string {
	text := fmt.Sprintf("pod %s/%s", p.Object.Namespace, p.Object.Name)
	for _, size := range []string{sizeOf(&p.Object.Spec), tellList(p.Object.Spec.Overhead)} {
		if size != "" {
			text += " " + size
		}
	}
	if p.Owner.Kind != "" {
		text += " of " + tellSource(p.Owner)
	}
	way := []string{orDash(p.Before)}
	switch {
	case p.Preempted:
		way = append(way, "preempted")
	case p.Evicted:
		way = append(way, "evicted")
	case p.Gone:
		way = append(way, "gone")
	}
	switch {
	case p.Waits.Cause != "":
		way = append(way, "waits, "+tellReason(p.Waits))
	case !p.Gone:
		way = append(way, orDash(p.Node))
	}
	text += ": " + strings.Join(way, " -> ")
	if p.Assumed {
		text += "; assumed"
	}
	for _, unknown := range p.Unknown {
		if !strings.HasPrefix(unknown, "spec.") || unknown == "spec.volumes" {
			text += "; unknown " + unknown
		}
	}
	if p.Depends {
		text += "; depends"
	}
	return text
}

func orDash(node string) string {
	if node == "" {
		return "-"
	}
	return node
}

// sizeOf returns the requests of the containers, one after the other.
func sizeOf(spec *corev1.PodSpec) string {
	var sizes []string
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range containers {
			if size := tellList(containers[i].Resources.Requests); size != "" {
				sizes = append(sizes, size)
			}
		}
	}
	return strings.Join(sizes, "+")
}

func tellList(list corev1.ResourceList) string {
	var amounts []string
	for _, name := range slices.Sorted(maps.Keys(list)) {
		amount := list[name]
		amounts = append(amounts, fmt.Sprintf("%s=%s", name, amount.String()))
	}
	return strings.Join(amounts, ",")
}
