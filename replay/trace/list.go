package trace

import (
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/jsonscan"
)

// List is a list's own part of the JSON; its items are read one by one. Its strings are parts of the JSON.
type List struct {
	Kind            string
	APIVersion      string
	ResourceVersion string
	Continue        string // there are more pages
}

// Decode reads l from b, which must be JSON.
func (l *List) Decode(b []byte) error {
	*l = List{}
	r := jsonscan.NewReader(b)
	for name := range r.Fields("kind", "apiVersion", "metadata") {
		switch name {
		case "kind":
			r.Text(&l.Kind)
		case "apiVersion":
			r.Text(&l.APIVersion)
		case "metadata":
			for name := range r.Fields("resourceVersion", "continue") {
				switch name {
				case "resourceVersion":
					r.Text(&l.ResourceVersion)
				case "continue":
					r.Text(&l.Continue)
				}
			}
		}
	}
	return Misread(r.End())
}

const errNoItems = fault.Plain("noItems")

// Items calls f for each item of the list in b, where its offset in the input
// is at. The item is decoded into o, which f must not use after it has
// returned. The Source is the item's own place. An item that is no object is
// passed over. The error is then the ItemError of the first such item, and all
// other items were read.
func Items(b []byte, at int64, o *Object, f func(src object.Source) error) error {
	from, to, ok := jsonscan.Field(b, "items")
	if !ok {
		return errNoItems
	}
	list := b[from:to]
	if string(list) == "null" {
		return nil
	}
	if list[0] != '[' {
		return errNoItems
	}
	var bad, err error
	jsonscan.Elements(list, func(n, i, j int) bool {
		if err := o.Decode(list[i:j]); err != nil {
			if bad == nil {
				bad = ItemError{n, err}
			}
			return true
		}
		err = f(object.Source{Offset: at + int64(from+i), Length: int32(j - i), Item: -2})
		return err == nil
	})
	if err != nil {
		return err
	}
	return bad
}

// IsList reports whether o, an item of kubectl's own kind List, is a list itself. An
// object whose kind merely ends like that has a name.
func IsList(o *Object) bool {
	return strings.HasSuffix(o.Kind, "List") && o.Metadata.Name == ""
}

// ItemError says which item of a list is no object, counted from 0.
type ItemError struct {
	Item int
	Err  error
}

// Error returns the English sentence.
func (e ItemError) Error() string { return e.Fault().Error() }

// Fault returns the error with an id.
func (e ItemError) Fault() error { return fault.New("inItem item why", e.Item, e.Err) }

// Unwrap returns the decoder's error.
func (e ItemError) Unwrap() error { return e.Err }

// AddItems appends the items of the list in b as records.
func (r *Resource) AddItems(when int64, request int32, b []byte, at int64, o *Object) error {
	return Items(b, at, o, func(src object.Source) error {
		r.AddItem(when, request, o, src)
		return nil
	})
}

// AddItem appends an item of a list as a record.
func (r *Resource) AddItem(when int64, request int32, o *Object, src object.Source) {
	ref := r.Intern(o, src)
	rv := r.Table.RVOf(ref)
	r.listed(rv)
	h := hashOf(&o.Metadata)
	r.gaps.names.set(r.gaps.names.of(h), name{hash: h, uid: r.Table.UIDOf(ref), state: alive})
	r.Append(Record{At: when, Request: request, Kind: ListItem, Obj: ref, RV: rv})
}
