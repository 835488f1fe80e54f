package script

import (
	"strings"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

// maxRecordedWrites is how many writes of a recording a test can have.
const maxRecordedWrites = 5000

// timed is a line, and when it is played in nanoseconds.
type timed struct {
	at   int64
	line string
}

// recordedWrites is what a recording amounts to as writes to its server: the objects that are there before the first
// watch, and what was written after that.
type recordedWrites struct {
	cfg    *informer.Config
	before []string
	after  []timed
	known  map[object.Key]object.Meta
	listed map[object.Key]bool // by the list that is being read; nil outside of lists
	begun  bool                // the first list is over
}

// writesOf reads the writes of an informer's recording up to a time.
func writesOf(cfg *informer.Config, until int64) (*recordedWrites, error) {
	if !cfg.Feed.Complete() {
		return nil, fault.Plain("recordingUnread")
	}
	x := &recordedWrites{cfg: cfg, known: map[object.Key]object.Meta{}}
	for i := range cfg.Feed.Len() {
		r := cfg.Feed.At(i)
		if r.At > until {
			break
		}
		x.take(r)
		if len(x.before)+len(x.after) > maxRecordedWrites {
			return nil, fault.Number("longRecording max", maxRecordedWrites)
		}
	}
	return x, nil
}

// take takes in a record.
func (x *recordedWrites) take(r apiserver.Record) {
	switch r.Kind {
	case apiserver.ListBegin:
		x.listed = map[object.Key]bool{}
	case apiserver.ListItem:
		m := x.cfg.Table.Meta(r.Obj)
		if x.listed != nil {
			x.listed[m.Key] = true
		}
		x.wrote(r.At, m)
	case apiserver.ListEnd:
		for key := range x.cfg.Table.Keys() { // in the order of the table, which is the same in each run
			key := object.Key(key)
			if _, is := x.known[key]; is && x.listed != nil && !x.listed[key] {
				x.deleted(r.At, key)
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
			x.wrote(r.At, m)
		case event.Deleted:
			x.deleted(r.At, m.Key)
		}
	}
}

// wrote takes in a version of an object.
func (x *recordedWrites) wrote(at int64, m object.Meta) {
	old, is := x.known[m.Key]
	if is && old.RV == m.RV {
		return
	}
	kind := world.Create
	if is {
		kind = world.Update
	}
	x.known[m.Key] = m
	x.add(at, kind, m)
}

func (x *recordedWrites) deleted(at int64, key object.Key) {
	if m, is := x.known[key]; is {
		delete(x.known, key)
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
