package arch_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A kind determines which rules hold for a package.
type kind int

const (
	pure     kind = iota // part of the library, which only computes
	program              // shows the library to its users, as one of them
	testOnly             // helpers of tests and measurements
)

// A row has the packages of the module that a package may import, except its tests.
type row struct {
	pkg  string // path below the module, "." for its root; "x/..." is every package below x
	kind kind
	may  []string
}

// table lists all allowed imports within the module, except those of the ground floor. Tests may import
// any package of the module; the compiler rejects cycles.
var table = []row{
	{".", pure, nil},

	{"computeresources", pure, nil},
	{"computeresources/division", pure, nil},
	{"computeresources/noderesources", pure, []string{"computeresources"}},
	{"qos", pure, []string{"computeresources"}},
	{"limitrange", pure, []string{"computeresources"}},
	{"quota", pure, []string{"computeresources", "qos"}},
	{"quota/quotatree", pure, []string{"computeresources"}},
	{"quota/admit", pure, []string{"computeresources", "limitrange", "qos", "quota"}},
	{"quota/admit/solver", pure, []string{"computeresources", "limitrange", "quota"}},
	{"quota/admit/whatif", pure, []string{"computeresources", "computeresources/noderesources", "limitrange", "quota", "quota/admit", "quota/admit/whatif/internal/places"}},
	{"quota/admit/whatif/internal/places", pure, []string{"computeresources", "computeresources/noderesources"}},

	{"pool", pure, []string{"pool/internal/ledger"}},
	{"pool/internal/ledger", pure, nil},
	{"pool/allocator", pure, []string{"pool", "pool/internal/ledger"}},
	{"pool/migrate", pure, []string{"computeresources", "pool"}},
	{"pool/poolplan", pure, []string{"pool", "pool/internal/ledger"}},

	{"affinity", pure, []string{"computeresources"}},
	{"affinity/steps", pure, []string{"computeresources", "computeresources/division", "limitrange", "quota/admit", "quota/admit/solver"}},
	{"affinity/peak", pure, []string{"affinity", "computeresources", "computeresources/noderesources", "limitrange", "quota", "quota/admit"}},

	{"cgroup", pure, nil},
	{"cgroup/cgroupname", pure, nil},
	{"cgroup/internal/contention", pure, nil},
	{"cgroup/cgroupconfig", pure, []string{"cgroup", "computeresources", "qos"}},
	{"cgroup/nodetree", pure, []string{"cgroup", "cgroup/cgroupconfig", "cgroup/cgroupname", "cgroup/internal/contention", "computeresources", "qos"}},

	// The ground floor.
	{"computeresources/resourcelist", pure, []string{"internal/quantity", "internal/resourcename"}},
	{"internal/aggregate", pure, nil},
	{"internal/taskgraph", pure, nil},
	{"internal/labelselector", pure, nil},
	{"internal/objectmeta", pure, nil},
	{"internal/podwalk", pure, []string{"internal/quantity", "internal/release", "internal/resourcename"}},
	{"internal/hostports", pure, []string{"internal/podwalk"}},
	{"internal/interpodaffinity", pure, []string{"internal/aggregate", "internal/labelselector"}},
	{"internal/limitranger", pure, []string{"internal/bisect", "internal/quantity"}},
	{"internal/bisect", pure, nil},
	{"internal/applied", pure, nil},
	{"internal/controllers", pure, []string{"internal/nodeaffinity", "internal/ordering", "internal/podwalk", "internal/release", "internal/taints", "internal/workload"}},
	{"internal/criticalpod", pure, nil},
	{"internal/declaredfeatures", pure, nil},
	{"internal/enum", pure, nil},
	{"internal/eviction", pure, []string{"computeresources", "internal/podwalk", "internal/quantity", "internal/release", "internal/resourcename"}},
	{"internal/equalparts", pure, []string{"computeresources/division", "internal/quantity", "internal/resourcename"}},
	{"internal/imagelocality", pure, []string{"internal/release"}},
	{"internal/layered", pure, nil},
	{"internal/nodeaffinity", pure, []string{"internal/aggregate"}},
	{"internal/placement", pure, []string{"internal/declaredfeatures", "internal/hostports", "internal/imagelocality", "internal/interpodaffinity", "internal/nodeaffinity", "internal/podvolumes", "internal/release", "internal/taints", "internal/topologyspread"}},
	{"internal/quantity", pure, nil},
	{"internal/podvolumes", pure, []string{"internal/nodeaffinity", "internal/volumeclaim"}},
	{"internal/release", pure, nil},
	{"internal/resourcename", pure, nil},
	{"internal/ordering", pure, []string{"computeresources"}},
	{"internal/placeholder", pure, []string{"internal/podwalk"}},
	{"internal/taints", pure, nil},
	{"internal/topologyspread", pure, []string{"internal/labelselector", "internal/nodeaffinity", "internal/release", "internal/taints"}},
	{"internal/volumeclaim", pure, nil},
	{"internal/workload", pure, nil},

	{"examples/...", program, nil},

	{"internal/testkit", testOnly, []string{"internal/measure"}},
	{"internal/replay", testOnly, []string{"internal/testkit"}},
	{"internal/testkit/sweep", testOnly, nil},
	{"internal/testkit/pooltest", testOnly, []string{"internal/testkit", "pool"}},
	{"internal/golden", testOnly, []string{"internal/measure"}},
	{"internal/measure", testOnly, nil},
	{"internal/vectors", testOnly, nil},
	{"internal/arch", testOnly, nil},
}

