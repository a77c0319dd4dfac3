package taskrun

import (
	"io"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/terminal"
)

// columns is the width of a page.
const columns = 100

// OverTime returns what becomes of the pods of the PipelineRuns of a file over time, by run, as the subcommand writes it. The
// flag coschedule is that of Tekton.
func OverTime(file io.Reader, coschedule string) (map[types.NamespacedName]string, error) {
	o, err := parse([]string{"-f", "-", "-coschedule", coschedule}, io.Discard, io.Discard)
	if err != nil {
		return nil, err
	}
	s := &command.Session{Text: &terminal.Text{}, Stdin: file, Stdout: io.Discard, Stderr: io.Discard}
	in := read(&o, s)
	o.Kubernetes = origin.Kubernetes(&o.Common, in.Kubelets(), o.Say)
	texts := map[types.NamespacedName]string{}
	for _, r := range in.runs {
		if r.play == nil {
			continue
		}
		part := &command.Session{Text: &terminal.Text{Columns: columns}, Stdout: io.Discard, Stderr: io.Discard}
		objects.Guarded(r.Place, func() { in.writeTime(part, &o, r) }) // what goes wrong is said about the plan
		texts[types.NamespacedName{Namespace: r.play.run.Namespace, Name: r.play.run.Name}] = part.String()
	}
	return texts, nil
}
