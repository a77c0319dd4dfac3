package quotause

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

// aQuota returns a ResourceQuota with limits, and the status that is given, if any.
func aQuota(namespace, name, hard, used string) string {
	text := "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {namespace: " + namespace + ", name: " + name + ", labels: {of: " + name + "}}\nspec: {hard: {" + hard + "}}\n"
	if used != "" {
		text += "status: {hard: {" + hard + "}, used: {" + used + "}}\n"
	}
	return text
}

func aNamespace(name, team string) string {
	return "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: " + name + ", labels: {team: " + team + "}}\n"
}

// shared returns a quota that the namespaces of a team share.
func shared(team string) string {
	return "---\napiVersion: quota.openshift.io/v1\nkind: ClusterResourceQuota\nmetadata: {name: " + team + "}\nspec: {selector: {labels: {matchLabels: {team: " + team + "}}}, quota: {hard: {pods: 4}}}\n"
}

// stored returns an object as a cluster has it.
func stored(object string) string {
	return strings.Replace(object, "metadata: {", "metadata: {uid: u, ", 1)
}

const aPod = "---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: shop, name: web}\nspec: {containers: [{name: app, resources: {requests: {cpu: 300m}}}]}\nstatus: {phase: Running}\n"

const aLimitRange = "---\napiVersion: v1\nkind: LimitRange\nmetadata: {namespace: shop, name: a}\nspec: {limits: [{type: Container, max: {cpu: 500m}}]}\n"

// rows returns those of -o csv, without the headings.
func rows(t *testing.T, input string, args ...string) (lines []string, code int) {
	t.Helper()
	got := golden.Run(Run, input, append([]string{"-f", "-", "-o", "csv", "--no-headers"}, args...)...)
	return strings.Split(strings.TrimSpace(got.Stdout), "\n"), got.Code
}

