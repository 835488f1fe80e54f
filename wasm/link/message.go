// Package link holds the messages between the page and the worker, and the names that both use. The page sends
// a [Request], whose [Op] says what it asks for. The worker answers with any number of [Reply] messages of the
// same ID, each with one kind of [News].
//
// A message is one buffer, which package dom transfers. Request.Encode and Reply.Encode write it, and
// [DecodeRequest] and [DecodeReply] read it. A message has the name of its operation or of its news, and then
// the fields of that in their order, without names. So both sides must be built of the same source. Page and
// worker are one program. The converting program gets a [Conversion] and sends an [OwnWork] in the same form, and
// is built together with the page. The page's scripts only pass such buffers and texts on: no script writes or
// reads one. [Edits] stay in traces, which later versions read, so they are JSON with names.
//
// A buffer that is no message is an error, as when an operation's name isn't known. What goes wrong in the
// worker comes as a [Failure], or as a [Sentence] in the news. Times and durations are nanoseconds,
// except for Minutes of a lesson.
package link

import "github.com/informerscope/informerscope/engine/fault"

// Request goes from the page to the worker.
type Request struct {
	ID int // replies have the same
	Op Op
}

// Op is an operation: what the page asks for. Each one is a type of its own, and has
// only the fields that mean something for it. Its name in a message is the name of
// its type.
type Op interface{ op() }

// Ops has each operation once, without its fields.
var Ops = []Op{
	Open{}, Cancel{}, Painted{}, Fit{},
	Step{}, Seek{}, SeekTime{}, SeekMark{}, FindKeys{}, EndSearch{},
	ShowInformer{}, SetUp{}, Show{}, Inspect{}, DrawTimeline{}, AskIndexer{},
	PlayLine{}, StopExploring{}, ShowLane{}, VisitLane{}, RenameLane{}, DropLane{}, Undo{}, Redo{},
	MakeLink{}, Travel{},
	WatchFor{}, RunTo{}, SavePlot{}, Minimise{}, StopMinimising{}, AskWhy{}, StopWhy{}, AskOwnWork{},
	SecondProfile{}, SecondResync{}, SecondSetup{}, SecondLane{}, SecondApart{}, SecondGuard{}, CountGuards{}, SecondCapture{}, HideSecond{}, SeekDiffer{},
	ReadCourse{}, FindLessons{}, GoStop{}, AskAnswer{}, Turn{}, CompareVersions{}, CheckExercise{}, Solve{}, SeekSchedule{}, ReadText{}, Rewrite{}, AskNext{}, ShowNext{},
	Discover{}, FollowCluster{}, Save{}, SaveLeast{}, SaveText{}, StopSaving{},
}

// Reply goes from the worker to the page.
type Reply struct {
	// ID is the Request's. Where nobody has asked, it is the ID of the Request that has opened
	// what the news is about, or 0 if nothing is open.
	ID   int
	News News
}

// News is what the worker tells the page. Each kind is a type of its own, and its name in a message
// is the name of that type.
type News interface {
	message
	news()
}

// AllNews has each kind once.
var AllNews = []News{
	(*Opened)(nil), (*Progress)(nil), (*Frame)(nil), (*Timeline)(nil), (*Object)(nil), (*Answer)(nil),
	(*Keys)(nil), (*Log)(nil), (*Missed)(nil), (*Searching)(nil), (*Causes)(nil), (*Cluster)(nil), (*Live)(nil),
	(*Saved)(nil), (*SavePreview)(nil), (*Making)(nil), (*Minimised)(nil), (*Lanes)(nil), (*Console)(nil),
	(*Explored)(nil), (*Course)(nil), (*FoundLessons)(nil), (*Lesson)(nil), (*Stopped)(nil), (*Written)(nil), (*Predicted)(nil),
	(*Judged)(nil), (*Checked)(nil), (*Linked)(nil), (*Traveled)(nil), (*Watched)(nil), (*SecondMachine)(nil), (*Guards)(nil),
	(*OwnWork)(nil), (*Card)(nil), (*Noticed)(nil), (*Failure)(nil),
}

func (*Opened) news()        {}
func (*Card) news()          {}
func (*Progress) news()      {}
func (*Frame) news()         {}
func (*Timeline) news()      {}
func (*Object) news()        {}
func (*Answer) news()        {}
func (*Keys) news()          {}
func (*Log) news()           {}
func (*Missed) news()        {}
func (*Searching) news()     {}
func (*Causes) news()        {}
func (*Cluster) news()       {}
func (*Live) news()          {}
func (*Saved) news()         {}
func (*SavePreview) news()   {}
func (*Making) news()        {}
func (*Minimised) news()     {}
func (*Lanes) news()         {}
func (*Console) news()       {}
func (*Explored) news()      {}
func (*Course) news()        {}
func (*FoundLessons) news()  {}
func (*Lesson) news()        {}
func (*Stopped) news()       {}
func (*Written) news()       {}
func (*Predicted) news()     {}
func (*Judged) news()        {}
func (*Checked) news()       {}
func (*Linked) news()        {}
func (*Traveled) news()      {}
func (*Watched) news()       {}
func (*SecondMachine) news() {}
func (*Guards) news()        {}
func (*Failure) news()       {}

// Sentence is an entry of the catalogues, with its arguments.
type Sentence struct {
	ID   string
	Args map[string]Arg
}

func (x *Sentence) fields(c *coder) { c.fields(&x.ID, &x.Args) }

// Arg is an argument of a Sentence. Kind says what V is, and so how it is shown:
//
//	key, code, rv  a key, a piece of code, a resourceVersion: in type for code
//	delta          the type of a delta: as a chip
//	num            a number, whose digits are grouped
//	time           a duration in nanoseconds
//	word           the catalogue has it under "reason."
//	lock, who      a lock, or who holds it: the catalogue has it under "lock." or "who."
//	size           bytes
//	percent        a share
//	text           any text
//	why            a part of an error: Why if that is set, or else V as it is
type Arg struct {
	Kind   string
	V      string
	Reason *Sentence
}

func (x *Arg) fields(c *coder) { c.fields(&x.Kind, &x.V, &x.Reason) }

// Fault returns what an error says as a Sentence; nil for no error. The catalogues have it
// under "error." and the error's id. Where they don't, it is a text in no language of
// theirs, which is the argument fault.Text.
func Fault(err error) *Sentence {
	if err == nil {
		return nil
	}
	s := &Sentence{Args: map[string]Arg{}}
	s.ID = "error." + fault.Describe(err, func(name, text string, why error) {
		s.Args[name] = Arg{Kind: "why", V: text, Reason: Fault(why)}
	})
	return s
}

// Is reports whether s, or what it says is the reason, is the sentence id.
func (s *Sentence) Is(id string) bool {
	if s == nil || s.ID == id {
		return s != nil
	}
	for _, a := range s.Args {
		if a.Reason.Is(id) {
			return true
		}
	}
	return false
}

// FaultText returns the Sentence of a text that is the same in every language, such as an
// error message of a browser.
func FaultText(text string) *Sentence {
	return &Sentence{ID: "error." + fault.Text, Args: map[string]Arg{fault.Text: {Kind: "why", V: text}}}
}
