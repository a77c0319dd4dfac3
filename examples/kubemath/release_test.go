package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/examples/kubemath/internal/subcommands"
	"github.com/kubemath/kubemath/internal/golden"
)

const root = "../.."

// decode reads a YAML file of the module, or a text.
func decode(t *testing.T, name string, text []byte, to any) {
	t.Helper()
	var err error
	if text == nil {
		if text, err = os.ReadFile(filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := yaml.UnmarshalStrict(text, to); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
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
	text, err := os.ReadFile(filepath.Join(root, ".goreleaser.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &release); err != nil {
		t.Fatal(err)
	}
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
				if err := name.Execute(&b, map[string]string{"Tag": tag, "Os": system, "Arch": arch}); err != nil {
					t.Fatal(err)
				}
				archive := b.String() + "." + release.Archives[0].Formats[0]
				if want[archive] = build.Binary; system == "windows" {
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
	if diff := cmp.Diff(want, pluginArchives(t, tag)); diff != "" {
		t.Errorf("the plugin by archive, -of the release +of the plugin:\n%s", diff)
	}
}

// pluginArchives returns the plugin by archive, as .krew.yaml says.
func pluginArchives(t *testing.T, tag string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, ".krew.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	// As krew-release-bot does, with the sum of the archive.
	functions := template.FuncMap{"addURIAndSha": func(url, tag string) string {
		var b strings.Builder
		if err := template.Must(template.New("").Parse(url)).Execute(&b, map[string]string{"TagName": tag}); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("uri: %s\n    sha256: %064d", &b, 0)
	}}
	var b bytes.Buffer
	if err := template.Must(template.New("").Funcs(functions).Parse(string(text))).Execute(&b, map[string]string{"TagName": tag}); err != nil {
		t.Fatal(err)
	}
	var plugin struct {
		APIVersion string `json:"apiVersion"`
		Kind       string
		Metadata   struct{ Name string }
		Spec       struct {
			Version, Homepage, ShortDescription, Description string
			Platforms                                        []struct {
				Selector         struct{ MatchLabels struct{ Os, Arch string } }
				URI, Sha256, Bin string
			}
		}
	}
	decode(t, ".krew.yaml", b.Bytes(), &plugin)
	if plugin.Metadata.Name != "kubemath" || plugin.Spec.Version != tag || len(plugin.Spec.ShortDescription) > 60 {
		t.Errorf("%+v", plugin)
	}
	archives := map[string]string{}
	for _, p := range plugin.Spec.Platforms {
		name := p.URI[strings.LastIndex(p.URI, "/")+1:]
		labels := p.Selector.MatchLabels
		if !strings.HasSuffix(name, "_"+labels.Os+"_"+labels.Arch+".tar.gz") || !strings.Contains(p.URI, "/download/"+tag+"/") {
			t.Errorf("%+v", p)
		}
		archives[name] = p.Bin
	}
	return archives
}

// The script of the action passes each input as one argument, says what was found in the summary, and fails if diff does.
func TestAction(t *testing.T) {
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Using string
			Steps []struct {
				ID, Uses, Shell, Run string
				Env, With            map[string]any
			}
		}
	}
	text, err := os.ReadFile(filepath.Join(root, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &action); err != nil {
		t.Fatal(err)
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash, in which actions run")
	}
	last := action.Runs.Steps[len(action.Runs.Steps)-1]
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, bin, "go", "#!"+bash+"\necho "+dir+"\n")
	writeFile(t, bin, "kubemath", "#!"+bash+"\nprintf '[%s]' \"$@\"\nexit 2\n")
	for _, name := range []string{"go", "kubemath"} {
		if err := os.Chmod(filepath.Join(bin, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command(bash, "-e", "-o", "pipefail", "-c", last.Run)
	run.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "RUNNER_TEMP="+dir, "GITHUB_OUTPUT="+filepath.Join(dir, "output"),
		"GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary"), "MANIFESTS=a b;$(c)", "BEFORE=d e", "CLUSTER=")
	out, err := run.CombinedOutput()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 2 {
		t.Errorf("%v: %s", err, out)
	}
	got, err := os.ReadFile(filepath.Join(dir, "summary"))
	if want := "[diff][-f][a b;$(c)][-old][d e][-o][markdown]"; err != nil || string(got) != want {
		t.Errorf("%v: %s", err, got)
	}
	for name := range action.Inputs {
		if !strings.Contains(string(text), "${{ inputs."+name+" }}") {
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
		ID, Name, Description, Entry, Language string
		Types, Args                            []string
		PassFilenames                          bool `json:"pass_filenames"`
	}
	decode(t, ".pre-commit-hooks.yaml", nil, &hooks)
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
