package minimise

import (
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// part is a recording with some of its records left out.
type part struct {
	whole   apiserver.Feed
	records []int32       // the records that are left, by their numbers in whole
	deltas  []event.Delta // the types that they have now
	events  int64
}

// wholeRecording returns the part that leaves out nothing.
func wholeRecording(f apiserver.Feed) *part {
	p := &part{whole: f}
	for i := range f.Len() {
		r := f.At(i)
		p.add(int32(i), &r, r.Delta)
	}
	return p
}

func (p *part) Len() int             { return len(p.records) }
func (p *part) Message(i int) string { return p.whole.Message(int(p.records[i])) }
func (p *part) Events() int64        { return p.events }
func (p *part) Retried() bool        { return p.whole.Retried() }
func (p *part) Complete() bool       { return true }
func (p *part) At(i int) apiserver.Record {
	r := p.whole.At(int(p.records[i]))
	r.Delta = p.deltas[i]
	return r
}

func (p *part) Now() int64 {
	if len(p.records) == 0 {
		return 0
	}
	return p.At(len(p.records) - 1).Time
}

// add adds a record of the whole recording.
func (p *part) add(i int32, r *apiserver.Record, d event.Delta) {
	p.records, p.deltas = append(p.records, i), append(p.deltas, d)
	if r.IsEvent() {
		p.events++
	}
}

// withoutRecords returns the part that is left without the records that gone marks. It mends
// the part so that a server could have sent it: the first event of an object that no
// list held is ADDED, and an object that isn't there is not deleted. It returns nil
// where that can't be, because an object would be created that is there already.
func (p *part) withoutRecords(gone []bool, key func(object.Ref) object.Key) *part {
	out := &part{whole: p.whole}
	var before, after client
	for j, i := range p.records {
		r, d := p.whole.At(int(i)), p.deltas[j]
		var k object.Key
		if r.Obj != 0 {
			k = key(r.Obj)
		}
		was := before.cachesKey(k)
		r.Delta = d
		before.apply(&r, k)
		if gone[i] {
			continue
		}
		if k != 0 && r.Kind == apiserver.WatchEvent && r.Failure == apiserver.NoFailure {
			switch is := after.cachesKey(k); {
			case d == event.Updated && !is:
				d = event.Added
			case d == event.Deleted && !is:
				continue
			case d == event.Added && is && !was:
				return nil
			}
		}
		r.Delta = d
		after.apply(&r, k)
		out.add(i, &r, d)
	}
	return out
}

// upTo returns the first n records of the part.
func (p *part) upTo(n int) *part {
	out := &part{whole: p.whole}
	for j, i := range p.records[:n] {
		r := p.whole.At(int(i))
		out.add(i, &r, p.deltas[j])
	}
	return out
}

// client is which objects a client knows of that gets a recording.
type client struct {
	present map[object.Key]bool
	listed  map[object.Key]bool // by a list that has not ended
	lists   bool
}

func (c *client) cached() map[object.Key]bool {
	if c.lists {
		return c.listed
	}
	return c.present
}

func (c *client) cachesKey(k object.Key) bool { return c.cached()[k] }

// apply takes in a record about the object of a key.
func (c *client) apply(r *apiserver.Record, k object.Key) {
	switch r.Kind {
	case apiserver.ListBegin, apiserver.WatchOpen:
		if c.lists = r.Kind == apiserver.ListBegin || r.Streaming; c.lists {
			c.listed = map[object.Key]bool{}
		}
	case apiserver.ListEnd, apiserver.InitialEnd:
		if c.lists {
			c.present, c.listed, c.lists = c.listed, nil, false
		}
	case apiserver.ListError, apiserver.WatchEnd:
		c.lists = false
	case apiserver.ListItem, apiserver.WatchEvent:
		if c.present == nil && !c.lists {
			c.present = map[object.Key]bool{}
		}
		if k != 0 {
			c.cached()[k] = r.Delta != event.Deleted
		}
	}
}

// breaks returns the broken connections of the best part after which the reflector went on
// without a list: each one from the end of a watch to the beginning of the next watch.
// Without these records the two watches are one.
func (s *search) breaks() (units [][]int32) {
	var unit []int32 // nil while a watch is open
	for j, i := range s.best.records {
		switch r := s.best.At(j); {
		case r.Kind == apiserver.WatchEnd:
			unit = []int32{i}
		case unit == nil:
		case r.Kind == apiserver.WatchError:
			unit = append(unit, i)
		case r.Kind == apiserver.WatchOpen && !r.Streaming:
			units, unit = append(units, append(unit, i)), nil
		default: // it lists again
			unit = nil
		}
	}
	return units
}

// objects returns the objects of the best part, each with its items of lists and its events.
func (s *search) objects() (units [][]int32) {
	count := map[object.Key]int{}
	for j, i := range s.best.records {
		r := s.best.At(j)
		if r.Obj == 0 || r.Kind != apiserver.ListItem && r.Kind != apiserver.WatchEvent {
			continue
		}
		k := s.q.Key(r.Obj)
		n, known := count[k]
		if !known {
			n = len(units)
			count[k], units = n, append(units, nil)
		}
		units[n] = append(units[n], i)
	}
	return units
}

// lives returns the objects of the best part from each creation to the deletion.
func (s *search) lives() (units [][]int32) {
	for _, u := range s.objects() {
		from := 0
		for j, i := range u {
			if s.q.Feed.At(int(i)).Delta == event.Deleted || j == len(u)-1 {
				units = append(units, u[from:j+1])
				from = j + 1
			}
		}
	}
	return units
}

// events returns the items, events and bookmarks of the best part, each one alone.
func (s *search) events() (units [][]int32) {
	for j, i := range s.best.records {
		switch s.best.At(j).Kind {
		case apiserver.ListItem, apiserver.WatchEvent, apiserver.WatchBookmark:
			units = append(units, []int32{i})
		}
	}
	return units
}
