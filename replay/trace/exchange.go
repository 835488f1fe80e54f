package trace

import (
	"errors"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
)

// exchange is one recorded request and what was answered.
type exchange struct {
	request
	id     int64 // as the lines have it
	number int32 // counted from 1
	reader *reader
	status int
	opened bool // the watch's WatchOpen is recorded
	failed bool
	listed bool

	retryAfter int32 // as in a Record
}

// reader is one reader of a resource: what a reflector asks for, one thing after
// the other.
type reader struct {
	r     *Resource
	busy  *exchange // the exchange that it waits for, or that is being sent to it
	style style     // of its first list
	rv    object.RV // the newest resourceVersion that it was sent
	pages int       // of a list that is not yet complete
	page  string    // the continue token of a page of it that failed, and may be asked for again
}

// request begins an exchange, and finds who asked.
func (d *Decoder) request() {
	req := d.line.Req
	d.numbered++
	x := &exchange{id: d.line.ID, number: d.numbered}
	d.requests[x.id], d.last = x, nil
	if req.Method != "" && req.Method != "GET" {
		return
	}
	q, ok := parseURL(req.URL)
	if !ok {
		return
	}
	q.base = req.Base
	x.request = q
	x.reader = d.reader(q)
	x.reader.busy = x
	if x.reader.style == unknownStyle {
		x.reader.style = q.style()
	}
	x.reader.r.Base = x.reader.r.Base || q.base
	d.resumeList(x.reader, x)
	r := x.reader.r
	if r.Asked, r.Canceled, r.Unanswered = d.now, 0, q.streaming; q.watch {
		x.reader.pages = 0
		return
	}
	if q.continues == "" || x.reader.pages == 0 {
		x.reader.pages = 0
		r.Append(Record{Time: d.now, Request: x.number, Kind: ListBegin, RV: r.Table.RV(q.resourceVersion)})
	}
}

// reader finds who asks. A reader has one request at a time, so one that is busy
// is someone else. Among the others, a watch belongs to the reader that was last
// sent its resourceVersion, and a further page belongs to the reader that has a
// part of the list. A program that reads past its cache asks for lists in another
// style than its informer does.
func (d *Decoder) reader(q request) *reader {
	var idle *reader
	for _, c := range d.readers[q.requestKey] {
		if c.busy != nil || q.style()+c.style == pastCache+reflects {
			continue
		}
		if q.watch && q.resourceVersion != "" && c.rv == c.r.Table.RV(q.resourceVersion) || q.continues != "" && c.pages > 0 {
			return c
		}
		if idle == nil {
			idle = c
		}
	}
	if idle != nil {
		return idle
	}
	c := &reader{r: d.t.NewResource(Resource{
		Group: q.group, Version: q.version, Resource: q.resource, Namespace: q.namespace,
		LabelSelector: q.labelSelector, FieldSelector: q.fieldSelector, Reader: len(d.readers[q.requestKey]) + 1,
	})}
	d.readers[q.requestKey] = append(d.readers[q.requestKey], c)
	return c
}

func (d *Decoder) response() {
	x := d.requests[d.line.ID]
	if x == nil || x.reader == nil {
		return
	}
	x.status, x.retryAfter, x.reader.r.Unanswered = d.line.Resp.Status, retryAfter(d.line.Resp.RetryAfter), false
	if x.watch && x.status < 400 {
		d.open(x)
	}
}

// open records that a watch was accepted, if that isn't recorded yet.
func (d *Decoder) open(x *exchange) {
	if x.opened {
		return
	}
	x.opened = true
	r := x.reader.r
	r.Append(Record{Time: d.now, Request: x.number, Kind: WatchOpen, RV: r.Table.RV(x.resourceVersion), Code: int32(x.status), Streaming: x.streaming, Bookmarks: x.bookmarks})
}

