package answer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/playground/internal/answer"
)

// BenchmarkKeystroke measures the answer about 50 workloads, one of which has changed.
func BenchmarkKeystroke(b *testing.B) {
	text := func(cpu int) string {
		var all strings.Builder
		for i := range 50 {
			amount := 100
			if i == 25 {
				amount = cpu
			}
			fmt.Fprintf(&all, "---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web-%d\n  namespace: shop-%d\nspec:\n  replicas: 3\n"+
				"  selector:\n    matchLabels: {app: web}\n  template:\n    metadata:\n      labels: {app: web}\n    spec:\n      containers:\n"+
				"        - name: app\n          image: registry.example.com/web:1\n          resources:\n            requests: {cpu: %dm, memory: 1Gi}\n"+
				"            limits: {memory: 1Gi}\n        - name: proxy\n          image: registry.example.com/proxy:1\n          resources:\n"+
				"            requests: {cpu: 50m, memory: 64Mi}\n", i, i%5, amount)
		}
		return all.String()
	}
	texts := []string{text(1), text(12)}
	var s answer.Session
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		if _, err := s.Answer(answer.Question{Program: "podreport", Text: texts[n%2]}); err != nil {
			b.Fatal(err)
		}
	}
}
