package script

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// Entry is one line of a transcript.
type Entry struct {
	Kind  EntryKind
	Line  int      // of the script
	Text  string   // of a Statement: the line; of a Value or an Answer: what was asked for
	Step  int64    // of a Moved: which step it was
	Time  int64    // virtual, ns
	Actor string   // who moved; "" for the outside world
	Facts []string // what the step did

	Schedule []string // of an Answer: who moves until it has come about
	States   int      // of an Answer: how many were seen
}

// EntryKind says what an Entry is.
type EntryKind uint8

const (
	Statement EntryKind = iota + 1
	Moved
	Value
	Answer // to a can
)

func (k EntryKind) String() string {
	return [...]string{"", "statement", "step", "value", "answer"}[k]
}

// String is the entry as it stands in a transcript.
func (e Entry) String() string {
	switch e.Kind {
	case Statement:
		return "> " + e.Text
	case Moved:
		var b strings.Builder
		b.WriteString("  ")
		b.WriteString(pad(timeText(e.Time), 12))
		b.WriteString(pad(e.Actor, 10))
		b.WriteString(strings.Join(e.Facts, "; "))
		return b.String()
	}
	return "= " + e.Text
}

func pad(s string, n int) string {
	if have := utf8.RuneCountInString(s); have < n {
		s += strings.Repeat(" ", n-have)
	}
	return s + " "
}

// How much of what happens a transcript tells.
const (
	logNone = iota
	logCalls
	logMain
	logAll
)

var levels = [...]string{logNone: "none", logCalls: "calls", logMain: "main", logAll: "all"}

// Runner plays a script, one line after the other.
type Runner struct {
	out      func(Entry)
	line     int // being played
	level    int
	profile  world.Profile
	server   apiserver.SimConfig
	cfg      world.Config
	w        *world.World
	steps    int64
	limit    int64 // of steps
	limits   world.Limits
	asked    bool          // a can was played
	facts    []event.Event // of the last step or command
	before   int           // how many in the world's Log were told already
	hands    bool          // stations are moved by hand
	versions int64         // made by hand
	told     [][]telling   // by informer and listener
}

// telling is what one handler was called with.
type telling struct {
	calls []string
	shown int // how many of them an expect has seen
}

// NewRunner returns a Runner that gives its transcript to out, line by line.
func NewRunner(out func(Entry)) *Runner {
	return &Runner{out: out, level: logMain, limit: maxSteps, profile: world.Classic, cfg: world.Config{Seed: 1}}
}

// Run plays a script to its end, or to the first thing that goes wrong: an
// Error says where, and what.
func Run(s *Script, out func(Entry)) error {
	r := NewRunner(out)
	for _, st := range s.statements {
		if err := r.play(st); err != nil {
			return err
		}
	}
	return nil
}

// Explore is Run for a script with a can in it, which may see that many states.
// asked is false if there was none.
func Explore(s *Script, limits world.Limits, out func(Entry)) (asked bool, err error) {
	r := NewRunner(out)
	r.limits = limits
	for _, st := range s.statements {
		if err := r.play(st); err != nil {
			return r.asked, err
		}
	}
	return r.asked, nil
}

// Line plays one more line, the n-th.
func (r *Runner) Line(text string, n int) error {
	st, ok, err := parseLine(text, n)
	if err != nil || !ok {
		return err
	}
	return r.play(st)
}

// World is what the script has made, nil while it is setting up.
func (r *Runner) World() *world.World { return r.w }

func (r *Runner) play(st statement) error {
	r.line = st.line
	if st.setup && r.w != nil {
		return Error{st.line, 1, "this must come before anything happens"}
	}
	r.tell(Entry{Kind: Statement, Text: st.text})
	return st.do(r)
}

func (r *Runner) tell(e Entry) {
	e.Line = r.line
	r.out(e)
}

// informerLine is what an informer line says.
type informerLine struct {
	detector       bool
	name           string
	resync, work   int64
	workers, fails int64
	pages          int64 // WatchListPageSize, 0 for the usual
	indexers       []string
	separator      string
	label, value   string // of the selector
	sets, to       string // the label that a reconcile writes back
}

const maxInformers = 16

