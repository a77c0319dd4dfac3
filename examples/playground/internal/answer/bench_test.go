package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/podreport/page"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

func BenchmarkParts(b *testing.B) {
	var all strings.Builder
	for i := range 50 {
		fmt.Fprintf(&all, `---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-%[1]d
  namespace: shop-%[2]d
spec:
  replicas: 3
  selector:
    matchLabels: {app: web-%[1]d}
  template:
    metadata:
      labels: {app: web-%[1]d}
    spec:
      initContainers:
        - name: proxy
          image: registry.example.com/proxy:1.29
          restartPolicy: Always
          resources:
            requests: {cpu: 1%02[1]dm, memory: 64Mi}
            limits: {cpu: 500m, memory: 128Mi}
      containers:
        - name: app
          image: registry.example.com/web:4.2.0
          resources:
            requests:
              cpu: 2%02[1]dm
              memory: 256Mi
            limits:
              memory: 512Mi
        - name: cache
          image: registry.example.com/cache:7
          resources:
            requests: {cpu: 50m, memory: 1Gi}
            limits: {memory: 1Gi}
`, i, i%5)
	}
	text := all.String()
	read := func() *manifest.Input {
		return manifest.ReadFile(File, strings.NewReader(text), manifest.Options{Home: "default", Check: objects.Warn})
	}
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			read()
		}
	})
	b.Run("report", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			b.StopTimer()
			in := read()
			b.StartTimer()
			report.Of(in, report.Size{})
		}
	})
	r := report.Of(read(), report.Size{})
	b.Run("page", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s := page.Body(r)
			b.ReportMetric(float64(len(s)), "bytes")
		}
	})
}
