// Package top reads what kubectl top prints: what nodes, pods and containers use.
package top

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// Usage is what kubectl top prints: of nodes by name, of pods by namespace/name, and of containers by
// namespace/pod/name. It is nil if nothing is known.
type Usage map[string]corev1.ResourceList

// FromTop is the value of -usage that runs kubectl top.
const FromTop = "top"

// Read reads a file with the output of kubectl top nodes, and of kubectl top pods -A, with or without --containers,
// one after the other; for "top", it runs it. It returns nil without a name.
func Read(c *command.Common, name string) (Usage, error) {
	if name == "" {
		return nil, nil
	}
	if name != FromTop {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		used, err := parse(text)
		if err != nil {
			err = fmt.Errorf("%s, %w", wording.Printable(name), err)
		}
		return used, err
	}
	var all []byte
	for _, args := range [][]string{{"top", "nodes"}, {"top", "pods", "--all-namespaces", "--containers"}} {
		text, err := origin.Kubectl(c, args...)
		if err != nil {
			return nil, err
		}
		all = append(all, text...)
	}
	return parse(all)
}

// parse parses tables of kubectl top, whose headings say what their columns are.
func parse(text []byte) (Usage, error) {
	u, ofPods := Usage{}, Usage{} // the latter of the containers of one table, which may follow one of pods
	var headings []string
	lines := bufio.NewScanner(bytes.NewReader(text))
	for number := 1; lines.Scan(); number++ {
		cells := strings.Fields(lines.Text())
		switch {
		case len(cells) == 0:
			continue
		case slices.Contains(cells, "CPU(cores)"):
			headings, ofPods = cells, Usage{}
			continue
		case len(cells) != len(headings):
			return nil, fmt.Errorf("line %d: not a table of kubectl top nodes or kubectl top pods -A", number)
		}
		if err := u.add(headings, cells, ofPods); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	return u, lines.Err()
}

// add adds a row, and what a container uses to its pod.
func (u Usage) add(headings, cells []string, ofPods Usage) error {
	cell := func(heading string) string {
		if i := slices.Index(headings, heading); i >= 0 {
			return cells[i]
		}
		return ""
	}
	used := corev1.ResourceList{}
	for name, text := range map[corev1.ResourceName]string{corev1.ResourceCPU: cell("CPU(cores)"),
		corev1.ResourceMemory: cell("MEMORY(bytes)")} {
		if strings.HasPrefix(text, "<") { // <unknown>
			return nil
		}
		if text == "" {
			continue
		}
		q, err := quantity.Parse(text)
		if err != nil {
			return err
		}
		used[name] = q
	}
	namespace, pod := cell("NAMESPACE"), cell("POD")
	switch {
	case slices.Contains(headings, "CPU%") || slices.Contains(headings, "CPU(%)"):
		u[cell("NAME")] = used
	case namespace == "":
		return errors.New("no namespaces: want kubectl top pods -A")
	case pod == "":
		u[namespace+"/"+cell("NAME")] = used
	default:
		u[namespace+"/"+pod+"/"+cell("NAME")] = used
		of := namespace + "/" + pod
		ofPods[of] = resourcelist.Add(ofPods[of], used)
		u[of] = ofPods[of]
	}
	return nil
}
