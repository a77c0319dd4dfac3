package main

import (
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/examples/controller/rbac"
)

// requests records what a client asks the API server for, such as "update
// capsule.clastix.io/resourcepools/status".
type requests struct {
	mu    sync.Mutex
	asked map[string]bool
	bad   map[string]bool // that were forbidden
}

// wrap is for rest.Config.Wrap.
func (r *requests) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		response, err := next.RoundTrip(request)
		if what := requested(request); what != "" {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.asked[what] = true
			if err == nil && response.StatusCode == http.StatusForbidden {
				r.bad[what] = true
			}
		}
		return response, err
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

// requested returns the verb, the group and the resource of a request, and "" for discovery.
func requested(request *http.Request) string {
	parts := strings.Split(strings.Trim(request.URL.Path, "/"), "/")
	group := ""
	switch {
	case len(parts) > 2 && parts[0] == "api":
		parts = parts[2:]
	case len(parts) > 3 && parts[0] == "apis":
		group, parts = parts[1], parts[3:]
	default:
		return ""
	}
	if parts[0] == "namespaces" && len(parts) > 2 {
		parts = parts[2:]
	}
	resource, named := parts[0], len(parts) > 1
	if len(parts) > 2 {
		resource += "/" + parts[2]
	}
	verb := map[string]string{http.MethodPost: "create", http.MethodPut: "update", http.MethodPatch: "patch", http.MethodDelete: "delete"}[request.Method]
	watch := request.URL.Query().Get("watch")
	switch {
	case request.Method != http.MethodGet:
	case named:
		verb = "get"
	case watch == "true" || watch == "1":
		verb = "watch"
	default:
		verb = "list"
	}
	return verb + " " + group + "/" + resource
}

// allowed returns what the rules of the manifests allow.
func allowed(t *testing.T) []string {
	t.Helper()
	var all []string
	for decoder := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(rbac.Manifests), 4096); ; {
		role := rbacv1.ClusterRole{} // A Role has the same rules.
		if err := decoder.Decode(&role); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		for _, rule := range role.Rules {
			for _, group := range rule.APIGroups {
				for _, resource := range rule.Resources {
					for _, verb := range rule.Verbs {
						all = append(all, verb+" "+group+"/"+resource)
					}
				}
			}
		}
	}
	slices.Sort(all)
	return all
}

// seldom is allowed but not requested in these tests: client-go patches an event that is repeated
// for the same version of an object. A patch that applies an object which is not there needs both permissions.
var seldom = []string{
	"patch events.k8s.io/events",
	"create admissionregistration.k8s.io/mutatingwebhookconfigurations", "create admissionregistration.k8s.io/validatingwebhookconfigurations",
}

// has reports whether something was asked for.
func (r *requests) has(what string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.asked[what]
}

// wantExactly checks that the roles allow exactly what was requested.
func (r *requests) wantExactly(t *testing.T) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, rule := range allowed(t) {
		if strings.ContainsAny(rule, "*") {
			t.Errorf("%s is not said exactly", rule)
		}
		if !r.asked[rule] && !slices.Contains(seldom, rule) {
			t.Errorf("%s is allowed, and never asked for", rule)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(r.asked)) {
		t.Log(what)
		if !slices.Contains(allowed(t), what) {
			t.Errorf("%s is asked for, and not allowed", what)
		}
	}
	if len(r.bad) > 0 {
		t.Errorf("forbidden: %v", slices.Sorted(maps.Keys(r.bad)))
	}
}

func TestRequested(t *testing.T) {
	for _, test := range []struct{ method, path, want string }{
		{"GET", "/api/v1/namespaces", "list /namespaces"},
		{"GET", "/api/v1/namespaces?watch=true", "watch /namespaces"},
		{"GET", "/api/v1/namespaces/a", "get /namespaces"},
		{"POST", "/api/v1/namespaces/a/resourcequotas", "create /resourcequotas"},
		{"PUT", "/apis/capsule.clastix.io/v1beta2/resourcepools/p/status", "update capsule.clastix.io/resourcepools/status"},
		{"DELETE", "/apis/capsule.clastix.io/v1beta2/namespaces/a/resourcepoolclaims/c", "delete capsule.clastix.io/resourcepoolclaims"},
		{"PATCH", "/apis/events.k8s.io/v1/namespaces/a/events/e", "patch events.k8s.io/events"},
		{"GET", "/apis/coordination.k8s.io/v1", ""},
		{"GET", "/api", ""},
	} {
		request, err := http.NewRequest(test.method, "https://localhost"+test.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := requested(request); got != test.want {
			t.Errorf("%s %s: %q, want %q", test.method, test.path, got, test.want)
		}
	}
}
