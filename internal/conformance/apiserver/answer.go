package main

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
)

// answer is the server's response to a request.
type answer struct {
	Code    int32
	Reason  metav1.StatusReason
	Message string // the whole of it

	Stored any // what has to do with resources in the stored object: see facts
}

// answerOf reads an answer: err, or the object as stored. An error that is not an answer is returned.
func answerOf(err error, object any) (answer, error) {
	var status *apierrors.StatusError
	switch {
	case err == nil:
		return answer{Code: http.StatusOK, Stored: facts(object)}, nil
	case !errors.As(err, &status):
		return answer{}, err
	}
	return answer{Code: status.ErrStatus.Code, Reason: status.ErrStatus.Reason, Message: status.ErrStatus.Message}, nil
}

// isStored reports whether the object is stored.
func (a answer) isStored() bool { return a.Code == http.StatusOK }

// difference returns how two answers differ, "" if they do not.
func difference(server, ours answer) string { return cmp.Diff(server, ours, cmpopts.EquateEmpty()) }

// byParts returns an answer with the parts of its message sorted. They are in the order of a map
// where an error stands for each of its elements.
func byParts(a answer) answer {
	all := partsOf(a.Message)
	slices.Sort(all[1:])
	a.Message = strings.Join(all, "\n")
	return a
}

// partsOf takes a message of several errors apart: "x: [a, b]" into x, a and b. A message of
// another form is one part.
func partsOf(message string) []string {
	head, list, found := strings.Cut(message, ": [")
	list, closed := strings.CutSuffix(list, "]")
	if !found || !closed {
		return []string{message}
	}
	return append([]string{head}, strings.Split(list, ", ")...)
}

// podFacts are the resources of a pod as the server stores it.
type podFacts struct {
	Parts      map[string]corev1.ResourceRequirements
	Annotation string // of the LimitRanger
	QOSClass   corev1.PodQOSClass
}

// facts are the parts of an object that concern resources.
func facts(object any) any {
	switch object := object.(type) {
	case *corev1.Pod:
		return podFacts{Parts: parts(&object.Spec), Annotation: object.Annotations[limitrange.AnnotationKey], QOSClass: object.Status.QOSClass}
	case *corev1.PersistentVolumeClaim:
		return object.Spec.Resources
	}
	if template := templateOf(object); template != nil {
		return parts(&template.Spec)
	}
	return nil
}

// parts are the requirements of a pod, by their location.
func parts(spec *corev1.PodSpec) map[string]corev1.ResourceRequirements {
	all := map[string]corev1.ResourceRequirements{}
	for ref, c := range computeresources.Containers(spec) {
		all[ref.String()] = corev1.ResourceRequirements{Requests: c.Resources.Requests, Limits: c.Resources.Limits}
	}
	if spec.Resources != nil {
		all["pod"] = *spec.Resources
	}
	return all
}

// usageDifference returns how the usage that the server keeps differs from what it should
// be, by the names of quotas.
func usageDifference(server, ours []*corev1.ResourceQuota) string {
	return cmp.Diff(usage(server), usage(ours), cmpopts.EquateEmpty())
}

func usage(quotas []*corev1.ResourceQuota) map[string]corev1.ResourceList {
	used := map[string]corev1.ResourceList{}
	for _, q := range quotas {
		used[q.Name] = q.Status.Used
	}
	return used
}
