// Package apiserver shows a capture as an API server: replay/testserver with the objects, the resourceVersions and the times
// that were recorded. A client in any language can list and watch it.
//
// What is shown is what the recorded readers saw, all of them together, in the order of the resourceVersions. A change has the
// time at which it was seen first. Closed watches and refusals of the recording aren't played again.
//
//	s, err := apiserver.New(trace, file, apiserver.Options{})
//	defer s.Close()
//	go s.Run(ctx) // shows the changes as their times come
//	client := kubernetes.NewForConfigOrDie(&rest.Config{Host: "http://capture", Transport: s.Server,
//		ContentConfig: rest.ContentConfig{ContentType: "application/json"}})
//
// [Server.Serve] answers on a port instead, and counts what each client asks for. [Server.SeekTo], [Server.Pause] and
// [Server.SetSpeed] move the time. What was not recorded is refused with a sentence that says what was.
package apiserver

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/record/whatif"
	"github.com/informerscope/informerscope/replay/testserver"
	"github.com/informerscope/informerscope/replay/trace"
)

// Options say how a capture is shown.
type Options struct {
	Speed    float64       // how much faster than recorded, from MinSpeed to MaxSpeed; 0 is 1
	From     time.Duration // where it begins, after the capture's start
	Paused   bool          // time stands still until Server.Pause lets it pass
	Writable bool          // clients may write; otherwise a write is refused

	Simulated bool // the capture is what a script makes
}

// Server shows a capture. The methods can be called at any time.
type Server struct {
	*testserver.Server // answers requests

	trace    *trace.Trace
	kinds    []*kind
	writable bool
	woken    chan struct{}
	clients  clients

	mu       sync.Mutex
	places   []placed
	faults   []whatif.Line // of a script, in the order of their times
	fault    int           // the next of them
	injector *whatif.Faults
	at       int64 // of the capture, at the time since
	since    time.Time
	speed    float64
	paused   bool
	hidden   int // changes of objects that clients have written
}

// placed is how far a kind is.
type placed struct{ span, change int }

// New returns a Server of a capture that was read to its end. It reads the JSON of objects from source whenever it sends them, so
// source must stay open. No change is shown until Run is called. The error says that the capture has nothing to serve.
func New(t *trace.Trace, source io.ReaderAt, o Options) (*Server, error) {
	s := &Server{trace: t, kinds: index(t), writable: o.Writable, woken: make(chan struct{}, 1), since: time.Now(), speed: cmp.Or(o.Speed, 1), paused: o.Paused}
	if len(s.kinds) == 0 {
		return nil, fmt.Errorf("it holds no list and no watch that was answered")
	}
	s.clients = clients{kindOf: s.kindOf, watching: map[*call]struct{}{}}
	r := &testserver.Recording{Version: t.Header.Server, Writable: o.Writable, Simulated: o.Simulated, Sent: s.clients.sent}
	r.Missing = func(kind int, namespace, labels, fields string) string {
		return s.missing(r, kind, namespace, labels, fields)
	}
	r.Refused = func(hr *http.Request, code int, why string) { s.clients.refused(callOf(hr), code, why) }
	for _, k := range s.kinds {
		r.Resources = append(r.Resources, k.Resource)
	}
	r.Body = func(_ int, place object.Source) ([]byte, error) {
		line := make([]byte, place.Length)
		if _, err := source.ReadAt(line, place.Offset); err != nil && err != io.EOF {
			return nil, err
		}
		return trace.Raw(line, place)
	}
	s.Server = testserver.New(testserver.Options{Recorded: r})
	s.SeekTo(int64(o.From))
	return s, nil
}

// missing says why a list isn't in the capture.
func (s *Server) missing(in *testserver.Recording, kind int, namespace, labels, fields string) string {
	k := s.kinds[kind]
	asked := trace.Resource{Group: k.Group, Resource: k.Name, Namespace: namespace, LabelSelector: labels, FieldSelector: fields}
	var have []string
	for _, r := range k.readers {
		if r.Covers(&asked) {
			return ""
		}
		if name := r.Name(); r.Reader == 1 && !slices.Contains(have, name) {
			have = append(have, name)
		}
	}
	const most = 10
	if len(have) > most {
		have = append(have[:most], "others")
	}
	return in.Lacks(asked.Name(), strings.Join(have, "; "))
}

