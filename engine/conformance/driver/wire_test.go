package driver

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// wire is the scripted transport's connection. It takes down what it is asked,
// and how each request ends.
type wire struct {
	run     *transportRun
	n       int // the request under way
	state   apiserver.State
	answers []timed
}

// timed is an answer with the time when it comes. how says how the server or the
// client's own time-out has ended the request by it, "" for not at all.
type timed struct {
	time   int64
	answer apiserver.Answer
	ending string
	class  string // of the error that the reflector gets of it
	random bool   // when it comes is random
}

var _ apiserver.Server = (*wire)(nil)

func (c *wire) List(o object.ListOptions, now int64) {
	q := map[string]string{}
	if o.RV != 0 {
		q["resourceVersion"] = c.run.t.RVText(o.RV)
	}
	if o.Limit != 0 {
		q["limit"] = strconv.FormatInt(o.Limit, 10)
	}
	if o.Continue != 0 {
		q["continue"] = c.run.t.Text(o.Continue)
	}
	c.state = apiserver.Listing
	if a, ok := c.request("list", q); ok {
		c.list(a, now)
		c.deadline(now)
	}
}

func (c *wire) Watch(o object.ListOptions, now int64) {
	q := map[string]string{"watch": "true", "allowWatchBookmarks": "true", "timeoutSeconds": "[300,600]"}
	kind := "watch"
	if c.run.Client != "generic" {
		q["timeout"] = "as timeoutSeconds"
	}
	if o.RV != 0 {
		q["resourceVersion"] = c.run.t.RVText(o.RV)
	}
	if o.SendInitialEvents {
		kind = "stream"
		q["sendInitialEvents"], q["resourceVersionMatch"] = "true", "NotOlderThan"
	}
	c.state = apiserver.Opening
	if a, ok := c.request(kind, q); ok {
		if n := c.n - 1; n < len(c.run.Asked) {
			o.Timeout = c.run.Asked[n].TimeoutS * 1e9
		}
		c.watch(a, kind, now, o.Timeout)
		c.deadline(now)
	}
}

// request takes down a request. ok is false if it is one more than is played.
func (c *wire) request(kind string, query map[string]string) (a *scriptedAnswer, ok bool) {
	t := c.run
	c.answers = nil
	if t.requests == t.MaxRequests {
		t.stopped = true
		return nil, false
	}
	t.requests++
	c.n = t.requests
	a = t.next(kind)
	out := map[string]any{"ev": "request", "n": c.n, "kind": kind, "query": query, "answer": a.text()}
	if t.ClientTimeoutMs > 0 {
		out["deadline"] = strconv.FormatInt(t.ClientTimeoutMs/1000, 10) + "s"
	}
	t.line(out)
	return a, true
}

func (c *wire) put(t timed) { c.answers = append(c.answers, t) }

// list answers a list.
func (c *wire) list(a *scriptedAnswer, now int64) {
	if a == nil {
		a = &scriptedAnswer{Result: "good"}
	}
	listed := apiserver.Answer{Answer: apiserver.Listed}
	listed.Kind = apiserver.ListEnd
	undecodable := func(class string) {
		c.put(timed{time: now, answer: failure(apiserver.ListFailed, apiserver.ListError, apiserver.Undecodable, 200), class: class})
	}
	switch a.Result {
	case "good":
		listed.List, listed.RV = c.objects("a@5", "b@7"), c.run.t.RV("10")
		c.put(timed{time: now + a.DelayMs*1e6, answer: listed})
	case "list":
		listed.List, listed.RV, listed.Continue = c.objects(a.Items...), c.run.t.RV(a.RV), c.run.t.Sym(a.Continue)
		c.put(timed{time: now, answer: listed})
	case "cut":
		undecodable(c.run.cutClass(a.End))
	case "body":
		class := c.body(&listed, a.Text)
		if class != "" {
			undecodable(class)
			return
		}
		c.put(timed{time: now, answer: listed})
	default:
		c.fails(a, now, apiserver.ListFailed, apiserver.ListError)
	}
}

// objects makes "name@rv" in the namespace of the scenarios.
func (c *wire) objects(texts ...string) (refs []object.Ref) {
	for _, text := range texts {
		name, rv, _ := strings.Cut(text, "@")
		refs = append(refs, c.run.ref(&objectSpec{K: "ns/" + name, RV: rv}))
	}
	return refs
}

