package tree

import (
	"fmt"
	"math"
	"math/big"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/examples/internal/svg"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// The picture has an icicle diagram for v1 and one for v2, side by side: the tree from left to right; the
// height of each box is the CPU that it gets. Below them are a table of all pods, since boxes may be too
// low for a label, and the legend. The diagrams are as high as their labels need.

const (
	margin     = 20
	panelWidth = 600
	minHeight  = 600  // of the panels
	maxHeight  = 1600 // of the panels
	header     = 70   // above the panels
	gap        = 40   // between the panels
	lineHeight = 16
	padding    = 4
	totalWidth = 2*margin + 2*panelWidth + gap
)

// picture returns the tree as an SVG.
func picture(root *group, milliCPU int64) string {
	var d drawing
	shown, title := shownCPU(root, milliCPU)
	d.Text(margin, 28, `font-weight="bold" font-size="16"`, title)
	scale := big.NewRat(panelHeight(root, shown), 1)
	scale.Quo(scale, shown)
	height := pixels(shown, scale)
	for i, p := range panels() {
		x := margin + i*(panelWidth+gap)
		d.Text(float64(x), 56, `font-weight="bold" font-size="13"`, p.title)
		d.Rect(float64(x), header, panelWidth, height, "#ffffff", "the node")
		d.icicle(root, float64(x), header, scale, p.cpu)
	}
	bottom := d.podTable(root, header+height+30)
	bottom = d.legend(bottom + 14)
	return d.Document(totalWidth, bottom+margin)
}

// panel is one of the two diagrams.
type panel struct {
	title string
	cpu   func(*group) *big.Rat
}

func panels() [2]panel {
	return [2]panel{
		{"cgroup v1: by shares", func(g *group) *big.Rat { return g.shares }},
		{"cgroup v2: by weights, containers by the logarithmic formula", func(g *group) *big.Rat { return g.mixed }},
	}
}

// shownCPU returns the CPU that the panels stand for, and its title: the CPU of the node, without the
// part that limits keep all groups from using.
func shownCPU(root *group, milliCPU int64) (*big.Rat, string) {
	node, used := new(big.Rat).SetInt64(milliCPU), root.shares
	if root.mixed.Cmp(used) > 0 {
		used = root.mixed
	}
	title := fmt.Sprintf("Shares of %dm CPU if all groups use as much as they can get", milliCPU)
	if used.Sign() == 0 || used.Cmp(node) == 0 {
		return node, title
	}
	return used, title + ": " + amountOf(new(big.Rat).Sub(node, used)) + "m cannot be used, and are not drawn"
}

// panelHeight returns how high a panel has to be so that each box of a pod or a tier has a label.
// Boxes of less than 1% have none.
func panelHeight(root *group, shown *big.Rat) int64 {
	height := int64(minHeight)
	most := new(big.Rat).Mul(shown, big.NewRat(lineHeight, maxHeight))
	for _, p := range panels() {
		for g := range root.all() {
			if cpu := p.cpu(g); g.level != cgroupname.Container && cpu.Cmp(most) >= 0 {
				needed, _ := new(big.Rat).Quo(shown, cpu).Float64()
				height = max(height, int64(math.Ceil(needed*lineHeight)))
			}
		}
	}
	return height
}

// drawing collects the elements of a picture.
type drawing struct{ svg.Drawing }

// columns are the positions of the boxes of a level in a panel. Names of pods are long; pods outside a
// tier begin where the tiers do.
var columns = map[cgroupname.IdentityKind]struct{ from, to float64 }{
	cgroupname.AllPods:   {0, 110},
	cgroupname.Tier:      {110, 240},
	cgroupname.Pod:       {240, 460},
	cgroupname.Container: {460, panelWidth},
}

// icicle draws a group and all groups below it, in the panel at x, from y downwards.
func (d *drawing) icicle(g *group, x, y float64, scale *big.Rat, cpu func(*group) *big.Rat) {
	height := pixels(cpu(g), scale)
	if height == 0 {
		return
	}
	number, at := amountOf(cpu(g))+"m", columns[g.level]
	if g.level == cgroupname.Pod && g.class == corev1.PodQOSGuaranteed {
		at.from = columns[cgroupname.Tier].from
	}
	d.Rect(x+at.from, y, at.to-at.from, height, color(g), g.title()+" "+number)
	if height >= lineHeight {
		d.Text(x+at.from+padding, y+height/2+svg.FontSize/2-1, "", g.label(number, at.to-at.from-2*padding))
	}
	for _, child := range g.children {
		d.icicle(child, x, y, scale, cpu)
		y += pixels(cpu(child), scale)
	}
}

// title returns "storefront ×3" for three pods.
func (g *group) title() string { return wording.Printable(g.name) + g.times() }

func (g *group) times() string {
	if g.pods == 1 {
		return ""
	}
	return fmt.Sprintf(" ×%d", g.pods)
}

// label returns the name of a group, shortened to a width, with its number.
func (g *group) label(number string, width float64) string {
	number = g.times() + " " + number
	rest := width - float64(utf8.RuneCountInString(number))*svg.CharWidth
	return svg.Fitted(wording.Printable(g.name), rest) + number
}

func pixels(cpu, scale *big.Rat) float64 {
	f, _ := new(big.Rat).Mul(cpu, scale).Float64()
	return f
}

// podTable draws the CPU of each pod, or of the pods of one owner together, and returns where it ends.
func (d *drawing) podTable(root *group, y float64) float64 {
	d.Text(margin, y, `font-weight="bold"`, row("pod", "class", "v1", "v2", "move"))
	for g := range root.all() {
		if g.level == cgroupname.Pod {
			y += lineHeight
			title := svg.Fitted(wording.Printable(g.name), titleWidth*svg.CharWidth-float64(utf8.RuneCountInString(g.times()))*svg.CharWidth) + g.times()
			d.Text(margin, y, "", row(title, string(g.class), amountOf(g.shares)+"m", amountOf(g.mixed)+"m", change(g.shares, g.mixed)))
		}
	}
	return y + lineHeight
}

// titleWidth is how many characters of a title the table has.
const titleWidth = 60

// row returns a row of the table, as wide as the picture.
func row(title, class, v1, v2, move string) string {
	return fmt.Sprintf("%-*s  %-10s  %14s  %14s  %8s", titleWidth, title, class, v1, v2, move)
}

// legend draws the meaning of the colors, and returns where it ends.
func (d *drawing) legend(y float64) float64 {
	x := float64(margin)
	for _, entry := range []struct{ color, text string }{
		{color(&group{level: cgroupname.AllPods}), "root of all pods"},
		{classColor(corev1.PodQOSGuaranteed), "Guaranteed"},
		{classColor(corev1.PodQOSBurstable), "Burstable"},
		{classColor(corev1.PodQOSBestEffort), "BestEffort"},
		{"#ffffff", "cannot be used"},
	} {
		d.Rect(x, y-10, 12, 12, entry.color, entry.text)
		d.Text(x+18, y, "", entry.text)
		x += 18 + float64(len(entry.text))*svg.CharWidth + 24
	}
	for _, line := range []string{
		"From left to right: the root, tiers and Guaranteed pods, pods, containers. The height of a box is its CPU; small boxes show their names under the",
		"pointer. ×3 stands for three pods with the same owner or spec, and their total. Weights of tiers and pods are those",
		"of the kubelet, by the linear formula.",
	} {
		y += lineHeight + 2
		d.Text(margin, y, `fill="#555555"`, line)
	}
	return y
}

// color returns the color of a group: that of its class, and gray for the root.
func color(g *group) string {
	if g.level == cgroupname.AllPods {
		return "#d9d9d9"
	}
	return classColor(g.class)
}

func classColor(class corev1.PodQOSClass) string {
	switch class {
	case corev1.PodQOSGuaranteed:
		return "#a6d8a8"
	case corev1.PodQOSBurstable:
		return "#ffe08a"
	default:
		return "#f4b6a6"
	}
}
