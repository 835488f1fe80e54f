package capture

import (
	"bytes"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/trace"
)

// Tracker knows which objects are alive, for formats that don't say whether an object
// was added or modified.
type Tracker struct {
	Objects map[ObjectKey]*KnownObject // that are alive
	Limit   int                        // of their number

	resources map[api.Resource]*api.Resource // as they are asked for, for ObjectKeys
	last      *api.Resource
}

// ObjectKey names an object. Two that are made by the same Tracker are equal if
// they name the same.
type ObjectKey struct {
	R               *api.Resource
	Namespace, Name string
}

// Key returns the key of an object.
func (t *Tracker) Key(r api.Resource, namespace, name string) ObjectKey {
	if t.last == nil || !t.last.EqualWithoutKind(&r) {
		r = r.WithoutKind()
		if t.last = t.resources[r]; t.last == nil {
			if t.resources == nil {
				t.resources = map[api.Resource]*api.Resource{}
			}
			t.last = &r
			t.resources[r] = t.last
		}
	}
	return ObjectKey{t.last, namespace, name}
}

// KnownObject is what a Tracker knows of an object.
type KnownObject struct {
	UID, RV string
	Raw     []byte // nil if the Tracker doesn't keep it
	Dump    int    // the last dump with the object in it
}

// Status says what an object is to a Tracker.
type Status uint8

const (
	SameVersion  Status = iota // the known version
	Added                      // unknown until now
	Modified                   // known in another version
	Recreated                  // known by its name, with another uid
	OlderVersion               // older than the known version
)

// Record records an object, and says what happened to it. It copies the strings of o.
func (t *Tracker) Record(r api.Resource, o *trace.Object) (ObjectKey, Status, error) {
	m := &o.Metadata
	k := t.Key(r, m.Namespace, m.Name)
	old, ok := t.Objects[k]
	switch {
	case !ok:
		if len(t.Objects) >= t.Limit {
			return k, SameVersion, Fatal(TooManyObjects(t.Limit))
		}
		if t.Objects == nil {
			t.Objects = map[ObjectKey]*KnownObject{}
		}
		k.Namespace, k.Name = strings.Clone(m.Namespace), strings.Clone(m.Name)
		t.Objects[k] = &KnownObject{UID: strings.Clone(m.UID), RV: strings.Clone(m.ResourceVersion)}
		return k, Added, nil
	case old.RV == m.ResourceVersion && old.UID == m.UID && m.ResourceVersion != "":
		return k, SameVersion, nil
	case old.UID == m.UID && api.Number(m.ResourceVersion) != 0 && api.Number(m.ResourceVersion) < api.Number(old.RV):
		return k, OlderVersion, nil
	}
	what := Modified
	if old.UID != m.UID && old.UID != "" {
		what = Recreated
	}
	if old.UID != m.UID {
		old.UID = strings.Clone(m.UID)
	}
	old.RV = strings.Clone(m.ResourceVersion)
	return k, what, nil
}

// Retain holds on to an object's JSON.
func (t *Tracker) Retain(k ObjectKey, raw []byte, dump int) {
	old := t.Objects[k]
	old.Raw, old.Dump = bytes.Clone(raw), dump
}

// Forget forgets an object.
func (t *Tracker) Forget(k ObjectKey) { delete(t.Objects, k) }

// Version returns the resourceVersion that is known of an object, or "" if none is.
func (t *Tracker) Version(r api.Resource, o *trace.Object) string {
	old := t.Objects[t.Key(r, o.Metadata.Namespace, o.Metadata.Name)]
	if old == nil || old.UID != o.Metadata.UID {
		return ""
	}
	return old.RV
}

// TooManyObjects says that a limit of the number of objects has been reached.
func TooManyObjects(limit int) error {
	return fault.Number("manyAlive max", int64(limit))
}