// Namespace returns the only recorded namespace, or "default" if there are several.
func (s *Server) Namespace() string {
	name := s.kinds[0].readers[0].Namespace
	for _, k := range s.kinds {
		if slices.ContainsFunc(k.readers, func(r *trace.Resource) bool { return r.Namespace != name }) {
			return "default"
		}
	}
	return cmp.Or(name, "default")
}

// kindOf returns the number of a path's resource, -1 for none.
func (s *Server) kindOf(p trace.Path) int {
	return slices.IndexFunc(s.kinds, func(k *kind) bool { return k.Group == p.Group && k.Version == p.Version && k.Name == p.Resource })
}

// lateAndBack returns the resources that have no recorded list, and the resources whose resourceVersions go back.
func (s *Server) lateAndBack() (late, back []string) {
	for _, k := range s.kinds {
		if k.late {
			late = append(late, k.readers[0].Name())
		}
		if len(k.spans) > 1 {
			back = append(back, k.readers[0].Name())
		}
	}
	return late, back
}

// TwoClusters returns an English sentence that shows that the files of a capture are of several clusters, "" if nothing shows it.
func (s *Server) TwoClusters() string {
	if slices.ContainsFunc(s.trace.Remarks, func(r trace.Remark) bool { return r.ID == remarks.VersionsMadeUp }) {
		return ""
	}
	for _, k := range s.kinds {
		if k.clash != "" {
			return k.clash
		}
		const forever = "kube-system" // nobody can delete it
		uid := ""
		for _, r := range k.readers {
			for ref := object.Ref(1); k.Group == "" && k.Name == "namespaces" && int(ref) < r.Table.Len(); ref++ {
				m := r.Table.Meta(ref)
				is := r.Table.Text(m.UID)
				if !r.Table.Equals(m.Name, forever) || is == "" {
					continue
				}
				if uid != "" && uid != is {
					return fmt.Sprintf("namespace %s has UID %s in one and %s in another", forever, uid, is)
				}
				uid = is
			}
		}
	}
	return ""
}

// Notes returns what a user must know about the capture, as English sentences: where its resourceVersions go back, and
// which resources have no recorded list.
func (s *Server) Notes() (all []string) {
	late, back := s.lateAndBack()
	if len(back) > 0 {
		all = append(all, "resourceVersions go back in "+strings.Join(back, ", ")+"; the server then begins anew, as after a backup was restored")
	}
	if len(late) > 0 {
		all = append(all, "no list was recorded of "+strings.Join(late, ", ")+": an object is there from its first event on")
	}
	return all
}

// now returns where in the capture the server is. s.mu is held.
func (s *Server) now() int64 {
	if s.paused {
		return s.at
	}
	return min(s.at+int64(float64(time.Since(s.since))*s.speed), max(s.at, s.trace.Now))
}

// next returns the kind whose next change comes first, and when that is. s.mu is held.
func (s *Server) next() (kind int, at int64) {
	kind, at = -1, 1<<63-1
	for i, p := range s.places {
		k := s.kinds[i]
		switch sp := &k.spans[p.span]; {
		case p.change < len(sp.changes):
			if t := sp.changes[p.change].at; t < at {
				kind, at = i, t
			}
		case p.span+1 < len(k.spans):
			if t := k.spans[p.span+1].at; t < at {
				kind, at = i, t
			}
		}
	}
	return kind, at
}

// Run lets time pass until ctx is done.
func (s *Server) Run(ctx context.Context) {
	for {
		wait := s.advance()
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-s.woken:
		case <-ctx.Done():
			t.Stop()
			return
		}
		t.Stop()
	}
}

// advance lets happen what is due, and returns how long nothing else is.
func (s *Server) advance() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		kind, at := s.next()
		now, faulty := s.now(), s.fault < len(s.faults) && int64(s.faults[s.fault].At) <= at
		if faulty {
			at = int64(s.faults[s.fault].At)
		}
		if kind < 0 && !faulty || s.paused {
			return time.Hour
		}
		if at > now {
			return time.Duration(min(float64(at-now)/s.speed+1, float64(time.Hour)))
		}
		if faulty {
			s.injector.Do(s.faults[s.fault].Text) // WriteCluster gives only what it does
			s.fault++
			continue
		}
		p, k := &s.places[kind], s.kinds[kind]
		if p.change == len(k.spans[p.span].changes) {
			s.rewind(at)
			continue
		}
		s.show(kind, &k.spans[p.span].changes[p.change])
		p.change++
	}
}

