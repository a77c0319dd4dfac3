package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/kubemath/kubemath/examples/controller/capsule"
	"github.com/kubemath/kubemath/examples/controller/manifests"
	"github.com/kubemath/kubemath/pool"
)

//go:embed samples/pool.yaml
var samplePool string

//go:embed samples/claims.yaml
var sampleClaims string

//go:embed samples/pod.yaml
var samplePod []byte

// tour applies the samples, and prints the result: claims and quotas; the same while a claim is in
// use, after an edit and after a release; and the server's response to a pod that exceeds the
// limits.
func tour(ctx context.Context, c client.Client, out io.Writer) error {
	if err := manifests.Apply(ctx, c, samplePool); err != nil {
		return err
	}
	// Claims created before the controller knows the pool and the namespaces are processed in the
	// order in which it learns of them.
	if err := waitForPool(ctx, c, "sampler", 2); err != nil {
		return err
	}
	if err := manifests.Apply(ctx, c, sampleClaims); err != nil {
		return err
	}
	for _, step := range []struct {
		title string
		do    func() error
		until string
	}{
		{"Three claims on a pool of 2Gi:", func() error { return nil }, "Unused Failed(512Mi) Unused 1Gi 512Mi"},
		{"When solar-prod uses some of what it has, its claim is in use:", func() error {
			return count(ctx, c, "solar-prod", "sampler", corev1.ResourceList{corev1.ResourceRequestsMemory: resource.MustParse("700Mi")})
		}, "InUse Failed(512Mi) Unused 1Gi 512Mi"},
		{"solar-test/skip-the-line is not, and may be edited; it asks for 256Mi:", func() error {
			return ask(ctx, c, "solar-test", "skip-the-line", `{"spec":{"claim":{"requests.memory":"256Mi"}}}`)
		}, "InUse Failed(768Mi) Unused 1Gi 256Mi"},
		{"After the release of solar-prod/base, the quota of solar-test waits for what solar-prod still uses:", func() error {
			return askRelease(ctx, c, "solar-prod", "base")
		}, "Failed(256Mi) Unused Unused 0 256Mi"},
		{"When solar-prod uses nothing:", func() error {
			return count(ctx, c, "solar-prod", "sampler", corev1.ResourceList{corev1.ResourceRequestsMemory: resource.MustParse("0")})
		}, "Failed(256Mi) Unused Unused 0 1792Mi"},
	} {
		if err := step.do(); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s\n\n", step.title)
		if err := printWhen(ctx, c, out, step.until); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	fmt.Fprint(out, "A pod in solar-test:\n\n")
	refusal, err := refused(ctx, c)
	if err == nil {
		fmt.Fprintln(out, refusal)
	}
	return err
}

// waitForPool waits until a pool is open for some namespaces.
func waitForPool(ctx context.Context, c client.Client, name string, namespaces int) error {
	return wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		p := &pool.ResourcePool{}
		err := c.Get(ctx, types.NamespacedName{Name: name}, p)
		return p.Status.NamespaceCount == namespaces, err
	})
}

// count does what the quota controller of a cluster does: it writes what a namespace uses into the
// status of the quota that it has of a pool.
func count(ctx context.Context, c client.Client, namespace, poolName string, used corev1.ResourceList) error {
	quota := &corev1.ResourceQuota{}
	name := types.NamespacedName{Namespace: namespace, Name: "capsule-pool-" + poolName}
	return wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		if err := c.Get(ctx, name, quota); err != nil {
			return false, client.IgnoreNotFound(err)
		}
		before := quota.DeepCopy()
		quota.Status.Used = used
		return true, c.Status().Patch(ctx, quota, client.MergeFrom(before))
	})
}

// ask does what kubectl patch does with a claim.
func ask(ctx context.Context, c client.Client, namespace, name, patch string) error {
	claim := &pool.ResourcePoolClaim{}
	claim.Namespace, claim.Name = namespace, name
	return c.Patch(ctx, claim, client.RawPatch(types.MergePatchType, []byte(patch)))
}

