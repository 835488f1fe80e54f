// Package syntax is the grammar of package script: what a line may look like, how it is
// parsed, completed and written. It knows the commands that lines stand for, and no run
// that they are played on.
//
// Begin finds the Form of a line. Read reads the rest, unless the form is open: what
// plays such a line takes the words from the Parser.
package syntax

import (
	"slices"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/world"
)

// Form is one kind of line. Everything that is done with such lines follows from
// its row in the table: a line is parsed by it, a run's input is written by it (see
// CommandLine), the console goes on with it (see Completions), and the page's gestures
// are lines that it writes (see Line).
type Form struct {
	// form is what the line looks like. Words in capitals and words in brackets are
	// slots: see slots.go. What is in brackets may be left out. The form of an open
	// line has its beginning only.
	form  string
	Setup bool // the line must come before anything moves

	kind     world.CommandKind // what the command does that the line stands for
	defaultN int64             // the command's N where the line gives none
	Verb     Verb              // what playing the line does
	Open     bool              // whoever plays the line reads what follows its first words

	// samples are lines as they may be completed. INFORMER, KEY, HANDLER, INDEX and
	// ACTOR stand for any name that there is. Where the first value of one is 0, 0s or
	// none, such a line ends what another line of the form began.
	samples []string

	parts []part // of form
	words int    // how many of the parts are words that begin the line
}

