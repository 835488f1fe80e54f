package fault_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/fault"
)

// placed is an error with a place.
type placed struct{ why error }

func (p placed) Error() string { return p.Fault().Error() }
func (p placed) Fault() error  { return fault.New("at line column why", 3, int64(4), p.why) }

// words are what an error says: its id and its arguments.
func words(err error) string {
	var args []string
	id := fault.Describe(err, func(name, text string, why error) {
		if why != nil {
			text = "(" + words(why) + ")"
		}
		args = append(args, " "+name+"="+text)
	})
	return id + strings.Join(args, "")
}

func TestAnErrorIsASentenceAndWords(t *testing.T) {
	const noTitle = fault.Plain("noTitle")
	outside := errors.New("disk: {full}")
	for _, c := range []struct {
		err            error
		english, words string
	}{
		{noTitle, "missing title", "noTitle"},
		{fault.New("unmet got wanted", "{got}", "x {wanted}"), "got {got}, not x {wanted}", "unmet got={got} wanted=x {wanted}"},
		{fault.New("unmet wanted got", "b", "a"), "got a, not b", "unmet wanted=b got=a"},
		{fault.Named("wholeRun name", "x"), "x is about the whole run, not about an informer", "wholeRun name=x"},
		{fault.Quoted("noHandler name", `"`), `unknown handler "\""`, `noHandler name="\""`},
		{fault.Number("longLine max", 20), "the line is longer than 20 bytes", "longLine max=20"},
		{fault.Wrap("missing what", fault.Plain("aKey")), "a key is missing", "missing what=(aKey)"},
		{fault.New("expected text what", `"x"`, outside), `unexpected "x"; want disk: {full}`, `expected text="x" what=(text text=disk: {full})`},
		{placed{noTitle}, "line 3, column 4: missing title", "at line=3 column=4 why=(noTitle)"},
		{fault.Plain("neverHeardOf"), "neverHeardOf", "neverHeardOf"},
	} {
		if got := c.err.Error(); got != c.english {
			t.Errorf("the English sentence is %q, not %q", got, c.english)
		}
		if got := words(c.err); got != c.words {
			t.Errorf("the words of %q are %q, not %q", c.english, got, c.words)
		}
	}
	if err := fault.Wrap("missing what", noTitle); !errors.Is(err, noTitle) || errors.Is(err, outside) || errors.Is(noTitle, err) {
		t.Error("an error wraps another one than its argument")
	}
}
