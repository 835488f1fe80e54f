// Package script is the language of golden tests, of what-ifs and of the page's
// console: commands, steps and expectations, one to a line.
//
//	# an informer, and who listens to it
//	profile classic
//	informer pods resync=30s index=app
//	handler metrics
//	handler audit takes=20ms
//	# what the outside world does
//	create pod default/web app=web
//	# how far the machine runs, and what must have come of it
//	run until pop default/web
//	expect queue []
//	expect deltas default/web [Added@1]
//
// Setting up comes first:
//
//	profile NAME              a client-go version, or classic
//	gate NAME on|off          a feature gate of client-go v0.37
//	seed N                    of everything that is random
//	server [classic] [uncached] [nobookmarks] [revision=N] [buffer=N] [compact=5m]
//	informer NAME [resync=30s] [index=LABEL] [key=SEPARATOR] [selector=LABEL=VALUE] [detector]
//	         [namespaces=NS,NS]      an informer for each, such as NS/pods; handlers, controllers, show store, get and synced
//	                          of pods are for all of them, as in controller-runtime's cache of several namespaces
//	         [processor]      sharedProcessor.run, which starts the listeners' goroutines, is an actor of its own, and may come late
//	         [quota=N]        how many such objects there may be, as a ResourceQuota says
//	         [pages=N] [workers=N] [work=3ms] [fails=N] [writes=LABEL=VALUE]
//	         [untransformable=LABEL=VALUE|tombstones] [unindexable=LABEL=VALUE]  the TransformFunc, or the last IndexFunc, fails for such objects
//	         [factory]        a SharedInformerFactory's: another such line with the same NAME is the same informer
//	controller INFORMER [program=NAME|"STATEMENTS"] [owns=INFORMER] [reads=INFORMER] [workers=N] [work=TIME] [requeue=TIME]
//	         [queue=priority|workqueue] [runtime=v0.25]       the queue that this version of controller-runtime has, unless the line says
//	         [warmup]         what feeds it starts with the process, and its workers when that leads
//	         [from=TIME]      when it is added to its manager, and its handlers to informers that run already
//	         [ifleader]       the same, and its handlers return unless the process leads
//	         [kubernetes=v1.36]      the guard of kube-controller-manager's controller of that resource, and what its status has
//	         [predicate=generation|labels|version] [watches=INFORMER by=LABEL]      the label has the name of the object to reconcile
//	         [guard=none|expectations|consistency|readyourwrites|mutation|live|expectations+consistency]      for the programs see engine/controller/program
//	replicas N [lease=15s] [renew=10s] [retry=2s] [release] [onstopped=exit|return|run]      processes that elect a leader, and what
//	                          OnStoppedLeading does: it ends the process, or returns, and RunOrDie is called again
//	collector [after=TIME]      the garbage collector, which looks that long after each write
//	exists KIND NS/NAME [LABEL=VALUE …]      an object from before the beginning
//	handler NAME [informer=INFORMER] [takes=20ms] [resync=5s] [from=3s] [until=9s] [workqueue]
//	         [blind] [panics] [ifleader]      each call asks IsLeader first, and returns if the process doesn't lead
//
// Then comes what the outside world does, such as create, break watch or fail
// requests. The table in syntax/table.go has a row for each such line. A line that does
// something to an informer or its server may end with the informer's name. Before
// the first write, the informers start, list and watch. A handler can be added at
// any time. Without a resync period of its own it gets the informer's. A LABEL that
// begins with a dot is a field, such as .spec.replicas or .finalizers; the server writes
// .generation and .deletionTimestamp itself. The .spec.selector of an owner, such as
// app=web,tier=db, has the labels of its children.
//
//	run                       until nothing more will happen
//	run until pop KEY | call HANDLER | synced | EVENT [KEY] | step N
//	run until EXPR            an expression of package ask, such as behind("audit") > 100
//	run random SEED [until …]      whoever could move may be next
//	step [N] [ACTOR]          the default schedule's, or one actor's
//	advance TIME | to TIME    with everything that happens meanwhile
//	let time pass to TIME     as the run goes on, so that something else can be done before
//	repeat N LINE; LINE …     the lines, N times; $n in them is how often they have been played, from 1
//	start factory             its Start; run until factory synced is its WaitForCacheSync
//	log all|main|calls|none   how much the transcript has
//	show SUBJECT              expect SUBJECT VALUE | >=NUMBER      for the subjects see syntax/subjects.go
//	show EXPR                 expect EXPR      which must be true
//
//	can …                     whether something can come about: see can.go
//	queue …      work …      notify …      one station alone, moved by hand: see commands.go
//
// An informer's NAME is its resource, such as pods or deployments.apps. It may have the
// version of the API in it: deployments.v1.apps and deployments.v1beta1.apps are two
// informers of the same objects.
//
// With more than one informer, a name before a subject or an actor says which
// informer is meant. Without it, the first one is.
//
// What lines look like is package syntax. Here is what they do: runner.go has the function
// of each kind of line, which reads or moves the run of a Runner.
package script

import (
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/script/syntax"
)

// Limits of a script and of its run.
const (
	MaxBytes = 1 << 20
	maxLines = 10_000
	MaxSteps = 5_000_000 // of the lines that a Runner plays, unless it has another Limit
)

// Error says what is wrong with a line, and where.
type Error = syntax.Error

// Unmet is the error of an expect that is not met. It wraps an Error.
type Unmet struct {
	Err    Error
	Actual string // the value that was found
}

func (u Unmet) Error() string { return u.Err.Error() }
func (u Unmet) Unwrap() error { return u.Err }

// Script is a text that was parsed.
type Script struct{ statements []statement }

// statement is one line of a Script.
type statement struct {
	line    int
	text    string
	setup   bool // it must come before anything moves
	repeats bool // it plays other lines
	run     func(*Runner) error
}

// Parse parses a whole text. Its errors are of type Error.
func Parse(text string) (*Script, error) {
	if len(text) > MaxBytes {
		return nil, syntax.ErrorAt(1, 1, fault.Number("longScript max", MaxBytes))
	}
	s := &Script{}
	for n := 1; text != ""; n++ {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		if n > maxLines {
			return nil, syntax.ErrorAt(n, 1, fault.Number("manyLines max", maxLines))
		}
		st, ok, err := parseLine(strings.TrimSuffix(line, "\r"), n)
		if err != nil {
			return nil, err
		}
		if ok {
			s.statements = append(s.statements, st)
		}
	}
	return s, nil
}

// Check reports what is wrong with one line, whatever was set up before it.
func Check(text string, n int) error {
	_, _, err := parseLine(text, n)
	return err
}

// parseLine parses one line. ok is false if the line is empty or a comment.
func parseLine(text string, n int) (st statement, ok bool, err error) {
	p, form, err := syntax.Begin(text, n)
	if err != nil || form == nil {
		return st, false, err
	}
	do, err := parseRest(form, p)
	return statement{n, strings.TrimSpace(text), form.Setup, form.Verb == syntax.Repeat, do}, err == nil, err
}
