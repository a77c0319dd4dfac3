package diff

import (
	"errors"
	"io"

	"github.com/kubemath/kubemath/examples/internal/command"
)

type options struct {
	command.Common
	old    command.Files
	on     command.Files
	atOnce bool
	jobs   bool
}

// parseArgs writes errors to stderr itself, as package flag does.
func parseArgs(args []string, stdout, stderr io.Writer) (options, error) {
	var o options
	flags := command.NewFlags(&o.Common, "diff", "What happens if the manifests of -f are applied to a cluster.",
		"some input could not be read, or there was none", "an object or pod is refused, or a pod of them waits", stdout, stderr,
		"text", "json", "markdown")
	flags.Var(&o.on, "on", "the cluster: a `FILE|DIR` of kubectl get -A -o json; or see -old")
	flags.Var(&o.old, "old", "the `FILE|DIR` before: what -f lacks of it is deleted")
	flags.BoolVar(&o.atOnce, "at-once", false, "replace all pods of a Deployment at once")
	flags.BoolVar(&o.jobs, "run-cronjobs", false, "run one Job of each CronJob that is new or changed")
	err := o.Parse(args, func() error {
		if len(o.Files) == 0 && (o.Cluster || len(o.old)+len(o.on) > 0) {
			return errors.New("-f is missing: what is applied")
		}
		return nil
	})
	return o, err
}
