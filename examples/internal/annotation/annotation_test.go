package annotation_test

import (
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/annotation"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/internal/testkit"
)

func written(format string, all []annotation.Annotation) (string, bool) {
	s := &command.Session{Text: &terminal.Text{}}
	is := annotation.Write(s, format, all)
	return s.String(), is
}

var some = []annotation.Annotation{
	{Rule: "refused", File: "deploy/a,b:c% d.yaml", Line: 3, Title: "Pod shop/web", Text: "it is refused\nfor <100% of reasons>"},
	{Rule: "input", Warning: true, File: "web.yaml", Text: "is doubtful"},
	{Rule: "refused", Line: 7, Text: "somewhere"},
	{Rule: "refused", File: "first.yaml", Line: 1, Text: "at once"},
}

// Source: "Workflow commands for GitHub Actions", setting an error message.
func TestGitHub(t *testing.T) {
	const want = "::error file=deploy/a%2Cb%3Ac%25 d.yaml,line=3,title=Pod shop/web::it is refused%0Afor <100%25 of reasons>\n" +
		"::warning file=web.yaml::is doubtful\n" +
		"::error::somewhere\n" +
		"::error file=first.yaml,line=1::at once\n"
	if got, is := written("github", some); got != want || !is {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	lines := []annotation.Annotation{{File: "a\r\nb.yaml", Text: "one\r\ntwo"}}
	if got, _ := written("github", lines); got != "::error file=a%0D%0Ab.yaml::one%0D%0Atwo\n" {
		t.Errorf("several lines: %q", got)
	}
	if got, is := written("text", some); got != "" || is {
		t.Errorf("as text: %q", got)
	}
}

// Source: SARIF 2.1.0, sections 3.13, 3.14, 3.19 and 3.27; "SARIF support for code scanning" of GitHub: a line is at least 1.
func TestSARIF(t *testing.T) {
	const want = `{
  "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
  "version": "2.1.0",
  "runs": [
    {
      "tool": {
        "driver": {
          "name": "kubemath",
          "informationUri": "https://github.com/kubemath/kubemath",
          "rules": [
            {
              "id": "input"
            },
            {
              "id": "refused"
            }
          ]
        }
      },
      "results": [
        {
          "ruleId": "refused",
          "level": "error",
          "message": {
            "text": "Pod shop/web: it is refused\nfor \u003c100% of reasons\u003e"
          },
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "deploy/a,b:c%25%20d.yaml"
                },
                "region": {
                  "startLine": 3
                }
              }
            }
          ]
        },
        {
          "ruleId": "input",
          "level": "warning",
          "message": {
            "text": "is doubtful"
          },
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "web.yaml"
                },
                "region": {
                  "startLine": 1
                }
              }
            }
          ]
        },
        {
          "ruleId": "refused",
          "level": "error",
          "message": {
            "text": "somewhere"
          }
        },
        {
          "ruleId": "refused",
          "level": "error",
          "message": {
            "text": "at once"
          },
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "first.yaml"
                },
                "region": {
                  "startLine": 1
                }
              }
            }
          ]
        }
      ]
    }
  ]
}
`
	got, _ := written("sarif", some)
	testkit.NoDiff(t, got, want)
	const none = "\"rules\": []\n        }\n      },\n      \"results\": []\n"
	if got, _ := written("sarif", nil); !strings.Contains(got, none) {
		t.Errorf("of nothing: %s", got)
	}
}

// What has no file is not put at one: the standard input, and the output of a program.
func TestPlaces(t *testing.T) {
	for file, want := range map[string]string{"./deploy/web.yaml": "deploy/web.yaml", "-": "", "": "", "kubectl get -A": "", "helm template release charts/a": "",
		"kustomize build overlays/prod": "", "a file.yaml": "a file.yaml", "kubectl.yaml": "kubectl.yaml"} {
		at := objects.Place{Source: objects.Source{File: file}, Line: 4}
		got := annotation.At(at, "refused", "Pod web", "no")
		testkit.NoDiff(t, got, annotation.Annotation{Rule: "refused", File: want, Line: 4, Title: "Pod web", Text: "no"}, file)
	}
	at := objects.Place{Source: objects.Source{File: "a.yaml"}, Line: 4, Named: "Pod web"}
	problems := []objects.Problem{
		{Place: at, Fault: objects.Fault{Field: "spec", Text: "wrong", Line: 6}, Grade: objects.Invalid},
		{Place: at, Fault: objects.Fault{Text: "not read"}, Grade: objects.Skipped},
		{Place: at, Fault: objects.Fault{Text: "has pods"}, Grade: objects.Uncomputed},
		{Place: at, Fault: objects.Fault{Text: "has pods, strict"}, Grade: objects.Uncomputed, Strict: true},
		{Place: at, Fault: objects.Fault{Text: "odd"}, Grade: objects.Warning},
		{Place: at, Fault: objects.Fault{Text: "not YAML"}, Grade: objects.Unreadable},
		{Place: at, Fault: objects.Fault{Text: "panicked"}, Grade: objects.Failed},
	}
	want := []annotation.Annotation{
		{Rule: "input", File: "a.yaml", Line: 6, Title: "Pod web", Text: "spec: wrong"},
		{Rule: "input", Warning: true, File: "a.yaml", Line: 4, Title: "Pod web", Text: "has pods"},
		{Rule: "input", File: "a.yaml", Line: 4, Title: "Pod web", Text: "has pods, strict"},
		{Rule: "input", Warning: true, File: "a.yaml", Line: 4, Title: "Pod web", Text: "odd"},
		{Rule: "input", File: "a.yaml", Line: 4, Title: "Pod web", Text: "not YAML"},
		{Rule: "input", File: "a.yaml", Line: 4, Title: "Pod web", Text: "panicked"},
	}
	testkit.NoDiff(t, annotation.OfProblems(problems), want)
}
