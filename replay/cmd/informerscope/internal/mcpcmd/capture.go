package mcpcmd

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/comparecmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/controllercmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/reportcmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/why"
	"github.com/informerscope/informerscope/replay/evidence"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/findings/said"
	"github.com/informerscope/informerscope/replay/mcp"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/report"
)

// The arguments that several tools have.
var (
	ofCapture  = mcp.Arg{Name: "capture", Description: "a file as open lists it: a recording, or anything else that has lists or watch events", Must: true}
	ofResource = mcp.Arg{Name: "resource", Description: `only this resource, such as pods or "pods in shop"`}
	ofVersion  = mcp.Arg{Name: "version", Description: "play it as this version of client-go, such as v0.32; the newest by default"}
)

// example is how captures are called in examples.
const example = "web.trace.jsonl.gz"

// captureTools are the tools that ask about a capture.
func (s *server) captureTools() []mcp.Tool {
	optional := ofCapture
	optional.Must = false
	return []mcp.Tool{
		{Name: "open", Description: "Open a capture and say what it holds, or list the files that can be opened. Begin here.",
			Args: []mcp.Arg{optional}, Example: []any{"capture", example}, Run: s.openTool},
		{Name: "findings", Description: "What is wrong in a capture, the worst first, each with what helps and the call that shows it.",
			Args: []mcp.Arg{ofCapture, {Name: "id", Description: "only findings of this kind, such as hot-loop"}}, Example: []any{"capture", example}, Run: s.findingsTool},
		{Name: "why", Description: "What came of each event and list of a key, station by station, and what each call of a handler came of; for a handler that was not told, where it stopped.",
			Args:    []mcp.Arg{ofCapture, {Name: "key", Description: "NAMESPACE/NAME, or NAME for an object without a namespace; with @STEP or @TIME only what was on its way then", Must: true}, ofResource, ofVersion},
			Example: []any{"capture", example, "key", "shop/web@1:23.4"}, Run: s.whyTool},
		{Name: "triggers", Description: "What triggered the reconciles of each recorded controller: its own writes, changes of others, resyncs, timers.",
			Args: []mcp.Arg{ofCapture}, Example: []any{"capture", example}, Run: s.triggersTool},
		{Name: "search", Description: "The steps at which an expression comes true.",
			Args:    []mcp.Arg{ofCapture, {Name: "expression", Description: `such as relist(), depth() > 100, behind("audit") > 10 && synced(), reconcile("shop/web"); a wrong one is answered with the syntax`, Must: true}, ofResource, ofVersion},
			Example: []any{"capture", example, "expression", "relist() || depth() > 100"}, Run: s.searchTool},
		{Name: "step", Description: "The machine at a step in words: what the step did, what queue, cache, handlers and workqueue hold, what each goroutine does or waits for.",
			Args:    []mcp.Arg{ofCapture, {Name: "moment", Description: "a step, such as 120, or a time since the start, such as 1:23.456 or 83s", Must: true}, ofResource, ofVersion},
			Example: []any{"capture", example, "moment", "1"}, Run: s.stepTool},
		{Name: "compare", Description: "The handler calls that differ if the capture is played as two versions of client-go.",
			Args:    []mcp.Arg{ofCapture, {Name: "from", Description: "a version, such as v0.32", Must: true}, {Name: "to", Description: "another version, such as v0.37", Must: true}, ofResource},
			Example: []any{"capture", example, "from", "v0.32", "to", "v0.37"}, Run: s.compareTool},
		{Name: "link", Description: "The address of the page at a step, for people. It holds the capture, or the part that shows the worst finding, if that is short; otherwise the page asks for the file, which stays in the browser.",
			Args:    []mcp.Arg{ofCapture, {Name: "moment", Description: "a step or a time, as for step; without it the link is to the worst finding, or to the capture's card"}, ofResource},
			Example: []any{"capture", example, "moment", "1"}, Run: s.linkTool},
	}
}

