package main

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// What becomes of a request.
const (
	stored    = "stored"
	invalid   = "invalid"
	forbidden = "forbidden"
	failed    = "failed" // for a reason that nothing here accounts for
)

// verdict is what becomes of a request, as the server says, or as kubemath does.
type verdict struct {
	Outcome  string
	Messages []string // sorted, each once
	Pod      *podFacts

	by    string                  // who forbids: LimitRanges or quotas
	after []*corev1.ResourceQuota // what is in use then; of kubemath's verdicts alone
}

// podFacts are what the server makes of a pod.
type podFacts struct {
	Parts      map[string]corev1.ResourceRequirements
	Annotation string // of the LimitRanger
	QOSClass   corev1.PodQOSClass
}

// serverVerdict reads the server's answer: nil if it has stored the object. An answer that
// is none is an error.
func serverVerdict(err error) (verdict, error) {
	var status *apierrors.StatusError
	switch {
	case err == nil:
		return verdict{Outcome: stored}, nil
	case !errors.As(err, &status):
		return verdict{}, err
	}
	switch status.ErrStatus.Reason {
	case metav1.StatusReasonInvalid:
		return verdict{Outcome: invalid, Messages: distinct(causes(status))}, nil
	case metav1.StatusReasonForbidden:
		if _, text, found := strings.Cut(status.ErrStatus.Message, " is forbidden: "); found {
			return verdict{Outcome: forbidden, Messages: distinct(splitMessages(text))}, nil
		}
	}
	return verdict{Outcome: failed, Messages: []string{status.ErrStatus.Message}}, nil
}

// causes are the errors of an invalid object, each as field.Error writes it.
func causes(status *apierrors.StatusError) (all []string) {
	if status.ErrStatus.Details == nil {
		return []string{status.ErrStatus.Message}
	}
	for _, cause := range status.ErrStatus.Details.Causes {
		all = append(all, cause.Field+": "+cause.Message)
	}
	return all
}

// between stands between two messages of the LimitRanger. They have commas themselves, but
// none before the start of another message.
var between = regexp.MustCompile(`, (minimum \S+ usage per |maximum \S+ usage per |\S+ max limit to request ratio per )`)

// splitMessages takes apart what several errors have been joined to: "[a, b]". A single one
// has no brackets.
func splitMessages(text string) (all []string) {
	inner, open := strings.CutPrefix(text, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if !open || !closed {
		return []string{text}
	}
	for {
		at := between.FindStringIndex(inner)
		if at == nil {
			return append(all, inner)
		}
		all = append(all, inner[:at[0]])
		inner = inner[at[0]+len(", "):]
	}
}

// distinct returns messages sorted, and each of them once.
func distinct(messages []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(messages)))
}

// choose returns which of the possible verdicts the server has given. Several are possible
// where it takes LimitRanges or quotas in no fixed order. If it is none of them, it
// returns how it differs from each.
func choose(server verdict, possible []verdict) (verdict, string) {
	var differences []string
	for _, p := range possible {
		diff := cmp.Diff(server, p, cmpopts.IgnoreUnexported(verdict{}), cmpopts.EquateEmpty())
		if diff == "" {
			return p, ""
		}
		if !slices.Contains(differences, diff) {
			differences = append(differences, diff)
		}
	}
	return verdict{}, "(-server +kubemath)\n" + strings.Join(differences, "\nor, in another order:\n")
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
