package answer

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/podreport/page"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

func manyT(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `---
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
	return b.String()
}

func TestTmp(t *testing.T) {
	text := manyT(2000)
	var s Session
	for i := range 4 {
		t0 := time.Now()
		read := objects.Reader{Kinds: manifest.Kinds, Check: objects.Warn, Cache: &s.cache}
		n := 0
		seq := read.File(File, strings.NewReader(text))
		if i >= 2 {
			for range seq { n++ }
			fmt.Println("read", n, time.Since(t0)); t0 = time.Now()
		}
		in := manifest.Of(read.File(File, strings.NewReader(text)), manifest.Options{Home: "default"})
		t1 := time.Now()
		r := report.Of(in, report.Options{})
		t2 := time.Now()
		p := problemsOf(r, text)
		t3 := time.Now()
		h := page.Body(r)
		t4 := time.Now()
		fmt.Println(len(text), "manifest", t1.Sub(t0), "report", t2.Sub(t1), "problems", len(p), t3.Sub(t2), "page", len(h), t4.Sub(t3))
	}
}
