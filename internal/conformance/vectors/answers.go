package main

import (
	"fmt"

	"github.com/kubemath/kubemath/internal/vectors"
)

// answers returns the files of docs/vectors by name, with their schemas.
func answers() (map[string][]byte, error) {
	files := map[string][]byte{}
	for name, write := range map[string]func() (text, schema []byte, err error){
		"requests": func() (text, schema []byte, err error) {
			return file("requests", "What do the containers of a pod add up to, as the scheduler counts them?", vectors.Requests(), totals,
				"k8s.io/component-helpers v0.36.3: resource.PodRequests, resource.PodLimits")
		},
		"qos": func() (text, schema []byte, err error) {
			return file("qos", "Which class of quality of service does a pod get, and which OOM scores do its containers?", vectors.Classes(), class,
				"k8s.io/kubernetes v1.36.3: pkg/apis/core/v1/helper/qos.ComputePodQOS, pkg/kubelet/qos.GetContainerOOMScoreAdjust")
		},
		"cgroup": func() (text, schema []byte, err error) {
			return file("cgroup", "What does the kubelet give the kernel for an amount of CPU, or for a pod, and what are its cgroups called?", vectors.Conversions(), numbers,
				"k8s.io/kubernetes v1.36.3: pkg/kubelet/cm (MilliCPUToShares, MilliCPUToQuota, ResourceConfigForPod, CgroupName); github.com/opencontainers/cgroups v0.0.6: ConvertCPUSharesToCgroupV2Value; KEP-2254: the linear weight")
		},
		"limitrange": func() (text, schema []byte, err error) {
			return file("limitrange", "What does the API server store of a pod or a claim in a namespace with a LimitRange, or why not?", vectors.Creations(), verdict,
				"k8s.io/kubernetes v1.36.3: pkg/apis/core/v1 (defaults), plugin/pkg/admission/limitranger")
		},
		"quota": func() (text, schema []byte, err error) {
			return file("quota", "What does an object use of a ResourceQuota, and is it admitted?", vectors.Admissions(), admissionAnswer,
				"k8s.io/kubernetes v1.36.3: pkg/quota/v1/evaluator/core; k8s.io/apiserver v0.36.3: pkg/admission/plugin/resourcequota.CheckRequest")
		},
		"node": func() (text, schema []byte, err error) {
			return file("node", "Does a pod fit on a node, and how good a place is it?", vectors.Placements(), fit,
				"k8s.io/kubernetes v1.36.3: pkg/scheduler/framework/plugins/noderesources (Fits, Fit.Score, BalancedAllocation.Score)")
		},
		"pool": func() (text, schema []byte, err error) {
			return file("pool", "Which claims does a resource pool of Capsule bind?", vectors.Queues(), queue,
				"the rules of Capsule's documentation of resource pools, in fractions; 150 further answers, recorded from Capsule's controller, are in internal/replay/testdata/capsule")
		},
	} {
		text, schema, err := write()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files[name+".json"], files[name+".schema.json"] = text, schema
	}
	return files, nil
}

// file answers all questions of a file.
func file[In, Out any](name, question string, cases []vectors.Case[In, Out], answer func(In) (Out, error), confirmedBy ...string) (text, schema []byte, err error) {
	seen := map[string]bool{}
	for i := range cases {
		c := &cases[i]
		if seen[c.Name] {
			return nil, nil, fmt.Errorf("two cases called %q", c.Name)
		}
		seen[c.Name] = true
		if c.Answer, err = answer(c.Input); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	if text, err = (vectors.File[In, Out]{Schema: name + ".schema.json", Question: question, ConfirmedBy: confirmedBy, Cases: cases}).Encode(); err != nil {
		return nil, nil, err
	}
	schema, err = vectors.SchemaOf[In, Out](question)
	return text, schema, err
}
