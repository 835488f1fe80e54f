// Package har reads HTTP Archives.
package har

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"slices"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/internal/objects"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// Form is the HTTP Archive that browsers and proxies write.
var Form = capture.Form{
	ID: "har", Convert: read, Suffixes: []string{".har"},
	Matches: func(head []byte) bool {
		log := head[max(0, bytes.Index(head, []byte(`"log"`))):]
		return head[0] == '{' && len(log) < len(head) && len(head)-len(log) < 200 &&
			(bytes.Contains(log, []byte(`"entries"`)) || bytes.Contains(log, []byte(`"creator"`)))
	},
}

// reader orders by time what several answers carried at once.
type reader struct {
	c              *objects.Reader
	answers        []*answer // parts of them are still to be written
	bytes          int       // held in the answers' bodies
	entries, empty int64
}

// answer is what is still to be written of an answer, in the order of time.
type answer struct {
	id    int64
	parts []record
}

// record becomes one line of the trace. One of status, event, body and outcome is set.
type record struct {
	time    time.Time
	status  int    // the HTTP status, for the head of an answer
	event   []byte // a watch event
	body    []byte // a list
	outcome string // how the answer ended
	text    string
}

// maxHeld limits the bytes that wait to be ordered among the parts of other
// answers.
const maxHeld = 64 << 20

// read reads a HAR.
func read(c *capture.Conversion) error {
	h := &reader{c: objects.ReaderOf(c)}
	if err := c.Elements("log", "entries", h.entry); err != nil {
		return err
	}
	if err := h.release(nil); err != nil {
		return err.(capture.FatalError).Err
	}
	if err := c.RemarkCounts("", capture.Counted{ID: remarks.HARNoBody, N: h.empty}); err != nil {
		return err
	}
	if c.Out.Trace == nil {
		return fault.Number("noRequestOf n", h.entries)
	}
	return nil
}

// entry reads an entry of the log. Entries are in the order of their requests.
func (h *reader) entry(b []byte) error {
	if err := api.Sound(b); err != nil {
		return err
	}
	h.entries++
	var e entry
	if err := api.Decode(b, &e); err != nil {
		return err
	}
	path, r, watch, ok := api.ParsePath(e.Request.URL)
	if !ok || e.Request.Method != "GET" {
		return nil
	}
	start, err := time.Parse(time.RFC3339Nano, e.Started)
	if err != nil {
		return fault.Plain("requestNoTime")
	}
	body, err := e.body()
	if err != nil {
		return err
	}
	a := &answer{}
	h.c.TablesAreOf(r)
	bad := h.records(a, &e, r, watch, start, body)
	if len(a.parts) == 0 {
		return bad
	}
	if err := h.release(&start); err != nil {
		return err
	}
	h.c.Out.SetTime(start)
	if a.id, err = h.c.Out.Ask(path); err != nil {
		return capture.Fatal(err)
	}
	h.answers = append(h.answers, a)
	return capture.Join(bad, h.release(&start))
}

