package controllers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/testkit"
)

// podOfText returns the pod that words describe: its name, the node that it is on, and what is unusual about it.
func podOfText(words []string) controllers.Pod {
	p := controllers.Pod{Object: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: words[0]}}, Node: "n", IsReady: true}
	p.Object.Status.Phase = corev1.PodRunning
	for _, word := range words[1:] {
		switch word {
		case "old":
			p.IsOutdated = true
		case "waits":
			p.IsReady, p.Node, p.Object.Status.Phase = false, "", corev1.PodPending
		case "starts":
			p.IsReady = false
		case "new":
			p.IsReady, p.Node, p.Object.Status.Phase = false, "", ""
		case "pulls":
			p.IsReady, p.Object.Status.Phase = false, corev1.PodPending
		case "succeeded":
			p.IsReady, p.Object.Status.Phase = false, corev1.PodSucceeded
		case "ended":
			p.IsReady, p.Object.Status.Phase = false, corev1.PodFailed
		case "leaves":
			p.Object.DeletionTimestamp = &metav1.Time{}
		case "dated": // of the others, none was read
			p.Object.CreationTimestamp.Time = testkit.Now()
		default:
			panic(word)
		}
	}
	return p
}

// podsOfText returns pods that are separated by commas.
func podsOfText(text string) (pods []controllers.Pod) {
	for part := range strings.SplitSeq(text, ",") {
		if words := strings.Fields(part); len(words) > 0 {
			pods = append(pods, podOfText(words))
		}
	}
	return pods
}

func setOf(replicas, partition int32, most string) *appsv1.StatefulSet {
	s := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: "db"}}
	rolling := &appsv1.RollingUpdateStatefulSetStrategy{Partition: &partition}
	if most != "" {
		amount := intstr.Parse(most)
		rolling.MaxUnavailable = &amount
	}
	s.Spec.Replicas, s.Spec.UpdateStrategy.RollingUpdate = &replicas, rolling
	return s
}

func isParallel(s *appsv1.StatefulSet) *appsv1.StatefulSet {
	s.Spec.PodManagementPolicy = appsv1.ParallelPodManagement
	return s
}

func ofStrategy(strategy appsv1.StatefulSetUpdateStrategyType, s *appsv1.StatefulSet) *appsv1.StatefulSet {
	s.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: strategy}
	return s
}

func from(start int32, s *appsv1.StatefulSet) *appsv1.StatefulSet {
	s.Spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: start}
	return s
}

// ofPods returns a StatefulSet with its pods.
func ofPods(set *appsv1.StatefulSet, pods []controllers.Pod, rules release.Rules) *controllers.StatefulSet {
	s := controllers.NewStatefulSet(set, rules)
	for i := range pods {
		s.See(pods[i].Object.Name, &pods[i])
	}
	return s
}

// tellSteps writes steps, with a bar after each batch.
func tellSteps(batches [][]controllers.Step) string {
	var told []string
	for _, batch := range batches {
		var steps []string
		for _, step := range batch {
			switch {
			case step.Delete != nil && strings.HasSuffix(step.Delete.Object.Name, fmt.Sprint("-", step.Ordinal)):
				steps = append(steps, "delete "+step.Delete.Object.Name)
			case step.ClaimsOnly:
				steps = append(steps, fmt.Sprint("claims of ", step.Ordinal))
			case step.IsFormer:
				steps = append(steps, fmt.Sprint("create ", step.Ordinal, " old"))
			default:
				steps = append(steps, fmt.Sprint("create ", step.Ordinal))
			}
		}
		told = append(told, strings.Join(steps, ", "))
	}
	return strings.Join(told, " | ")
}

