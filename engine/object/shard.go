package object

import (
	arith "math/bits"
	"strconv"
	"strings"
)

// Shard selects objects by the hash of one field: the hashes are parted into Total equal ranges, and a Shard selects those in
// one of them. NewShardRangeSelector of k8s.io/apimachinery/pkg/sharding makes such a selector. The zero Shard selects every
// object.
type Shard struct {
	Key   ShardKey
	Index int16 // from 0
	Total int16 // 0 for no selector
}

// ShardKey is the field whose hash a [Shard] takes.
type ShardKey uint8

// The fields that there are.
const (
	ShardByUID       ShardKey = iota // object.metadata.uid
	ShardByNamespace                 // object.metadata.namespace

	NumShardKeys
)

// String returns the name of the field below metadata.
func (k ShardKey) String() string { return [NumShardKeys]string{"uid", "namespace"}[k] }

// Empty reports whether s selects every object, since there is no selector.
func (s Shard) Empty() bool { return s.Total == 0 }

// Name returns the number of the shard and how many there are, such as 0/3. One that isn't by uid begins with its field. It
// is empty where there is no selector.
func (s Shard) Name() string {
	if s.Empty() {
		return ""
	}
	name := strconv.Itoa(int(s.Index)) + "/" + strconv.Itoa(int(s.Total))
	if s.Key != ShardByUID {
		name = s.Key.String() + ":" + name
	}
	return name
}

// bound returns where range i of all begins: i/Total of 2^64. i must be less than Total.
func (s Shard) bound(i int16) uint64 {
	start, _ := arith.Div64(uint64(i), 0, uint64(s.Total))
	return start
}

// Matches reports whether s selects the object of the row r, as Matches of sharding.Selector does.
func (s Shard) Matches(t *Table, r Ref) bool {
	if s.Total == 0 {
		return true
	}
	field := t.rows[r].uid
	if s.Key == ShardByNamespace {
		field = t.rows[r].namespace
	}
	hash := uint64(14695981039346656037) // FNV-1a of 64 bits, as HashField
	for _, b := range t.syms.bytes(int32(field)) {
		hash = (hash ^ uint64(b)) * 1099511628211
	}
	return hash >= s.bound(s.Index) && (s.Index+1 == s.Total || hash < s.bound(s.Index+1))
}

// Selector returns the text of the selector, as it stands in the parameter shardSelector of a request.
func (s Shard) Selector() string {
	hex := func(n uint64) string {
		text := strconv.FormatUint(n, 16)
		return "'0x" + strings.Repeat("0", 16-len(text)) + text + "'"
	}
	end := "'0x10000000000000000'"
	if s.Index+1 < s.Total {
		end = hex(s.bound(s.Index + 1))
	}
	return "shardRange(object.metadata." + s.Key.String() + ", " + hex(s.bound(s.Index)) + ", " + end + ")"
}