// forms are the rows. If a kind of command has several, a person
// writes the first, and Lines writes the last.
var forms = []Form{
	{form: "profile NAME", Setup: true, Open: true, Verb: Profile},
	{form: "gate NAME on|off", Setup: true, Open: true, Verb: Gate},
	{form: "seed N", Setup: true, Open: true, Verb: Seed},
	{form: "server", Setup: true, Open: true, Verb: Server},
	{form: "informer NAME", Setup: true, Open: true, Verb: Informer},
	{form: "controller INFORMER", Setup: true, Open: true, Verb: Controller},
	{form: "collector", Setup: true, Open: true, Verb: Collector},
	{form: "replicas N", Setup: true, Open: true, Verb: Replicas},
	{form: "shards N", Setup: true, Open: true, Verb: Shards},
	{form: "exists KIND NS/NAME [LABEL=VALUE …]", Setup: true, kind: world.Create, Verb: Exists},

	{form: "create KIND NS/NAME [LABEL=VALUE …]", kind: world.Create, Verb: WriteObject, samples: []string{"create INFORMER default/new"}},
	{form: "update KIND NS/NAME [LABEL=VALUE …]", kind: world.Update, Verb: WriteObject, samples: []string{"update INFORMER KEY"}},
	{form: "patch KIND NS/NAME [LABEL=VALUE …]", kind: world.Patch, Verb: WriteObject, samples: []string{"patch INFORMER KEY"}},
	{form: "delete KIND NS/NAME [foreground] [orphan]", kind: world.Delete, Verb: WriteObject, samples: []string{"delete INFORMER KEY"}},
	{form: "write back KEY [version=N] [INFORMER]", kind: world.WriteBack, samples: []string{"write back KEY"}},
	{form: "mutate [INFORMER] KEY [LABEL=VALUE …]", kind: world.MutateCached, Verb: Mutate, samples: []string{"mutate INFORMER KEY"}},

	{form: "handler NAME [informer=INFORMER] [takes=TIME] [resync=TIME] [from=TIME] [until=TIME] [workqueue] [blind] [panics] [ifleader]",
		kind: world.AddHandler, Verb: AddHandler, samples: []string{"handler another takes=1ms"}},
	{form: "remove handler HANDLER", kind: world.RemoveHandler},
	{form: "takes HANDLER TIME|forever", kind: world.PaceHandler, samples: []string{"takes HANDLER 1s", "takes HANDLER 0s", "takes HANDLER forever"}},
	{form: "panic handler HANDLER", kind: world.PanicHandler},
	{form: "blind handler HANDLER [panics]", kind: world.BlindHandler, samples: []string{"blind handler HANDLER", "blind handler HANDLER panics"}},
	{form: "mend handler HANDLER", kind: world.MendHandler},
	{form: "fail reconciles [n=N|all] [key=KEY] [INFORMER]", kind: world.FailReconciles, defaultN: 1,
		samples: []string{"fail reconciles", "fail reconciles n=all", "fail reconciles n=all key=KEY", "fail reconciles n=0"}},
	{form: "hang reconcile [for=TIME|forever] [key=KEY] [INFORMER]", kind: world.HangReconcile, defaultN: -1,
		samples: []string{"hang reconcile", "hang reconcile key=KEY", "hang reconcile for=10s", "hang reconcile for=0s"}},
	{form: "pause workqueue [INFORMER]", kind: world.PauseWork, Verb: PauseWork},
	{form: "resume workqueue [INFORMER]", kind: world.ResumeWork, Verb: PauseWork},
	{form: "add index LABEL [INFORMER]", kind: world.AddIndex, samples: []string{"add index app"}},
	{form: "remove index", Open: true, Verb: RemoveIndex},
	{form: "refuse tombstones [INFORMER]", kind: world.RefuseTombstones},
	{form: "kill process", kind: world.KillProcess},
	{form: "kill replica [down=TIME|forever] [INFORMER]", kind: world.KillReplica, defaultN: Second, samples: []string{"kill replica", "kill replica down=forever"}},
	{form: "pause replica TIME [INFORMER]", kind: world.PauseReplica, samples: []string{"pause replica 20s"}},
	{form: "stop replica [INFORMER]", kind: world.StopReplica},
	{form: "cut replica [INFORMER]", kind: world.CutReplica},
	{form: "join replica [INFORMER]", kind: world.JoinReplica},
	{form: "reshard SHARD [down=TIME] [INFORMER]", kind: world.Reshard, defaultN: Second, samples: []string{"reshard 0/1 INFORMER", "reshard 0/3 INFORMER", "reshard 1/3 INFORMER", "reshard 2/3 INFORMER"}},

	{form: "break watch [INFORMER]", kind: world.BreakWatch},
	{form: "silence watch [for=TIME|forever] [INFORMER]", kind: world.SilenceWatch, samples: []string{"silence watch", "silence watch for=forever"}},
	{form: "drop event [INFORMER]", kind: world.DropEvent},
	{form: "delay event TIME [INFORMER]", kind: world.DelayEvent, samples: []string{"delay event 5s"}},
	{form: "duplicate event [INFORMER]", kind: world.DuplicateEvent},
	{form: "swap events [INFORMER]", kind: world.SwapEvents},
	{form: "spoil event metadata [INFORMER]", kind: world.SpoilMeta},
	{form: "spoil event kind [INFORMER]", kind: world.SpoilKind},
	{form: "spoil event type [INFORMER]", kind: world.SpoilType},
	{form: "withhold initial end [INFORMER]", kind: world.WithholdInitialEnd},
	{form: "drop bookmarks N [INFORMER]", kind: world.DropBookmarks, samples: []string{"drop bookmarks 1", "drop bookmarks 2", "drop bookmarks 0"}},
	{form: "compact [INFORMER]", kind: world.Compact},
	{form: "restart server [down=TIME] [warm=TIME] [INFORMER]", kind: world.RestartServer, defaultN: Second,
		samples: []string{"restart server down=1s"}},
	{form: "restore server N [INFORMER]", kind: world.RestoreServer},
	{form: "lag server TIME|forever [INFORMER]", kind: world.LagServer, samples: []string{"lag server 5s", "lag server forever", "lag server 0s"}},
	{form: "fail requests FAILURE [n=N|all] [after=SECONDS] [INFORMER]", kind: world.FailRequests, defaultN: 1,
		samples: []string{"fail requests expired", "fail requests toomany", "fail requests toomany after=5s", "fail requests internal", "fail requests refused", "fail requests forbidden", "fail requests none"}},

	{form: "repeat N", Open: true, Verb: Repeat, samples: []string{"repeat 10 create INFORMER default/new-$n", "repeat 10 advance 1s"}},

	{form: "advance TIME", kind: world.PassTime, Verb: Advance, samples: []string{"advance 30s"}},
	{form: "advance to TIME", kind: world.PassTime, Verb: AdvanceTo},
	{form: "let time pass to TIME", kind: world.PassTime, Verb: LetPass},
	{form: "run", Open: true, Verb: Run, samples: []string{"run", "run until pop KEY", "run until call HANDLER", "run until synced", "run random 1"}},
	{form: "step", Open: true, Verb: Step, samples: []string{"step", "step ACTOR"}},
	{form: "stop [INFORMER]", kind: world.StopInformer},
	{form: "start again [INFORMER]", kind: world.RunAgain},
	{form: "start factory", kind: world.StartFactory},
	{form: "steps take no time", kind: world.TakeNoTime},

	{form: "log", Open: true, Verb: Log},
	{form: "show", Open: true, Verb: Show, samples: subjectSamples("show ")},
	{form: "expect", Open: true, Verb: Expect, samples: []string{"expect queue []", "expect store [KEY]"}},
	{form: "can", Open: true, Verb: Can, samples: []string{"can HANDLER OnUpdate KEY", "can pop KEY", "can call HANDLER"}},

	{form: "queue add KEY [LABEL=VALUE …]", kind: world.QueueAdd, Verb: CallQueue},
	{form: "queue update KEY [LABEL=VALUE …]", kind: world.QueueUpdate, Verb: CallQueue},
	{form: "queue delete KEY [LABEL=VALUE …]", kind: world.QueueDelete, Verb: CallQueue},
	{form: "queue replace [KEY …]", kind: world.QueueReplace, Verb: CallQueue},
	{form: "queue known none", kind: world.QueueUnknown, Verb: CallQueue},
	{form: "queue pop", kind: world.QueuePop, Verb: CallQueue},
	{form: "queue pop fails", kind: world.QueuePopFails, Verb: CallQueue},
	{form: "queue pop errs", kind: world.QueuePopErrs, Verb: CallQueue},
	{form: "queue retry", kind: world.QueueRetry, Verb: CallQueue},
	{form: "queue resync", kind: world.QueueResync, Verb: CallQueue},
	{form: "queue close", kind: world.QueueClose, Verb: CallQueue},
	{form: "notify add KEY [LABEL=VALUE …]", kind: world.NotifyAdd, Verb: CallProcessor},
	{form: "notify update KEY [LABEL=VALUE …]", kind: world.NotifyUpdate, Verb: CallProcessor},
	{form: "notify delete KEY", kind: world.NotifyDelete, Verb: CallProcessor},
	{form: "work add KEY", kind: world.WorkAdd, Verb: CallWorkqueue},
	{form: "work after KEY TIME", kind: world.WorkAddAfter, Verb: CallWorkqueue},
	{form: "work limited KEY [times=TIMES]", kind: world.WorkAddRateLimited, Verb: CallWorkqueue},
	{form: "work get", kind: world.WorkGet, Verb: CallWorkqueue},
	{form: "work done KEY", kind: world.WorkDone, Verb: CallWorkqueue},
	{form: "work forget KEY", kind: world.WorkForget, Verb: CallWorkqueue},
	{form: "work wait TIME", kind: world.WorkWait, Verb: CallWorkqueue},
	{form: "work shutdown", kind: world.WorkShutDown, Verb: CallWorkqueue},
	{form: "work shutdown drain", kind: world.WorkShutDownWithDrain, Verb: CallWorkqueue},
}