// followUp proposes a call about the same capture.
func followUp(in mcp.Args, tool, why string, args ...any) mcp.Call {
	return mcp.Call{Tool: tool, Args: append([]any{"capture", in["capture"]}, args...), Reason: why}
}

// reading opens the capture of a call, and returns what report says of it.
func (s *server) reading(ctx context.Context, in mcp.Args) (*capture, *reportcmd.Reading, error) {
	c, err := s.open(ctx, in["capture"])
	if err != nil {
		return nil, nil, err
	}
	if c.read == nil {
		c.read, err = reportcmd.Read(c.provide(ctx))
	}
	return c, c.read, err
}

// newAnswer begins an answer about a capture.
func (s *server) newAnswer(what string) *mcp.Answer {
	if s.values {
		return &mcp.Answer{Subject: what + ", with values"}
	}
	return &mcp.Answer{Subject: what + " (in its shape: ‹7f3a91› and the like stand for texts)"}
}

func (s *server) openTool(ctx context.Context, in mcp.Args) (*mcp.Answer, error) {
	if _, rel, info, err := s.locate(cmp.Or(in["capture"], ".")); err == nil && info.IsDir() {
		return s.listTool(rel)
	}
	c, r, err := s.reading(ctx, in)
	if err != nil {
		return nil, err
	}
	a := s.newAnswer("What the capture holds")
	a.Quote(strings.Join(r.Summary.Facts, " "))
	controllers := 0
	for i := range r.Resources {
		x := &r.Resources[i]
		a.Quote(fmt.Sprintf("%s: %s in %s, %s", x.Name, plain.Plural(x.Events.Changes(), "change"), plain.Duration(x.Last-x.First), plain.Plural(x.Keys, "key")))
		if f := x.Informer.Controller; f != nil {
			controllers++
			a.Quote(fmt.Sprintf("controller %s: %s, %s", f.Name, plain.Plural(f.Reconciles, "reconcile"), plain.Plural(f.Writes, "write")))
		}
	}
	for i := range r.Card.Handlers {
		l := r.Card.Handlers[i].Line()
		a.Quote("handler " + said.Sentence(&l, said.English))
	}
	for i := range r.Card.Lacks {
		a.AddLine("%s", said.Sentence(&r.Card.Lacks[i], said.English))
	}
	for _, m := range r.Remarks {
		a.Quote("note: " + m.Text)
	}
	if r.Card.Nobody != nil {
		a.AddLine("%s", said.Sentence(r.Card.Nobody, said.English))
	}
	if c.lacks != nil {
		a.Quote("damage: " + c.lacks.Error())
	}
	if n := len(r.Card.Found); n > 0 {
		a.AddLine("%s; the worst: %s.", plain.Plural(n, "finding"), said.Texts[r.Card.Found[0].ID+".title"])
		a.Next = append(a.Next, followUp(in, "findings", ""))
	} else {
		a.AddLine("No finding: nothing of what the rules look for is in it.")
		if controllers > 0 {
			a.Next = append(a.Next, followUp(in, "triggers", ""))
		}
		a.Next = append(a.Next, followUp(in, "search", "", "expression", "relist()"))
	}
	return a, nil
}

// listTool lists the files below a folder.
func (s *server) listTool(under string) (*mcp.Answer, error) {
	names := s.files(under, mostFiles)
	if len(names) == 0 {
		return nil, mcp.NewError("there is no file to open", "a folder without files; record one, for example by replay/record/recordtest in a test suite, or informerscope record pods")
	}
	a := &mcp.Answer{Subject: "Files that can be opened"}
	for _, n := range names {
		a.Quote(n)
	}
	if len(names) == mostFiles {
		a.AddLine("and more")
	}
	first := max(slices.IndexFunc(names, func(n string) bool { return strings.Contains(n, ".trace.jsonl") }), 0)
	a.Next = []mcp.Call{{Tool: "open", Args: []any{"capture", names[first]}}}
	return a, nil
}

