package main_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/internal/testkit"
)

// libraryCase is a question that only the library answers.
type libraryCase struct {
	name, question, source string
	marked                 string // as in situation
	got                    func(t *testing.T) string
	want                   string
}

// libraryCases are the questions of the case book that no subcommand answers.
var libraryCases = slices.Concat(admissionCases, nodeCases, quotaCases, sizeCases)

func (c *libraryCase) check(t *testing.T) {
	if c.question == "" || c.source == "" || c.want == "" || c.marked != "" && !slices.Contains(subjects, c.marked) {
		t.Fatalf("no question, source or want, or an unknown subject: %+v", c)
	}
	got := c.got(t)
	switch {
	case c.marked != "" && got == c.want:
		t.Errorf("the answer is right now, but the case is still marked with %q", c.marked)
	case c.marked == "" && got != c.want:
		t.Errorf("%s\ngot  %s\nwant %s", c.question, got, c.want)
	}
}

// parsed returns an object that is written as YAML.
func parsed[T any](t *testing.T, text string) *T {
	t.Helper()
	object := new(T)
	testkit.OK(t, yaml.UnmarshalStrict([]byte(text), object))
	return object
}

// list returns amounts that are written as name=amount, with blanks between them.
func list(amounts string) corev1.ResourceList {
	of := corev1.ResourceList{}
	for _, amount := range strings.Fields(amounts) {
		name, value, _ := strings.Cut(amount, "=")
		of[corev1.ResourceName(name)] = resource.MustParse(value)
	}
	return of
}

// podOf returns a pod of one container, app, on a node.
func podOf(name, requests, limits string) *corev1.Pod {
	pod := &corev1.Pod{}
	pod.Name, pod.Namespace, pod.UID = name, "shop", types.UID(name)
	pod.Spec.NodeName, pod.Status.Phase = "n1", corev1.PodRunning
	pod.Spec.Containers = []corev1.Container{containerOf("app", requests, limits)}
	return pod
}

func containerOf(name, requests, limits string) corev1.Container {
	return corev1.Container{Name: name, Resources: corev1.ResourceRequirements{Requests: list(requests), Limits: list(limits)}}
}

// lines joins what an answer consists of.
func lines[T any](items []T) string {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = fmt.Sprint(item)
	}
	return strings.Join(texts, "; ")
}
