package link

// Open opens a capture, a script or a lesson: Text, or the file at URL, or the files
// that are sent beside the request.
type Open struct {
	URL    string
	Name   string // for display
	Text   string
	Chosen []string // lines that the controls of a lesson make; others are passed over
	// Profile is the version of client-go as which a capture is played first, "" for the one that the page chooses.
	Profile string
	Kind    string // of objects that don't say it, "" if it is to be found out
}

func (x *Open) fields(c *coder) { c.fields(&x.URL, &x.Name, &x.Text, &x.Chosen, &x.Profile, &x.Kind) }

// Cancel stops loading, or following a cluster. What was read stays.
type Cancel struct{}

// Painted says that what the worker told last is on the screen.
type Painted struct{}

func (Open) op()    {}
func (Cancel) op()  {}
func (Painted) op() {}

// Opened tells what a trace holds. It comes as soon as there is something to show,
// and again when more is known.
type Opened struct {
	Name      string
	Format    string // ids, joined by +: trace, watch, kubectl, list, or the ids of package convert
	Start     string // RFC 3339
	Server    string
	Note      string
	NoTimes   bool // the format has no times, so events are evenly spaced
	Informers []Informer
	Informer  int // the number of the one shown
	Setup     Setup
	HasSetup  bool      // the trace says itself what Setup is: its handlers were recorded, or it was saved with a setup
	Chosen    bool      // the viewer, or a link, has chosen Setup
	Profiles  []Profile // those that can be run, the oldest first
	Complete  bool
	Problems  []Failure // the first places that could not be read
	Places    int64     // how many of them there are
	Lost      int64     // about how many watch events are lost there
	Remarks   []Remark
	Series    []string // the names of those that were measured meanwhile; a Watch may have one in the place of an expression
	Redacted  []string // what was taken out
	Truncated bool     // its beginning is missing
	Live      bool     // it is being recorded right now
	Script    bool     // it is a script: all of it is simulated
	Edited    bool     // it was saved where somebody was at work in it, or a log or metrics lie over it now
}

func (x *Opened) fields(c *coder) {
	c.fields(&x.Name, &x.Format, &x.Start, &x.Server, &x.Note, &x.NoTimes, &x.Informers, &x.Informer, &x.Setup,
		&x.HasSetup, &x.Chosen, &x.Profiles, &x.Complete, &x.Problems, &x.Places, &x.Lost,
		&x.Remarks, &x.Series, &x.Redacted, &x.Truncated, &x.Edited, &x.Live, &x.Script)
}

// Versions returns the versions of client-go that a profile stands for, "" for an unknown one.
func (o *Opened) Versions(profile string) string {
	for _, x := range o.Profiles {
		if x.Name == profile {
			return x.Versions
		}
	}
	return ""
}

// Remark is something that a viewer has to know to read a trace rightly. The
// catalogues have its sentence under "remark." and its ID.
type Remark struct {
	ID     string
	Count  int64
	Detail string
}

func (x *Remark) fields(c *coder) { c.fields(&x.ID, &x.Count, &x.Detail) }

// Profile is a set of client-go versions that behave alike. The catalogues say under
// "profile." and its Name what these versions have changed.
type Profile struct {
	Name     string
	Versions string // v0.36.0–v0.37.2
}

func (x *Profile) fields(c *coder) { c.fields(&x.Name, &x.Versions) }

// Informer is one resource of a trace.
type Informer struct {
	Name    string // pods, deployments.apps
	Version string
	Events  int
	Lists   int
	Listed  bool // the recording of it begins with an ordinary list
	// Controller is the name of the recorded controller of the resource, "" for none.
	Controller string
	NotPlayed  []string // controllers of the resource that were recorded and aren't played
}

func (x *Informer) fields(c *coder) {
	c.fields(&x.Name, &x.Version, &x.Events, &x.Lists, &x.Listed, &x.Controller, &x.NotPlayed)
}

// Progress of reading a trace, or of running all of it through the engine once.
type Progress struct {
	Phase Phase
	Done  int64 // bytes of the input, or watch events
	Total int64 // 0 if it isn't known
}

func (x *Progress) fields(c *coder) { c.fields((*string)(&x.Phase), &x.Done, &x.Total) }

// Phase is what a Progress measures. The catalogues have its words under
// "ui.loading.".
type Phase string

const (
	Reading   Phase = "read"  // the trace is being read
	Running   Phase = "run"   // all has been read, and is being run
	Done      Phase = "done"  // all has been read and run
	Rereading Phase = "again" // what is shown was misread, and is being read for the second time
)

// Phases lists them.
var Phases = []Phase{Reading, Running, Done, Rereading}

// Failure says what went wrong, where, and what to do.
type Failure struct {
	Sentence Sentence
	Line     int64 // counted from 1, 0 if it isn't known
	Offset   int64
	Reason   *Sentence // in the words of whoever found it
	Draft    string    // the text of a lesson that could not be opened, which can be mended
}

func (x *Failure) fields(c *coder) {
	c.fields(&x.Sentence, &x.Line, &x.Offset, &x.Reason, &x.Draft)
}
