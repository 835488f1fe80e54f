package kamera

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

// mapped is the label by which a write of another kind names the object that is to be reconciled.
const mapped = "reconciles"

// stage is a controller with its informers, as a script sets them up.
type stage struct {
	f          *facts
	controller string
	workers    int
	kinds      []kind // of the informers; the first is what the controller reconciles
	steps      []int  // of the path, that are the controller's
	labels     map[thing]string

	r        *script.Runner
	w        *world.World // when all writes have been made
	contents [][]contents // by informer, after so many writes
}

// contents are the versions that a cache holds.
type contents map[object.Key]object.RV

// newStage returns the stage of a controller, or why its part can't be played.
func newStage(f *facts, controller string, workers int) (*stage, string) {
	s := &stage{f: f, controller: controller, workers: workers, labels: map[thing]string{}}
	of, known := f.primary[controller]
	if !known {
		return nil, "the dump does not say what it reconciles"
	}
	read := map[kind]bool{}
	for i := range f.steps {
		if f.steps[i].controller == controller {
			s.steps = append(s.steps, i)
			for k := range f.steps[i].view {
				read[k] = true
			}
		}
	}
	for k, writes := range f.writes {
		for i := range writes {
			if slices.ContainsFunc(writes[i].queues, func(q pair) bool { return q.controller == controller }) {
				read[k] = true
			}
		}
	}
	delete(read, of)
	s.kinds = append([]kind{of}, slices.SortedFunc(maps.Keys(read), func(a, b kind) int { return strings.Compare(a.String(), b.String()) })...)
	return s, s.unplayable()
}

// unplayable is why the controller's part can't be played, "" if it can.
func (s *stage) unplayable() string {
	failed, ended := map[string]bool{}, map[string]bool{}
	for _, i := range s.steps {
		t := &s.f.steps[i]
		switch {
		case s.f.unknown[pair{s.controller, t.key}]:
			return "the dump does not say what put " + t.key + " into its queue"
		case t.returns && ended[t.key]:
			return "step " + strconv.Itoa(i+1) + " comes back by itself after a reconcile that did not: the machine's reconciles fail from the first one on, or not at all"
		}
		if t.returns {
			failed[t.key] = true
		} else {
			ended[t.key] = true
		}
	}
	for k, writes := range s.f.writes {
		for i := range writes {
			w, n := &writes[i], 0
			for _, q := range w.queues {
				if q.controller != s.controller || k == s.kinds[0] && q.key == w.key {
					continue
				}
				if n++; n > 1 || k == s.kinds[0] || namespaceOf(q.key) != namespaceOf(w.key) {
					return "the write of " + w.String() + " puts keys into its queue in a way that has no counterpart here"
				}
			}
		}
	}
	return ""
}

func namespaceOf(key string) string {
	namespace, _, ok := strings.Cut(key, "/")
	if !ok {
		return ""
	}
	return namespace
}

// resource is the name of an informer's resource in a script.
func resource(k kind) string {
	name := strings.ToLower(k.name) + "s"
	if k.group != "" {
		name += "." + k.group
	}
	return syntax.Quote(name)
}

