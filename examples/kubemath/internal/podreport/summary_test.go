package podreport_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// Many workloads are summed up, unless -o asks for something else.
func TestSummaryOfManyWorkloads(t *testing.T) {
	pods := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.Replace(podWith("resources: {requests: {cpu: 1}}"), "name: web", fmt.Sprint("name: web", i), 1) + "---\n")
		}
		return b.String()
	}
	for _, test := range []struct {
		name    string
		pods    int
		args    []string
		summary bool
	}{
		{"few", 29, nil, false},
		{"many", 30, nil, true},
		{"many as a table", 30, []string{"-all"}, false},
		{"few, as a summary", 1, []string{"-summary"}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runWith(pods(test.pods), append([]string{"-f", "-"}, test.args...)...)
			if is := strings.Contains(got.Stdout, "\nby namespace "); got.Code != 0 || is != test.summary {
				t.Errorf("exit code %d, a summary: %v\n%s", got.Code, is, got.Stdout)
			}
		})
	}
	golden.Refuses(t, run, 1, "kubemath: -summary writes its own text, and cannot be given with -o or -all", "-summary", "-o", "json")
	golden.Refuses(t, run, 1, "kubemath: -summary and -explain cannot be given together", "-summary", "-explain", "cpu")
}
