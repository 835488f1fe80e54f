package findings

import (
	"sort"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// fields counts which fields of one object change from version to version. It knows of the last version a hash of each.
type fields struct {
	last     []hashed
	changed  map[string]int64
	versions int
}

type hashed struct {
	path string
	hash uint64
}

const (
	// fieldsDeep is how many names a path has at most, such as metadata.annotations.note. What is below is one field.
	fieldsDeep = 3
	// mostFields is how many fields of an object are looked at, and of how many names the changes are counted.
	mostFields = 256
	// mostVersions is how many versions are compared. By then it is clear what changes.
	mostVersions = 500
	// namedFields is how many a finding names.
	namedFields = 3
)

// add compares the version of a record with the last one. Nothing is known of what isn't at hand.
func (f *fields) add(x *reading, rec *trace.Record) {
	if f.versions == mostVersions {
		return
	}
	raw := x.raw(rec)
	if raw == nil {
		f.last = nil
		return
	}
	now := fieldsOf(raw)
	if f.versions++; f.last != nil {
		f.compare(now)
	}
	f.last = now
}

// fieldsOf returns the fields of an object by their paths.
func fieldsOf(b []byte) (all []hashed) {
	eachField(b, "", 1, func(path string, value []byte) bool {
		all = append(all, hashed{path, object.Hash(value)})
		return len(all) < mostFields
	})
	sort.SliceStable(all, func(i, j int) bool { return all[i].path < all[j].path }) // slices.SortFunc adds 4 kB to the page's program for each type
	return all
}

// eachField calls f with the fields of an object, of those that hold objects with theirs, until f returns false.
func eachField(b []byte, above string, depth int, f func(path string, value []byte) bool) (more bool) {
	more = true
	jsonscan.Fields(b, func(key []byte, from, until int) bool {
		name, ok := jsonscan.Unquote(key)
		if !ok {
			return false
		}
		value, path := b[from:until], above+name
		if depth < fieldsDeep && value[0] == '{' {
			more = eachField(value, path+".", depth+1, f)
		} else {
			more = f(path, value)
		}
		return more
	})
	return more
}

// compare counts the fields that differ, those that came or went among them. What the API server changes with each write
// counts only where nothing else does.
func (f *fields) compare(now []hashed) {
	if f.changed == nil {
		f.changed = map[string]int64{}
	}
	any, managed := false, false
	count := func(path string) {
		switch path {
		case "metadata.managedFields":
			managed = true
			return
		case "metadata.resourceVersion", "metadata.generation":
			return
		}
		any = true
		f.count(path)
	}
	was := f.last
	for len(was)+len(now) > 0 {
		switch {
		case len(now) == 0 || len(was) > 0 && was[0].path < now[0].path:
			count(was[0].path)
			was = was[1:]
		case len(was) == 0 || now[0].path < was[0].path:
			count(now[0].path)
			now = now[1:]
		default:
			if was[0].hash != now[0].hash {
				count(now[0].path)
			}
			was, now = was[1:], now[1:]
		}
	}
	if managed && !any {
		f.count("metadata.managedFields")
	}
}

func (f *fields) count(path string) {
	if _, ok := f.changed[path]; ok || len(f.changed) < mostFields {
		f.changed[path]++
	}
}

// mostFrequent returns the fields that changed most often, each at least in every fourth version; nil if none is known.
func (f *fields) mostFrequent() (all []Field) {
	if f == nil {
		return nil
	}
	for path, n := range f.changed {
		if n*4 >= int64(f.versions) {
			all = append(all, Field{path, n})
		}
	}
	return highest(all)
}

// highest returns the fields with the highest numbers.
func highest(all []Field) []Field {
	sort.SliceStable(all, func(i, j int) bool {
		if all[i].N != all[j].N {
			return all[i].N > all[j].N
		}
		return all[i].Path < all[j].Path
	})
	return all[:min(len(all), namedFields)]
}
