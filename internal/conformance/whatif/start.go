package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/conformance/controlplane"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// kubernetes is the release of the control plane, and options ask for it.
var (
	kubernetes = computeresources.Kubernetes{Release: oracle.Release}
	options    = whatif.Options{Admission: admit.Options{Kubernetes: kubernetes}}
)

// controllers are those that package whatif computes, and those that delete what has no owner any more.
const controllers = "deployment-controller,replicaset-controller,replicationcontroller-controller,statefulset-controller,daemonset-controller," +
	"job-controller,taint-eviction-controller,resourcequota-controller,garbage-collector-controller,namespace-controller,persistentvolume-binder-controller,persistentvolume-protection-controller,persistentvolumeclaim-protection-controller"

// start starts a control plane, whose components are built before, if they are not there.
func start(ctx context.Context, byResources bool) (server *controlplane.Server, err error) {
	if _, err := controlplane.FindEtcd(); err != nil {
		return nil, err
	}
	paths := map[string]string{}
	for _, component := range []string{controlplane.APIServer, controlplane.ControllerManager, controlplane.Scheduler} {
		paths[component], err = controlplane.Build(ctx, component, os.Stderr)
		if err != nil {
			return nil, err
		}
	}
	server, err = controlplane.Start(ctx, controlplane.Options{APIServer: paths[controlplane.APIServer], Arguments: []string{
		"--disable-admission-plugins=ServiceAccount,TaintNodesByCondition", // no kubelet reports conditions
		"--min-request-timeout=36000",                                      // what happens is watched
	}})
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, server.Stop())
		}
	}()
	err = server.Run(controlplane.ControllerManager, paths[controlplane.ControllerManager], "--controllers="+controllers, "--leader-elect=false",
		"--kube-api-qps=2000", "--kube-api-burst=4000", "--secure-port=0", "--pvclaimbinder-sync-period=2s")
	if err != nil {
		return nil, err
	}
	config := filepath.Join(filepath.Dir(server.Kubeconfig), "scheduler.yaml")
	err = os.WriteFile(config, []byte(schedulerConfiguration(server.Kubeconfig, byResources)), 0o600)
	if err != nil {
		return nil, err
	}
	return server, server.Run(controlplane.Scheduler, paths[controlplane.Scheduler], "--config="+config, "--secure-port=0", "-v=3")
}

// schedulerConfiguration returns the configuration of the scheduler: its default profile, or nodes are scored by resources only.
func schedulerConfiguration(kubeconfig string, byResources bool) string {
	text := `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {kubeconfig: KUBECONFIG, qps: 2000, burst: 4000}
leaderElection: {leaderElect: false}
podInitialBackoffSeconds: 1
podMaxBackoffSeconds: 1
percentageOfNodesToScore: 100
`
	if byResources {
		text += `profiles:
- schedulerName: default-scheduler
  plugins:
    score:
      disabled: [{name: "*"}]
      enabled: [{name: NodeResourcesFit, weight: 1}, {name: NodeResourcesBalancedAllocation, weight: 1}]
`
	}
	return strings.ReplaceAll(text, "KUBECONFIG", kubeconfig)
}
