package follow

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// second in nanoseconds.
const second = 1_000_000_000

// split takes the events out of a stream. Each is one line.
func (f *Follower) split(t int64, chunk []byte) bool {
	for len(chunk) > 0 {
		n := bytes.IndexByte(chunk, '\n')
		if n < 0 {
			n = len(chunk)
		}
		if len(f.part)+n > f.o.MaxEvent {
			f.drop(t, "the event is longer than "+number(f.o.MaxEvent)+" bytes", fault.Number("longEvent max", int64(f.o.MaxEvent)))
			return false
		}
		if n == len(chunk) {
			f.part = append(f.part, chunk...)
			return true
		}
		line := chunk[:n]
		if len(f.part) > 0 {
			f.part = append(f.part, line...)
			line = f.part
		}
		if line = bytes.TrimSpace(line); len(line) > 0 && !f.watchEvent(t, line) {
			return false
		}
		f.part = f.part[:0]
		chunk = chunk[n+1:]
	}
	return true
}

// watchEvent takes in one watch event.
func (f *Follower) watchEvent(t int64, line []byte) bool {
	e := &f.event
	if e.Decode(line) != nil || e.Type == "" {
		f.part = append(f.part[:0], line...)
		f.drop(t, "the message is not a watch event", fault.Plain("noWatchEvent"))
		return false
	}
	f.log.Event(t, f.id, line)
	f.events++
	f.state.Events++
	f.failed = 0
	if e.Type == "ERROR" {
		from, to, _ := jsonscan.Field(line, "object")
		f.errored(t, trace.DecodeStatus(line[from:to]))
		return false
	}
	f.state.Received = true
	if rv := e.Object.Metadata.ResourceVersion; rv != "" && (!f.initial || e.Type == "BOOKMARK") {
		f.rv = append(f.rv[:0], rv...)
	}
	if f.initial && e.Type == "BOOKMARK" && e.Object.Metadata.InitialEventsEnd == "true" {
		f.initial, f.listed = false, true
		f.enter(t, Watching)
	}
	return f.log.Err() == nil
}

// errored takes an ERROR event: the stream is over, as it is for client-go's
// reflector, which lists again unless the server is only busy.
func (f *Follower) errored(t int64, s trace.Status) {
	f.endRequest(t, EOF, "", nil)
	switch s.Failure() {
	case trace.Expired, trace.Gone:
		f.wait(t, Expired, textError(s.Message), 0)
		f.relist()
	case trace.TooManyRequests:
		f.wait(t, Busy, textError(s.Message), 0)
		f.restart()
	default:
		f.wait(t, ServerError, textError(s.Message), 0)
		f.relist()
	}
}

// watchEnded goes on from the last resourceVersion.
func (f *Follower) watchEnded(t int64, how Ending, text string) {
	f.endRequest(t, how, text, f.part)
	switch {
	case f.initial: // the list with which the watch began is not complete
		f.wait(t, reasonOf(how), textError(text), 0)
		f.relist()
		return
	case len(f.rv) == 0: // a server without resourceVersions
		f.wait(t, reasonOf(how), textError(text), 0)
		f.relist()
		return
	case how != EOF && how != Timeout:
		f.wait(t, reasonOf(how), textError(text), 0)
	case f.events == 0 && t-f.sent < second:
		f.wait(t, Short, nil, 0) // what client-go calls a very short watch
	default:
		f.backoff.reset()
		f.enter(t, Waiting)
	}
	f.watch()
}

// listEnded takes a page of a list.
func (f *Follower) listEnded(t int64) {
	var l trace.List
	body := bytes.TrimSpace(f.part)
	switch {
	case !jsonscan.WithinMaxDepth(body):
		f.drop(t, "the answer nests deeper than "+number(jsonscan.MaxDepth), fault.Number("deepAnswer max", jsonscan.MaxDepth))
		return
	case l.Decode(body) != nil:
		f.drop(t, "the answer is not JSON: "+begin(body), fault.Named("answerNoJSON begins", begin(body)))
		return
	case !strings.HasSuffix(l.Kind, "List") || !hasItems(body):
		f.drop(t, "the answer is not a list: "+begin(body), fault.Named("answerNoList begins", begin(body)))
		return
	}
	f.log.Body(t, f.id, body)
	f.state.Received = true
	more := strings.Clone(l.Continue)
	f.rv = append(f.rv[:0], l.ResourceVersion...)
	f.endRequest(t, EOF, "", nil)
	f.enter(t, Waiting)
	if more != "" {
		f.token = more
		return
	}
	f.token, f.full, f.listed = "", false, true
	f.watch()
}

func hasItems(list []byte) bool {
	from, to, ok := jsonscan.Field(list, "items")
	return ok && (list[from] == '[' || string(list[from:to]) == "null")
}

// maxFailed is how many watches in a row a server may fail to begin before
// another list is tried: it may be the resourceVersion that it cannot take.
const maxFailed = 5

// refused takes an answer that is an error.
func (f *Follower) refused(t int64, how Ending, text string) {
	body := bytes.TrimSpace(f.part)
	var s trace.Status
	if jsonscan.Valid(body) {
		s = trace.DecodeStatus(body)
	}
	if s.Kind == "Status" {
		f.log.Body(t, f.id, body)
	} else { // a proxy has answered on its own
		s = trace.Status{Message: begin(body)}
		text = cmp.Or(text, s.Message)
	}
	s.Code = f.head.Status
	says := textError(s.Message)
	if s.Code >= 300 && s.Code < 400 {
		says = fault.Number("redirects code", int64(s.Code))
	}
	f.endRequest(t, how, text, nil)
	after := retryAfter(f.head.RetryAfter)
	switch {
	case s.Code == 410 || s.Failure() == trace.Expired:
		if f.ask == aList && f.token != "" { // the token has expired: the list is asked for whole, as client-go's pager does
			f.full = true
			f.enter(t, Waiting)
		} else {
			f.wait(t, Expired, says, after)
		}
		f.relist()
	case s.Code == 401 || s.Code == 403:
		f.wait(t, Denied, says, after)
		f.restart()
	case s.Code == 404:
		f.wait(t, Missing, says, after)
		f.restart()
	case s.Code == 429:
		f.wait(t, Busy, says, after)
		f.restart()
	case s.Code >= 500:
		f.wait(t, ServerError, says, after)
		f.restart()
		if f.failed++; f.failed >= maxFailed {
			f.relist()
		}
	case f.ask == aStream: // the server knows no streaming lists
		f.o.Streaming = false
		f.enter(t, Waiting)
		f.relist()
	default:
		f.wait(t, Rejected, says, after)
		f.relist()
	}
}

// begin returns the beginning of an answer, to be shown.
func begin(b []byte) string {
	const most = 200
	if len(b) > most {
		return strings.ToValidUTF8(string(b[:most]), "") + "…"
	}
	return strings.ToValidUTF8(string(b), "")
}
