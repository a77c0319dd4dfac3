// Package answer answers about manifests as HTML: with what kubemath report, tekton and pool
// compute.
package answer

import (
	"fmt"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/playground/internal/page"
)

// Question is what the page asks.
type Question struct {
	Program string // podreport, coschedule or resourcepool
	Text    string // manifests
	// Of podreport, the size of a node; empty for that of the Node in the text, if there is one.
	CPU, Memory string
	// Of podreport, the release of Kubernetes; empty for that of the newest kubelet in the text.
	Kubernetes string
	// Of coschedule, the value of the feature flag.
	Coschedule string
}

// Answer is what the page shows.
type Answer struct {
	HTML     string // the content of a body
	Problems []Problem
}

// Problem is something to say about a line of the text.
type Problem struct {
	Level  Level  `json:"level"`
	Line   int    `json:"line"` // 0 if it is about no line, or that cannot be told
	Object string `json:"object"`
	Field  string `json:"field"`
	Text   string `json:"text"`
}

// Level says how bad a problem is.
type Level string

const (
	Error    Level = "error"    // it could not be read, or is invalid
	Rejected Level = "rejected" // the API server would reject it, or what is created for it
	Warning  Level = "warning"  // it was read, and is probably a mistake
)

// File is the name of the text in answers.
const File = "manifests.yaml"

// Session answers one question after the other. Its zero value is ready to use.
type Session struct {
	cache     cache // texts differ little from those before
	documents map[string]bool
	last      *report.Report // the one of the last overview
}

// maxText is how many bytes a text may have.
const maxText = 16 << 20

// Answer returns the answer to a question. An error says what is wrong with the question, apart from its text.
func (s *Session) Answer(q Question) (Answer, error) {
	if len(q.Text) > maxText {
		return Answer{}, fmt.Errorf("the text has %d bytes, at most %d", len(q.Text), maxText)
	}
	switch q.Program {
	case "podreport":
		return s.podreport(q)
	case "coschedule":
		return coscheduleOf(q)
	case "resourcepool":
		return resourcepoolOf(q)
	}
	return Answer{}, fmt.Errorf("there is no program %q", q.Program)
}

// kubernetesOf returns the cluster of a release, or else of the newest kubelet: where that is chosen, the page says so.
func kubernetesOf(release string, kubelets []string) computeresources.Kubernetes {
	asked := command.Common{Kubernetes: computeresources.Kubernetes{Release: release}}
	return asked.KubernetesOf("", kubelets, func(string) {})
}

// Style returns the style sheet of what answers show.
func Style() string { return page.Style() }
