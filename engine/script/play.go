package script

import "github.com/informerscope/informerscope/engine/script/syntax"

// reads has the functions that read the rest of an open line.
var parsers = [syntax.NumVerbs]func(*syntax.Parser) (func(*Runner) error, error){
	syntax.Profile:     parseProfile,
	syntax.Gate:        parseGate,
	syntax.Seed:        parseSeed,
	syntax.Server:      parseServer,
	syntax.Informer:    parseInformer,
	syntax.Controller:  parseController,
	syntax.Collector:   parseCollector,
	syntax.Replicas:    parseReplicas,
	syntax.RemoveIndex: parseRemoveIndex,
	syntax.Run:         parseRun,
	syntax.Step:        parseStep,
	syntax.Log:         parseLog,
	syntax.Show:        parseShow,
	syntax.Expect:      parseExpect,
	syntax.Can:         parseCan,
}

// plays has the functions that play all other lines.
var players = [syntax.NumVerbs]func(*Runner, *syntax.Parsed) error{
	syntax.CarryOut:      (*Runner).carryOut,
	syntax.Exists:        (*Runner).addExisting,
	syntax.WriteObject:   (*Runner).writeObject,
	syntax.Mutate:        (*Runner).mutate,
	syntax.AddHandler:    (*Runner).addHandler,
	syntax.Advance:       (*Runner).advance,
	syntax.AdvanceTo:     (*Runner).advanceTo,
	syntax.LetPass:       (*Runner).letTimePass,
	syntax.CallQueue:     (*Runner).callQueue,
	syntax.CallProcessor: (*Runner).callProcessor,
	syntax.CallWorkqueue: (*Runner).callWorkqueue,
}

// playing reads the rest of a line and returns the function that plays it.
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
