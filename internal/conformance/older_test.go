package conformance

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// olderQuestion and olderAnswer are those of the program older, which see.
type olderQuestion struct {
	Ranges   []*corev1.LimitRange
	Quotas   []*corev1.ResourceQuota
	Pod, Old *corev1.Pod
}

type olderAnswer struct {
	Pod     *corev1.Pod
	Used    map[string]corev1.ResourceList
	Code    int32
	Reason  metav1.StatusReason
	Message string
	Errors  []string
}

// olderServer is a running program that answers as an older release.
type olderServer struct {
	questions *json.Encoder
	answers   *json.Decoder
}

// startOlder starts a program, which .ci/older has built.
func startOlder(t *testing.T, program string) *olderServer {
	running := exec.Command(program)
	running.Stderr = os.Stderr
	in, err := running.StdinPipe()
	testkit.OK(t, err)
	out, err := running.StdoutPipe()
	testkit.OK(t, err)
	testkit.OK(t, running.Start())
	t.Cleanup(func() {
		in.Close()
		_, err := io.Copy(io.Discard, out)
		testkit.OK(t, err)
		testkit.OK(t, running.Wait())
	})
	return &olderServer{json.NewEncoder(in), json.NewDecoder(out)}
}

func (s *olderServer) ask(t testkit.TB, q olderQuestion) (a olderAnswer) {
	testkit.OK(t, s.questions.Encode(q))
	testkit.OK(t, s.answers.Decode(&a))
	return a
}

// The answers for the releases that cannot be linked with kubemath are those of their own code, which runs as a program.
func TestOlder(t *testing.T) {
	dir := os.Getenv("KUBEMATH_OLDER")
	if dir == "" {
		t.Skip("KUBEMATH_OLDER does not name the programs: see .ci/older")
	}
	programs, err := filepath.Glob(filepath.Join(dir, "1.*"))
	testkit.OK(t, err)
	testkit.Equal(t, len(programs) > 0, true, "programs in", dir)
	for _, program := range programs {
		of := computeresources.Kubernetes{Release: filepath.Base(program)}
		s := startOlder(t, program)
		t.Run(of.Release+"/create", func(t *testing.T) { testOlderCreate(t, of, s) })
		t.Run(of.Release+"/resize", func(t *testing.T) { testOlderResize(t, of, s) })
	}
}

// dropNewer removes the restart policies of containers that older releases do not know.
func dropNewer(pod *corev1.Pod) {
	for _, c := range computeresources.Containers(&pod.Spec) {
		if c.RestartPolicy != nil && *c.RestartPolicy != corev1.ContainerRestartPolicyAlways {
			c.RestartPolicy = nil
		}
	}
}

// Messages are compared by their parts, because they have the order of a map.
func testOlderCreate(t *testing.T, of computeresources.Kubernetes, s *olderServer) {
	outcomes := map[metav1.StatusReason]int{}
	rapid.Check(t, func(t *rapid.T) {
		w := worlds().Draw(t, "world")
		dropNewer(w.pod)
		namespace, err := admit.Compile(w.ranges, w.quotas, admit.Options{Kubernetes: of})
		testkit.OK(t, err)
		d := namespace.Create(w.pod, admit.Attributes{})
		theirs, ours := s.ask(t, olderQuestion{Ranges: w.ranges, Quotas: w.quotas, Pod: w.pod}), olderAnswer{}
		if err := d.Err(); err != nil {
			ours.Code, ours.Reason, ours.Message = statusOf(err)
		} else {
			ours.Pod, ours.Used = d.Object.(*corev1.Pod), map[string]corev1.ResourceList{}
			for _, q := range namespace.After(d).Quotas() {
				ours.Used[q.Name] = q.Status.Used
			}
		}
		testkit.Equal(t, ours.Reason, theirs.Reason, "the reason of", theirs.Message, "and", ours.Message)
		testkit.NoDiff(t, parts(withoutValues(ours.Message)), parts(withoutValues(theirs.Message)), "the message")
		outcomes[theirs.Reason]++
		if theirs.Pod == nil {
			return
		}
		testkit.Equal(t, ours.Pod.Status.QOSClass, theirs.Pod.Status.QOSClass, "the class")
		for what, pair := range map[string][2]any{
			"stored": {resources(&theirs.Pod.Spec), resources(&ours.Pod.Spec)}, "used": {theirs.Used, ours.Used},
		} {
			testkit.NoDiff(t, pair[1], pair[0], cmpopts.EquateEmpty(), what)
		}
	})
	t.Logf("%v", outcomes)
	if len(outcomes) < 3 {
		t.Errorf("the outcomes are %v, want admitted, Invalid and Forbidden", outcomes)
	}
}

// Invalid amounts are in messages as text, and up to 1.34 in the form of Go.
var quantityValue = regexp.MustCompile(`Invalid value: (?:resource\.Quantity\{.*?Format:"\w*"\}|"[^"]*")`)

func withoutValues(message string) string {
	return quantityValue.ReplaceAllString(message, "Invalid value")
}

// Up to 1.34, a resize may set what is neither cpu nor memory where the container has had no list: see
// docs/decisions/quota.md#resize-adds-no-other-resource.
const othersMutable = "spec: Forbidden: only cpu and memory resources" // of containers, or of sidecars

func testOlderResize(t *testing.T, of computeresources.Kubernetes, s *olderServer) {
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		old, updated := resizePair(t)
		dropNewer(old)
		dropNewer(updated)
		theirs := s.ask(t, olderQuestion{Pod: updated, Old: old}).Errors
		for _, pod := range []*corev1.Pod{old, updated} { // as the server reads them
			computeresources.ApplyRequestDefaults(&pod.Spec, of)
		}
		var ours []string
		for _, err := range computeresources.ValidateResize(old, updated, computeresources.ResizeOptions{Kubernetes: of}).ErrorList(nil) {
			ours = append(ours, withoutValues(err.Error()))
		}
		theirs = slices.DeleteFunc(theirs, func(text string) bool { return strings.Contains(text, ".name: Duplicate value") })
		for i := range theirs {
			theirs[i] = withoutValues(theirs[i])
		}
		if of.Release <= "1.34" {
			isOthers := func(text string) bool { return strings.HasPrefix(text, othersMutable) }
			ours, theirs = slices.DeleteFunc(ours, isOthers), slices.DeleteFunc(theirs, isOthers)
		}
		slices.Sort(theirs)
		slices.Sort(ours)
		// Concat makes an empty list nil.
		testkit.NoDiff(t, slices.Concat(ours), slices.Concat(theirs), "the errors")
		if len(theirs) == 0 {
			accepted++
		}
	})
	if accepted == 0 {
		t.Error("no resize was accepted")
	}
}
