package tree

import (
	"encoding/xml"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/examples/internal/svg"
)

// checkPicture checks that no label overlaps another, that all are within the picture,
// and that a label on a box is within it.
func checkPicture(t *testing.T, document string) {
	t.Helper()
	found, err := svg.Misplaced(document, true)
	if err != nil || len(found) > 0 {
		t.Errorf("%v %q", err, found)
	}
	for _, want := range []string{"cgroup v1: by shares", "cgroup v2: by weights, containers by the logarithmic formula", "Guaranteed", "Burstable", "BestEffort", "root of all pods"} {
		if !strings.Contains(document, ">"+want+"<") {
			t.Errorf("it does not say %q", want)
		}
	}
}

func TestPictureIsReadable(t *testing.T) {
	checkPicture(t, runWith("", "-svg").Stdout)
	for _, cpu := range []string{"1m", "137m", "4", "64"} {
		t.Run(cpu, func(t *testing.T) { checkPicture(t, runWith("", "-svg", "-cpu", cpu).Stdout) })
	}
	checkPicture(t, runWith("", "-f", "testdata/workloads.yaml", "-cpu", "2", "-svg").Stdout)
	checkPicture(t, output(t, "# nothing", "-svg"))
}

// A full node, of pods with long names, some of which get next to nothing.
func TestPictureOfAFullNode(t *testing.T) {
	var manifests strings.Builder
	for i := range 110 {
		fmt.Fprintf(&manifests, "---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: a-namespace-of-some-length, name: %s-%d}\nspec:\n  containers:\n"+
			"  - {name: app, resources: {requests: {cpu: %dm}, limits: {cpu: %dm}}}\n  - {name: <&>}\n", strings.Repeat("long", 10+i%20), i, i*i%700, i*i%700+i%3*200)
	}
	checkPicture(t, output(t, manifests.String(), "-svg", "-cpu", "16"))
}

// Boxes are as high as the CPU that they stand for: those of a level add up to no more than
// the node, and none overlaps another of its level.
func TestHeights(t *testing.T) {
	_, boxes, _, err := svg.Read(runWith("", "-svg").Stdout)
	if err != nil {
		t.Fatal(err)
	}
	levels := map[float64][]svg.Space{}
	panel := boxes[0].Height // of a least box of 35/8 of 200 that has a label
	if panel < 600 || panel*35/8/200 < lineHeight {
		t.Errorf("the panel is %v high", panel)
	}
	for _, b := range boxes {
		if b.Width != panelWidth { // the frame
			levels[b.X] = append(levels[b.X], b)
		}
	}
	first := levels[margin+columns[cgroupname.Tier].from]
	want := []float64{110, 20, 525. / 8, 35. / 8} // of 200
	for i, b := range first[:4] {
		if math.Abs(b.Height-want[i]*panel/200) > 0.01 {
			t.Errorf("box %d is %v high, want %v", i, b.Height, want[i]*panel/200)
		}
	}
	for x, level := range levels {
		for i, a := range level {
			for _, b := range level[:i] {
				if a.Overlaps(b) {
					t.Errorf("boxes overlap at %v: %v and %v", x, a.Y, b.Y)
				}
			}
		}
	}
}

// replicas returns pods of one ReplicaSet.
func replicas(n int, namespace, set, spec string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: %s, name: %s-%d, ownerReferences: [{kind: ReplicaSet, name: %s, controller: true}]}\nspec: {%s}\n", namespace, set, i, set, spec)
	}
	return b.String()
}

