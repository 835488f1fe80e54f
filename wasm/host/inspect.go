package host

import (
	"bytes"
	"strings"

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
	add := func(mark string, texts []string) {
		for _, text := range texts {
			if len(lines) == maxInspectLines {
				cut = true
				return
			}
			lines = append(lines, link.DiffLine{Mark: mark, Text: text})
		}
	}
	b := strings.Split(after, "\n")
	if before == "" {
		add("", b)
		return lines, cut
	}
	a := strings.Split(before, "\n")
	i, j := 0, 0
	for _, m := range matches(a, b) {
		add("-", a[i:m.a])
		add("+", b[j:m.b])
		add("", b[m.b:m.b+m.n])
		i, j = m.a+m.n, m.b+m.n
	}
	add("-", a[i:])
	add("+", b[j:])
	return lines, cut
}
