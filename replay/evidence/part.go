package evidence

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

// A recording that is too long for a link is made shorter, as long as the finding is in it: what came afterwards is left out,
// then whole resources, then whole objects. An object goes with all that is known of it: events, items of lists, calls, adds,
// reconciles and writes. So what is left could have been recorded of a cluster without it.

const (
	mostShortened = 8 << 20 // bytes of a recording that is tried to be made shorter
	notes         = 500     // bytes for what is said of what was left out
)

// shortening is how long it may take to make a recording shorter. A test waits longer.
var shortening = 10 * time.Second

// line is a line of a trace.
type line struct {
	text  []byte
	time  int64
	units []string // the resources and objects with which it goes
	list  bool     // it has items, which may go
}

// entry is what is read of a line.
type entry struct {
	T, ID, In                  int64
	Req                        *struct{ URL string }
	Body                       json.RawMessage
	Event                      *struct{ Object object }
	Work, Call, Calling, Fault *struct{ Key string }
	Reconcile, Write, Wrote    *struct{ Key string }
}

type object struct {
	Metadata struct{ Namespace, Name string }
}

func (o *object) unit() string { return keyUnit(o.Metadata.Namespace + "/" + o.Metadata.Name) }

// keyUnit returns the unit of an object's key, "" for none.
func keyUnit(key string) string {
	key = strings.TrimPrefix(key, "/")
	if key == "" || strings.HasSuffix(key, "/") {
		return ""
	}
	return "object " + key
}

// shortener looks for a part of a recording.
type shortener struct {
	lines   []line
	found   map[string]bool // what the whole has
	row     *Row            // what must still be found
	dropped map[string]bool // units
	most    int             // bytes of the link
	until   int64
	ends    time.Time
	result  []byte // the last part in which it was found
}

// read splits a recording into lines. It returns the units that can go.
func (s *shortener) read(text []byte) (resources, objects []string) {
	linesOf := map[int64][]string{} // by the id of a request, a call, a reconcile or a write
	seen := map[string]bool{}
	for text := range bytes.Lines(text) {
		var e entry
		if json.Unmarshal(text, &e) != nil {
			continue
		}
		l := line{text: text, time: e.T, list: e.Body != nil}
		add := func(units ...string) {
			for _, u := range units {
				if u != "" && !slices.Contains(l.units, u) {
					l.units = append(l.units, u)
				}
			}
		}
		if e.ID != 0 {
			add(linesOf[e.ID]...)
		}
		add(linesOf[e.In]...)
		if e.Req != nil {
			if p, ok := trace.ParsePath(e.Req.URL); ok {
				add("resource " + strings.TrimSuffix(p.Resource+"."+p.Group, "."))
			}
		}
		for _, ref := range []*struct{ Key string }{e.Work, e.Call, e.Calling, e.Fault, e.Reconcile, e.Write, e.Wrote} {
			if ref != nil {
				add(keyUnit(ref.Key))
			}
		}
		if e.ID != 0 {
			linesOf[e.ID] = slices.Clone(l.units)
		}
		if e.Event != nil {
			add(e.Event.Object.unit())
		}
		for _, u := range l.units {
			seen[u] = true
		}
		if l.list {
			for _, u := range itemsOf(e.Body) {
				seen[u] = true
			}
		}
		s.lines = append(s.lines, l)
	}
	for _, u := range slices.Sorted(maps.Keys(seen)) {
		switch {
		case strings.HasPrefix(u, "object "):
			objects = append(objects, u)
		case u != "resource "+s.row.resource:
			resources = append(resources, u)
		}
	}
	return resources, objects
}

// itemsOf returns the units of a list's items.
func itemsOf(body []byte) (units []string) {
	var list struct{ Items []object }
	if json.Unmarshal(body, &list) == nil {
		for i := range list.Items {
			units = append(units, list.Items[i].unit())
		}
	}
	return units
}

// part returns the recording without what is gone.
func (s *shortener) part() []byte {
	var b bytes.Buffer
	for i := range s.lines {
		l := &s.lines[i]
		switch {
		case i > 0 && l.time > s.until || slices.ContainsFunc(l.units, func(u string) bool { return s.dropped[u] }):
		case l.list:
			b.Write(s.withoutItems(l.text))
		default:
			b.Write(l.text)
		}
	}
	return b.Bytes()
}

