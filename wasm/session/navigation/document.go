package navigation

import (
	"strings"
	"unicode/utf8"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
)

// Source is what was opened: an address, or the files that were chosen last.
type Source struct {
	URL   string
	Name  string
	Text  string // of a script, a lesson or a trace that a link has, or of a lesson that was edited
	Size  int64  // of the files, in bytes, 0 where that isn't known
	Files int    // the number of the choice of files, from 1
	Link  string // the fragment that the address keeps, "" for the usual one
	// Loop says that it is the loop that is opened, which plays the script.
	Loop bool
	// Offered says that the page around this one has sent it.
	Offered bool
	// Chosen has the lines of a lesson's script in which another value was chosen, one a line.
	Chosen string
	// Profile is the version of client-go as which a capture is played first, "" for the viewer's or the page's choice.
	Profile string
}

// Story is the script that the loop plays, one of the Scripts.
var Story = Source{URL: "scripts/loop.txt", Name: "loop.txt", Loop: true}

// Bundled is the trace that the page opens first.
var Bundled = Source{URL: "traces/shop.trace.jsonl.gz", Name: "shop.trace.jsonl.gz"}

// Scripts are the scripts that the page brings along, by the names of their files
// without ".txt". The catalogues have a line on each, after "script.".
var Scripts = []string{
	"loop",
	"01-delta-fifo-alone", "20-dedup", "20-no-dedup-in-order", "20-repeats-in-a-batch", "02-list-then-watch", "03-known-objects-nil", "04-known-objects",
	"05-one-handler", "05-deltas-pile-up", "06-processor-alone", "07-two-handlers", "08-custom-key", "08-no-metadata", "09-index-follows-labels", "10-factory", "10-factory-versions", "10-one-shared", "10-n-separate",
	"11-resync", "13-resync-skips-queued", "13-resync-gone", "13-resync-not-due", "14-sync-decision", "14-every-delta", "14-ghost", "19-has-synced", "19-has-synced-empty", "19-has-synced-empty-current",
	"15-slow-handler", "15-handler-paced", "16-late-handler", "17-run-twice", "17-run-twice-classic", "17-run-twice-late", "18-requeue",
	"12-errors", "12-forbidden", "12-expired", "12-half-open", "12-very-short-watch", "12-skipped-events", "12-bookmark", "12-pages", "12-selector", "23-streaming-list", "23-streaming-list-falls-back",
	"24-lagging-replica", "24-restore", "24-slow-watcher",
	"26-lost-event", "26-late-events", "26-initial-end-withheld", "26-retry-after",
	"27-blocked-handler", "27-handler-panics", "27-blind-handler", "27-key-function-refuses-tombstones", "25-transform-and-tombstone", "28-late-index", "28-killed-process",
	"22-mutation-detector", "22-mutated-object", "65-write-back",
	"21-workqueue-alone", "21-shutdown-with-drain", "63-pause-workqueue", "63-pause-by-hand", "20-workqueue", "20-rate-limited", "20-reconciles-fail", "56-reconcile-hangs", "57-repeat", "59-if-leader", "61-watch-left-open", "60-shards", "60-shards-ignored", "60-shards-mixed", "60-shards-mixed-streaming", "61-reshard",
	"29-two-are-created", "30-guard-expectations", "30-guard-consistency", "30-guard-readyourwrites", "30-guard-mutation", "30-guard-live", "31-programs", "32-priority-queue", "44-leader-killed", "45-two-leaders", "60-goes-on", "60-runs-again", "62-two-caches", "64-namespaces", "64-namespaces-owned", "66-handlers-late", "26-explore", "00-round-trip",
}

// Script returns the Source of one of the Scripts.
func Script(name string) Source {
	return Source{URL: "scripts/" + name + ".txt", Name: name + ".txt"}
}

// IsViewers reports whether the viewer opened a recording of their own. The page brings others.
func (s *Source) IsViewers() bool { return !address.IsBundled(s.URL) }

// Lesson returns the name of the lesson of the course that it is, and "" for anything else. A lesson from a file has no
// address.
func (s *Source) Lesson() string { return address.LessonName(s.URL) }

// Describe makes an address say that it is about s, which is no lesson of the course.
func (s *Source) Describe(a *address.Source) {
	folder, file, _ := strings.Cut(s.URL, "/")
	switch {
	case address.IsCapture(s.Text):
		a.Capture = s.Text
	case s.Text != "":
		a.Script = s.Text
	case folder == "scripts":
		a.Library = strings.TrimSuffix(file, ".txt")
	case folder == "traces":
		a.Trace = strings.TrimSuffix(file, address.TraceExt)
	case folder == "..":
		a.URL = file
	case s.Name == "":
		a.Pasted, a.Size = true, s.Size
	default:
		a.File, a.Size = TidyName(s.Name), s.Size
	}
}