func (s *server) findingsTool(ctx context.Context, in mcp.Args) (*mcp.Answer, error) {
	_, r, err := s.reading(ctx, in)
	if err != nil {
		return nil, err
	}
	a := s.newAnswer("What is wrong in the capture")
	var ids []string
	for i := range r.Card.Found {
		f, row := &r.Card.Found[i], &r.Summary.Rows[i]
		if !slices.Contains(ids, f.ID) {
			ids = append(ids, f.ID)
		}
		if in["id"] != "" && in["id"] != f.ID {
			continue
		}
		a.AddLine("%s (%s, %s), at %s:", row.Title, row.Harm, f.ID, momentsOf(f))
		a.Quote(row.Text)
		a.AddLine("What helps: %s", row.Instead)
		if len(a.Next) < 3 {
			a.Next = append(a.Next, shows(f, in))
		}
	}
	switch {
	case len(ids) == 0:
		a.AddLine("Nothing of what the rules look for is in it. That is no proof: a recording from within the controller says most.")
		a.Next = append(a.Next, followUp(in, "search", "", "expression", "relist()"))
	case len(a.Next) == 0:
		return nil, &mcp.Error{Message: fmt.Sprintf("no finding %q", in["id"]), Known: strings.Join(ids, ", "), Try: followUp(in, "findings", "", "id", ids[0])}
	}
	return a, nil
}

// momentsOf says when a finding begins and ends.
func momentsOf(f *findings.Finding) string {
	at := report.Moment(f.From.Time)
	if f.To.Time != f.From.Time {
		at += " to " + report.Moment(f.To.Time)
	}
	return at
}

// shows returns the call that shows a finding.
func shows(f *findings.Finding, in mcp.Args) mcp.Call {
	at := exact(f.From.Time)
	switch {
	case f.ID == "own-writes" || f.ID == "hot-loop":
		return followUp(in, "triggers", "says what woke the controller")
	case f.Resource != "" && f.Key != "":
		return follows(f, in)
	case f.Resource != "":
		return followUp(in, "step", "has the machine then", "moment", at, "resource", f.Resource)
	}
	return followUp(in, "step", "has the machine then", "moment", at)
}

// follows returns the call that follows a finding's key. What a controller did is played at its recorded times, and calls of handlers
// are not, so these have no moment.
func follows(f *findings.Finding, in mcp.Args) mcp.Call {
	key := f.Key
	if f.Controller != "" {
		key += "@" + exact(f.From.Time)
	}
	return followUp(in, "why", "says how it came", "key", key, "resource", f.Resource)
}

// exact returns a time as --why and --step read it.
func exact(ns int64) string { return time.Duration(ns).String() }

// answer runs a command on the capture of a call, and quotes what it prints about a subject.
func (s *server) answer(ctx context.Context, in mcp.Args, subject string, command *cobra.Command, flags []string, words ...string) (a *mcp.Answer, text string, err error) {
	text, err = s.ask(ctx, in, command, flags, words...)
	if err != nil {
		return nil, "", err
	}
	a = s.newAnswer(subject)
	a.Quote(text)
	return a, text, nil
}

// ask runs a command on the capture of a call, with the flags of the arguments that most tools have. Words stand before the file's name. They
// come from outside, and so they are behind the flags.
func (s *server) ask(ctx context.Context, in mcp.Args, command *cobra.Command, flags []string, words ...string) (string, error) {
	c, err := s.open(ctx, in["capture"])
	if err != nil {
		return "", err
	}
	for arg, flag := range map[string]string{"version": "--profile=", "resource": "--resource="} {
		if in[arg] != "" {
			flags = append(flags, flag+in[arg])
		}
	}
	return run(c.provide(ctx), command, "", slices.Concat(flags, []string{"--"}, words, []string{c.file()})...)
}

