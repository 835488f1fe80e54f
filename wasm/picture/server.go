package picture

import (
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/wasm/link"
)

// server returns the API server with its tape: what was sent and what comes.
func (s *Stage) server() link.Server {
	v := s.x.Server.View(max(0, s.window.Tape-upcoming), upcoming)
	out := link.Server{RV: s.t.RVText(v.Newest), Sent: int(v.Sent), Total: int(v.Total), Simulated: !v.Recorded, Next: -1}
	for i := len(v.Coming) - 1; i >= 0; i-- {
		out.Tape = append(out.Tape, s.tape(v.Coming[i], false))
	}
	if l := v.List; l.OK {
		c := listChip(l.N)
		c.RV = s.t.RVText(l.RV)
		out.Tape = append(out.Tape, link.Tape{Chip: *c, At: l.At})
		out.Next = max(0, l.At-s.w.Now())
	}
	for _, e := range v.Past {
		out.Tape = append(out.Tape, s.tape(e, true))
	}
	if !v.Recorded {
		out.Revision, out.Oldest, out.Message, out.Holds = s.t.RVText(v.Revision), s.t.RVText(v.Oldest), v.Message, v.Holds
	}
	if len(v.Coming) > 0 && !v.List.OK {
		out.Next = max(0, v.Coming[0].At-s.w.Now())
	}
	return out
}

// upcoming is how many events are shown that are still to be sent.
const upcoming = 3

func (s *Stage) tape(e apiserver.Sent, sent bool) link.Tape {
	letter := watchLetter(e.Delta)
	if e.Kind != apiserver.WatchEvent {
		letter = link.LetterBookmark
	}
	c := s.chip(letter, e.Obj)
	if c.RV == "" {
		c.RV = s.t.RVText(e.RV)
	}
	return link.Tape{N: int(e.N), Chip: c, At: e.At, Sent: sent}
}
