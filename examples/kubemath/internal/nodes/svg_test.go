package nodes

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/svg"
)

// checkPicture checks that no text overlaps another or a box, and that all are within the picture.
func checkPicture(t *testing.T, document string) {
	t.Helper()
	found, err := svg.Misplaced(document, false)
	if err != nil || len(found) > 0 {
		t.Errorf("%v %q", err, found)
	}
}

func TestPictureIsReadable(t *testing.T) {
	checkPicture(t, runWith("", "-svg", "-").Stdout)
	checkPicture(t, runWith("", "-pack", "-svg", "-").Stdout)
	checkPicture(t, runWith("", "-shape", "cpu=4,memory=16Gi,example.com/a-resource-with-a-long-name=3", "-svg", "-").Stdout)
	checkPicture(t, runWith(aNode("a", "{cpu: 1}"), "-f", "-", "-svg", "-").Stdout)
	checkPicture(t, runWith(aPod("a", "{cpu: 1}", ""), "-f", "-", "-pack", "-svg", "-").Stdout)
}

// More nodes and resources than a picture shows, with long names, and more requested than there is.
func TestPictureOfManyNodes(t *testing.T) {
	allocatable := "{cpu: 2, memory: 4Gi"
	for i := range 12 {
		allocatable += fmt.Sprintf(", example.com/%s-%d: %d", strings.Repeat("device", 5), i, i%3)
	}
	var input strings.Builder
	for i := range mostRows + 10 {
		input.WriteString(aNode(fmt.Sprintf("ip-10-0-0-%d.eu-central-1.compute.internal", i), allocatable+"}") + "---\n")
		input.WriteString(aPod(fmt.Sprintf("web-%d", i), fmt.Sprintf("{cpu: %dm, memory: 9E, a.b/gpu: 7}", i*i), on(fmt.Sprintf("ip-10-0-0-%d.eu-central-1.compute.internal", i))) + "---\n")
	}
	document := runWith(input.String(), "-f", "-", "-svg", "-").Stdout
	checkPicture(t, document)
	for _, want := range []string{"and 10 further nodes", "&gt;9999%", ">none, 7 requested<"} {
		if !strings.Contains(document, want) {
			t.Errorf("it does not say %q", want)
		}
	}
}

// Bars are as wide as the part that they stand for: of 4 CPUs, 1 is requested, and 2 more by a pod
// that is placed there.
func TestBars(t *testing.T) {
	input := manifests(aNode("a", "{cpu: 4, memory: 8Gi}"), aPod("x", "{cpu: 1}", on("a")), aPod("web", "{cpu: 2}", ""), aPod("big", "{memory: 9Gi}", ""))
	document := runWith(input, "-f", "-", "-svg", "-").Stdout
	_, boxes, _, err := svg.Read(document)
	if err != nil {
		t.Fatal(err)
	}
	var widths []float64
	for _, b := range boxes {
		if b.Y == boxes[0].Y && b.X < columnAt(1)-2 && (b.Fill == colorRequested || b.Fill == colorPlaced) {
			widths = append(widths, b.Width)
		}
	}
	if len(widths) != 2 || math.Abs(widths[0]-barWidth/4.) > 0.01 || math.Abs(widths[1]-barWidth/2.) > 0.01 {
		t.Errorf("widths %v of %d", widths, barWidth)
	}
	marked := 0
	for _, b := range boxes {
		if b.Fill == "none" {
			marked++
			if b.X != columnAt(1)-1 {
				t.Errorf("the mark is at %v, want memory at %v", b.X, columnAt(1)-1)
			}
		}
	}
	if marked != 1 {
		t.Errorf("%d marks, want one", marked)
	}
}
