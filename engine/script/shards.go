package script

import (
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script/syntax"
)

// sharding are the names of what a server does with shard selectors.
var sharding = []string{apiserver.AppliesShards: "applied", apiserver.IgnoresShards: "ignored", apiserver.MixesShards: "mixed"}

func readSharding(c *apiserver.SimConfig, v syntax.Word) error {
	i := slices.Index(sharding, v.Text)
	if i < 0 {
		return syntax.Wants(syntax.OneOf(sharding))
	}
	c.Shards = apiserver.Sharding(i)
	return nil
}

// maxShards is the most that the processes of a script may be.
const maxShards = 64

// readShard reads INDEX/TOTAL, behind namespace: or uid: for the field whose hash counts.
func readShard(v syntax.Word) (s object.Shard, wrong error) {
	of := v.Text
	if key, rest, keyed := strings.Cut(of, ":"); keyed {
		of = rest
		switch key {
		case object.ShardByUID.String():
		case object.ShardByNamespace.String():
			s.Of = object.ShardByNamespace
		default:
			return s, fault.Plain("expectedShard")
		}
	}
	index, total, _ := strings.Cut(of, "/")
	i, isIndex := syntax.Number(syntax.Word{Text: index}, maxShards)
	n, isTotal := syntax.Number(syntax.Word{Text: total}, maxShards)
	if !isIndex || !isTotal || i >= n {
		return s, fault.Plain("expectedShard")
	}
	s.Index, s.Total = int16(i), int16(n)
	return s, nil
}

// sharded reports whether an informer has a shard.
func (r *Runner) sharded() bool {
	return slices.ContainsFunc(r.cfg.Informers, func(c informer.Config) bool { return !c.Shard.Empty() })
}

// uid returns the uid of an object that is created at a revision. Where informers have shards it is as random as one of
// an API server: the hash of short texts that differ at their end alone is nearly the same for all.
func (r *Runner) uid(revision int64) string {
	if !r.sharded() {
		return "uid-" + strconv.FormatInt(revision, 10)
	}
	random := actor.Rand(revision)
	text := []byte("xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx")
	for i, c := range text {
		if c == 'x' {
			text[i] = "0123456789abcdef"[random.Below(16)]
		}
	}
	return string(text)
}
