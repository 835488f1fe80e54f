package driver

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
)

// scenario is what a server's transport does to an informer. Times are
// milliseconds.
type scenario struct {
	RunMs           int64
	MaxRequests     int
	ClientTimeoutMs int64  // rest.Config.Timeout
	Client          string // typed, or generic
	WatchList       bool
	Answers         map[string][]scriptedAnswer // by the kind of request
	Asked           []chance                    // the requests that were sent by a client whose chances this one is to have; none for chances of its own
}

// chance is what chance decided of a request.
type chance struct {
	AtNs     int64 // since the start
	TimeoutS int64 // of a watch
}

// scriptedAnswer is what a request gets.
type scriptedAnswer struct {
	Result string `json:"do"`
	Repeat int

	Error              string
	Code               int32
	Reason, Body       string
	RetryAfter         string
	Items              []string
	RV, Continue       string
	Text, ContentType  string
	Steps              []scriptedStep
	End                string
	DelayMs            int64
	StatusRetrySeconds int64 `json:"statusRetryAfterSeconds"`
}

// scriptedStep is one thing that comes on a stream.
type scriptedStep struct {
	Ev, O, RV, Reason, Raw string
	Code                   int32
	SleepMs                int64
	InitialEnd             bool
}

// transportRun is one informer on a scripted transport.
type transportRun struct {
	scenario
	*objects
	w *world.World
	x *informer.Informer

	out           io.Writer
	last          int64 // when the last request, end or error was, ns
	jittered      bool  // something random has passed since
	random        bool  // and ever
	calls         []map[string]any
	synced        bool
	stopped       bool
	requestCounts map[string]int // requests of each kind
	requests      int
	failed        string           // the class of the error that the reflector gets
	reasons       map[int32]string // of the errors on streams, by their codes
}

// playTransport plays the scenario that r holds and prints what the informer did.
func playTransport(is release, r io.Reader, w io.Writer) error {
	t := &transportRun{objects: newObjects(""), out: w, requestCounts: map[string]int{}, reasons: map[int32]string{}}
	if err := json.NewDecoder(r).Decode(&t.scenario); err != nil {
		return err
	}
	p := is.profile
	p.Reflector.StreamingList = t.WatchList
	cfg := informer.Config{Name: "configmaps", Profile: p, Table: t.t, Server: &wire{run: t}, Handlers: []informer.Handler{{Name: "handler"}}}
	h, err := history.NewPassing(&world.Config{Costs: new(actor.Costs), Informers: []informer.Config{cfg}})
	if err != nil {
		return err
	}
	t.w = h.Front()
	t.x = t.w.Informers[0]
	for {
		next, at := t.w.Set.Earliest()
		if at > t.w.Now() {
			t.flush()
			if at > t.RunMs*1e6 || t.stopped {
				break
			}
		}
		h.Choose(next)
		t.look()
	}
	t.print(map[string]any{"ev": "stop"})
	return nil
}

// look takes down what the last step has done.
func (t *transportRun) look() {
	for _, e := range t.w.Log.Events {
		switch e.Kind {
		case event.BackoffStarted:
			t.jittered = true
		case event.WatchErrorReceived:
			code := int32(e.Code())
			t.failed = "Status " + strconv.Itoa(e.Code()) + " " + cmp.Or(t.reasons[code], reasonOf(code))
		case event.VeryShortWatch:
			t.failed = "very short watch"
		case event.WatchErrorHandled:
			t.line(map[string]any{"ev": "watchError", "class": t.failed, "silent": e.Flags&event.Silent != 0})
		case event.HandlerCalled:
			call := map[string]any{"ev": "handler", "call": t.call(e)}
			if e.Delta == event.Added && t.x.Config().Profile.InitialList {
				call["initial"] = e.Flags&event.IsInInitialList != 0
			}
			t.calls = append(t.calls, call)
		}
	}
}

// call writes a handler's call.
func (t *transportRun) call(e event.Event) string {
	switch e.Delta {
	case event.Added:
		return "add " + t.text(e.New)
	case event.Updated:
		return "update " + t.text(e.Old) + " -> " + t.text(e.New)
	}
	if e.Flags&event.Tombstone != 0 {
		return "delete tombstone(" + t.t.KeyText(e.Key) + "," + t.text(e.Old) + ")"
	}
	return "delete " + t.text(e.Old)
}

// line prints a request, an end or an error, with the time since the last one.
func (t *transportRun) line(out map[string]any) {
	now := t.w.Now()
	out["dtMs"] = float64(now-t.last) / 1e6
	t.last = now
	if t.jittered {
		out["jitter"] = true
		t.random = true
	}
	t.jittered = false
	t.timed(out)
}

// timed prints a line with the time since the start, if nothing random has passed.
func (t *transportRun) timed(out map[string]any) {
	if !t.random {
		out["tMs"] = float64(t.w.Now()) / 1e6
	}
	t.print(out)
}

func (t *transportRun) print(out map[string]any) {
	b, _ := json.Marshal(out)
	fmt.Fprintf(t.out, "%s\n", b)
}

// flush prints what follows the requests of an instant.
func (t *transportRun) flush() {
	for _, c := range t.calls {
		t.timed(c)
	}
	t.calls = nil
	if !t.synced && t.x.HasSynced() {
		t.synced = true
		t.print(map[string]any{"ev": "synced"})
	}
}

