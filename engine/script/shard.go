package script

import (
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

// sharding are the names of what a server does with shard selectors.
var sharding = []string{apiserver.AppliesShards: "applied", apiserver.IgnoresShards: "ignored", apiserver.MixesShards: "mixed"}

func readSharding(c *apiserver.SimConfig, v syntax.Word) error {
	i := slices.Index(sharding, v.Text)
	if i < 0 {
		return syntax.Invalid(v.Text, syntax.OneOf(sharding))
	}
	c.Shards = apiserver.Sharding(i)
	return nil
}

// uid returns the uid of an object that is created at a revision. Where informers have shards it is as random as one of
// an API server: the hash of short texts that differ at their end alone is nearly the same for all.
func (r *Runner) uid(revision int64) string {
	if !slices.ContainsFunc(r.cfg.Informers, func(c informer.Config) bool { return !c.Shard.Empty() }) {
		return "uid-" + strconv.FormatInt(revision, 10)
	}
	return world.RandomUID(revision)
}

// shardsLine is a parsed line of processes with shards.
type shardsLine struct {
	key       object.ShardKey
	processes int64 // those without a shard included
}

var shardsOptions = []syntax.Option[shardsLine]{
	{Name: "by", Read: func(l *shardsLine, v syntax.Word) (wrong error) {
		l.key, wrong = syntax.ReadShardKey(v.Text)
		return wrong
	}},
	{Name: "processes", Read: func(l *shardsLine, v syntax.Word) error { return syntax.ReadNumber(&l.processes, v, maxReplicas) }},
}

// parseShards parses the line of processes that have a shard each.
func parseShards(p *syntax.Parser) (func(*Runner) error, error) {
	w, err := p.Next(syntax.ANumber)
	if err != nil {
		return nil, err
	}
	n, ok := syntax.Number(w, maxReplicas)
	if !ok || n < 1 {
		return nil, p.Fail(w, syntax.WantsNumberTo(w.Text, maxReplicas))
	}
	var l shardsLine
	err = syntax.ReadOptions(p, &l, shardsOptions)
	return func(r *Runner) error { return r.addShards(int(n), l, p.Line) }, err
}

// addShards gives the informers that there are to a process, and each other process the same ones. The first n of
// them have a shard.
func (r *Runner) addShards(n int, l shardsLine, line int) error {
	for i := range r.cfg.Informers {
		if s, ok := r.cfg.Informers[i].Server.(*apiserver.Simulated); ok && s.Storage.Len() > 0 || !r.cfg.Informers[i].Shard.Empty() {
			return syntax.ErrorAt(line, 1, fault.Plain("shardsFirst"))
		}
	}
	processes := max(n, int(l.processes))
	if err := r.addReplicas(processes, nil, line); err != nil {
		return err
	}
	for i := range r.cfg.Informers {
		if first := i * processes / len(r.cfg.Informers); first < n {
			r.cfg.Informers[i].Shard = object.Shard{Key: l.key, Index: int16(first), Total: int16(n)}
		}
	}
	return nil
}
