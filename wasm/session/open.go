package session

import (
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/ask"
)

// Opening is what is open, or is being opened.
type Opening struct {
	Name      string       // of the capture, script or lesson, as the header shows it
	Source    Source       // what the last link.Open asked for, or what was open before if that was refused
	before    *Source      // what the worker goes back to if it can't open Source, nil for nothing
	Trace     *link.Opened // nil until the worker knows what it holds
	Loading   bool
	Progress  link.Progress
	Rereading *link.Progress // how far the second reading is; nil if there is none
	Failure   *link.Failure  // why nothing is shown, or what has gone wrong last
	Died      string         // why the worker has ended; "" while it runs
	Memory    int64          // how many bytes that worker had, if it got no more
	Noticed   bool           // the viewer has closed the notice about a damaged file
}

// Own reports whether the viewer opened a recording of their own. The page brings others.
func (m *Model) Own() bool { return !address.IsBundled(m.Open.Source.URL) }

// standing is what the worker goes back to if it can't open something else.
func (o *Opening) standing() *Source {
	if o.Trace == nil {
		return o.before
	}
	s := o.Source
	return &s
}

// restore notes that Source could not be opened, so that what was open before is open.
func (o *Opening) restore() {
	if o.before != nil {
		o.Source, o.Name, o.before = *o.before, o.before.Name, nil
	}
}

// fail says what has gone wrong, or nothing with nil.
func (o *Opening) fail(why *link.Failure) { o.Failure = why }

// failure is one with an id and its arguments: a name, its value, and so on.
func failure(id string, args ...string) *link.Failure {
	f := &link.Failure{Say: link.Sentence{ID: id}}
	for i := 0; i < len(args); i += 2 {
		if f.Say.Args == nil {
			f.Say.Args = map[string]link.Arg{}
		}
		f.Say.Args[args[i]] = link.Arg{Kind: "code", V: args[i+1]}
	}
	return f
}

// load notes that the worker reads or runs what is open.
func (o *Opening) load() { o.Loading = true }

// loaded notes that the worker has ended that.
func (o *Opening) loaded() { o.Loading, o.Rereading = false, nil }

// found takes in what the worker knows of the trace.
func (o *Opening) found(x *link.Opened) {
	o.Trace = x
	if x.Name != "" {
		o.Name = x.Name
	}
	if x.Live {
		o.Loading = false // reading it never ends
	}
}

// progressed takes in how far it was read.
func (o *Opening) progressed(p *link.Progress) {
	if p.Phase == link.Rereading {
		o.Rereading = p
	} else {
		o.Progress = *p
	}
}

// reread notes that the second reading is over.
func (o *Opening) reread() { o.Rereading = nil }

// failed says what has gone wrong in the worker. Before anything is open, nothing will be.
func (o *Opening) failed(why *link.Failure) {
	o.Failure, o.Noticed, o.Rereading = why, false, nil
	if o.Trace == nil {
		o.Loading = false
	}
}

// notice closes the notice about a damaged file.
func (o *Opening) notice() { o.Noticed = true }

// die notes why the worker has ended, or without a reason that there is another one.
func (o *Opening) die(p Perished) {
	if o.Died, o.Memory = p.Why, p.Memory; p.Why != "" {
		o.loaded()
	}
}

// keepLink has the page's address keep the fragment of a link.
func (o *Opening) keepLink(fragment string) { o.Source.Link = fragment }

// rewritten takes in the text of the lesson that is edited.
func (o *Opening) rewritten(text string) { o.Source.URL, o.Source.Text = "", text }

// begin forgets what was open, as s will be. What isn't named here is forgotten.
func (m *Model) begin(s Source) {
	learn := m.Lesson.Anew(s.Name)
	m.Nav.opens(m)
	*m = Model{
		Settings: m.Settings,
		Screen:   m.Screen,
		Site:     m.Site,
		Keyboard: m.Keyboard,
		Palette:  m.Palette,
		Room:     m.Room,

		Open:      Opening{Name: s.Name, Source: s, before: m.Open.standing(), Loading: true, Died: m.Open.Died, Memory: m.Open.Memory},
		Nav:       m.Nav,
		Sharing:   Sharing{usual: m.Sharing.usual},
		Stage:     Stage{Axis: m.Stage.Axis, heard: m.Stage.heard},
		Transport: m.Transport.anew(),
		ask:       asking{id: m.ask.id, opening: true},

		Find:    ask.NewFind(mediator{m}),
		Why:     ask.NewWhy(mediator{m}),
		Expr:    m.Expr.Anew(),
		Indexer: m.Indexer.Anew(),
		Draft:   m.Draft.anew(),
		Hands:   m.Hands.Anew(),
		Second:  m.Second.anew(),
		Lesson:  learn,
		Guess:   Guesses{Score: m.Guess.Score},
		Cluster: m.Cluster.anew(),
		Save:    m.Save.Anew(),
		Front:   m.Front.anew(learn.Learning != nil),
		Density: m.Density.anew(),
	}
}

// run notes that all of it was read and run.
func (o *Opening) run() { o.Loading = false }

// Scripts are the scripts that the page brings along, by the names of their files
// without ".txt". The catalogues have a line on each, after "script.".
var Scripts = []string{
	"01-delta-fifo-alone", "20-dedup", "20-no-dedup-in-order", "02-list-then-watch", "03-known-objects-nil", "04-known-objects",
	"05-one-handler", "05-deltas-pile-up", "06-processor-alone", "07-two-handlers", "08-custom-key", "08-no-metadata", "09-index-follows-labels", "10-factory", "10-factory-versions", "10-one-shared", "10-n-separate",
	"11-resync", "13-resync-skips-queued", "13-resync-gone", "13-resync-not-due", "14-sync-decision", "14-every-delta", "14-ghost", "19-has-synced", "19-has-synced-empty", "19-has-synced-empty-current",
	"15-slow-handler", "15-handler-paced", "16-late-handler", "17-run-twice", "17-run-twice-classic", "17-run-twice-late", "18-requeue",
	"12-errors", "12-expired", "12-half-open", "12-very-short-watch", "12-skipped-events", "12-bookmark", "12-pages", "12-selector", "23-streaming-list", "23-streaming-list-falls-back",
	"24-lagging-replica", "24-restore", "24-slow-watcher",
	"26-lost-event", "26-late-events", "26-initial-end-withheld", "26-retry-after",
	"27-blocked-handler", "27-handler-panics", "27-blind-handler", "27-key-function-refuses-tombstones", "28-late-index", "28-killed-process",
	"22-mutation-detector", "22-mutated-object",
	"21-workqueue-alone", "21-shutdown-with-drain", "20-workqueue", "20-rate-limited", "20-reconciles-fail",
	"29-two-are-created", "30-guard-expectations", "30-guard-consistency", "30-guard-readyourwrites", "30-guard-mutation", "30-guard-live", "31-programs", "32-priority-queue", "44-leader-killed", "45-two-leaders", "26-explore", "00-round-trip",
}

// openScript opens one of the Scripts.
func (m *Model) openScript(name string) []Cmd {
	return m.open(Source{URL: "scripts/" + name + ".txt", Name: name + ".txt"})
}