// show lets a change happen.
func (s *Server) show(kind int, c *change) {
	if c.kind == reached {
		s.Reach(kind, c.rv)
	} else if !s.Show(kind, s.kinds[kind].version(c), c.kind == gone) {
		s.hidden++
	}
}

// version returns the version that a change leads to.
func (k *kind) version(c *change) *testserver.Version {
	t := k.readers[c.reader].Table
	m := t.Meta(c.ref)
	return &testserver.Version{Namespace: t.Text(m.Namespace), Name: t.Text(m.Name), UID: t.Text(m.UID), RV: c.rv, Source: m.Source}
}

// rewind begins anew at a time of the capture. s.mu is held.
func (s *Server) rewind(at int64) {
	s.places = make([]placed, len(s.kinds))
	alive := make([]map[object.Key]change, len(s.kinds))
	revisions := make([]int64, len(s.kinds))
	for i, k := range s.kinds {
		p := &s.places[i]
		for p.span+1 < len(k.spans) && k.spans[p.span+1].at <= at {
			p.span++
		}
		sp := &k.spans[p.span]
		alive[i], revisions[i] = map[object.Key]change{}, sp.revision
		for _, c := range sp.held {
			alive[i][c.key] = c
		}
		for ; p.change < len(sp.changes) && sp.changes[p.change].at <= at; p.change++ {
			c := sp.changes[p.change]
			c.apply(alive[i])
			revisions[i] = max(revisions[i], c.rv)
		}
	}
	s.Rewind(func(kind int) int64 { return revisions[kind] }, func(kind int, hold func(*testserver.Version)) {
		for _, c := range alive[kind] {
			hold(s.kinds[kind].version(&c))
		}
	})
}

// SetFaults lets the server do the lines of a script at their times. It returns the transport above the server at which they are done.
// SeekTo takes back what was done. SetFaults must be called before Run.
func (s *Server) SetFaults(lines []whatif.Line) http.RoundTripper {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults, s.injector = lines, whatif.New(s.Server)
	s.placeFaults()
	return s.injector
}

// placeFaults finds the first fault that is still to come. s.mu is held.
func (s *Server) placeFaults() {
	s.fault, _ = slices.BinarySearchFunc(s.faults, s.at+1, func(l whatif.Line, at int64) int { return cmp.Compare(int64(l.At), at) })
}

// SeekTo goes to a time of the capture, in nanoseconds after its start. Watches break, and clients list again.
func (s *Server) SeekTo(at int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at, s.since = min(max(at, 0), s.trace.Now), time.Now()
	if s.injector != nil {
		s.injector.Calm()
		s.placeFaults()
	}
	s.rewind(s.at)
	s.wake()
}

// Pause stops the time, or lets it pass.
func (s *Server) Pause(pause bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at, s.since, s.paused = s.now(), time.Now(), pause
	s.wake()
}

// SetSpeed says how much faster than recorded the time passes; it must be more than 0.
func (s *Server) SetSpeed(speed float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at, s.since, s.speed = s.now(), time.Now(), speed
	s.wake()
}

func (s *Server) wake() {
	select {
	case s.woken <- struct{}{}:
	default:
	}
}

// State is where a Server is.
type State struct {
	At      float64  `json:"at"` // in the capture, in milliseconds
	End     float64  `json:"end"`
	Speed   float64  `json:"speed"`
	Paused  bool     `json:"paused"`
	Hidden  int      `json:"hidden"` // changes that aren't shown because clients have written their objects
	Clients []Client `json:"clients"`
	Untold  int      `json:"untold"` // requests of clients that aren't among them, since there are too many
}

// State returns where the server is.
func (s *Server) State() State {
	all, untold := s.clients.state(s.RevisionOf)
	s.mu.Lock()
	defer s.mu.Unlock()
	return State{float64(s.now()) / 1e6, float64(s.trace.Now) / 1e6, s.speed, s.paused, s.hidden, all, untold}
}
