package browser_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/browser"
)

// shown is the tree of the page that the report is in.
const shown = `document.querySelector("#shown").shadowRoot`

// serve runs the playground, and returns its address.
func serve(t *testing.T) string {
	t.Helper()
	cmd := exec.Command(build(t, "playground"), "-addr", "localhost:0")
	cmd.Dir, cmd.Stderr = "../..", os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// many returns as many Deployments of three containers each.
func many(n int) string {
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

// eval returns the value of a script.
func eval[T any](t *testing.T, page *browser.Page, script string) (value T) {
	t.Helper()
	if err := page.Eval(script, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// do runs a script.
func do(t *testing.T, page *browser.Page, script string) {
	t.Helper()
	if err := page.Eval(script, nil); err != nil {
		t.Fatal(err)
	}
}

// await waits until a script is true.
func await(t *testing.T, page *browser.Page, script string) {
	t.Helper()
	if !eval[bool](t, page, `new Promise(done => {
		const end = performance.now() + 20000;
		(function look() {
			if (`+script+`) done(true);
			else if (performance.now() > end) done(false);
			else setTimeout(look, 10);
		})();
	})`) {
		t.Fatalf("never true: %s", script)
	}
}

func TestPlayground(t *testing.T) {
	b, address := chromium(t), serve(t)
	page, err := b.Open(address, views[1])
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	await(t, page, `performance.getEntriesByName("report").length`)
	t.Logf("first report after %.0f ms", eval[float64](t, page, `performance.getEntriesByName("report")[0].startTime`))
	// keys
	do(t, page, `document.querySelector("#text").select()`)
	if err := page.Type(many(50)); err != nil {
		t.Fatal(err)
	}
	await(t, page, shown+`.querySelectorAll("details.account").length === 50`)
	do(t, page, `(() => {
		const text = document.querySelector("#text"), at = text.value.indexOf("cpu: 225m") + "cpu: 225".length;
		text.focus();
		text.setSelectionRange(at, at);
		window.took = [];
		addEventListener("input", event => window.since = event.timeStamp, true);
		new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => took.push(performance.now() - since)))).observe(`+shown+`, {subtree: true, childList: true, characterData: true, attributes: true});
	})()`)
	var all []float64
	for i := range 40 {
		key := "3"
		if i%2 == 1 {
			key = "Backspace"
		}
		press(t, page, key)
		await(t, page, fmt.Sprintf("took.length === %d", i+1))
	}
	all = eval[[]float64](t, page, "took")
	t.Logf("keystrokes: %.0f", all)
	slices.Sort(all)
	t.Logf("median %.0f", all[len(all)/2])
	t.Log(eval[string](t, page, `document.querySelector("#took").textContent`))
	for _, f := range page.Faults() {
		t.Errorf("on the console: %s", f)
	}
	_ = json.Valid
	_ = filepath.Join
}
