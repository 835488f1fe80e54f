package script

import (
	"slices"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
)

// command is one kind of line. Everything that is done with such lines follows from
// its row in the table: a line is parsed by it, a run's input is written by it (see
// Lines), the console goes on with it (see Completions), and the page's gestures
// are lines that it writes (see Line).
type command struct {
	// form is what the line looks like. Words in capitals and words in brackets are
	// slots: see slots.go. What is in brackets may be left out.
	form  string
	setup bool // the line must come before anything moves

	makes world.Command                             // the command that the line stands for, with the values that it has where the line gives none
	place func(c *world.Command, option string) any // where the command has the value of an option; nil if none has a place of its own
	play  func(*Runner, *made) error                // nil for carryOut

	parse func(*line) (func(*Runner) error, error) // reads what follows the first word instead of form

	// samples are lines as they may be completed. INFORMER, KEY, HANDLER, INDEX and
	// ACTOR stand for any name that there is.
	samples []string

	parts []part // of form
	words int    // how many of the parts are words that begin the line
}

// commands are the rows. If a kind of command has several, the first is the one
// that a person writes, and the last is the one that Lines writes.
var commands []command

func init() {
	commands = []command{
		{form: "profile NAME", setup: true, parse: parseProfile},
		{form: "gate NAME on|off", setup: true, parse: parseGate},
		{form: "seed N", setup: true, parse: parseSeed},
		{form: "server", setup: true, parse: parseServer},
		{form: "informer NAME", setup: true, parse: parseInformer},
		{form: "exists KIND NS/NAME [LABEL=VALUE …]", setup: true, makes: world.Command{Kind: world.Create}, play: exists},

		{form: "create KIND NS/NAME [LABEL=VALUE …]", makes: world.Command{Kind: world.Create}, play: write, samples: []string{"create INFORMER default/new"}},
		{form: "update KIND NS/NAME [LABEL=VALUE …]", makes: world.Command{Kind: world.Update}, play: write, samples: []string{"update INFORMER KEY"}},
		{form: "delete KIND NS/NAME", makes: world.Command{Kind: world.Delete}, play: write, samples: []string{"delete INFORMER KEY"}},
		{form: "mutate [INFORMER] KEY [LABEL=VALUE …]", makes: world.Command{Kind: world.MutateCached}, play: mutate, samples: []string{"mutate INFORMER KEY"}},

		{form: "handler NAME [informer=INFORMER] [takes=TIME] [resync=TIME] [from=TIME] [until=TIME] [workqueue] [blind] [panics]",
			makes: world.Command{Kind: world.AddHandler, Handler: informer.Handler{Resync: -1}}, place: ofHandler, play: addHandler, samples: []string{"handler another takes=1ms"}},
		{form: "remove handler HANDLER", makes: world.Command{Kind: world.RemoveHandler}},
		{form: "takes HANDLER TIME|forever", makes: world.Command{Kind: world.PaceHandler}, samples: []string{"takes HANDLER 1s", "takes HANDLER 0s", "takes HANDLER forever"}},
		{form: "panic handler HANDLER", makes: world.Command{Kind: world.PanicHandler}},
		{form: "blind handler HANDLER [panics]", makes: world.Command{Kind: world.BlindHandler}, place: ofHandler, samples: []string{"blind handler HANDLER", "blind handler HANDLER panics"}},
		{form: "mend handler HANDLER", makes: world.Command{Kind: world.MendHandler}},
		{form: "fail reconciles [n=N|all] [key=KEY] [INFORMER]", makes: world.Command{Kind: world.FailReconciles, N: 1},
			samples: []string{"fail reconciles", "fail reconciles n=all", "fail reconciles n=all key=KEY", "fail reconciles n=0"}},
		{form: "add index LABEL [INFORMER]", makes: world.Command{Kind: world.AddIndex}, samples: []string{"add index app"}},
		{form: "remove index", parse: parseRemoveIndex},
		{form: "refuse tombstones [INFORMER]", makes: world.Command{Kind: world.RefuseTombstones}},
		{form: "kill process", makes: world.Command{Kind: world.KillProcess}},

		{form: "break watch [INFORMER]", makes: world.Command{Kind: world.BreakWatch}},
		{form: "silence watch [INFORMER]", makes: world.Command{Kind: world.SilenceWatch}},
		{form: "drop event [INFORMER]", makes: world.Command{Kind: world.DropEvent}},
		{form: "delay event TIME [INFORMER]", makes: world.Command{Kind: world.DelayEvent}, samples: []string{"delay event 5s"}},
		{form: "duplicate event [INFORMER]", makes: world.Command{Kind: world.DuplicateEvent}},
		{form: "swap events [INFORMER]", makes: world.Command{Kind: world.SwapEvents}},
		{form: "spoil event metadata [INFORMER]", makes: world.Command{Kind: world.SpoilMeta}},
		{form: "spoil event kind [INFORMER]", makes: world.Command{Kind: world.SpoilKind}},
		{form: "spoil event type [INFORMER]", makes: world.Command{Kind: world.SpoilType}},
		{form: "withhold initial end [INFORMER]", makes: world.Command{Kind: world.WithholdInitialEnd}},
		{form: "compact [INFORMER]", makes: world.Command{Kind: world.Compact}},
		{form: "restart server [down=TIME] [warm=TIME] [INFORMER]", makes: world.Command{Kind: world.RestartServer, N: second}, place: ofRestart,
			samples: []string{"restart server down=1s"}},
		{form: "restore server N [INFORMER]", makes: world.Command{Kind: world.RestoreServer}},
		{form: "lag server TIME|forever [INFORMER]", makes: world.Command{Kind: world.LagServer}, samples: []string{"lag server 5s", "lag server forever", "lag server 0s"}},
		{form: "fail requests FAILURE [n=N|all] [after=SECONDS] [INFORMER]", makes: world.Command{Kind: world.FailRequests, N: 1}, place: ofFailure,
			samples: []string{"fail requests expired", "fail requests toomany", "fail requests toomany after=5s", "fail requests internal", "fail requests refused", "fail requests none"}},

		{form: "advance TIME", makes: world.Command{Kind: world.PassTime}, play: advance, samples: []string{"advance 30s"}},
		{form: "advance to TIME", makes: world.Command{Kind: world.PassTime}, play: advanceTo},
		{form: "let time pass to TIME", makes: world.Command{Kind: world.PassTime}, play: letPass},
		{form: "run", parse: parseRun, samples: []string{"run", "run until pop KEY", "run until call HANDLER", "run until synced", "run random 1"}},
		{form: "step", parse: parseStep, samples: []string{"step", "step ACTOR"}},
		{form: "stop [INFORMER]", makes: world.Command{Kind: world.StopInformer}},
		{form: "start again [INFORMER]", makes: world.Command{Kind: world.RunAgain}},
		{form: "start factory", makes: world.Command{Kind: world.StartFactory}},
		{form: "steps take no time", makes: world.Command{Kind: world.TakeNoTime}},

		{form: "log", parse: parseLog},
		{form: "show", parse: parseShow, samples: subjectSamples("show ")},
		{form: "expect", parse: parseExpect, samples: []string{"expect queue []", "expect store [KEY]"}},
		{form: "can", parse: parseCan, samples: []string{"can HANDLER OnUpdate KEY", "can pop KEY", "can call HANDLER"}},

		{form: "queue add KEY [LABEL=VALUE …]", makes: world.Command{Kind: world.QueueAdd}, play: queueCall},
		{form: "queue update KEY [LABEL=VALUE …]", makes: world.Command{Kind: world.QueueUpdate}, play: queueCall},
		{form: "queue delete KEY [LABEL=VALUE …]", makes: world.Command{Kind: world.QueueDelete}, play: queueCall},
		{form: "queue replace [KEY …]", makes: world.Command{Kind: world.QueueReplace}, play: queueCall},
		{form: "queue known none", makes: world.Command{Kind: world.QueueUnknown}, play: queueCall},
		{form: "queue pop", makes: world.Command{Kind: world.QueuePop}, play: queueCall},
		{form: "queue pop fails", makes: world.Command{Kind: world.QueuePopFails}, play: queueCall},
		{form: "queue pop errs", makes: world.Command{Kind: world.QueuePopErrs}, play: queueCall},
		{form: "queue retry", makes: world.Command{Kind: world.QueueRetry}, play: queueCall},
		{form: "queue resync", makes: world.Command{Kind: world.QueueResync}, play: queueCall},
		{form: "queue close", makes: world.Command{Kind: world.QueueClose}, play: queueCall},
		{form: "notify add KEY [LABEL=VALUE …]", makes: world.Command{Kind: world.NotifyAdd}, play: notifyCall},
		{form: "notify update KEY [LABEL=VALUE …]", makes: world.Command{Kind: world.NotifyUpdate}, play: notifyCall},
		{form: "notify delete KEY", makes: world.Command{Kind: world.NotifyDelete}, play: notifyCall},
		{form: "work add KEY", makes: world.Command{Kind: world.WorkAdd}, play: workCall},
		{form: "work after KEY TIME", makes: world.Command{Kind: world.WorkAddAfter}, play: workCall},
		{form: "work limited KEY [times=TIMES]", makes: world.Command{Kind: world.WorkAddRateLimited}, play: workCall},
		{form: "work get", makes: world.Command{Kind: world.WorkGet}, play: workCall},
		{form: "work done KEY", makes: world.Command{Kind: world.WorkDone}, play: workCall},
		{form: "work forget KEY", makes: world.Command{Kind: world.WorkForget}, play: workCall},
		{form: "work wait TIME", makes: world.Command{Kind: world.WorkWait}, play: workCall},
		{form: "work shutdown", makes: world.Command{Kind: world.WorkShutDown}, play: workCall},
		{form: "work shutdown drain", makes: world.Command{Kind: world.WorkShutDownWithDrain}, play: workCall},
	}
	for i := range commands {
		commands[i].split()
	}
}

