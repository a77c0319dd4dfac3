//go:build !kubernetes138

package main

import fwk "k8s.io/kube-scheduler/framework"

func (nobody) NominatedPodsForNode(string) []fwk.PodInfo { return nil }
