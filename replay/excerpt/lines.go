// Package excerpt writes a part of a recording as a recording. [Lines] writes only the events and items
// that a Plan keeps, and [Reduced] of each object no more than is asked for. A [Recording] leaves out whole lines, with
// all that is known of an object, a controller or a handler. The package knows nothing of what the part is for.
package excerpt

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/trace"
)

// Plan says what is left of a recording.
type Plan struct {
	Resource int     `json:"resource"`        // which of the trace's resources is left
	Records  []int32 `json:"kept"`            // the numbers of its records that are left, in their order
	Added    []int32 `json:"added,omitempty"` // the numbers of records that are ADDED now, in their order
	Time     int64   `json:"time"`            // where the excerpt ends, in nanoseconds since the start
}

// Source reads a recording in our own format. It calls line with each line, without its end.
type Source func(line func([]byte)) error

// Read reads the whole recording. Its objects' places are places in lines that each end with one byte.
func Read(from Source) (*trace.Trace, error) {
	t := &trace.Trace{}
	var d *trace.Decoder
	var bad error
	at := int64(0)
	err := from(func(line []byte) {
		switch {
		case bad != nil:
		case d == nil:
			d, bad = trace.NewDecoder(t, line)
		default:
			d.Line(line, at) // what can't be read is left out
		}
		at += int64(len(line)) + 1
	})
	if err == nil {
		err = bad
	}
	t.Complete = true
	return t, err
}

// Lines returns the lines of the part of a recording that a Plan keeps. Of is what Read has
// made of the same recording.
func Lines(from Source, t *trace.Trace, p *Plan) (lines [][]byte, err error) {
	var w *writer
	var bad error
	err = from(func(line []byte) {
		switch {
		case bad != nil:
		case w == nil:
			lines = append(lines, bytes.Clone(line))
			w, bad = newWriter(line, t, p)
		default:
			var written []byte
			if written, bad = w.line(line); written != nil {
				lines = append(lines, written)
			}
		}
	})
	if err == nil {
		err = bad
	}
	if err != nil || w == nil {
		return nil, err
	}
	return append(lines, w.last()), nil
}

// Extract returns the lines of the part of a recording that a Plan keeps, with so much of each
// object. It reads the recording twice.
func Extract(from Source, p *Plan, content Content) ([][]byte, error) {
	whole, err := Read(from)
	if err != nil {
		return nil, err
	}
	lines, err := Lines(from, whole, p)
	if err != nil {
		return nil, err
	}
	return Reduced(lines, content)
}

// writer writes a recording once more, a line of our own format at a time.
type writer struct {
	second  *trace.Decoder // reads the lines once more, to know which records they are
	records func() int     // that second has read
	watches map[int32]int32
	plan    *Plan
	next    int             // in plan.Records
	number  int32           // requests so far
	numbers map[int64]int32 // of requests, by their ids
	ids     map[int32]int64 // and the other way round
}

const errNoResource = fault.Plain("noRecordedResource")

func newWriter(header []byte, tr *trace.Trace, p *Plan) (*writer, error) {
	if p.Resource < 0 || p.Resource >= len(tr.Resources) {
		return nil, errNoResource
	}
	t := &trace.Trace{}
	l := &writer{
		plan: p, watches: watches(tr.Resources[p.Resource].Records, p.Records),
		numbers: map[int64]int32{}, ids: map[int32]int64{},
		records: func() int {
			if p.Resource >= len(t.Resources) {
				return 0
			}
			return len(t.Resources[p.Resource].Records)
		},
	}
	var err error
	l.second, err = trace.NewDecoder(t, header)
	return l, err
}

// watches maps the requests that are written to themselves. A watch that has become a
// part of the watch before it is mapped to that one.
func watches(records []trace.Record, kept []int32) map[int32]int32 {
	out := map[int32]int32{}
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
			out[r.Request] = r.Request
		case trace.WatchError:
			if stays {
				out[r.Request] = r.Request
			}
		case trace.WatchOpen:
			if stays {
				watch = r.Request
			}
			out[r.Request] = watch
		}
	}
	return out
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

// line takes in a line after the header. It returns the line that is to be written for
// it, or nil.
func (l *writer) line(line []byte) ([]byte, error) {
	if l.next == len(l.plan.Records) && !bytes.Contains(line, []byte(`"end"`)) && !bytes.Contains(line, []byte(`"req"`)) {
		return nil, nil // nothing is left but the ends of requests
	}
	from := l.records()
	if err := l.second.Line(line, 0); err != nil {
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
	as := l.watches[number]
	if as == 0 || l.next == len(l.plan.Records) && e.End == nil {
		l.keptRecords(l.records())
		return nil, nil
	}
	e.ID = l.ids[as]
	made := l.records() - from
	kept := l.keptRecords(l.records())
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
		if last < 0 || int(l.plan.Records[kept[last]]) != from+made-1 {
			return nil, nil
		}
		if _, is := slices.BinarySearch(l.plan.Added, l.plan.Records[kept[last]]); is {
			e.Event, err = added(e.Event)
		}
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

// last returns the last line. It says that nothing more comes until the moment at which
// the condition comes about.
func (l *writer) last() []byte {
	return append(strconv.AppendInt([]byte(`{"t":`), l.plan.Time, 10), '}')
}

// keptRecords returns which of the records up to to that no line had yet are kept, as places
// in the plan.
func (l *writer) keptRecords(to int) (kept []int) {
	for ; l.next < len(l.plan.Records) && int(l.plan.Records[l.next]) < to; l.next++ {
		kept = append(kept, l.next)
	}
	return kept
}

// itemsOf reads a list. ok is false for anything else.
func itemsOf(raw json.RawMessage) (list map[string]json.RawMessage, items []json.RawMessage, ok bool) {
	ok = json.Unmarshal(raw, &list) == nil && list["items"] != nil && json.Unmarshal(list["items"], &items) == nil
	return list, items, ok
}

// body returns a list without the items that are not kept. The body of anything else
// stays as it is.
func (l *writer) body(raw json.RawMessage, from, made int, kept []int) (json.RawMessage, error) {
	list, items, ok := itemsOf(raw)
	if !ok || len(items) > made { // some item is no object, and nobody can tell which record is which item
		return raw, nil
	}
	left := []json.RawMessage{}
	for _, j := range kept {
		if i := int(l.plan.Records[j]) - from; i < len(items) {
			left = append(left, items[i])
		}
	}
	var err error
	if list["items"], err = json.Marshal(left); err != nil {
		return nil, err
	}
	return json.Marshal(list)
}
