package inventory

import (
	"strings"

	"github.com/kubemath/kubemath/examples/internal/objects"
)

// known is a problem, wherever it is.
type known struct{ named, field, text string }

// Known makes warnings of the problems of a change that it has from before: of the same object, with the same text, as often
// as before. A change that has nothing to do with them does not fail by them, nor one that removes them: those of before are
// warnings, too. The names are those of the files and directories of both lists, which texts may contain.
func Known(before, change *List, names ...string) {
	if len(before.Objects) == 0 {
		return // it may not have been read at all
	}
	rest := map[known]int{}
	of := func(p *objects.Problem) known {
		text := p.Text
		for _, name := range names {
			text = strings.ReplaceAll(text, name, "")
		}
		return known{p.Named, p.Field, text}
	}
	for i := range before.Problems {
		if p := &before.Problems[i]; fails(p) {
			rest[of(p)]++
			warn(p, "before the change")
		}
	}
	for i := range change.Problems {
		if p := &change.Problems[i]; fails(p) && rest[of(p)] > 0 {
			rest[of(p)]--
			warn(p, "as before")
		}
	}
}

// fails reports whether a problem is one of the input that fails a change.
func fails(p *objects.Problem) bool {
	return p.Grade == objects.Unreadable || p.Grade == objects.Invalid
}

func warn(p *objects.Problem, when string) {
	if p.Named == "" {
		p.Named = p.Source.File
	}
	p.Grade = objects.Warning
	p.Text += " (" + when + ")"
}
