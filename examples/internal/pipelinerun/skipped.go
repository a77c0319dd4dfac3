package pipelinerun

import (
	"encoding/json"
	"slices"
	"strings"
)

// whenExpression is a condition of a task.
type whenExpression struct {
	Input, Operator, CEL string
	Values               []string
}

// skips are the tasks that never run, whatever becomes of others, with the reason; and those of which that is not known.
type skips struct {
	reasons map[string]string
	unknown map[string]bool
}

const (
	byWhen   = "its when does not let it run"
	byMatrix = "its matrix has an empty array"
)

// skipped returns which tasks of a Pipeline Tekton skips: because of their conditions; because of an empty array in their
// matrix; because they use a result of such a task; and all that run after one of the two others.
//
// Source: skip and IsFinallySkipped of Tekton's pkg/reconciler/pipelinerun/resources.
func (p *PipelineSpec) skipped(params []param) skips {
	s := skips{map[string]string{}, map[string]bool{}}
	for _, t := range slices.Concat(p.Tasks, p.Finally) {
		runs, known := t.allowed(params)
		empty := false
		if t.Matrix != nil {
			n, counted := t.Matrix.fanOut(params)
			empty = counted && n == 0
		}
		switch {
		case !runs:
			s.reasons[t.Name] = byWhen
		case empty:
			s.reasons[t.Name] = byMatrix
		case !known:
			s.unknown[t.Name] = true
		}
	}
	for s.inherit(p) {
	}
	return s
}

// inherit adds tasks that are skipped because of others, and reports whether there was one.
func (s *skips) inherit(p *PipelineSpec) (some bool) {
	for i, t := range slices.Concat(p.Tasks, p.Finally) {
		if s.reasons[t.Name] != "" {
			continue
		}
		for _, name := range t.uses {
			if s.reasons[name] != "" {
				s.reasons[t.Name], some = "it uses a result of "+name+", which is skipped", true
			}
		}
		for _, name := range t.RunAfter {
			if reason := s.reasons[name]; i < len(p.Tasks) && reason != "" && reason != byWhen {
				s.reasons[t.Name], some = "it runs after "+name+", which is skipped", true
			}
		}
	}
	return some
}

// allowed reports whether the conditions of a task let it run, and whether that is known. All of them have to.
func (t *pipelineTask) allowed(params []param) (runs, known bool) {
	known = true
	for i := range t.When {
		holds, decided := t.When[i].holds(params)
		if decided && !holds {
			return false, true
		}
		known = known && decided && t.When[i].CEL == ""
	}
	return true, known
}

// holds reports whether the input is among the values, or with notin is not, and whether that is known: parameters may
// have no value yet, and results have none. A CEL expression is not evaluated.
//
// Source: AllowsExecution of Tekton's pkg/apis/pipeline/v1.
func (e *whenExpression) holds(params []param) (holds, known bool) {
	text := stringsOf(params)
	input, values, all := text.Replace(e.Input), []string{}, true
	for _, v := range e.Values {
		raw, err := json.Marshal(v)
		if expanded, found := arrayOf(raw, params); err == nil && found {
			for _, each := range expanded {
				var value string
				all = json.Unmarshal(each, &value) == nil && all
				values = append(values, value)
			}
			continue
		}
		values = append(values, text.Replace(v))
	}
	for _, v := range values {
		all = all && !strings.Contains(v, "$(")
	}
	among := slices.Contains(values, input)
	if strings.Contains(input, "$(") || !among && !all {
		return false, false
	}
	return among == (e.Operator == "in"), true
}
