package redactcmd

import (
	"bufio"
	"io"
	"strings"
	"testing"
)

func TestRedactedName(t *testing.T) {
	for _, c := range []struct {
		in      string
		foreign bool
		want    string
	}{
		{"a/b.trace.jsonl.gz", false, "a/b.redacted.trace.jsonl.gz"}, {"b", false, "b.redacted"}, {"-", false, "-"}, {".b", false, ".b.redacted"},
		{"a/pods.yaml", true, "a/pods.redacted.trace.jsonl"}, {"pods-w.yaml.gz", true, "pods-w.redacted.trace.jsonl.gz"}, {"b", true, "b.redacted.trace.jsonl"}, {"-", true, "-"},
	} {
		if got := redactedName([]string{c.in}, c.foreign); got != c.want {
			t.Errorf("%s: %s", c.in, got)
		}
	}
}

func TestLineReader(t *testing.T) {
	l := lineReader{r: bufio.NewReaderSize(strings.NewReader("short\n"+strings.Repeat("x", 40)+"\n"+strings.Repeat("y", 30)+"\n\nlast"), 16), maxLine: 30}
	var got []string
	for {
		line, whole, err := l.next()
		if !whole {
			line = []byte("too long")
		}
		got = append(got, string(line))
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if want := "short|too long|" + strings.Repeat("y", 30) + "||last"; strings.Join(got, "|") != want {
		t.Errorf("%q", got)
	}
}
