package script

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/script/syntax"
)

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
		for _, of := range subjects {
			if !of.HasArgs() {
				s.line(x, of, prefix+of.String())
				continue
			}
			for l := range s.r.calls[i] {
				if h := x.Config().Handlers; l < len(h) {
					s.line(x, of, prefix+of.String()+" "+syntax.Quote(h[l].Name), syntax.Word{Text: h[l].Name})
				}
			}
		}
	}
}

// namesake reports whether an informer before the one with number i has its name.
func (s *session) namesake(i int) bool {
	all := s.r.w.Informers
	for _, x := range all[:i] {
		if x.Config().Name == all[i].Config().Name {
			return true
		}
	}
	return false
}

// line expects one value, unless that was expected before.
func (s *session) line(x *informer.Informer, of syntax.Subject, words string, args ...syntax.Word) {
	v, ok := s.value(x, of, args...)
	if was, known := s.values[words]; ok && (!known || was != v) {
		s.values[words] = v
		s.lines = append(s.lines, "expect "+words+" "+v)
	}
}
