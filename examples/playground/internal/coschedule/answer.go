// Package coschedule plans how the pods of a PipelineRun are kept on one node
// (TEP-0135).
package coschedule

import (
	"bytes"
	"cmp"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/taskrun"
)

// Answer is what the program answers about a file.
type Answer struct {
	Explanation
	Manifests string   // of what has to be created, as YAML
	Notes     []Remark // about objects that do not count
	Problems  []Remark
}

// image is that of placeholders.
const image = "registry.k8s.io/pause:3.10"

// Remark is something to say about the file.
type Remark struct {
	Line int // where the document begins; 0 if it is about no document, or that cannot be told
	Text string
}

// AnswerFor answers about a file that is open already, with a value of the feature flag coschedule. An
// error says that there is no such value, or why the file cannot be read.
func AnswerFor(name string, file io.Reader, coschedule string) (a Answer, err error) {
	text, err := io.ReadAll(file)
	if err != nil {
		return a, err
	}
	overTime, err := taskrun.OverTime(bytes.NewReader(text), coschedule)
	if err != nil {
		return a, err
	}
	behavior, _ := affinity.BehaviorOf(coschedule) // which OverTime has parsed
	in := inputOf(objects.Reader{Kinds: Kinds(), Check: objects.Warn}.File(name, bytes.NewReader(text)))
	all := planAll(&in, behavior)
	a.Explanation = explain(&in, all, behavior)
	for i, p := range all {
		name := types.NamespacedName{Namespace: cmp.Or(p.run.Namespace, corev1.NamespaceDefault), Name: p.run.Name}
		a.Runs[i].OverTime = overTime[name]
	}
	var manifests strings.Builder
	if err := writeManifests(&manifests, all); err != nil {
		in.fail(place{}, "writing: %v", err)
	}
	a.Manifests, a.Notes, a.Problems = manifests.String(), remarksOf(in.skipped), remarksOf(in.problems)
	return a, nil
}

func remarksOf(list []remark) (remarks []Remark) {
	for _, r := range list {
		remarks = append(remarks, Remark{r.line, oneLine(r.text)})
	}
	return remarks
}
