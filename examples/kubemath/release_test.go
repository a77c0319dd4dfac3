package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"

	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/examples/kubemath/internal/subcommands"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

const root = "../.."

// decode reads some fields of a YAML file of the module, and returns its text.
func decode(t *testing.T, name string, to any) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err == nil {
		err = yaml.Unmarshal(text, to)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return string(text)
}

// The archives have two programs for six platforms, and the plugin manager of kubectl finds each archive and the plugin
// in it.
func TestArchives(t *testing.T) {
	var release struct {
		Builds []struct {
			Main, Binary string
			Goos, Goarch []string
		}
		Archives []struct {
			NameTemplate string `json:"name_template"`
			Formats      []string
			Files        []string
		}
	}
	decode(t, ".goreleaser.yaml", &release)
	const tag = "v1.2.3"
	want := map[string]string{} // the plugin, by archive
	for _, build := range release.Builds {
		if _, err := os.Stat(filepath.Join(root, build.Main, "main.go")); err != nil || filepath.Base(build.Main) != build.Binary {
			t.Errorf("build of %s: %v", build.Main, err)
		}
		for _, system := range build.Goos {
			for _, arch := range build.Goarch {
				name := template.Must(template.New("").Parse(release.Archives[0].NameTemplate))
				var b strings.Builder
				testkit.OK(t, name.Execute(&b, map[string]string{"Tag": tag, "Os": system, "Arch": arch}))
				archive := b.String() + "." + release.Archives[0].Formats[0]
				want[archive] = build.Binary
				if system == "windows" {
					want[archive] += ".exe"
				}
			}
		}
	}
	for _, name := range release.Archives[0].Files {
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Error(err)
		}
	}
	if len(release.Builds) != 2 || len(want) != 6 {
		t.Errorf("%d programs, %d platforms", len(release.Builds), len(want))
	}
	testkit.NoDiff(t, pluginArchives(t, tag), want, "the plugin by archive")
}

// platform matches a platform of .krew.yaml: its labels, its archive and the program in it.
var platform = regexp.MustCompile(`os: (\w+), arch: (\w+)}}\n.*/download/{{ .TagName }}/(kubemath_{{ .TagName }}_(\w+?)_(\w+)\.tar\.gz)" .TagName }}\n    bin: (.+)`)

// pluginArchives returns the plugin by archive, as .krew.yaml says.
func pluginArchives(t *testing.T, tag string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, ".krew.yaml"))
	testkit.OK(t, err)
	archives := map[string]string{}
	for _, p := range platform.FindAllStringSubmatch(string(text), -1) {
		if p[1] != p[4] || p[2] != p[5] {
			t.Errorf("the labels are not of the archive: %s", p[0])
		}
		archives[strings.ReplaceAll(p[3], "{{ .TagName }}", tag)] = p[6]
	}
	return archives
}

// The script of the action passes each input as one argument, says what was found in the summary, and fails if diff does.
func TestAction(t *testing.T) {
	var action struct {
		Inputs  map[string]struct{ Default string }
		Outputs map[string]struct{ Value string }
		Runs    struct {
			Using string
			Steps []struct{ Run string }
		}
	}
	text := decode(t, "action.yml", &action)
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash, in which actions run")
	}
	last := action.Runs.Steps[len(action.Runs.Steps)-1]
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	writeFile(t, bin, "go", "#!"+bash+"\necho "+dir+"\n")
	writeFile(t, bin, "kubemath", "#!"+bash+"\nprintf '[%s]' \"$@\"\nexit 2\n")
	run := exec.Command(bash, "-e", "-o", "pipefail", "-c", last.Run)
	run.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "RUNNER_TEMP="+dir, "GITHUB_OUTPUT="+filepath.Join(dir, "output"),
		"GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary"), "MANIFESTS=a b;$(c)", "BEFORE=d e", "CLUSTER=")
	out, err := run.CombinedOutput()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 2 {
		t.Errorf("%v: %s", err, out)
	}
	if want := "[diff][-f][a b;$(c)][-old][d e][-o][github]"; string(out) != want { // which GitHub reads
		t.Errorf("%s", out)
	}
	got, err := os.ReadFile(filepath.Join(dir, "summary"))
	if want := "[diff][-f][a b;$(c)][-old][d e][-o][markdown]"; err != nil || string(got) != want {
		t.Errorf("%v: %s", err, got)
	}
	outputs, err := os.ReadFile(filepath.Join(dir, "output"))
	if want := "report=" + dir + "/kubemath.md\nverdict=fails\nsummary=[diff][-f][a b;$(c)][-old][d e][-o][markdown]\n"; err != nil || string(outputs) != want {
		t.Errorf("%v: %s", err, outputs)
	}
	for name := range action.Outputs {
		if !strings.Contains(last.Run, name+"=") {
			t.Errorf("the output %s is not set", name)
		}
	}
	if !strings.Contains(text, "inputs.version || github.action_ref || 'latest'") || len(action.Outputs) != 3 {
		t.Error("the version is not that of the action")
	}
	for name := range action.Inputs {
		if !strings.Contains(text, "${{ inputs."+name+" ") {
			t.Errorf("the input %s is not used", name)
		}
	}
	if strings.Contains(last.Run, "${{") || action.Runs.Using != "composite" {
		t.Error("an expression in a script is read as code")
	}
}

// The hook reads the manifests of a directory, and fails for those that would be rejected.
func TestHook(t *testing.T) {
	var hooks []struct {
		Entry, Language string
		Args            []string
		PassFilenames   bool `json:"pass_filenames"`
	}
	decode(t, ".pre-commit-hooks.yaml", &hooks)
	words := strings.Fields(hooks[0].Entry)
	if len(hooks) != 1 || words[0] != "kubemath" || hooks[0].Language != "golang" || hooks[0].PassFilenames {
		t.Fatalf("%+v", hooks)
	}
	t.Chdir(t.TempDir())
	writeFile(t, ".", "web.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: app, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]}\n")
	if got := golden.Run(subcommands.Run, "", slices.Concat(words[1:], hooks[0].Args)...); got.Code != 2 || !strings.Contains(got.Stdout, "web") {
		t.Errorf("%+v", got)
	}
}
