package script

import "github.com/informerscope/informerscope/engine/script/syntax"

// reads has the functions that read the rest of an open line.
var reads = [syntax.NumVerbs]func(*syntax.Parser) (func(*Runner) error, error){
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
var plays = [syntax.NumVerbs]func(*Runner, *syntax.Made) error{
	syntax.CarryOut:      carryOut,
	syntax.Exists:        exists,
	syntax.WriteObject:   write,
	syntax.Mutate:        mutate,
	syntax.AddHandler:    addHandler,
	syntax.Advance:       advance,
	syntax.AdvanceTo:     advanceTo,
	syntax.LetPass:       letPass,
	syntax.CallQueue:     queueCall,
	syntax.CallProcessor: notifyCall,
	syntax.CallWorkqueue: workCall,
}

// playing reads the rest of a line and returns the function that plays it.
func playing(f *syntax.Form, p *syntax.Parser) (func(*Runner) error, error) {
	if f.Open {
		return reads[f.Verb](p)
	}
	m, err := f.Read(p)
	if err != nil {
		return nil, err
	}
	return func(r *Runner) error { return plays[f.Verb](r, m) }, nil
}
