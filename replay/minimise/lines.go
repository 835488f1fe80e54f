package minimise

import (
	"encoding/json"
	"strconv"

	"github.com/informerscope/informerscope/replay/trace"
)

// Lines writes a recording once more, a line of our own format at a time, with nothing
// but what Best keeps.
type Lines struct {
	again   *trace.Decoder // reads the lines once more, to know which records they are
	records func() int     // that again has read
	plan    map[int32]int32
	best    Best
	next    int             // in best.Kept
	number  int32           // requests so far
	numbers map[int64]int32 // of requests, by their ids
	ids     map[int32]int64 // and the other way round
}

// NewLines begins to write a part of the recording that begins with a header, and that
// of was read from. The part is one of of.Resources[resource].
func NewLines(header []byte, of *trace.Trace, resource int, best Best) (*Lines, error) {
	t := &trace.Trace{}
	l := &Lines{
		best: best, plan: planOf(of.Resources[resource].Records, best.Kept),
		numbers: map[int64]int32{}, ids: map[int32]int64{},
		records: func() int {
			if resource >= len(t.Resources) {
				return 0
			}
			return len(t.Resources[resource].Records)
		},
	}
	var err error
	l.again, err = trace.NewDecoder(t, header)
	return l, err
}

// planOf maps the requests that are written to themselves. A watch that has become a
// part of the watch before it is mapped to that one.
func planOf(records []trace.Record, kept []int32) map[int32]int32 {
	plan := map[int32]int32{}
	watch := int32(0)
	next := 0
	for i := range records {
		if next == len(kept) {
			break
		}
		stays := int(kept[next]) == i
		if stays {
			next++
		}
		switch r := &records[i]; r.Kind {
		case trace.ListBegin, trace.ListItem, trace.ListEnd, trace.ListError:
			plan[r.Request] = r.Request
		case trace.WatchError:
			if stays {
				plan[r.Request] = r.Request
			}
		case trace.WatchOpen:
			if stays {
				watch = r.Request
			}
			plan[r.Request] = watch
		}
	}
	return plan
}

// entry is a line, as far as it matters here.
type entry struct {
	T     int64           `json:"t"`
	ID    int64           `json:"id,omitempty"`
	Req   json.RawMessage `json:"req,omitempty"`
	Resp  json.RawMessage `json:"resp,omitempty"`
	Body  json.RawMessage `json:"body,omitempty"`
	Event json.RawMessage `json:"event,omitempty"`
	End   json.RawMessage `json:"end,omitempty"`
}

// Line takes in a line after the header. It returns the line that is to be written for
// it, or nil.
func (l *Lines) Line(line []byte) ([]byte, error) {
	from := l.records()
	if err := l.again.Line(line, 0); err != nil {
		return nil, nil // as when it was read
	}
	var e entry
	if err := json.Unmarshal(line, &e); err != nil {
		return nil, nil
	}
	if e.Req != nil {
		l.number++
		l.numbers[e.ID], l.ids[l.number] = l.number, e.ID
	}
	number := l.numbers[e.ID]
	as := l.plan[number]
	if as == 0 || l.next == len(l.best.Kept) && e.End == nil {
		l.kept(l.records())
		return nil, nil
	}
	e.ID = l.ids[as]
	made := l.records() - from
	kept := l.kept(l.records())
	var err error
	switch {
	case e.Req != nil || e.Resp != nil:
		if as != number {
			return nil, nil
		}
	case e.Body != nil:
		e.Body, err = l.body(e.Body, from, made, kept)
	case e.Event != nil:
		last := len(kept) - 1 // an event may be read as the watch's beginning, too
		if last < 0 || int(l.best.Kept[kept[last]]) != from+made-1 {
			return nil, nil
		}
		e.Event, err = retyped(e.Event, l.best.Deltas[kept[last]])
	case e.End != nil:
		if made > 0 && len(kept) == 0 || made == 0 && as != number {
			return nil, nil
		}
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(e)
}

// Last returns the last line. It says that nothing more comes until the moment at which
// the condition comes about.
func (l *Lines) Last() []byte {
	return append(strconv.AppendInt([]byte(`{"t":`), l.best.Time, 10), '}')
}

// kept returns which of the records up to to that no line had yet are kept, as places
// in Best.
func (l *Lines) kept(to int) (kept []int) {
	for ; l.next < len(l.best.Kept) && int(l.best.Kept[l.next]) < to; l.next++ {
		kept = append(kept, l.next)
	}
	return kept
}

// body returns a list without the items that are not kept. The body of anything else
// stays as it is.
func (l *Lines) body(raw json.RawMessage, from, made int, kept []int) (json.RawMessage, error) {
	var list map[string]json.RawMessage
	var items []json.RawMessage
	if json.Unmarshal(raw, &list) != nil || list["items"] == nil || json.Unmarshal(list["items"], &items) != nil {
		return raw, nil
	}
	if len(items) > made {
		return raw, nil // some item is no object, and nobody can tell which record is which item
	}
	left := []json.RawMessage{}
	for _, j := range kept {
		if i := int(l.best.Kept[j]) - from; i < len(items) {
			left = append(left, items[i])
		}
	}
	var err error
	if list["items"], err = json.Marshal(left); err != nil {
		return nil, err
	}
	return json.Marshal(list)
}
