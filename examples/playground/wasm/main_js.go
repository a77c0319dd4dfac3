// Wasm is the part of the playground that answers, as a program for WebAssembly. It calls the function
// kubemathReady of the global object with the style sheet of answers and two functions. The first takes a question
// as JSON, and returns the HTML of the answer, its problems as JSON, and why there is no answer, or an empty string.
// The second collects garbage, and is to be called while nobody waits for an answer.
package main

import (
	"cmp"
	"encoding/json"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"syscall/js"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/playground/internal/answer"
)

func main() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(softLimit)
	js.Global().Call("kubemathReady", answer.Style(), js.FuncOf(ask), js.FuncOf(collect))
	select {}
}

const (
	softLimit = 512 << 20 // bytes of memory above which garbage is collected while an answer is computed
	garbage   = 64 << 20  // bytes that are worth a collection: a few answers
)

func collect(js.Value, []js.Value) any {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Uint64() > garbage+live {
		runtime.GC()
		metrics.Read(sample)
		live = sample[0].Value.Uint64()
	}
	return nil
}

// live is how many bytes the last collection left.
var live uint64

var session answer.Session

func ask(_ js.Value, args []js.Value) any {
	a, err := answerTo(args[0].String())
	problems, failed := json.Marshal(a.Problems)
	if err == nil {
		err = failed
	}
	if err != nil {
		return []any{"", "[]", err.Error()}
	}
	return []any{a.HTML, string(problems), ""}
}

// answerTo returns the answer to a question. A panic, which is a bug, leaves the program able to answer the next
// one.
func answerTo(question string) (a answer.Answer, err error) {
	failed := command.Recovered(func() {
		var q answer.Question
		if err = json.Unmarshal([]byte(question), &q); err == nil {
			a, err = session.Answer(q)
		}
	})
	return a, cmp.Or(failed, err)
}
