package affinity

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/taskgraph"
)

// Validate returns every reason why a run cannot be planned, in the order of the fields of Run, and
// then of Options. The result is empty if PlanFor returns a plan. These are errors:
//
//   - names that are missing, used twice, or that give names of claims or labels that
//     the API server rejects, and a UID that is missing although claims are made from templates,
//     whose names contain a hash of it;
//   - a workspace that has a claim and a template, and a task that uses a workspace that
//     the run does not have and that is not optional;
//   - a task that runs after one that is not in Tasks, or, as the shortest cycle through its first
//     task by name, after itself; a task of Finally that runs after another;
//   - negative retries and fan-outs, and requests that are negative or have more than 1000 decimal
//     places;
//   - with PerWorkspace and Options.RejectSeveralClaims, a task that uses more than one claim:
//     there may be no node with both volumes;
//   - two workspaces whose placeholders or claims get one name;
//   - an existing claim with the name of the claim that is created for another workspace, which
//     would be deleted with it;
//   - an unknown behavior, a placeholder without an image, negative requests and limits,
//     and requests above the limits.
//
// What the plan does not use is not checked: the name of the run if nothing is made for it, its
// labels, and the image, requests and limits of the placeholder if there is no placeholder.
//
// It only checks a single run: FindCollisions checks runs against each other.
func Validate(run *Run, opts Options) field.ErrorList {
	if run == nil {
		return field.ErrorList{field.Required(field.NewPath("run"), "")}
	}
	v := validator{run: run, opts: opts, bindings: bind(run, opts.Behavior), first: map[string]int{}}
	v.checkRun()
	v.checkWorkspaces()
	v.checkNames()
	groups := run.groups()
	v.faults = append(v.faults, taskgraph.Validate(groups[0].nodes(), groups[1].nodes())...)
	for _, group := range groups {
		v.checkUse(group)
	}
	v.checkOptions()
	return v.faults
}

type validator struct {
	run      *Run
	opts     Options
	bindings []Binding
	first    map[string]int // index of the first workspace with each name
	faults   field.ErrorList
}

func (v *validator) add(fault *field.Error) { v.faults = append(v.faults, fault) }

// invalid adds an error for each message.
func (v *validator) invalid(path *field.Path, value any, messages []string) {
	for _, message := range messages {
		v.add(field.Invalid(path, value, message))
	}
}

// checkRun checks what the objects of a plan use of the run. The UID is part of the names of claims.
func (v *validator) checkRun() {
	placeholders, templates := v.hasPlaceholders(), v.hasTemplates()
	name := field.NewPath("name")
	switch {
	case v.run.Name == "" && (placeholders || templates):
		v.add(field.Required(name, "objects created for the run refer to it"))
	case placeholders || templates && v.opts.LabelClaims:
		v.invalid(name, v.run.Name, validation.IsValidLabelValue(v.run.Name))
	}
	if v.run.UID == "" && templates {
		v.add(field.Required(field.NewPath("uid"), "the claims are named after it"))
	}
	if placeholders {
		v.checkLabels(field.NewPath("labels"), v.run.Labels)
	}
}

// hasPlaceholders reports whether the plan has StatefulSets.
func (v *validator) hasPlaceholders() bool {
	return v.opts.Behavior.perRun() || slices.ContainsFunc(v.bindings, func(b Binding) bool { return b.Assistant != "" })
}

// hasTemplates reports whether claims are made for the run.
func (v *validator) hasTemplates() bool {
	return slices.ContainsFunc(v.run.Workspaces, func(w Workspace) bool { return w.ClaimTemplate != nil })
}

// checkLabels checks one label at a time, because ValidateLabels returns errors in no fixed
// order.
func (v *validator) checkLabels(path *field.Path, labels map[string]string) {
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		v.faults = append(v.faults, metavalidation.ValidateLabels(map[string]string{key: labels[key]}, path)...)
	}
}

func (v *validator) checkWorkspaces() {
	for i := range v.run.Workspaces {
		w, path := &v.run.Workspaces[i], field.NewPath("workspaces").Index(i)
		_, twice := v.first[w.Name]
		switch {
		case w.Name == "":
			v.add(field.Required(path.Child("name"), ""))
		case twice:
			v.add(field.Duplicate(path.Child("name"), w.Name))
		case v.opts.LabelClaims && w.ClaimTemplate != nil:
			v.invalid(path.Child("name"), w.Name, validation.IsValidLabelValue(w.Name))
		}
		if !twice {
			v.first[w.Name] = i
		}
		if w.ClaimName != "" {
			v.invalid(path.Child("claimName"), w.ClaimName, validation.IsDNS1123Subdomain(w.ClaimName))
		}
		if w.ClaimTemplate != nil {
			v.checkTemplate(w, path)
		}
	}
}

// checkTemplate checks the name that a template gives to a claim or, in a StatefulSet, to a
// volume.
func (v *validator) checkTemplate(w *Workspace, path *field.Path) {
	if w.ClaimName != "" {
		v.add(field.Forbidden(path.Child("claimTemplate"), "may not be set when `claimName` is specified"))
	}
	name, template := path.Child("claimTemplate", "metadata", "name"), w.ClaimTemplate.Name
	claim := w.GeneratedClaimName(v.run.UID, "")
	if v.opts.Behavior.perRun() {
		claim = VolumeName(claim)
		v.invalid(name, template, prefixed("gives the volume "+claim, validation.IsDNS1123Label(claim)))
	} else {
		v.invalid(name, template, prefixed("gives the claim "+claim, validation.IsDNS1123Subdomain(claim)))
	}
	v.checkLabels(path.Child("claimTemplate", "metadata", "labels"), w.ClaimTemplate.Labels)
}