func (s *server) whyTool(ctx context.Context, in mcp.Args) (*mcp.Answer, error) {
	a, text, err := s.answer(ctx, in, "What came of the key", reportcmd.Command(), []string{"--why=" + in["key"]})
	if err != nil {
		return nil, s.leads(ctx, err, in)
	}
	moment := "1"
	if all := inStep.FindAllStringSubmatch(text, -1); len(all) > 0 {
		moment = all[len(all)-1][1]
	}
	a.Next = []mcp.Call{followUp(in, "step", "has the machine then", "moment", moment)}
	return a, nil
}

// inStep matches where a chain names a step.
var inStep = regexp.MustCompile(`\bstep ([0-9]+)`)

// leads adds to an error which keys and resources there are, and a call with one of them.
func (s *server) leads(ctx context.Context, failed error, in mcp.Args) error {
	_, r, err := s.reading(ctx, in)
	if err != nil {
		return failed
	}
	var all []string
	var try mcp.Call
	for i := range r.Resources {
		x := &r.Resources[i]
		var keys []string
		for _, k := range x.Hottest[:min(len(x.Hottest), 3)] {
			keys = append(keys, k.Key)
		}
		if len(keys) == 0 {
			keys = []string{"none"}
		} else if try.Tool == "" && in["key"] != "" {
			try = followUp(in, "why", "", "key", keys[0])
		}
		all = append(all, x.Name+" with keys such as "+strings.Join(keys, ", "))
	}
	return &mcp.Error{Message: failed.Error(), Known: strings.Join(all, "; "), Try: try}
}

func (s *server) triggersTool(ctx context.Context, in mcp.Args) (*mcp.Answer, error) {
	a, _, err := s.answer(ctx, in, "What triggered the reconciles", controllercmd.Command(), []string{"--triggers"})
	if err != nil {
		return nil, err
	}
	if _, r, err := s.reading(ctx, in); err == nil {
		for i := range r.Card.Found {
			if f := &r.Card.Found[i]; f.Controller != "" && f.Key != "" && f.Resource != "" {
				a.Next = []mcp.Call{follows(f, in)}
				break
			}
		}
	}
	a.Next = append(a.Next, followUp(in, "search", "has each reconcile", "expression", "reconcile()"))
	return a, nil
}

func (s *server) searchTool(ctx context.Context, in mcp.Args) (*mcp.Answer, error) {
	text, err := s.ask(ctx, in, reportcmd.Command(), []string{"--find=" + in["expression"], "--output=json"})
	if err != nil {
		if _, wrong := ask.Parse(in["expression"]); wrong == nil {
			return nil, s.leads(ctx, err, in)
		}
		why, _, _ := strings.Cut(err.Error(), "\nFor the language")
		return nil, mcp.NewError(why, expressions())
	}
	a := s.newAnswer("Where the expression comes true")
	for line := range strings.Lines(text) {
		var h reportcmd.Hit
		if json.Unmarshal([]byte(line), &h) != nil {
			a.Quote(line)
			continue
		}
		lasts := ""
		if h.Open {
			lasts = ", to the end"
		} else if h.To > h.Step {
			lasts = fmt.Sprintf(", to step %d, for %s", h.To, plain.Duration(h.Duration))
		}
		a.Quote(fmt.Sprintf("%s, step %d at %s%s: %s", h.Resource, h.Step, report.Moment(h.T), lasts, h.Sentence))
		if a.Next == nil {
			a.Next = []mcp.Call{followUp(in, "step", "has the machine there", "moment", strconv.FormatInt(h.Step, 10), "resource", h.Resource)}
		}
	}
	if a.Next == nil {
		a.AddLine("At no step.")
		a.Next = []mcp.Call{followUp(in, "step", "has the machine at its beginning", "moment", "1")}
	}
	return a, nil
}

