package script

import (
	"strings"
	"testing"
)

// TestLine plays lines as a person types them: an error in one does not end the
// run.
func TestLine(t *testing.T) {
	var out strings.Builder
	r := NewRunner(func(e Entry) { out.WriteString(e.String() + "\n") })
	for n, c := range []struct {
		line string
		ok   bool
	}{
		{"informer pods", true}, {"handler h", true}, {"", true}, {"# nothing", true}, {"jump", false}, {"create pod a/x", true},
		{"create pod a/x", false}, {"run", true}, {"expect store [a/x@1]", true}, {"expect store []", false}, {"show behind h", true},
	} {
		if r.History() != nil != (n > 5) {
			t.Errorf("before line %d there is a run: %v", n+1, r.History() != nil)
		}
		if err := r.Line(c.line, n+1); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.line, err)
		}
	}
	if !strings.HasSuffix(out.String(), "> show behind h\n= 0\n") {
		t.Error(out.String())
	}
}
