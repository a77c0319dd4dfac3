package resourcepool

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool/migrate"
)

// filesOf returns the texts of the files of a directory, by name.
func filesOf(t *testing.T, dir string) (names []string, texts map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	testkit.OK(t, err)
	texts = map[string]string{}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		testkit.OK(t, err)
		names = append(names, entry.Name())
		texts[entry.Name()] = string(text)
	}
	return names, texts
}

const ownQuota = "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: own, namespace: a}\nspec: {hard: {services: 3, requests.cpu: 1500m}}\nstatus: {used: {services: 1, requests.cpu: 500m}}\n"

// The steps are files in their order, the objects are those that are printed, and what must not be applied is no file.
func TestMigrationFiles(t *testing.T) {
	const second = ", {hard: {pods: 7}, scopes: [Terminating]}"
	shared := strings.NewReplacer("SCOPE", "Tenant", "STATUS", "", second, "").Replace(tenantManifest)
	used := ofTenant("a", "1750m", "500m") + ofTenant("b", "1500m", "250m")
	each := strings.NewReplacer("SCOPE", "Namespace", "STATUS", "").Replace(tenantManifest)
	const ownCheck = "kubectl wait resourcequotas capsule-pool-own -n a '--for=jsonpath={.spec.hard.requests\\.cpu}=500m' --timeout=60s\n" +
		"kubectl wait resourcequotas capsule-pool-own -n a '--for=jsonpath={.spec.hard.services}=1' --timeout=60s\n"
	const patchTenant = "kubectl patch tenants.capsule.clastix.io t --type=json -p '[{\"op\": \"remove\", \"path\": \"/spec/resourceQuotas\"}]'\n"
	for _, test := range []struct {
		name, input string
		code        int
		files       []string
		check, last string // the commands of steps 3 and 4
	}{
		{"a Tenant", shared + used, 0, []string{"1-claims-t.yaml", "2-pools-t.yaml", "3-check-t.sh", "4-delete-t.sh"},
			"kubectl wait resourcequotas capsule-pool-t-compute -n a '--for=jsonpath={.spec.hard.requests\\.cpu}=500m' --timeout=60s\n" +
				"kubectl wait resourcequotas capsule-pool-t-compute -n b '--for=jsonpath={.spec.hard.requests\\.cpu}=250m' --timeout=60s\n", patchTenant},
		{"of each namespace", each + ofTenant("a", "2", "500m"), 0, []string{"1-claims-t.yaml", "2-pools-t.yaml", "3-check-t.sh", "4-delete-t.sh"},
			"kubectl wait resourcequotas capsule-pool-t-compute-a -n a '--for=jsonpath={.spec.hard.requests\\.cpu}=2' --timeout=60s\n" +
				"kubectl wait resourcequotas capsule-pool-t-size-a -n a '--for=jsonpath={.spec.hard.pods}=7' --timeout=60s\n", patchTenant},
		{"a quota", ownQuota, 0, []string{"1-claims.yaml", "2-pools.yaml", "3-check.sh", "4-delete.sh"}, ownCheck, "kubectl delete resourcequotas -n a own\n"},
		{"a quota of which something stays", strings.NewReplacer("services: 3", "requests.example.com/gpu: 3, count/x~y/z: 4", "services: 1", "requests.example.com/gpu: 1, count/x~y/z: 1").Replace(ownQuota), 0,
			[]string{"1-claims.yaml", "2-pools.yaml", "3-check.sh", "4-delete.sh"}, strings.ReplaceAll(ownCheck, "services}=1", "requests\\.example\\.com/gpu}=1"),
			"kubectl patch resourcequotas -n a own --type=json -p '[{\"op\": \"remove\", \"path\": \"/spec/hard/requests.cpu\"}, {\"op\": \"remove\", \"path\": \"/spec/hard/requests.example.com~1gpu\"}]'\n"},
		{"names that a shell reads", strings.Replace(ownQuota, "name: own, namespace: a", "name: o;x, namespace: n$x", 1), 0, []string{"1-claims.yaml", "2-pools.yaml", "3-check.sh", "4-delete.sh"},
			strings.ReplaceAll(ownCheck, "capsule-pool-own -n a", "'capsule-pool-o;x' -n 'n$x'"), "kubectl delete resourcequotas -n 'n$x' 'o;x'\n"},
		{"names that a shell reads, and something stays", strings.NewReplacer("name: own, namespace: a", "name: o;x, namespace: n$x", "services: 3", "requests.example.com/gpu: 3, count/x~y/z: 4", "services: 1", "requests.example.com/gpu: 1, count/x~y/z: 1").Replace(ownQuota), 0,
			[]string{"1-claims.yaml", "2-pools.yaml", "3-check.sh", "4-delete.sh"}, strings.NewReplacer("capsule-pool-own -n a", "'capsule-pool-o;x' -n 'n$x'", "services}=1", "requests\\.example\\.com/gpu}=1").Replace(ownCheck),
			"kubectl patch resourcequotas -n 'n$x' 'o;x' --type=json -p '[{\"op\": \"remove\", \"path\": \"/spec/hard/requests.cpu\"}, {\"op\": \"remove\", \"path\": \"/spec/hard/requests.example.com~1gpu\"}]'\n"},
		{"without the Tenant, annotated", strings.ReplaceAll(used, "labels:", "annotations: {quota.capsule.clastix.io/hard-requests.cpu: \"2\", quota.capsule.clastix.io/used-requests.cpu: 750m}, labels:"), 0,
			[]string{"1-claims-t.yaml", "2-pools-t.yaml", "3-check-t.sh", "4-delete-t.sh"},
			"kubectl wait resourcequotas capsule-pool-capsule-t-0 -n a '--for=jsonpath={.spec.hard.requests\\.cpu}=500m' --timeout=60s\n" +
				"kubectl wait resourcequotas capsule-pool-capsule-t-0 -n b '--for=jsonpath={.spec.hard.requests\\.cpu}=250m' --timeout=60s\n", patchTenant},
		{"more is used than there is", shared + ofTenant("a", "1500m", "1500m") + ofTenant("b", "1", "1"), 2, nil, "", ""},
		{"a Tenant that is not found", ofTenant("a", "1750m", "500m"), 2, nil, "", ""},
		{"a Tenant that stays beside a quota", ofTenant("a", "1750m", "500m") + ownQuota, 2, []string{"1-claims.yaml", "2-pools.yaml", "3-check.sh", "4-delete.sh"}, ownCheck, "kubectl delete resourcequotas -n a own\n"},
		{"a name of a path, without the Tenant", strings.NewReplacer("capsule-t-0", "capsule-../t-0", "tenant: t}", "tenant: ../t}", "labels:",
			"annotations: {quota.capsule.clastix.io/hard-requests.cpu: \"2\", quota.capsule.clastix.io/used-requests.cpu: 750m}, labels:").Replace(used), 2, nil, "", ""},
		{"a name of a path", strings.Replace(shared, "metadata: {name: t}", "metadata: {name: ../t}", 1) + used, 2, nil, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "the steps") // which is quoted
			got, printed := runWith(test.input, "-migrate", "-f", "-", "-dir", dir), runWith(test.input, "-migrate", "-f", "-")
			names, texts := filesOf(t, dir)
			if got.Code != test.code || strings.Join(names, " ") != strings.Join(test.files, " ") {
				t.Fatalf("exit code %d, want %d; files %q, want %q\n%s%s", got.Code, test.code, names, test.files, got.Stdout, got.Stderr)
			}
			if len(names) == 0 {
				return
			}
			for i, want := range []string{"", "", test.check, test.last} {
				text := texts[names[i]]
				switch {
				case i < 2 && (!strings.Contains(printed.Stdout, text) || !strings.HasPrefix(text, "---\n") || strings.Contains(got.Stdout, text)):
					t.Errorf("%s is not what is printed:\n%s", names[i], text)
				case i >= 2 && text != "#!/bin/sh\nset -e\n"+want:
					t.Errorf("%s:\n%swant\n%s", names[i], text, want)
				}
				if command := " '" + filepath.Join(dir, names[i]) + "'\n"; !strings.Contains(got.Stdout, command) {
					t.Errorf("%s is not named in\n%s", names[i], got.Stdout)
				}
			}
		})
	}
}

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

// Only the amounts of the quota itself are removed from it, not those of a namesake or of a neighbor.
func TestAmountsOf(t *testing.T) {
	quota := func(namespace, name, resource string) *corev1.ResourceQuota {
		q := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
		q.Spec.Hard = corev1.ResourceList{corev1.ResourceName(resource): {}}
		return q
	}
	r := replacement{sources: []migrate.PoolSource{{Quotas: []*corev1.ResourceQuota{quota("a", "q", "pods"), quota("b", "q", "services"), quota("a", "other", "secrets")}}}}
	if got := r.amountsOf(types.NamespacedName{Namespace: "a", Name: "q"}); len(got) != 1 || got[0] != "pods" {
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
