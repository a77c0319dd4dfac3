package peak_test

import (
	"fmt"
	"math/big"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/internal/testkit"
)

// countedInPods are the names of quotas that pods use, and how much of them a pod with one container uses.
var countedInPods = map[corev1.ResourceName]func(corev1.ResourceRequirements) *big.Rat{
	"pods":            func(corev1.ResourceRequirements) *big.Rat { return big.NewRat(1, 1) },
	"cpu":             func(r corev1.ResourceRequirements) *big.Rat { return testkit.Exact(r.Requests["cpu"]) },
	"requests.cpu":    func(r corev1.ResourceRequirements) *big.Rat { return testkit.Exact(r.Requests["cpu"]) },
	"requests.memory": func(r corev1.ResourceRequirements) *big.Rat { return testkit.Exact(r.Requests["memory"]) },
	"limits.cpu":      func(r corev1.ResourceRequirements) *big.Rat { return testkit.Exact(r.Limits["cpu"]) },
}

// slowFree returns what quotas say is used once the pods of a scene have ended: what is not an amount of pods, and what
// the quota does not say, stays; so does all if the quota is for other pods.
func slowFree(q *corev1.ResourceQuota, live map[string][]*corev1.Pod) map[corev1.ResourceName]*big.Rat {
	used := map[corev1.ResourceName]*big.Rat{}
	for name, amount := range q.Status.Used {
		used[name] = testkit.Exact(amount)
	}
	for _, pods := range live {
		for _, pod := range pods {
			ends := pod.Spec.ActiveDeadlineSeconds != nil
			matches := true
			for _, scope := range q.Spec.Scopes {
				matches = matches && ends == (scope == corev1.ResourceQuotaScopeTerminating)
			}
			for name, amount := range countedInPods {
				_, limited := q.Spec.Hard[name]
				is, said := used[name]
				if matches && limited && said && pod.Status.Phase != corev1.PodSucceeded {
					used[name] = new(big.Rat).Sub(is, amount(pod.Spec.Containers[0].Resources))
				}
			}
		}
	}
	return used
}

// someAmounts draws a list of some of these names.
func someAmounts(t *rapid.T, names ...corev1.ResourceName) corev1.ResourceList {
	list := corev1.ResourceList{}
	for _, name := range names {
		if rapid.IntRange(0, 2).Draw(t, string(name)) > 0 {
			list[name] = rapid.SampledFrom([]corev1.ResourceList{
				testkit.List("x", "1"), testkit.List("x", "250m"), testkit.List("x", "1500001n"), testkit.List("x", "1Gi"),
				testkit.List("x", "1.5Gi"), testkit.List("x", "7E"),
			}).Draw(t, "amount")["x"]
		}
	}
	return list
}

// Free subtracts what each quota counts of the live pods, and nothing else.
func TestFreeEqualsSlow(t *testing.T) {
	names := []corev1.ResourceName{"pods", "cpu", "requests.cpu", "requests.memory", "limits.cpu", "services"}
	freed := 0
	rapid.Check(t, func(t *rapid.T) {
		scene := peak.Scene{Live: map[string][]*corev1.Pod{}}
		for i := range rapid.IntRange(0, 4).Draw(t, "pods") {
			c := corev1.Container{Name: "c"}
			c.Resources.Requests, c.Resources.Limits = someAmounts(t, "cpu", "memory"), someAmounts(t, "cpu")
			pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{c}}}
			if seconds := int64(60); rapid.Bool().Draw(t, "ends") {
				pod.Spec.ActiveDeadlineSeconds = &seconds
			}
			pod.Status.Phase = rapid.SampledFrom([]corev1.PodPhase{"", corev1.PodPending, corev1.PodRunning, corev1.PodSucceeded}).Draw(t, "phase")
			task := fmt.Sprint("t", i/2)
			scene.Live[task] = append(scene.Live[task], pod)
		}
		var quotas []*corev1.ResourceQuota
		for i := range rapid.IntRange(0, 3).Draw(t, "quotas") {
			q := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("q", i)}}
			q.Spec.Hard = someAmounts(t, names...)
			q.Spec.Scopes = rapid.SampledFrom([][]corev1.ResourceQuotaScope{nil, nil, {corev1.ResourceQuotaScopeTerminating}, {corev1.ResourceQuotaScopeNotTerminating}}).Draw(t, "scopes")
			q.Status.Hard, q.Status.Used = q.Spec.Hard, someAmounts(t, names...)
			quotas = append(quotas, q)
		}
		free := scene.Free(quotas)
		testkit.Equal(t, len(free), len(quotas))
		for i, q := range free {
			want := slowFree(quotas[i], scene.Live)
			testkit.Equal(t, len(q.Status.Used), len(want))
			for name, amount := range want {
				if got := testkit.Exact(q.Status.Used[name]); got.Cmp(amount) != 0 {
					t.Fatalf("%s of %s: %s, want %s", name, q.Name, got.RatString(), amount.RatString())
				}
				was := quotas[i].Status.Used[name]
				if amount.Cmp(testkit.Exact(was)) != 0 {
					freed++
				}
				testkit.Equal(t, q.Status.Used[name].Format, was.Format)
			}
		}
	})
	if !testing.Short() && freed == 0 {
		t.Error("no quota counted a pod")
	}
}
