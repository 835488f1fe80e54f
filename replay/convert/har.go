package convert

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/trace"
)

// harForm is the HTTP Archive that browsers and proxies write.
var harForm = form{
	id: "har", title: "a HAR of a browser or proxy", convert: (*conversion).har, suffixes: []string{".har"},
	knows: func(head []byte) bool {
		log := head[max(0, bytes.Index(head, []byte(`"log"`))):]
		return head[0] == '{' && len(log) < len(head) && len(head)-len(log) < 200 &&
			(bytes.Contains(log, []byte(`"entries"`)) || bytes.Contains(log, []byte(`"creator"`)))
	},
}

// harReader orders by time what several answers carried at once.
type harReader struct {
	c              *conversion
	answers        []*harAnswer // parts of them are still to be written
	bytes          int          // held in the answers' bodies
	entries, empty int64
}

// harAnswer is what is still to be written of an answer, in the order of time.
type harAnswer struct {
	id    int64
	parts []harPart
}

// harPart becomes one line of the trace. One of status, event, body and how is set.
type harPart struct {
	at     time.Time
	status int    // the HTTP status, for the head of an answer
	event  []byte // a watch event
	body   []byte // a list
	how    string // how the answer ended
	text   string
}

// harBytes limits the bytes that wait to be ordered among the parts of other
// answers.
const harBytes = 256 << 20

func (c *conversion) har() error {
	h := &harReader{c: c}
	if err := c.elements("log", "entries", h.entry); err != nil {
		return err
	}
	if err := h.release(nil); err != nil {
		return err.(fatalError).error
	}
	if h.empty > 0 {
		if err := c.remark(HARNoBody, h.empty, ""); err != nil {
			return err
		}
	}
	if c.w == nil {
		return errors.New("none of its " + itoa(h.entries) + " requests is a list or a watch of a Kubernetes API server")
	}
	return nil
}

// entry reads an entry of the log. Entries are in the order of their requests.
func (h *harReader) entry(b []byte) error {
	if err := sound(b); err != nil {
		return err
	}
	h.entries++
	var e harEntry
	if err := trace.Decode(b, &e); err != nil {
		return err
	}
	path, r, watch, ok := asked(e.Request.URL)
	if !ok || e.Request.Method != "GET" {
		return nil
	}
	start, err := time.Parse(time.RFC3339Nano, e.Started)
	if err != nil {
		return errors.New("a request without startedDateTime")
	}
	body, err := e.body()
	if err != nil {
		return err
	}
	a := &harAnswer{}
	h.c.tables.of = r
	bad := h.parts(a, &e, r, watch, start, body)
	if len(a.parts) == 0 {
		return bad
	}
	if err := h.release(&start); err != nil {
		return err
	}
	h.c.at(start)
	if err := h.c.begin(); err != nil {
		return fatal(err)
	}
	h.c.ids++
	a.id = h.c.ids
	if err := h.c.w.Request(h.c.t, a.id, "GET", path); err != nil {
		return fatal(err)
	}
	h.answers = append(h.answers, a)
	return errors.Join(bad, h.release(&start))
}

// parts cuts an answer into the lines of a trace.
func (h *harReader) parts(a *harAnswer, e *harEntry, r resource, watch bool, start time.Time, body []byte) error {
	t := &e.Timings
	begun := start.Add(ms(t.Blocked) + ms(t.DNS) + ms(t.Connect) + ms(t.Send) + ms(t.Wait))
	end := start.Add(ms(e.Time))
	if end.Before(begun) {
		end = begun
	}
	status := e.Response.Status
	last := harPart{at: end, how: "eof"}
	var bad error
	switch {
	case status == 0:
		last.how, last.text = harFailure(e.Error), strings.Clone(e.Error)
		if len(body) == 0 {
			a.parts = []harPart{last}
			return nil
		}
		status = 200
	case status == 101: // a WebSocket
		status = 200
	}
	if watch && status < 300 {
		a.parts = append(a.parts, harPart{at: begun, status: status})
		if len(e.Messages) > 0 {
			bad = h.messages(a, e)
		} else {
			bad = h.events(a, body, begun, end)
		}
		if n := len(a.parts); a.parts[n-1].at.After(last.at) {
			last.at = a.parts[n-1].at
		}
		if len(a.parts) == 1 && len(body) == 0 {
			h.empty++
		}
		a.parts = append(a.parts, last)
		return bad
	}
	if len(body) == 0 && status < 300 {
		h.empty++
		return nil
	}
	list, bad := h.c.listOf(r, body)
	if bad != nil && status < 300 {
		return bad
	}
	a.parts = append(a.parts, harPart{at: begun, status: status})
	if bad == nil {
		h.bytes += len(list)
		a.parts = append(a.parts, harPart{at: end, body: list})
	}
	a.parts = append(a.parts, last)
	return nil
}

