package resourcepool

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/migrate"
)

// showMigration prints the objects that replace the quotas of each Tenant, and those that replace
// all other ResourceQuotas, in the order in which they are to be applied.
func showMigration(w steps, c *cluster) error {
	if err := w.open(); err != nil {
		return err
	}
	var failures []error
	plain := slices.Clone(c.quotas)
	without := map[string][]*corev1.ResourceQuota{} // quotas of Tenants that are not in the input
	known := map[string]bool{}
	for _, t := range c.tenants {
		known[t.Name] = true
		for i := range t.Spec.ResourceQuotas.Items {
			plain = slices.DeleteFunc(plain, func(q *corev1.ResourceQuota) bool { return q.Name == quotaName(t, i) })
		}
		failures = append(failures, showTenantMigration(w, c, t))
	}
	plain = slices.DeleteFunc(plain, func(q *corev1.ResourceQuota) bool {
		name := migrate.TenantOf(q)
		switch {
		case known[name]:
			fmt.Fprintf(w, "# Capsule deletes %s/%s: Tenant %s has no such item.\n\n", q.Namespace, q.Name, name)
		case name != "":
			without[name] = append(without[name], q)
		}
		return name != ""
	})
	for _, name := range slices.Sorted(maps.Keys(without)) {
		failures = append(failures, showUnknownTenantMigration(w, name, without[name]))
	}
	if len(plain) > 0 {
		failures = append(failures, showPlainMigration(w, plain))
	}
	if len(c.tenants)+len(c.quotas) == 0 {
		fmt.Fprintf(w, "# nothing to migrate: neither Tenant nor ResourceQuota\n\n")
	}
	return errors.Join(failures...) // without those that are nil
}

// showTenantMigration prints the objects that replace the quotas of a Tenant, if it has any.
func showTenantMigration(w steps, c *cluster, t *tenant) error {
	if len(t.Spec.ResourceQuotas.Items) == 0 {
		return nil
	}
	r, reason, err := c.replacementOf(t)
	switch {
	case err != nil:
		return err
	case reason != "":
		refuse(w, t.Name, reason)
	default:
		r.show(w, t.Name)
	}
	return nil
}

// showUnknownTenantMigration prints the objects that replace the quotas of a Tenant that is not in the input.
func showUnknownTenantMigration(w steps, tenant string, quotas []*corev1.ResourceQuota) error {
	sources, losses := migrate.Sources(quotas)
	if w.dir != "" && len(validation.IsDNS1123Subdomain(tenant)) > 0 { // which a file would be named after
		refuse(w, fmt.Sprintf("%q", tenant), "this is no name of a Tenant")
		return nil
	}
	if len(losses) > 0 {
		refuse(w, tenant, fmt.Sprintf("%v: %v", losses[0].Quota, losses[0].Problem.Field(nil)))
		return nil
	}
	for i := range sources {
		sources[i].Selectors = nil
	}
	m, err := migrate.FromQuotas(sources, selecting(tenant))
	if err != nil {
		return err
	}
	replacement{Migration: m, sources: sources, unknown: unknownUse(sources, nil)}.show(w, tenant)
	return nil
}

// refuse says why the quotas of a Tenant are not migrated.
func refuse(w steps, tenant, reason string) {
	fmt.Fprintf(w, "# Tenant %s is not migrated: %s.\n\n", tenant, reason)
	w.Exit(command.Rejected)
}

// showPlainMigration prints the objects that replace ResourceQuotas without a Tenant, and which of
// their amounts cannot be replaced.
func showPlainMigration(w steps, quotas []*corev1.ResourceQuota) error {
	sources, losses := migrate.Sources(quotas)
	m, err := migrate.FromQuotas(sources, migrate.Options{})
	if err != nil {
		return err
	}
	if len(m.Pools) > 0 {
		r := replacement{Migration: m, sources: sources, unknown: unknownUse(sources, nil), keep: map[types.NamespacedName]bool{}}
		for _, loss := range losses {
			r.keep[loss.Quota] = true
		}
		r.show(w, "")
	}
	if len(losses) > 0 {
		fmt.Fprintln(w, "# These stay in the old quotas, because no pool can have them:")
		for _, loss := range losses {
			fmt.Fprintf(w, "#    %v: %v\n", loss.Quota, loss.Problem.Field(nil))
		}
		fmt.Fprintln(w)
	}
	return nil
}

