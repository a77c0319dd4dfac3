package sweep_test

import (
	"flag"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kubemath/kubemath/internal/testkit"
)

// slow is longer than any call takes.
const slow = 5 * time.Second

// applies matches functions that change their first argument.
var applies = regexp.MustCompile(`\.Apply\w*$|Into$|\.Unmarshal\w+$|\(\*Totals\)\.`)

// writesFirst reports whether a function writes to its first argument. A Ranking keeps what it computes.
func writesFirst(name string) bool {
	isCluster := strings.HasPrefix(name, "quota/admit/whatif.") || strings.HasPrefix(name, "quota/admit/solver.RightSize")
	return writes[name] || applies.MatchString(name) && !isCluster || strings.Contains(name, "(*Ranking)")
}

// draws returns how often each function is called: RAPID_CHECKS, or a tenth of what properties are checked by default.
func draws() uint64 {
	checks, err := strconv.ParseUint(flag.Lookup("rapid.checks").Value.String(), 10, 64)
	if err != nil {
		panic(err)
	}
	return max(checks/10, 1)
}

// TestSweep calls every function with values that nobody expects. None panics, none writes to what it only reads, the
// answer to the same question is the same, and it shares no memory with another answer or an argument.
func TestSweep(t *testing.T) {
	calls := 0
	for i, f := range functions {
		for seed := range draws() {
			calls += 3
			if problem := sweep(f, seed<<16+uint64(i)); problem != "" {
				t.Errorf("%s, seed %d: %s", f.name, seed, problem)
				break
			}
		}
	}
	t.Logf("%d calls of %d functions", calls, len(functions))
}

// sweep calls a function with the arguments of a seed, and returns what is wrong with it.
func sweep(f function, seed uint64) string {
	of := reflect.ValueOf(f.of)
	args, same := newSource(seed).arguments(of.Type()), newSource(seed).arguments(of.Type())
	start := time.Now()
	first := call(of, args)
	if took := time.Since(start); took > slow {
		return "took " + took.String()
	}
	if first.problem != "" {
		return first.problem
	}
	want := textOf(first)
	if second := textOf(call(of, same)); second != want {
		return "two answers:\n" + difference(want, second)
	}
	if writesFirst(f.name) {
		return ""
	}
	second := call(of, args)
	if again := textOf(second); again != want {
		return "a second answer:\n" + difference(want, again)
	}
	fresh := newSource(seed).arguments(of.Type())
	var inputs []any
	for i := range args {
		if before, after := text(fresh[i]), text(args[i]); before != after {
			return "argument " + strconv.Itoa(i) + " was written to:\n" + difference(before, after)
		}
		inputs = append(inputs, args[i].Interface())
	}
	if slices.Contains(views, f.name) {
		return ""
	}
	return testkit.SharedBy(open(first.results), open(second.results), open(inputs))
}

// views are the functions whose results are parts of their arguments, as they say.
var views = []string{
	"computeresources.(List).Of", "computeresources.(Ref).Path", "computeresources.Containers", "computeresources.Pointers",
	"computeresources/noderesources.(*Cluster).AppendFits", "computeresources/noderesources.(*Cluster).AppendScores",
	"cgroup/nodetree.(*Tree).All",
}

// open returns values without functions and handles.
func open(values []any) []any {
	return slices.DeleteFunc(slices.Clone(values), func(v any) bool {
		of := reflect.TypeOf(v)
		if of != nil && of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		return of == nil || of.Kind() == reflect.Func || isHandle(of)
	})
}

// text returns an argument or a result as text. What is behind a function is not compared, nor what handles hold.
func text(v reflect.Value) string {
	if v.Kind() == reflect.Func || v.Kind() == reflect.Pointer && isHandle(v.Type().Elem()) {
		return ""
	}
	return testkit.Fingerprint(v.Interface())
}

// isHandle reports whether a type of the library has no fields that others may read.
func isHandle(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || !strings.HasPrefix(t.PkgPath(), module) {
		return false
	}
	for i := range t.NumField() {
		if t.Field(i).IsExported() {
			return false
		}
	}
	return true
}

// textOf returns the results of a call as text.
func textOf(a answer) string {
	var all strings.Builder
	for i := range a.results {
		if a.results[i] != nil {
			all.WriteString(text(reflect.ValueOf(a.results[i])))
		}
		all.WriteString(", ")
	}
	return all.String() + a.problem
}

// difference returns where two texts differ first.
func difference(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	around := func(s string) string { return s[max(0, i-150):min(len(s), i+150)] }
	return around(a) + "\n" + around(b)
}