// isGroundFloor reports whether all other packages may import a package: the arithmetic of lists, and the library's
// packages below internal. Packages on the ground floor import each other only as their rows allow.
func isGroundFloor(r row) bool {
	return r.kind == pure && (r.pkg == "computeresources/resourcelist" || strings.HasPrefix(r.pkg, "internal/"))
}

// allows reports whether a package may import another, both with a row: all may import the ground floor, except
// packages on it; and programs may import all that users can import, and their own parts.
func allows(from row, pkg string, to row, imported string) bool {
	switch {
	case slices.Contains(from.may, imported):
		return true
	case from.kind == program:
		return to.kind == pure && isPublic(imported) && imported != "." || ownPart(pkg, imported)
	default:
		return isGroundFloor(to) && !isGroundFloor(from)
	}
}

// ownPart reports whether a package of a program may import another as a part: a package below the folder for parts
// of the same program, examples/x/internal, or of all programs, examples/internal.
func ownPart(pkg, imported string) bool {
	root, _, _ := strings.Cut(pkg, "/internal/")
	if parts := strings.Split(root, "/"); len(parts) > 2 && parts[0] == "examples" {
		root = strings.Join(parts[:2], "/") // a further command of the example
	}
	return strings.HasPrefix(imported, root+"/internal/") || strings.HasPrefix(imported, "examples/internal/")
}

// rowOf returns the row of a package, given by its path below the module, and reports whether there is one.
func rowOf(pkg string) (row, bool) {
	i := slices.IndexFunc(table, func(r row) bool {
		below, tree := strings.CutSuffix(r.pkg, "...")
		return pkg == r.pkg || tree && strings.HasPrefix(pkg, below)
	})
	if i < 0 {
		return row{}, false
	}
	return table[i], true
}

// rooms are the folders at the top, from the ground up.
var rooms = []string{"computeresources", "qos", "limitrange", "quota", "pool", "affinity", "cgroup"}

// floor returns the room of a package, and -1 for internal packages and examples, which are apart.
func floor(pkg string) int {
	room, _, _ := strings.Cut(pkg, "/")
	return slices.Index(rooms, room)
}

// edgeViolations returns the imports within the module that the table does not allow, or of a room above, those of modules
// that users do not get with the library, and the packages that the table does not know.
func edgeViolations(pkgs []goPackage) (found []string) {
	for _, p := range pkgs {
		pkg, ours := below(p.ImportPath)
		if !ours {
			continue
		}
		r, known := rowOf(pkg)
		if !known {
			found = append(found, pkg+": layers: in no row; say in the table what it may import")
			continue
		}
		for _, path := range p.Imports {
			imported, ours := below(path)
			target, _ := rowOf(imported)
			first, _, isPath := strings.Cut(path, "/")
			if !ours && isPath && strings.Contains(first, ".") && r.kind != testOnly && !isAtRunTime(path) {
				found = append(found, fmt.Sprintf("%s: layers: imports %s, which is of no run-time module", pkg, path))
			}
			if ours && !allows(r, pkg, target, imported) {
				found = append(found, fmt.Sprintf("%s: layers: imports %s, which its row does not allow", pkg, imported))
			}
			if floor(pkg) >= 0 && floor(imported) > floor(pkg) {
				found = append(found, fmt.Sprintf("%s: layers: imports %s, which is above it", pkg, imported))
			}
		}
	}
	return found
}

// Users get the first of these with the library; only its tests use the second.
var (
	runtimeModules = []string{"k8s.io/api", "k8s.io/apimachinery"}
	testModules    = []string{"github.com/google/go-cmp", "pgregory.net/rapid"}
)

func isAtRunTime(path string) bool {
	return slices.ContainsFunc(runtimeModules, func(m string) bool { return strings.HasPrefix(path+"/", m+"/") })
}

// direct matches a module that go.mod requires directly.
var direct = regexp.MustCompile(`(?m)^\s*(?:require )?([\w.]+\.[\w./-]+) v\S+$`)

func layerViolations(p *project) (found []string) {
	for _, match := range direct.FindAllStringSubmatch(p.read("go.mod"), -1) {
		if !slices.Contains(runtimeModules, match[1]) && !slices.Contains(testModules, match[1]) {
			found = append(found, "go.mod: layers: requires "+match[1])
		}
	}
	return append(found, edgeViolations(p.packages)...)
}
