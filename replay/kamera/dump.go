// Package kamera asks whether a race that kamera has found survives the machine around a controller. kamera explores
// which reconcile comes next and which versions it reads. It has neither queues nor informers: a key can be
// reconciled as soon as something is written, in any order, with any older view of any kind. Here the writes of a path
// of kamera's inspector dump come to informers, handlers and a workqueue, and the reconciles are what they were: of
// each it is known what it read and what it wrote. The explorer looks for a schedule in which the reconciles of each
// controller begin in the path's order, and each with the caches that it had.
//
// Each controller is a process of its own, as it has a view of its own in kamera. Processes meet at the API server
// only, and what comes to a cache may come as late as it likes. So a path survives if each of its controllers
// can go its part of it, and the controllers are looked at one after the other.
package kamera

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
)

// Limits of a dump.
const (
	maxBytes  = 256 << 20
	maxSteps  = 1000 // of a path
	maxWrites = 2000 // of a path, with the objects that were there before
)

// Errors of a dump.
var (
	ErrNoDump = errors.New("this is no inspector dump of kamera: it has no paths")
	ErrLarge  = errors.New("the dump is larger than 256 MB")
)

// Dump is what kamera's SaveInspectorDump has written.
type Dump struct {
	objects map[hash]*manifest
	paths   []path
}

// Looks reports whether a text begins as an inspector dump does.
func Looks(head []byte) bool {
	s := strings.TrimLeft(string(head[:min(len(head), 4096)]), " \t\r\n")
	return strings.HasPrefix(s, "{") && (hasMember(s, "objects") || hasMember(s, "states") || hasMember(s, "context"))
}

// hasMember reports whether the first member of a JSON object has a name.
func hasMember(s, name string) bool {
	return strings.HasPrefix(strings.TrimLeft(s[1:], " \t\r\n"), `"`+name+`"`)
}

// Read reads a dump.
func Read(r io.Reader) (*Dump, error) {
	var file struct {
		Objects []struct {
			Hash   hash
			Object *manifest
		}
		States []struct {
			ID    string
			Paths [][]*result
		}
	}
	limited := &io.LimitedReader{R: r, N: maxBytes}
	if err := json.NewDecoder(limited).Decode(&file); err != nil {
		if limited.N == 0 {
			err = ErrLarge
		}
		return nil, err
	}
	d := &Dump{objects: map[hash]*manifest{}}
	for _, o := range file.Objects {
		if o.Object != nil {
			d.objects[o.Hash] = o.Object
		}
	}
	for _, s := range file.States {
		for _, results := range s.Paths {
			results = slices.DeleteFunc(results, func(r *result) bool { return r == nil })
			if len(results) > 0 && len(results) <= maxSteps {
				d.paths = append(d.paths, path{s.ID, results})
			}
		}
	}
	if len(d.paths) == 0 {
		return nil, ErrNoDump
	}
	return d, nil
}

// Paths is how many paths there are, over all states.
func (d *Dump) Paths() int { return len(d.paths) }

// large reports whether a path has more writes than are played.
func (p *path) large() bool {
	n := len(p.results[0].StateBefore)
	for _, r := range p.results {
		n += len(r.Changes.Effects) + len(r.Changes.ObjectVersions)
	}
	return n > 2*maxWrites
}

// path is one way to a state.
type path struct {
	state   string
	results []*result
}

// result is a reconcile of a path.
type result struct {
	ControllerID string
	Error        string
	Changes      struct {
		ObjectVersions []version
		Effects        []effect
		Observations   []effect // reads; dumps of older releases have none
	}
	StateBefore       []version        // what the API server had
	KindSeqBefore     map[string]int64 // by kind, the number of the last write that the controller saw
	PendingReconciles []pending        // afterwards
}

type version struct {
	Key  key
	Hash hash
}

type effect struct {
	OpType  string // GET, LIST, CREATE, UPDATE, PATCH, APPLY, DELETE (which only marks) or REMOVE
	Key     key
	Version hash
}

type pending struct{ ReconcilerID, Namespace, Name, Source string }

type hash struct{ Value, Strategy string }

// key is a CompositeKey. Older releases wrote no kind.
type key struct {
	IdentityGroup, IdentityKind, ResourceGroup, ResourceKind string
	Namespace, Name                                          string
}

type manifest struct {
	APIVersion, Kind string
	Metadata         struct {
		Name, Namespace string
		Finalizers      []string
		OwnerReferences []struct{ APIVersion, Kind, Name string }
	}
}

// kind is a kind with its API group, which is "" for the core group.
type kind struct{ group, name string }

func (k kind) String() string {
	if k.group == "" {
		return k.name
	}
	return k.name + "." + k.group
}

// kindOf is the kind that an apiVersion and a kind name.
func kindOf(apiVersion, name string) kind {
	group, _, versioned := strings.Cut(apiVersion, "/")
	if !versioned {
		group = ""
	}
	return kind{group, name}
}

// canonical is the kind that kamera writes as GROUP/KIND, with core for the core group.
func canonical(text string) kind {
	i := strings.LastIndexByte(text, '/')
	if i < 0 {
		return kind{"", text}
	}
	if text[:i] == "core" {
		return kind{"", text[i+1:]}
	}
	return kind{text[:i], text[i+1:]}
}

// thing is an object of a kind, by its name.
type thing struct {
	kind kind
	key  string // namespace/name, or the name of an object without a namespace
}

func (t thing) String() string { return t.kind.String() + " " + t.key }

// thing is the object that a key names. The version says what the key leaves out.
func (d *Dump) thing(k key, v hash) thing {
	t := thing{kind{k.ResourceGroup, k.ResourceKind}, keyText(k.Namespace, k.Name)}
	if t.kind.name == "" {
		t.kind = kind{k.IdentityGroup, k.IdentityKind}
	}
	if o := d.objects[v]; o != nil {
		if t.kind.name == "" {
			t.kind = kindOf(o.APIVersion, o.Kind)
		}
		if o.Metadata.Name != "" {
			t.key = keyText(o.Metadata.Namespace, o.Metadata.Name)
		}
	}
	if t.kind.group == "core" {
		t.kind.group = ""
	}
	return t
}

func keyText(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}
