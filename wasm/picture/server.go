package picture

import (
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/wasm/link"
)

// server is the tape around the playback's place: what was sent and what comes.
func (s *Stage) server() link.Server {
	p := s.x.Playback()
	feed := p.Feed()
	out := link.Server{RV: s.t.RVText(p.Newest()), State: p.State().String(), Sent: int(p.Events()), Next: -1}
	n := int(p.Events())
	for i := p.Pos() - 1; i >= 0 && len(out.Tape) < s.window.Tape-upcoming; i-- {
		if r := feed.At(i); r.IsEvent() {
			out.Tape = append(out.Tape, s.tape(n, r, true))
			n--
		}
	}
	var ahead []link.Tape
	n = int(p.Events())
	for i := p.Pos(); i < feed.Len() && len(ahead) < upcoming; i++ {
		if r := feed.At(i); r.IsEvent() {
			n++
			ahead = append(ahead, s.tape(n, r, false))
		}
	}
	if len(ahead) > 0 {
		out.Next = max(0, ahead[0].At-s.w.Now())
	}
	for i, j := 0, len(ahead)-1; i < j; i, j = i+1, j-1 {
		ahead[i], ahead[j] = ahead[j], ahead[i]
	}
	out.Tape = append(ahead, out.Tape...)
	return out
}

// upcoming is how many events of the tape are shown that are still to be sent.
const upcoming = 3

func (s *Stage) tape(n int, r apiserver.Record, sent bool) link.Tape {
	letter := watchLetter(r.Delta)
	if r.Kind != apiserver.WatchEvent {
		letter = "B"
	}
	c := s.chip(letter, r.Obj)
	if c.RV == "" {
		c.RV = s.t.RVText(r.RV)
	}
	return link.Tape{N: n, Chip: c, At: r.At, Sent: sent}
}
