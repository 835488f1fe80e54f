package script

import (
	"strings"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/explore"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

// Runner plays a script, one line after the other.
type Runner struct {
	out       func(Entry)
	line      int // being played
	level     int
	profile   world.Profile
	server    apiserver.SimConfig
	cfg       world.Config
	shared    *object.Table    // of the resources that are filed by namespace and name
	h         *history.History // the run, nil while it is set up
	w         *world.World     // the run's furthest point, or the state that a can line looks at
	steps     int64
	limit     int64 // of steps
	limits    explore.Limits
	onInquiry func(*Inquiry)
	versions  int64            // made by hand
	attached  bool             // the run was there before the Runner
	setup     []string         // the lines that were played before there was one
	calls     [][]handlerCalls // by informer and listener
	onFacts   func(facts []string)
	recorded  func(resource string) (*object.Table, apiserver.Feed, bool) // nil where servers are simulated
}

// handlerCalls is what one handler was called with.
type handlerCalls struct {
	calls []string
	shown int // how many of them a subject has shown
}

// NewRunner returns a Runner that calls out with each line of its transcript.
func NewRunner(out func(Entry)) *Runner {
	return &Runner{out: out, level: logMain, limit: MaxSteps, profile: world.Classic, cfg: world.Config{Seed: 1}}
}

// Attach returns a Runner that goes on from the furthest point of a run, whose
// setup is done. Actors and handlers have the names that its Config gives them.
func Attach(h *history.History, out func(Entry)) *Runner {
	r := NewRunner(out)
	r.cfg, r.h, r.w, r.attached = *h.Config(), h, h.Front(), true
	for _, x := range r.w.Informers {
		r.calls = append(r.calls, make([]handlerCalls, len(x.Config().Handlers)))
	}
	return r
}

// OnFacts makes the Runner call f with all facts of each step from now on, whatever a log line says.
func (r *Runner) OnFacts(f func(facts []string)) { r.onFacts = f }

// Setup returns the lines that have set up the machine. Followed by the Lines of
// its run, they are a script that makes the same run.
func (r *Runner) Setup() []string { return r.setup }

// Limit bounds the lines that follow: by a number of steps for all of them, and by
// l for each can.
func (r *Runner) Limit(steps int64, l explore.Limits) { r.limit, r.limits = r.steps+steps, l }

// Play plays a text to its end, or to the first thing that goes wrong: an Error
// says where, and what.
func (r *Runner) Play(text string) error {
	s, err := Parse(text)
	if err != nil {
		return err
	}
	return r.PlayScript(s)
}

// PlayScript does what [Runner.Play] does, for a text that was parsed.
func (r *Runner) PlayScript(s *Script) error {
	for _, st := range s.statements {
		if err := r.play(st); err != nil {
			return err
		}
	}
	return nil
}

// PlayAs plays a text as it runs on another profile, which may be one that no profile line names:
// without its profile lines. It passes over lines that can't be played there, such as a step of an actor that has nothing to do in this version, and
// returns how many these are.
func (r *Runner) PlayAs(text string, p world.Profile) (failed int) {
	r.profile = p
	n := 0
	for line := range strings.Lines(text) {
		n++
		if !strings.HasPrefix(line, "profile ") && r.Line(strings.TrimSuffix(line, "\n"), n) != nil {
			failed++
		}
	}
	return failed
}

// Line plays one more line, with the number n.
func (r *Runner) Line(text string, n int) error {
	st, ok, err := parseLine(text, n)
	if err != nil || !ok {
		return err
	}
	return r.play(st)
}

// History returns the run that the script makes, nil while the script sets it up.
func (r *Runner) History() *history.History { return r.h }

func (r *Runner) play(st statement) error {
	r.line = st.line
	if err := r.misplaced(st); err != nil {
		return err
	}
	r.emit(Entry{Kind: Statement, Text: st.text})
	return r.carry(st)
}

// misplaced returns an error if a line sets up a machine that has moved.
func (r *Runner) misplaced(st statement) error {
	if st.setup && r.h != nil {
		return syntax.ErrorAt(st.line, 1, fault.Plain("setupFirst"))
	}
	return nil
}

// carry plays a line that the transcript has already. It notes each that has set up the machine.
func (r *Runner) carry(st statement) error {
	if err := r.misplaced(st); err != nil {
		return err
	}
	before := r.h == nil
	err := st.run(r)
	if before && r.h == nil && err == nil && !st.repeats {
		r.setup = append(r.setup, st.text)
	}
	return err
}

func (r *Runner) emit(e Entry) {
	e.Line = r.line
	r.out(e)
}

// parsers has the functions that read the rest of an open line.
var parsers = [syntax.NumVerbs]func(*syntax.Parser) (func(*Runner) error, error){
	syntax.Profile:     parseProfile,
	syntax.Gate:        parseGate,
	syntax.Seed:        parseSeed,
	syntax.Server:      parseServer,
	syntax.Informer:    parseInformer,
	syntax.Controller:  parseController,
	syntax.Collector:   parseCollector,
	syntax.Replicas:    parseReplicas,
	syntax.Shards:      parseShards,
	syntax.RemoveIndex: parseRemoveIndex,
	syntax.Run:         parseRun,
	syntax.Step:        parseStep,
	syntax.Log:         parseLog,
	syntax.Show:        parseShow,
	syntax.Expect:      parseExpect,
	syntax.Can:         parseCan,
}

// players has the functions that play all other lines.
var players = [syntax.NumVerbs]func(*Runner, *syntax.Parsed) error{
	syntax.CarryOut:      (*Runner).carryOut,
	syntax.Exists:        (*Runner).addExisting,
	syntax.WriteObject:   (*Runner).writeObject,
	syntax.Mutate:        (*Runner).mutate,
	syntax.AddHandler:    (*Runner).addHandler,
	syntax.PauseWork:     (*Runner).pauseWork,
	syntax.Advance:       (*Runner).advance,
	syntax.AdvanceTo:     (*Runner).advanceTo,
	syntax.LetPass:       (*Runner).letTimePass,
	syntax.CallQueue:     (*Runner).callQueue,
	syntax.CallProcessor: (*Runner).callProcessor,
	syntax.CallWorkqueue: (*Runner).callWorkqueue,
}

// parseRest reads the rest of a line and returns the function that plays it.
func parseRest(f *syntax.Form, p *syntax.Parser) (func(*Runner) error, error) {
	if f.Open {
		return parsers[f.Verb](p)
	}
	m, err := f.Read(p)
	if err != nil {
		return nil, err
	}
	return func(r *Runner) error { return players[f.Verb](r, m) }, nil
}
