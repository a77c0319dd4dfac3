package replay_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/kubemath/kubemath/internal/replay"
)

// replayers are the recorded questions, each with a function that compares the kernels with one
// case, and reports whether there was anything to compare. Without a function, the file is known,
// but no kernel answers it yet.
var replayers = map[string]func(t *testing.T, raw json.RawMessage) bool{
	"apiserver/pod_admission.json":      replayPodAdmission,
	"apiserver/quota_admission.json":    replayQuotaAdmission,
	"apiserver/limitrange_objects.json": replayLimitRangeObjects,
	"capsule/pool_allocation.json":      replayPoolAllocation,
	"capsule/globalresourcequota.json":  replayGlobalResourceQuota,

	"openshift/clusterresourcequota.json": replayClusterResourceQuota,

	"tekton/limitrange_aggregate.json": replayLimitRangeAggregate,
	"tekton/step_requests.json":        replayStepRequests,
	"tekton/task_level.json":           replayTaskLevel,
	"tekton/affinity.json":             replayAffinity,
	"kubelet/memory_reserve.json":      replayMemoryReserve,
	"kueue/cohort_quota.json":          replayCohortQuota,
	"kueue/cohort_share.json":          replayCohortShares,
	"kueue/cohort_preemption.json":     replayCohortPreemption,
}

func TestReplay(t *testing.T) {
	replayed := map[string]int{}
	for _, root := range replay.Roots() {
		files, err := replay.Read(os.DirFS(root), func(path string) bool { _, known := replayers[path]; return known })
		if err != nil {
			t.Errorf("%s: %v", root, err)
		}
		for _, file := range files {
			replayer := replayers[file.Path]
			name := filepath.Join(root, file.Path)
			if replayer == nil {
				t.Logf("%s: %d cases, which no kernel answers yet", name, len(file.Cases))
				continue
			}
			compared := 0
			for _, raw := range file.Cases {
				if replayer(t, raw) {
					compared++
				}
			}
			t.Logf("%s: replayed %d of %d cases", name, compared, len(file.Cases))
			if compared == 0 {
				t.Errorf("%s: no case could be compared", name)
			}
			replayed[file.Path] += compared
		}
	}
	for path, replayer := range replayers {
		if replayer != nil && replayed[path] == 0 {
			t.Errorf("%s was not replayed", path)
		}
	}
}

// decode reads a case, and rejects unknown fields.
func decode(t *testing.T, raw json.RawMessage, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
}
