package main

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	resourcequotaconfig "k8s.io/apiserver/pkg/admission/plugin/resourcequota/apis/resourcequota/v1"
	apiserver "k8s.io/apiserver/pkg/apis/apiserver/v1"
	"sigs.k8s.io/yaml"

	"github.com/kubemath/kubemath/quota"
)

// limited lists the resources that may only be used in a namespace if a quota allows them: by name,
// and by scope.
var limited = []quota.LimitedResource{
	{Resource: "pods", MatchContains: []string{string(fpga)}, MatchScopes: []corev1.ScopedResourceSelectorRequirement{
		{ScopeName: corev1.ResourceQuotaScopePriorityClass, Operator: corev1.ScopeSelectorOpIn, Values: []string{platinum}},
	}},
	{Resource: "pods", MatchScopes: []corev1.ScopedResourceSelectorRequirement{
		{ScopeName: corev1.ResourceQuotaScopeCrossNamespacePodAffinity, Operator: corev1.ScopeSelectorOpExists},
	}},
	{Resource: "persistentvolumeclaims", MatchContains: []string{platinum + ".storageclass.storage.k8s.io"}},
	{Resource: "services", MatchContains: []string{"loadbalancers"}},
	{APIGroup: "batch", Resource: "cronjobs", MatchContains: []string{"cronjobs"}},
}

// platinum is the limited priority class and storage class.
const platinum = "platinum"

// admissionConfiguration is the configuration that makes the server limit them.
func admissionConfiguration() ([]byte, error) {
	plugin := resourcequotaconfig.Configuration{TypeMeta: metav1.TypeMeta{APIVersion: "apiserver.config.k8s.io/v1", Kind: "ResourceQuotaConfiguration"}}
	for _, l := range limited {
		plugin.LimitedResources = append(plugin.LimitedResources, resourcequotaconfig.LimitedResource(l))
	}
	text, err := yaml.Marshal(plugin)
	if err != nil {
		return nil, err
	}
	text, err = yaml.YAMLToJSON(text)
	if err != nil {
		return nil, err
	}
	return yaml.Marshal(apiserver.AdmissionConfiguration{
		TypeMeta: metav1.TypeMeta{APIVersion: "apiserver.config.k8s.io/v1", Kind: "AdmissionConfiguration"},
		Plugins:  []apiserver.AdmissionPluginConfiguration{{Name: "ResourceQuota", Configuration: &runtime.Unknown{Raw: text, ContentType: runtime.ContentTypeJSON}}},
	})
}
