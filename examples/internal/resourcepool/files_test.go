package resourcepool

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/internal/testkit"
)

const ownQuota = "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: own, namespace: a}\nspec: {hard: {services: 3, requests.cpu: 1500m}}\nstatus: {used: {services: 1, requests.cpu: 500m}}\n"

// A directory with files, one that cannot be, and one without -migrate are refused.
func TestMigrationDirectory(t *testing.T) {
	dir := t.TempDir()
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "x"), nil, 0o600))
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-migrate", "-f", "-", "-dir", dir}, "kubemath: " + dir + " is not empty\n"},
		{[]string{"-migrate", "-f", "-", "-dir", filepath.Join(dir, "x", "y")}, "not a directory"},
		{[]string{"-f", "-", "-dir", dir}, "-dir is for -migrate"},
	} {
		if got := runWith(ownQuota, test.args...); got.Code != 1 || !strings.Contains(got.Stderr, test.want) || got.Stdout != "" {
			t.Errorf("%q: %+v", test.args, got)
		}
	}
}

// A shell passes what it is told to kubectl, whatever the names are, and stops at the first failure.
func TestScriptsOfMigration(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("kubectl is a shell script")
	}
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	script := "#!/bin/sh\nfor word; do echo \"[$word]\" >> " + log + "; done\ncase \"$*\" in *first*) exit 1 ;; esac\n"
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte(script), 0o755))
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	path := filepath.Join(dir, "step.sh")
	for _, test := range []struct {
		commands []string
		want     string
		fails    bool
	}{
		{[]string{"kubectl delete " + quoted("it's; $(x)\n\"y\"") + " " + quoted("") + " " + quoted("plain-1.2/3:4=5_")}, "[delete]\n[it's; $(x)\n\"y\"]\n[]\n[plain-1.2/3:4=5_]\n", false},
		{[]string{"kubectl first", "kubectl second"}, "[first]\n", true},
	} {
		testkit.OK(t, os.WriteFile(path, []byte("#!/bin/sh\nset -e\n"+strings.Join(test.commands, "\n")+"\n"), 0o600))
		testkit.OK(t, os.WriteFile(log, nil, 0o600))
		err := exec.Command("sh", path).Run()
		asked, failed := os.ReadFile(log)
		if failed != nil || (err != nil) != test.fails || string(asked) != test.want {
			t.Errorf("%q: %q, %v, %v", test.commands, asked, err, failed)
		}
	}
}

// Plain words stay as they are, and names of Tenants are quoted in commands.
func TestQuoted(t *testing.T) {
	for word, want := range map[string]string{"09azAZ-_./:=": "09azAZ-_./:=", "": "''", "a b": "'a b'", "@": "'@'", "[": "'['", "`": "'`'", "{": "'{'", ";": "';'"} {
		testkit.Equal(t, quoted(word), want)
	}
	if got := withoutItems("a b"); !strings.HasPrefix(got, "kubectl patch tenants.capsule.clastix.io 'a b' --type=json") {
		t.Error(got)
	}
}

// A file that cannot be written is said.
func TestUnwritable(t *testing.T) {
	var said strings.Builder
	steps{Session: &command.Session{Text: &terminal.Text{}, Stderr: &said}, dir: filepath.Join(t.TempDir(), "gone")}.run("4-delete", "", []string{"true"})
	if !strings.Contains(said.String(), "4-delete.sh") {
		t.Errorf("%q", said.String())
	}
}
