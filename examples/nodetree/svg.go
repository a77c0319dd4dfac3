package main

import (
	"fmt"
	"math/big"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup/nodetree"
	"github.com/kubemath/kubemath/examples/internal/svg"
)

// The picture is an icicle for v1 and one for v2, side by side: the tree from left to
// right, and the height of each box the CPU that it gets. Below them is a table of all
// pods, since boxes may be too low for a label, and the legend.

const (
	margin      = 20
	column      = 150 // width of a level of the tree
	levels      = 4   // root, tiers, pods, containers
	panelWidth  = levels * column
	panelHeight = 600
	gap         = 40 // between the panels
	header      = 70 // above the panels
	lineHeight  = 16
	padding     = 4
	totalWidth  = 2*margin + 2*panelWidth + gap
)

// picture returns the tree as an SVG.
func picture(root *nodetree.Tree, milliCPU int64) string {
	var d drawing
	d.Text(margin, 28, `font-weight="bold" font-size="16"`, fmt.Sprintf("Who gets which part of %dm CPU when all want it", milliCPU))
	scale := big.NewRat(panelHeight, milliCPU)
	for i, p := range panels() {
		x := margin + i*(panelWidth+gap)
		d.Text(float64(x), 56, `font-weight="bold" font-size="13"`, p.title)
		d.Rect(float64(x), header, panelWidth, panelHeight, "#ffffff", "the node")
		d.icicle(root, box{x: float64(x), y: header}, scale, p.cpu)
	}
	bottom := d.podTable(root, header+panelHeight+30)
	bottom = d.legend(bottom + 14)
	return d.Document(totalWidth, bottom+margin)
}

// panel is one of the two icicles.
type panel struct {
	title string
	cpu   func(*nodetree.Tree) *big.Rat
}

func panels() [2]panel {
	return [2]panel{
		{"cgroup v1: by shares", func(g *nodetree.Tree) *big.Rat { return g.CPU.Shares }},
		{"cgroup v2: by weights, containers by the logarithmic formula", func(g *nodetree.Tree) *big.Rat { return g.CPU.Mixed }},
	}
}

// drawing collects the elements of a picture.
type drawing struct{ svg.Drawing }

type box struct{ x, y float64 }

// icicle draws a group and all below it, its upper left corner at a box.
func (d *drawing) icicle(g *nodetree.Tree, at box, scale *big.Rat, cpu func(*nodetree.Tree) *big.Rat) {
	height := pixels(cpu(g), scale)
	if height == 0 {
		return
	}
	text := printable(g.Title) + " " + amountOf(cpu(g)) + "m"
	width := float64(column)
	if g.Level == nodetree.Container { // up to the end, also where there is no tier
		width = at.endOfPanel() - at.x
	}
	d.Rect(at.x, at.y, width, height, color(g), text)
	if height >= lineHeight {
		d.Text(at.x+padding, at.y+height/2+svg.FontSize/2-1, "", svg.Fitted(text, width-2*padding))
	}
	below := box{at.x + column, at.y}
	for i := range g.Children {
		d.icicle(&g.Children[i], below, scale, cpu)
		below.y += pixels(cpu(&g.Children[i]), scale)
	}
}

// endOfPanel returns where the panel ends in which a box is.
func (b box) endOfPanel() float64 {
	if end := float64(margin + panelWidth); b.x < end {
		return end
	}
	return margin + 2*panelWidth + gap
}

func pixels(cpu, scale *big.Rat) float64 {
	f, _ := new(big.Rat).Mul(cpu, scale).Float64()
	return f
}

// podTable draws what each pod gets, and returns where it ends.
func (d *drawing) podTable(root *nodetree.Tree, y float64) float64 {
	d.Text(margin, y, `font-weight="bold"`, row("pod", "class", "v1", "v2", "move"))
	for _, g := range root.All() {
		if g.Level == nodetree.Pod {
			y += lineHeight
			d.Text(margin, y, "", row(printable(g.Title), string(g.Class), amountOf(g.CPU.Shares)+"m", amountOf(g.CPU.Mixed)+"m", move(g)))
		}
	}
	return y + lineHeight
}

// row returns a row of the table, of which the widths fit the picture.
func row(title, class, v1, v2, move string) string {
	return fmt.Sprintf("%-60s  %-10s  %14s  %14s  %8s", svg.Fitted(title, 60*svg.CharWidth), class, v1, v2, move)
}

// legend draws what the colors mean, and returns where it ends.
func (d *drawing) legend(y float64) float64 {
	x := float64(margin)
	for _, entry := range []struct{ color, text string }{
		{color(&nodetree.Tree{Level: nodetree.Root}), "root of all pods"},
		{classColor(corev1.PodQOSGuaranteed), "Guaranteed"},
		{classColor(corev1.PodQOSBurstable), "Burstable"},
		{classColor(corev1.PodQOSBestEffort), "BestEffort"},
		{"#ffffff", "nobody can use it"},
	} {
		d.Rect(x, y-10, 12, 12, entry.color, entry.text)
		d.Text(x+18, y, "", entry.text)
		x += 18 + float64(len(entry.text))*svg.CharWidth + 24
	}
	for _, line := range []string{
		"From left to right: the root, tiers and Guaranteed pods, pods, containers. The height of a box is the CPU that it gets; boxes too low for a label",
		"name themselves when pointed at. Weights of tiers and pods are those of the kubelet, by the linear formula.",
	} {
		y += lineHeight + 2
		d.Text(margin, y, `fill="#555555"`, line)
	}
	return y
}

// color returns the color of a group: that of its class, and gray for the root.
func color(g *nodetree.Tree) string {
	if g.Level == nodetree.Root {
		return "#d9d9d9"
	}
	return classColor(g.Class)
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
