package origin

import (
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// within leaves out the objects of other namespaces than that of -n, and says so.
func within(c *command.Common, all iter.Seq[objects.Object]) iter.Seq[objects.Object] {
	if c.Namespace == "" {
		return all
	}
	return func(yield func(objects.Object) bool) {
		others := map[string]int{}
		for o := range all {
			namespace := o.Identity.Namespace
			if typed, isTyped := o.Typed.(metav1.Object); isTyped {
				namespace = typed.GetNamespace()
			}
			if namespace != "" && namespace != c.Namespace {
				others[namespace]++
			} else if !yield(o) {
				return
			}
		}
		if len(others) > 0 {
			names := slices.Sorted(maps.Keys(others))
			c.Say("-n " + c.Namespace + " leaves out the objects of " + wording.Printable(wording.Tally(names)))
		}
	}
}

// logLine matches what client-go logs, such as each of five attempts to reach a server.
var logLine = regexp.MustCompile(`(?m)^[IWEF]\d{4} \d\d:\d\d:.*\n?`)

// toThePoint returns a complaint of a program without the log of the way to it, if anything is left.
func toThePoint(complaint string) string {
	if text := strings.TrimSpace(logLine.ReplaceAllString(complaint, "")); text != "" {
		return text
	}
	return strings.TrimSpace(complaint)
}
