package quota_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

func shareOf(namespace, hard, used string) *corev1.ResourceQuota {
	q := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "pool"}}
	parse := func(text string) corev1.ResourceList {
		if text == "" {
			return nil
		}
		return testkit.List("cpu", text)
	}
	q.Spec.Hard, q.Status.Used = parse(hard), parse(used)
	return q
}

func inWords(quotas []*corev1.ResourceQuota) (words []string) {
	for _, q := range quotas {
		words = append(words, q.Namespace+" "+resourcelist.String(q.Spec.Hard))
	}
	return words
}

func TestWriteOrder(t *testing.T) {
	total := testkit.List("cpu", "10")
	for _, test := range []struct {
		name            string
		present         []*corev1.ResourceQuota
		wanted          []*corev1.ResourceQuota
		writes, waiting string
	}{
		{"nothing", nil, nil, "[]", "[]"},
		{"equal", []*corev1.ResourceQuota{shareOf("a", "4", "")}, []*corev1.ResourceQuota{shareOf("a", "4000m", "")}, "[]", "[]"},
		{"reductions first", []*corev1.ResourceQuota{shareOf("a", "0", ""), shareOf("b", "10", "0")}, []*corev1.ResourceQuota{shareOf("a", "10", ""), shareOf("b", "0", "")}, "[b cpu=0 a cpu=10]", "[]"},
		{"what is used counts", []*corev1.ResourceQuota{shareOf("a", "0", ""), shareOf("b", "10", "10")}, []*corev1.ResourceQuota{shareOf("a", "10", ""), shareOf("b", "0", "")}, "[b cpu=0]", "[a cpu=10]"},
		{"new ones by name", nil, []*corev1.ResourceQuota{shareOf("c", "2", ""), shareOf("a", "8", ""), nil, shareOf("b", "4", "")}, "[a cpu=8 c cpu=2]", "[b cpu=4]"},
		{"those that stay count", []*corev1.ResourceQuota{shareOf("gone", "7", "")}, []*corev1.ResourceQuota{shareOf("a", "4", "")}, "[]", "[a cpu=4]"},
		{"too much already", []*corev1.ResourceQuota{shareOf("a", "8", ""), shareOf("b", "8", "")}, []*corev1.ResourceQuota{shareOf("a", "9", ""), shareOf("b", "7", "")}, "[b cpu=7]", "[a cpu=9]"},
		{"a limit that is removed", []*corev1.ResourceQuota{shareOf("a", "4", "")}, []*corev1.ResourceQuota{shareOf("a", "", "")}, "[a ]", "[]"},
		{"a limit beyond the total where there was none", []*corev1.ResourceQuota{shareOf("a", "", "")}, []*corev1.ResourceQuota{shareOf("a", "20", "")}, "[a cpu=20]", "[]"},
		{"the last of equal names counts for the sum", []*corev1.ResourceQuota{shareOf("a", "9", ""), shareOf("a", "1", "")}, []*corev1.ResourceQuota{shareOf("b", "9", "")}, "[b cpu=9]", "[]"},
		{"the last of equal names", []*corev1.ResourceQuota{shareOf("a", "9", ""), shareOf("a", "1", "")}, []*corev1.ResourceQuota{shareOf("a", "8", ""), shareOf("a", "2", "")}, "[a cpu=2]", "[]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			writes, waiting := quota.WriteOrder(total, test.present, test.wanted)
			testkit.Equal(t, fmt.Sprint(inWords(writes)), test.writes)
			testkit.Equal(t, fmt.Sprint(inWords(waiting)), test.waiting)
		})
	}
	// The API server still admits what the status allows.
	late := shareOf("b", "0", "0")
	late.Status.Hard = testkit.List("cpu", "10")
	_, held := quota.WriteOrder(total, []*corev1.ResourceQuota{shareOf("a", "0", ""), late}, []*corev1.ResourceQuota{shareOf("a", "1", "")})
	testkit.Equal(t, fmt.Sprint(inWords(held)), "[a cpu=1]")
	// Quotas of one namespace are told apart by name.
	other := shareOf("a", "6", "")
	other.Name = "other"
	written, none := quota.WriteOrder(total, nil, []*corev1.ResourceQuota{shareOf("a", "4", ""), other})
	testkit.Equal(t, fmt.Sprint(inWords(written), inWords(none)), "[a cpu=6 a cpu=4] []")
	both := func(cpu, memory string) *corev1.ResourceQuota {
		q := shareOf("a", cpu, "")
		q.Spec.Hard["memory"] = testkit.List("memory", memory)["memory"]
		return q
	}
	writes, _ := quota.WriteOrder(total, []*corev1.ResourceQuota{both("1", "4Gi")}, []*corev1.ResourceQuota{both("2", "1Gi")})
	testkit.Equal(t, fmt.Sprint(inWords(writes)), "[a cpu=1,memory=1Gi a cpu=2,memory=1Gi]")
	// Of memory, more is allowed than there is, but no more than before.
	writes, waiting := quota.WriteOrder(testkit.List("cpu", "10", "memory", "1Gi"), []*corev1.ResourceQuota{both("1", "4Gi")}, []*corev1.ResourceQuota{both("2", "4Gi")})
	testkit.Equal(t, fmt.Sprint(inWords(writes), len(waiting)), "[a cpu=2,memory=4Gi] 0")
}

