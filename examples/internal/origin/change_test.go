package origin_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/internal/testkit"
)

// What is applied has names that the API server accepts; those of a cluster are read as they are.
func TestChangeNames(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.yaml")
	testkit.OK(t, os.WriteFile(file, []byte("{apiVersion: v1, kind: ConfigMap, metadata: {name: A}}\n"), 0o600))
	var c command.Common
	command.NewFlags(&c, "test", "", "", "", io.Discard, io.Discard, "text")
	c.Apply("what is applied")
	testkit.OK(t, c.Parse([]string{"-on", file, "-f", file}, nil))
	change, cluster := origin.Change(&c, nil, nil)
	testkit.Equal(t, len(change.Objects), 0, "objects of the change")
	testkit.Equal(t, len(cluster.Objects), 1, "objects of the cluster")
	testkit.Equal(t, len(change.Graded(objects.Invalid)), 1, "what is invalid in the change")
	testkit.Equal(t, len(cluster.Problems), 0, "problems of the cluster")
}
