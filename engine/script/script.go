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
//	         [pages=N] [workers=N] [work=3ms] [fails=N] [writes=LABEL=VALUE]
//	         [untransformable=LABEL=VALUE] [unindexable=LABEL=VALUE]      the TransformFunc, or the last IndexFunc, fails for such objects
//	         [factory]        a SharedInformerFactory's: another such line with the same NAME is the same informer
//	exists KIND NS/NAME [LABEL=VALUE …]      an object from before the beginning
//	handler NAME [informer=INFORMER] [takes=20ms] [resync=5s] [from=3s] [until=9s] [workqueue]
//	         [blind] [panics]
//
// Then comes what the outside world does, such as create, break watch or fail
// requests. The table in table.go has a row for each such line. A line that does
// something to an informer or its server may end with the informer's name. Before
// the first write, the informers start, list and watch. A handler can be added at
// any time. Without a resync period of its own it gets the informer's.
//
//	run                       until nothing more will happen
//	run until pop KEY | call HANDLER | synced | EVENT [KEY] | step N
//	run until EXPR            an expression of package ask, such as behind("audit") > 100
//	run random SEED [until …]      whoever could move may be next
//	step [N] [ACTOR]          the default schedule's, or one actor's
//	advance TIME | to TIME    with everything that happens meanwhile
//	let time pass to TIME     as the run goes on, so that something else can be done before
//	start factory             its Start; run until factory synced is its WaitForCacheSync
//	log all|main|calls|none   how much the transcript has
//	show SUBJECT              expect SUBJECT VALUE | >=NUMBER      for the subjects see subjects.go
//	show EXPR                 expect EXPR      which must be true
//
//	can …                     whether something can come about: see can.go
//	queue …      work …      notify …      one station alone, moved by hand: see byhand.go
//
// An informer's NAME is its resource, such as pods or deployments.apps. It may have the
// version of the API in it: deployments.v1.apps and deployments.v1beta1.apps are two
// informers of the same objects.
//
// With more than one informer, a name before a subject or an actor says which
// informer is meant. Without it, the first one is.
package script

import (
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
)

// Limits of a script and of its run.
const (
	MaxBytes = 1 << 20
	maxLine  = 4096
	maxLines = 10_000
	maxSteps = 5_000_000
	maxTime  = 240 * hour
)

// Error says what is wrong with a line, and where.
type Error struct {
	Line, Col int // from 1
	Why       error
}

func (e Error) Error() string { return e.Fault().Error() }

// Fault is an error that says where and what.
func (e Error) Fault() error {
	return fault.New("at line column why", e.Line, e.Col, e.Why)
}

// Unmet is the error of an expect that is not met. It wraps an Error.
type Unmet struct {
	At  Error
	Got string // the value that was found
}

func (u Unmet) Error() string { return u.At.Error() }
func (u Unmet) Unwrap() error { return u.At }

// Script is a text that was parsed.
type Script struct{ statements []statement }

// statement is one line of a Script.
type statement struct {
	line  int
	text  string
	setup bool // it must come before anything moves
	do    func(*Runner) error
}

// Parse parses a whole text. Its errors are of type Error.
func Parse(text string) (*Script, error) {
	if len(text) > MaxBytes {
		return nil, Error{1, 1, fault.Number("longScript max", MaxBytes)}
	}
	s := &Script{}
	for n := 1; text != ""; n++ {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		if n > maxLines {
			return nil, Error{n, 1, fault.Number("manyLines max", maxLines)}
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

// Looks reports whether a text looks like a script and not like a capture: the
// first word outside of comments is one that sets up a machine.
func Looks(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		verb, _, _ := strings.Cut(line, " ")
		for i := range commands {
			if c := &commands[i]; c.parts[0].name == verb {
				return c.setup
			}
		}
		return false
	}
	return false
}

// Check reports what is wrong with one line, whatever was set up before it.
func Check(text string, n int) error {
	_, _, err := parseLine(text, n)
	return err
}

// parseLine parses one line. ok is false if the line is empty or a comment.
func parseLine(text string, n int) (st statement, ok bool, err error) {
	if len(text) > maxLine {
		return st, false, Error{n, maxLine, fault.Number("longLine max", maxLine)}
	}
	p := &line{n: n}
	if err := p.split(text); err != nil || len(p.words) == 0 {
		return st, false, err
	}
	c, err := p.command()
	if err != nil {
		return st, false, err
	}
	do, err := c.parsed(p)
	return statement{n, strings.TrimSpace(text), c.setup, do}, err == nil, err
}

// parsed returns what plays a line whose first words are the command's.
func (c *command) parsed(p *line) (func(*Runner) error, error) {
	if c.parse != nil {
		return c.parse(p)
	}
	m, err := c.read(p)
	if err != nil {
		return nil, err
	}
	if c.play == nil {
		return func(r *Runner) error { return carryOut(r, m) }, nil
	}
	return func(r *Runner) error { return c.play(r, m) }, nil
}
