// Package annotation writes what is wrong with its place in the files, for what shows it next to the lines of a pull request:
// as commands of GitHub Actions, and as SARIF.
package annotation

import (
	"cmp"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/objects"
)

// Annotation is what is wrong at a place. Without a file, it is about the whole input.
type Annotation struct {
	Rule    string // what is wrong, in a word: the ID of a rule of SARIF
	Warning bool   // and not an error
	File    string
	Line    int    // 0 if unknown
	Title   string // the object
	Text    string
}

// Formats are the values of -o that Write knows.
var Formats = []string{"github", "sarif"}

// Write writes annotations if the format is one of Formats, and reports whether it is.
func Write(s *command.Session, format string, all []Annotation) bool {
	switch format {
	case "github":
		for i := range all {
			s.WriteString(all[i].command())
		}
	case "sarif":
		s.JSON(sarifOf(all))
	}
	return slices.Contains(Formats, format)
}

// At returns an annotation of a place.
func At(at objects.Place, rule, title, text string) Annotation {
	return Annotation{Rule: rule, File: fileOf(at.Source.File), Line: at.Line, Title: title, Text: text}
}

// fileOf returns a file with slashes, "" for the standard input, for what a program prints, and for what is not of the input.
func fileOf(name string) string {
	if program, _, _ := strings.Cut(name, " "); name == "-" || slices.Contains([]string{"", "kubectl", "helm", "kustomize"}, program) {
		return ""
	}
	return filepath.ToSlash(filepath.Clean(name))
}

// OfProblems returns the annotations of problems of the input, without what is only skipped.
func OfProblems(problems []objects.Problem) (all []Annotation) {
	for _, p := range problems {
		if p.Grade == objects.Skipped {
			continue
		}
		text := p.Text
		if p.Field != "" {
			text = p.Field + ": " + text
		}
		a := At(p.Place, "input", p.Named, text)
		a.Line, a.Warning = p.Begins(), p.Code() == command.OK
		all = append(all, a)
	}
	return all
}

// A command is one line, whose properties end with a comma or a colon.
var (
	escapeMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func (a *Annotation) level() string {
	if a.Warning {
		return "warning"
	}
	return "error"
}

// command returns "::error file=web.yaml,line=3,title=Pod web::it is refused".
func (a *Annotation) command() string {
	var properties []string
	add := func(name, value string) {
		if value != "" {
			properties = append(properties, name+"="+escapeProperty.Replace(value))
		}
	}
	add("file", a.File)
	if a.File != "" && a.Line > 0 {
		add("line", fmt.Sprint(a.Line))
	}
	add("title", a.Title)
	return fmt.Sprintf("::%s::%s\n", strings.TrimSpace(a.level()+" "+strings.Join(properties, ",")), escapeMessage.Replace(a.Text))
}

// The parts of SARIF 2.1.0 that GitHub shows.
type (
	log struct {
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []run  `json:"runs"`
	}
	run struct {
		Tool    map[string]driver `json:"tool"`
		Results []result          `json:"results"`
	}
	driver struct {
		Name           string              `json:"name"`
		InformationURI string              `json:"informationUri"`
		Rules          []map[string]string `json:"rules"`
	}
	result struct {
		RuleID    string            `json:"ruleId"`
		Level     string            `json:"level"`
		Message   map[string]string `json:"message"`
		Locations []map[string]any  `json:"locations,omitempty"`
	}
)

func sarifOf(all []Annotation) log {
	tool, results := driver{Name: "kubemath", InformationURI: "https://github.com/kubemath/kubemath", Rules: []map[string]string{}}, []result{}
	known := map[string]bool{}
	for _, a := range all {
		if !known[a.Rule] {
			known[a.Rule], tool.Rules = true, append(tool.Rules, map[string]string{"id": a.Rule})
		}
		text := strings.TrimPrefix(a.Title+": "+a.Text, ": ")
		r := result{RuleID: a.Rule, Level: a.level(), Message: map[string]string{"text": text}}
		if a.File != "" {
			r.Locations = []map[string]any{{"physicalLocation": map[string]any{
				"artifactLocation": map[string]string{"uri": (&url.URL{Path: a.File}).String()}, "region": map[string]int{"startLine": max(a.Line, 1)},
			}}}
		}
		results = append(results, r)
	}
	slices.SortFunc(tool.Rules, func(a, b map[string]string) int { return cmp.Compare(a["id"], b["id"]) })
	return log{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []run{{map[string]driver{"driver": tool}, results}}}
}
