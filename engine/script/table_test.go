package script

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

// TestEveryCommandHasALine: a line can be written for whatever can be done to a
// machine, and what Line writes can be parsed.
func TestEveryCommandHasALine(t *testing.T) {
	for kind := world.BreakWatch; kind <= world.NotifyDelete; kind++ {
		line := syntax.Line(kind, "pods", "pods", "pods")
		if line == "" {
			t.Errorf("no line does what command %d does", kind)
		}
	}
	for _, c := range []struct{ got, want string }{
		{syntax.Line(world.BreakWatch), "break watch"},
		{syntax.Line(world.BreakWatch, "my pods"), `break watch "my pods"`},
		{syntax.Line(world.PassTime, "30s"), "advance 30s"},
		{syntax.Line(world.RestartServer, "1s", "", "pods"), "restart server down=1s pods"},
		{syntax.Line(world.AddHandler, "another", "pods", "1ms"), "handler another informer=pods takes=1ms"},
		{syntax.Line(world.FailReconciles, "all", "a b/c", "pods"), `fail reconciles n=all key="a b/c" pods`},
		{syntax.Line(world.FailReconciles), "fail reconciles"},
		{syntax.Line(world.HangReconcile, "forever", "a b/c", "pods"), `hang reconcile for=forever key="a b/c" pods`},
		{syntax.Line(world.WriteBack, "default/new", "3", "pods"), "write back default/new version=3 pods"},
		{syntax.Line(world.Create, "pods", "default/new", "app=new"), "create pods default/new app=new"},
	} {
		if c.got != c.want {
			t.Errorf("Line writes %q, want %q", c.got, c.want)
		}
		if _, err := Parse(c.got); err != nil {
			t.Errorf("%s: %v", c.got, err)
		}
	}
}

// TestEveryVerbIsPlayed: each kind of line has one function that plays it, and each
// subject has one that gets its value.
func TestEveryVerbIsPlayed(t *testing.T) {
	for v := range syntax.NumVerbs {
		if (parsers[v] == nil) == (players[v] == nil) {
			t.Errorf("verb %d has both functions, or neither", v)
		}
	}
	for s := range syntax.NumSubjects {
		if subjectValues[s] == nil || s.String() == "" {
			t.Errorf("subject %d, %q, has no function or no name", s, s)
		}
	}
}

// TestCompletionsCanBePlayed: each line that completes another is a whole line.
func TestCompletionsCanBePlayed(t *testing.T) {
	n := syntax.Names{Informers: []string{"pods", "services"}, Keys: []string{"a/x"}, Handlers: []string{"my own"}, Actors: []string{"loop"}, Indices: []string{"app"}}
	all := syntax.Completions(nil, "", n, 1000)
	if len(all) < 60 {
		t.Errorf("there are only %d completions: %q", len(all), all)
	}
	for _, line := range all {
		if _, err := Parse(line); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, c := range []struct{ begun, want string }{
		{"remove", `remove handler "my own"`}, {"break", "break watch"}, {"delete p", "delete pods a/x"}, {"show ind", ""}, {"step l", "step loop"}, {"queue", ""},
	} {
		if got := strings.Join(syntax.Completions(nil, c.begun, n, 40), ", "); got != c.want {
			t.Errorf("%q goes on as %q, want %q", c.begun, got, c.want)
		}
	}
}

// TestNamesOfSeveralWords: a name with a space in it is quoted in lines, and is the
// same name without the quotation marks.
func TestNamesOfSeveralWords(t *testing.T) {
	got := transcript("informer pods\nhandler \"my own\" takes=1s\nexists pod a/x\nrun until call \"my own\"\nstep \"run/my own\"\nrun\ntakes \"my own\" 2s\nexpect calls \"my own\" 1\nremove handler \"my own\"\n")
	if strings.Contains(got, "!") {
		t.Error(got)
	}
}

// TestExpressionsInLines: an expression goes on in the console, and an error in it has its
// column.
func TestExpressionsInLines(t *testing.T) {
	n := syntax.Names{Handlers: []string{"audit"}, Keys: []string{"a/x"}}
	for _, c := range []struct{ begun, want string }{
		{"run until behind(", `run until behind("audit", run until behind()`}, {`expect behind("audit") > 3 && cac`, `expect behind("audit") > 3 && cached(, expect behind("audit") > 3 && cacheRevision()`},
		{`can pop(`, `can pop("a/x", can pop()`},
	} {
		if got := strings.Join(syntax.Completions(nil, c.begun, n, 40), ", "); got != c.want {
			t.Errorf("%q goes on as %q, want %q", c.begun, got, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"run until behind(audit) > 2", `line 1, column 18: unexpected "audit"; want handler in quotation marks or )`},
		{"run until behind()", `line 1, column 11: expected a bool, found a number`},
		{`expect pop("a/x") # so`, ``}, {`expect !`, `line 1, column 9: operand is missing`},
		{`run until synced("x")`, ``}, {`can behind("x") == 2`, ``}, {`show actor()`, ``},
	} {
		if err := Check(c.text, 1); (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%s: %v", c.text, err)
		}
	}
	const setup = "informer pods\nhandler h\nexists pod a/x\nrun\n"
	for _, c := range []struct{ text, want string }{
		{`run until synced("x")`, `line 5, column 18: unknown handler "x"; want h`}, {`expect services.synced()`, `line 5, column 8: unknown informer "services"; want pods`},
		{`can once(pop())`, `line 5, column 5: can looks at each state by itself, but the expression depends on earlier steps`},
		{`run until call("h")`, `line 5, column 11: this did not happen until 889s, and only timers are left`},
		{`expect depth() > 2`, `line 5, column 8: the expression is false: depth() is 0`},
	} {
		if got := transcript(setup + c.text); !strings.Contains(got, "! "+c.want+"\n") {
			t.Errorf("%s gives %s", c.text, got)
		}
	}
	if got := transcript(setup + "update pod a/x\ncan cached(\"a/x\") && pop(\"a/x\")\ncan behind(\"h\") > 5"); !strings.Contains(got, "yes, in ") || !strings.Contains(got, "not within 15m") {
		t.Error(got)
	}
}
