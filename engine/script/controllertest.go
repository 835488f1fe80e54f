package script

import (
	"strings"

	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

// ControllerTest writes a run as the file of a Go test that does to a real controller what was
// done to the machine, at the same times: the writes to the server, and the faults that a
// connection can have. What else was done stands there as a comment. Setup are the lines
// that have set up the machine.
func ControllerTest(name string, h *world.History, setup []string) (string, error) {
	lines, err := onConnection(h)
	if err != nil {
		return "", err
	}
	var before []string
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

// onConnection writes what was done in a run that a connection or its server can do, with the
// times.
func onConnection(h *world.History) ([]string, error) {
	for _, x := range h.Front().Informers {
		if x.Config().Feed != nil {
			return nil, ErrRecorded
		}
	}
	inputs, err := Inputs(h)
	if err != nil {
		return nil, err
	}
	b := h.Branch(h.Steps())
	defer b.Drop()
	informers := h.Front().Informers
	var lines []string
	now := int64(0)
	for i, in := range h.Inputs() {
		c := in.Command
		if c == nil || c.Kind == world.PassTime || c.Kind == world.TakeNoTime {
			continue
		}
		b.SeekTo(in.Step - 1)
		if at := b.At().Now(); at > now {
			now = at
			lines = append(lines, "advance to "+syntax.TimeText(at))
		}
		line := inputs[i].Line
		switch c.Kind {
		case world.Create, world.Update, world.Delete:
		default:
			if !c.Kind.OnConnection() {
				line = "# not on a connection: " + line
			} else if len(informers) > 1 && c.Informer == 0 {
				line += " " + syntax.Quote(informers[0].Config().Name)
			}
		}
		lines = append(lines, line)
	}
	b.SeekTo(h.Steps())
	if at := b.At().Now(); at > now {
		lines = append(lines, "advance to "+syntax.TimeText(at))
	}
	return lines, nil
}