func TestLimits(t *testing.T) {
	for _, test := range []struct {
		name, input string
		args        []string
		want        []string
		code        int
	}{
		{"the fullest first", aQuota("shop", "a", "pods: 10, requests.cpu: 2", "pods: 5, requests.cpu: 1500m"), nil,
			[]string{"shop,a,requests.cpu,1500m,2,500m,75,", "shop,a,pods,5,10,5,50,"}, 0},
		{"exceeded before used up, and that before any percentage", aQuota("shop", "a", "pods: 10, services: 1, secrets: 0", "pods: 10, services: 2, secrets: 0"), nil,
			[]string{"shop,a,services,2,1,-1,200,", "shop,a,pods,10,10,0,100,", "shop,a,secrets,0,0,0,,"}, 2},
		{"used up is no error", aQuota("shop", "a", "pods: 1", "pods: 1"), nil, []string{"shop,a,pods,1,1,0,100,"}, 0},
		{"several namespaces, by name", aQuota("z", "a", "pods: 2", "pods: 1") + aQuota("b", "a", "pods: 2", "pods: 1"), nil,
			[]string{"b,a,pods,1,2,1,50,", "z,a,pods,1,2,1,50,"}, 0},
		{"without a status, the pods of the input count", aQuota("shop", "a", "requests.cpu: 1", "") + aPod, nil, []string{"shop,a,requests.cpu,300m,1,700m,30,"}, 0},
		{"a limit of a manifest is its request as well", aQuota("shop", "a", "requests.cpu: 1", "") + strings.Replace(aPod, "requests:", "limits:", 1), nil, []string{"shop,a,requests.cpu,300m,1,700m,30,"}, 0},
		{"a pod of a manifest has the defaults of LimitRanges", aQuota("shop", "a", "limits.cpu: 2", "") + aPod + aLimitRange, nil, []string{"shop,a,limits.cpu,500m,2,1500m,25,"}, 0},
		{"one that is stored has them, or has none", aQuota("shop", "a", "limits.cpu: 2", "") + stored(aPod) + aLimitRange, nil, []string{"shop,a,limits.cpu,0,2,2,0,"}, 0},
		{"without a status and pods, it is new", aQuota("shop", "a", "requests.cpu: 1", ""), nil, []string{"shop,a,requests.cpu,0,1,1,0,"}, 0},
		{"of a cluster without a status and pods, it is not known", stored(aQuota("shop", "a", "requests.cpu: 1", "")), nil, []string{"shop,a,requests.cpu,,1,,,"}, 0},
		{"what is not known is last", stored(aQuota("a", "a", "pods: 1", "")) + aQuota("b", "a", "pods: 9", "pods: 0"), nil, []string{"b,a,pods,0,9,9,0,", "a,a,pods,,1,,,"}, 0},
		{"the limits of the status are enforced", strings.Replace(aQuota("shop", "a", "pods: 4", "pods: 4"), "spec: {hard: {pods: 4}}", "spec: {hard: {pods: 9}}", 1), nil, []string{"shop,a,pods,4,4,0,100,"}, 0},
		{"by label", aQuota("shop", "a", "pods: 4", "pods: 1") + aQuota("shop", "b", "pods: 4", "pods: 1"), []string{"-l", "of=b"}, []string{"shop,b,pods,1,4,3,25,"}, 0},
		{"of one namespace", aQuota("shop", "a", "pods: 4", "pods: 1") + aQuota("blog", "a", "pods: 4", "pods: 1"), []string{"-n", "blog"}, []string{"blog,a,pods,1,4,3,25,"}, 0},
		{"by resource, of which a part is enough", aQuota("shop", "a", "requests.cpu: 4, limits.cpu: 4, pods: 4", "requests.cpu: 1, limits.cpu: 1, pods: 1"), []string{"-resources", "cpu,nvidia.com/gpu"},
			[]string{"shop,a,limits.cpu,1,4,3,25,", "shop,a,requests.cpu,1,4,3,25,"}, 0},
		{"of namespaces with a label", aNamespace("shop", "api") + aNamespace("blog", "web") + aQuota("shop", "a", "pods: 4", "pods: 1") + aQuota("blog", "a", "pods: 4", "pods: 1") + shared("api") + shared("web"),
			[]string{"-namespace-labels", "team in (api)"}, []string{"shop,a,pods,1,4,3,25,", ",api,pods,0,4,4,0,"}, 0},
		{"of a release without a pod level", aQuota("shop", "a", "requests.cpu: 1", "") + strings.Replace(aPod, "spec: {", "spec: {resources: {requests: {cpu: 500m}}, ", 1), []string{"-kubernetes", "1.33"}, []string{"shop,a,requests.cpu,300m,1,700m,30,"}, 0},
		{"of a release with a pod level", aQuota("shop", "a", "requests.cpu: 1", "") + strings.Replace(aPod, "spec: {", "spec: {resources: {requests: {cpu: 500m}}, ", 1), []string{"-kubernetes", "1.37"}, []string{"shop,a,requests.cpu,500m,1,500m,50,"}, 0},
		{"shared by others than the namespace", aNamespace("shop", "api") + aNamespace("blog", "web") + aQuota("shop", "a", "pods: 4", "pods: 1") + shared("api") + shared("web"), []string{"-n", "shop"},
			[]string{"shop,a,pods,1,4,3,25,", ",api,pods,0,4,4,0,"}, 0},
		{"a request of a claim without a count is for one device", aQuota("shop", "a", "gpu.deviceclass.resource.k8s.io/devices: 4", "") +
			"---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {namespace: shop, name: c}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n", nil,
			[]string{"shop,a,gpu.deviceclass.resource.k8s.io/devices,1,4,3,25,"}, 0},
		{"objects of kinds that are not known", aQuota("shop", "a", "count/widgets.example.com: 4", "") + "---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {namespace: shop, name: w}\n" +
			"---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {namespace: blog, name: w}\n", nil, []string{"shop,a,count/widgets.example.com,1,4,3,25,"}, 0},
		{"objects of one kind and name in two API groups", aQuota("shop", "a", "count/widgets.a.example.com: 4, count/widgets.b.example.com: 5", "") + "---\napiVersion: a.example.com/v1\nkind: Widget\nmetadata: {namespace: shop, name: w}\n" +
			"---\napiVersion: b.example.com/v1\nkind: Widget\nmetadata: {namespace: shop, name: w}\n", nil, []string{"shop,a,count/widgets.a.example.com,1,4,3,25,", "shop,a,count/widgets.b.example.com,1,5,4,20,"}, 0},
		{"objects whose names are yet to be generated, and one that has none", aQuota("shop", "a", "count/widgets.example.com: 4", "") + strings.Repeat("---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {namespace: shop, generateName: w-}\n", 2) +
			"---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {namespace: shop}\n", nil, []string{"shop,a,count/widgets.example.com,2,4,2,50,"}, 0},
		{"objects of kinds that have pods and are not read", aQuota("shop", "a", "count/taskruns.tekton.dev: 4", "") + "---\napiVersion: tekton.dev/v1\nkind: TaskRun\nmetadata: {namespace: shop, name: t}\n", nil, []string{"shop,a,count/taskruns.tekton.dev,1,4,3,25,"}, 0},
		{"shared by no namespace", shared("api"), nil, []string{",api,pods,,4,,,"}, 0},
		{"scopes", strings.Replace(aQuota("shop", "a", "pods: 4", "pods: 1"), "spec: {", "spec: {scopes: [NotTerminating], scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [low, high]}]}, ", 1), nil,
			[]string{`shop,a,pods,1,4,3,25,"NotTerminating, PriorityClass In low,high"`}, 0},
	} {
		got, code := rows(t, test.input, test.args...)
		if diff := cmp.Diff(test.want, got); diff != "" || code != test.code {
			t.Errorf("%s: exit code %d (-want +got):\n%s", test.name, code, diff)
		}
	}
	for _, input := range []string{aPod, "# nothing\n"} {
		if got := golden.Run(Run, input, "-f", "-"); got.Code != 1 || got.Stderr != "kubemath: the input has no quota\n" {
			t.Errorf("%+v", got)
		}
	}
}