// body returns what a client makes of a 200 with such a body, or the class of the error
// that it finds in it.
func (c *wire) body(listed *apiserver.Answer, text string) (class string) {
	var l struct {
		Kind, APIVersion string
		Metadata         struct{ ResourceVersion string }
		Items            []struct {
			Metadata struct{ Name, ResourceVersion string }
		}
	}
	typed := c.run.Client != "generic"
	switch err := json.Unmarshal([]byte(text), &l); {
	case text == "":
		return "*errors.errorString"
	case err != nil:
		return "cannot decode: no version/kind"
	case l.APIVersion != "" && l.APIVersion != "v1": // none that the client's scheme knows
		return "cannot decode: no kind registered"
	case l.Kind != "" && typed: // it is dropped, unless it is what was asked for
		if l.Kind != "ConfigMapList" {
			return ""
		}
	case l.Kind == "Status":
		return "cannot understand"
	case l.Kind != "" && !strings.HasSuffix(l.Kind, "List"):
		return "*errors.errorString"
	case l.Kind == "" && !typed && c.run.x.Config().Profile.Reflector.WrapsErrors:
		return "*runtime.missingKindErr"
	case l.Kind == "" && !typed:
		return "*errors.errorString"
	}
	listed.RV = c.run.t.RV(l.Metadata.ResourceVersion)
	for _, o := range l.Items {
		listed.List = append(listed.List, c.objects(o.Metadata.Name+"@"+o.Metadata.ResourceVersion)...)
	}
	return ""
}

// watch answers a watch, or a streaming list.
func (c *wire) watch(a *scriptedAnswer, kind string, now, timeout int64) {
	good := &scriptedAnswer{Result: "good", End: "timeout"}
	if kind == "stream" {
		good.Steps = []scriptedStep{{Ev: "ADDED", O: "a@5"}, {Ev: "ADDED", O: "b@7"}, {Ev: "BOOKMARK", RV: "10", InitialEnd: true}}
	}
	switch {
	case a == nil:
		a = good
	case a.Result == "good":
		good.DelayMs = a.DelayMs
		a = good
	}
	if a.Result != "good" && a.Result != "stream" && a.Result != "body" {
		c.fails(a, now, apiserver.OpenFailed, apiserver.WatchError)
		return
	}
	if a.ContentType == "text/html" {
		c.put(timed{time: now, answer: failure(apiserver.OpenFailed, apiserver.WatchError, apiserver.Undecodable, 200), class: "runtime.NegotiateError"})
		return
	}
	at := now + a.DelayMs*1e6
	opened := apiserver.Answer{Answer: apiserver.Opened}
	opened.Kind = apiserver.WatchOpen
	c.put(timed{time: at, answer: opened})
	closed := apiserver.Answer{Answer: apiserver.Closed}
	closed.Kind = apiserver.WatchEnd
	if a.Result == "body" {
		if a.Text != "" {
			closed.Failure = apiserver.Undecodable
		}
		c.put(timed{time: at, answer: closed, ending: "body"})
		return
	}
	opens := at
	for i := range a.Steps {
		at += a.Steps[i].SleepMs * 1e6
		if e, ok := c.step(&a.Steps[i]); ok {
			c.put(timed{time: at, answer: e})
		}
	}
	switch a.End {
	case "open":
	case "timeout":
		c.put(timed{time: opens + timeout, answer: closed, ending: "server: timeoutSeconds passed", random: true})
	case "":
		c.put(timed{time: at, answer: closed, ending: "server: eof"})
	default:
		closed.Failure = failures[a.End]
		if a.End == "eof" {
			closed.Failure = apiserver.NoFailure
		}
		c.put(timed{time: at, answer: closed, ending: "server: " + a.End})
	}
}

// step returns one thing that comes on a stream; ok is false for nothing that a client
// gets to see.
func (c *wire) step(s *scriptedStep) (a apiserver.Answer, ok bool) {
	a = apiserver.Answer{Answer: apiserver.Event}
	a.Kind = apiserver.WatchEvent
	switch {
	case s.Raw != "" && !strings.HasSuffix(s.Raw, "\n"):
		return a, false // it never comes whole
	case s.Raw != "":
		return c.raw(s.Raw), true
	case s.Ev == "":
		return a, false
	case s.Ev == "BOOKMARK":
		a.Kind, a.Delta, a.RV = apiserver.WatchBookmark, event.Bookmark, c.run.t.RV(s.RV)
		if s.InitialEnd {
			a.Kind = apiserver.InitialEnd
		}
	case s.Ev == "ERROR":
		a.Delta, a.Code, a.Failure = event.Error, s.Code, statusFailure(s.Code, s.Reason)
		c.run.reasons[s.Code] = s.Reason
	default:
		a.Delta = deltas[s.Ev]
		a.Obj = c.objects(s.O)[0]
		a.RV = c.run.t.RVOf(a.Obj)
	}
	return a, true
}

// deltas are of watch events that tell of an object.
var deltas = map[string]event.Delta{"ADDED": event.Added, "MODIFIED": event.Updated, "DELETED": event.Deleted}