func (r *Runner) addInformer(in informerLine, line, col int) error {
	if len(r.cfg.Informers) == maxInformers {
		return Error{line, col, "there are too many informers"}
	}
	var t *object.Table
	var versions *apiserver.Versions
	for i := range r.cfg.Informers {
		if c := &r.cfg.Informers[i]; c.Name == in.name { // another one of the same resource
			t, versions = c.Table, c.Server.(*apiserver.Simulated).Config().Versions
		}
	}
	if t == nil {
		var key object.KeyFunc
		if in.separator != "" {
			key = func(t *object.Table, m object.Meta) (string, bool) {
				return t.Text(m.Namespace) + in.separator + t.Text(m.Name), m.Name != 0
			}
		}
		t = object.NewTable(key)
		versions = apiserver.NewVersions(t)
	}
	server := r.server
	server.Table, server.Versions, server.Seed = t, versions, r.cfg.Seed+uint64(len(r.cfg.Informers))
	if in.label != "" {
		label, value := t.Sym(in.label), t.Sym(in.value)
		server.Selects = func(t *object.Table, o object.Ref) bool {
			v, ok := t.LabelValue(t.Meta(o).Labels, label)
			return ok && v == value
		}
	}
	c := informer.Config{
		Name: in.name, Profile: r.profile, Table: t, Server: apiserver.NewSimulated(&server), Resync: in.resync,
		Indexers: []indexer.Named{{Name: indexer.NamespaceIndex, Func: indexer.MetaNamespaceIndexFunc}},
		Workers:  int(in.workers), WorkTime: in.work, DetectMutations: in.detector,
	}
	c.Profile.Reflector.PageSize = in.pages
	for _, name := range in.indexers {
		if name == "" || name == indexer.NamespaceIndex {
			continue
		}
		for _, other := range c.Indexers {
			if other.Name == name {
				return Error{line, col, "there are two indices " + strconv.Quote(name)}
			}
		}
		c.Indexers = append(c.Indexers, indexer.Named{Name: name, Func: indexer.LabelIndexFunc(t.Sym(name))})
	}
	if fails := int(in.fails); fails > 0 {
		c.WorkFails = func(_ object.Key, failures int) bool { return failures < fails }
	}
	if in.sets != "" {
		c.WritesBack = writesLabel(t.Sym(in.sets), t.Sym(in.to))
	}
	r.cfg.Informers = append(r.cfg.Informers, c)
	r.told = append(r.told, nil)
	return nil
}

// writesLabel is a controller that wants a label on every object.
func writesLabel(name, value object.Sym) func(t *object.Table, read object.Ref) (object.Meta, bool) {
	return func(t *object.Table, read object.Ref) (object.Meta, bool) {
		m := t.Meta(read)
		if v, ok := t.LabelValue(m.Labels, name); ok && v == value {
			return m, false
		}
		var labels []string
		for _, l := range t.LabelsOf(m.Labels) {
			labels = append(labels, t.Text(l.Name), t.Text(l.Value))
		}
		m.Labels = labelSet(t, append(labels, t.Text(name), t.Text(value)))
		return m, true
	}
}

// handlerLine is what a handler line says.
type handlerLine struct {
	informer.Handler
	at, informer word
	resyncs      bool // it asks for a resync period of its own, and not for the informer's
}

const maxHandlers = 32

func (r *Runner) addHandler(h handlerLine, line int) error {
	i, err := r.informerNamed(h.informer, line)
	if err != nil {
		return err
	}
	if _, _, ok := r.handler(h.Name); ok {
		return Error{line, h.at.col, "there is a handler " + strconv.Quote(h.Name) + " already"}
	}
	if len(r.told[i]) == maxHandlers {
		return Error{line, h.at.col, "there are too many handlers"}
	}
	if !h.resyncs {
		h.Resync = r.config(i).Resync
	}
	r.told[i] = append(r.told[i], telling{})
	if r.w == nil {
		r.cfg.Informers[i].Handlers = append(r.cfg.Informers[i].Handlers, h.Handler)
		return nil
	}
	r.w.Do(world.Command{Kind: world.AddHandler, Informer: i, Handler: h.Handler})
	return nil
}

// informerNamed is the number of an informer, the first if it is not named.
func (r *Runner) informerNamed(w word, line int) (int, error) {
	if len(r.cfg.Informers) == 0 {
		return 0, Error{line, max(1, w.col), "there is no informer yet"}
	}
	if w.text == "" {
		return 0, nil
	}
	for i := range r.cfg.Informers {
		if r.cfg.Informers[i].Name == w.text {
			return i, nil
		}
	}
	return 0, Error{line, w.col, "there is no informer " + strconv.Quote(w.text)}
}