// withoutItems returns a line with a list without the items that are gone.
func (s *shortener) withoutItems(text []byte) []byte {
	var all map[string]json.RawMessage
	var body map[string]json.RawMessage
	var items []json.RawMessage
	if json.Unmarshal(text, &all) != nil || json.Unmarshal(all["body"], &body) != nil || json.Unmarshal(body["items"], &items) != nil {
		return text
	}
	units := itemsOf(all["body"])
	kept := items[:0]
	for i, item := range items {
		if i < len(units) && !s.dropped[units[i]] {
			kept = append(kept, item)
		}
	}
	body["items"] = asJSON(kept)
	all["body"] = asJSON(body)
	return append(asJSON(all), '\n')
}

func asJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // it was made of JSON
	}
	return b
}

// try reports whether the row is found in the part that is left, and nothing that isn't in the whole.
func (s *shortener) try() bool {
	part := s.part()
	summary, err := Summarize(part, "", 0)
	if err != nil {
		return false
	}
	for _, r := range summary.Failed() {
		if !s.found[r.ID] {
			return false
		}
	}
	if !slices.ContainsFunc(summary.Rows, func(r Row) bool {
		return r.ID == s.row.ID && r.Subject == s.row.Subject && r.resource == s.row.resource && r.Time == s.row.Time
	}) {
		return false
	}
	s.result = part
	return true
}

// fits reports whether a link holds the part.
func (s *shortener) fits() bool { return len(s.row.Link.Holding(s.result).String()) <= s.most-notes }

// cut leaves out what came after the row could be found.
func (s *shortener) cut() {
	times := make([]int64, len(s.lines))
	for i := range s.lines {
		times[i] = s.lines[i].time
	}
	best := s.until
	low, _ := slices.BinarySearch(times, s.row.Time)
	for high := len(times) - 1; low < high && time.Now().Before(s.ends); {
		middle := (low + high) / 2
		if s.until = times[middle]; s.try() {
			best, high = s.until, middle
		} else {
			low = middle + 1
		}
	}
	s.until = best
}

// leaveOut leaves out units, half of them at once, then a quarter, until the part fits or each one alone was tried.
func (s *shortener) leaveOut(units []string) {
	for size := (len(units) + 1) / 2; size > 0; size /= 2 {
		for from := 0; from < len(units); {
			if s.fits() || time.Now().After(s.ends) {
				return
			}
			some := units[from:min(from+size, len(units))]
			for _, u := range some {
				s.dropped[u] = true
			}
			if s.try() {
				units = slices.Delete(units, from, from+len(some))
				continue
			}
			for _, u := range some {
				delete(s.dropped, u)
			}
			from += len(some)
		}
	}
}

// shortened returns the part of a recording that fits into a link and shows row i, the link that holds it, and what is
// said of it. It returns the zero Link if there is none, or none was found in time.
func (s *Summary) shortened(text []byte, i, most int) (l Link, said string) {
	if len(text) > mostShortened {
		return l, ""
	}
	c := &shortener{most: most, row: &s.Rows[i], found: map[string]bool{}, dropped: map[string]bool{}, ends: time.Now().Add(shortening)}
	for _, r := range s.Failed() {
		c.found[r.ID] = true
	}
	resources, objects := c.read(text)
	if len(c.lines) == 0 {
		return l, ""
	}
	c.until = c.lines[len(c.lines)-1].time
	if !c.try() {
		return l, ""
	}
	c.cut()
	c.leaveOut(resources)
	c.leaveOut(objects)
	if !c.fits() {
		return l, ""
	}
	said = fmt.Sprintf("a part: %s of %s, until %s", plain.Count(int64(bytes.Count(c.result, []byte{'\n'}))), plain.Plural64(int64(len(c.lines)), "line", "lines"), report.Moment(c.until))
	var without []string
	n := 0
	for _, u := range slices.Sorted(maps.Keys(c.dropped)) {
		if name, is := strings.CutPrefix(u, "resource "); is {
			without = append(without, name)
		} else {
			n++
		}
	}
	if n > 0 {
		without = append(without, plain.Plural64(int64(n), "object", "objects"))
	}
	if len(without) > 0 {
		said += ", without " + strings.Join(without, ", ")
	}
	c.lines[0].text = noted(c.lines[0].text, said)
	return c.row.Link.Holding(c.part()), plain.Text(said)
}

// noted returns a header with a note.
func noted(header []byte, note string) []byte {
	var h map[string]json.RawMessage
	if json.Unmarshal(header, &h) != nil {
		return header
	}
	h["note"] = asJSON(note)
	return append(asJSON(h), '\n')
}