// show prints the steps of a migration of the quotas of a Tenant, "" if they are of none. The last step is printed only if
// every namespace can use afterwards what it uses now.
func (r replacement) show(w steps, tenant string) {
	of := ""
	if tenant != "" {
		of = " of Tenant " + tenant
	}
	quotas, waiting := r.Check()
	problems := r.problems(quotas, waiting)
	if len(problems) > 0 {
		w.dir = "" // they are only to be read
		fmt.Fprintln(w, "# These are not to be applied as they are: see 3.")
	}
	fmt.Fprintf(w, "# 1. Create the claims%s. They fail until the pools exist, and the old quotas limit as before.\n", of)
	w.apply("1-claims", tenant, objectsOf(r.Claims))
	fmt.Fprintln(w, "# 2. Create the pools. The old quotas stay. Until its claims are granted, a namespace can create nothing more.")
	w.apply("2-pools", tenant, objectsOf(r.Pools))
	fmt.Fprintln(w, "# 3. Check that every claim is granted, and that the quotas are as follows. Until then, the old quotas stay.")
	for _, q := range quotas {
		q.Status.Used = r.used(q)
		requests, limits := usageColumns(q, q.Status.Used)
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("#    %s %s %s %s", q.Namespace, q.Name, requests, limits), " "))
	}
	if len(problems) > 0 {
		for _, problem := range problems {
			fmt.Fprintf(w, "#    %s\n", problem)
		}
		fmt.Fprintf(w, "# The old quotas have to stay: the pools do not have what the namespaces use.\n\n")
		w.Exit(command.Rejected)
		return
	}
	w.run("3-check", tenant, checks(quotas))
	r.showLast(w, tenant)
}

func objectsOf[T runtime.Object](all []T) (objects []runtime.Object) {
	for _, o := range all {
		objects = append(objects, o)
	}
	return objects
}

func (r replacement) showLast(w steps, tenant string) {
	switch {
	case tenant == "":
		fmt.Fprintln(w, "# 4. Delete the old quotas, except for what is listed below. Only the pools limit from then on.")
		for _, line := range r.removals() {
			fmt.Fprintf(w, "#    %s\n", line)
		}
		w.run("4-delete", "", r.removals())
		fmt.Fprintln(w)
		return
	case r.each:
		fmt.Fprintf(w, "# 4. Remove the items of spec.resourceQuotas from Tenant %s. Each namespace may use as much as before;\n"+
			"# a namespace that is created later has no limit until it has a pool and a claim.\n", tenant)
	default:
		fmt.Fprintf(w, "# 4. Remove the items of spec.resourceQuotas from Tenant %s. Each namespace may use what it claims, and\n"+
			"# claims more from the rest of the pool.\n", tenant)
	}
	fmt.Fprintf(w, "#    %s\n", withoutItems(tenant))
	w.run("4-delete", tenant, []string{withoutItems(tenant)})
	if len(r.Replaced) > 0 {
		fmt.Fprintln(w, "# Capsule then deletes")
	}
	for _, name := range r.Replaced {
		fmt.Fprintf(w, "#    %v\n", name)
	}
	fmt.Fprintln(w)
}

// problems returns which claims will wait, and which namespaces use more than the quotas of the pools allow.
func (r replacement) problems(quotas []*corev1.ResourceQuota, waiting []pool.Decision) (problems []string) {
	for _, d := range waiting {
		problems = append(problems, fmt.Sprintf("%v will wait: %s", d.Claim, d.Message()))
	}
	for _, q := range quotas {
		used := r.used(q)
		for _, name := range slices.Sorted(maps.Keys(used)) {
			if amount, hard := used[name], q.Spec.Hard[name]; amount.Cmp(hard) > 0 {
				problems = append(problems, fmt.Sprintf("%s would use %s=%s of %s", q.Namespace, name, amount.String(), hard.String()))
			}
		}
	}
	return append(problems, r.unknown...)
}

// used returns what a namespace uses of the old quota that a quota of a pool replaces.
func (r replacement) used(q *corev1.ResourceQuota) corev1.ResourceList {
	used := resourcelist.Multiply(q.Spec.Hard, 0)
	for _, s := range r.sources {
		for _, old := range s.Quotas {
			if old.Namespace != q.Namespace || q.Name != "capsule-pool-"+s.Pool {
				continue
			}
			for name := range q.Spec.Hard {
				if amount, ok := old.Status.Used[name]; ok {
					used[name] = amount
				}
			}
		}
	}
	return used
}

// unknownUse returns what is not known of the use of namespaces: that of a quota without a status, or, of a Tenant with these
// namespaces, of a quota that is not in the input.
func unknownUse(sources []migrate.PoolSource, namespaces []string) (unknown []string) {
	say := func(namespace string, name corev1.ResourceName) {
		unknown = append(unknown, fmt.Sprintf("what %s uses of %s is unknown", namespace, name))
	}
	for _, s := range sources {
		has := map[string]bool{}
		for _, q := range s.Quotas {
			has[q.Namespace] = true
			for _, name := range slices.Sorted(maps.Keys(q.Spec.Hard)) {
				if _, ok := q.Status.Used[name]; !ok {
					say(q.Namespace, name)
				}
			}
		}
		for _, namespace := range namespaces {
			for _, name := range slices.Sorted(maps.Keys(s.Capacity.Hard)) {
				if !has[namespace] {
					say(namespace, name)
				}
			}
		}
	}
	return unknown
}

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
	if len(entries) > 0 {
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
	if s.dir == "" {
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
			pointer := strings.ReplaceAll(string(resource), "/", "~1")
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
