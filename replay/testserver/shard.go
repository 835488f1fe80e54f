package testserver

import (
	"fmt"
	"hash/fnv"
	"regexp"
	"strconv"
	"strings"
)

// shards is a shardSelector. The zero value selects everything.
type shards struct {
	field  string // "uid" or "namespace"
	ranges []hashRange
	text   string // as a list's ShardInfo has it
}

// hashRange are the hashes from first to last, both included.
type hashRange struct{ first, last uint64 }

// contains reports whether an object is in one of the shards, by the FNV-1a hash of its field.
func (s *shards) contains(meta tree) bool {
	if len(s.ranges) == 0 {
		return true
	}
	h := fnv.New64a()
	h.Write([]byte(text(meta, s.field)))
	hash := h.Sum64()
	for _, r := range s.ranges {
		if r.first <= hash && hash <= r.last {
			return true
		}
	}
	return false
}

// annotate writes into the metadata of a list which selector was applied.
func (s *shards) annotate(meta tree) {
	if s.text != "" {
		meta["shardInfo"] = tree{"selector": s.text}
	}
}

// shardRange is one range. A real server reads CEL, in which brackets and comments may stand around it.
var shardRange = regexp.MustCompile(`^\s*shardRange\s*\(\s*object\s*\.\s*metadata\s*\.\s*(uid|namespace)\s*,\s*['"]0x([0-9a-f]{16})['"]\s*,\s*['"]0x([0-9a-f]{16}|10000000000000000)['"]\s*\)\s*$`)

// shardSelector parses a shardSelector: ranges with || between them, all of one field.
func shardSelector(expr string) (s shards, f *failure) {
	if expr == "" {
		return s, nil
	}
	if len(expr) > maxSelector {
		return s, badRequest("the shard selector is too long")
	}
	for part := range strings.SplitSeq(expr, "||") {
		m := shardRange.FindStringSubmatch(part)
		if m == nil || s.field != "" && s.field != m[1] {
			return s, badRequest("invalid shard selector: %q; want shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000'), with || between ranges of one field", part)
		}
		first, _ := strconv.ParseUint(m[2], 16, 64)
		end, _ := strconv.ParseUint(m[3], 16, 64) // 2^64 is too large, and gives the largest number
		last := end
		if len(m[3]) == 16 {
			if end <= first {
				return s, badRequest("invalid shard selector: the range of %q ends before it begins", part)
			}
			last--
		}
		s.field, s.ranges = m[1], append(s.ranges, hashRange{first, last})
		if s.text != "" {
			s.text += " || "
		}
		s.text += fmt.Sprintf("shardRange(object.metadata.%s, '0x%s', '0x%s')", m[1], m[2], m[3])
	}
	return s, nil
}