// askRelease does what kubectl annotate does.
func askRelease(ctx context.Context, c client.Client, namespace, name string) error {
	return ask(ctx, c, namespace, name, fmt.Sprintf(`{"metadata":{"annotations":{%q:"true"}}}`, pool.ReleaseAnnotation))
}

// printWhen waits until claims and quotas have a summary, and nothing has changed for a second, and
// prints them.
func printWhen(ctx context.Context, c client.Client, out io.Writer, until string) error {
	var last string
	err := wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, func(ctx context.Context) (bool, error) {
		var claims pool.ResourcePoolClaimList
		var quotas corev1.ResourceQuotaList
		if err := errors.Join(c.List(ctx, &claims), c.List(ctx, &quotas)); err != nil {
			return false, err
		}
		text := render(claims.Items, quotas.Items)
		if summary(claims.Items, quotas.Items) != until || text != last {
			last = text
			return false, nil
		}
		_, err := io.WriteString(out, text)
		return true, err
	})
	if wait.Interrupted(err) {
		return fmt.Errorf("the claims and quotas are not %s: %w\n%s", until, err, last)
	}
	return err
}

// summary returns the reasons of the conditions Bound of the claims, by name, with what is available to
// those that wait, and the amounts of the quotas.
func summary(claims []pool.ResourcePoolClaim, quotas []corev1.ResourceQuota) string {
	slices.SortFunc(claims, func(a, b pool.ResourcePoolClaim) int { return strings.Compare(a.Name, b.Name) })
	var words []string
	for _, claim := range claims {
		word := capsule.Condition(&claim, "Bound").Reason
		if exhausted := capsule.Condition(&claim, "Exhausted"); exhausted.Status == metav1.ConditionTrue {
			word += "(" + exhausted.Message[strings.LastIndex(exhausted.Message, "=")+1:] + ")"
		}
		words = append(words, word)
	}
	for _, quota := range quotas {
		amount := quota.Spec.Hard[corev1.ResourceRequestsMemory]
		words = append(words, amount.String())
	}
	return strings.Join(words, " ")
}

func render(claims []pool.ResourcePoolClaim, quotas []corev1.ResourceQuota) string {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "NAMESPACE\tCLAIM\tPOOL\tBOUND\tEXHAUSTED\tMESSAGE")
	for _, claim := range claims {
		bound, exhausted := capsule.Condition(&claim, "Bound"), capsule.Condition(&claim, "Exhausted")
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", claim.Namespace, claim.Name, claim.Status.Pool.Name, bound.Reason, exhausted.Status, exhausted.Message)
	}
	table.Flush()
	fmt.Fprint(table, "\nNAMESPACE\tQUOTA\tREQUESTS.MEMORY\n")
	for _, quota := range quotas {
		amount := quota.Spec.Hard[corev1.ResourceRequestsMemory]
		fmt.Fprintf(table, "%s\t%s\t%s\n", quota.Namespace, quota.Name, amount.String())
	}
	table.Flush()
	return text.String()
}

// refused returns why the server rejects the sample pod, by a dry run.
func refused(ctx context.Context, c client.Client) (string, error) {
	pod := &corev1.Pod{}
	if err := yaml.UnmarshalStrict(samplePod, pod); err != nil {
		return "", err
	}
	var refusal error
	err := wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, 30*time.Second, true, func(ctx context.Context) (bool, error) {
		refusal = c.Create(ctx, pod.DeepCopy(), client.DryRunAll)
		// Wait until the server and the webhook have received the LimitRange.
		return refusal != nil && strings.HasPrefix(refusal.Error(), "admission webhook"), nil
	})
	if err != nil {
		return "", errors.Join(err, refusal)
	}
	return refusal.Error(), nil
}