func prefixed(prefix string, messages []string) []string {
	for i := range messages {
		messages[i] = prefix + ": " + messages[i]
	}
	return messages
}

// checkNames finds two workspaces whose objects get the same name.
func (v *validator) checkNames() {
	placeholders, made := map[string]string{}, map[string]string{} // workspaces, by the name that they use
	for i, b := range v.bindings {
		w, path := &v.run.Workspaces[i], field.NewPath("workspaces").Index(i)
		if v.first[w.Name] != i {
			continue
		}
		if v.opts.Behavior == PerWorkspace && b.Assistant == assistantName(w.Name, v.run.Name) {
			if other, taken := placeholders[b.Assistant]; taken {
				v.invalid(path.Child("name"), w.Name,
					[]string{fmt.Sprintf("has the placeholder %s, and so has workspace %q", b.Assistant, other)})
			}
			placeholders[b.Assistant] = w.Name
		}
		if w.ClaimTemplate != nil {
			if other, taken := made[b.Claim]; taken {
				v.invalid(path.Child("name"), w.Name,
					[]string{fmt.Sprintf("has the claim %s made for it, and so has workspace %q", b.Claim, other)})
			}
			made[b.Claim] = w.Name
		}
	}
	v.checkExisting(made)
}

// checkExisting finds claims that the run creates and that are also listed as existing.
func (v *validator) checkExisting(made map[string]string) {
	_, deleted := Cleanup(v.run, v.opts)
	for i, w := range v.run.Workspaces {
		other, isMade := made[w.ClaimName]
		if !isMade {
			continue
		}
		message := fmt.Sprintf("is the claim that is made for workspace %q", other)
		if slices.Contains(deleted, w.ClaimName) {
			message += ", and deleted when the run is completed"
		}
		v.add(field.Forbidden(field.NewPath("workspaces").Index(i).Child("claimName"), message))
	}
}

// checkUse finds workspaces that do not exist, and tasks that use several claims.
func (v *validator) checkUse(group taskGroup) {
	for i := range group.tasks {
		at := group.path.Index(i)
		for j, name := range group.tasks[i].Workspaces {
			if _, ok := v.first[name]; !ok && !slices.Contains(v.run.OptionalWorkspaces, name) {
				v.add(field.NotFound(at.Child("workspaces").Index(j), name))
			}
		}
		if refused := severalClaims(at, &group.tasks[i], v.bindings, v.opts); refused != nil && v.opts.RejectSeveralClaims {
			v.add(refused)
		}
	}
}

// severalClaims returns an error if each claim has its own placeholder and the pod of the task
// uses more than one claim. Otherwise it returns nil.
func severalClaims(path *field.Path, task *Task, bindings []Binding, opts Options) *field.Error {
	if opts.Behavior != PerWorkspace || task.NoPod {
		return nil
	}
	claims := map[string]string{} // the first workspace of each
	for _, name := range task.Workspaces {
		at := slices.IndexFunc(bindings, func(b Binding) bool { return b.Workspace == name })
		if at < 0 {
			continue
		}
		if claim := bindings[at].Claim; claim != "" && claims[claim] == "" {
			claims[claim] = name
		}
	}
	if len(claims) < 2 {
		return nil
	}
	var uses []string
	for _, claim := range slices.Sorted(maps.Keys(claims)) {
		uses = append(uses, fmt.Sprintf("%s by workspace %q", claim, claims[claim]))
	}
	return field.Forbidden(path.Child("workspaces"),
		"more than one PersistentVolumeClaim is bound: "+strings.Join(uses, ", "))
}

func (v *validator) checkOptions() {
	path := field.NewPath("options")
	behaviors := []Behavior{PerWorkspace, PerRun, PerRunIsolated, Disabled}
	if b := v.opts.Behavior; !slices.Contains(behaviors, b) {
		v.add(field.NotSupported(path.Child("behavior"), b, behaviors))
	}
	if v.hasPlaceholders() {
		v.checkPlaceholder(path.Child("placeholder"))
	}
}

// checkPlaceholder checks the container of the placeholders.
func (v *validator) checkPlaceholder(path *field.Path) {
	if v.opts.Placeholder.Image == "" {
		v.add(field.Required(path.Child("image"), ""))
	}
	requests, limits := path.Child("requests"), path.Child("limits")
	v.faults = append(v.faults, taskgraph.ValidateRequests(requests, v.opts.Placeholder.Requests)...)
	wrong := taskgraph.ValidateRequests(limits, v.opts.Placeholder.Limits)
	v.faults = append(v.faults, wrong...)
	if len(wrong) == 0 {
		v.checkLimits(requests)
	}
}

// checkLimits finds requests of the placeholder above its limits.
func (v *validator) checkLimits(path *field.Path) {
	request, limit := v.opts.Placeholder.resources()
	for _, name := range slices.Sorted(maps.Keys(request)) {
		q, most := request[name].DeepCopy(), limit[name].DeepCopy()
		if _, limited := limit[name]; limited && q.Cmp(most) > 0 {
			v.add(field.Invalid(path.Key(string(name)), q.String(),
				fmt.Sprintf("must be less than or equal to %s limit of %s", name, most.String())))
		}
	}
}
