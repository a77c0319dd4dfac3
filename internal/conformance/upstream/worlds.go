package main

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

const (
	componentHelpers = "k8s.io/component-helpers"
	apiserver        = "k8s.io/apiserver"
	kubernetes       = "k8s.io/kubernetes"
	kubectl          = "k8s.io/kubectl"
	cgroups          = "github.com/opencontainers/cgroups"
)

// releases are those of Kubernetes that can be tested, with the file of the module that has the versions.
var releases = map[string]string{"1.36": "kubernetes-1.36.mod", "1.37": "go.mod", "1.38": "kubernetes-1.38.mod"}

// kubernetesWorld is Kubernetes in the version of a module file. Functions whose parameters have changed in 1.37 have
// adapters in layers of their own.
func kubernetesWorld(release string) world {
	since := "later"
	if release == "1.36" {
		since = release
	}
	w := world{
		name: "kubernetes " + release, kubernetes: release, goMod: releases[release],
		layers:  []string{"component-helpers", "component-helpers-" + since, "kubernetes", "kubernetes-" + since},
		modules: []string{componentHelpers, apiserver, kubernetes, kubectl, cgroups},
		packages: []string{
			// Those that are adapted.
			componentHelpers + "/resource",
			kubernetes + "/pkg/apis/core/v1/helper/qos",
			kubernetes + "/pkg/kubelet/qos",
			kubernetes + "/pkg/kubelet/eviction",
			kubernetes + "/plugin/pkg/admission/limitranger",
			kubernetes + "/pkg/quota/v1/evaluator/core",
			apiserver + "/pkg/quota/v1",
			kubernetes + "/plugin/pkg/admission/resourcequota",
			apiserver + "/pkg/admission/plugin/resourcequota",
			kubernetes + "/pkg/controller/resourcequota",
			kubernetes + "/pkg/kubelet/cm",
			kubernetes + "/pkg/kubelet/allocation",
			kubernetes + "/pkg/kubelet/lifecycle",
			kubernetes + "/pkg/kubelet/preemption",
			kubernetes + "/pkg/kubelet/kuberuntime",
			kubernetes + "/pkg/apis/core/v1",
			kubernetes + "/pkg/apis/core/validation",
			kubernetes + "/pkg/api/v1/resource",
			kubernetes + "/pkg/scheduler/framework/plugins/defaultpreemption",
			kubernetes + "/pkg/scheduler/framework/preemption",
			cgroups,
			cgroups + "/systemd",
			// Those that call component-helpers.
			kubernetes + "/pkg/controller/podautoscaler",
			kubernetes + "/pkg/kubelet",
			kubernetes + "/pkg/kubelet/cm/cpumanager",
			kubernetes + "/pkg/kubelet/cm/devicemanager",
			kubernetes + "/pkg/kubelet/cm/memorymanager",
			kubernetes + "/pkg/kubelet/cm/topologymanager",
			kubernetes + "/pkg/kubelet/volumemanager/cache",
			kubernetes + "/pkg/scheduler/framework",
			kubernetes + "/pkg/scheduler/framework/plugins/dynamicresources",
			kubernetes + "/pkg/scheduler/framework/plugins/noderesources",
			kubernetes + "/pkg/scheduler/metrics/resources",
			kubernetes + "/pkg/volume/emptydir",
			kubernetes + "/plugin/pkg/admission/podresize",
			kubectl + "/pkg/describe",
		},
		benchmarked: []string{
			kubernetes + "/pkg/api/testing",
			kubernetes + "/pkg/scheduler/backend/cache",
			kubernetes + "/pkg/scheduler/framework/plugins/podtopologyspread",
			kubernetes + "/pkg/scheduler/framework/plugins/volumezone",
		},
	}
	if since == "later" { // pod-level defaults are set there
		w.packages = append(w.packages, kubernetes+"/pkg/api/pod", kubernetes+"/pkg/registry/core/pod")
	}
	return w
}

// componentHelpersAt is component-helpers in a version newer than in go.mod, with the corresponding
// types.
func componentHelpersAt(version string) world {
	w := world{
		name: "component-helpers " + version, kubernetes: minorOf(version), goMod: "componenthelpers/go.mod",
		layers:   []string{"component-helpers", "component-helpers-later"},
		modules:  []string{componentHelpers},
		packages: []string{componentHelpers + "/resource"},
	}
	for _, module := range []string{componentHelpers, "k8s.io/api", "k8s.io/apimachinery"} {
		w.upgrade = append(w.upgrade, module+"@"+version)
	}
	return w
}

// preReleases returns the versions of component-helpers before a release that are newer than the one
// of a go.mod, the newest first.
func preReleases(goMod string) ([]string, error) {
	out, err := exec.Command("go", "-C", goMod, "list", "-m", "-versions", "-f", "{{.Version}} {{join .Versions \" \"}}", componentHelpers).Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return nil, fmt.Errorf("%w\n%s", err, failed.Stderr)
	}
	if err != nil {
		return nil, err
	}
	fields := strings.Fields(string(out))
	newer := newerPreReleases(fields[0], fields[1:])
	if len(newer) == 0 {
		return nil, fmt.Errorf("there is none newer than %s", fields[0])
	}
	return newer, nil
}

// newerPreReleases returns those of the versions, which are sorted, that have a suffix such as
// -alpha.0 and come after another, the last first.
func newerPreReleases(version string, versions []string) (newer []string) {
	i := slices.Index(versions, version)
	for _, v := range slices.Backward(versions[i+1:]) {
		if strings.Contains(v, "-") {
			newer = append(newer, v)
		}
	}
	return newer
}
