package podreport_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
)

// workload is a Deployment as people write it, of a kilobyte.
const workload = `---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-%[1]d
  namespace: shop-%[2]d
  labels: {app: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: app
        image: registry.example.com/shop/web:v1.2.3
        args: [--port=8080, --log-level=info]
        ports:
        - containerPort: 8080
        env:
        - name: DATABASE
          value: postgres://database.shop.svc:5432/shop
        - name: POD_NAME
          valueFrom:
            fieldRef:
              fieldPath: metadata.name
        resources:
          requests:
            cpu: 250m
            memory: 256Mi
          limits:
            memory: 512Mi
        livenessProbe:
          httpGet:
            path: /healthz
            port: 8080
          periodSeconds: 10
        volumeMounts:
        - name: config
          mountPath: /etc/web
      volumes:
      - name: config
        configMap: {name: web}
`

func writeWorkloads(to io.Writer, n int) {
	for i := range n {
		fmt.Fprintf(to, workload, i, i/100)
	}
}

// fileOf returns a file with what is written.
func fileOf(tb testing.TB, name string, write func(io.Writer, int), n int) (path string, size int64) {
	path = filepath.Join(tb.TempDir(), name)
	file, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	w := bufio.NewWriter(file)
	write(w, n)
	if err := w.Flush(); err != nil {
		tb.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil {
		tb.Fatal(err)
	}
	return path, info.Size()
}

// decodeItems decodes the items of a list into pods by encoding/json.
func decodeItems(tb testing.TB, path string) (n int) {
	file, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	d := json.NewDecoder(file)
	for token := json.Token(nil); token != json.Delim('['); {
		token, err = d.Token()
		if err != nil {
			tb.Fatal(err)
		}
	}
	for ; d.More(); n++ {
		if err := d.Decode(new(corev1.Pod)); err != nil {
			tb.Fatal(err)
		}
	}
	return n
}

func reportOf(tb testing.TB, path string) {
	var stderr bytes.Buffer
	if code := run([]string{"-f", path, "-o", "json"}, nil, io.Discard, &stderr); code != 0 {
		tb.Fatalf("exit code %d: %s", code, stderr.String())
	}
}

// BenchmarkReport reports on pods and on workloads. What decoders take for them is in the benchmarks of package objects.
func BenchmarkReport(b *testing.B) {
	for _, large := range inputs {
		path, size := fileOf(b, large.name, large.write, large.full/50)
		b.Run(large.name, func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				reportOf(b, path)
			}
		})
	}
}

// inputs are large ones: how many objects they have at full size, and what a report on them may take, in MiB.
var inputs = []struct {
	name       string
	write      func(io.Writer, int)
	full, most int
}{
	{"pods.json", golden.WritePods, 20_000, 300},
	{"workloads.yaml", writeWorkloads, 50_000, 600},
}

const leastMemory = 80 // MiB, whatever the size

// fullSize is the environment variable that makes TestSize run at full size.
const fullSize = "PODREPORT_FULL_SIZE"

// childInput names the file that the test reports on, as a process of its own.
const childInput = "PODREPORT_INPUT"

// TestSize reports on large inputs in a separate process, and checks its peak memory.
func TestSize(t *testing.T) {
	if path := os.Getenv(childInput); path != "" {
		command.LimitMemory()
		reportOf(t, path)
		status, err := os.ReadFile("/proc/self/status")
		fmt.Println(string(status), err)
		return
	}
	if runtime.GOOS != "linux" || testing.Short() || measure.Race {
		t.Skip("the peak of memory is that of /proc, and not of the race detector")
	}
	for _, test := range inputs {
		n, most := test.full/20, leastMemory+test.most/20
		if os.Getenv(fullSize) != "" {
			n, most = test.full, test.most
		}
		path, size := fileOf(t, test.name, test.write, n)
		child := exec.Command(os.Args[0], "-test.run=^TestSize$", "-test.v")
		child.Env = append(os.Environ(), childInput+"="+path)
		begin := time.Now()
		output, err := child.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, output)
		}
		_, after, _ := strings.Cut(string(output), "VmHWM:")
		kib, err := strconv.Atoi(strings.Fields(after)[0])
		testkit.OK(t, err)
		t.Logf("%s: %d objects, %d MB, in %v: %d MiB of memory", test.name, n, size/1_000_000, time.Since(begin).Round(time.Millisecond), kib>>10)
		if kib>>10 > most {
			t.Errorf("%s: %d objects take %d MiB, want at most %d", test.name, n, kib>>10, most)
		}
	}
}

// TestSpeed compares medians with json.Decoder, at full size only, because other load on the
// machine would make it fail.
func TestSpeed(t *testing.T) {
	if os.Getenv(fullSize) == "" {
		t.Skip("set " + fullSize + " to compare times")
	}
	path, _ := fileOf(t, "pods.json", golden.WritePods, inputs[0].full)
	var own, others []time.Duration
	for range 5 {
		begin := time.Now()
		reportOf(t, path)
		own = append(own, time.Since(begin))
		begin = time.Now()
		decodeItems(t, path)
		others = append(others, time.Since(begin))
	}
	slices.Sort(own)
	slices.Sort(others)
	ratio := own[2].Seconds() / others[2].Seconds()
	t.Logf("medians %v and %v of json.Decoder: %.2f times as long", own[2], others[2], ratio)
	if ratio > 1.5 {
		t.Errorf("%.2f times as long, want at most 1.5", ratio)
	}
}