// events cuts the body of a watch into its events. A HAR doesn't say when they
// came, so events spreads them evenly between begun and end.
func (h *harReader) events(a *harAnswer, body []byte, begun, end time.Time) error {
	first := len(a.parts)
	var e trace.Event
	var bad error
	s := format.NewSplitter(format.Options{MaxLine: h.c.o.MaxLine},
		func(b []byte) error { return h.decode(b, &e) },
		func(b []byte, _, _ int64) error { return h.event(a, begun, &e, b) },
		func(p trace.Problem) { bad = errors.Join(bad, p) })
	bad = errors.Join(bad, s.Write(body), s.Close())
	came := a.parts[first:]
	for i := range came {
		came[i].at = begun.Add(end.Sub(begun) / time.Duration(len(came)+1) * time.Duration(i+1))
	}
	if len(came) > 0 {
		bad = errors.Join(bad, fatal(h.c.remark(HARSpread, 0, "")))
	}
	return bad
}

// messages cuts a watch over a WebSocket into its events. Each message has a time.
func (h *harReader) messages(a *harAnswer, e *harEntry) error {
	var bad error
	for _, m := range e.Messages {
		if m.Type != "receive" {
			continue
		}
		b := []byte(m.Data)
		var e trace.Event
		err := h.decode(b, &e)
		if err == nil {
			err = h.event(a, time.UnixMicro(int64(m.Time*1e6)), &e, b)
		}
		if bad == nil {
			bad = err
		}
	}
	return bad
}

func (h *harReader) decode(b []byte, e *trace.Event) error {
	if !trace.Shallow(b) {
		return errTooDeep
	}
	e.Reset()
	if err := trace.Decode(b, e); err != nil {
		return err
	}
	return sound(b)
}

// event adds the watch event e to the answer. b is its JSON.
func (h *harReader) event(a *harAnswer, at time.Time, e *trace.Event, b []byte) error {
	add := func(raw []byte) {
		h.bytes += len(raw)
		a.parts = append(a.parts, harPart{at: at, event: raw})
	}
	switch {
	case e.Type == "" || e.Object.Kind == "":
		return errors.New("not a watch event")
	case e.Object.Kind == "Table":
		return h.c.tableEvents(e.Type, b, func(_ resource, o []byte) error {
			add(appendEvent(nil, e.Type, o))
			return nil
		})
	}
	add(bytes.Clone(b))
	return nil
}

// release writes the parts up to the time until, or all of them if until is nil.
func (h *harReader) release(until *time.Time) error {
	for {
		first := -1
		for i, a := range h.answers {
			if first < 0 || a.parts[0].at.Before(h.answers[first].parts[0].at) {
				first = i
			}
		}
		if first < 0 {
			return nil
		}
		a := h.answers[first]
		if until != nil && a.parts[0].at.After(*until) && h.bytes <= harBytes {
			return nil
		}
		if err := h.write(a.id, a.parts[0]); err != nil {
			return fatal(err)
		}
		a.parts[0] = harPart{}
		if a.parts = a.parts[1:]; len(a.parts) == 0 {
			h.answers = slices.Delete(h.answers, first, first+1)
		}
	}
}

func (h *harReader) write(id int64, p harPart) error {
	c := h.c
	c.at(p.at)
	h.bytes -= len(p.event) + len(p.body)
	switch {
	case p.status != 0:
		return c.w.Response(c.t, id, p.status, "application/json", "")
	case p.event != nil:
		return c.w.Event(c.t, id, p.event)
	case p.body != nil:
		return c.w.Body(c.t, id, p.body)
	}
	return c.w.End(c.t, id, p.how, p.text, nil)
}

func appendEvent(b []byte, typ string, raw []byte) []byte {
	b = append(b, `{"type":`...)
	b = trace.AppendString(b, typ)
	b = append(b, `,"object":`...)
	b = append(b, bytes.TrimSpace(raw)...)
	return append(b, '}')
}