// config is the present configuration of informer i, with the handlers that
// were added later.
func (r *Runner) config(i int) *informer.Config {
	if r.w != nil {
		return r.w.Informers[i].Config()
	}
	return &r.cfg.Informers[i]
}

// handler finds a handler by its name.
func (r *Runner) handler(name string) (in, listener int, ok bool) {
	for i := range r.cfg.Informers {
		for j, h := range r.config(i).Handlers {
			if h.Name == name {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// begin makes the world of what was set up.
func (r *Runner) begin(line int) error {
	if r.w != nil {
		return nil
	}
	if len(r.cfg.Informers) == 0 {
		return Error{line, 1, "there is no informer yet"}
	}
	w, err := world.New(&r.cfg)
	if err != nil {
		return Error{line, 1, err.Error()}
	}
	r.w = w
	return nil
}

// forKind finds the informer whose objects are of a kind: pod or pods for an
// informer called pods.
func (r *Runner) forKind(kind word, line int) (int, error) {
	for i := range r.cfg.Informers {
		n := r.cfg.Informers[i].Name
		stem, ies := strings.CutSuffix(n, "ies")
		if n == kind.text || n == kind.text+"s" || n == kind.text+"es" || ies && stem+"y" == kind.text {
			return i, nil
		}
	}
	if len(r.cfg.Informers) == 0 {
		return 0, Error{line, kind.col, "there is no informer yet"}
	}
	return 0, Error{line, kind.col, "there is no informer of " + strconv.Quote(kind.text)}
}

const maxObjects = 100_000

// write creates, updates or deletes an object. The first thing that is not from
// before the beginning lets the informers list and watch first.
func (r *Runner) write(kind world.CommandKind, before bool, line int, k, name word, labels []string) error {
	i, err := r.forKind(k, line)
	if err != nil {
		return err
	}
	t := r.cfg.Informers[i].Table
	if t.Len() > maxObjects {
		return Error{line, 1, "there are too many versions of objects"}
	}
	c := world.Command{Kind: kind, Informer: i}
	ns, n, ok := strings.Cut(name.text, "/")
	if !ok {
		ns, n = "", name.text
	}
	if n == "" {
		return Error{line, name.col, "an object needs a name"}
	}
	c.Object = object.Meta{Namespace: t.Sym(ns), Name: t.Sym(n), Labels: labelSet(t, labels)}
	if before {
		return r.exists(c, line, name)
	}
	if r.hands {
		return r.moving(line)
	}
	if r.w == nil || r.w.Steps() == 0 {
		if err := r.run(line, nil); err != nil {
			return err
		}
	}
	switch own := r.w.Simulated(i); kind {
	case world.Create:
		c.Object.UID = t.Sym("uid-" + strconv.FormatInt(own.Revision()+1, 10))
	case world.Delete:
		c.Object.Key = keyOf(own, c.Object)
	}
	if !r.w.Do(c) {
		return Error{line, name.col, r.refused(kind, name.text)}
	}
	return nil
}

// keyOf finds the key of a living object by what it is called.
func keyOf(s *apiserver.Simulated, m object.Meta) object.Key {
	t := s.Config().Table
	for _, o := range s.Objects(nil) {
		if is := t.Meta(o); is.Namespace == m.Namespace && is.Name == m.Name {
			return is.Key
		}
	}
	return 0
}

func (r *Runner) refused(kind world.CommandKind, name string) string {
	if kind == world.Create {
		return "there is an object " + strconv.Quote(name) + " already"
	}
	return "there is no object " + strconv.Quote(name)
}

// exists writes an object before the world begins.
func (r *Runner) exists(c world.Command, line int, name word) error {
	rev := int64(0)
	versions := r.cfg.Informers[c.Informer].Server.(*apiserver.Simulated).Config().Versions
	for i := range r.cfg.Informers {
		rev = max(rev, r.cfg.Informers[i].Server.(*apiserver.Simulated).Revision()+1)
	}
	c.Object.UID = r.cfg.Informers[c.Informer].Table.Sym("uid-" + strconv.FormatInt(rev, 10))
	for i := range r.cfg.Informers {
		s := r.cfg.Informers[i].Server.(*apiserver.Simulated)
		if s.Config().Versions != versions {
			s.Advance(rev, 0)
		} else if !s.Create(c.Object, rev, 0) {
			return Error{line, name.col, r.refused(world.Create, name.text)}
		}
	}
	return nil
}

func labelSet(t *object.Table, labels []string) object.Labels {
	var set []object.Label
	for i := 0; i < len(labels); i += 2 {
		l := object.Label{Name: t.Sym(labels[i]), Value: t.Sym(labels[i+1])}
		at := 0
		for at < len(set) && t.CompareSyms(set[at].Name, l.Name) < 0 {
			at++
		}
		if at < len(set) && set[at].Name == l.Name {
			set[at] = l
			continue
		}
		set = append(set, object.Label{})
		copy(set[at+1:], set[at:])
		set[at] = l
	}
	return t.LabelSet(set)
}

// command does something to an informer or its server.
func (r *Runner) command(line int, in word, c world.Command) error {
	i, err := r.informerNamed(in, line)
	if err != nil {
		return err
	}
	if err := r.moving(line); err != nil {
		return err
	}
	c.Informer = i
	if c.Kind == world.RestoreServer && c.N > r.w.Simulated(i).Revision() {
		return Error{line, 1, "revision " + strconv.FormatInt(c.N, 10) + " has not been reached"}
	}
	r.w.Do(c)
	r.look(true)
	return nil
}

// until says where a run is to stop.
type until struct {
	line             int
	at, key, handler word
	kind             event.Kind
}

// met tells whether a step with these facts is it.
func (u *until) met(r *Runner) bool {
	x := r.w.Informers[r.w.Set.Role(r.w.Last.Actor).Informer]
	t := x.Config().Table
	for _, e := range r.facts {
		if e.Kind != u.kind || u.key.text != "" && t.KeyText(e.Key) != u.key.text {
			continue
		}
		if u.handler.text != "" && x.Config().Handlers[e.Listener].Name != u.handler.text {
			continue
		}
		return true
	}
	return false
}

// run lets the default schedule go on until u, or until nothing more happens.
func (r *Runner) run(line int, u *until) error {
	if err := r.moving(line); err != nil {
		return err
	}
	if u != nil && u.handler.text != "" {
		if _, _, ok := r.handler(u.handler.text); !ok {
			return Error{line, u.handler.col, "there is no handler " + strconv.Quote(u.handler.text)}
		}
	}
	for {
		id, ok := r.w.Next()
		if !ok {
			break
		}
		if err := r.move(line, id); err != nil {
			return err
		}
		if u != nil && u.met(r) {
			return nil
		}
	}
	if u != nil {
		return Error{line, u.at.col, "this did not happen, and nothing more will"}
	}
	return nil
}

// move makes one step and tells of it.
func (r *Runner) move(line int, id actor.ID) error {
	if r.steps++; r.steps > r.limit || r.w.Set.At(id) > maxTime {
		return Error{line, 1, "the script runs too long"}
	}
	r.w.Step(id)
	r.look(false)
	return nil
}

// step makes n steps, all of one actor if it is named.
func (r *Runner) step(line int, n int64, who word) error {
	if err := r.moving(line); err != nil {
		return err
	}
	var id actor.ID
	if who.text != "" {
		var err error
		if id, err = r.actor(who, line); err != nil {
			return err
		}
	}
	for range n {
		if who.text == "" {
			var ok bool
			if id, ok = r.w.Next(); !ok {
				return Error{line, 1, "nothing more happens"}
			}
		} else if r.w.Set.At(id) == actor.Never {
			return Error{line, who.col, who.text + " cannot move: it waits for " + r.waits(id)}
		}
		if err := r.move(line, id); err != nil {
			return err
		}
	}
	return nil
}

// advance lets time pass, with everything that happens in it.
func (r *Runner) advance(line int, d int64) error {
	if err := r.moving(line); err != nil {
		return err
	}
	until := r.w.Now() + d
	if until > maxTime {
		return Error{line, 1, "the script runs too long"}
	}
	for {
		next, best := actor.Nobody, actor.Never
		for id, at := range r.w.Set.Times() {
			if at < best {
				next, best = actor.ID(id), at
			}
		}
		if best > until {
			break
		}
		if err := r.move(line, next); err != nil {
			return err
		}
	}
	r.w.Do(world.Command{Kind: world.PassTime, N: until})
	return nil
}
