package apiserver

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/informerscope/informerscope/replay/trace"
)

// The limits of what is kept of clients. What goes beyond them is only counted.
const (
	// MaxWatches is how many watches may be open at once. A request for one more gets 429.
	MaxWatches = 5000

	mostClients  = 100
	mostLists    = 50 // of a client
	mostRefusals = 10 // of a client
	longest      = 300
	remembered   = time.Minute // a client that has gone
	patience     = time.Second // until a watch is cut whose client doesn't read
)

// Client is a program that sends requests to a Server: a connection of HTTP/2, or all connections of HTTP/1.1 with one user agent.
type Client struct {
	ID       int       `json:"id"`
	Agent    string    `json:"agent"`
	Address  string    `json:"address,omitempty"`
	Gone     bool      `json:"gone,omitempty"` // it has no connection
	Requests int       `json:"requests"`
	Lists    []List    `json:"lists,omitempty"`
	Refused  []Refusal `json:"refused,omitempty"`
}

// List is what a client lists and watches.
type List struct {
	ID       int    `json:"id"`
	Name     string `json:"name"` // as trace.Resource.Name has it
	Watches  int    `json:"watches"`
	Sent     int    `json:"sent"`     // lists and events
	Version  int64  `json:"version"`  // the last resourceVersion that it was sent
	Revision int64  `json:"revision"` // the server's

	kind int // the kind
}

// Refusal is what a client was refused.
type Refusal struct {
	Code  int    `json:"code"`
	Why   string `json:"why"`
	Times int    `json:"times"`
}

// clients are the programs that send requests to a Server.
type clients struct {
	mu       sync.Mutex
	kindOf   func(p trace.Path) int // -1 for none
	all      []*client
	ids      int
	untold   int // requests of clients that aren't kept
	watching map[*call]struct{}
}

// client is a Client with its connections.
type client struct {
	Client
	lists   []*List
	conns   map[string]bool // by the client's address
	version int             // of HTTP
	left    time.Time
}

// call is a request under way.
type call struct {
	from *client // nil if it isn't kept
	list *List   // nil for another request, or if it isn't kept
	out  *http.ResponseController
	conn net.Conn // nil in a test without a port
}

type callKey struct{}

type connKey struct{}

func callOf(r *http.Request) *call {
	c, _ := r.Context().Value(callKey{}).(*call)
	return c
}

// cut returns a text, shortened to the longest that is kept.
func cut(s string) string {
	if len(s) <= longest {
		return s
	}
	s = s[:longest]
	for !utf8.ValidString(s) && s != "" {
		s = s[:len(s)-1]
	}
	return s + "…"
}

