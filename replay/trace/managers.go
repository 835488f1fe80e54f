package trace

import (
	"strings"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/jsonscan"
)

// FieldManager is an entry of an object's managedFields.
type FieldManager struct {
	Name        string
	Subresource string
	entry       uint64 // a hash of all but its fields
	size        int    // of its fields
}

// mostManagers is how many entries of an object are looked at.
const mostManagers = 64

// FieldManagers returns the managedFields of an object in JSON.
func FieldManagers(raw []byte) (all []FieldManager) {
	field(raw, "metadata", func(meta []byte) {
		field(meta, "managedFields", func(list []byte) {
			jsonscan.Elements(list, func(_, from, until int) bool {
				m, entry := FieldManager{}, list[from:until]
				jsonscan.Fields(entry, func(key []byte, at, end int) bool {
					value := entry[at:end]
					switch {
					case jsonscan.IsKey(key, "fieldsV1"):
						m.size = len(value)
						return true
					case jsonscan.IsKey(key, "manager"):
						name, _ := jsonscan.Unquote(value)
						m.Name = strings.Clone(name)
					case jsonscan.IsKey(key, "subresource"):
						name, _ := jsonscan.Unquote(value)
						m.Subresource = strings.Clone(name)
					}
					m.entry = (m.entry^object.Hash(key))*0x9e3779b97f4a7c15 ^ object.Hash(value)
					return true
				})
				all = append(all, m)
				return len(all) < mostManagers
			})
		})
	})
	return all
}

// field calls f with the value of a field of an object, if it is there.
func field(b []byte, name string, f func(value []byte)) {
	if from, until, ok := jsonscan.Field(b, name); ok {
		f(b[from:until])
	}
}

// WrittenBy returns the field manager that has made a version of an object of the one before it, nil where nobody can tell. A write that takes
// fields sets the time of its manager's entry, and of no other one. Within the same second it makes the entry longer. A write that only
// removes fields does neither.
func WrittenBy(was, now []FieldManager) (only *FieldManager) {
	for i := range now {
		m, size := &now[i], -1
		for j := range was {
			if was[j].entry == m.entry {
				size = max(size, was[j].size)
			}
		}
		switch {
		case m.size <= size:
		case only != nil:
			return nil
		default:
			only = m
		}
	}
	return only
}
