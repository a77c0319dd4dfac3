package sweep_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// handles are the types that compute and are passed by pointer.
var handles = []string{
	"computeresources/noderesources.(*Ledger)", "computeresources/noderesources.(*Cluster)",
	"computeresources/noderesources.(*Ranking)", "limitrange.(*Policy)", "quota/quotatree.(*Tree)",
	"quota/admit.(*Namespace)", "quota/admit/whatif.(*Cluster)", "pool.(*Record)", "pool.(*Allocation)",
	"pool/allocator.(*Allocator)",
}

// writes are the methods that change the handle that they are of.
var writes = map[string]bool{
	"computeresources/noderesources.(*Ledger).Add": true, "computeresources/noderesources.(*Ledger).Update": true,
	"computeresources/noderesources.(*Ledger).Remove":      true,
	"computeresources/noderesources.(*Cluster).AddNode":    true,
	"computeresources/noderesources.(*Cluster).UpdateNode": true,
	"computeresources/noderesources.(*Cluster).RemoveNode": true,
	"computeresources/noderesources.(*Cluster).AddPod":     true,
	"computeresources/noderesources.(*Cluster).UpdatePod":  true,
	"computeresources/noderesources.(*Cluster).RemovePod":  true,
	"quota/quotatree.(*Tree).Charge":                       true,
	"quota/quotatree.(*Tree).Give":                         true,
	"quota/quotatree.(*Tree).Take":                         true,
	"pool/allocator.(*Allocator).Set":                      true,
	"pool/allocator.(*Allocator).Delete":                   true,
	"pool/allocator.(*Allocator).Release":                  true,
	"pool/allocator.(*Allocator).SetPool":                  true,
	"quota.(*ClusterQuota).SetUsed":                        true,
}

// TestNilHandles checks that a nil handle answers as a zero one, and that what would be written to it is an error, if
// there is one in the results.
func TestNilHandles(t *testing.T) {
	for _, f := range functions {
		handle, _, isMethod := strings.Cut(f.name, ").")
		if !isMethod || !slices.Contains(handles, handle+")") {
			continue
		}
		of := reflect.ValueOf(f.of)
		zero := call(of, zeros(of.Type(), reflect.New(of.Type().In(0).Elem())))
		isNil := call(of, zeros(of.Type(), reflect.Zero(of.Type().In(0))))
		switch {
		case zero.problem != "" || isNil.problem != "":
			t.Errorf("%s: %s %s", f.name, isNil.problem, zero.problem)
		case writes[f.name]:
			if n := len(isNil.results); n > 0 && isNil.results[n-1] == nil && of.Type().Out(n-1) == reflect.TypeFor[error]() {
				t.Errorf("%s of a nil handle: no error", f.name)
			}
		default:
			testkit.Equal(t, withoutEmpty(isNil.results), withoutEmpty(zero.results), f.name)
		}
	}
}

// TestNilReceivers checks that methods of nil pointers do not panic, of any type.
func TestNilReceivers(t *testing.T) {
	for _, f := range functions {
		of := reflect.ValueOf(f.of)
		if !strings.Contains(f.name, ".(*") {
			continue
		}
		testkit.Equal(t, call(of, zeros(of.Type())).problem, "", f.name, "of nil")
	}
}

// withoutEmpty returns results as text, in which what is empty is nil. Handles, which are opaque, are left out.
func withoutEmpty(results []any) string {
	isHandle := func(result any) bool {
		_, isCluster := result.(*noderesources.Cluster)
		_, isWhatIf := result.(*whatif.Cluster)
		return isCluster || isWhatIf
	}
	results = slices.DeleteFunc(slices.Clone(results), isHandle)
	return strings.NewReplacer("&map[]", "&nil", "&[]", "&nil", "&&{}", "&nil").Replace(testkit.Fingerprint(results))
}

// zeros returns arguments of a function: the given ones, then zeros.
func zeros(t reflect.Type, first ...reflect.Value) []reflect.Value {
	for i := len(first); i < t.NumIn(); i++ {
		first = append(first, zeroOf(t.In(i)))
	}
	return first
}

// zeroOf returns the zero value of a type, and a function that returns zero values.
func zeroOf(t reflect.Type) reflect.Value {
	if t.Kind() != reflect.Func {
		return reflect.Zero(t)
	}
	return reflect.MakeFunc(t, func([]reflect.Value) (zeros []reflect.Value) {
		for i := range t.NumOut() {
			zeros = append(zeros, reflect.Zero(t.Out(i)))
		}
		return zeros
	})
}
