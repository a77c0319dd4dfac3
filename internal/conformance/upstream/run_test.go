package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
)

const events = `{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA/x","Output":"    a_test.go:1: case one\n"}
{"Action":"fail","Package":"p","Test":"TestA/x"}
{"Action":"pass","Package":"p","Test":"TestA/y"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Test":"TestB"}
{"Action":"skip","Package":"p","Test":"TestC"}
{"Action":"fail","Package":"p"}
{"ImportPath":"q [q.test]","Action":"build-output","Output":"q.go:1:1: no\n"}
{"ImportPath":"q [q.test]","Action":"build-fail"}
{"Action":"output","Package":"q","Output":"FAIL\tq [build failed]\n"}
{"Action":"fail","Package":"q","Elapsed":0,"FailedBuild":"q [q.test]"}
`

func TestOutcomes(t *testing.T) {
	all, err := outcomes(strings.NewReader(events))
	testkit.OK(t, err)
	p := all["p"]
	testkit.NoDiff(t, p.leaves(), []string{"TestA/x"}, "leaves")
	if p.count() != 2 || p.broken != "" || !p.skipped["TestC"] {
		t.Errorf("%d tests, %v, broken %q", p.count(), p.skipped, p.broken)
	}
	testkit.NoDiff(t, p.printed["TestA/x"], []string{"    a_test.go:1: case one\n"}, "printed")
	testkit.Equal(t, all["q"].broken, "q.go:1:1: no\nFAIL\tq [build failed]\n", "broken")
	if _, err := outcomes(strings.NewReader("panic: no JSON\n")); err == nil {
		t.Error("what is no event is accepted")
	}
}

func TestPattern(t *testing.T) {
	testkit.Equal(t, pattern("TestA/a (b)/c"), `^TestA$/^a \(b\)$/^c$`)
}

func TestReadCalls(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"1.jsonl": `{"function":"F","outcome":"agreed"}` + "\n" + `{"function":"F","outcome":"differed","ours":"1","theirs":"2"}` + "\n",
		"2.jsonl": `{"function":"F","outcome":"agreed"}` + "\n" + `{"function":"G: why","outcome":"forwarded"}` + "\n" + `{"function":"F","outcome":"written"}` + "\n",
	} {
		testkit.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	calls, err := readCalls(dir)
	testkit.OK(t, err)
	if f := calls["F"]; f.agreed != 2 || len(f.differed) != 1 || f.differed[0].Ours != "1" || len(f.written) != 1 || calls["G: why"].forwarded != 1 {
		t.Errorf("calls %+v, %+v", f, calls["G: why"])
	}
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "3.jsonl"), []byte("half a li"), 0o644))
	if _, err := readCalls(dir); err == nil {
		t.Error("half a line is accepted")
	}
}

func TestWithoutKubemath(t *testing.T) {
	l := line{
		before: tested([]string{"TestA"}, map[string][]string{"TestB": nil, "TestB/x": nil, "TestC": nil}),
		after:  tested(nil, map[string][]string{"TestA": nil, "TestB": nil, "TestB/x": nil, "TestB/y": nil}),
	}
	testkit.NoDiff(t, l.withoutKubemath(), []string{"TestB", "TestB/x"})
	testkit.NoDiff(t, l.after.leaves(), []string{"TestA", "TestB/y"}, "left")
}
