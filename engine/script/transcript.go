package script

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

// Entry is one line of a transcript.
type Entry struct {
	Kind  EntryKind
	Line  int      // of the script
	Text  string   // of a Statement: the line; of a Value or an Answer: what was asked for
	Step  int64    // of a Moved: which step it was
	Time  int64    // virtual, ns
	Actor string   // who moved; "" for the outside world
	Facts []string // what the step did

	Schedule []string // of an Answer: the actors in the order in which they move until it happens
	States   int      // of an Answer: how many were seen
}

// EntryKind says what an Entry is.
type EntryKind uint8

const (
	Statement EntryKind = iota + 1
	Moved
	Value
	Answer // to a can
)

func (k EntryKind) String() string {
	return [...]string{"", "statement", "step", "value", "answer"}[k]
}

// String returns the entry as it stands in a transcript.
func (e Entry) String() string {
	switch e.Kind {
	case Statement:
		return "> " + e.Text
	case Moved:
		var b strings.Builder
		b.WriteString("  ")
		b.WriteString(pad(syntax.TimeText(e.Time), 12))
		b.WriteString(pad(e.Actor, 10))
		b.WriteString(strings.Join(e.Facts, "; "))
		return b.String()
	}
	return "= " + e.Text
}

func pad(s string, n int) string {
	if have := utf8.RuneCountInString(s); have < n {
		s += strings.Repeat(" ", n-have)
	}
	return s + " "
}

// The levels of a transcript: how much of what happens it has.
const (
	logNone = iota
	logCalls
	logMain
	logAll
)

var levels = [...]string{logNone: "none", logCalls: "calls", logMain: "main", logAll: "all"}

func parseLog(p *syntax.Parser) (func(*Runner) error, error) {
	w, err := p.Next(fault.Plain("aLevel"))
	if err != nil {
		return nil, err
	}
	for level, name := range levels {
		if name == w.Text {
			return func(r *Runner) error { r.level = level; return nil }, p.Done()
		}
	}
	return nil, p.Fail(w, fault.Unknown("noLevel name", w.Text, levels[:]))
}

// record adds the last step to the transcript: an actor's, or a command.
func (r *Runner) record() {
	w := r.w
	e := Entry{Kind: Moved, Step: w.Steps(), Time: w.Now()}
	x := w.Informers[w.Last.Informer]
	if w.Last.Actor != actor.Nobody {
		e.Actor = r.actorName(w.Last.Actor)
	}
	for _, f := range w.Log.Events {
		if f.Kind == event.HandlerCalled {
			calls := &r.calls[x.Index()][f.Handler()]
			calls.calls = append(calls.calls, callText(x.Config().Table, f))
		}
		if levelOf(f) <= r.level || w.ByHand() && !f.Kind.Outside() && r.level > logNone {
			e.Facts = append(e.Facts, factText(x, f))
		}
	}
	if len(e.Facts) > 0 {
		r.emit(e)
	}
	if r.onFacts != nil {
		var all []string
		for _, f := range w.Log.Events {
			all = append(all, factText(x, f))
		}
		r.onFacts(all)
	}
}

// Describe writes what w's last step did: who made it, "" for a command, and its facts as
// transcripts write them. It tells of locks that were taken and given back only if
// the step did nothing else.
func Describe(w *world.World) (who string, facts []string) {
	if w.Last.Actor != actor.Nobody {
		who = actorName(w.Informers, w.Set.Role(w.Last.Actor))
	}
	var locks []string
	for _, f := range w.Log.Events {
		text := factText(w.Informers[w.Last.Informer], f)
		if f.Kind == event.LockAcquired || f.Kind == event.LockReleased {
			locks = append(locks, text)
		} else {
			facts = append(facts, text)
		}
	}
	if len(facts) == 0 {
		facts = locks
	}
	return who, facts
}

