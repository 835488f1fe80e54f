package apiserver

import "github.com/informerscope/informerscope/engine/object"

// Sharding says what becomes of the shard selector of a request on its way to a [Simulated] server and there.
type Sharding uint8

const (
	// AppliesShards is a server with the feature ShardedListAndWatch, which is on from v1.38: it answers with what
	// the selector selects, and says so in ListMeta.ShardInfo. One that is Classic ignores them all the same.
	AppliesShards Sharding = iota
	// IgnoresShards is a server without it: it answers with everything, and there is no ShardInfo.
	IgnoresShards
	// MixesShards is a cache before the server which doesn't know the parameter: a request is answered with what the
	// next shard was answered.
	MixesShards
)

// ShardInfo is what ListMeta.ShardInfo of a list says to the client that has asked for a shard.
type ShardInfo uint8

const (
	NoShardInfo  ShardInfo = iota
	SameShard              // the selector of the request was applied
	AnotherShard           // another one was
)

// infoOf returns the ShardInfo of a list to which a shard was applied.
func infoOf(applied, asked object.Shard) ShardInfo {
	switch applied {
	case object.Shard{}:
		return NoShardInfo
	case asked:
		return SameShard
	}
	return AnotherShard
}

// applied returns the shard with which a request is answered that asks for one.
func (cfg *SimConfig) applied(asked object.Shard) object.Shard {
	switch {
	case asked.Empty(), cfg.Classic, cfg.Shards == IgnoresShards:
		return object.Shard{}
	case cfg.Shards == MixesShards:
		asked.Index = (asked.Index + 1) % asked.Total
	}
	return asked
}
