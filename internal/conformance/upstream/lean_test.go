package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLean(t *testing.T) {
	const adapter = `package p

import (
	"strings"

	units "example.com/go-units"
	"kubemath.example/upstream/beside"
)

// F asks both.
func F(a A) B {
	in := beside.Keep("F", a)
	theirs := upstreamF(a.DeepCopy())
	more := (&A{a.DeepCopy()}).upstreamMore()
	ours := kubemath(a)
	in.Unchanged()
	beside.Compare("more", ours, more)
	for i := range ours {
		beside.Compare("F", strings.ToLower(ours[i]), theirs[i])
	}
	return ours
}

func (r *T) G(a A) (B, error) {
	theirs, err := r.upstreamG(a)
	if err != nil {
		beside.Forward("G", "no answer")
		return theirs, err
	}
	beside.Compare("G", units.Of(a), theirs)
	return units.Of(a), nil
}

func H(a A) bool {
	ours, err := kubemath(a)
	beside.Compare("H: an error", err != nil, false)
	want := a.Want
	beside.Compare("H: want", want, a)
	beside.Compare("H", ours, upstreamH(a))
	return ours
}
`
	const want = `package p

import (
	units "example.com/go-units"
)

func F(a A) B {

	ours := kubemath(a)

	return ours
}

func (r *T) G(a A) (B, error) {
	theirs, err := r.upstreamG(a)
	if err != nil {

		return theirs, err
	}

	return units.Of(a), nil
}

func H(a A) bool {
	ours, _ := kubemath(a)

	_ = a.Want

	return ours
}
`
	got, err := lean("a.go", []byte(adapter))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
