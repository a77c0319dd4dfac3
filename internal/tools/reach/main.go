// Reach prints how much code of this module a function calls, directly or through other functions of
// the module: the number of functions, their lines and files, and the depth, which is the number of calls
// on the shortest path to the function that is farthest away. It is what has to be read to understand the
// function completely.
//
//	go run ./reach [-list] [FUNCTION]...
//
// A function is named as in go doc, with its package below the root of the module:
// computeresources.PodRequests, quota/admit.Namespace.Create, which are the default. With -list, the
// functions that it reaches follow, with the place where each is declared.
//
// Calls are those of rapid type analysis (golang.org/x/tools/go/callgraph/rta) from each function alone.
// A function literal counts as part of the function that contains it, and all instances of a generic
// function as one.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"golang.org/x/tools/go/callgraph/rta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

const module = "github.com/kubemath/kubemath/"

// usual are the functions that are printed if none is given.
var usual = []string{"computeresources.PodRequests", "quota/admit.Namespace.Create"}

func main() {
	root := flag.String("root", "../..", "the `folder` of the module")
	list := flag.Bool("list", false, "list the functions that are reached")
	flag.Parse()
	if err := run(*root, *list, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "reach:", err)
		os.Exit(1)
	}
}

func run(root string, list bool, names []string) error {
	if len(names) == 0 {
		names = usual
	}
	program, err := load(root)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "functions\tlines\tfiles\tdepth\t of")
	for _, name := range names {
		f, err := lookUp(program, name)
		if err != nil {
			return err
		}
		reached := reachedBy(f)
		s := sizeOf(reached)
		fmt.Fprintf(table, "%d\t%d\t%d\t%d\t %s\n", s.functions, s.lines, s.files, s.depth, name)
		if list {
			printList(table, reached)
		}
	}
	return table.Flush()
}

func load(root string) (*ssa.Program, error) {
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: root}, "./...")
	if err != nil {
		return nil, err
	}
	if packages.PrintErrors(loaded) > 0 {
		return nil, errors.New("the module does not compile")
	}
	program, _ := ssautil.AllPackages(loaded, ssa.InstantiateGenerics)
	program.Build()
	return program, nil
}

// lookUp returns the function, or the method of a type or of pointers to it, with a name such as
// quota/admit.Namespace.Create.
func lookUp(program *ssa.Program, name string) (*ssa.Function, error) {
	at := strings.LastIndex(name, "/") + 1
	before, rest, _ := strings.Cut(name[at:], ".")
	pkg := program.ImportedPackage(module + name[:at] + before)
	if pkg == nil {
		return nil, fmt.Errorf("%s: no such package", name)
	}
	if f := member(pkg, rest); f != nil {
		return f, nil
	}
	return nil, fmt.Errorf("%s: no such function", name)
}

// member returns a function of a package, or a method such as Namespace.Create, and nil if there is
// none.
func member(pkg *ssa.Package, name string) *ssa.Function {
	of, method, isMethod := strings.Cut(name, ".")
	if !isMethod {
		return pkg.Func(of)
	}
	t := pkg.Type(of)
	if t == nil {
		return nil
	}
	selected := pkg.Prog.MethodSets.MethodSet(types.NewPointer(t.Type())).Lookup(pkg.Pkg, method)
	if selected == nil {
		return nil
	}
	return pkg.Prog.MethodValue(selected)
}

// reachedBy returns the functions of the module that f reaches, itself included, and the number of calls
// to each.
func reachedBy(f *ssa.Function) map[*ssa.Function]int {
	graph := rta.Analyze([]*ssa.Function{f}, true).CallGraph
	calls := map[*ssa.Function]int{f: 0}
	for queue := []*ssa.Function{f}; len(queue) > 0; queue = queue[1:] {
		for _, call := range graph.Nodes[queue[0]].Out {
			to := call.Callee.Func
			if _, known := calls[to]; !known && isOfModule(to) {
				calls[to] = calls[queue[0]] + 1
				queue = append(queue, to)
			}
		}
	}
	for f := range calls {
		if f.Syntax() == nil || f.Parent() != nil {
			delete(calls, f) // a wrapper, or part of a function
		}
	}
	return calls
}

type size struct{ functions, lines, files, depth int }

// sizeOf counts functions.
func sizeOf(reached map[*ssa.Function]int) (s size) {
	nearest, files := map[token.Position]int{}, map[string]bool{} // of all instances
	for f, calls := range reached {
		from, to := f.Prog.Fset.Position(f.Syntax().Pos()), f.Prog.Fset.Position(f.Syntax().End())
		other, counted := nearest[from]
		if !counted {
			s.lines += to.Line - from.Line + 1
			files[from.Filename] = true
		}
		if !counted || calls < other {
			nearest[from] = calls
		}
	}
	for _, calls := range nearest {
		s.depth = max(s.depth, calls)
	}
	s.functions, s.files = len(nearest), len(files)
	return s
}

// printList prints the functions in the order of their places. All instances of a generic function
// are one line.
func printList(to io.Writer, reached map[*ssa.Function]int) {
	var lines []string
	for f := range reached {
		at := f.Prog.Fset.Position(f.Syntax().Pos())
		name := cmp.Or(f.Origin(), f).RelString(nil)
		lines = append(lines, fmt.Sprintf("%s:%5d  %s", at.Filename, at.Line, strings.ReplaceAll(name, module, "")))
	}
	slices.Sort(lines)
	for _, line := range slices.Compact(lines) {
		fmt.Fprintln(to, line)
	}
}

// isOfModule reports whether a function is written in this module.
func isOfModule(f *ssa.Function) bool {
	for f.Parent() != nil {
		f = f.Parent()
	}
	f = cmp.Or(f.Origin(), f)
	return f.Pkg != nil && strings.HasPrefix(f.Pkg.Pkg.Path(), module)
}