// The wanted steps are those of updateStatefulSet in pkg/controller/statefulset of the releases.
func TestStatefulSet(t *testing.T) {
	const recreate appsv1.StatefulSetUpdateStrategyType = "Recreate"
	for _, test := range []struct {
		set      *appsv1.StatefulSet
		pods     string
		releases string // 1.37 if it is empty
		want     string
	}{
		{setOf(2, 0, ""), "", "", "create 0"},
		{setOf(3, 0, ""), "db-0", "", "create 1"},
		{setOf(3, 0, ""), "db-0 starts", "", ""},
		{setOf(3, 0, ""), "db-0 waits", "", "claims of 0"},
		{setOf(3, 0, ""), "db-0 new", "", "claims of 0"},
		{setOf(3, 0, ""), "db-0 pulls", "", "claims of 0"},
		{setOf(3, 0, ""), "db-0 leaves", "", ""},
		{setOf(3, 0, ""), "db-0 succeeded", "", "delete db-0"},
		{setOf(3, 0, ""), "db-0 ended", "", "delete db-0"},
		{setOf(3, 0, ""), "db-0 ended leaves", "", ""},
		{setOf(1, 0, ""), "db-0 ended, db-1 ended", "", "delete db-0"},
		{isParallel(setOf(8, 0, "")), "db-1", "", "create 0 | create 2 | create 3, create 4, create 5, create 6 | create 7"},
		{isParallel(setOf(3, 0, "")), "db-0 waits, db-1 ended, db-3, db-2 leaves", "", "claims of 0 | delete db-1 | delete db-3"},
		{isParallel(setOf(2, 0, "")), "db-2, db-3 starts, db-4 leaves", "1.36 1.37", "create 0 | create 1 | delete db-3, delete db-2"},
		{isParallel(setOf(2, 0, "")), "db-2, db-3 starts, db-4 leaves", "1.38", "delete db-3, delete db-2 | create 0 | create 1"},
		{setOf(2, 0, ""), "db-2, db-3", "1.38", "create 0"},
		{from(2, setOf(2, 0, "")), "db-2, db-3, db-4, db-1", "", "delete db-4"},
		{from(2, setOf(2, 0, "")), "db-2, db-3, db-1, dbx-4, db-x, db--1", "", "delete db-1"},
		{setOf(0, 0, ""), "db-0, db-1 starts, db-2", "", "delete db-2"},
		{setOf(0, 0, ""), "db-0, db-1 starts", "", "delete db-1"},
		{setOf(0, 0, ""), "db-0 starts, db-1 starts", "", ""},
		{setOf(0, 0, ""), "db-0 starts, db-1", "", "delete db-1"},
		{setOf(0, 0, ""), "db-0, db-1 leaves", "", ""},
		{ofStrategy("", setOf(2, 0, "")), "db-0 old, db-1 old", "1.36 1.37 1.38", "delete db-1"},
		// Pods below the partition.
		{setOf(3, 2, ""), "", "", "create 0 old"},
		{isParallel(from(5, setOf(3, 1, ""))), "", "", "create 5 old | create 6, create 7"},
		{ofStrategy(appsv1.OnDeleteStatefulSetStrategyType, setOf(3, 0, "")), "db-0 old, db-1 old", "", "create 2"},
		{ofStrategy(appsv1.OnDeleteStatefulSetStrategyType, setOf(2, 0, "")), "db-0 old, db-1 old", "", ""},
		// One at a time.
		{setOf(3, 0, "2"), "db-0 old, db-1 old, db-2", "1.34 1.36", "delete db-1"},
		{setOf(3, 2, "2"), "db-0 old, db-1 old, db-2", "1.34 1.36", ""},
		{from(5, setOf(3, 2, "")), "db-5 old, db-6 old, db-7", "1.36", ""},
		{isParallel(setOf(3, 0, "")), "db-0 old, db-1 starts, db-2", "1.36", ""},
		{isParallel(setOf(3, 0, "")), "db-0 old, db-1 old starts, db-2", "1.36", "delete db-1"},
		{isParallel(setOf(3, 0, "")), "db-0 old, db-1 old leaves, db-2", "1.36", ""},
		{isParallel(setOf(3, 0, "")), "db-0 old, db-1, db-2 starts", "1.36", ""},
		// Several at a time.
		{setOf(4, 0, "2"), "db-0 old, db-1 old, db-2 old, db-3", "1.35 1.37 1.38", "delete db-2, delete db-1"},
		{setOf(4, 2, "3"), "db-0 old, db-1 old, db-2 old, db-3 old", "1.35 1.37 1.38", "delete db-3, delete db-2"},
		{from(5, setOf(3, 1, "3")), "db-5 old, db-6 old, db-7 old", "1.35 1.37 1.38", "delete db-7, delete db-6"},
		{isParallel(setOf(3, 0, "1")), "db-0 old, db-1 old", "", "create 2"},
		{isParallel(setOf(4, 0, "50%")), "db-0 old, db-1 old, db-2 old", "", "create 3 | delete db-2"},
		{setOf(4, 0, "60%"), "db-0 old, db-1 old, db-2 old, db-3 old", "1.35 1.37 1.38", "delete db-3, delete db-2"},
		{setOf(4, 0, "1%"), "db-0 old, db-1 old, db-2 old, db-3 old", "1.35 1.37 1.38", "delete db-3"},
		{setOf(4, 2, "50%"), "db-0 old, db-1 old, db-2 old, db-3 old", "1.35 1.37", "delete db-3, delete db-2"},
		{setOf(4, 2, "50%"), "db-0 old, db-1 old, db-2 old, db-3 old", "1.38", "delete db-3"},
		{setOf(2, 3, "50%"), "db-0 old, db-1 old", "1.38", ""},
		{isParallel(setOf(4, 0, "2")), "db-0 old starts, db-1 old starts, db-2 old, db-3 old", "1.35", ""},
		{isParallel(setOf(4, 0, "2")), "db-0 old starts, db-1 old starts, db-2 old, db-3 old", "1.37 1.38", "delete db-1, delete db-0"},
		{isParallel(setOf(4, 0, "3")), "db-0 old starts, db-1 old leaves, db-2 old, db-3 old", "1.37 1.38", "delete db-0, delete db-3"},
		{isParallel(setOf(4, 1, "2")), "db-0 old starts, db-1 old, db-2 old, db-3 old", "1.37", "delete db-3"},
		{isParallel(setOf(4, 1, "2")), "db-0 old starts, db-1 old, db-2 old, db-3 old", "1.38", "delete db-3, delete db-2"},
		{isParallel(setOf(3, 0, "3")), "db-0 old, db-1 old", "", "create 2 | delete db-1, delete db-0"},
		// Recreation.
		{ofStrategy(recreate, setOf(3, 0, "")), "db-0 old", "1.36 1.37", ""},
		{ofStrategy(recreate, setOf(3, 0, "")), "db-0 old, db-1 old leaves, db-2, db-7 old", "1.38", "delete db-0, delete db-7"},
		{ofStrategy(recreate, setOf(3, 0, "")), "db-1 old leaves", "1.38", ""},
		{ofStrategy(recreate, setOf(2, 0, "")), "db-0, db-7 old leaves", "1.38", ""},
		{ofStrategy(recreate, setOf(3, 0, "")), "dbx-1 old", "1.38", "create 0"},
		{ofStrategy(recreate, setOf(1, 0, "")), "db-0", "1.38", ""},
	} {
		for _, name := range strings.Split(test.releases, " ") {
			batches := ofPods(test.set, podsOfText(test.pods), release.Rules{Release: name}).Sync()
			testkit.Equal(t, tellSteps(batches), test.want, test.pods, "in", name)
			for _, step := range slices.Concat(batches...) {
				i := step.Ordinal - controllers.StartOrdinal(test.set)
				testkit.Equal(t, step.IsExcess, step.Delete != nil && (i < 0 || i >= int(*test.set.Spec.Replicas)), test.pods)
			}
		}
	}
	deleted := setOf(1, 0, "")
	deleted.DeletionTimestamp = &metav1.Time{}
	testkit.Equal(t, tellSteps(ofPods(deleted, nil, release.Rules{}).Sync()), "")
	// The batches of a large set grow to 500.
	batches := ofPods(isParallel(setOf(2000, 0, "")), nil, release.Rules{}).Sync()
	testkit.Equal(t, fmt.Sprint(len(batches), len(batches[8]), len(batches[9]), len(batches[10])), "12 256 500 500")
	testkit.Equal(t, len(ofPods(setOf(-1, 0, ""), nil, release.Rules{}).Sync()), 0)
}

