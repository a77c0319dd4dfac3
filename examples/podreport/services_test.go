package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/podreport/internal/report"
)

func TestServiceIsTyped(t *testing.T) {
	service := strings.Replace(serviceWith("{ports: [{port: 80}]}"), "name: web", "generateName: web-", 1)
	got := reportWith(t, 2, join(quotaWith("q", "{services: 1}", "{services: 1}"), service)).Services
	fits := int64(0)
	message := "exceeded quota: q, requested: services=1, used: services=1, limited: services=1"
	reason := report.Reason{
		Kind: "service", Name: "web-...", Resource: "services", Path: "spec", Server: message,
		What:   "service web-...: ResourceQuota shop/q has too little left: it lacks services=1",
		Remedy: "ask for less, remove other objects, or raise the quota",
		Quota: &report.BrokenQuota{
			Name: "q", Cause: "exceeded quota", Resources: []corev1.ResourceName{"services"},
			Requested: one("services"), Used: one("services"), Limited: one("services"), Missing: one("services"),
		},
	}
	want := []report.Service{{
		Source: at(2), Namespace: "shop", Name: "web-...", Type: "ClusterIP", Ports: 1,
		QuotaReport: report.QuotaReport{
			Quotas: []report.QuotaUse{{Name: "q", Resources: []report.ResourceUse{{Resource: "services", Used: "1", Asked: "1", Hard: "1", Left: "-1"}}}},
			Fit:    &report.Fit{Unit: "service", Replicas: &fits, Wanted: 1, Stops: []report.Reason{reason}},
		},
		Rejection: &report.Rejection{Reasons: []report.Reason{reason}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
