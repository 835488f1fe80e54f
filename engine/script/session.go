package script

import (
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

// ErrUnwritable is the error of Lines for a run with an input that no line can
// express: a handler that takes as long as recorded calls took.
const ErrUnwritable = fault.Plain("recordedHandler")

// Input is a line that stands for one input of a run.
type Input struct {
	Step int64 // the number of the step that the input makes, counted from 1
	Line string
}

// Inputs writes each input of a run as a line.
func Inputs(h *history.History) ([]Input, error) {
	w := h.Front() // when all handlers have been added
	var out []Input
	for _, in := range h.Inputs() {
		line, ok := "", true
		if in.Command != nil {
			line, ok = syntax.CommandLine(in.Command, func(i int) *informer.Config { return w.Informers[i].Config() })
		} else {
			line = "step " + syntax.Quote(actorName(w.Informers, w.Set.Role(in.Actor)))
		}
		if !ok {
			return nil, ErrUnwritable
		}
		out = append(out, Input{in.Step, line})
	}
	return out, nil
}

// Lines writes the inputs of a run as lines that make the same run again on a
// machine with the same setup.
func Lines(h *history.History) ([]string, error) {
	inputs, err := Inputs(h)
	if err != nil {
		return nil, err
	}
	var lines []string
	made := int64(0)
	for _, in := range inputs {
		if in.Step != made+1 {
			lines = append(lines, "run until step "+strconv.FormatInt(in.Step-1, 10))
		}
		made = in.Step
		lines = append(lines, in.Line)
	}
	return lines, nil
}

// actorName returns an actor's name in scripts: "loop", "run/audit" or "worker/0". The
// name of an informer other than the first stands before it: "nodes:loop". If a
// later call of Run has started the actor, the number of the call stands after
// it: "loop@2".
func actorName(informers []*informer.Informer, role actor.Role) string {
	cfg := informers[role.Informer].Config()
	s := role.Kind.String()
	switch role.Kind {
	case actor.Pop, actor.Run:
		s += "/" + cfg.Handlers[role.Index].Name
	case actor.Worker:
		s += "/" + strconv.Itoa(int(role.Index))
	}
	if role.Run > 0 {
		s += "@" + strconv.Itoa(int(role.Run)+1)
	}
	if role.Informer > 0 {
		s = cfg.Name + ":" + s
	}
	return s
}

// expected are the subjects whose values Session writes wherever the run was stopped,
// and last those that it writes at the end.
var (
	expected = []syntax.Subject{syntax.SubjectQueue, syntax.SubjectStore, syntax.SubjectCalls, syntax.SubjectWorkqueue}
	last     = []syntax.Subject{syntax.SubjectQueue, syntax.SubjectStore, syntax.SubjectCalls, syntax.SubjectBehind, syntax.SubjectWorkqueue, syntax.SubjectProcessing,
		syntax.SubjectDelayed, syntax.SubjectRV, syntax.SubjectSynced, syntax.SubjectCrash}
)

// ErrRecorded is the error of Session for a run on a recording, without which no script
// can make it again.
const ErrRecorded = fault.Plain("recordedRun")

// Session writes a run as a script that makes the same run again, and that
// expects what the machine holds. At each stop it expects whatever has changed
// since the stop before, and at the end more. Setup are the lines that have set
// up the machine.
func Session(h *history.History, setup []string) ([]string, error) {
	for _, x := range h.Front().Informers {
		if x.Config().Feed != nil {
			return nil, ErrRecorded
		}
	}
	inputs, err := Inputs(h)
	if err != nil {
		return nil, err
	}
	s := session{Transcriber: Transcribe(h, nil, logNone, func(Entry) {}), lines: append([]string(nil), setup...), values: map[string]string{}}
	defer s.Drop()
	for _, in := range inputs {
		if before := in.Step - 1; s.step < before {
			s.runTo(before, expected)
		}
		s.lines = append(s.lines, in.Line)
		s.next()
	}
	if s.step < s.h.Steps() {
		s.runTo(s.h.Steps(), last)
	} else {
		s.expect(last)
	}
	return s.lines, nil
}

type session struct {
	*Transcriber
	lines  []string
	values map[string]string // the values that were expected last, by the words before them
}

// runTo runs to a step, where it expects what has changed.
func (s *session) runTo(step int64, subjects []syntax.Subject) {
	for s.step < step {
		s.next()
	}
	s.lines = append(s.lines, "run until step "+strconv.FormatInt(step, 10))
	s.expect(subjects)
}

func (s *session) expect(subjects []syntax.Subject) {
	for i, x := range s.r.w.Informers {
		prefix := ""
		if i > 0 {
			prefix = syntax.Quote(x.Config().Name) + " "
			if s.namesake(i) {
				continue // its name stands for another informer
			}
		}
		for _, subject := range subjects {
			if !subject.HasArgs() {
				s.line(x, subject, prefix+subject.String())
				continue
			}
			for l := range s.r.calls[i] {
				if h := x.Config().Handlers; l < len(h) {
					s.line(x, subject, prefix+subject.String()+" "+syntax.Quote(h[l].Name), syntax.Word{Text: h[l].Name})
				}
			}
		}
	}
}

// namesake reports whether an informer before the one with number i has its name.
func (s *session) namesake(i int) bool {
	all := s.r.w.Informers
	return slices.ContainsFunc(all[:i], func(x *informer.Informer) bool { return x.Config().Name == all[i].Config().Name })
}

// line expects one value, unless that was expected before.
func (s *session) line(x *informer.Informer, subject syntax.Subject, words string, args ...syntax.Word) {
	v, ok := s.value(x, subject, args...)
	if was, known := s.values[words]; ok && (!known || was != v) {
		s.values[words] = v
		s.lines = append(s.lines, "expect "+words+" "+v)
	}
}

// maxRecordedWrites is how many writes of a recording a test can have.
const maxRecordedWrites = 5000

// timed is a line, and when it is played in nanoseconds.
type timed struct {
	time int64
	line string
}

// recordedWrites is what a recording amounts to as writes to its server: the objects that are there before the first
// watch, and what was written after that.
type recordedWrites struct {
	cfg    *informer.Config
	before []string
	after  []timed
	last   map[object.Key]object.Meta
	listed map[object.Key]bool // by the list that is being read; nil outside of lists
	begun  bool                // the first list is over
}

// writesOf reads the writes of an informer's recording up to a time.
func writesOf(cfg *informer.Config, until int64) (*recordedWrites, error) {
	if !cfg.Feed.Complete() {
		return nil, fault.Plain("recordingUnread")
	}
	x := &recordedWrites{cfg: cfg, last: map[object.Key]object.Meta{}}
	for i := range cfg.Feed.Len() {
		r := cfg.Feed.At(i)
		if r.Time > until {
			break
		}
		x.take(r)
		if len(x.before)+len(x.after) > maxRecordedWrites {
			return nil, fault.Number("longRecording max", maxRecordedWrites)
		}
	}
	return x, nil
}

func (x *recordedWrites) take(r apiserver.Record) {
	switch r.Kind {
	case apiserver.ListBegin:
		x.listed = map[object.Key]bool{}
	case apiserver.ListItem:
		m := x.cfg.Table.Meta(r.Obj)
		if x.listed != nil {
			x.listed[m.Key] = true
		}
		x.wrote(r.Time, m)
	case apiserver.ListEnd:
		for key := range x.cfg.Table.Keys() { // in the order of the table, which is the same in each run
			key := object.Key(key)
			if _, is := x.last[key]; is && x.listed != nil && !x.listed[key] {
				x.deleted(r.Time, key)
			}
		}
		x.listed, x.begun = nil, true
	case apiserver.InitialEnd:
		x.begun = true
	case apiserver.WatchOpen:
		x.begun = x.begun || !r.Streaming
	case apiserver.WatchEvent:
		if r.Failure != apiserver.NoFailure {
			return
		}
		switch m := x.cfg.Table.Meta(r.Obj); r.Delta {
		case event.Added, event.Updated:
			x.wrote(r.Time, m)
		case event.Deleted:
			x.deleted(r.Time, m.Key)
		}
	}
}

func (x *recordedWrites) wrote(at int64, m object.Meta) {
	old, is := x.last[m.Key]
	if is && old.RV == m.RV {
		return
	}
	kind := world.Create
	if is {
		kind = world.Update
	}
	x.last[m.Key] = m
	x.add(at, kind, m)
}

func (x *recordedWrites) deleted(at int64, key object.Key) {
	if m, is := x.last[key]; is {
		delete(x.last, key)
		x.add(at, world.Delete, m)
	}
}

// add adds the line of a write. The informer's name may say more than its resource, as "pods in shop".
func (x *recordedWrites) add(at int64, kind world.CommandKind, m object.Meta) {
	plain := *x.cfg
	plain.Name, _, _ = strings.Cut(plain.Name, " ")
	line, _ := syntax.CommandLine(&world.Command{Kind: kind, Object: m}, func(int) *informer.Config { return &plain })
	if !x.begun {
		x.before = append(x.before, line)
		return
	}
	x.after = append(x.after, timed{at, line})
}
