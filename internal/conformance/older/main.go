// Command older answers as the API server of an older release of Kubernetes, whose modules cannot be linked with kubemath.
// It reads questions, one JSON object each, and writes an answer to each of them. The release is that of the module file:
//
//	go build -o 1.34 -modfile kubernetes-1.34.mod .
//
// Test TestOlder of the module above asks it: see .ci/older.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota"
	resourcequotaapi "k8s.io/apiserver/pkg/admission/plugin/resourcequota/apis/resourcequota"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install" // the kinds of the scheme
	v1 "k8s.io/kubernetes/pkg/apis/core/v1"
	evaluators "k8s.io/kubernetes/pkg/quota/v1/evaluator/core"
	registry "k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"
	"k8s.io/utils/clock"
)

// question is a pod that is created in a namespace or, if there is an old one, resized.
type question struct {
	Ranges   []*corev1.LimitRange
	Quotas   []corev1.ResourceQuota
	Pod, Old *corev1.Pod
}

// answer is the stored pod and the usage of quotas, or the status of the error; of a resize, the errors of the validation.
type answer struct {
	Pod     *corev1.Pod
	Used    map[string]corev1.ResourceList
	Code    int32
	Reason  metav1.StatusReason
	Message string
	Errors  []string
}

func main() {
	questions, answers := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var q question
		err := questions.Decode(&q)
		if errors.Is(err, io.EOF) {
			return
		}
		if err == nil && q.Old != nil {
			err = answers.Encode(resize(q))
		} else if err == nil {
			err = answers.Encode(create(q))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func internal(pod *corev1.Pod) *core.Pod {
	v1.SetObjectDefaults_Pod(pod)
	out := &core.Pod{}
	must(v1.Convert_v1_Pod_To_core_Pod(pod, out, nil))
	return out
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// create does what the API server does in turn: defaults, mutation by LimitRanges, validation of the object, validation by
// LimitRanges, quotas.
func create(q question) (a answer) {
	pod := internal(q.Pod)
	for _, lr := range q.Ranges {
		must(limitranger.PodMutateLimitFunc(lr, pod))
	}
	ctx := genericrequest.WithNamespace(context.Background(), pod.Namespace)
	rest.FillObjectMetaSystemFields(&pod.ObjectMeta)
	if err := rest.BeforeCreate(registry.Strategy, ctx, pod); err != nil {
		return refused(err)
	}
	attributes := admission.NewAttributesRecord(pod, nil, core.Kind("Pod").WithVersion("v1"), pod.Namespace, pod.Name,
		core.Resource("pods").WithVersion("v1"), "", admission.Create, &metav1.CreateOptions{}, false, nil)
	for _, lr := range q.Ranges {
		if err := limitranger.PodValidateLimitFunc(lr, pod); err != nil {
			return refused(admission.NewForbidden(attributes, err))
		}
	}
	evaluator := evaluators.NewPodEvaluator(nil, clock.RealClock{})
	after, err := resourcequota.CheckRequest(q.Quotas, attributes, evaluator, []resourcequotaapi.LimitedResource{})
	if err != nil {
		return refused(err)
	}
	a.Pod, a.Used = &corev1.Pod{}, map[string]corev1.ResourceList{}
	must(v1.Convert_core_Pod_To_v1_Pod(pod, a.Pod, nil))
	v1.SetObjectDefaults_Pod(a.Pod) // when it is read again
	for _, rq := range after {
		a.Used[rq.Name] = rq.Status.Used
	}
	return a
}

func refused(err error) answer {
	var status *apierrors.StatusError
	if !errors.As(err, &status) {
		return answer{Code: 500, Message: err.Error()}
	}
	return answer{Code: status.ErrStatus.Code, Reason: status.ErrStatus.Reason, Message: status.ErrStatus.Message}
}

// resize returns the errors of the strategy of the subresource resize.
func resize(q question) (a answer) {
	old, updated := internal(q.Old), internal(q.Pod)
	registry.ResizeStrategy.PrepareForUpdate(context.Background(), updated, old)
	for _, err := range registry.ResizeStrategy.ValidateUpdate(context.Background(), updated, old) {
		a.Errors = append(a.Errors, err.Error())
	}
	return a
}