// raw returns a line of a stream as it stands. The client decodes objects of the kinds that it knows,
// which are those of v1, whether or not they are ConfigMaps.
func (c *wire) raw(line string) (a apiserver.Answer) {
	var e struct {
		Type   string
		Object struct {
			Kind, APIVersion string
			Metadata         struct{ Namespace, Name, ResourceVersion string }
		}
	}
	a.Answer, a.Kind = apiserver.Event, apiserver.WatchEvent
	o := &e.Object
	if json.Unmarshal([]byte(line), &e) != nil || o.APIVersion != "v1" {
		a.Failure, a.Delta = apiserver.Undecodable, event.Error
		return a
	}
	if a.Delta = deltas[e.Type]; a.Delta == event.None {
		a.Delta = event.Unknown
		return a
	}
	a.Obj = c.run.ref(&objectSpec{K: o.Metadata.Namespace + "/" + o.Metadata.Name, RV: o.Metadata.ResourceVersion})
	a.RV = c.run.t.RVOf(a.Obj)
	if o.Kind != "ConfigMap" {
		a.Failure = apiserver.OtherKind
	}
	return a
}

// fails answers with a failure, which has the same form for lists and watches.
func (c *wire) fails(a *scriptedAnswer, now int64, answer apiserver.AnswerKind, kind apiserver.RecordKind) {
	switch a.Result {
	case "error":
		c.put(timed{time: now, answer: failure(answer, kind, failures[a.Error], 0), class: c.run.errorClass(a.Error, kind)})
	case "status":
		f := failure(answer, kind, statusFailure(a.Code, a.reason()), a.Code)
		if n, err := strconv.ParseInt(a.RetryAfter, 10, 32); err == nil {
			f.RetryAfter = apiserver.AfterSeconds(int32(n))
		}
		c.put(timed{time: now, answer: f, class: c.run.statusClass(a, kind)})
	}
}

func failure(answer apiserver.AnswerKind, kind apiserver.RecordKind, f apiserver.Failure, code int32) apiserver.Answer {
	return apiserver.Answer{Answer: answer, Record: apiserver.Record{Kind: kind, Failure: f, Code: code}}
}

// deadline lets rest.Config.Timeout end the request.
func (c *wire) deadline(now int64) {
	if c.run.ClientTimeoutMs == 0 {
		return
	}
	at := now + c.run.ClientTimeoutMs*1e6
	i := slices.IndexFunc(c.answers, func(t timed) bool { return t.time >= at })
	if i >= 0 {
		c.answers = c.answers[:i]
	}
	switch {
	case len(c.answers) == 0 && c.state == apiserver.Listing:
		c.put(timed{time: at, answer: failure(apiserver.ListFailed, apiserver.ListError, apiserver.TimedOut, 0), ending: "client cancelled: context.DeadlineExceeded"})
	case len(c.answers) == 0:
		c.put(timed{time: at, answer: failure(apiserver.OpenFailed, apiserver.WatchError, apiserver.TimedOut, 0), ending: "client cancelled: context.DeadlineExceeded"})
	case c.answers[0].answer.Answer == apiserver.Opened:
		c.put(timed{time: at, answer: failure(apiserver.Closed, apiserver.WatchEnd, apiserver.TimedOut, 0), ending: "client cancelled"})
	}
}

func (c *wire) Due() (at int64, ok bool) {
	if len(c.answers) == 0 {
		return actor.Never, true
	}
	return c.answers[0].time, true
}

func (c *wire) Take() apiserver.Answer {
	a := c.answers[0]
	c.answers = c.answers[1:]
	switch a.answer.Answer {
	case apiserver.Opened:
		c.state = apiserver.Open
	case apiserver.Event:
	default:
		c.state = apiserver.Idle
	}
	if a.class != "" {
		c.run.failed = a.class
	}
	if a.ending != "" && a.ending != "body" {
		c.run.jittered = c.run.jittered || a.random
		c.run.line(map[string]any{"ev": "end", "n": c.n, "how": a.ending})
	}
	return a.answer
}

// Hangup takes down that an open watch is stopped.
func (c *wire) Hangup() {
	if c.state == apiserver.Open {
		c.run.line(map[string]any{"ev": "end", "n": c.n, "how": "client closed"})
	}
	c.state, c.answers = apiserver.Idle, nil
}

// NextRequest returns when the real client sent its next request, so that this client backs off as long.
func (c *wire) NextRequest() (at int64, ok bool) {
	if c.n >= len(c.run.Asked) {
		return 0, false
	}
	return c.run.Asked[c.n].AtNs, true
}

func (c *wire) Cut()                                     { c.answers = nil }
func (c *wire) State() apiserver.State                   { return c.state }
func (c *wire) View(int, int) apiserver.View             { return apiserver.View{State: c.state, Total: -1} }
func (c *wire) KnownUntil() int64                        { return 0 }
func (c *wire) Retried() bool                            { return false }
func (c *wire) Quiet() bool                              { return false }
func (c *wire) Dial() apiserver.Server                   { return &wire{run: c.run} }
func (c *wire) CopyTo(apiserver.Server) apiserver.Server { return c }
func (c *wire) Hash(*actor.Hash, int64)                  {}
