package host

import (
	"bytes"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/goccy/go-json"

	"github.com/informerscope/informerscope/wasm/link"
)

// maxInspectLines is how much of an object the page is sent: a viewer reads
// some hundred lines, and each is an element.
const maxInspectLines = 4000

// prettyJSON indents an object, in the order in which the server wrote its
// fields. Bytes that are no JSON come back as they are.
func prettyJSON(raw []byte) string {
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		return string(raw)
	}
	return out.String()
}

// diffLines lists the lines of after, with the lines that before had in their
// place marked "-" and the new ones "+". Without a before nothing is marked.
func diffLines(before, after string) (lines []link.DiffLine, cut bool) {
	add := func(mark, text string) {
		for line := range strings.Lines(text) {
			if len(lines) == maxInspectLines {
				cut = true
				return
			}
			lines = append(lines, link.DiffLine{Mark: mark, Text: strings.TrimSuffix(line, "\n")})
		}
	}
	if before == "" {
		add("", after)
		return lines, cut
	}
	at := 0
	for _, e := range udiff.Lines(before, after) {
		add("", before[at:e.Start])
		add("-", before[e.Start:e.End])
		add("+", e.New)
		at = e.End
	}
	add("", before[at:])
	return lines, cut
}
