package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/informerscope/informerscope/replay/serve/kubectl"
)

// How long is waited for what should come at once, and for the end of a watch that is late.
const (
	answerLimit = 10 * time.Second
	grace       = 5 * time.Second
)

// firstPage asks as a list does that is read in pages.
func (r Resource) firstPage() string { return r.Path + "?limit=1" }

// secondPage asks for what follows the first page. The token is escaped already.
func (r Resource) secondPage(token string) string {
	return r.Path + "?limit=1&continue=" + token
}

// streaming asks as a reflector with WatchListClient does.
func (r Resource) streaming(d time.Duration) string {
	return r.Path + "?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=" + seconds(d)
}

// watching asks as a reflector does after its list. The version is escaped already.
func (r Resource) watching(version string, d time.Duration) string {
	return r.Path + "?watch=true&allowWatchBookmarks=true&resourceVersion=" + version + "&timeoutSeconds=" + seconds(d)
}

// fromOld asks as a reflector does that was away for long.
func (r Resource) fromOld() string {
	return r.Path + "?watch=true&allowWatchBookmarks=true&resourceVersion=1&timeoutSeconds=" + seconds(answerLimit)
}

func seconds(d time.Duration) string { return strconv.FormatInt(int64(d/time.Second), 10) }

// Received is what came from a resource through a hop.
type Received struct {
	Resource string `json:"resource"`
	Hop      string `json:"hop"`
	List     Page   `json:"list"`
	NextPage *Page  `json:"secondPage,omitempty"` // nil where the first page was the last one
	Stream   Watch  `json:"streamingList"`
	Watch    Watch  `json:"watch"` // from the list's version
	Old      Watch  `json:"watchFromOld"`
}

// Head is how an answer began.
type Head struct {
	Asked  string        `json:"asked"`
	Code   int           `json:"code,omitempty"` // 0 where no answer came
	Type   string        `json:"type,omitempty"`
	To     string        `json:"redirectsTo,omitempty"`
	After  time.Duration `json:"after"`           // ns until the head came
	Later  int           `json:"later,omitempty"` // how many answers before it said when to ask again
	Error  string        `json:"error,omitempty"`
	Reason string        `json:"reason,omitempty"` // of a Status
}

// Page is a list's answer, whole or a page.
type Page struct {
	Head
	Version   string `json:"resourceVersion,omitempty"`
	Continue  bool   `json:"continue,omitempty"`
	Remaining int64  `json:"remainingItemCount,omitempty"`
	Items     int    `json:"items"`
	First     string `json:"first,omitempty"` // uid of the first object
	Newest    uint64 `json:"-"`               // the highest version of an object, 0 where none is a number
}

// asker asks for one resource through one hop.
type asker struct {
	hop      Hop
	resource Resource
	o        Options
	meter    *meter
}

// ask fills in s.
func (a *asker) ask(ctx context.Context, s *Received) {
	var token string
	s.List, token = a.page(ctx, a.resource.firstPage())
	if s.List.Code != 200 || s.List.Error != "" {
		return // what comes of a watch says nothing more
	}
	var side sync.WaitGroup
	if token != "" {
		side.Go(func() {
			p, _ := a.page(ctx, a.resource.secondPage(url.QueryEscape(token)))
			s.NextPage = &p
		})
	}
	side.Go(func() { s.Stream = a.watch(ctx, a.resource.streaming(a.o.Duration), a.o.Duration+grace, true) })
	side.Go(func() {
		s.Watch = a.watch(ctx, a.resource.watching(url.QueryEscape(s.List.Version), a.o.Duration), a.o.Duration+grace, false)
	})
	side.Go(func() { s.Old = a.watch(ctx, a.resource.fromOld(), answerLimit+grace, false) })
	side.Wait()
}

// get sends a request, and sends it again for as long as the answer says when to, as client-go's rest.Request does. The
// answer's body is nil where none came.
func (a *asker) get(ctx context.Context, path string) (Head, io.ReadCloser) {
	for later := 0; ; later++ {
		h, body, wait := a.send(ctx, path)
		h.Later = later
		if wait == 0 || later == maxRetries || !a.meter.mayRetry(a.o) {
			return h, body
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return h, body
		}
	}
}

// maxRetries is how often client-go's rest.Request asks again (defaultRetryFn).
const maxRetries = 10

// retryAfter returns when client-go asks again (checkWait of rest/with_retry.go): after an answer 429 or 5xx with a
// Retry-After in seconds. Otherwise it returns 0.
func (x *Answer) retryAfter() time.Duration {
	seconds, err := strconv.Atoi(x.Wait)
	if err != nil || seconds < 0 || x.Code != 429 && x.Code/100 != 5 {
		return 0
	}
	return max(time.Duration(seconds)*time.Second, time.Millisecond)
}

