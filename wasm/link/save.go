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

func (x *Save) fields(c *coder) { c.fields(&x.Redact, &x.Look) }

// SaveLeast makes a file of the smallest part of the recording that was found.
type SaveLeast struct {
	Redact *Redact
	Look   bool
}

func (x *SaveLeast) fields(c *coder) { c.fields(&x.Redact, &x.Look) }

// SaveText makes a text of the run that is shown.
type SaveText struct {
	Format TextFormat
	Copy   bool // of a script or a Go test: the text is for the clipboard, and no file
}

func (x *SaveText) fields(c *coder) { c.fields((*string)(&x.Format), &x.Copy) }

// StopSaving stops making the text that SaveText has asked for.
type StopSaving struct{}

func (Save) op()       {}
func (SaveLeast) op()  {}
func (SaveText) op()   {}
func (StopSaving) op() {}

// Conversion says what the other program makes of files.
type Conversion struct {
	Kind   string  // of objects that don't say it, "" if it is to be found out
	Redact *Redact // nil: all of a trace stays
}

func (x *Conversion) fields(c *coder) { c.fields(&x.Kind, &x.Redact) }

// Redact says what leaves of a trace that is saved.
type Redact struct {
	Share   bool           // the shape of it; otherwise what its owner goes on with
	Names   bool           // of the shape: names and labels become tokens, too
	Keep    []string       // of the shape: fields whose values stay, such as spec.containers.image
	Paths   []string       // fields to take out, such as .spec.password
	Key     string         // of the tokens, in hexadecimal; set by the worker
	Edits   string         // go into the trace: Edits as JSON, set by the worker
	Report  bool           // it is no capture, but the report of a problem
	Part    *MinimisedPart // only this part of it is to be written; set by the worker
	OwnWork bool           // an OwnWork is to be written, and no trace; set by the worker
}

func (x *Redact) fields(c *coder) {
	c.fields(&x.Share, &x.Names, &x.Keep, &x.Paths, &x.Key, &x.Edits, &x.Report, &x.Part, &x.OwnWork)
}

// MinimisedPart is the part of a recording that was found to be enough.
type MinimisedPart struct {
	Plan    excerpt.Plan
	Content int // an excerpt.Content: what is left of each object
}

func (x *MinimisedPart) fields(c *coder) { c.fields((*plan)(&x.Plan), &x.Content) }

// SavePreview answers Save and SaveLeast with Look: what is in the trace that the same request without
// Look saves.
type SavePreview struct {
	Size      int64            // in bytes, before it is packed
	Removed   []RedactionCount // what is not in it
	Remaining []RedactionCount // of a shape: what stays, by path
	Head      string           // its beginning
}

func (x *SavePreview) fields(c *coder) {
	c.fields(&x.Size, &x.Removed, &x.Remaining, &x.Head)
}

// RedactionCount is how often something was taken out, or kept.
type RedactionCount struct {
	Name string // as replay/redact counts it
	N    int64
}

func (x *RedactionCount) fields(c *coder) { c.fields(&x.Name, &x.N) }

// Saved answers Save, SaveLeast and SaveText. The browser has the file itself.
type Saved struct {
	Name    string
	Size    int64
	Removed []RedactionCount // what was taken out
	Text    string           // all of it, in the place of a file
}

func (x *Saved) fields(c *coder) { c.fields(&x.Name, &x.Size, &x.Removed, &x.Text) }

// TextFormat is a text that is made of the run that is shown.
type TextFormat string

const (
	AsSession        TextFormat = "session"        // a script that makes the run again, and expects what came of it
	AsGoTest         TextFormat = "gotest"         // the same as a test in Go
	AsControllerTest TextFormat = "controllertest" // a test in Go that does to a real controller what was done to the machine
	AsCalls          TextFormat = "calls"          // what the handlers were called with
	AsTranscript     TextFormat = "transcript"     // what each step did
	AsPerfetto       TextFormat = "perfetto"       // what the actors did and when, for Perfetto
	AsMetrics        TextFormat = "metrics"        // what client-go would have exported, as OpenMetrics text
)

// Making tells how far a text is.
type Making struct {
	Done  int64 // steps
	Total int64 // steps
}

func (x *Making) fields(c *coder) { c.fields(&x.Done, &x.Total) }

// FileName returns the name of a file that is saved, with an extension such as ".svg".
// What the name is made of may be a file's name, or a context such as admin@prod:6443.
// Characters that a file system refuses become "-"; otherwise the browser would choose
// another name than the page says.
func FileName(name, ext string) string {
	if i := strings.LastIndexAny(name, "/\\"); i >= 0 {
		name = name[i+1:]
	}
	for _, known := range []string{".gz", ".zst", ".jsonl", ".ndjson", ".json", ".yaml", ".trace", ".log", ".txt", ".md"} {
		name = strings.TrimSuffix(name, known)
	}
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`<>:"|?*`, r) {
			return '-'
		}
		return r
	}, strings.TrimLeft(name, "."))
	if name == "" {
		name = "cluster"
	}
	return name + ext
}