func init() {
	var p Parser
	for i := range forms {
		forms[i].split(&p)
	}
}

// field returns where c holds the value of an option.
func field(c *world.Command, option string) any {
	switch h := &c.Handler; option {
	case "takes":
		return &h.Duration
	case "resync":
		return &h.Resync
	case "from":
		return &h.From
	case "until":
		return &h.Until
	case "workqueue":
		return &h.Workqueue
	case "blind":
		return &h.Blind
	case "panics":
		return &h.Panics
	case "ifleader":
		return &h.IfLeader
	case "foreground":
		return &c.Foreground
	case "orphan":
		return &c.Orphan
	case "warm":
		return &c.Warm
	case "after":
		return &c.RetryAfter
	}
	return &c.N
}

// form finds the command with which a line begins. Of two that fit, it is the
// one with more words.
func (p *Parser) form() (*Form, error) {
	var found *Form
	var words []string // the words that may follow those that fit
	at := 0
	for i := range forms {
		f := &forms[i]
		n := 0
		for n < f.words && n < len(p.Words) && p.Words[n].Text == f.parts[n].name {
			n++
		}
		switch {
		case n == f.words:
			if found == nil || n > found.words {
				found = f
			}
		case n > at:
			at, words = n, []string{f.parts[n].name}
		case n == at && n > 0 && !slices.Contains(words, f.parts[n].name):
			words = append(words, f.parts[n].name)
		}
	}
	switch {
	case found != nil:
		p.Pos = found.words
		return found, nil
	case at == 0:
		return nil, p.Fail(p.Words[0], unknownCommand(p.Words[0].Text))
	}
	p.Pos = at
	if !p.More() {
		return nil, Error{p.Line, p.End, Missing(OneOf(words))}
	}
	return nil, p.unknownWord(at, words)
}

// unknownWord says that no command goes on with the word at a place, and with which ones it can.
func (p *Parser) unknownWord(at int, words []string) error {
	begin := p.TextBetween(p.Words[0], p.Words[at-1]) + " "
	known := make([]string, len(words))
	for i, word := range words {
		known[i] = begin + word
	}
	return p.Fail(p.Words[at], fault.Unknown("noCommand name", begin+p.Words[at].Text, known))
}

// Verb says what playing a line does. Package script has a function for each: see runner.go.
type Verb uint8

const (
	CarryOut Verb = iota // the command that the line stands for, on an informer, a handler or a server

	// What sets up a machine.
	Profile
	Gate
	Seed
	Server
	Informer
	Controller
	Collector
	Replicas
	Shards
	Exists

	// What needs more than its command.
	WriteObject
	Mutate
	AddHandler
	RemoveIndex
	PauseWork

	Repeat // other lines

	// How far the machine runs.
	Advance
	AdvanceTo
	LetPass
	Run
	Step

	// What is told and asked.
	Log
	Show
	Expect
	Can

	// One station alone, moved by hand.
	CallQueue
	CallProcessor
	CallWorkqueue

	NumVerbs
)

// unknownCommand says that no command begins with a word, and which one may be meant.
func unknownCommand(word string) error {
	var names []string
	for i := range forms {
		if name := forms[i].parts[0].name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return fault.Unknown("noCommand name", word, names)
}

// UnknownEvent says that no fact is of the kind with a name, and which one may be meant.
func UnknownEvent(name string) error {
	var names []string
	for k := event.Kind(1); k.String() != ""; k++ {
		names = append(names, k.String())
	}
	return fault.Unknown("noEvent name", name, names)
}