// send sends a request once. Wait is more than 0 where the answer says when to ask again.
func (a *asker) send(ctx context.Context, path string) (h Head, body io.ReadCloser, wait time.Duration) {
	h = Head{Asked: "GET " + path}
	a.meter.requests.Add(1)
	if a.o.Asked != nil {
		a.o.Asked(a.hop.Name(), path)
	}
	began := time.Now()
	answer, err := a.hop.Get(ctx, path)
	h.After = time.Since(began)
	if err != nil {
		h.Error = err.Error()
		if errors.Is(err, context.DeadlineExceeded) {
			h.Error = "no answer"
		}
		return h, nil, 0
	}
	h.Code, h.Type, h.To = answer.Code, answer.Type, answer.To
	share := int64(MaxBytes / (5 * len(a.o.Hops) * len(a.o.Resources)))
	body = &countingBody{ReadCloser: answer.Body, meter: a.meter, left: share}
	if h.Code == 200 {
		return h, body, 0
	}
	defer body.Close()
	var status struct{ Reason, Message string }
	b, _ := io.ReadAll(io.LimitReader(body, 64<<10))
	if json.Unmarshal(b, &status) == nil {
		h.Reason, h.Error = status.Reason, status.Message
	} else {
		h.Error = strings.TrimSpace(string(b[:min(len(b), 200)]))
	}
	return h, nil, answer.retryAfter()
}

// CodeOf returns the HTTP status that an error tells with which an answer's body has ended, 0 for none.
func CodeOf(err error) int {
	if r := new(kubectl.Refused); errors.As(err, &r) {
		return r.Code
	}
	return 0
}

// failed takes the error with which an answer's body has ended.
func (h *Head) failed(err error) {
	h.Error = err.Error()
	if r := new(kubectl.Refused); errors.As(err, &r) {
		h.Code, h.Reason = r.Code, r.Reason
	}
}

// page asks for a list, and returns what continues it.
func (a *asker) page(ctx context.Context, path string) (Page, string) {
	ctx, end := context.WithTimeout(ctx, a.o.Duration+grace)
	defer end()
	head, body := a.get(ctx, path)
	p := Page{Head: head}
	if body == nil {
		return p, ""
	}
	defer body.Close()
	var list struct {
		Metadata struct {
			ResourceVersion, Continue string
			RemainingItemCount        int64
		}
		Items []struct {
			Metadata struct{ UID, ResourceVersion string }
		}
	}
	if err := json.NewDecoder(body).Decode(&list); err != nil {
		p.failed(err)
		if errors.Is(err, errTooMuch) {
			p.Error = "the list is larger than what is read of one answer"
		}
		return p, ""
	}
	p.Version, p.Continue, p.Remaining, p.Items = list.Metadata.ResourceVersion, list.Metadata.Continue != "", list.Metadata.RemainingItemCount, len(list.Items)
	for i, it := range list.Items {
		if i == 0 {
			p.First = it.Metadata.UID
		}
		if v, err := strconv.ParseUint(it.Metadata.ResourceVersion, 10, 64); err == nil {
			p.Newest = max(p.Newest, v)
		}
	}
	return p, list.Metadata.Continue
}

// Kubectl is the hop on which kubectl itself sends each request, without a proxy of its own between.
type Kubectl struct {
	Called  string // for people
	Options kubectl.Options
}

// Name returns what people call the hop.
func (k *Kubectl) Name() string { return k.Called }

// Get returns at once: kubectl doesn't tell when an answer begins. That the answer is no success is
// the error with which its body ends.
func (k *Kubectl) Get(ctx context.Context, path string) (Answer, error) {
	return Answer{Code: 200, Body: kubectl.Raw(ctx, k.Options, path)}, nil
}

// Ending is how a watch went on to its end.
type Ending string

const (
	Ended    Ending = "ended"    // the body ended, as a server ends it
	Broke    Ending = "broke"    // it was cut off, or isn't a watch
	Complete Ending = "complete" // the end of the initial events came, and nothing more was waited for
	Refused  Ending = "refused"  // an ERROR event
	Open     Ending = "open"     // nothing ended it for as long as it was looked at
	TooLong  Ending = "too long" // more came than is read of one answer
)

