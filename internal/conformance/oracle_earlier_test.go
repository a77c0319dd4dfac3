//go:build !kubernetes138

package conformance

import (
	resourcev1 "k8s.io/api/resource/v1"
	fwk "k8s.io/kube-scheduler/framework"
)

func (m *deviceManager) ListWithDeviceTaintRules() ([]*resourcev1.ResourceSlice, error) {
	return nil, nil
}

func (p *preemptors) NominatedPodsForNode(name string) []fwk.PodInfo { return p.nominated[name] }
