package redact

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

func TestRewrite(t *testing.T) {
	const in = `{"informerscope":"trace","version":1}
{"t":1,"mark":{"text":"before web-7f"}}
{"t":2,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"web-7f"},"spec":{"password":"hunter2","x":"0123456789abcdef0123456789abcdef"}}}}
not JSON
`
	write := func(w io.Writer) error {
		for line := range strings.Lines(in) {
			if _, err := io.WriteString(w, line); err != nil {
				return err
			}
		}
		return nil
	}
	rewrite := func(o Options, anyway bool) string {
		t.Helper()
		var out bytes.Buffer
		if err := Rewrite(&out, o, anyway, write); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	var found struct {
		Informerscope string
		Found         []struct {
			Line, Count     int64
			Path, Why, Mask string
		}
		More     int64
		Redacted []string
	}
	if err := json.Unmarshal([]byte(rewrite(Options{}, false)), &found); err != nil {
		t.Fatal(err)
	}
	if f := found.Found; found.Informerscope != "findings" || len(f) != 1 || f[0].Path != ".event.object.spec.x" || f[0].Line != 3 || f[0].Count != 1 || f[0].Mask != "012…ef, 32 characters" || strings.Join(found.Redacted, ", ") != "secret data: 0, env values: 0, last-applied annotations: 0, tokens: 1, lines left out: 1" {
		t.Errorf("the findings are %+v", found)
	}
	want := strings.NewReplacer(`"version":1}`, `"version":1,"redacted":["secret data: 0","env values: 0","last-applied annotations: 0","tokens: 1","lines left out: 1"]}`,
		"hunter2", "REDACTED", "not JSON\n", "").Replace(in)
	if got := rewrite(Options{}, true); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// A finding is taken out when its path is named. A name that comes later is known.
	if got := rewrite(Options{Rules: Default | Names, Key: testKey, Paths: []string{".spec.x"}}, false); strings.Contains(got, "web-7f") || strings.Contains(got, "0123456789") || strings.Count(got, "\n") != 3 {
		t.Error(got)
	}
	if err := Rewrite(io.Discard, Options{Paths: []string{".a["}}, false, write); err == nil {
		t.Error("a path that makes no sense is taken")
	}
}

func TestManyFindings(t *testing.T) {
	var list []Found
	for range 100 {
		list = append(list, Found{Finding{strings.Repeat(`."é`, 1000), "x", "y"}, 1, 1})
	}
	b := appendFindings(nil, list, 5, []Count{{"tokens", 2}})
	if len(b) > 64<<10 || !json.Valid(b) || !bytes.Contains(b, []byte(`"more":45,"redacted":["tokens: 2"]}`)) {
		t.Errorf("%d bytes: %.200s", len(b), b)
	}
}