// What 55 pods of four owners say in the picture, of which one has pods of two classes.
func TestPictureOfReplicas(t *testing.T) {
	const (
		small = "containers: [{name: app, resources: {requests: {cpu: 50m}}}, {name: proxy, resources: {requests: {cpu: 10m}}}]"
		large = "containers: [{name: app, resources: {requests: {cpu: 150m}}}]"
		whole = "containers: [{name: app, resources: {limits: {cpu: 500m, memory: 1Gi}}}]"
	)
	set := "---\napiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {namespace: shop, name: storefront-7d9f, ownerReferences: [{kind: Deployment, name: storefront, controller: true}]}\n" +
		"spec: {replicas: 20, template: {spec: {" + small + "}}}\n"
	manifests := replicas(20, "shop", "storefront-7d9f", small) + replicas(12, "shop", "checkout", small) + replicas(20, "shop", "search", large) + replicas(3, "shop", "database", whole) + set
	picture := output(t, manifests, "-svg", "-cpu", "8")
	checkPicture(t, picture)
	_, _, texts, err := svg.Read(picture)
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]int{} // without the number
	for _, text := range texts {
		said[text.Text[:strings.LastIndexByte(text.Text, ' ')+1]]++
	}
	for _, want := range []string{"database ×3 ", "search ×20 ", "checkout ×12 ", "storefront ×20 ", "app ×12 "} {
		if said[want] != 2 { // once in each panel
			t.Errorf("%d boxes say %q: %v", said[want], want, said)
		}
	}
	for text := range said {
		if strings.Contains(text, "shop/") {
			t.Errorf("%q has the namespace that all share", text)
		}
	}
	if both := output(t, manifests+replicas(1, "other", "x", small), "-svg", "-cpu", "8"); !strings.Contains(both, "shop/storefront ×20") {
		t.Error("names of two namespaces are without them")
	}
}

// The box of a long name still shows the complete count.
func TestNumbersAreWhole(t *testing.T) {
	g := &group{name: strings.Repeat("long", 30), pods: 12}
	for width := 100.; width < 300; width += 7 {
		if got := g.label("1234.5m", width); !strings.HasSuffix(got, " ×12 1234.5m") || float64(len([]rune(got)))*svg.CharWidth > width && width > 120 {
			t.Errorf("in %v: %q", width, got)
		}
	}
}

// CPU that no pod can use is mentioned, but not drawn.
func TestPictureOfAnIdleNode(t *testing.T) {
	picture := output(t, replicas(2, "shop", "web", "containers: [{name: app, resources: {limits: {cpu: 100m, memory: 1Gi}}}]"), "-svg", "-cpu", "8")
	checkPicture(t, picture)
	_, boxes, _, err := svg.Read(picture)
	if err != nil {
		t.Fatal(err)
	}
	if frame, root := boxes[0], boxes[1]; frame.Height != root.Height {
		t.Errorf("the root of all pods is %v of %v high", root.Height, frame.Height)
	}
	if want := ": 7800m cannot be used, and are not drawn<"; !strings.Contains(picture, want) {
		t.Errorf("missing: %s", want)
	}
}

// FuzzManifests runs the program on arbitrary input: it writes output besides notes, or fails with
// a reason.
func FuzzManifests(f *testing.F) {
	data, err := fs.ReadFile(samples, "samples/document.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(data))
	f.Add(`{"kind": "List", "items": [{"kind": "Deployment", "metadata": {"name": "a"}, "spec": {"replicas": 2, "template": {}}}]}`)
	f.Fuzz(func(t *testing.T, manifests string) {
		if len(manifests) > 4096 {
			return // too large to be fast
		}
		for _, args := range [][]string{{"-svg"}, {"-files", "v1"}, nil} {
			got := runWith(manifests, append([]string{"-f", "-"}, args...)...)
			switch {
			case got.Code == 0 && got.Stdout != "":
			case (got.Code == 1 || got.Code == 2) && got.Stderr != "":
			default:
				t.Errorf("exit code %d, stdout %q, stderr %q", got.Code, got.Stdout, got.Stderr)
			}
			if got.Code == 0 && len(args) == 1 {
				if err := xml.Unmarshal([]byte(got.Stdout), new(struct{})); err != nil {
					t.Errorf("not XML: %v", err)
				}
			}
		}
	})
}