// Nothing takes as long, or as much, as the number of replicas is large: anybody may write it.
func TestAsManyReplicasAsThereAre(t *testing.T) {
	const most = 1<<31 - 1
	for _, test := range []struct {
		set  *appsv1.StatefulSet
		pods string
		want string
	}{
		{setOf(most, 0, ""), "db-0", "create 1"},
		{setOf(most, 0, ""), "db-0, db-1 starts", ""},
		{setOf(most, 0, ""), "db-2147483647", "create 0"},
		{ofStrategy("OnDelete", setOf(most, 0, "")), "db-0, db-2147483646 old", "create 1"},
	} {
		var got string
		bytes := testkit.Allocated(func() { got = tellSteps(ofPods(test.set, podsOfText(test.pods), release.Rules{}).Sync()) })
		testkit.Equal(t, got, test.want, test.pods)
		if bytes > 1<<20 {
			t.Errorf("%s: %d bytes", test.pods, bytes)
		}
	}
	// A parallel one is created as far as pods are: 500 in a batch, after 511 in the first nine.
	batches := ofPods(isParallel(setOf(most, 0, "")), podsOfText("db-3, db-2147483640 old"), release.Rules{}).Sync()
	n := 0
	for _, batch := range batches {
		n += len(batch)
	}
	testkit.Equal(t, fmt.Sprint(n, len(batches), len(batches[2]), len(batches[73])), "32769 74 3 259")
}

