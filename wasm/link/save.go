package link

import (
	"strings"

	"github.com/informerscope/informerscope/replay/excerpt"
)

// What page and worker say to each other about saving what is open.

// Save makes a file of what is open.
type Save struct {
	Redact *Redact `json:"redact,omitempty"` // what is taken out of a trace
	Look   bool    `json:"look,omitempty"`   // the trace is only made, so that the viewer sees what is in it
}

// SaveLeast makes a file of the smallest part of the recording that was found.
type SaveLeast struct {
	Redact *Redact `json:"redact"`
	Look   bool    `json:"look,omitempty"`
}

// SaveText makes a text of the run that is shown.
type SaveText struct {
	As   As   `json:"as,omitempty"`
	Copy bool `json:"copy,omitempty"` // of a script or a Go test: the text is for the clipboard, and no file
}

// StopSaving stops making the text that SaveText has asked for.
type StopSaving struct{}

func (Save) op()       {}
func (SaveLeast) op()  {}
func (SaveText) op()   {}
func (StopSaving) op() {}

// Redact says what to take out of a trace that is saved.
type Redact struct {
	Secrets       bool     `json:"secrets,omitempty"`       // data and stringData of Secrets
	Env           bool     `json:"env,omitempty"`           // values of environment variables
	Applied       bool     `json:"applied,omitempty"`       // annotations that hold last-applied configurations
	Tokens        bool     `json:"tokens,omitempty"`        // in URLs and the like
	ManagedFields bool     `json:"managedFields,omitempty"` //
	Names         bool     `json:"names,omitempty"`         // names and namespaces become pseudonyms
	Paths         []string `json:"paths,omitempty"`         // more fields, such as .spec.password
	Edits         string   `json:"edits,omitempty"`         // go into the trace: Edits as JSON, set by the worker
	Anyway        bool     `json:"anyway,omitempty"`        // whatever is left that looks like a secret
	Report        bool     `json:"report,omitempty"`        // it is no capture, but the report of a problem, whose lines stay as they are
	Least         *Least   `json:"least,omitempty"`         // only this part of it is to be written; set by the worker
	OwnWork       bool     `json:"ownWork,omitempty"`       // an OwnWork is to be written, and no trace; set by the worker
}

// Least is the part of a recording that was found to be enough.
type Least struct {
	Plan    excerpt.Plan `json:"plan"`
	Content int          `json:"content,omitempty"` // an excerpt.Content: what is left of each object
}

// Looked answers Save and SaveLeast with Look: what is in the trace that the same request without
// Look saves.
type Looked struct {
	Size  int64  `json:"size"`            // in bytes, before it is packed
	Taken string `json:"taken,omitempty"` // as in Saved
	Head  string `json:"head"`            // its beginning
}

// Suspects answers Save and SaveLeast in the place of Saved or Looked: what would be left that
// looks like a secret. Nothing was saved.
type Suspects struct {
	Found []Suspect `json:"found"`
	More  int64     `json:"more,omitempty"`  // in places that Found has no room for
	Taken string    `json:"taken,omitempty"` // as in Saved
}

// Suspect is a place in a trace that looks like a secret.
type Suspect struct {
	Line  int64     `json:"line"`
	Path  string    `json:"path,omitempty"` // within the line
	Why   *Sentence `json:"why"`            // what it was taken for, as redact --check says it
	Mask  string    `json:"mask"`           // how it begins and ends
	Count int64     `json:"count"`          // how often there is one like it in this place
}

// Saved answers Save, SaveLeast and SaveText. The browser has the file itself.
type Saved struct {
	Name  string `json:"name"`
	Size  int64  `json:"size"`
	Taken string `json:"taken,omitempty"` // what was taken out: "secret data: 3, env values: 12"
	Text  string `json:"text,omitempty"`  // all of it, in the place of a file
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
	Done  int64 `json:"done"`  // steps
	Total int64 `json:"total"` // steps
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
