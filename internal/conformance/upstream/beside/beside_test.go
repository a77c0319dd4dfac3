package beside_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/conformance/upstream/beside"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestRecord(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(beside.Directory, dir)
	list := corev1.ResourceList{"memory": resource.MustParse("1.5Gi")}

	beside.Compare("equal by value", list, corev1.ResourceList{"memory": resource.MustParse("1536Mi")})
	beside.Compare("nil and empty", []corev1.ResourceName(nil), []corev1.ResourceName{})
	beside.Compare("other", 1, 2)
	beside.Forward("F", "no counterpart")

	untouched := beside.Keep("untouched", list, "name", []corev1.Container{{Name: "app"}}, (*corev1.Pod)(nil))
	untouched.Unchanged()
	pod := &corev1.Pod{Spec: corev1.PodSpec{Overhead: list}}
	decimal := beside.Keep("decimal", pod)
	q := list["memory"]
	before := q.String()
	q.Add(resource.MustParse("1"))
	decimal.Unchanged()
	names := []corev1.ResourceName{"b", "a"}
	order := beside.Keep("order", names)
	names[0], names[1] = names[1], names[0]
	order.Unchanged()

	want := []beside.Call{
		{Function: "equal by value", Outcome: beside.Agreed},
		{Function: "nil and empty", Outcome: beside.Agreed},
		{Function: "other", Outcome: beside.Differed, Ours: "1", Theirs: "2"},
		{Function: "F: no counterpart", Outcome: beside.Forwarded},
		{Function: "decimal", Outcome: beside.Written},
		{Function: "order", Outcome: beside.Written, Ours: `["a","b"]`, Theirs: `["b","a"]`},
	}
	if now := list["memory"]; now.String() == before { // since apimachinery 0.38, a sum never writes to its parts
		want = slices.DeleteFunc(want, func(c beside.Call) bool { return c.Function == "decimal" })
	}
	var got []beside.Call
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	content, err := os.ReadFile(files[0])
	testkit.OK(t, err)
	for line := range strings.Lines(string(content)) {
		var call beside.Call
		testkit.OK(t, json.Unmarshal([]byte(line), &call))
		if call.Function == "decimal" {
			call.Ours, call.Theirs = "", "" // two pods
		}
		got = append(got, call)
	}
	testkit.NoDiff(t, got, want)
}
