// Package beside counts how often kubemath and the function that it replaces agree. The adapters
// import it: it is copied beside the copies of the upstream modules.
package beside

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sync"

	"k8s.io/apimachinery/pkg/api/equality"
)

// Directory is the environment variable that names the directory of the counts. Each process
// appends to a file of its own, call by call, so that nothing is lost when a test exits.
const Directory = "KUBEMATH_BESIDE"

// Call is one call of an adapter, as a line of JSON.
type Call struct {
	Function string `json:"function"`
	Outcome  string `json:"outcome"`
	Ours     string `json:"ours,omitempty"`   // of calls that differ
	Theirs   string `json:"theirs,omitempty"` // of calls that differ
}

// The outcomes of a call.
const (
	Agreed    = "agreed"
	Differed  = "differed"
	Forwarded = "forwarded" // kubemath cannot answer this question, so upstream did
	Written   = "written"   // kubemath has changed its input
)

var (
	once sync.Once
	lock sync.Mutex
	file *os.File
)

func record(call Call) {
	once.Do(func() {
		dir := os.Getenv(Directory)
		if dir == "" {
			panic(Directory + " is not set")
		}
		var err error
		file, err = os.CreateTemp(dir, "*.jsonl")
		if err != nil {
			panic(err)
		}
	})
	line, err := json.Marshal(call)
	if err != nil {
		panic(err)
	}
	lock.Lock()
	defer lock.Unlock()
	if _, err := file.Write(append(line, '\n')); err != nil {
		panic(err)
	}
}

// Compare records whether kubemath and upstream give the same answer. Quantities are compared by
// value, and a nil list is the same as an empty one: upstream's tests tell them apart where it
// matters to them.
func Compare(function string, ours, theirs any) {
	if equality.Semantic.DeepEqual(ours, theirs) {
		record(Call{Function: function, Outcome: Agreed})
		return
	}
	record(Call{Function: function, Outcome: Differed, Ours: text(ours), Theirs: text(theirs)})
}

// Forward records a call that kubemath has no answer to.
func Forward(function, why string) {
	record(Call{Function: function + ": " + why, Outcome: Forwarded})
}

// Input is the input of a function, and a copy of it.
type Input struct {
	function     string
	copies, used []any
}

// Keep copies the input of a function, so that Unchanged can check whether it was written. Quantities are
// compared with all their fields: the cached text, and the decimal.
func Keep(function string, inputs ...any) Input {
	in := Input{function: function, used: inputs}
	for _, input := range inputs {
		in.copies = append(in.copies, deepCopy(input))
	}
	return in
}

// Unchanged records whether the input is unchanged.
func (in Input) Unchanged() {
	for i, input := range in.used {
		// Both are copies, since copying turns some empty slices into nil.
		if before, after := in.copies[i], deepCopy(input); !reflect.DeepEqual(before, after) {
			record(Call{Function: in.function, Outcome: Written, Ours: text(after), Theirs: text(before)})
		}
	}
}

// deepCopy calls the DeepCopy method of a value, and copies slices element by element. Types
// without such a method have no pointers: they are names and numbers.
func deepCopy(v any) any {
	value := reflect.ValueOf(v)
	if !value.IsValid() || (value.Kind() == reflect.Pointer && value.IsNil()) {
		return v
	}
	if method := value.MethodByName("DeepCopy"); method.IsValid() {
		return method.Call(nil)[0].Interface()
	}
	if value.Kind() == reflect.Slice && !value.IsNil() {
		out := reflect.MakeSlice(value.Type(), 0, value.Len())
		for i := range value.Len() {
			element := value.Index(i)
			if element.CanAddr() && element.Kind() == reflect.Struct {
				out = reflect.Append(out, reflect.ValueOf(deepCopy(element.Addr().Interface())).Elem())
				continue
			}
			out = reflect.Append(out, reflect.ValueOf(deepCopy(element.Interface())))
		}
		return out.Interface()
	}
	return v
}

func text(v any) string {
	if err, ok := v.(error); ok {
		return err.Error()
	}
	if out, err := json.Marshal(v); err == nil {
		return string(out)
	}
	return fmt.Sprintf("%+v", v)
}
