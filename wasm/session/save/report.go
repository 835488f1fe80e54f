package save

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Report is the report of a problem, which the viewer may give to those who mend the page.
type Report struct {
	desk   desk.Desk
	Text   string        // "" while it is being made
	Failed *link.Failure // why there is none
	done   string        // the names of the last commands
}

// MakeReport makes the report. Nothing in it is about what is open, except for its format.
type MakeReport struct {
	Release, Program string // as in session.Version
	States, Commands string
}

// Reported: the report was made, or Failed says why not.
type Reported struct{ Text, Failed string }

// Cmd marks a command.
func (MakeReport) Cmd() {}

// Msg marks a message.
func (Reported) Msg() {}

// LastDone is how many bytes the names of the last commands have at most.
const LastDone = 600

// Note notes that a command was done. What the command was given may be private.
func (r *Report) Note(name string) {
	r.done += " " + name
	if over := len(r.done) - LastDone; over > 0 {
		_, r.done, _ = strings.Cut(r.done[over:], " ")
	}
}

// Begin opens the dialog with the report, and has it made of x and the last commands.
func (r *Report) Begin(x MakeReport) []desk.Cmd {
	r.desk.SetDialog("report")
	r.Text, r.Failed = "", nil
	x.Commands = strings.TrimSpace(r.done)
	return []desk.Cmd{x}
}

// Take takes in the report.
func (r *Report) Take(x Reported) {
	if r.Text = x.Text; x.Failed != "" {
		r.Failed = &link.Failure{Say: link.Sentence{ID: "fail.report"}, Why: link.FaultText(x.Failed)}
	}
}