// levelOf returns the lowest level at which a transcript has an event. A command's own
// facts repeat what its line says, except for how many informers were started.
func levelOf(e event.Event) int {
	if e.Kind.Outside() && e.Actor == actor.Nobody && e.Kind != event.FactoryStarted {
		return logAll
	}
	switch e.Kind {
	case event.HandlerCalled:
		return logCalls
	case event.LockAcquired, event.LockReleased, event.LockWaits, event.ListenerAddCh, event.ListenerSlot, event.ListenerPending,
		event.ListenerNextCh, event.HandlerReturned, event.ReplaceStarted, event.PopWaits, event.ResourceVersionSet, event.WatchEventReceived,
		event.InitialPopulationCount, event.Distributed, event.WorkGetWaits, event.WorkDone, event.WorkUnlocked, event.WorkForgotten, event.ReconcileEnded:
		return logAll
	}
	return logMain
}

// factText returns an event in a few words.
func factText(x *informer.Informer, e event.Event) string {
	t := x.Config().Table
	s := e.Kind.String()
	add := func(text string) { s += " " + text }
	if i := e.Handler(); i >= 0 && e.Kind != event.CallRefused {
		add(x.Config().Handlers[i].Name)
	}
	if i := e.Index(); i >= 0 {
		add(x.Indexer.IndexName(i) + "=" + t.Text(e.Value()))
	}
	if e.Kind == event.HandlerCalled {
		add(callText(t, e))
	} else {
		if e.Delta != event.None {
			add(e.Delta.String())
		}
		if e.Key != 0 {
			add(t.KeyText(e.Key))
		}
		if versions := versions(t, e.Old, e.New); versions != "" {
			add(versions)
		}
		for i, f := range []string{"tombstone", "sync", "initial", "waits", "streaming", "silent"} {
			if e.Flags>>i&1 != 0 {
				add(f)
			}
		}
	}
	if n := amountText(t, e); n != "" {
		add(n)
	}
	return s
}

// versions writes "@1", "@1->2", or "@1->" where the new one is nothing.
func versions(t *object.Table, old, new object.Ref) string {
	rv := func(o object.Ref) string { return t.RVText(t.RVOf(o)) }
	switch {
	case old == 0 && new == 0:
		return ""
	case old == 0:
		return "@" + rv(new)
	case new == 0:
		return "@" + rv(old)
	}
	return "@" + rv(old) + "->" + rv(new)
}

// callText writes a handler's call: "OnUpdate default/web@1->2".
func callText(t *object.Table, e event.Event) string {
	fn := "OnAdd "
	switch e.Delta {
	case event.Updated:
		fn = "OnUpdate "
	case event.Deleted:
		fn = "OnDelete "
	}
	s := fn + t.KeyText(e.Key) + versions(t, e.Old, e.New)
	if e.Flags&event.Tombstone != 0 {
		s += " tombstone"
	}
	if e.Flags&event.IsInInitialList != 0 {
		s += " initial"
	}
	return s
}

