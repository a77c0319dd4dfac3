package main

const (
	componentHelpers = "k8s.io/component-helpers"
	apiserver        = "k8s.io/apiserver"
	kubernetes       = "k8s.io/kubernetes"
	kubectl          = "k8s.io/kubectl"
	cgroups          = "github.com/opencontainers/cgroups"
)

// worlds are what is tested, the quickest first.
func worlds() []world {
	return []world{
		{
			name: "component-helpers 0.37", goMod: "componenthelpers",
			layers:   []string{"component-helpers", "component-helpers-0.37"},
			modules:  []string{componentHelpers},
			packages: []string{componentHelpers + "/resource"},
		},
		{
			name: "kubernetes 1.36", goMod: ".",
			layers:  []string{"component-helpers", "component-helpers-0.36", "kubernetes"},
			modules: []string{componentHelpers, apiserver, kubernetes, kubectl, cgroups},
			packages: []string{
				// Those that are adapted.
				componentHelpers + "/resource",
				kubernetes + "/pkg/apis/core/v1/helper/qos",
				kubernetes + "/pkg/kubelet/qos",
				kubernetes + "/plugin/pkg/admission/limitranger",
				kubernetes + "/pkg/quota/v1/evaluator/core",
				apiserver + "/pkg/quota/v1",
				kubernetes + "/plugin/pkg/admission/resourcequota",
				apiserver + "/pkg/admission/plugin/resourcequota",
				kubernetes + "/pkg/controller/resourcequota",
				kubernetes + "/pkg/kubelet/cm",
				kubernetes + "/pkg/kubelet/kuberuntime",
				kubernetes + "/pkg/apis/core/v1",
				kubernetes + "/pkg/apis/core/validation",
				kubernetes + "/pkg/api/v1/resource",
				cgroups,
				cgroups + "/systemd",
				// Those that call component-helpers.
				kubernetes + "/pkg/controller/podautoscaler",
				kubernetes + "/pkg/kubelet",
				kubernetes + "/pkg/kubelet/allocation",
				kubernetes + "/pkg/kubelet/cm/cpumanager",
				kubernetes + "/pkg/kubelet/cm/devicemanager",
				kubernetes + "/pkg/kubelet/cm/memorymanager",
				kubernetes + "/pkg/kubelet/cm/topologymanager",
				kubernetes + "/pkg/kubelet/eviction",
				kubernetes + "/pkg/kubelet/lifecycle",
				kubernetes + "/pkg/kubelet/volumemanager/cache",
				kubernetes + "/pkg/scheduler/framework",
				kubernetes + "/pkg/scheduler/framework/plugins/dynamicresources",
				kubernetes + "/pkg/scheduler/framework/plugins/noderesources",
				kubernetes + "/pkg/scheduler/metrics/resources",
				kubernetes + "/pkg/volume/emptydir",
				kubernetes + "/plugin/pkg/admission/podresize",
				kubectl + "/pkg/describe",
			},
		},
	}
}
