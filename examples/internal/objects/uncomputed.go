package objects

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Why an object of another kind matters, although nothing is computed from it.
const (
	Limits  = "it limits what others may use, which is not computed"
	HasPods = "it has pods, which are not computed"
)

// matters are kinds without pod templates, by API group.
var matters = map[string]map[string]string{
	"quota.openshift.io":     {"ClusterResourceQuota": Limits, "AppliedClusterResourceQuota": Limits},
	"capsule.clastix.io":     {"GlobalResourceQuota": Limits, "ResourcePool": Limits, "Tenant": Limits},
	"hnc.x-k8s.io":           {"HierarchicalResourceQuota": Limits},
	"scheduling.volcano.sh":  {"Queue": Limits},
	"scheduling.sigs.k8s.io": {"ElasticQuota": Limits},
	"kueue.x-k8s.io":         {"ClusterQueue": Limits, "LocalQueue": Limits, "Cohort": Limits, "Workload": Limits},
	"sparkoperator.k8s.io":   {"SparkApplication": HasPods, "ScheduledSparkApplication": HasPods},
	"argoproj.io":            {"Workflow": HasPods, "CronWorkflow": HasPods},
	"tekton.dev":             {"TaskRun": HasPods, "PipelineRun": HasPods},
	"kubevirt.io":            {"VirtualMachine": HasPods, "VirtualMachineInstance": HasPods},
}

// whyItMatters returns why an object of a kind that is not read matters, "" if it does not.
func (n names) whyItMatters(raw []byte) string {
	group, _, _ := strings.Cut(n.apiVersion, "/")
	var object struct{ Spec any }
	if why := matters[group][n.kind]; why != "" || !bytes.Contains(raw, []byte(`"containers"`)) {
		return why
	}
	if json.Unmarshal(raw, &object) == nil && hasTemplate(object.Spec) {
		return HasPods
	}
	return ""
}

// hasTemplate reports whether a value of JSON has the template of a pod: spec.template, spec.tasks[].template and so on.
func hasTemplate(value any) bool {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			if hasTemplate(item) {
				return true
			}
		}
	case map[string]any:
		template, _ := v["template"].(map[string]any)
		spec, _ := template["spec"].(map[string]any)
		if containers, _ := spec["containers"].([]any); len(containers) > 0 {
			return true
		}
		for _, field := range v {
			if hasTemplate(field) {
				return true
			}
		}
	}
	return false
}
