package picture

import (
	"sort"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/object"
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
		out.Tape = append(out.Tape, link.Tape{Chip: *c, Time: l.Time})
		out.Next = max(0, l.Time-s.w.Now())
	}
	for _, e := range v.Recent {
		out.Tape = append(out.Tape, s.tape(e, true))
	}
	if !v.Recorded {
		out.Revision, out.Oldest, out.Message, out.Objects = s.t.RVText(v.Revision), s.t.RVText(v.Oldest), v.Message, v.Objects
		out.Left = s.x.OpenWatches(s.w.Now())
		if v.State == apiserver.Open {
			out.Left--
		}
	}
	out.Holdings = s.holdings()
	if len(v.Coming) > 0 && !v.List.OK {
		out.Next = max(0, v.Coming[0].Time-s.w.Now())
	}
	return out
}

// holdings returns what a simulated server holds, and what the cache alone has.
func (s *Stage) holdings() (all []link.Holding) {
	sim, simulated := s.x.Server.(*apiserver.Simulated)
	if !simulated || sim.Storage.Len() > s.window.Store || s.dense() {
		return nil
	}
	server := &sim.Storage
	add := func(k object.Key, r object.Ref) {
		h := link.Holding{Key: s.t.KeyText(k), Time: server.Changed(k), Deleted: r == 0}
		if r != 0 {
			h.RV, h.Unwatched = s.t.RVText(s.t.RVOf(r)), !s.asksFor(r)
		}
		all = append(all, h)
	}
	for _, r := range server.Objects(nil) {
		add(s.t.KeyOf(r), r)
	}
	for _, k := range s.x.Indexer.ListKeys(nil) {
		if server.Get(k) == 0 {
			add(k, 0)
		}
	}
	sort.Slice(all, func(i, j int) bool {
		if a, b := &all[i], &all[j]; a.Unwatched == b.Unwatched {
			return a.Key < b.Key
		}
		return !all[i].Unwatched // what the informer doesn't ask for is the first to have no room
	})
	return all
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
	return link.Tape{N: int(e.N), Chip: c, Time: e.Time, Sent: sent}
}