// Watch is what came of a watch.
type Watch struct {
	Head
	Events    int           `json:"events"` // without bookmarks
	Bookmarks int           `json:"bookmarks"`
	Ending    Ending        `json:"ending,omitempty"` // "" where no watch began
	Lived     time.Duration `json:"lived"`            // ns from the request to the ending
	Status    int           `json:"status,omitempty"` // code of an ERROR event
}

// initialEventsEnd is the annotation of the bookmark that ends the initial events.
const initialEventsEnd = "k8s.io/initial-events-end"

// watchEvent is what is read of a watch event.
type watchEvent struct {
	Type   string
	Object struct {
		Metadata        struct{ Annotations map[string]string }
		Code            int
		Reason, Message string
	}
}

// watch asks for a watch and follows it for at most d. With initial it ends at the end of the initial
// events.
func (a *asker) watch(ctx context.Context, path string, d time.Duration, initial bool) Watch {
	ctx, end := context.WithTimeout(ctx, d)
	defer end()
	began := time.Now()
	head, body := a.get(ctx, path)
	w := Watch{Head: head}
	if body == nil {
		w.Lived = time.Since(began)
		return w
	}
	defer body.Close()
	events := json.NewDecoder(body)
	for w.Ending == "" {
		var e watchEvent
		if err := events.Decode(&e); err != nil {
			switch {
			case ctx.Err() != nil:
				w.Ending = Open
			case errors.Is(err, io.EOF):
				w.Ending = Ended
			case errors.Is(err, errTooMuch):
				w.Ending = TooLong
			default:
				w.failed(err)
				if w.Ending = Broke; w.Code != 200 && w.Events+w.Bookmarks == 0 {
					w.Ending = "" // it never began
				}
			}
			w.Lived = time.Since(began)
			return w
		}
		switch e.Type {
		case "BOOKMARK":
			w.Bookmarks++
			if initial && e.Object.Metadata.Annotations[initialEventsEnd] == "true" {
				w.Ending = Complete
			}
		case "ERROR":
			w.Ending, w.Status, w.Reason, w.Error = Refused, e.Object.Code, e.Object.Reason, e.Object.Message
		default:
			w.Events++
		}
	}
	w.Lived = time.Since(began)
	return w
}

// Right says whether a user may do one thing of an informer.
type Right struct {
	Resource string `json:"resource"`
	Path     string `json:"path"` // of its list
	Verb     string `json:"verb"` // list or watch
	Allowed  bool   `json:"allowed"`
	Denied   bool   `json:"denied"` // neither where the answer doesn't tell
	Asked    string `json:"asked"`
	Answer   string `json:"came"` // how it was answered
}

// errImpersonate is the reason in the error of Rights where the hop's own user may not impersonate.
var errImpersonate = errors.New("this user may not impersonate")

// Rights asks through a hop that impersonates a user which lists and watches of resources that user may make: a list of one object, and
// a watch that ends after a second. It sends two requests for each resource, and returns an error where the hop's own user may not
// impersonate.
func Rights(ctx context.Context, h Hop, o Options) ([]Right, error) {
	if n := o.Sent + 2*len(o.Resources); n > MaxRequests {
		return nil, fmt.Errorf("%d requests would be sent, and at most %d are: name fewer resources", n, MaxRequests)
	}
	var all []Right
	o.Hops = []Hop{h}
	for _, resource := range o.Resources {
		a := &asker{hop: h, resource: resource, o: o, meter: &meter{}}
		list, _ := a.page(ctx, resource.firstPage())
		w := a.watch(ctx, resource.watching(url.QueryEscape(list.Version), time.Second), time.Second+grace, false)
		for _, r := range []struct {
			verb string
			head Head
		}{{"list", list.Head}, {"watch", w.Head}} {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			x := Right{Resource: resource.Name, Path: resource.Path, Verb: r.verb, Asked: r.head.Asked, Answer: r.head.describe()}
			switch {
			case r.head.Code == 401:
				return nil, fmt.Errorf("the server doesn't know who asks: %s", x.Answer)
			case r.head.Code == 403 && strings.Contains(r.head.Error, "cannot impersonate"):
				return nil, fmt.Errorf("%w: %s", errImpersonate, r.head.Error)
			case r.head.Code == 403:
				x.Denied = true
			case r.head.Code == 200 && (r.head.Error == "" || r.verb == "watch") || r.head.Code == 410:
				x.Allowed = true // what a watch is ended with, and whether a version is too old, comes after authorization
			}
			all = append(all, x)
		}
	}
	return all, nil
}

// Impersonates reports whether err says that the hop's own user may not impersonate.
func Impersonates(err error) bool { return errors.Is(err, errImpersonate) }
