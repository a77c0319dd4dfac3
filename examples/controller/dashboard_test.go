package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/examples/internal/poolmetrics"
	"github.com/kubemath/kubemath/pool"
)

// dashboard is the part of a Grafana dashboard that has queries.
type dashboard struct {
	Title      string `json:"title"`
	UID        string `json:"uid"`
	Templating struct {
		List []struct {
			Name, Type, Query string
		} `json:"list"`
	} `json:"templating"`
	Panels []struct {
		ID      int
		Title   string
		Type    string
		GridPos struct{ X, Y, W, H int }
		Targets []struct {
			Expr, LegendFormat, RefID string
		}
	} `json:"panels"`
}

// exported returns the labels of each metric of a pool with a holding and a waiting claim.
func exported() map[string][]string {
	p := &pool.ResourcePool{}
	p.Name = "sampler"
	p.Spec.Quota.Hard = corev1.ResourceList{"pods": resource.MustParse("3")}
	var claims []*pool.ResourcePoolClaim
	for _, name := range []string{"holding", "waiting"} {
		c := &pool.ResourcePoolClaim{}
		c.Namespace, c.Name = "solar", name
		c.Spec = pool.ResourcePoolClaimSpec{Pool: p.Name, Claim: corev1.ResourceList{"pods": resource.MustParse("2")}}
		claims = append(claims, c)
	}
	pool.Allocate(p, claims, pool.Options{}).Apply(p, claims, []string{"solar"}, time.Time{}, pool.Options{})
	labels := map[string][]string{}
	for _, m := range poolmetrics.Collect([]*pool.ResourcePool{p}, claims, pool.Options{}) {
		for _, l := range m.Samples[0].Labels {
			labels[m.Name] = append(labels[m.Name], l.Name)
		}
	}
	return labels
}

var (
	metric    = regexp.MustCompile(`\bcapsule_\w+(\{[^}]*\})?`)
	matcher   = regexp.MustCompile(`(\w+)\s*(?:=~|!~|!=|=)\s*"`)
	grouping  = regexp.MustCompile(`\b(?:by|on|without|ignoring|group_left|group_right)\s*\(([^)]*)\)`)
	legend    = regexp.MustCompile(`\{\{\s*(\w+)\s*\}\}`)
	variable  = regexp.MustCompile(`\$(\w+)`)
	labelsOf  = regexp.MustCompile(`^label_values\((.+),\s*(\w+)\)$`)
	nameParts = regexp.MustCompile(`\w+`)
)

// problems returns the metrics, labels and variables that a query or its legend names but that are
// not exported.
func problems(query, legendFormat string, metrics map[string][]string, variables []string) (problems []string) {
	var labels []string // that any of the metrics has
	named := metric.FindAllString(query, -1)
	if len(named) == 0 {
		problems = append(problems, "no metric")
	}
	for _, m := range named {
		name, matchers, _ := strings.Cut(m, "{")
		has, known := metrics[name]
		if !known {
			problems = append(problems, "no metric "+name)
		}
		for _, match := range matcher.FindAllStringSubmatch(matchers, -1) {
			if known && !slices.Contains(has, match[1]) {
				problems = append(problems, fmt.Sprintf("no label %s of %s", match[1], name))
			}
		}
		labels = append(labels, has...)
	}
	for _, group := range grouping.FindAllStringSubmatch(query, -1) {
		for _, label := range nameParts.FindAllString(group[1], -1) {
			if !slices.Contains(labels, label) {
				problems = append(problems, "no label "+label)
			}
		}
	}
	for _, shown := range legend.FindAllStringSubmatch(legendFormat, -1) {
		kept := labels
		if group := grouping.FindStringSubmatch(query); group != nil {
			kept = nameParts.FindAllString(group[1], -1)
		}
		if !slices.Contains(kept, shown[1]) {
			problems = append(problems, "no label "+shown[1]+" in the legend")
		}
	}
	for _, v := range variable.FindAllStringSubmatch(query, -1) {
		if !slices.Contains(variables, v[1]) {
			problems = append(problems, "no variable "+v[1])
		}
	}
	return problems
}

