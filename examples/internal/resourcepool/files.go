package resourcepool

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/terminal"
)

// steps are where the steps of a migration go: into files of a directory, or to the screen if it is "".
type steps struct {
	*command.Session
	dir string
}

// open creates the directory, which has to be empty: a file of an earlier migration would be applied with the others.
func (s steps) open() error {
	if s.dir == "" {
		return nil
	}
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(s.dir)
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s is not empty", s.dir)
	}
	return err
}

// nameOf returns the name of the file of a step: by number, so that they are in order, and by Tenant.
func nameOf(step, tenant, suffix string) string {
	if tenant != "" {
		step += "-" + tenant
	}
	return step + suffix
}

// apply writes the objects of a step, which kubectl applies.
func (s steps) apply(step, tenant string, objects []runtime.Object) {
	to := s.Session
	if s.dir != "" {
		to = &command.Session{Text: &terminal.Text{}, Stderr: s.Stderr}
	}
	for _, o := range objects {
		to.YAML(o)
	}
	if s.dir != "" {
		path := s.write(nameOf(step, tenant, ".yaml"), to.String())
		fmt.Fprintf(s, "#    kubectl apply -f %s\n", quoted(path))
	}
}

// run writes the commands of a step, which a shell runs.
func (s steps) run(step, tenant string, commands []string) {
	if s.dir == "" || len(commands) == 0 {
		return
	}
	path := s.write(nameOf(step, tenant, ".sh"), "#!/bin/sh\nset -e\n"+strings.Join(commands, "\n")+"\n")
	fmt.Fprintf(s, "#    sh %s\n", quoted(path))
}

func (s steps) write(name, text string) (path string) {
	path = filepath.Join(s.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.Say(command.Unread, "%v", err)
	}
	return path
}

// quoted returns a word as a shell reads it.
func quoted(word string) string {
	plain := func(r rune) bool {
		return !strings.ContainsRune("-_./:=", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}
	if word != "" && strings.IndexFunc(word, plain) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// checks returns commands that fail until the quotas are as expected.
func checks(quotas []*corev1.ResourceQuota) (commands []string) {
	escape := strings.NewReplacer(".", `\.`)
	for _, q := range quotas {
		for _, name := range slices.Sorted(maps.Keys(q.Spec.Hard)) {
			amount := q.Spec.Hard[name]
			path := "--for=jsonpath={.spec.hard." + escape.Replace(string(name)) + "}=" + amount.String()
			commands = append(commands, "kubectl wait resourcequotas "+quoted(q.Name)+" -n "+quoted(q.Namespace)+" "+quoted(path)+" --timeout=60s")
		}
	}
	return commands
}

// withoutItems returns the command that removes the quotas of a Tenant.
func withoutItems(tenant string) string {
	return fmt.Sprintf("kubectl patch tenants.capsule.clastix.io %s --type=json -p '[{\"op\": \"remove\", \"path\": \"/spec/resourceQuotas\"}]'", quoted(tenant))
}

// removals returns the commands that remove the old quotas, or of one that stays what the pools have.
func (r replacement) removals() (commands []string) {
	for _, name := range r.Replaced {
		if !r.keep[name] {
			commands = append(commands, fmt.Sprintf("kubectl delete resourcequotas -n %s %s", quoted(name.Namespace), quoted(name.Name)))
			continue
		}
		var patch []string
		for _, resource := range r.amountsOf(name) {
			pointer := strings.NewReplacer("~", "~0", "/", "~1").Replace(string(resource))
			patch = append(patch, fmt.Sprintf("{\"op\": \"remove\", \"path\": \"/spec/hard/%s\"}", pointer))
		}
		commands = append(commands, fmt.Sprintf("kubectl patch resourcequotas -n %s %s --type=json -p %s", quoted(name.Namespace), quoted(name.Name),
			quoted("["+strings.Join(patch, ", ")+"]")))
	}
	return commands
}

// amountsOf returns the resources of an old quota that the pools have.
func (r replacement) amountsOf(name types.NamespacedName) (all []corev1.ResourceName) {
	for _, s := range r.sources {
		for _, q := range s.Quotas {
			if q.Namespace == name.Namespace && q.Name == name.Name {
				all = append(all, slices.Sorted(maps.Keys(q.Spec.Hard))...)
			}
		}
	}
	return all
}