// records cuts an answer into the lines of a trace.
func (h *reader) records(a *answer, e *entry, r api.Resource, watch bool, start time.Time, body []byte) error {
	t := &e.Timings
	begun := start.Add(ms(t.Blocked) + ms(t.DNS) + ms(t.Connect) + ms(t.Send) + ms(t.Wait))
	end := start.Add(ms(e.Time))
	if end.Before(begun) {
		end = begun
	}
	status := e.Response.Status
	last := record{time: end, outcome: "eof"}
	var bad error
	switch {
	case status == 0:
		last.outcome, last.text = failure(e.Error), strings.Clone(e.Error)
		if len(body) == 0 {
			a.parts = []record{last}
			return nil
		}
		status = 200
	case status == 101: // a WebSocket
		status = 200
	}
	if watch && status < 300 {
		a.parts = append(a.parts, record{time: begun, status: status})
		if len(e.Messages) > 0 {
			bad = h.messages(a, e)
		} else {
			bad = h.events(a, body, begun, end)
		}
		if n := len(a.parts); a.parts[n-1].time.After(last.time) {
			last.time = a.parts[n-1].time
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
	list, bad := h.c.ListOf(r, body)
	if bad != nil && status < 300 {
		return bad
	}
	a.parts = append(a.parts, record{time: begun, status: status})
	if bad == nil {
		h.bytes += len(list)
		a.parts = append(a.parts, record{time: end, body: list})
	}
	a.parts = append(a.parts, last)
	return nil
}

// maxSaid is how many damaged places of one body are said.
const maxSaid = 10

// events cuts the body of a watch into its events. A HAR doesn't say when they
// came, so events spreads them evenly between begun and end.
func (h *reader) events(a *answer, body []byte, begun, end time.Time) error {
	first := len(a.parts)
	var e trace.Event
	var bad error
	said := 0
	s := format.NewSplitter(format.Options{MaxLine: h.c.From.Limits.MaxLine},
		func(r *jsonscan.Reader) {
			e.Reset()
			e.Read(r)
		},
		func(b []byte, _, _ int64) error { return h.event(a, begun, &e, b) },
		func(p trace.Problem) {
			if said++; said <= maxSaid {
				bad = capture.Join(bad, p)
			}
		})
	bad = capture.Join(bad, cmp.Or(s.Write(body), s.Close()))
	came := a.parts[first:]
	for i := range came {
		came[i].time = begun.Add(end.Sub(begun) / time.Duration(len(came)+1) * time.Duration(i+1))
	}
	if len(came) > 0 {
		bad = capture.Join(bad, capture.Fatal(h.c.Remark(remarks.HARSpread, 0, "")))
	}
	return bad
}

// messages cuts a watch over a WebSocket into its events. Each message has a time.
func (h *reader) messages(a *answer, e *entry) error {
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

func (h *reader) decode(b []byte, e *trace.Event) error {
	if !jsonscan.WithinMaxDepth(b) {
		return api.ErrTooDeep
	}
	return e.Decode(b)
}

// event adds the watch event e to the answer. b is its JSON.
func (h *reader) event(a *answer, at time.Time, e *trace.Event, b []byte) error {
	add := func(raw []byte) {
		h.bytes += len(raw)
		a.parts = append(a.parts, record{time: at, event: raw})
	}
	switch {
	case e.Type == "" || e.Object.Kind == "":
		return fault.Plain("noWatchEvent")
	case e.Object.Kind == "Table":
		return h.c.TableEvents(e.Type, b, func(_ api.Resource, o []byte) error {
			add(appendEvent(nil, e.Type, o))
			return nil
		})
	}
	add(bytes.Clone(b))
	return nil
}

// release writes the parts up to the time until, or all of them if until is nil.
func (h *reader) release(until *time.Time) error {
	for {
		first := -1
		for i, a := range h.answers {
			if first < 0 || a.parts[0].time.Before(h.answers[first].parts[0].time) {
				first = i
			}
		}
		if first < 0 {
			return nil
		}
		a := h.answers[first]
		if until != nil && a.parts[0].time.After(*until) && h.bytes <= maxHeld {
			return nil
		}
		if err := h.write(a.id, a.parts[0]); err != nil {
			return capture.Fatal(err)
		}
		a.parts[0] = record{}
		if a.parts = a.parts[1:]; len(a.parts) == 0 {
			h.answers = slices.Delete(h.answers, first, first+1)
		}
	}
}

func (h *reader) write(id int64, p record) error {
	c := h.c
	c.Out.SetTime(p.time)
	h.bytes -= len(p.event) + len(p.body)
	switch {
	case p.status != 0:
		return c.Out.Trace.Response(c.Out.Now(), id, p.status, "application/json", "")
	case p.event != nil:
		return c.Out.Trace.Event(c.Out.Now(), id, p.event)
	case p.body != nil:
		return c.Out.Trace.Body(c.Out.Now(), id, p.body)
	}
	return c.Out.Trace.End(c.Out.Now(), id, p.outcome, p.text, nil)
}

func appendEvent(b []byte, typ string, raw []byte) []byte {
	b = append(b, `{"type":`...)
	b = jsonscan.AppendString(b, typ)
	b = append(b, `,"object":`...)
	b = append(b, bytes.TrimSpace(raw)...)
	return append(b, '}')
}

// entry is one request and its answer.
type entry struct {
	Started string  `json:"startedDateTime"`
	Time    float64 `json:"time"` // milliseconds
	Error   string  `json:"_error"`
	Request struct {
		Method string `json:"method"`
		URL    string `json:"url"`
	} `json:"request"`
	Response struct {
		Status  int `json:"status"`
		Content struct {
			MimeType string `json:"mimeType"`
			Text     string `json:"text"`
			Encoding string `json:"encoding"`
		} `json:"content"`
	} `json:"response"`
	Timings struct { // milliseconds, -1 for none
		Blocked float64 `json:"blocked"`
		DNS     float64 `json:"dns"`
		Connect float64 `json:"connect"`
		Send    float64 `json:"send"`
		Wait    float64 `json:"wait"`
	} `json:"timings"`
	Messages []struct {
		Type string  `json:"type"`
		Time float64 `json:"time"` // seconds since 1970
		Data string  `json:"data"`
	} `json:"_webSocketMessages"`
}

// body returns the answer's body.
func (e *entry) body() ([]byte, error) {
	content := &e.Response.Content
	if content.Encoding != "base64" {
		return []byte(content.Text), nil
	}
	b, err := base64.StdEncoding.DecodeString(content.Text)
	if err != nil {
		return nil, fault.Plain("bodyNotBase64")
	}
	return b, nil
}

// failure names how a request without an answer ended, in the words of
// trace.Writer.End.
func failure(text string) string {
	switch {
	case strings.Contains(text, "ABORTED"):
		return "canceled"
	case strings.Contains(text, "REFUSED"):
		return "refused"
	}
	return "reset"
}

// ms converts a time of a HAR. A HAR has -1 where it knows none, and ms then
// returns 0.
func ms(n float64) time.Duration {
	const most = 1e12 // more than thirty years
	return time.Duration(min(max(n, 0), most) * float64(time.Millisecond))
}
