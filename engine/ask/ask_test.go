package ask_test

import (
	"errors"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/ask"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestExpressions parses each line of testdata/expressions.txt that begins with
// "> ". The result stands below the line.
func TestExpressions(t *testing.T) {
	const name = "testdata/expressions.txt"
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	seen := 0
	for line := range strings.Lines(string(file)) {
		text, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), ">")
		if !ok {
			if line[0] == '#' {
				b.WriteString(line)
			}
			continue
		}
		seen++
		text = strings.TrimPrefix(text, " ")
		b.WriteString(line)
		x, err := ask.Parse(text)
		var wrong *ask.Error
		switch {
		case errors.As(err, &wrong):
			_, caret, _ := strings.Cut(wrong.Caret(text), "\n")
			b.WriteString("  " + caret + " " + wrong.Error() + "\n")
		case err != nil:
			t.Errorf("%s: %v", text, err)
		default:
			b.WriteString("  " + x.Type().String())
			if x.Momentary() {
				b.WriteString(", momentary")
			}
			if x.Remembers() {
				b.WriteString(", remembers")
			}
			b.WriteString("\n")
		}
	}
	if *update {
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if seen < 50 || b.String() != string(file) {
		t.Errorf("%d expressions are not as %s says (go test -update rewrites it):\n%s", seen, name, &b)
	}
}

// An expression that is nested too deeply, or is too long, is refused.
func TestNestingIsBounded(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{strings.Repeat("(", 41) + "true" + strings.Repeat(")", 41), "nested too deeply"},
		{strings.Repeat("!", 41) + "true", "nested too deeply"},
		{strings.Repeat("once(", 41) + "true" + strings.Repeat(")", 41), "nested too deeply"},
		{"true" + strings.Repeat(" ", ask.MaxBytes), "longer than 4096 bytes"},
		{strings.Repeat("(", 39) + "true" + strings.Repeat(")", 39), ""},
		{"true" + strings.Repeat("&&true", 600), ""},
	} {
		_, err := ask.Parse(c.text)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%.20s… gives %v, want %q", c.text, err, c.want)
		}
	}
}

// Names are checked against those that there are.
func TestCheck(t *testing.T) {
	names := &ask.Names{Informers: []string{"pods"}, Handlers: []string{"audit"}}
	for _, c := range []struct{ text, want string }{
		{`behind("audit") > 1 && pods.synced("audit")`, ""},
		{`synced() && behind("odit") > 1`, `unknown handler "odit"; want audit`},
		{`depth() > 1 && services.depth() > 1`, `unknown informer "services"; want pods`},
		{`pop("any/key")`, ""},
	} {
		x, err := ask.Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		var wrong *ask.Error
		if err := x.Check(names); c.want == "" && err != nil || c.want != "" && (!errors.As(err, &wrong) || wrong.Error() != c.want) {
			t.Errorf("%s: %v", c.text, err)
		} else if wrong != nil && !strings.Contains(c.text[wrong.Pos:wrong.End], strings.Fields(c.want)[2][1:2]) {
			t.Errorf("%s: the error is at %q", c.text, c.text[wrong.Pos:wrong.End])
		}
	}
}

// The bar in a text stands where the text goes on. The completions that may stand there come first.
func TestComplete(t *testing.T) {
	names := &ask.Names{Informers: []string{"pods", "deployments.apps"}, Handlers: []string{"audit", "metrics"}, Keys: []string{"default/web", "shop/web"}}
	for _, c := range []struct{ text, want string }{
		{"|", "pop("}, {"po|", "pop("}, {"be|", "behind( before("}, {"b|", "behind( backoff() before("},
		{`pop("|`, `"default/web" "shop/web"`}, {`pop("sh|`, `"shop/web"`}, {`pop(|`, `"default/web" "shop/web" )`}, {`pop("web|")`, `"default/web" "shop/web"`},
		{`call("audit", |`, `"OnAdd" "OnUpdate" "OnDelete" )`}, {`call("audit", "OnU|`, `"OnUpdate"`},
		{`behind("audit") |`, "> >= < <="}, {`behind("audit") > |`, "behind("}, {`pop() |`, "&& ||"}, {`pop() && sy|`, "synced("},
		{`actor() |`, "== != in"}, {`delta("De|`, `"Deleted"`}, {"deployments.|", "pop("}, {"pods.de|", "delta( depth()"}, {"dep|", `depth() informer("deployments.apps").`},
		{`informer("|`, `"pods" "deployments.apps"`}, {"once(|", "pop("}, {"once(pop() |", "&& ||"}, {`lockWait() > |`, "lockWait( 1s"}, {`pop("default/web"|`, ")"}, {"$|", ""},
	} {
		at := strings.IndexByte(c.text, '|')
		text := c.text[:at] + c.text[at+1:]
		var got []string
		for _, x := range ask.Complete(text, at, names, 200) {
			got = append(got, x.Text)
			if x.From > at || x.To < at || x.To > len(text) {
				t.Errorf("%s: %q is put between %d and %d", c.text, x.Text, x.From, x.To)
			}
			if x.Func != "" && x.Help == "" {
				t.Errorf("%s has no help", x.Func)
			}
		}
		for i, w := range strings.Fields(c.want) {
			if !slices.Contains(got, w) || i == 0 && got[0] != w && !strings.HasSuffix(w, "(") {
				t.Errorf("%s goes on as %q, want %s", c.text, got, c.want)
				break
			}
		}
		if c.want == "" && len(got) > 0 {
			t.Errorf("%s goes on as %q", c.text, got)
		}
	}
}

// FuzzParse: any text either parses, or has an error with a place in the text. It can be completed anywhere.
func FuzzParse(f *testing.F) {
	file, err := os.ReadFile("testdata/expressions.txt")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(file)) {
		if text, ok := strings.CutPrefix(line, "> "); ok {
			f.Add(strings.TrimSpace(text))
		}
	}
	names := &ask.Names{Informers: []string{"pods", "x y"}, Handlers: []string{"audit"}, Keys: []string{"a/x"}}
	f.Fuzz(func(t *testing.T, text string) {
		x, err := ask.Parse(text)
		var wrong *ask.Error
		switch {
		case err == nil:
			if x.Type() == 0 || x.Momentary() && x.Type() != ask.Bool {
				t.Errorf("%q is a %v", text, x.Type())
			}
			err = x.Check(names)
		}
		if errors.As(err, &wrong) {
			if wrong.Pos < 0 || wrong.Pos > wrong.End || wrong.End > len(text) || wrong.Error() == "" {
				t.Errorf("%q has the error %+v", text, wrong)
			}
			wrong.Caret(text)
		}
		for at := range min(len(text)+1, 200) {
			for _, c := range ask.Complete(text, at, names, 20) {
				if c.From < 0 || c.From > at || c.To < at || c.To > len(text) || c.Text == "" {
					t.Errorf("%q is completed at %d by %+v", text, at, c)
				}
			}
		}
	})
}