// sourceOf returns what an address is about, if that is no lesson of the course.
func sourceOf(a *address.Source) (s Source) {
	switch {
	case a.Loop:
		s = Story
	case a.Script != "":
		s.Text, s.Name = a.Script, "script.txt"
		if lesson.IsLesson(a.Script) {
			s.Name = "lesson.md"
		}
	case a.Capture != "":
		s.Text, s.Name = a.Capture, "link.trace.jsonl"
	case a.Library != "":
		s = Script(a.Library)
	case a.Trace != "":
		s.URL, s.Name = address.TraceURL(a.Trace), a.Trace+address.TraceExt
	case a.URL != "":
		s.URL, s.Name = address.FileURL(a.URL), a.URL[strings.LastIndexByte(a.URL, '/')+1:]
	default:
		s.Name, s.Size = a.File, a.Size
	}
	return s
}

// maxFile is how long the name of a file may be in an address, in bytes.
const maxFile = 300

// TidyName returns the name of a file as an address can have it.
func TidyName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			return -1
		}
		return r
	}, name)
	for len(name) > maxFile {
		_, n := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-n]
	}
	if strings.TrimSpace(name) == "" {
		return "-"
	}
	return name
}

// Document is what is open, or is being opened.
type Document struct {
	Name      string       // of the capture, script or lesson, as the header shows it
	View      View         // how it is looked at
	Source    Source       // what the last link.Open asked for, or what was open before if that was refused
	Before    *Source      // what the worker goes back to if it can't open Source, nil for nothing
	before    View         // how that was looked at
	Trace     *link.Opened // nil until the worker knows what it holds
	Loading   bool         // the worker reads or runs it
	Progress  link.Progress
	Rereading *link.Progress // how far the second reading is; nil if there is none
	Failure   *link.Failure  // why nothing is shown, or what has gone wrong last
	Died      string         // why the worker has ended; "" while it runs
	Memory    int64          // how many bytes that worker had, if it got no more
	Noticed   bool           // the viewer has closed the notice about a damaged file
}

// Next returns the Document that s is from now on, which is being opened.
func (d *Document) Next(s Source) Document {
	before, view := d.Before, d.before
	if d.Trace != nil {
		open := d.Source
		before, view = &open, d.View
	}
	return Document{Name: s.Name, View: opens[s.Kind()], Source: s, Before: before, before: view, Loading: true, Died: d.Died, Memory: d.Memory}
}

// Restore notes that Source could not be opened, so that what was open before is open.
func (d *Document) Restore() {
	if d.Before != nil {
		d.Source, d.Name, d.View, d.Before = *d.Before, d.Before.Name, d.before, nil
	}
}

// SetOpened takes in what the worker knows of the trace.
func (d *Document) SetOpened(x *link.Opened) {
	d.Trace, d.Rereading = x, nil
	if x.Name != "" {
		d.Name = x.Name
	}
	if x.Live {
		d.Loading = false // reading it never ends
	}
}

// Progressed takes in how far it was read.
func (d *Document) Progressed(p *link.Progress) {
	if p.Phase == link.Rereading {
		d.Rereading = p
	} else {
		d.Progress = *p
	}
}

// Loaded notes that the worker neither reads nor runs it any more.
func (d *Document) Loaded() { d.Loading, d.Rereading = false, nil }

// Failed takes in what has gone wrong in the worker. Before anything is open, nothing will be.
func (d *Document) Failed(why *link.Failure) {
	d.Failure, d.Noticed, d.Rereading = why, false, nil
	if d.Trace == nil {
		d.Loading = false
	}
}

// Die takes in why the worker has ended, and how many bytes it had if it got no more.
func (d *Document) Die(why string, memory int64) {
	d.Died, d.Memory = why, memory
	d.Loaded()
}

// Failure returns one with an id and its arguments: a name, its value, and so on.
func Failure(id string, args ...string) *link.Failure {
	f := &link.Failure{Sentence: link.Sentence{ID: id}}
	for i := 0; i < len(args); i += 2 {
		if f.Sentence.Args == nil {
			f.Sentence.Args = map[string]link.Arg{}
		}
		f.Sentence.Args[args[i]] = link.Arg{Kind: "code", V: args[i+1]}
	}
	return f
}
