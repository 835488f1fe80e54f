package link

import (
	"strings"

	"github.com/informerscope/informerscope/replay/excerpt"
)

// What page and worker say to each other about saving what is open.

// Save makes a file of what is open.
type Save struct {
	Redact *Redact // what is taken out of a trace
	Look   bool    // the trace is only made, so that the viewer sees what is in it
}

func (x *Save) fields(c *coder) {
	pointer(c, "redact", &x.Redact)
	c.bool("look", &x.Look)
}

// SaveLeast makes a file of the smallest part of the recording that was found.
type SaveLeast struct {
	Redact *Redact
	Look   bool
}

func (x *SaveLeast) fields(c *coder) {
	pointer(c, "redact", &x.Redact)
	c.bool("look", &x.Look)
}

// SaveText makes a text of the run that is shown.
type SaveText struct {
	As   As
	Copy bool // of a script or a Go test: the text is for the clipboard, and no file
}

func (x *SaveText) fields(c *coder) {
	c.text("as", (*string)(&x.As))
	c.bool("copy", &x.Copy)
}

// StopSaving stops making the text that SaveText has asked for.
type StopSaving struct{}

func (Save) op()       {}
func (SaveLeast) op()  {}
func (SaveText) op()   {}
func (StopSaving) op() {}

// Redact says what to take out of a trace that is saved.
type Redact struct {
	Secrets       bool     // data and stringData of Secrets
	Env           bool     // values of environment variables
	Applied       bool     // annotations that hold last-applied configurations
	Tokens        bool     // in URLs and the like
	ManagedFields bool     //
	Names         bool     // names and namespaces become pseudonyms
	Paths         []string // more fields, such as .spec.password
	Edits         string   // go into the trace: Edits as JSON, set by the worker
	Anyway        bool     // whatever is left that looks like a secret
	Report        bool     // it is no capture, but the report of a problem, whose lines stay as they are
	Least         *Least   // only this part of it is to be written; set by the worker
	OwnWork       bool     // an OwnWork is to be written, and no trace; set by the worker
}

func (x *Redact) fields(c *coder) {
	c.bool("secrets", &x.Secrets)
	c.bool("env", &x.Env)
	c.bool("applied", &x.Applied)
	c.bool("tokens", &x.Tokens)
	c.bool("managedFields", &x.ManagedFields)
	c.bool("names", &x.Names)
	texts(c, "paths", &x.Paths)
	c.text("edits", &x.Edits)
	c.bool("anyway", &x.Anyway)
	c.bool("report", &x.Report)
	pointer(c, "least", &x.Least)
	c.bool("ownWork", &x.OwnWork)
}

// Least is the part of a recording that was found to be enough.
type Least struct {
	Plan    excerpt.Plan
	Content int // an excerpt.Content: what is left of each object
}

func (x *Least) fields(c *coder) {
	c.plan("plan", &x.Plan)
	c.int("content", &x.Content)
}

// Looked answers Save and SaveLeast with Look: what is in the trace that the same request without
// Look saves.
type Looked struct {
	Size  int64  // in bytes, before it is packed
	Taken string // as in Saved
	Head  string // its beginning
}

func (x *Looked) fields(c *coder) {
	c.int64("size", &x.Size)
	c.text("taken", &x.Taken)
	c.text("head", &x.Head)
}

// Suspects answers Save and SaveLeast in the place of Saved or Looked: what would be left that
// looks like a secret. Nothing was saved.
type Suspects struct {
	Found []Suspect
	More  int64  // in places that Found has no room for
	Taken string // as in Saved
}

func (x *Suspects) fields(c *coder) {
	list(c, "found", &x.Found)
	c.int64("more", &x.More)
	c.text("taken", &x.Taken)
}

// Suspect is a place in a trace that looks like a secret.
type Suspect struct {
	Line  int64
	Path  string    // within the line
	Why   *Sentence // what it was taken for, as redact --check says it
	Mask  string    // how it begins and ends
	Count int64     // how often there is one like it in this place
}

func (x *Suspect) fields(c *coder) {
	c.int64("line", &x.Line)
	c.text("path", &x.Path)
	pointer(c, "why", &x.Why)
	c.text("mask", &x.Mask)
	c.int64("count", &x.Count)
}

// Saved answers Save, SaveLeast and SaveText. The browser has the file itself.
type Saved struct {
	Name  string
	Size  int64
	Taken string // what was taken out: "secret data: 3, env values: 12"
	Text  string // all of it, in the place of a file
}

func (x *Saved) fields(c *coder) {
	c.text("name", &x.Name)
	c.int64("size", &x.Size)
	c.text("taken", &x.Taken)
	c.text("text", &x.Text)
}

// As is a text that is made of the run that is shown.
type As string

const (
	AsSession        As = "session"        // a script that makes the run again, and expects what came of it
	AsGoTest         As = "gotest"         // the same as a test in Go
	AsControllerTest As = "controllertest" // a test in Go that does to a real controller what was done to the machine
	AsCalls          As = "calls"          // what the handlers were called with
	AsTranscript     As = "transcript"     // what each step did
	AsPerfetto       As = "perfetto"       // what the actors did and when, for Perfetto
	AsMetrics        As = "metrics"        // what client-go would have exported, as OpenMetrics text
)

// Making tells how far a text is.
type Making struct {
	Done  int64 // steps
	Total int64 // steps
}

func (x *Making) fields(c *coder) {
	c.int64("done", &x.Done)
	c.int64("total", &x.Total)
}

// FileName returns the name of a file that is saved, with an extension such as ".svg".
// What the name is made of may be a file's name, or a context such as admin@prod:6443.
// Characters that a file system refuses become "-"; otherwise the browser would choose
// another name than the page says.
func FileName(of, ext string) string {
	if i := strings.LastIndexAny(of, "/\\"); i >= 0 {
		of = of[i+1:]
	}
	for _, known := range []string{".gz", ".zst", ".jsonl", ".ndjson", ".json", ".yaml", ".trace", ".log", ".txt", ".md"} {
		of = strings.TrimSuffix(of, known)
	}
	of = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`<>:"|?*`, r) {
			return '-'
		}
		return r
	}, strings.TrimLeft(of, "."))
	if of == "" {
		of = "cluster"
	}
	return of + ext
}
