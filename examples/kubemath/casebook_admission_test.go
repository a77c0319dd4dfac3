package main_test

import (
	"fmt"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// admissionCases are about amounts of containers by name, and how many objects a namespace admits.
var admissionCases = []libraryCase{
	{
		name:     "amounts of the second container by name",
		question: "Do recommendations, minimum requests and changes find a container by its name, also the second one?",
		source:   "pkg/apis/core/validation/validation.go, v1.36.3: the names of the containers of a pod are unique",
		got: func(t *testing.T) (answers string) {
			one := corev1.ResourceList{"cpu": resource.MustParse("1")}
			for _, ref := range []computeresources.Ref{{Name: "second"}, {Kind: computeresources.App, Name: "second"}, {Kind: computeresources.App, Index: 1}, {Name: "gone"}} {
				spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "first"}, {Name: "second"}}}
				sized, sizedErr := solver.RightSize(spec, []solver.Recommendation{{Ref: ref, Requests: one}}, solver.Input{})
				cpu := one["cpu"]
				changes := []computeresources.Change{{Ref: ref, List: computeresources.Requests, Resource: "cpu", To: &cpu}}
				patch, patchErr := computeresources.JSONPatch(spec, changes, nil)
				floor, floorErr := solver.Solve(spec, solver.Input{Floors: []solver.Floor{{Ref: ref, Requests: one}}})
				changeErr := computeresources.ApplyChanges(spec, changes)
				answers += fmt.Sprint(len(sized.Changes), sizedErr != nil, len(floor.Changes), floorErr != nil, strings.Contains(string(patch), "containers/1/"), patchErr != nil,
					spec.Containers[1].Resources.Requests.Cpu(), changeErr != nil, ";")
			}
			return answers
		},
		want: "1 false 1 false true false 1 false;1 false 1 false true false 1 false;1 false 1 false true false 1 false;0 true 0 true false true 0 true;",
	},
	{
		name:     "how many Jobs",
		question: "How many more Jobs of three pods does a quota admit, and how many of one pod?",
		source:   "staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go, v1.36.3: the Job and each pod are requests of their own",
		got: func(t *testing.T) string {
			count := func(cpu string, pods int32) int64 {
				hard := corev1.ResourceList{"requests.cpu": resource.MustParse(cpu), "pods": resource.MustParse("50"), "count/jobs.batch": resource.MustParse("5")}
				used := corev1.ResourceList{"requests.cpu": resource.MustParse("1"), "pods": resource.MustParse("2"), "count/jobs.batch": resource.MustParse("1")}
				namespace, err := admit.Compile(nil, []*corev1.ResourceQuota{{Spec: corev1.ResourceQuotaSpec{Hard: hard}, Status: corev1.ResourceQuotaStatus{Hard: hard, Used: used}}}, admit.Options{})
				testkit.OK(t, err)
				job := &batchv1.Job{Spec: batchv1.JobSpec{Parallelism: &pods}}
				job.Name = "build"
				job.Spec.Template.Spec.Containers = []corev1.Container{{Name: "build", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse("1")}}}}
				return namespace.Replicas([]admit.APIObject{job}, admit.Attributes{}).Replicas
			}
			return fmt.Sprint(count("100", 3), count("7", 3), count("4", 1))
		},
		want: "4 2 3",
	},
}