// expressions returns the language of expressions in a few lines.
func expressions() string {
	var b strings.Builder
	for i, section := range ask.Help() {
		if i == 0 {
			b.WriteString("&& || ! == != < <= > >= + - in [\"a\", \"b\"], durations as 10ms, names in quotes; a resource before a dot, as in pods.depth(). What is in brackets may be left out:")
			continue
		}
		for _, l := range section.Lines {
			b.WriteString(" " + l.Form + ";")
		}
	}
	return b.String()
}

func (s *server) stepTool(ctx context.Context, in mcp.Args) (*mcp.Answer, error) {
	a, _, err := s.answer(ctx, in, "The machine in words", reportcmd.Command(), []string{"--step=" + in["moment"]})
	if err != nil {
		return nil, s.leads(ctx, err, in)
	}
	var resource []any
	if in["resource"] != "" {
		resource = []any{"resource", in["resource"]}
	}
	a.Next = []mcp.Call{followUp(in, "link", "shows it to people", append([]any{"moment", in["moment"]}, resource...)...)}
	if n, err := strconv.Atoi(in["moment"]); err == nil {
		a.Next = append(a.Next, followUp(in, "step", "goes on", append([]any{"moment", strconv.Itoa(n + 1)}, resource...)...))
	}
	return a, nil
}

func (s *server) compareTool(ctx context.Context, in mcp.Args) (*mcp.Answer, error) {
	a, _, err := s.answer(ctx, in, "How the versions differ on the capture", comparecmd.Command(), nil, in["from"]+","+in["to"])
	if err != nil {
		return nil, err
	}
	a.Next = []mcp.Call{{Tool: "changes", Args: []any{"from", in["from"], "to", in["to"]}, Reason: "says what the releases change"}}
	return a, nil
}

func (s *server) linkTool(ctx context.Context, in mcp.Args) (*mcp.Answer, error) {
	c, r, err := s.reading(ctx, in)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(r.Resources, func(x report.Resource) bool {
		return in["resource"] == "" || in["resource"] == x.Name || in["resource"] == x.Resource
	})
	if at < 0 {
		return nil, s.leads(ctx, fmt.Errorf("unknown resource %q", in["resource"]), in)
	}
	resource := r.Resources[at].Name
	summary := *r.Summary
	summary.Rows = slices.Clone(summary.Rows)
	text, err := c.text()
	if err != nil {
		return nil, err
	}
	if s.values { // a link is passed on
		text = nil
	}
	link, holds := summary.Link, "It holds the capture, in its shape. Nothing is sent to anybody."
	if in["moment"] == "" && text != nil {
		summary.EmbedRecording(text, mcp.MaxQuoted)
		link = summary.Link
		if i := slices.IndexFunc(summary.Rows, func(r evidence.Row) bool { return r.Link.Embeds() }); i >= 0 {
			link = summary.Rows[i].Link
			if summary.Rows[i].Part != "" {
				holds = "It holds " + summary.Rows[i].Part + ", in its shape. Nothing is sent to anybody."
			}
		}
	}
	if in["moment"] != "" {
		step, at, err := why.Moment(in["moment"])
		if err != nil {
			return nil, err
		}
		if link = r.Link(resource, "search", evidence.Since(at)); step > 0 {
			link = r.Link(resource, "step", strconv.FormatInt(step, 10))
		}
		if held := link.Holding(text); text != nil && len(held.String()) <= mcp.MaxQuoted {
			link = held
		}
	}
	if !link.Embeds() {
		holds = "Whoever opens it drops the file on the page, which sends nothing to anybody."
	}
	a := s.newAnswer("The page at that moment")
	if !a.Link(link.String()) {
		return nil, mcp.NewError("the names in this link are too long for an answer", "informerscope open FILE, on the command line")
	}
	a.AddLine("%s", holds)
	a.Next = []mcp.Call{followUp(in, "findings", "")}
	return a, nil
}