// list reads a page of a list.
func (d *Decoder) list(x *exchange, body []byte, at int64) error {
	if x.watch {
		return fault.Plain("listForWatch")
	}
	if d.line.Body.Kind == "Table" {
		return fault.Plain("tableOfNothing")
	}
	var l List
	if err := l.Decode(body); err != nil {
		return err
	}
	if l.Kind != "" && !strings.HasSuffix(l.Kind, "List") {
		d.otherKind(x, l.Kind)
		return nil
	}
	r := x.reader.r
	bad := r.addItems(d.now, x.number, body, at, &d.line.Event.Object)
	if bad != nil && !errors.As(bad, new(ItemError)) {
		return bad
	}
	if r.Kind == "" {
		r.Kind = strings.Clone(strings.TrimSuffix(l.Kind, "List"))
		if r.Kind != "" && r.apiVersion == "" {
			r.apiVersion = strings.Clone(l.APIVersion)
		}
	}
	x.listed = true
	x.reader.pages++
	if l.Continue != "" {
		return bad
	}
	end := Record{Time: d.now, Request: x.number, Kind: ListEnd, RV: r.Table.RV(l.ResourceVersion)}
	if x.reader.pages > 1 {
		end.Code = int32(x.reader.pages)
	}
	x.reader.pages, x.reader.rv = 0, end.RV
	r.Append(end)
	return bad
}

// otherKind records that a list was answered with a JSON object of another
// kind. A typed client drops that object without an error. It then has a list
// without items and without a resourceVersion.
func (d *Decoder) otherKind(x *exchange, kind string) {
	x.listed = true
	x.reader.pages, x.reader.rv = 0, 0
	r := x.reader.r
	r.Append(Record{Time: d.now, Request: x.number, Kind: ListEnd, Failure: Undecodable, Text: r.text("the answer is of kind " + kind)})
}

// fail records that the list or watch failed. A further page that fails may be
// asked for again, and only then is the list not lost.
func (d *Decoder) fail(x *exchange, f Failure, code int, text string) {
	if x.failed || x.listed {
		return
	}
	x.failed = true
	kind := ListError
	if x.watch {
		kind = WatchError
		if x.opened {
			kind = WatchEnd
		}
	}
	r := x.reader.r
	if kind == ListError && x.reader.pages > 0 {
		x.reader.page, r.keep = x.continues, r.lastList()+1
	}
	r.Append(Record{
		Time: d.now, Request: x.number, Kind: kind, Failure: f, Code: int32(code), Text: r.text(text),
		Streaming: x.streaming && x.watch, RetryAfter: x.retryAfter,
	})
}

// resumeList begins the list resumeList whose last page failed, if the reader asks for that
// page resumeList, with the items that it has. Otherwise the list is lost.
func (d *Decoder) resumeList(c *reader, x *exchange) {
	if c.page == "" {
		return
	}
	if x.continues == c.page {
		r := c.r
		begin := r.Records[r.keep-1-r.Forgotten]
		r.Append(Record{Time: d.now, Request: x.number, Kind: ListBegin, RV: begin.RV})
		for _, item := range r.Records[r.keep-r.Forgotten:] {
			if item.Kind == ListItem {
				r.Append(Record{Time: d.now, Request: x.number, Kind: ListItem, Obj: item.Obj, RV: item.RV})
			}
		}
	} else {
		c.pages = 0
	}
	c.page, c.r.keep = "", 0
}

// end ends an exchange.
func (d *Decoder) end() {
	x := d.requests[d.line.ID]
	if x == nil || x.reader == nil {
		return
	}
	delete(d.requests, d.line.ID)
	d.last = nil
	if x.reader.busy == x {
		x.reader.busy = nil
	}
	e := d.line.End
	if e.Reason == "recorder-stopped" {
		return // it is not known what came after, so a watch stays open
	}
	r := x.reader.r
	if r.Canceled = d.now; e.Reason != "canceled" {
		r.Canceled, r.Unanswered = 0, false
	}
	switch {
	case x.opened && !x.failed:
		failure := NoFailure
		switch e.Reason {
		case "eof", "canceled", "timeout":
			// A watch that runs into the client's time-out ends cleanly.
		case "undecodable":
			failure = Undecodable
		default:
			failure = failureOf(e.Reason, e.Error)
		}
		r.Append(Record{Time: d.now, Request: x.number, Kind: WatchEnd, Failure: failure, Canceled: e.Reason == "canceled", Text: r.text(e.Error)})
	case x.status >= 400:
		d.fail(x, Status{Code: x.status}.Failure(), x.status, e.Error)
	case e.Reason == "canceled":
	case x.status != 0: // the answer was no list, or only a part of one
		d.fail(x, Undecodable, x.status, e.Error)
	default:
		d.fail(x, failureOf(e.Reason, e.Error), 0, e.Error)
	}
}
