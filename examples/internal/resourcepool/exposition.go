package resourcepool

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/poolmetrics"
	"github.com/kubemath/kubemath/pool"
)

// showMetrics prints the metrics in the text format of Prometheus.
func showMetrics(w io.Writer, c *cluster) {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`) // only these, unlike in Go
	for _, m := range poolmetrics.Collect(c.pools, c.claims, pool.Options{API: pool.Documented}) {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s gauge\n", m.Name, m.Help, m.Name)
		for _, s := range m.Samples {
			labels := make([]string, len(s.Labels))
			for i, l := range s.Labels {
				labels[i] = l.Name + `="` + escape.Replace(l.Value) + `"`
			}
			fmt.Fprintf(w, "%s{%s} %s\n", m.Name, strings.Join(labels, ","), strconv.FormatFloat(s.Value, 'g', -1, 64))
		}
	}
	fmt.Fprintln(w)
}
