package trace

import (
	"bytes"
	"strings"
	"testing"
)

// Edits stand after the header, and older ones are left out. Readers find them, with and
// without a glance.
func TestEditsFollowTheHeader(t *testing.T) {
	const header, event = `{"informerscope":"trace","version":1}` + "\n", `{"t":5,"mark":{"text":"x"}}` + "\n"
	write := func(lines, edits string) string {
		var b bytes.Buffer
		w := WithEdits(&b, edits)
		for line := range strings.Lines(lines) {
			if n, err := w.Write([]byte(line)); n != len(line) || err != nil {
				t.Fatal(n, err)
			}
		}
		return b.String()
	}
	const first, second = `{"way":[{"step":3,"line":"break watch pods"}]}`, `{"way":[]}`
	one := write(header+event, first)
	if want := header + `{"t":0,"future":` + first + "}\n" + event; one != want {
		t.Fatalf("with edits the trace is\n%s", one)
	}
	if two := write(one, second); two != header+`{"t":0,"future":`+second+"}\n"+event {
		t.Errorf("with other edits the trace is\n%s", two)
	}
	if none := write(one, ""); none != header+event {
		t.Errorf("without edits the trace is\n%s", none)
	}

	read := func(text string) string {
		lines := strings.SplitAfter(text, "\n")
		tr := &Trace{}
		d, err := NewDecoder(tr, []byte(lines[0]))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines[1:] {
			if line == "" {
				continue
			}
			if err := d.Line([]byte(line), 0); err != nil {
				t.Fatal(err)
			}
		}
		if len(tr.Marks) != 1 {
			t.Errorf("there are %d marks", len(tr.Marks))
		}
		return string(tr.Edits)
	}
	if got := read(one); got != first {
		t.Errorf("the edits are read as %s", got)
	}
	if got := read(header + event); got != "" {
		t.Errorf("where there are no edits, they are read as %s", got)
	}
	if got := read(write(header+event, `{"way":"`+strings.Repeat("x", maxEdits)+`"}`)); got != "" {
		t.Errorf("edits of %d bytes are read", len(got))
	}
}
