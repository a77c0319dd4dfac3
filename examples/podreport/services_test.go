package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

func TestServiceIsTyped(t *testing.T) {
	service := strings.Replace(serviceWith("{ports: [{port: 80}]}"), "name: web", "generateName: web-", 1)
	got := reportWith(t, 2, join(quotaWith("q", "{services: 1}", "{services: 1}"), service)).Services
	fits := int64(0)
	message := "exceeded quota: q, requested: services=1, used: services=1, limited: services=1"
	reason := exceeded("service web-...", "services", message)
	want := []report.Object{{
		Source: at(2), Kind: "Service", Namespace: "shop", Name: "web-...", Scale: "ClusterIP, 1 port",
		Verdict: report.Verdict{
			Rejection: &report.Rejection{Reasons: []report.Reason{reason}},
			Quotas: []report.QuotaUse{{
				Name: "q", Used: amounts(texts{"services": "1"}), Asked: amounts(texts{"services": "1"}),
				Hard: amounts(texts{"services": "1"}), Left: amounts(texts{"services": "-1"}),
			}},
			Fit: &report.Fit{Unit: "service", Replicas: &fits, Wanted: 1, Stops: []report.Reason{reason}},
		},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
