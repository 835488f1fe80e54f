package script

import (
	"sort"
	"strings"

	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

// GoTest writes a script as the file of a Go test. The test plays the script,
// and fails where an expectation isn't met. The test is named after the name,
// as far as Go allows that.
func GoTest(name, text string) string {
	return `package session_test

import (
	"testing"

	"github.com/informerscope/informerscope/engine/script"
)

// ` + testName(name) + ` plays a session that informerscope has saved.
func ` + testName(name) + `(t *testing.T) {
	const session = ` + quoted(text) + `
	r := script.NewRunner(func(e script.Entry) {
		if e.Kind == script.Moved {
			t.Log(e)
		}
	})
	if err := r.Play(session); err != nil {
		t.Fatal(err)
	}
}
`
}

// testName makes the name of a Go test of the letters and digits of ASCII: "14-ghost"
// becomes "Test14Ghost".
func testName(name string) string {
	out, up := []byte("Test"), true
	for i := range len(name) {
		c := name[i]
		lower := 'a' <= c && c <= 'z'
		if !lower && !('A' <= c && c <= 'Z') && !('0' <= c && c <= '9') {
			up = true
			continue
		}
		if up && lower {
			c -= 'a' - 'A'
		}
		out, up = append(out, c), false
	}
	if len(out) == len("Test") {
		return "TestSession"
	}
	return string(out)
}

// quoted returns a text as a raw string of Go, which has no backquotes and no carriage
// returns.
func quoted(text string) string {
	text = strings.ReplaceAll(text, "\r", "")
	return "`" + strings.ReplaceAll(text, "`", "` + \"`\" + `") + "`"
}

// ControllerTest writes a run as the file of a Go test that does to a real controller what was
// done to the machine, at the same times: the writes to the server, and the faults that a
// connection can have. What else was done stands there as a comment. Setup are the lines
// that have set up the machine. The writes of a recording are those that the recorded client was
// told of, until the viewer has written something to the server.
func ControllerTest(name string, h *history.History, setup []string) (string, error) {
	before, recorded, err := recordedSession(h)
	if err != nil {
		return "", err
	}
	lines := onConnection(h, recorded)
	for _, line := range setup {
		if strings.HasPrefix(line, "exists ") {
			before = append(before, line)
		}
	}
	return `package controller_test

import (
	"testing"
	"testing/synctest"

	"github.com/informerscope/informerscope/replay/record/whatif"
	"github.com/informerscope/informerscope/replay/testserver"
)

// ` + testName(name) + ` does to a controller what was done to an informer on informerscope's page.
func ` + testName(name) + `(t *testing.T) {
	const before = ` + quoted(joined(before)) + `
	const session = ` + quoted(joined(lines)) + `
	const host = "http://testserver"
	synctest.Test(t, func(t *testing.T) {
		server := testserver.New(testserver.Options{}) // with the Resources that a custom resource needs
		defer server.Close()
		faults := whatif.New(server)
		if err := faults.Play(t.Context(), host, before); err != nil {
			t.Fatal(err)
		}
		// Start the controller here. Its rest.Config has this host, and faults as its Transport.
		if err := faults.Play(t.Context(), host, session); err != nil {
			t.Fatal(err)
		}
		// Ask the server here whether the controller has done what it should.
	})
}
`, nil
}

func joined(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// recordedSession returns what the recordings of a run amount to: the objects that were there before, and what was written
// after that.
func recordedSession(h *history.History) (before []string, after []timed, err error) {
	until := h.End()
	b := h.Branch(h.Steps())
	defer b.Drop()
	for _, in := range h.Inputs() {
		if in.Command != nil && in.Command.Kind.Simulates() {
			b.SeekTo(in.Step - 1)
			until = b.World().Now()
			break
		}
	}
	for _, x := range h.Front().Informers {
		if x.Config().Feed == nil {
			continue
		}
		w, err := writesOf(x.Config(), until)
		if err != nil {
			return nil, nil, err
		}
		before, after = append(before, w.before...), append(after, w.after...)
	}
	sort.SliceStable(after, func(i, j int) bool { return after[i].time < after[j].time })
	return before, after, nil
}

// Done is what was done to a run from outside.
type Done struct {
	Step    int64
	Time    int64 // before the step, in nanoseconds
	Command *world.Command
	Line    string // about a resource; "" for a recorded handler, which is part of the controller
}

// Outside returns what was done to a run from outside, in its order, without the passing of time.
func Outside(h *history.History) (all []Done) {
	b := h.Branch(h.Steps())
	defer b.Drop()
	resource := func(i int) *informer.Config {
		c := *h.Front().Informers[i].Config()
		c.Name, _, _ = strings.Cut(c.Name[strings.LastIndexByte(c.Name, '/')+1:], " ") // without a process or a namespace
		return &c
	}
	for _, in := range h.Inputs() {
		c := in.Command
		if c == nil || c.Kind == world.PassTime || c.Kind == world.TakeNoTime {
			continue
		}
		b.SeekTo(in.Step - 1)
		line, ok := syntax.CommandLine(c, resource)
		if ok && c.Kind.OnConnection() && c.Informer == 0 && len(h.Front().Informers) > 1 {
			line += " " + syntax.Quote(resource(0).Name)
		}
		all = append(all, Done{in.Step, b.World().Now(), c, line})
	}
	return all
}

// onConnection writes what was done in a run that a connection or its server can do, with the
// times, between the writes that were recorded.
func onConnection(h *history.History, recorded []timed) []string {
	var lines []string
	now := int64(0)
	add := func(at int64, line string) {
		if at > now {
			now = at
			lines = append(lines, "advance to "+syntax.TimeText(at))
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	upTo := func(at int64) {
		for len(recorded) > 0 && recorded[0].time <= at {
			add(recorded[0].time, recorded[0].line)
			recorded = recorded[1:]
		}
	}
	for _, d := range Outside(h) {
		upTo(d.Time)
		switch d.Command.Kind {
		case world.Create, world.Update, world.Patch, world.Delete:
		default:
			if d.Line == "" {
				continue
			}
			if !d.Command.Kind.OnConnection() {
				d.Line = "# not on a connection: " + d.Line
			}
		}
		add(d.Time, d.Line)
	}
	upTo(h.Front().Now())
	add(h.Front().Now(), "")
	return lines
}
