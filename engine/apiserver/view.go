package apiserver

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// View is a server as an observer sees it. A recorded server and a simulated
// one give the same, so code that draws or explains a server doesn't ask which
// of the two it is, except to say so.
type View struct {
	Recorded bool // it answers from a recording; otherwise it is simulated
	State    State
	Due      int64 // when the pending answer or the next thing on the open stream arrives; actor.Never where nothing does by itself, or where that is not known yet

	Sent   int64      // watch events
	Total  int64      // watch events of the recording, as far as it has been read; -1 where there is no recording
	Past   []Sent     // the watch events that were sent last, the newest first
	Coming []Sent     // the watch events that come next, the next one first
	List   ComingList // of a recording: the list that comes before the next watch event
	Latest object.Ref // the object that was sent last, in a list or in a watch event

	Newest   object.RV // the resourceVersion that was sent last
	Revision object.RV // the server's own, 0 where it is not known
	Oldest   object.RV // the oldest from which a watch can be served, 0 where it is not known
	Message  string    // the server's words, if what it answered last was an error; "" where it had none
	Cut      bool      // the open watch's connection is broken, and the reflector has not read its end yet
	Silent   bool      // the open watch's connection is half-open: nothing comes through it any more
	Amid     bool      // the initial events of a streaming list are being sent
	Holds    int       // how many objects the server holds, -1 where that is not known
	Played   int       // of a recording: how many records have been played

	// Converted tells of a recording that the list which answered the last request was recorded as
	// one of the other kind: an ordinary one for a request for a streaming list, or the other way round.
	Converted bool
}

// Sent is one event of a watch stream with its number, counted from 1. Its At is
// when it was sent, or when it will be.
type Sent struct {
	Record
	N int64
}

// ComingList is a list that is to be sent.
type ComingList struct {
	OK bool // there is one
	N  int  // how many objects it has
	RV object.RV
	At int64 // when its last byte was recorded
}

// TapeLen is the most that a View has of Past.
const TapeLen = 64

// View describes the server to an observer, with up to past and coming watch events on either side.
func (p *Playback) View(past, coming int) View {
	v := View{
		Recorded: true, State: p.state, Due: actor.Never,
		Sent: p.events, Total: p.rec.feed.Events(), Newest: p.newest, Holds: -1, Played: p.pos, Converted: p.converted,
	}
	if at, ok := p.Due(); ok {
		v.Due = at
	}
	v.Amid, v.Cut = p.initial.sending, p.cut
	if p.state == Open && !v.Amid {
		_, _, v.Amid = p.rec.streamed(p.pos)
	}
	if p.failed > 0 {
		v.Message = p.rec.feed.Message(p.failed - 1)
	}
	past = min(past, TapeLen)
	n := p.events
	for i := p.pos - 1; i >= 0 && (len(v.Past) < past || v.Latest == 0); i-- {
		r := p.rec.feed.At(i)
		if v.Latest == 0 {
			v.Latest = r.Obj
		}
		if r.IsEvent() && len(v.Past) < past {
			v.Past = append(v.Past, Sent{r, n})
			n--
		}
	}
	n = p.events
	for i := p.pos; i < p.rec.feed.Len() && len(v.Coming) < coming; i++ {
		switch r := p.rec.feed.At(i); {
		case r.IsEvent():
			n++
			v.Coming = append(v.Coming, Sent{r, n})
		case len(v.Coming) > 0:
		case r.Kind == ListBegin, r.Kind == ListError:
			v.List = ComingList{}
		case r.Kind == ListItem:
			v.List.N++
		case r.Kind == ListEnd:
			v.List.OK, v.List.RV, v.List.At = true, r.RV, r.At
		}
	}
	return v
}

// View describes the server to an observer, with up to past and coming watch events on either side.
func (s *Simulated) View(past, coming int) View {
	v := View{
		State: s.state, Sent: s.said.sent, Total: -1, Newest: s.said.newest, Latest: s.said.latest, Holds: s.Storage.etcd.n,
		Revision: object.NumberRV(uint64(s.Storage.etcd.revision)),
	}
	if s.said.erred {
		v.Message = s.said.message
	}
	v.Silent, v.Cut = s.state == Open && s.stream.silent, s.state == Open && s.stream.broken
	oldest := s.Storage.etcd.compact
	if !s.cfg.Uncached {
		oldest = s.Storage.oldest()
	}
	v.Oldest = object.NumberRV(uint64(oldest))
	v.Due, _ = s.Due()
	v.Amid = s.state == Open && (s.stream.at < len(s.stream.initial) || s.stream.end)
	for i := len(s.said.tape) - 1; i >= max(0, len(s.said.tape)-past); i-- {
		v.Past = append(v.Past, s.said.tape[i])
	}
	v.Coming = s.coming(coming)
	return v
}

// keep adds to the tape what was sent.
func (s *said) keep(r Record) {
	s.sent++
	if r.RV != 0 {
		s.newest = r.RV
	}
	if r.Obj != 0 {
		s.latest = r.Obj
	}
	if len(s.tape) == TapeLen {
		s.tape = s.tape[:copy(s.tape, s.tape[1:])]
	}
	s.tape = append(s.tape, Sent{r, s.sent})
}

// coming is what is to be sent on the open watch if nothing more is written.
func (s *Simulated) coming(n int) (list []Sent) {
	if s.state != Open {
		return nil // a stream that is over may stand before the oldest change that is kept
	}
	st := &s.stream
	what, at, _ := s.planStream()
	if what == sendNothing || what == sendEnd {
		return nil
	}
	add := func(r Record) {
		if len(list) < n {
			list = append(list, Sent{r, s.said.sent + int64(len(list)) + 1})
		}
	}
	if what == sendError {
		r := st.refusal.record(WatchEvent, at)
		r.Delta = event.Error
		add(r)
		return list
	}
	for _, r := range st.initial[min(st.at, len(st.initial)):] {
		add(Record{Kind: WatchEvent, At: at, Delta: event.Added, Obj: r, RV: s.cfg.Table.RVOf(r)})
	}
	if st.end {
		add(Record{Kind: InitialEnd, At: at, RV: object.NumberRV(uint64(st.rev))})
	}
	rev, marked := st.rev, st.bookmark > st.deadline
	bookmark := func(rev int64) {
		add(Record{Kind: WatchBookmark, At: st.bookmark, RV: object.NumberRV(uint64(rev))})
		marked = true
	}
	pos := st.next
	for ; pos < s.Storage.etcd.end() && len(list) < n; pos++ {
		c := s.Storage.etcd.change(pos)
		at := s.arrives(c)
		if at > st.deadline || pos == st.killed {
			return list
		}
		if !marked && at > st.bookmark {
			bookmark(max(rev, s.Storage.etcd.revBefore(pos)))
		}
		d, leaves := s.cfg.selected(c)
		if c.rev <= st.from || d == event.None {
			continue
		}
		r := c.obj
		if leaves {
			r = c.old // looking makes no new version of the object
		}
		add(Record{Kind: WatchEvent, At: at, Delta: d, Obj: r, RV: object.NumberRV(uint64(c.rev))})
		rev = c.rev
	}
	if !marked {
		bookmark(max(rev, s.Storage.bookmarkRev(pos)))
	}
	return list
}