// What an update may delete depends on all replicas that are missing, not only on those that are created next.
func TestUpdateOfASetThatLacksMany(t *testing.T) {
	set := isParallel(setOf(100_000, 0, "99999"))
	batches := ofPods(set, podsOfText("db-0 old, db-1 old, db-99999 old"), release.Rules{}).Sync()
	testkit.Equal(t, tellSteps(batches[len(batches)-1:]), "delete db-99999, delete db-1")
	for _, partition := range []int32{50_000, 99_999} {
		set = isParallel(setOf(100_000, partition, "99999"))
		batches = ofPods(set, podsOfText("db-0 old, db-1 old, db-99999 old"), release.Rules{}).Sync()
		testkit.Equal(t, tellSteps(batches[len(batches)-1:]), "delete db-99999", partition)
	}
}

// The wanted answers are those of completeUpdate in pkg/controller/statefulset.
func TestIsUpdated(t *testing.T) {
	onDelete := ofStrategy(appsv1.OnDeleteStatefulSetStrategyType, setOf(1, 0, ""))
	for _, test := range []struct {
		set     *appsv1.StatefulSet
		pods    string
		release string
		want    bool
	}{
		{setOf(2, 0, ""), "db-0, db-1", "1.36", true},
		{setOf(2, 0, ""), "db-0, db-1", "1.37", true},
		{setOf(2, 0, ""), "db-0", "1.37", false},
		{setOf(1, 0, ""), "db-0, db-1", "1.37", false},
		{setOf(1, 0, ""), "db-7", "1.37", true}, // only the number counts
		{setOf(1, 0, ""), "db-0 old", "1.37", false},
		{setOf(2, 1, ""), "db-0 old, db-1", "1.37", false},
		{setOf(1, 0, ""), "db-0 starts", "1.37", false},
		{setOf(1, 0, ""), "db-0 leaves", "1.37", false},
		{setOf(0, 0, ""), "", "1.37", true},
		{onDelete, "db-0", "1.36", false},
		{onDelete, "db-0", "1.37", true},
		{ofStrategy("Recreate", setOf(1, 0, "")), "db-0", "1.36", false},
		{ofStrategy("Recreate", setOf(1, 0, "")), "db-0", "1.38", true},
	} {
		testkit.Equal(t, ofPods(test.set, podsOfText(test.pods), release.Rules{Release: test.release}).IsUpdated(), test.want, test.pods, "in", test.release)
	}
}

// What was seen of a pod before no longer counts.
func TestStatefulSetSeesAgain(t *testing.T) {
	s := ofPods(setOf(2, 0, ""), podsOfText("db-0 old, db-1, db-2"), release.Rules{})
	for _, test := range []struct{ pod, want string }{
		{"db-2 leaves", ""}, {"db-2", "delete db-2"}, {"db-2 gone", "delete db-0"}, {"db-0", ""}, {"db-0 starts", ""}, {"db-0 gone", "create 0"}, {"db-0", ""}, {"db-1 old", "delete db-1"},
		{"other-1 gone", "delete db-1"},
	} {
		if name, isGone := strings.CutSuffix(test.pod, " gone"); isGone {
			s.See(name, nil)
		} else {
			p := podsOfText(test.pod)[0]
			s.See(p.Object.Name, &p)
		}
		testkit.Equal(t, tellSteps(s.Sync()), test.want, test.pod)
	}
}

func TestOrdinalOf(t *testing.T) {
	for name, want := range map[string]int{"db-0": 0, "db-12": 12, "db-": -1, "db--1": -1, "db-x": -1, "other-0": -1, "0": -1,
		"db-2147483647": 2147483647, "db-2147483648": -1} {
		testkit.Equal(t, controllers.OrdinalOf(setOf(1, 0, ""), name), want, name)
	}
}

// A pod of a former template stays only where its workload says so.
func TestKeeps(t *testing.T) {
	from := setOf(4, 2, "")
	from.Spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: 5}
	for _, test := range []struct {
		workload any
		pod      string
		want     bool
	}{
		{setOf(4, 2, ""), "db-1", true}, {setOf(4, 2, ""), "db-2", false}, {setOf(4, 0, ""), "db-0", false}, {setOf(4, 2, ""), "other", false},
		{from, "db-6", true}, {from, "db-7", false}, {from, "db-4", false},
		{ofStrategy(appsv1.OnDeleteStatefulSetStrategyType, setOf(4, 2, "")), "db-3", true}, {ofStrategy("Recreate", setOf(4, 2, "")), "db-0", false},
		{&appsv1.DaemonSet{Spec: appsv1.DaemonSetSpec{UpdateStrategy: appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}}}, "d", true}, {&appsv1.DaemonSet{}, "d", false},
		{&appsv1.Deployment{Spec: appsv1.DeploymentSpec{Paused: true}}, "d", true}, {&appsv1.Deployment{}, "d", false}, {&appsv1.ReplicaSet{}, "r", false},
	} {
		testkit.Equal(t, controllers.Keeps(test.workload, test.pod), test.want, test.pod)
	}
}