// follow returns a handler that takes note of the requests that h gets, and refuses watches where there are too many.
func (c *clients) follow(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		call := c.begin(w, r)
		if r.URL.Query().Has("watch") {
			c.mu.Lock()
			full := len(c.watching) >= MaxWatches
			if !full {
				c.watching[call] = struct{}{}
				if call.list != nil {
					call.list.Watches++
				}
			}
			c.mu.Unlock()
			if full {
				why := fmt.Sprintf("%d watches are open, and no more can be", MaxWatches)
				c.refused(call, http.StatusTooManyRequests, why)
				w.Header().Set("Content-Type", "application/json")
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(http.StatusTooManyRequests)
				fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"TooManyRequests","code":429,"message":%q}`, why)
				return
			}
			defer c.end(call)
		}
		h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callKey{}, call)))
	})
}

// begin notes a request.
func (c *clients) begin(w http.ResponseWriter, r *http.Request) *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	x := &call{out: http.NewResponseController(w), from: c.client(r)}
	x.conn, _ = r.Context().Value(connKey{}).(net.Conn)
	if x.from == nil {
		c.untold++
		return x
	}
	x.from.Requests++
	p, ok := trace.ParsePath(r.URL.Path)
	if kind := c.kindOf(p); ok && p.Name == "" && r.Method == http.MethodGet && kind >= 0 {
		q := r.URL.Query()
		name := (&trace.Resource{Group: p.Group, Resource: p.Resource, Namespace: p.Namespace, LabelSelector: q.Get("labelSelector"), FieldSelector: q.Get("fieldSelector")}).Name()
		x.list = c.list(x.from, cut(name), kind)
	}
	return x
}

// client returns the client that sends a request, or nil where there are too many clients. c.mu is held.
func (c *clients) client(r *http.Request) *client {
	agent := cut(r.UserAgent())
	for _, client := range c.all {
		if client.Agent == agent && client.version == r.ProtoMajor && (client.version < 2 || client.conns[r.RemoteAddr]) {
			client.conns[r.RemoteAddr], client.Gone = true, false
			return client
		}
	}
	c.forget()
	if len(c.all) == mostClients {
		i := slices.IndexFunc(c.all, func(x *client) bool { return x.Gone })
		if i < 0 {
			return nil
		}
		c.all = slices.Delete(c.all, i, i+1)
	}
	c.ids++
	x := &client{Client: Client{ID: c.ids, Agent: agent}, version: r.ProtoMajor, conns: map[string]bool{r.RemoteAddr: true}}
	if x.version > 1 {
		x.Address = r.RemoteAddr
	}
	c.all = append(c.all, x)
	return x
}

// forget forgets clients that have gone long ago. c.mu is held.
func (c *clients) forget() {
	c.all = slices.DeleteFunc(c.all, func(x *client) bool { return x.Gone && time.Since(x.left) > remembered })
}

// list returns a client's list of a name, nil where it has too many. c.mu is held.
func (c *clients) list(from *client, name string, kind int) *List {
	for _, l := range from.lists {
		if l.Name == name && l.kind == kind {
			return l
		}
	}
	if len(from.lists) == mostLists {
		return nil
	}
	c.ids++
	l := &List{ID: c.ids, Name: name, kind: kind}
	from.lists = append(from.lists, l)
	return l
}

// end notes that a watch has ended.
func (c *clients) end(x *call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.watching, x)
	if x.list != nil {
		x.list.Watches--
	}
}

// sent notes what a client was sent.
func (c *clients) sent(r *http.Request, rv int64) {
	if x := callOf(r); x != nil && x.list != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		x.list.Sent++
		x.list.Version = rv
	}
}

// refused notes why a client was refused.
func (c *clients) refused(x *call, code int, why string) {
	if x == nil || x.from == nil || code == 0 {
		return
	}
	why = cut(why)
	c.mu.Lock()
	defer c.mu.Unlock()
	all := &x.from.Refused
	i := slices.IndexFunc(*all, func(f Refusal) bool { return f.Code == code && f.Why == why })
	if i < 0 {
		if len(*all) == mostRefusals {
			*all = slices.Delete(*all, 0, 1)
		}
		i = len(*all)
		*all = append(*all, Refusal{Code: code, Why: why})
	}
	(*all)[i].Times++
}

// closed notes that a connection was closed.
func (c *clients) closed(conn net.Conn, state http.ConnState) {
	if state != http.StateClosed {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range c.all {
		delete(x.conns, conn.RemoteAddr().String())
		if len(x.conns) == 0 && !x.Gone {
			x.Gone, x.left = true, time.Now()
		}
	}
}

// state returns the clients, and how many requests came from others.
func (c *clients) state(revision func(kind int) int64) (all []Client, untold int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget()
	for _, x := range c.all {
		state := x.Client
		state.Refused = slices.Clone(x.Refused)
		for _, l := range x.lists {
			if l.Sent > 0 || l.Watches > 0 {
				shown := *l
				shown.Revision = revision(l.kind)
				state.Lists = append(state.Lists, shown)
			}
		}
		all = append(all, state)
	}
	return all, c.untold
}

// Cut breaks the watches of the List with an ID, or all watches if id is 0. It doesn't wait for them to end.
func (s *Server) Cut(id int) {
	is := func(x *call) bool { return x != nil && (id == 0 || x.list != nil && x.list.ID == id) }
	s.clients.mu.Lock()
	open := slices.DeleteFunc(slices.Collect(maps.Keys(s.clients.watching)), func(x *call) bool { return !is(x) })
	s.clients.mu.Unlock()
	s.BreakWatch(func(r *http.Request) bool { return is(callOf(r)) })
	// A client that doesn't read may hold up the end of its watch, or of its connection.
	s.clients.later(open, func(x *call) { x.out.SetWriteDeadline(time.Unix(1, 0)) }, func(x *call) {
		if x.conn != nil {
			go x.conn.Close()
		}
	})
}

// later waits for patience and calls the first do for each watch that is still open, then waits again and calls the next.
// It holds c.mu meanwhile, so that none ends.
func (c *clients) later(watches []*call, do ...func(x *call)) {
	time.AfterFunc(patience, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		watches = slices.DeleteFunc(watches, func(x *call) bool { _, still := c.watching[x]; return !still })
		for _, x := range watches {
			do[0](x)
		}
		if len(watches) > 0 && len(do) > 1 {
			c.later(watches, do[1:]...)
		}
	})
}