// amountText returns the text for the number that a fact has.
func amountText(t *object.Table, e event.Event) string {
	switch k := e.Kind; {
	case k == event.HandlerCalled, k == event.WatchEventReceived, k.Has(event.Value):
		return ""
	case k.Has(event.RV):
		s := "rv=" + strconv.Quote(t.RVText(e.RV()))
		if n := e.Limit(); n > 0 {
			s += " limit=" + strconv.Itoa(n)
		}
		return s
	case k.Has(event.Duration) && e.Duration() < 0:
		return "forever"
	case k.Has(event.Duration):
		return syntax.TimeText(e.Duration())
	case k.Has(event.Deadline):
		return syntax.TimeText(e.Deadline())
	case k.Has(event.Lock):
		return actor.LockID(e.Lock()).String()
	case k.Has(event.Skip):
		return [...]string{"", "no metadata", "unexpected kind", "unknown type", "transform failed"}[e.Skip()]
	case k.Has(event.Refused):
		return [...]string{"", "Run: the informer has started already", "AddEventHandler: the informer has stopped already",
			"AddIndexers: the informer has started already", "AddIndexers: there is such an index"}[e.Refused()]
	}
	n := e.Count() + int64(e.Code()) + e.Revision()
	if e.Syncing() {
		n = 1
	}
	if n == 0 && !e.Kind.Has(event.Started) {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func (r *Runner) actorName(id actor.ID) string {
	return actorName(r.w.Informers, r.w.Set.Role(id))
}

func (r *Runner) actor(word string) (actor.ID, error) {
	text := syntax.Unquote(word)
	var names []string
	for id := range r.w.Set.Len() {
		name := r.actorName(actor.ID(id))
		if name == text || r.config(0).Name+":"+name == text {
			return actor.ID(id), nil
		}
		names = append(names, name)
	}
	return 0, fault.Unknown("noActor name", word, names)
}

func (r *Runner) waits(id actor.ID) string {
	st := r.w.Set.State(id)
	switch st.Wait {
	case actor.Ready:
		return "nothing"
	case actor.OnLock:
		return "lock " + actor.LockID(st.Target).String()
	case actor.OnSend, actor.OnReceive:
		if st.Target == actor.AddCh {
			return "addCh"
		} else if st.Target == actor.NextCh {
			return "nextCh"
		}
	}
	return strings.TrimSpace(st.Wait.String())
}

// A Transcriber goes through a finished or unfinished run, from its first step to
// its furthest one, and writes its transcript. The run stays as it is.
type Transcriber struct {
	r      *Runner
	h      *history.History // a branch, so nobody else's place changes
	inputs []Input          // the inputs that are still to come
	step   int64
	setup  []string
	begun  bool // the setup has been told
}

// How much of a run a Transcriber tells.
const (
	TellCalls = logCalls // what the handlers were called with
	TellMain  = logMain  // what a transcript has unless a line says otherwise
)

// Transcribe returns a Transcriber of a run, which calls out with each line of the transcript.
// Setup are the lines that have set up the machine, if there are any.
func Transcribe(h *history.History, setup []string, level int, out func(Entry)) *Transcriber {
	b := h.Branch(h.Steps())
	b.SeekTo(0)
	r := Attach(b, out)
	r.w, r.level = b.World(), level
	inputs, err := Inputs(b)
	if err != nil {
		inputs = nil // the steps themselves tell what was done
	}
	return &Transcriber{r: r, h: b, inputs: inputs, setup: setup}
}

// Advance tells the next n steps. It reports whether all has been told.
func (t *Transcriber) Advance(n int) (done bool) {
	if !t.begun {
		t.begun = true
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

// Drop frees what the Transcriber keeps. It must not be used afterwards.
func (t *Transcriber) Drop() { t.h.Drop() }

// value returns the value of a subject at the Transcriber's step. ok is false if a script can't
// expect that value.
func (t *Transcriber) value(x *informer.Informer, s syntax.Subject, args ...syntax.Word) (value string, ok bool) {
	v, wrong := subjectValues[s](t.r, x, args)
	return v, wrong == nil && v != "" && len(v) <= maxExpected
}

// maxExpected is how long a value may be that is written as an expectation.
// Nobody would see what a longer one is about.
const maxExpected = 400

// IsTranscript reports whether a text is a script with its transcript, as the library's are:
// lines that are played begin with "> ", and what they bring stands beneath them.
func IsTranscript(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return strings.HasPrefix(line, "> ")
		}
	}
	return false
}

// Written is a line of a transcript, with its number in the file.
type Written struct {
	Line int
	Text string
}

// Untranscribed returns the script of a transcript, whose lines have the numbers that they have there, and
// what a Runner writes of it.
func Untranscribed(text string) (script string, want []Written) {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		played, is := strings.CutPrefix(line, "> ")
		switch {
		case is:
			b.WriteString(played)
			want = append(want, Written{n, line})
		case line == "" || line[0] == '#':
			b.WriteString(line)
		default:
			want = append(want, Written{n, line})
		}
		b.WriteByte('\n')
	}
	return b.String(), want
}

// Played returns the lines of a transcript that are played, and nothing else of it.
func Played(text string) string {
	var b strings.Builder
	_, lines := Untranscribed(text)
	for _, l := range lines {
		if played, is := strings.CutPrefix(l.Text, "> "); is {
			b.WriteString(played + "\n")
		}
	}
	return b.String()
}
