package main_test

import (
	"slices"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
)

// libraryCase is a question that only the library answers.
type libraryCase struct {
	name, question, source string
	marked                 string // as in situation
	got                    func(t *testing.T) string
	want                   string
}

// libraryCases are the questions of the case book that no subcommand answers.
var libraryCases = []libraryCase{
	{
		name:     "downward limits.cpu",
		question: "What does a container read as limits.cpu from the downward API, if its limit is 500m?",
		source:   "kubernetes/kubernetes#64579; pkg/api/v1/resource/helpers.go, v1.36.3: rounded up, 500 with divisor 1m",
		got: func(t *testing.T) string {
			spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{
				Limits: corev1.ResourceList{"cpu": resource.MustParse("500m")},
			}}}}
			return downward(t, spec, "1") + " " + downward(t, spec, "1m")
		},
		want: "1 500",
	},
}

func (c *libraryCase) check(t *testing.T) {
	if c.question == "" || c.source == "" || c.want == "" || c.marked != "" && !slices.Contains(subjects, c.marked) {
		t.Fatalf("no question, source or want, or an unknown subject: %+v", c)
	}
	switch got := c.got(t); {
	case c.marked != "" && got == c.want:
		t.Errorf("the answer is right now, but the case is still marked with %q", c.marked)
	case c.marked == "" && got != c.want:
		t.Errorf("%s\ngot  %s\nwant %s", c.question, got, c.want)
	}
}

func downward(t *testing.T, spec *corev1.PodSpec, divisor string) string {
	t.Helper()
	value, err := computeresources.DownwardValue(spec,
		corev1.ResourceFieldSelector{ContainerName: "app", Resource: "limits.cpu", Divisor: resource.MustParse(divisor)},
		computeresources.DownwardOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return strconv.FormatInt(value, 10)
}
