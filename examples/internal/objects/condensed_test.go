package objects_test

import (
	"fmt"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Objects of a file that those of another one replace are one problem, in the place of the first.
func TestCondensed(t *testing.T) {
	at := func(file string, document int, name string) objects.Place {
		return objects.Place{Source: objects.Source{File: file, Document: document}, Named: name}
	}
	all := []objects.Problem{
		objects.Replaced(at("a", 1, "Pod x"), at("b", 1, "Pod x")),
		objects.Replaced(at("a", 2, "Pod y"), at("c", 1, "Pod y")),
		objects.Replaced(at("a", 4, "Pod v"), at("a", 5, "Pod v")),
		objects.Replaced(at("a", 6, "Pod u"), at("a", 7, "Pod u")),
		objects.Problems(at("a", 8, "Pod w"), objects.Invalid, objects.Fault{Text: "wrong"})[0],
		objects.Problems(at("a", 9, "Pod w"), objects.Invalid, objects.Fault{Text: "wrong"})[0],
		objects.Replaced(at("a", 3, "Pod z"), at("b", 2, "Pod z")),
	}
	var got []string
	for _, p := range objects.Condensed(all) {
		got = append(got, p.String())
	}
	testkit.NoDiff(t, got, []string{
		"a: skipped: 2 objects replaced by those of b, which have the same names",
		"a: document 2: Pod y: skipped: replaced by the one of c, document 1, which has the same name",
		"a: document 4: Pod v: skipped: replaced by the one of a, document 5, which has the same name",
		"a: document 6: Pod u: skipped: replaced by the one of a, document 7, which has the same name",
		"a: document 8: Pod w: wrong", "a: document 9: Pod w: wrong",
	})
}

// Of very many that are replaced, or no objects, ten are told, and the others counted. What is wrong is always told.
func TestCondensedOfMany(t *testing.T) {
	var all []objects.Problem
	for i := range 13 {
		at := objects.Place{Source: objects.Source{File: fmt.Sprint("f", i), Document: 1}, Named: "Pod x"}
		all = append(all, objects.Replaced(at, objects.Place{Source: objects.Source{File: "last", Document: 1}}))
		if i > 10 {
			all = append(all, all[len(all)-1]) // two of a file
		}
		all = append(all, objects.Problems(objects.Place{Source: at.Source}, objects.Skipped, objects.Fault{Text: "not a Kubernetes object: it has neither apiVersion nor kind"})...)
		all = append(all, objects.Problems(at, objects.Unreadable, objects.Fault{Text: "not a Kubernetes object: it has neither apiVersion nor kind"})...)
	}
	var got []string
	for _, p := range objects.Condensed(all) {
		got = append(got, p.String())
	}
	testkit.NoDiff(t, got[27:], []string{
		"f9: document 1: Pod x: skipped: replaced by the one of last, document 1, which has the same name",
		"f9: document 1: skipped: not a Kubernetes object: it has neither apiVersion nor kind",
		"f9: document 1: Pod x: not a Kubernetes object: it has neither apiVersion nor kind",
		"f10: document 1: Pod x: not a Kubernetes object: it has neither apiVersion nor kind",
		"f11: document 1: Pod x: not a Kubernetes object: it has neither apiVersion nor kind",
		"f12: document 1: Pod x: not a Kubernetes object: it has neither apiVersion nor kind",
		"skipped: 5 other objects: replaced by those of the same names",
		"skipped: 3 other documents: not a Kubernetes object: it has neither apiVersion nor kind",
	})
}

// A file that could not be read, or has not all, may lack objects. What is skipped in it, or is not computed, lacks nothing.
func TestProblemsOfFiles(t *testing.T) {
	unread, left := objects.Unread("a", "no\naccess"), objects.LeftOut("a", "you may\nnot list nodes", true)
	testkit.NoDiff(t, []string{unread.Problems[0].String(), left.Problems[0].String()}, []string{"a: no; access", "a: you may; not list nodes"})
	testkit.NoDiff(t, []int{unread.Problems[0].Code(), left.Problems[0].Code(), objects.LeftOut("a", "b", false).Problems[0].Code()}, []int{1, 2, 0})
	for grade, want := range map[objects.Grade][2]bool{ // of the file, and of a document
		objects.Unreadable: {true, true}, objects.Uncomputed: {true, false}, objects.Skipped: {}, objects.Warning: {}, objects.Invalid: {}, objects.Failed: {},
	} {
		for document := range 2 {
			p := objects.Problems(objects.Place{Source: objects.Source{File: "a", Document: document}}, grade, objects.Fault{Text: "x"})[0]
			testkit.Equal(t, p.Lacks(), want[document], "grade", grade, "document", document)
		}
	}
}
