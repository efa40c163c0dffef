package main

import (
	"fmt"
	"html"
	"os"
	"strings"
	"unicode/utf8"
)

// Lengths of the plot, in pixels.
const (
	plotRow    = 26
	plotLabels = 540
	plotBars   = 460
	plotMargin = 40
	plotTop    = 64
)

// plot draws, for each comparison, how many times as fast as the peer dragoman
// is: the median of the rounds as a bar, the least and the most as a line, and
// the aim as a mark.
func (r *report) plot(path string) error {
	bars := r.bars()
	if len(bars) == 0 {
		return fmt.Errorf("draw %s: nothing was compared", path)
	}
	most := 1.0
	for _, b := range bars {
		most = max(most, b.most, b.aim)
	}
	at := func(speed float64) float64 { return plotLabels + speed/most*plotBars }
	height := plotTop + plotRow*len(bars) + plotMargin
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n",
		plotLabels+plotBars+2*plotMargin, height)
	s.WriteString(`<rect width="100%" height="100%" fill="#ffffff"/>` + "\n")
	text := func(x, y float64, anchor, colour, what string) {
		fmt.Fprintf(&s, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s">%s</text>`+"\n", x, y, anchor, colour, html.EscapeString(what))
	}
	text(plotMargin/2, 22, "start", "#202020", "How many times as fast as CTranslate2's best, or the peer that is named (median; line: slowest to fastest round; red: aim)")
	m := r.Machine
	text(plotMargin/2, 40, "start", "#606060", fmt.Sprintf("%s, %d threads; OpenVINO %s; CTranslate2 %s %s", m.Processor, m.Threads, m.OpenVINO, m.CTranslate2, m.PeerType))
	for i, b := range bars {
		y := float64(plotTop + i*plotRow)
		colour := "#4477aa"
		if b.median < 1 {
			colour = "#bb8844"
		}
		text(plotLabels-8, y+15, "end", "#202020", b.label)
		fmt.Fprintf(&s, `<rect x="%d" y="%.1f" width="%.1f" height="%d" fill="%s"/>`+"\n", plotLabels, y+3, at(b.median)-plotLabels, plotRow-8, colour)
		fmt.Fprintf(&s, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#202020"/>`+"\n", at(b.least), y+12, at(b.most), y+12)
		if b.aim > 0 {
			fmt.Fprintf(&s, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#cc2222" stroke-width="2"/>`+"\n", at(b.aim), y+1, at(b.aim), y+plotRow-3)
		}
		text(at(max(b.most, b.aim))+4, y+15, "start", "#202020", number(b.median))
	}
	bottom := float64(height - plotMargin)
	fmt.Fprintf(&s, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%.1f" stroke="#808080" stroke-dasharray="3 3"/>`+"\n", at(1), plotTop-4, at(1), bottom)
	text(at(1), bottom+16, "middle", "#606060", "1: as fast")
	s.WriteString("</svg>\n")
	if !utf8.ValidString(s.String()) {
		return fmt.Errorf("draw %s: the machine's name is not UTF-8", path)
	}
	return os.WriteFile(path, []byte(s.String()), 0o644)
}

// bar is one comparison, as ratios of speed.
type bar struct {
	label                    string
	least, median, most, aim float64
}

func (r *report) bars() (bars []bar) {
	for _, l := range r.Lines {
		switch l.Name {
		case timeRatio:
			b := bar{label: l.Group, least: 1 / l.Max, median: 1 / l.Median, most: 1 / l.Min}
			if l.Target > 0 {
				b.aim = 1 / l.Target
			}
			bars = append(bars, b)
		case speedRatio:
			bars = append(bars, bar{l.Group, l.Min, l.Median, l.Max, l.Least})
		}
	}
	return bars
}
