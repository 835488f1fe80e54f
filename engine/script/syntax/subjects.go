package syntax

import (
	"github.com/informerscope/informerscope/engine/fault"
)

// Subject is something that show and expect can ask for. Package script has a function
// for each.
type Subject uint8

const (
	SubjectQueue Subject = iota
	SubjectDeltas
	SubjectStore
	SubjectGet
	SubjectIndex
	SubjectValues
	SubjectRV
	SubjectSynced
	SubjectInitial
	SubjectNotified
	SubjectCalls
	SubjectCalled
	SubjectBehind
	SubjectPending
	SubjectSyncing
	SubjectWorkqueue
	SubjectDirty
	SubjectProcessing
	SubjectDelayed
	SubjectServer
	SubjectRevision
	SubjectWatch
	SubjectMessage
	SubjectActor
	SubjectLock
	SubjectCosts
	SubjectTime
	SubjectSteps
	SubjectFactory
	SubjectStopped
	SubjectCrash
	NumSubjects
)

// subject is how a line names a Subject. args are the words that follow its name.
type subject struct {
	name string
	args []error

	observes bool // see Observes

	values error // see Values
}

// TrueOrFalse and atLeast are what Values says.
const (
	TrueOrFalse = fault.Plain("trueOrFalse")
	atLeast     = fault.Plain("atLeast")
)

var subjects = [NumSubjects]subject{
	SubjectQueue:      {name: "queue"},                                                        // the keys in the queue, or the keys of its deltas
	SubjectDeltas:     {name: "deltas", args: []error{AKey}},                                  // of a key, in the queue or in the process loop's hands
	SubjectStore:      {name: "store"},                                                        // the indexer's objects
	SubjectGet:        {name: "get", args: []error{AKey}},                                     // one of them: GetByKey
	SubjectIndex:      {name: "index", args: []error{anIndex, AValue}},                        // IndexKeys
	SubjectValues:     {name: "values", args: []error{anIndex}},                               // ListIndexFuncValues
	SubjectRV:         {name: "rv"},                                                           // lastSyncResourceVersion
	SubjectSynced:     {name: "synced", values: TrueOrFalse},                                  // HasSynced
	SubjectInitial:    {name: "initial", values: atLeast},                                     // initialPopulationCount
	SubjectNotified:   {name: "notified", args: []error{AHandler}, observes: true},            // its calls since the last time
	SubjectCalls:      {name: "calls", args: []error{AHandler}, observes: true},               // how many calls it has had
	SubjectCalled:     {name: "called", args: []error{AHandler, ACall, AKey}, observes: true}, // how often that function was called with that key
	SubjectBehind:     {name: "behind", args: []error{AHandler}, values: atLeast},
	SubjectPending:    {name: "pending", args: []error{AHandler}, values: atLeast}, // pendingNotifications
	SubjectSyncing:    {name: "syncing", args: []error{AHandler}, values: TrueOrFalse},
	SubjectWorkqueue:  {name: "workqueue"},
	SubjectDirty:      {name: "dirty"},
	SubjectProcessing: {name: "processing"},
	SubjectDelayed:    {name: "delayed", values: atLeast}, // how many keys wait for their time
	SubjectServer:     {name: "server"},                   // the objects that it holds
	SubjectRevision:   {name: "revision", values: atLeast},
	SubjectWatch:      {name: "watch"},                         // what the connection does
	SubjectMessage:    {name: "message"},                       // the server's last error
	SubjectActor:      {name: "actor", args: []error{anActor}}, // what it waits for
	SubjectLock:       {name: "lock", args: []error{aLock}},    // who holds it
	SubjectCosts:      {name: "costs"},                         // of all informers together
	SubjectTime:       {name: "time"},
	SubjectSteps:      {name: "steps"},
	SubjectFactory:    {name: "factory"}, // its informers, and how far they are
	SubjectStopped:    {name: "stopped", values: TrueOrFalse},
	SubjectCrash:      {name: "crash"}, // what the process has died of
}

// HasArgs reports whether words follow the name of a Subject.
func (s Subject) HasArgs() bool { return len(subjects[s].args) > 0 }

// OfTranscript reports whether a Subject is a part of the transcript and not of the machine.
func (s Subject) OfTranscript() bool { return subjects[s].observes }

// Values says what the values of a Subject look like; nil where they are of many kinds.
func (s Subject) Values() error { return subjects[s].values }

func (s Subject) String() string { return subjects[s].name }

// Question is a Subject with its arguments. Informer is empty where the line names none.
type Question struct {
	Line     int
	Informer Word
	Subject  Subject
	Args     []Word
}

func subjectNames() (names []string) {
	for s := range subjects {
		if subjects[s].name != "" {
			names = append(names, subjects[s].name)
		}
	}
	return names
}

// Question takes a Subject with its arguments.
func (p *Parser) Question() (Question, error) {
	q := Question{Line: p.Line}
	w, err := p.Next(fault.Plain("aSubject"))
	if err != nil {
		return q, err
	}
	ok := false
	if q.Subject, ok = subjectNamed(w.Text); !ok {
		if q.Subject, ok = subjectNamed(p.Peek()); !ok {
			return q, p.Fail(w, fault.Unknown("noSubject name", w.Text, subjectNames()))
		}
		q.Informer = w
		p.Pos++
	}
	for _, what := range subjects[q.Subject].args {
		a, err := p.Name(what)
		if err != nil {
			return q, err
		}
		q.Args = append(q.Args, a)
	}
	return q, nil
}

func subjectNamed(name string) (s Subject, ok bool) {
	for s := range NumSubjects {
		if subjects[s].name == name {
			return s, true
		}
	}
	return 0, false
}

// AtSubject reports whether the name of a Subject comes next.
func (p *Parser) AtSubject() bool {
	_, ok := subjectNamed(p.Peek())
	return ok
}
