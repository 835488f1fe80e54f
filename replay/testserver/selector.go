package testserver

import (
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/indexer"
)

// maxSelector is how long a selector may be, in bytes.
const maxSelector = 64 << 10

// inSelector are the characters that a label selector may have.
const inSelector = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./ \t(),!=<>"

// labelSelector parses a labelSelector as the server does.
func labelSelector(text string) (indexer.Selector, *failure) {
	if len(text) > maxSelector {
		return nil, badRequest("the label selector is too long")
	}
	if strings.Trim(text, inSelector) != "" {
		return nil, badRequest("unable to parse requirement: %q", text)
	}
	s, err := indexer.ParseSelector(text)
	if err != nil {
		return nil, badRequest("%v", err)
	}
	return s, nil
}

// fieldRequirement is one part of a field selector: a field has a value, or hasn't.
type fieldRequirement struct {
	key, value string
	not        bool
}

func (q fieldRequirement) matches(value string) bool { return (value == q.value) != q.not }

// fieldSelector parses a fieldSelector: a=b, a==b and a!=b, with commas between them, in
// which a backslash keeps the next character.
func (r *Resource) fieldSelector(text string) ([]fieldRequirement, *failure) {
	if len(text) > maxSelector {
		return nil, badRequest("the field selector is too long")
	}
	var all []fieldRequirement
	for len(text) > 0 {
		i := strings.IndexAny(text, "=!,")
		if i < 0 || text[i] == ',' {
			return nil, badRequest("invalid field selector: %q; can't understand it", text)
		}
		q := fieldRequirement{key: strings.TrimSpace(text[:i])}
		rest := text[i:]
		switch {
		case strings.HasPrefix(rest, "!="):
			q.not, rest = true, rest[2:]
		case strings.HasPrefix(rest, "=="):
			rest = rest[2:]
		case rest[0] == '=':
			rest = rest[1:]
		default:
			return nil, badRequest("invalid field selector: %q; can't understand it", text)
		}
		var value strings.Builder
		n := 0
		for ; n < len(rest) && rest[n] != ','; n++ {
			if rest[n] == '\\' && n+1 < len(rest) {
				n++
			}
			value.WriteByte(rest[n])
		}
		text = strings.TrimPrefix(rest[n:], ",")
		if q.key != "metadata.name" && (q.key != "metadata.namespace" || r.Cluster) && !slices.Contains(r.Fields, q.key) {
			return nil, badRequest("field label not supported: %s", q.key)
		}
		q.value = value.String()
		all = append(all, q)
	}
	return all, nil
}

// selection is which objects a request is for.
type selection struct {
	namespace string // "" for all
	labels    indexer.Selector
	fields    []fieldRequirement
	shards    shards
}

func (s *selection) matchesAll() bool {
	return s.namespace == "" && len(s.labels) == 0 && len(s.fields) == 0 && len(s.shards.ranges) == 0
}

func (s *selection) matches(o tree) bool {
	meta, _ := o["metadata"].(tree)
	if s.namespace != "" && meta["namespace"] != s.namespace {
		return false
	}
	if !s.shards.contains(meta) {
		return false
	}
	labels, _ := meta["labels"].(tree)
	if !s.labels.Matches(func(name string) (string, bool) { v, has := labels[name].(string); return v, has }) {
		return false
	}
	return !slices.ContainsFunc(s.fields, func(q fieldRequirement) bool { return !q.matches(fieldOf(o, q.key)) })
}

// fieldOf returns the text of a field, "" if it is not there.
func fieldOf(o tree, path string) string {
	var at any = o
	for _, name := range strings.Split(path, ".") {
		in, _ := at.(tree)
		at = in[name]
	}
	if at == nil {
		return ""
	}
	return fmt.Sprint(at)
}

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
