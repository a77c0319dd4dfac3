// Wasm is the part of the playground that answers, as a program for WebAssembly. It calls the function
// kubemathReady of the global object with an object, which has the style sheet of reports and these functions:
//
//   - ask takes a question, and returns the HTML of the answer, its problems as JSON, why there is no answer, or an
//     empty string, and whether it is only the first part of an answer that takes long.
//   - finish computes the whole answer while the page goes on, and calls a function with it. Abandon stops it. Account
//     takes the number of a workload of the answer, and returns its HTML.
//   - change takes the manifests of a change, those of the cluster, or undefined if these are as before, and the release
//     of Kubernetes, or an empty string. It returns the overview of the change as JSON, whether there is more to compute, and an error.
//   - proceed computes more, and returns the same.
//   - step takes the number of a step, and returns it as JSON, and an error.
//   - fix takes the number of a step, and returns the text that admits its object, and an error.
//   - collect collects garbage, and is to be called while nobody waits for an answer.
package main

import (
	"cmp"
	"encoding/json"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"syscall/js"
	"time"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/playground/internal/answer"
)

func main() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(softLimit)
	js.Global().Call("kubemathReady", map[string]any{
		"style": answer.Style(), "ask": js.FuncOf(ask), "finish": js.FuncOf(finish), "abandon": js.FuncOf(abandon),
		"account": js.FuncOf(account), "change": js.FuncOf(setChange), "proceed": js.FuncOf(proceed),
		"step": js.FuncOf(step), "fix": js.FuncOf(fix), "collect": js.FuncOf(collect),
	})
	select {}
}

const (
	softLimit = 1 << 30               // bytes of memory above which garbage is collected while an answer is computed
	garbage   = 64 << 20              // bytes that are worth a collection: a few answers
	slice     = 50 * time.Millisecond // for which a change is computed, until the page may ask for something else
	brief     = 10 * time.Millisecond // for which a large change is computed, until the page shows what is known
)

func collect(js.Value, []js.Value) any {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Uint64() > garbage+2*live {
		runtime.GC()
		metrics.Read(sample)
		live = sample[0].Value.Uint64()
	}
	return nil
}

// live is how many bytes the last collection left.
var live uint64

var (
	session answer.Session
	change  answer.Change
)

func ask(_ js.Value, args []js.Value) any {
	q := questionOf(args[0])
	a, err := answerTo(q, session.First)
	return append(parts(a, err), q.IsLarge())
}

// questionOf reads the fields of a question.
func questionOf(v js.Value) answer.Question {
	text := func(name string) string {
		if f := v.Get(name); f.Type() == js.TypeString {
			return f.String()
		}
		return ""
	}
	return answer.Question{Program: text("Program"), Text: text("Text"), CPU: text("CPU"), Memory: text("Memory"), Kubernetes: text("Kubernetes"),
		Coschedule: text("Coschedule")}
}

// abandoned is set if nobody waits any more for what is being finished.
var abandoned *bool

func abandon(js.Value, []js.Value) any {
	if abandoned != nil {
		*abandoned = true
	}
	return nil
}

// finish computes an answer, and lets the page go on now and then.
func finish(_ js.Value, args []js.Value) any {
	abandon(js.Undefined(), nil)
	gone := new(bool)
	abandoned = gone
	since := time.Now()
	between := func() {
		if time.Since(since) > slice {
			time.Sleep(time.Millisecond)
			since = time.Now()
		}
		if *gone {
			panic("abandoned")
		}
	}
	question, tell := questionOf(args[0]), args[1]
	go func() {
		a, err := answerTo(question, func(q answer.Question) (answer.Answer, error) { return session.Overview(q, between) })
		if !*gone {
			tell.Invoke(parts(a, err)...)
		}
	}()
	return nil
}

func account(_ js.Value, args []js.Value) any {
	var html string
	_ = command.Recovered(func() { html = session.Account(args[0].Int()) }) // otherwise it stays empty
	return html
}

// parts returns an answer as the page takes it.
func parts(a answer.Answer, err error) []any {
	problems, failed := json.Marshal(a.Problems)
	if err := cmp.Or(err, failed); err != nil {
		return []any{"", "[]", err.Error()}
	}
	return []any{a.HTML, string(problems), ""}
}

// answerTo returns the answer to a question. A panic, which is a bug, leaves the program able to answer the next
// one. A large question is answered by a function.
func answerTo(q answer.Question, large func(answer.Question) (answer.Answer, error)) (a answer.Answer, err error) {
	failed := command.Recovered(func() {
		if q.IsLarge() {
			a, err = large(q)
		} else {
			a, err = session.Answer(q)
		}
	})
	return a, cmp.Or(failed, err)
}

func setChange(_ js.Value, args []js.Value) any {
	return overview(brief, func() error {
		if args[1].Type() == js.TypeString {
			change.SetCluster(args[1].String())
		}
		return change.Set(args[0].String(), args[2].String())
	})
}

func proceed(js.Value, []js.Value) any { return overview(slice, func() error { return nil }) }

// overview plays the change on after something else, for so long if it is large, and returns the overview.
func overview(d time.Duration, first func() error) any {
	var text []byte
	var err error
	more := false
	failed := command.Recovered(func() {
		err = first()
		if err == nil {
			if !change.IsLarge() {
				d = slice
			}
			more = change.Continue(d)
		}
		o, failed := json.Marshal(change.Overview())
		text, err = o, cmp.Or(err, failed)
	})
	if failed != nil {
		change = answer.Change{}
	}
	return []any{string(text), more, message(cmp.Or(failed, err))}
}

func step(_ js.Value, args []js.Value) any {
	var text []byte
	var err error
	failed := command.Recovered(func() {
		s, missing := change.Step(args[0].Int())
		text, err = json.Marshal(s)
		err = cmp.Or(missing, err)
	})
	return []any{string(text), message(cmp.Or(failed, err))}
}

func fix(_ js.Value, args []js.Value) any {
	var text string
	var err error
	failed := command.Recovered(func() { text, err = change.Fixed(args[0].Int()) })
	return []any{text, message(cmp.Or(failed, err))}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
