package subcommands_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/kubemath/internal/subcommands"
	"github.com/kubemath/kubemath/internal/golden"
)

// Each subcommand writes the names of its flags, short ones with one dash.
func TestListFlags(t *testing.T) {
	own := map[string]string{"report": "--require", "diff": "--on", "nodes": "-l", "room": "--on", "quota": "--all", "explain": "--usage", "resize": "--on", "tree": "--driver", "tekton": "--init", "pool": "--migrate"}
	for _, s := range subcommands.All() {
		got := golden.Run(subcommands.Run, "", s.Name, "-list-flags")
		want := own[s.Name]
		for _, flag := range []string{want, "-f", "--filename", "-n", "--namespace", "-A", "--all-namespaces", "-o", "--output", "--kubeconfig", "--context", "--as", "--request-timeout"} {
			if s.Name == "pool" && strings.Contains(flag, "-o") {
				continue
			}
			if !strings.Contains("\n"+got.Stdout, "\n"+flag+"\n") || got.Code != 0 || got.Stderr != "" {
				t.Errorf("%s: no %s in %+v", s.Name, flag, got)
			}
		}
	}
}

// The script of bash completes subcommands, their flags and files; without a subcommand, the flags of report.
func TestCompletionInBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	script := golden.Run(subcommands.Run, "", "completion", "bash")
	if script.Code != 0 {
		t.Fatalf("%+v", script)
	}
	for words, want := range map[string]string{
		"kubemath di":                  "diff",
		"kubemath ''":                  "report diff nodes room quota explain resize tree tekton pool",
		"kubemath diff --ol":           "--old",
		"kubemath --ex":                "--explain",
		"kubemath nodes --drain a --p": "--pack --pods",
		"kubemath diff -f completion.": "completion.go",
		"kubemath diff -f a -o compl":  "completion.go completion_test.go",
	} {
		program := script.Stdout + `
			kubemath() {
				case "$*" in
				"diff -list-flags") printf '%s\n' -f --old --on ;;
				"report -list-flags") printf '%s\n' --explain --require ;;
				"nodes -list-flags") printf '%s\n' --pack --pods ;;
				*) printf 'unexpected: %s\n' "$*" ;;
				esac
			}
			COMP_WORDS=(` + words + `); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _kubemath; printf '%s\n' "${COMPREPLY[@]}" | sort | paste -sd ' '`
		if words == "kubemath ''" {
			program = strings.Replace(program, "| sort ", "", 1)
		}
		text, err := exec.Command(bash, "-c", program).CombinedOutput()
		if got := strings.TrimSpace(string(text)); got != want || err != nil {
			t.Errorf("%s: %q instead of %q, %v", words, got, want, err)
		}
	}
}

// The script of zsh has the subcommands, and asks for the flags.
func TestCompletionInZsh(t *testing.T) {
	got := golden.Run(subcommands.Run, "", "completion", "zsh")
	for _, want := range []string{"#compdef kubemath\n", "compadd -- report diff nodes room quota explain resize tree tekton pool\n", "$of -list-flags"} {
		if !strings.Contains(got.Stdout, want) || got.Code != 0 {
			t.Errorf("no %q in %+v", want, got)
		}
	}
	if strings.Contains(got.Stdout, "%!") {
		t.Error(got.Stdout)
	}
}

func TestCompletionOfOtherShells(t *testing.T) {
	for _, args := range [][]string{{"completion"}, {"completion", "csh"}, {"completion", "bash", "zsh"}} {
		if got := golden.Run(subcommands.Run, "", args...); got.Code != 1 || got.Stdout != "" || got.Stderr != "kubemath: want completion bash or completion zsh\n" {
			t.Errorf("%v: %+v", args, got)
		}
	}
}