// set plays the part up to the point at which everything has been written, and nothing of it has come to the caches.
func (s *stage) set() error {
	s.r = script.NewRunner(func(script.Entry) {})
	n := 0
	line := func(text string) error {
		n++
		return s.r.Line(text, n)
	}
	lines := []string{"profile current"}
	for _, k := range s.kinds {
		lines = append(lines, "informer "+resource(k))
	}
	control := "controller " + resource(s.kinds[0]) + " program=return runtime=v0.25 workers=" + strconv.Itoa(s.workers)
	var watched []string
	for _, k := range s.kinds[1:] {
		watched = append(watched, resource(k))
	}
	if len(watched) > 0 {
		control += " watches=" + strings.Join(watched, ",") + " by=" + mapped
	}
	lines = append(lines, control)
	for i := range s.f.before {
		if w := &s.f.before[i]; slices.Contains(s.kinds, w.kind) {
			lines = append(lines, "exists "+s.written(w))
		}
	}
	for _, text := range append(lines, "run") {
		if err := line(text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	s.contents = make([][]contents, len(s.kinds))
	for i, k := range s.kinds {
		c := contents{}
		for j := range s.f.before {
			if w := &s.f.before[j]; w.kind == k {
				s.hold(i, w, c)
			}
		}
		s.contents[i] = append(s.contents[i], c)
	}
	if err := s.fail(); err != nil {
		return err
	}
	for _, at := range s.f.order {
		i := slices.Index(s.kinds, at.kind)
		if i < 0 {
			continue
		}
		w := &s.f.writes[at.kind][at.at]
		if err := line(s.verb(i, w) + " " + s.written(w)); err != nil {
			return fmt.Errorf("the write of %s in step %d: %w", w, w.step+1, err)
		}
		c := maps.Clone(s.contents[i][len(s.contents[i])-1])
		s.hold(i, w, c)
		s.contents[i] = append(s.contents[i], c)
	}
	s.w = s.r.History().Front()
	return nil
}

// verb is how the API server is told of a write.
func (s *stage) verb(informer int, w *write) string {
	_, there := s.contents[informer][len(s.contents[informer])-1][s.key(informer, w)]
	switch {
	case w.removes():
		return "delete"
	case there:
		return "update"
	}
	return "create"
}

func (s *stage) meta(informer int, w *write) object.Meta {
	t := s.r.History().Front().Informers[informer].Config().Table
	namespace, name, ok := strings.Cut(w.key, "/")
	if !ok {
		namespace, name = "", w.key
	}
	return object.Meta{Namespace: t.Sym(namespace), Name: t.Sym(name)}
}

func (s *stage) key(informer int, w *write) object.Key {
	return s.r.History().Front().Informers[informer].Config().Table.MakeKey(s.meta(informer, w))
}

// hold notes in c what the API server has of an object now.
func (s *stage) hold(informer int, w *write, c contents) {
	front, k := s.r.History().Front(), s.key(informer, w)
	if o := world.Existing(front, informer, s.meta(informer, w)); o != 0 {
		c[k] = front.Informers[informer].Config().Table.RVOf(o)
	} else {
		delete(c, k)
	}
}

// written is the object of a write in a script's line. An object of another kind has the key in a label that it puts into
// the queue, from its first such write on: a mapping looks at the object only.
func (s *stage) written(w *write) string {
	for _, q := range w.queues {
		if q.controller == s.controller && w.kind != s.kinds[0] {
			s.labels[w.thing] = q.key[len(namespaceOf(q.key)):]
		}
	}
	text := resource(w.kind) + " " + syntax.Quote(w.key)
	if name := strings.TrimPrefix(s.labels[w.thing], "/"); name != "" && !w.removes() {
		text += " " + mapped + "=" + syntax.Quote(name)
	}
	return text
}

// fail makes the reconciles fail whose key comes back.
func (s *stage) fail() error {
	counts := map[string]int64{}
	var keys []string
	for _, i := range s.steps {
		if t := &s.f.steps[i]; t.returns {
			if counts[t.key]++; counts[t.key] == 1 {
				keys = append(keys, t.key)
			}
		}
	}
	if len(keys) > 1 {
		return fmt.Errorf("the reconciles of %s come back, and the machine lets those of one key fail", strings.Join(keys, " and "))
	}
	for _, k := range keys {
		if err := s.r.Line("fail reconciles n="+strconv.FormatInt(counts[k], 10)+" key="+syntax.Quote(k), 0); err != nil {
			return err
		}
	}
	return nil
}

// dead is what a question remembers when a run has left the path.
const dead = 1 << 32

// question asks for a run that begins the first n reconciles in their order, each with the caches that it had. From the
// step free on, the caches don't matter. reached is told how far a run came.
func (s *stage) question(n, free int, reached func(int)) world.Question {
	t := s.w.Informers[0].Config().Table
	keys := make([]object.Key, len(s.steps))
	for j, i := range s.steps {
		keys[j], _ = t.LookupKey(s.f.steps[i].key)
	}
	return world.Question{Visible: []actor.PC{actor.LoopStore, actor.WorkerProgram}, Settled: dead, Look: func(w *world.World, began uint64) (uint64, bool) {
		j := int(began)
		if j >= n {
			return began, false
		}
		for i := range w.Log.Events {
			e := &w.Log.Events[i]
			if e.Kind != event.ReconcileStarted {
				continue
			}
			if e.Key != keys[j] || j < free && !s.sees(w, j) {
				return dead, false
			}
			if j++; j == n {
				reached(j)
				return uint64(j), true
			}
		}
		if j < free && s.past(w, j) {
			return dead, false
		}
		reached(j)
		return uint64(j), false
	}}
}

// sees reports whether the caches hold what the controller's step j had.
func (s *stage) sees(w *world.World, j int) bool {
	for i, k := range s.kinds {
		if n, read := s.f.steps[s.steps[j]].view[k]; read && !holds(w, i, s.contents[i][n]) {
			return false
		}
	}
	return true
}

// past reports whether a cache has gone past what the controller's step j had. A cache never goes back.
func (s *stage) past(w *world.World, j int) bool {
	for i, k := range s.kinds {
		n, read := s.f.steps[s.steps[j]].view[k]
		if read && !slices.ContainsFunc(s.contents[i][:n+1], func(c contents) bool { return holds(w, i, c) }) {
			return true
		}
	}
	return false
}

func holds(w *world.World, informer int, c contents) bool {
	x := w.Informers[informer]
	if x.Indexer.Len() != len(c) {
		return false
	}
	t := x.Config().Table
	for k, rv := range c {
		if o, ok := x.Indexer.GetByKey(k); !ok || t.RVOf(o) != rv {
			return false
		}
	}
	return true
}
