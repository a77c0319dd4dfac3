// Package subcommands is the program kubemath, which is also a plugin of kubectl under another name.
package subcommands

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/resourcepool"
	"github.com/kubemath/kubemath/examples/internal/taskrun"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/examples/kubemath/internal/diff"
	"github.com/kubemath/kubemath/examples/kubemath/internal/explain"
	"github.com/kubemath/kubemath/examples/kubemath/internal/nodes"
	"github.com/kubemath/kubemath/examples/kubemath/internal/podreport"
	"github.com/kubemath/kubemath/examples/kubemath/internal/quotause"
	"github.com/kubemath/kubemath/examples/kubemath/internal/resize"
	"github.com/kubemath/kubemath/examples/kubemath/internal/room"
	"github.com/kubemath/kubemath/examples/kubemath/internal/tree"
)

// All returns the subcommands, the default first.
func All() []command.Subcommand {
	return []command.Subcommand{
		{Name: "report", Summary: "what each workload requests, and why the API server would reject it", Run: podreport.Run},
		{Name: "diff", Summary: "what happens if manifests are applied to a cluster", Run: diff.Run},
		{Name: "nodes", Summary: "what is requested of nodes, where pending pods go, why others wait", Run: nodes.Run},
		{Name: "room", Summary: "how many more pods of a workload fit, where, and what stops the next", Run: room.Run},
		{Name: "quota", Summary: "what is used of each quota, and what is left", Run: quotause.Run},
		{Name: "explain", Summary: "the class, the cgroups and the eviction of a pod, and what it reads", Run: explain.Run},
		{Name: "resize", Summary: "what the resize of pods in place would be answered", Run: resize.Run},
		{Name: "tree", Summary: "the cgroups of each node, and the CPU that each gets", Run: tree.Run},
		{Name: "tekton", Summary: "what the steps of Tekton's runs request, and what their pods do", Run: taskrun.Run},
		{Name: "pool", Summary: "which claims on Capsule's resource pools hold what they request", Run: resourcepool.Run},
	}
}

// Run is the program, and returns its exit code.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return run(args, false, stdin, stdout, stderr)
}

// Plugin is the program as a plugin of kubectl: without -f, it reads the cluster.
func Plugin(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return run(args, true, stdin, stdout, stderr)
}

func run(args []string, cluster bool, stdin io.Reader, stdout, stderr io.Writer) int {
	command.LimitMemory()
	name, rest := "report", args
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, rest = args[0], args[1:]
	}
	all := All()
	i := slices.IndexFunc(all, func(s command.Subcommand) bool { return s.Name == name })
	switch {
	case name == "help" || len(args) == 1 && slices.Contains([]string{"-h", "-help", "--help"}, args[0]):
		io.WriteString(stdout, usage(all))
		return command.OK
	case name == "completion":
		return complete(all, rest, stdout, stderr)
	case i < 0:
		fmt.Fprintf(stderr, "kubemath: %q is not a subcommand%s\nkubemath -h lists them\n", name, wording.DidYouMean(name, names(all)))
		return command.Unread
	}
	if cluster {
		rest = append([]string{"-cluster"}, rest...)
	}
	return all[i].Run(rest, stdin, stdout, stderr)
}

func names(all []command.Subcommand) (names []string) {
	for _, s := range all {
		names = append(names, s.Name)
	}
	return names
}

func usage(all []command.Subcommand) string {
	var b strings.Builder
	b.WriteString("Kubemath says what pods request, and what becomes of them.\n\n" +
		"usage: kubemath [SUBCOMMAND] [flags]\n\n")
	for _, s := range all {
		fmt.Fprintf(&b, "  %-9s%s\n", s.Name, s.Summary)
	}
	b.WriteString("\nAll read manifests with -f FILE|DIR, or the cluster of kubectl with -n NAMESPACE\nor -A, or else samples. " +
		"SUBCOMMAND -h lists its flags, -version\nwrites the version, and completion bash|zsh a script for the shell.\n" +
		command.ExitCodes("some input could not be read", "an object in the input would be refused"))
	return b.String()
}