// next returns the answer to the request of that kind which comes now, nil for the answer of
// a good server.
func (t *transportRun) next(kind string) *scriptedAnswer {
	n := t.requestCounts[kind]
	t.requestCounts[kind]++
	for i := range t.Answers[kind] {
		a := &t.Answers[kind][i]
		if n -= max(a.Repeat, 1); n < 0 {
			return a
		}
	}
	return nil
}

// text writes an answer as the transcripts do.
func (a *scriptedAnswer) text() string {
	if a == nil {
		return "good"
	}
	switch a.Result {
	case "error":
		return "error " + a.Error
	case "status":
		s := "HTTP " + strconv.Itoa(int(a.Code))
		if a.RetryAfter != "" {
			s += " Retry-After: " + a.RetryAfter
		}
		if a.Body != "" {
			s += " (" + a.Body + " body)"
		}
		return s
	case "list":
		s := "200 list " + strings.Join(a.Items, ",") + " rv=" + a.RV
		if a.Continue != "" {
			s += " continue=" + a.Continue
		}
		return s
	case "cut":
		return "200 list cut, then " + a.End
	case "body":
		return "200 scripted body"
	case "stream":
		return "200 stream"
	case "good":
		if a.DelayMs > 0 {
			return "good after " + strconv.FormatInt(a.DelayMs, 10) + " ms"
		}
	}
	return a.Result
}

// failures are the transport's errors by their names.
var failures = map[string]apiserver.Failure{
	"refused": apiserver.Refused, "reset": apiserver.Reset, "eof": apiserver.BrokenOff, "unexpected-eof": apiserver.BrokenOff,
	"net-timeout": apiserver.TimedOut, "closed": apiserver.BrokenOff, "http2-lost": apiserver.ConnectionLost, "http2-goaway": apiserver.BrokenOff,
	"x509": apiserver.OtherFailure, "no-such-host": apiserver.OtherFailure,
}

// What the transcripts call the errors that client-go gives to WatchErrorHandler.
// The engine has no error values, only what can be told of them.

// reasonOf returns the reason that a code stands for where there is no Status
// (NewGenericServerResponse).
func reasonOf(code int32) string {
	switch code {
	case 400:
		return "BadRequest"
	case 401:
		return "Unauthorized"
	case 403:
		return "Forbidden"
	case 404:
		return "NotFound"
	case 422:
		return "Invalid"
	case 429:
		return "TooManyRequests"
	case 503:
		return "ServiceUnavailable"
	case 504:
		return "Timeout"
	}
	if code >= 500 {
		return "InternalError"
	}
	return ""
}

// reason returns the reason of the Status in the answer. An answer without a Status
// gets the reason that its code stands for.
func (a *scriptedAnswer) reason() string {
	switch {
	case a.Reason != "":
		return a.Reason
	case a.Body == "" && a.Code == 410:
		return "Expired"
	}
	return reasonOf(a.Code)
}

// statusFailure returns what a Status of that reason is taken for.
func statusFailure(code int32, reason string) apiserver.Failure {
	switch reason {
	case "Expired":
		return apiserver.Expired
	case "Gone":
		return apiserver.Gone
	case "TooManyRequests":
		return apiserver.TooManyRequests
	case "InternalError":
		return apiserver.InternalError
	}
	if code == 410 && reason == "" {
		return apiserver.Gone
	}
	return apiserver.OtherFailure
}

// statusClass returns the class of an HTTP status's error.
func (t *transportRun) statusClass(a *scriptedAnswer, kind apiserver.RecordKind) string {
	if t.textOnly(kind) {
		return "*errors.errorString"
	}
	reason, seconds := a.reason(), ""
	if kind == apiserver.WatchError && !t.x.Config().Profile.Request.ReadsStatus {
		reason = reasonOf(a.Code)
		if a.Code == 503 && a.RetryAfter != "" {
			seconds = " retryAfterSeconds=" + a.RetryAfter
		}
	}
	return "Status " + strconv.Itoa(int(a.Code)) + " " + reason + seconds
}

// textOnly reports whether of a list's error only the text is left (up to v0.24).
func (t *transportRun) textOnly(kind apiserver.RecordKind) bool {
	return kind == apiserver.ListError && !t.x.Config().Profile.Reflector.WrapsErrors
}

// errorClass returns the class of an error of the round trip.
func (t *transportRun) errorClass(name string, kind apiserver.RecordKind) string {
	class := map[string]string{
		"refused": "ECONNREFUSED", "reset": "ECONNRESET", "net-timeout": "text: connection timed out",
		"http2-lost": "http2 client connection lost", "x509": "x509.UnknownAuthorityError", "no-such-host": "*net.DNSError",
	}[name]
	if !t.textOnly(kind) {
		return "url.Error: " + class
	}
	text, known := map[string]string{
		"refused": "text: connection refused", "reset": "text: connection reset", "net-timeout": class, "http2-lost": class,
	}[name]
	if !known {
		return "*errors.errorString"
	}
	return text
}

// cutClass returns the class of the error of a list that was cut.
func (t *transportRun) cutClass(end string) string {
	text := t.textOnly(apiserver.ListError)
	switch {
	case end == "eof":
		return "cannot decode: no version/kind"
	case end == "reset" && text:
		return "text: connection reset"
	case end == "reset":
		return "ECONNRESET"
	case text:
		return "text: unexpected EOF"
	}
	return "io.ErrUnexpectedEOF"
}
