package script

import (
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/script/syntax"
)

// A Teller goes through a finished or unfinished run, from its first step to
// its furthest one, and writes its transcript. The run stays as it is.
type Transcriber struct {
	r      *Runner
	h      *history.History // a branch, so nobody else's place changes
	inputs []Input          // the inputs that are still to come
	step   int64
	setup  []string
	told   bool // the setup has been told
}

// How much of a run a Teller tells.
const (
	TellCalls = logCalls // what the handlers were called with
	TellMain  = logMain  // what a transcript has unless a line says otherwise
)

// Retell returns a Teller of a run, which calls out with each line of the transcript.
// Setup are the lines that have set up the machine, if there are any.
func Transcribe(h *history.History, setup []string, level int, out func(Entry)) *Transcriber {
	b := h.Branch(h.Steps())
	b.SeekTo(0)
	r := Attach(b, out)
	r.w, r.level = b.At(), level
	inputs, err := Inputs(b)
	if err != nil {
		inputs = nil // the steps themselves tell what was done
	}
	return &Transcriber{r: r, h: b, inputs: inputs, setup: setup}
}

// Go tells the next n steps. It reports whether all has been told.
func (t *Transcriber) Go(n int) (done bool) {
	if !t.told {
		t.told = true
		for _, line := range t.setup {
			t.r.emit(Entry{Kind: Statement, Text: line})
		}
	}
	for ; n > 0 && t.step < t.h.Steps(); n-- {
		t.next()
	}
	return t.step >= t.h.Steps()
}

// next tells one step. A step that a line asked for has this line before it.
func (t *Transcriber) next() {
	t.step++
	for len(t.inputs) > 0 && t.inputs[0].Step <= t.step {
		if t.r.level > logCalls {
			t.r.emit(Entry{Kind: Statement, Text: t.inputs[0].Line})
		}
		t.inputs = t.inputs[1:]
	}
	t.h.SeekTo(t.step)
	t.r.record()
}

// Drop frees what the Teller keeps. It must not be used afterwards.
func (t *Transcriber) Drop() { t.h.Drop() }

// value returns the value of a subject at the Teller's step. ok is false if a script can't
// expect that value.
func (t *Transcriber) value(x *informer.Informer, s syntax.Subject, args ...syntax.Word) (value string, ok bool) {
	v, wrong := subjectValues[s](t.r, x, args)
	return v, wrong == nil && v != "" && len(v) <= maxExpected
}

// maxExpected is how long a value may be that is written as an expectation.
// Nobody would see what a longer one is about.
const maxExpected = 400
