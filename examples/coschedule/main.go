// Coschedule plans how the pods of a PipelineRun are kept on one node (TEP-0135): it prints, as YAML,
// the claims and StatefulSets to create, and the changes to the pod of each task.
//
//	coschedule [-f FILE|DIR]... [-coschedule VALUE] [-explain] [-version]
//
// Without -f, it plans the two PipelineRuns of the TEP:
//
//	go run ./examples/coschedule
//	go run ./examples/coschedule -coschedule workspaces
//	go run ./examples/coschedule -explain
//
// Files are YAML or JSON, with any number of documents; in a directory and below it, all manifests
// are read; "-" is the standard input. Pipelines and Tasks are read for the runs that refer to them.
// With Nodes and Pods, the plan says which nodes have room for a run, and which placeholders have to
// be moved:
//
//	kubectl get pipelineruns,pipelines,tasks,nodes,pods -A -o yaml | coschedule -f - -explain
//
// With -explain it prints, instead of YAML, which pods are kept together, the claim of each
// workspace, how much the tasks request at the same time, which nodes have room for that, and where
// the scheduler may place the placeholder, which is all that the scheduler sees. The requests of a
// task are those of its steps, if they are in the input, and of spec.taskRunSpecs of the run. With
// -size, placeholders reserve the room until the pods of the tasks arrive.
//
// Nothing is fetched: notes on the standard error name references to resolvers and bundles, and
// objects of other kinds. If several Pipelines or Tasks have the same name, the last one counts. A run
// without a name or UID is planned with made-up ones, with a note. Custom tasks, child runs, and tasks
// that Tekton skips because their matrix is empty have no pod. An embedded task whose steps use a
// workspace of the run has that workspace without binding it.
//
// Errors are written to the standard error; all else is planned nevertheless. The exit code is
//
//	0  on success,
//	1  if the arguments are invalid, or some input could not be read, or has no PipelineRun,
//	2  if Tekton would reject a PipelineRun in the input, or fail one of its tasks, even if other
//	   input could not be read, and
//	3  if the program itself failed, or the output could not be written.
package main

import (
	"os"

	"github.com/kubemath/kubemath/examples/internal/coschedule"
)

func main() {
	os.Exit(coschedule.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