// After each write, what the quotas allow exceeds the total only as far as it did before; in the end, all that does not wait
// is as wanted; and once what is used fits, nothing waits.
func TestWriteOrderKeepsTheTotal(t *testing.T) {
	units := rapid.Int64Range(0, 6)
	rapid.Check(t, func(t *rapid.T) {
		memory := rapid.Bool().Draw(t, "memory")
		draw := func(label string, names []string) (quotas []*corev1.ResourceQuota) {
			for _, name := range names {
				if rapid.Bool().Draw(t, label) {
					q := shareOf(name, fmt.Sprint(units.Draw(t, "hard")), fmt.Sprint(units.Draw(t, "used")))
					if memory {
						q.Spec.Hard["memory"] = testkit.List("memory", fmt.Sprint(units.Draw(t, "memory of it")))["memory"]
					}
					quotas = append(quotas, q)
				}
			}
			return quotas
		}
		names := []string{"a", "b", "c", "d"}
		present, wanted := draw("present", names), draw("wanted", names)
		total := testkit.List("cpu", fmt.Sprint(rapid.Int64Range(4, 16).Draw(t, "cpu")), "memory", fmt.Sprint(rapid.Int64Range(2, 12).Draw(t, "most memory")))
		testkit.Contract(t, func() any {
			writes, waiting := quota.WriteOrder(total, present, wanted)
			return []any{writes, waiting}
		}, total, present, wanted)
		writes, waiting := quota.WriteOrder(total, present, wanted)

		hard, used := map[string]corev1.ResourceList{}, map[string]corev1.ResourceList{}
		for _, q := range present {
			hard[q.Namespace], used[q.Namespace] = q.Spec.Hard, q.Status.Used
		}
		sum := func(resource corev1.ResourceName) (n int64) {
			for name := range hard {
				limit, has := hard[name][resource], used[name][resource]
				n += max(limit.Value(), has.Value())
			}
			return n
		}
		bounds := map[corev1.ResourceName]int64{}
		for resource, most := range total {
			bounds[resource] = max(most.Value(), sum(resource))
		}
		for _, q := range writes {
			hard[q.Namespace] = q.Spec.Hard
			for resource, most := range bounds {
				if n := sum(resource); n > most {
					t.Fatalf("%d of %s are allowed after %s, at most %d", n, resource, q.Namespace, most)
				}
				bounds[resource] = max(total.Name(resource, "").Value(), sum(resource))
			}
		}
		waits := map[string]bool{}
		for _, q := range waiting {
			waits[q.Namespace] = true
		}
		for _, q := range wanted {
			if !waits[q.Namespace] && !resourcelist.Equals(hard[q.Namespace], q.Spec.Hard) {
				t.Fatalf("%s has %s", q.Namespace, resourcelist.String(hard[q.Namespace]))
			}
		}
		for _, q := range wanted {
			hard[q.Namespace] = q.Spec.Hard
		}
		fits := true
		for resource, most := range total {
			fits = fits && sum(resource) <= most.Value()
		}
		if fits && len(waiting) > 0 {
			t.Fatalf("%v wait, although all fit", inWords(waiting))
		}
	})
}

// Each quota costs what it names, however many resources all of them name.
func TestWriteOrderOfManyResources(t *testing.T) {
	testkit.GrowsLinearly(t, 100, func(n int) func() {
		var present, wanted []*corev1.ResourceQuota
		total := corev1.ResourceList{}
		for i := range n {
			name := corev1.ResourceName(fmt.Sprintf("requests.example.com/%d", i))
			total[name] = resource.MustParse("9")
			for _, list := range []struct {
				of     *[]*corev1.ResourceQuota
				amount string
			}{{&present, "1"}, {&wanted, "2"}} {
				q := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: fmt.Sprint(i)}}
				q.Spec.Hard = corev1.ResourceList{name: resource.MustParse(list.amount)}
				*list.of = append(*list.of, q)
			}
		}
		return func() { quota.WriteOrder(total, present, wanted) }
	})
}
