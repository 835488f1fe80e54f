package picture

import (
	"bytes"
	"strings"

	"github.com/goccy/go-json"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/wasm/link"
)

// maxInspectLines is how much of an object the page is sent: a viewer reads
// some hundred lines, and each is an element.
const maxInspectLines = 4000

// IndentJSON indents an object, in the order in which the server wrote its
// fields. Bytes that are no JSON come back as they are.
func IndentJSON(raw []byte) string {
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		return string(raw)
	}
	return out.String()
}

// Diff lists the lines of after. New lines are marked "+", and the lines that
// before had in their place come ahead of them, marked "-". Where before is ""
// nothing is marked. It reports whether the list was cut, because a page shows
// no more.
func Diff(before, after string) (lines []link.DiffLine, cut bool) {
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

// Versions finds the version before r and the version after it of the object
// that r is a version of; 0 where there is none.
func Versions(t *object.Table, r object.Ref) (prev, next object.Ref) {
	k := t.KeyOf(r)
	for prev = r - 1; prev > 0 && t.KeyOf(prev) != k; prev-- {
	}
	for next = r + 1; int(next) < t.Len(); next++ {
		if t.KeyOf(next) == k {
			return max(prev, 0), next
		}
	}
	return max(prev, 0), 0
}
