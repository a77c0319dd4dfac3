package tree

import (
	"fmt"
	"strings"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/nodetree"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

const mountPoint = "/sys/fs/cgroup"

// files returns a line for each file of each cgroup and its content, or for each property
// of its systemd unit.
func files(root *nodetree.Tree, format string) string {
	var b strings.Builder
	writeFiles(&b, root, "", format)
	return b.String()
}

// writeFiles writes the group and all below it. Parent is the path of the group above.
func writeFiles(b *strings.Builder, g *nodetree.Tree, parent string, format string) {
	path := g.Path
	if path == "" { // the runtime names it at the start
		path = parent + "/<" + wording.Printable(g.Title) + ">"
	}
	switch format {
	case "v1":
		for _, s := range g.Config.V1() {
			controller, _, _ := strings.Cut(s.Name, ".")
			fmt.Fprintf(b, "%s/%s%s/%s %s\n", mountPoint, controller, path, s.Name, s.Value)
		}
	case "v2":
		for _, s := range g.Config.V2(formulaOf(g)) {
			fmt.Fprintf(b, "%s%s/%s %s\n", mountPoint, path, s.Name, s.Value)
		}
	default:
		writeProperties(b, path, g.Config.SystemdV2(formulaOf(g)))
	}
	for i := range g.Children {
		writeFiles(b, &g.Children[i], path, format)
	}
}

func writeProperties(b *strings.Builder, path string, properties []cgroupconfig.Setting) {
	unit := path[strings.LastIndexByte(path, '/')+1:]
	for _, s := range properties {
		fmt.Fprintf(b, "%s %s=%s\n", unit, s.Name, s.Value)
	}
}
