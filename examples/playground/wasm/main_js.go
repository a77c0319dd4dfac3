// Wasm is the part of the playground that answers, as a program for WebAssembly. It calls the function
// kubemathReady of the global object with the function that answers, and with the style sheet of answers. That
// function takes a question as JSON, and returns the HTML of the answer, its problems as JSON, and why there is no
// answer, or an empty string.
package main

import (
	"encoding/json"
	"fmt"
	"runtime/debug"
	"syscall/js"

	"github.com/kubemath/kubemath/examples/playground/internal/answer"
)

func main() {
	debug.SetGCPercent(400) // an answer makes much garbage, and memory is less scarce than time
	js.Global().Call("kubemathReady", js.FuncOf(ask), answer.Style())
	select {}
}

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
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the program failed: %v", p)
		}
	}()
	var q answer.Question
	if err := json.Unmarshal([]byte(question), &q); err != nil {
		return a, err
	}
	return session.Answer(q)
}