// Every query of the dashboard names metrics that are exported, with labels that they have, and
// every exported metric is in one.
func TestDashboard(t *testing.T) {
	file, err := os.ReadFile(filepath.Join("dashboards", "resourcepools.json"))
	if err != nil {
		t.Fatal(err)
	}
	var d dashboard
	if err := json.Unmarshal(file, &d); err != nil {
		t.Fatal(err)
	}
	metrics, shown := exported(), map[string]bool{}
	variables := []string{"datasource"}
	for _, v := range d.Templating.List {
		if v.Type != "query" {
			continue
		}
		parts := labelsOf.FindStringSubmatch(v.Query)
		if parts == nil {
			t.Fatalf("variable %s: query %q", v.Name, v.Query)
		}
		for _, problem := range problems(parts[1], "{{"+parts[2]+"}}", metrics, variables) {
			t.Errorf("variable %s: %s", v.Name, problem)
		}
		variables = append(variables, v.Name)
	}
	ids := map[int]bool{}
	for _, p := range d.Panels {
		if ids[p.ID] || p.Title == "" || p.GridPos.W == 0 || p.GridPos.X+p.GridPos.W > 24 || len(p.Targets) == 0 {
			t.Errorf("panel %d %q at %+v with %d queries", p.ID, p.Title, p.GridPos, len(p.Targets))
		}
		ids[p.ID] = true
		for _, q := range p.Targets {
			for _, problem := range problems(q.Expr, q.LegendFormat, metrics, variables) {
				t.Errorf("panel %q: %s: %s", p.Title, q.Expr, problem)
			}
			for _, m := range metric.FindAllString(q.Expr, -1) {
				name, _, _ := strings.Cut(m, "{")
				shown[name] = true
			}
		}
	}
	for name := range metrics {
		if !shown[name] {
			t.Errorf("no panel shows %s", name)
		}
	}
}

// alertRules is the part of a file of Prometheus rules that the test reads.
type alertRules struct {
	Groups []struct {
		Name  string `json:"name"`
		Rules []struct {
			Alert       string            `json:"alert"`
			Expr        string            `json:"expr"`
			For         metav1.Duration   `json:"for"`
			Labels      map[string]string `json:"labels"`
			Annotations map[string]string `json:"annotations"`
		} `json:"rules"`
	} `json:"groups"`
}

var (
	alertMetric = regexp.MustCompile(`\b(?:capsule|kubemath|leader)_\w+(\{[^}]*\})?`)
	alertLabel  = regexp.MustCompile(`\$labels\.(\w+)`)
)

// Every alert names metrics that are exported, with labels that they have, and says what to do.
func TestAlerts(t *testing.T) {
	metrics := exported()
	metrics["kubemath_pool_pending_claims"] = nil
	metrics["leader_election_master_status"] = []string{"name"}
	alerts := map[string]bool{}
	for _, group := range decodeFile[alertRules](t, "dashboards/alerts.yaml").Groups {
		for _, rule := range group.Rules {
			if rule.Alert == "" || alerts[rule.Alert] || rule.For.Duration < time.Minute || rule.Labels["severity"] == "" || rule.Annotations["summary"] == "" {
				t.Errorf("%+v", rule)
			}
			alerts[rule.Alert] = true
			named := alertMetric.FindAllString(rule.Expr, -1)
			if len(named) != 1 {
				t.Fatalf("%s: metrics %q", rule.Alert, named)
			}
			name, matchers, _ := strings.Cut(named[0], "{")
			labels, known := metrics[name]
			if !known {
				t.Errorf("%s: no metric %s", rule.Alert, name)
			}
			for _, match := range append(matcher.FindAllStringSubmatch(matchers, -1), alertLabel.FindAllStringSubmatch(rule.Annotations["summary"], -1)...) {
				if !slices.Contains(labels, match[1]) {
					t.Errorf("%s: no label %s of %s", rule.Alert, match[1], name)
				}
			}
		}
	}
	if len(alerts) < 4 {
		t.Errorf("%d alerts", len(alerts))
	}
	source, err := os.ReadFile(filepath.Join("controllers", "metrics.go"))
	if err != nil || !strings.Contains(string(source), `"kubemath_pool_pending_claims"`) {
		t.Errorf("the controller has no metric kubemath_pool_pending_claims: %v", err)
	}
}

func TestProblemsOfQueries(t *testing.T) {
	metrics := map[string][]string{"capsule_pool_limit": {"pool", "resource"}, "capsule_claim_condition": {"condition", "name"}}
	for _, test := range []struct {
		query, legend string
		want          []string
	}{
		{`sum by (pool) (capsule_pool_limit{pool=~"$pool"})`, "{{pool}}", nil},
		{`capsule_pool_limits`, "", []string{"no metric capsule_pool_limits"}},
		{`up`, "", []string{"no metric"}},
		{`capsule_pool_limit{namespace="a", resource!="b"}`, "", []string{"no label namespace of capsule_pool_limit"}},
		{`sum by (name) (capsule_pool_limit)`, "", []string{"no label name"}},
		{`count by (name) (capsule_claim_condition{condition="Bound"} == 1)`, "{{condition}}", []string{"no label condition in the legend"}},
		{`capsule_pool_limit{pool="$tenant"}`, "{{ resource }}", []string{"no variable tenant"}},
	} {
		if got := problems(test.query, test.legend, metrics, []string{"pool"}); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.query, got, test.want)
		}
	}
}
