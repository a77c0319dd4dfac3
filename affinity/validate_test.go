package affinity_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

// lines returns each error as a line.
func lines(faults field.ErrorList) (lines []string) {
	for _, fault := range faults {
		lines = append(lines, fault.Error())
	}
	return lines
}

const (
	subdomain = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
	dnsLabel  = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
	label     = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)

func TestValidate(t *testing.T) {
	long := strings.Repeat("x", 64)
	perRun, perWorkspace, disabled := with(affinity.PerRun), with(affinity.PerWorkspace), affinity.Options{Behavior: affinity.Disabled}
	rejecting := with(affinity.PerWorkspace)
	rejecting.RejectSeveralClaims = true
	labeled := with(affinity.PerWorkspace)
	labeled.LabelClaims = true
	cleaned := perWorkspace
	cleaned.AutoCleanup = true
	tests := []struct {
		name   string
		opts   affinity.Options
		change func(*affinity.Run)
		want   []string
	}{
		{"valid", perWorkspace, func(*affinity.Run) {}, nil},
		{"no name", perRun, func(r *affinity.Run) { r.Name = "" }, []string{"name: Required value: objects created for the run refer to it"}},
		{"name of 63 characters", perRun, func(r *affinity.Run) { r.Name = long[:63] }, nil},
		{"name of 64 characters", perRun, func(r *affinity.Run) { r.Name = long }, []string{`name: Invalid value: "` + long + `": must be no more than 63 bytes`}},
		{"no UID", perRun, func(r *affinity.Run) { r.UID = "" }, []string{"uid: Required value: the claims are named after it"}},
		{"label", perRun, func(r *affinity.Run) { r.Labels = map[string]string{"a": "-", "b": "c"} }, []string{`labels: Invalid value: "-": ` + label}},

		{"workspace without a name", disabled, func(r *affinity.Run) { r.Workspaces = append(r.Workspaces, affinity.Workspace{}) }, []string{"workspaces[3].name: Required value"}},
		{"workspaces without names", disabled, func(r *affinity.Run) { r.Workspaces = append(r.Workspaces, affinity.Workspace{}, affinity.Workspace{}) }, []string{"workspaces[3].name: Required value", "workspaces[4].name: Required value"}},
		{"duplicate workspace", perRun, func(r *affinity.Run) {
			r.Workspaces = append(r.Workspaces, affinity.Workspace{Name: "source", ClaimTemplate: template("")})
		}, []string{`workspaces[3].name: Duplicate value: "source"`}},
		{"claim and template", perRun, func(r *affinity.Run) { r.Workspaces[2].ClaimTemplate = template("") }, []string{"workspaces[2].claimTemplate: Forbidden: may not be set when `claimName` is specified"}},
		{"name of a claim", disabled, func(r *affinity.Run) { r.Workspaces[2].ClaimName = "A" }, []string{`workspaces[2].claimName: Invalid value: "A": ` + subdomain}},
		{"name of a claim with a dot", perRun, func(r *affinity.Run) { r.Workspaces[2].ClaimName = "a.b" }, nil},
		{"name of a template", disabled, func(r *affinity.Run) { r.Workspaces[0].ClaimTemplate.Name = "A" }, []string{`workspaces[0].claimTemplate.metadata.name: Invalid value: "A": gives the claim A-83ce0de351: ` + subdomain}},
		{"name of a template with a dot", perWorkspace, func(r *affinity.Run) { r.Workspaces[0].ClaimTemplate.Name = "a.b" }, nil},
		{"name of a template with a dot, of a volume", perRun, func(r *affinity.Run) { r.Workspaces[0].ClaimTemplate.Name = "a.b" },
			[]string{`workspaces[0].claimTemplate.metadata.name: Invalid value: "a.b": gives the volume a.b-83ce0de351: must not contain dots`}},
		{"name of a template, of a volume", with(affinity.PerRunIsolated), func(r *affinity.Run) { r.Workspaces[0].ClaimTemplate.Name = "-" },
			[]string{`workspaces[0].claimTemplate.metadata.name: Invalid value: "-": gives the volume --83ce0de351: ` + dnsLabel}},
		{"long name of a template", perWorkspace, func(r *affinity.Run) { r.Workspaces[0].ClaimTemplate.Name = strings.Repeat("x", 242) }, nil},
		{"template name too long", perWorkspace, func(r *affinity.Run) { r.Workspaces[0].ClaimTemplate.Name = strings.Repeat("x", 243) },
			[]string{`workspaces[0].claimTemplate.metadata.name: Invalid value: "` + strings.Repeat("x", 243) + `": gives the claim ` + strings.Repeat("x", 243) + `-83ce0de351: must be no more than 253 characters`}},
		{"template name too long, truncated for a volume", perRun, func(r *affinity.Run) { r.Workspaces[0].ClaimTemplate.Name = strings.Repeat("x", 243) }, nil},
		{"labels of a template", perRun, func(r *affinity.Run) {
			r.Workspaces[0].ClaimTemplate.Labels = map[string]string{"a": "-"}
		}, []string{`workspaces[0].claimTemplate.metadata.labels: Invalid value: "-": ` + label}},
		{"name of a workspace as a label", labeled, func(r *affinity.Run) {
			r.Workspaces[0].Name, r.Tasks, r.Workspaces[1].Name, r.Finally = "a b", nil, "c d", nil
		}, []string{`workspaces[0].name: Invalid value: "a b": ` + label}},
		{"workspace name that is not a valid label", perWorkspace, func(r *affinity.Run) { r.Workspaces[0].Name, r.Tasks = "a b", nil }, nil},

		{"digits of two workspaces", perWorkspace, collide, []string{
			`workspaces[1].name: Invalid value: "ws-1381271": has the placeholder affinity-assistant-89039936fe, and so has workspace "ws-820771"`,
			`workspaces[1].name: Invalid value: "ws-1381271": has the claim pvc-89039936fe made for it, and so has workspace "ws-820771"`,
		}},
		{"digits of two workspaces, one claim each", perRun, collide, []string{
			`workspaces[1].name: Invalid value: "ws-1381271": has the claim pvc-89039936fe-affinity-assistant-acba255121-0 made for it, and so has workspace "ws-820771"`,
		}},
		{"digits of two workspaces, not held", disabled, collide, []string{
			`workspaces[1].name: Invalid value: "ws-1381271": has the claim pvc-89039936fe made for it, and so has workspace "ws-820771"`,
		}},
		{"claim name of a claim that the run creates", perRun, func(r *affinity.Run) { r.Workspaces[2].ClaimName = madeClaim }, []string{`workspaces[2].claimName: Forbidden: is the claim that is made for workspace "source", and deleted when the run is completed`}},
		{"claim name of a created claim, with cleanup", cleaned, func(r *affinity.Run) { r.Workspaces[2].ClaimName, r.Finally = sourceClaim, nil }, []string{`workspaces[2].claimName: Forbidden: is the claim that is made for workspace "source", and deleted when the run is completed`}},
		{"claim name of a created claim that is not deleted", perWorkspace, func(r *affinity.Run) { r.Workspaces[2].ClaimName, r.Finally = sourceClaim, nil }, []string{`workspaces[2].claimName: Forbidden: is the claim that is made for workspace "source"`}},
		{"claim name that only another behavior would create", perWorkspace, func(r *affinity.Run) { r.Workspaces[2].ClaimName = madeClaim }, nil},

		{"unknown workspaces", perRun, func(r *affinity.Run) {
			r.Tasks[1].Workspaces = []string{"nowhere", "source", "Cache"}
			r.Finally[0].Workspaces = []string{"x"}
		}, []string{
			`tasks[1].workspaces[0]: Not found: "nowhere"`, `tasks[1].workspaces[2]: Not found: "Cache"`, `finally[0].workspaces[0]: Not found: "x"`,
		}},
		{"several claims", rejecting, func(r *affinity.Run) {
			r.Tasks[0].Workspaces = []string{"source", "cache"}
			r.Finally[0].Workspaces = []string{"cache", "scratch", "source", "source"}
		}, []string{
			`tasks[0].workspaces: Forbidden: more than one PersistentVolumeClaim is bound: build-cache-pvc by workspace "cache", pvc-83ce0de351 by workspace "source"`,
			`finally[0].workspaces: Forbidden: more than one PersistentVolumeClaim is bound: build-cache-pvc by workspace "cache", pvc-83ce0de351 by workspace "source"`,
		}},
		{"several claims, one of them by two workspaces", rejecting, func(r *affinity.Run) {
			r.Workspaces = append(r.Workspaces, affinity.Workspace{Name: "maven", ClaimName: "build-cache-pvc"})
			r.Tasks[0].Workspaces = []string{"source", "cache", "maven"}
		}, []string{
			`tasks[0].workspaces: Forbidden: more than one PersistentVolumeClaim is bound: build-cache-pvc by workspace "cache", pvc-83ce0de351 by workspace "source"`,
		}},
		{"several claims, only the task fails", perWorkspace, func(r *affinity.Run) { r.Tasks[0].Workspaces = []string{"source", "cache"} }, nil},
		{"several claims of a task without a pod", rejecting, func(r *affinity.Run) {
			r.Tasks[0].Workspaces, r.Tasks[0].NoPod = []string{"source", "cache"}, true
		}, nil},
		{"an optional workspace that is not bound", perRun, func(r *affinity.Run) {
			r.OptionalWorkspaces, r.Tasks[0].Workspaces = []string{"signing"}, []string{"signing", "source"}
		}, nil},
		{"several claims of one node", perRun, func(r *affinity.Run) { r.Tasks[0].Workspaces = []string{"source", "cache"} }, nil},
		{"several claims on any node", disabled, func(r *affinity.Run) { r.Tasks[0].Workspaces = []string{"source", "cache"} }, nil},
		{"one claim, several times", perWorkspace, func(r *affinity.Run) {
			r.Workspaces = append(r.Workspaces, affinity.Workspace{Name: "maven", ClaimName: "build-cache-pvc"})
			r.Tasks[0].Workspaces = []string{"maven", "cache", "cache", "scratch"}
		}, nil},
		{"invalid tasks", perRun, func(r *affinity.Run) {
			r.Tasks[0] = affinity.Task{Name: "a", RunAfter: []string{"x"}, Retries: -1, Requests: list("cpu", "-1"), FanOut: 1<<30 + 1}
			r.Finally[0] = affinity.Task{Name: "a", RunAfter: []string{"x"}, Workspaces: []string{"y"}, Retries: -1, Requests: list("cpu", "-1"), FanOut: -1}
		}, []string{
			"tasks[0].retries: Invalid value: -1: must be greater than or equal to 0",
			"tasks[0].fanOut: Invalid value: 1073741825: must be less than or equal to 1073741824",
			`tasks[0].requests[cpu]: Invalid value: "-1": must be greater than or equal to 0`,
			`tasks[0].runAfter[0]: Not found: "x"`,
			`finally[0].name: Duplicate value: "a"`,
			"finally[0].retries: Invalid value: -1: must be greater than or equal to 0",
			"finally[0].fanOut: Invalid value: -1: must be greater than or equal to 0",
			`finally[0].requests[cpu]: Invalid value: "-1": must be greater than or equal to 0`,
			"finally[0].runAfter: Forbidden: finally tasks must not declare runAfter",
			`finally[0].workspaces[0]: Not found: "y"`,
		}},

		{"no behavior", affinity.Options{Behavior: "workspaces"}, func(*affinity.Run) {}, []string{`options.behavior: Unsupported value: "workspaces": supported values: "", "pipelineruns", "isolate-pipelinerun", "disabled"`}},
		{"no image", affinity.Options{}, func(*affinity.Run) {}, []string{"options.placeholder.image: Required value"}},
		{"no image, one run", affinity.Options{Behavior: affinity.PerRun}, func(r *affinity.Run) { *r = affinity.Run{Name: "r", UID: "u"} }, []string{"options.placeholder.image: Required value"}},
		{"no UID, not needed", affinity.Options{}, func(r *affinity.Run) {
			*r = affinity.Run{Name: "r", Workspaces: []affinity.Workspace{{Name: "scratch"}}}
		}, nil},
		{"no UID, and a claim that nothing holds", disabled, func(r *affinity.Run) {
			*r = affinity.Run{Name: "r", Workspaces: []affinity.Workspace{{Name: "cache", ClaimName: "c"}}}
		}, nil},
		{"no UID, and a claim that is held", perWorkspace, func(r *affinity.Run) {
			*r = affinity.Run{Name: "r", Workspaces: []affinity.Workspace{{Name: "cache", ClaimName: "c"}}}
		}, nil},
		{"no UID, and a claim to be made", disabled, func(r *affinity.Run) {
			*r = affinity.Run{Name: "r", Workspaces: []affinity.Workspace{{Name: "source", ClaimTemplate: template("")}}}
		}, []string{"uid: Required value: the claims are named after it"}},
		{"no UID, one run", perRun, func(r *affinity.Run) { *r = affinity.Run{Name: "r"} }, nil},
		{"no name, and nothing to make", affinity.Options{}, func(r *affinity.Run) { *r = affinity.Run{Workspaces: []affinity.Workspace{{Name: "scratch"}}} }, nil},
		{"no name, and a claim to be made", disabled, func(r *affinity.Run) { r.Name = "" }, []string{"name: Required value: objects created for the run refer to it"}},
		{"a name that is no label, and nothing labeled", disabled, func(r *affinity.Run) { r.Name = long }, nil},
		{"a name that is no label, and labeled claims", affinity.Options{Behavior: affinity.Disabled, LabelClaims: true}, func(r *affinity.Run) { r.Name = long }, []string{`name: Invalid value: "` + long + `": must be no more than 63 bytes`}},
		{"labels that nothing gets", disabled, func(r *affinity.Run) { r.Labels = map[string]string{"a": "-"} }, nil},
		{"resources of a placeholder that is not made", affinity.Options{Behavior: affinity.Disabled, Placeholder: affinity.Placeholder{Requests: list("cpu", "-1"), Limits: list("cpu", "-2")}}, func(*affinity.Run) {}, nil},
		{"no image, no claims", affinity.Options{}, func(r *affinity.Run) { *r = affinity.Run{Name: "r", UID: "u"} }, nil},
		{"requests of the placeholder", affinity.Options{Placeholder: affinity.Placeholder{Image: "nop", Requests: list("memory", "-1Gi", "cpu", "-1m", "a/b", "0")}}, func(*affinity.Run) {}, []string{
			`options.placeholder.requests[cpu]: Invalid value: "-1m": must be greater than or equal to 0`,
			`options.placeholder.requests[memory]: Invalid value: "-1Gi": must be greater than or equal to 0`,
		}},
		{"limits of the placeholder", affinity.Options{Placeholder: affinity.Placeholder{Image: "nop", Limits: list("memory", "-1Gi", "cpu", "40m")}}, func(*affinity.Run) {}, []string{
			`options.placeholder.limits[memory]: Invalid value: "-1Gi": must be greater than or equal to 0`,
		}},
		{"requests of the placeholder above its limits", affinity.Options{Placeholder: affinity.Placeholder{Image: "nop", Limits: list("cpu", "40m")}}, func(*affinity.Run) {}, []string{
			`options.placeholder.requests[cpu]: Invalid value: "50m": must be less than or equal to cpu limit of 40m`,
		}},
		{"no limits of the placeholder", affinity.Options{Placeholder: affinity.Placeholder{Image: "nop", Limits: corev1.ResourceList{}}}, func(*affinity.Run) {}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			run := buildRun()
			test.change(run)
			faults := affinity.Validate(run, test.opts)
			testkit.NoDiff(t, lines(faults), test.want)
			plan, err := affinity.PlanFor(run, test.opts)
			if (err == nil) != (test.want == nil) || (plan == nil) != (err != nil) {
				t.Errorf("PlanFor = %v, %v", plan, err)
			}
			if err != nil && err.Error() != faults.ToAggregate().Error() {
				t.Errorf("PlanFor says %v", err)
			}
		})
	}
}

// collide returns a run with two workspaces whose hashes share the first 40 bits.
func collide(r *affinity.Run) {
	*r = affinity.Run{Name: "run", UID: "run", Workspaces: []affinity.Workspace{{Name: "ws-820771", ClaimTemplate: template("")}, {Name: "ws-1381271", ClaimTemplate: template("")}}}
}

func TestAllFailuresAtOnce(t *testing.T) {
	run := &affinity.Run{
		Workspaces: []affinity.Workspace{{Name: "a", ClaimName: "A"}, {Name: "a"}},
		Tasks:      []affinity.Task{{Name: "t", Workspaces: []string{"b"}, RunAfter: []string{"t"}}},
	}
	want := []string{
		"name: Required value: objects created for the run refer to it",
		`workspaces[0].claimName: Invalid value: "A": ` + subdomain,
		`workspaces[1].name: Duplicate value: "a"`,
		`tasks[0].runAfter: Invalid value: "t -> t": the tasks run after each other`,
		`tasks[0].workspaces[0]: Not found: "b"`,
		"options.placeholder.image: Required value",
	}
	testkit.NoDiff(t, lines(affinity.Validate(run, affinity.Options{})), want)
}
