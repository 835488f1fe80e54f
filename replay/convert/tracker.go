package convert

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/replay/trace"
)

// tracker knows which objects are alive, for formats that don't say whether an object
// was added or modified.
type tracker struct {
	live  map[objectKey]*known
	limit int

	resources map[resource]*resource // as they are asked for, for objectKeys
	last      *resource
}

// objectKey names an object. Two that are made by the same tracker are equal if
// they name the same.
type objectKey struct {
	r               *resource
	namespace, name string
}

func (t *tracker) key(r resource, namespace, name string) objectKey {
	if r = r.asked(); t.last == nil || *t.last != r {
		if t.last = t.resources[r]; t.last == nil {
			if t.resources == nil {
				t.resources = map[resource]*resource{}
			}
			t.last = &r
			t.resources[r] = t.last
		}
	}
	return objectKey{t.last, namespace, name}
}

type known struct {
	uid, rv string
	raw     []byte // nil if the tracker doesn't keep it
	dump    int    // the last dump with the object in it
}

// seen says what an object is to a tracker.
type seen uint8

const (
	same       seen = iota // the known version
	added                  // unknown until now
	modified               // known in another version
	recreated              // known by its name, with another uid
	fromBefore             // older than the known version
)

// see records an object, and says what happened to it. It copies the strings of o.
func (t *tracker) see(r resource, o *trace.Object) (objectKey, seen, error) {
	m := &o.Metadata
	k := t.key(r, m.Namespace, m.Name)
	old, ok := t.live[k]
	switch {
	case !ok:
		if len(t.live) >= t.limit {
			return k, same, fatal(fmt.Errorf("more than %d objects are alive at once, which is the limit", t.limit))
		}
		if t.live == nil {
			t.live = map[objectKey]*known{}
		}
		k.namespace, k.name = strings.Clone(m.Namespace), strings.Clone(m.Name)
		t.live[k] = &known{uid: strings.Clone(m.UID), rv: strings.Clone(m.ResourceVersion)}
		return k, added, nil
	case old.rv == m.ResourceVersion && old.uid == m.UID && m.ResourceVersion != "":
		return k, same, nil
	case old.uid == m.UID && number(m.ResourceVersion) != 0 && number(m.ResourceVersion) < number(old.rv):
		return k, fromBefore, nil
	}
	what := modified
	if old.uid != m.UID && old.uid != "" {
		what = recreated
	}
	old.uid, old.rv = strings.Clone(m.UID), strings.Clone(m.ResourceVersion)
	return k, what, nil
}

// keep holds on to an object's JSON.
func (t *tracker) keep(k objectKey, raw []byte, dump int) {
	old := t.live[k]
	old.raw, old.dump = bytes.Clone(raw), dump
}

// gone forgets an object.
func (t *tracker) gone(k objectKey) { delete(t.live, k) }

// number returns a resourceVersion as a revision of etcd, or 0 if it is no number.
func number(rv string) uint64 {
	n, err := strconv.ParseUint(rv, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// version is the resourceVersion that is known of an object, "" for none.
func (t *tracker) version(r resource, o *trace.Object) string {
	old := t.live[t.key(r, o.Metadata.Namespace, o.Metadata.Name)]
	if old == nil || old.uid != o.Metadata.UID {
		return ""
	}
	return old.rv
}
