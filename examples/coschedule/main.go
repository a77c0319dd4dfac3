// Coschedule plans how the pods of PipelineRuns are held on one node (TEP-0135): it prints,
// as YAML, the claims and StatefulSets to create, and what the pod of each task gets.
//
//	coschedule [-f FILE|DIR]... [-coschedule VALUE] [-explain] [-version]
//
// Without -f, it plans the two PipelineRuns of the TEP:
//
//	go run ./examples/coschedule
//	go run ./examples/coschedule -coschedule workspaces
//	go run ./examples/coschedule -explain
//
// Files are YAML or JSON, with as many documents as they like; of a directory, all manifests in it
// and below are read; "-" is the standard input.
// Of Pipelines and Tasks the tasks and their steps are read, for the runs that refer to them; of
// Nodes and Pods what is free, so that it can be asked whether a cluster can hold a run, and whether there are
// placeholders that have to be moved:
//
//	kubectl get pipelineruns,pipelines,tasks,nodes,pods -A -o yaml | coschedule -f - -explain
//
// With -explain it prints, instead of YAML, which pods are held together, what stands
// behind each workspace, how much the tasks ask for at once, which nodes have room for it, and
// where the scheduler may put the placeholder, which is all that it sees. What a task asks for is
// taken from the steps of the task, if they were read, and from spec.taskRunSpecs of the run. With
// -size, placeholders hold the room and make way for the pods of the tasks.
//
// Nothing is fetched: what resolvers and bundles refer to is not known, and notes on the standard
// error say so, as they do of objects of other kinds. Of several Pipelines or Tasks with one name the
// last one counts. A run that the server has not named yet is
// planned under a name and a UID that are made up, with a note as well. Custom tasks, child runs, and
// tasks that Tekton skips since their matrix is empty, have no pod. A task whose steps use a workspace
// of the run has it without binding it, if it is embedded.
//
// What is wrong is named on the standard error; the rest is planned nevertheless. The exit
// code is 0, 1 if anything was wrong with the input, or if it has no PipelineRun, and 3 if something
// was wrong with the arguments.
package main

import (
	"os"

	"github.com/kubemath/kubemath/examples/internal/coschedule"
)

func main() {
	os.Exit(coschedule.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
