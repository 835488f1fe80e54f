package recordings

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

// server is a http.RoundTripper that answers as an API server does for ConfigMaps of one
// namespace. What is written to it comes on its watches. It also does what servers and the
// connections to them do on bad days.
type server struct {
	mu        sync.Mutex
	r         *rand.Rand
	rv        int
	oldest    int // watches from before it are expired
	objects   map[string]int
	log       []change
	news      chan struct{} // closed at the next change
	streaming bool          // it knows streaming lists
	broken    chan string   // how the open watch ends
	twice     bool          // the next event is sent twice
	refuse    int           // how many requests are answered with an internal error
}

// change is a watch event.
type change struct {
	rv   int
	kind string
	name string
}

func newServer(r *rand.Rand, objects int) *server {
	s := &server{r: r, rv: 100, objects: map[string]int{}, news: make(chan struct{}), broken: make(chan string), streaming: r.IntN(2) == 0}
	for range objects {
		s.rv += 1 + r.IntN(3)
		s.objects[s.name()] = s.rv
	}
	s.oldest = s.rv
	return s
}

func (s *server) name() string { return "c" + strconv.Itoa(s.r.IntN(40)) }

// write changes an object at random: mostly one that lives.
func (s *server) write() {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, kind := s.name(), "MODIFIED"
	if _, lives := s.objects[name]; !lives {
		kind = "ADDED"
	} else if s.r.IntN(6) == 0 {
		kind = "DELETED"
	}
	s.rv += 1 + s.r.IntN(2)
	s.objects[name] = s.rv
	if kind == "DELETED" {
		delete(s.objects, name)
	}
	s.log = append(s.log, change{s.rv, kind, name})
	close(s.news)
	s.news = make(chan struct{})
}

// end ends the open watch, if there is one.
func (s *server) end(how string) {
	select {
	case s.broken <- how:
	default:
	}
}

// compact forgets all changes.
func (s *server) compact() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.oldest = s.rv
}

// repeat makes the server send the next event twice.
func (s *server) repeat() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.twice = true
}

// fail makes the next n requests fail.
func (s *server) fail(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = n
}

// RoundTrip answers a list or a watch.
func (s *server) RoundTrip(req *http.Request) (*http.Response, error) {
	select {
	case <-req.Context().Done():
		return nil, req.Context().Err()
	case <-time.After(time.Duration(200+rand.IntN(3000)) * time.Microsecond):
	}
	q := req.URL.Query()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuse > 0 {
		s.refuse--
		return answer(req, 500, status(500, "InternalError", "an error of the server")), nil
	}
	if q.Get("watch") == "" {
		return answer(req, 200, s.list()), nil
	}
	from, _ := strconv.Atoi(q.Get("resourceVersion"))
	initial := q.Get("sendInitialEvents") == "true"
	switch {
	case initial && !s.streaming:
		return answer(req, 422, status(422, "Invalid", "sendInitialEvents is forbidden")), nil
	case !initial && from < s.oldest:
		return answer(req, 410, status(410, "Expired", "too old resource version")), nil
	}
	body, w := io.Pipe()
	go s.watch(req.Context(), w, from, initial)
	return &http.Response{StatusCode: 200, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {"application/json"}}, Body: body, Request: req}, nil
}

func (s *server) list() map[string]any {
	items := []any{}
	for _, name := range s.names() {
		items = append(items, object(name, s.objects[name]))
	}
	return map[string]any{"kind": "ConfigMapList", "apiVersion": "v1", "metadata": map[string]any{"resourceVersion": strconv.Itoa(s.rv)}, "items": items}
}

// names returns the names of the objects, in the order in which an API server lists them.
func (s *server) names() (names []string) {
	for name := range s.objects {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// watch sends what is later than a resourceVersion, after all objects if they are wanted.
func (s *server) watch(ctx context.Context, w *io.PipeWriter, from int, initial bool) {
	send := func(kind string, o any) bool {
		b, err := json.Marshal(map[string]any{"type": kind, "object": o})
		if err != nil {
			panic(err) // it is made of strings
		}
		_, err = w.Write(append(b, '\n'))
		return err == nil
	}
	if initial {
		s.mu.Lock()
		names, objects := s.names(), []any{}
		for _, name := range names {
			objects = append(objects, object(name, s.objects[name]))
		}
		from = s.rv
		s.mu.Unlock()
		for _, o := range objects {
			if !send("ADDED", o) {
				return
			}
		}
		end := object("", from)
		end["metadata"].(map[string]any)["annotations"] = map[string]any{"k8s.io/initial-events-end": "true"}
		if !send("BOOKMARK", end) {
			return
		}
	}
	for {
		s.mu.Lock()
		i, _ := slices.BinarySearchFunc(s.log, from, func(c change, rv int) int { return c.rv - rv - 1 })
		rest, news, twice := s.log[i:], s.news, s.twice
		if len(rest) > 0 {
			s.twice = false
		}
		s.mu.Unlock()
		for _, c := range rest {
			from = c.rv
			if !send(c.kind, object(c.name, c.rv)) || twice && !send(c.kind, object(c.name, c.rv)) {
				return
			}
			twice = false
		}
		select {
		case <-news:
		case <-ctx.Done():
			w.CloseWithError(ctx.Err())
			return
		case how := <-s.broken:
			switch how {
			case "expired":
				send("ERROR", status(410, "Expired", "too old resource version"))
				w.Close()
			case "reset":
				w.CloseWithError(errReset)
			default:
				w.Close()
			}
			return
		}
	}
}

func object(name string, rv int) map[string]any {
	m := map[string]any{"resourceVersion": strconv.Itoa(rv)}
	if name != "" {
		m["name"], m["namespace"], m["uid"] = name, "ns", "uid-"+name
	}
	return map[string]any{"kind": "ConfigMap", "apiVersion": "v1", "metadata": m}
}

func status(code int, reason, message string) map[string]any {
	return map[string]any{"kind": "Status", "apiVersion": "v1", "metadata": map[string]any{}, "status": "Failure", "message": message, "reason": reason, "code": code}
}

func answer(req *http.Request, code int, body any) *http.Response {
	b, err := json.Marshal(body)
	if err != nil {
		panic(err) // it is made of strings
	}
	return &http.Response{StatusCode: code, Status: strconv.Itoa(code) + " " + http.StatusText(code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(b)), ContentLength: int64(len(b)), Request: req}
}