// A limit that is used up is red, as one that is exceeded.
func TestColour(t *testing.T) {
	for left, red := range map[string]bool{"-1": true, "0": true, "1": false} {
		amounts := report.Amounts{"pods": resource.MustParse(left)}
		s, out := &command.Session{Text: &terminal.Text{Columns: 80, Coloured: true}}, &strings.Builder{}
		(&Report{Limits: []Limit{{Name: "a", Resource: "pods", left: amounts}}}).write(s, false)
		s.Pass(out, out)
		testkit.Equal(t, strings.Contains(out.String(), "\x1b["), red, left)
	}
}

// The summary is the verdict.
func TestSummary(t *testing.T) {
	for input, want := range map[string]string{
		aQuota("a", "a", "pods: 5", "pods: 1"):                                                   "1 limit: something is left of each",
		aQuota("a", "a", "pods: 5, services: 5", "pods: 4, services: 3"):                         "2 limits: 1 used by 80% or more",
		aQuota("a", "a", "pods: 100, services: 100", "pods: 79, services: 100"):                  "2 limits: 1 used up",
		aQuota("a", "a", "pods: 1, services: 1", "pods: 2, services: 3"):                         "2 limits: 2 exceeded",
		stored(aQuota("a", "a", "pods: 5", "")) + aQuota("b", "a", "pods: 5", "pods: 5"):         "2 limits: 1 used up, 1 not known",
		aQuota("a", "a", "pods: 5, services: 0, secrets: 1", "pods: 9, services: 0, secrets: 1"): "3 limits: 1 exceeded, 2 used up",
	} {
		if got, _, _ := strings.Cut(golden.Run(Run, input, "-f", "-").Stdout, "\n"); got != want {
			t.Errorf("%s: %q, want %q", input, got, want)
		}
	}
}

func TestText(t *testing.T) {
	input := ""
	for i := range 22 {
		input += aQuota("shop", fmt.Sprintf("q%02d", i), "requests.memory: 1Gi", fmt.Sprintf("requests.memory: %dMi", 10*i))
	}
	got := golden.Run(Run, input, "-f", "-").Stdout
	for _, want := range []string{"22 limits: something is left of each\n\n  quota ", "\n  shop/q21 requests.memory  210Mi   1Gi   814Mi   20%\n", "\n  shop/q02 requests.memory   20Mi   1Gi  1004Mi    1%\n",
		"\n  and 2 less full ones: -all shows all\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if all := golden.Run(Run, input, "-f", "-", "-all").Stdout; strings.Contains(all, "less full") || !strings.Contains(all, "q00") {
		t.Errorf("not all:\n%s", all)
	}
	samples := golden.Run(Run, "").Stdout
	for _, want := range []string{"6 limits: 1 exceeded, 1 used up, 2 used by 80% or more\n", "  shop/best-effort pods                  3     2     -1  150%  of BestEffort\n",
		"  ClusterResourceQuota web services      9    10      1   90%\n    of blog                              2\n    of shop                              7\n", "  blog/new requests.memory           256Mi   1Gi  768Mi   25%\n"} {
		if !strings.Contains(samples, want) {
			t.Errorf("no %q in\n%s", want, samples)
		}
	}
}

// What is not known is not zero, and of quotas that namespaces share, only those that are selected are shown.
func TestUnknownAndSelected(t *testing.T) {
	got := golden.Run(Run, stored(aQuota("shop", "a", "requests.cpu: 1", "")), "-f", "-", "-o", "json").Stdout
	var r Report
	if err := json.Unmarshal([]byte(got), &r); err != nil || len(r.Limits) != 1 {
		t.Fatal(err, got)
	}
	if l := r.Limits[0]; l.Used != "" || l.Percent != nil || l.Hard != "1" || l.Left != "" {
		t.Errorf("%s", got)
	}
	for name, want := range map[string]string{"web": "clusterresourcequota/web\n", "new": "resourcequota/new\n"} {
		if got := golden.Run(Run, "", "-field-selector", "metadata.name="+name, "-o", "name").Stdout; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestFormats(t *testing.T) {
	input := aQuota("shop", "a", "requests.memory: 512m", "requests.memory: 0")
	testkit.Equal(t, golden.Run(Run, input, "-f", "-", "-o", "name").Stdout, "resourcequota/a\n")
	if got := golden.Run(Run, "", "-o", "name").Stdout; !strings.Contains(got, "clusterresourcequota/web\n") {
		t.Errorf("%q", got)
	}
	if got := golden.Run(Run, input, "-f", "-", "-o", "csv").Stdout; !strings.HasPrefix(got, "NAMESPACE,QUOTA,RESOURCE,USED,HARD,LEFT,USED%,SCOPES\nshop,a,requests.memory,0,") {
		t.Errorf("%q", got)
	}
	if got := golden.Run(Run, input, "-f", "-", "-o", "json").Stdout; !strings.Contains(got, `"problems": [`) || !strings.Contains(got, "512m") {
		t.Error(got)
	}
	golden.Refuses(t, Run, 1, `invalid value "xml" for flag -o: none of text, wide, json, yaml, csv, name`, "-o", "xml")
}
