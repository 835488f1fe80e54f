// Package builtin knows the fields of Kubernetes' own kinds. It reads objects in protobuf, as controller-runtime writes them, and does
// strategic merge patches, as kubectl and client-go's recorder of events send them. It needs none of Kubernetes' modules: a test of
// replay/testserver/clientgo makes kinds.txt of k8s.io/api.
package builtin

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// kinds has a line for each type: its name, and its fields, each with its number in protobuf, its name in JSON, and what it holds.
// That is s, y, i or b for a string, bytes, an integer or a bool, or the name of a type. Before it stand [] for a list, {} for a map
// of strings, ? where zero is left out of JSON, and ! where a strategic merge patch replaces the object. A list that a strategic merge patch merges has the key of its objects within the
// brackets, or = for values. A field without a name is one whose fields belong to the object around it. A kind's name has its
// group and version before it.
//
//go:embed kinds.txt
var kinds string

type field struct {
	name, holds         string
	several, keyed, opt bool
	key                 string // by which a patch merges a list
	replaced            bool   // by a patch
}

// fields are the fields of a type, by number and by name.
type fields struct {
	numbers map[int]field
	names   map[string]field
}

// types returns the fields of each type.
var types = sync.OnceValue(func() map[string]*fields {
	all := map[string]*fields{}
	for line := range strings.Lines(kinds) {
		words := strings.Fields(line)
		t := &fields{map[int]field{}, map[string]field{}}
		for _, word := range words[1:] {
			number, rest, _ := strings.Cut(word, ":")
			n, _ := strconv.Atoi(number)
			var f field
			f.name, rest, _ = strings.Cut(rest, ":")
			rest, f.opt = strings.CutPrefix(rest, "?")
			rest, f.replaced = strings.CutPrefix(rest, "!")
			if rest, f.several = strings.CutPrefix(rest, "["); f.several {
				f.key, rest, _ = strings.Cut(rest, "]")
			}
			f.holds, f.keyed = strings.CutPrefix(rest, "{}")
			t.numbers[n], t.names[f.name] = f, f
		}
		all[words[0]] = t
	}
	return all
})

// Has reports whether a kind is one of Kubernetes' own.
func Has(apiVersion, kind string) bool { return types()[apiVersion+"/"+kind] != nil }