// ofHandler, ofRestart and ofFailure are where commands have the values of their options.
func ofHandler(c *world.Command, option string) any {
	switch h := &c.Handler; option {
	case "takes":
		return &h.Takes
	case "resync":
		return &h.Resync
	case "from":
		return &h.From
	case "until":
		return &h.Until
	case "blind":
		return &h.Blind
	case "panics":
		return &h.Panics
	default:
		return &h.Workqueue
	}
}

func ofRestart(c *world.Command, option string) any {
	if option == "warm" {
		return &c.Warm
	}
	return &c.N
}

func ofFailure(c *world.Command, option string) any {
	if option == "after" {
		return &c.RetryAfter
	}
	return &c.N
}

// Line writes a line that does a kind of thing, with the values of its slots in
// their order. A slot that may be left out is left out if its value is "" or
// not given.
func Line(kind world.CommandKind, values ...string) string {
	for i := range commands {
		if c := &commands[i]; c.makes.Kind == kind && !c.setup {
			return c.fill(values)
		}
	}
	return ""
}

// command finds the command with which a line begins. Of two that fit, it is the
// one with more words.
func (p *line) command() (*command, error) {
	var found *command
	var words []string // the words that may follow those that fit
	at := 0
	for i := range commands {
		c := &commands[i]
		n := 0
		for n < c.words && n < len(p.words) && p.words[n].text == c.parts[n].name {
			n++
		}
		switch {
		case n == c.words:
			if found == nil || n > found.words {
				found = c
			}
		case n > at:
			at, words = n, []string{c.parts[n].name}
		case n == at && n > 0 && !slices.Contains(words, c.parts[n].name):
			words = append(words, c.parts[n].name)
		}
	}
	switch {
	case found != nil:
		p.i = found.words
		return found, nil
	case at == 0:
		return nil, p.fail(p.words[0], fault.Quoted("noCommand name", p.words[0].text))
	}
	p.i = at
	if !p.more() {
		return nil, Error{p.n, p.end, missing(oneOf(words))}
	}
	return nil, p.fail(p.words[at], wants(oneOf(words)))
}
