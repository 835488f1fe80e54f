package objects

import (
	"bytes"
	"strings"

	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/remarks"
)

// First is the list that "kubectl get -w" begins with. kubectl prints its objects as if they
// had been added, in the order of their keys, and goes on with the watch in the same form.
type First struct {
	c     *Reader
	over  bool
	of    api.Resource
	items [][]byte
	rv    string // the newest resourceVersion of the items
	last  string // the key of the last item
}

// NewFirst returns the First of what c reads.
func NewFirst(c *Reader) *First { return &First{c: c} }

// Take takes a value that was decoded from b, if it can be an item of the list. If it can't, the
// list is over.
func (f *First) Take(v *Value, b []byte) bool {
	if f.over {
		return false
	}
	kind, apiVersion, m, raw := v.Kind, v.APIVersion, &v.Metadata, b
	switch {
	case v.Type == "ADDED" && firstObject(b) == "apiVersion":
		o := &v.Event.Object
		kind, apiVersion, m, raw = o.Kind, o.APIVersion, &o.Metadata, api.Member(b, "object")
	case v.Type != "" || strings.HasSuffix(kind, "List") || m.Name == "":
		return false
	}
	key := m.Namespace + "/" + m.Name // etcd sorts by these bytes
	r := f.c.ResourceOf(apiVersion, kind)
	if len(f.items) > 0 && (key <= f.last || r != f.of) {
		return false
	}
	f.of, f.last = r, key
	f.items = append(f.items, bytes.Clone(raw))
	if api.Number(m.ResourceVersion) >= api.Number(f.rv) {
		f.rv = strings.Clone(m.ResourceVersion)
	}
	return true
}

// End writes the list, if there is one.
func (f *First) End() error {
	if f.over = true; len(f.items) == 0 {
		return nil
	}
	items := f.items
	f.items = nil
	if err := f.c.Out.List(f.of, f.rv, items); err != nil {
		return err
	}
	v := &Value{}
	for _, item := range items {
		if err := v.Decode(item); err != nil {
			return err
		}
		o := v.Event.Object
		o.Kind, o.APIVersion, o.Metadata = v.Kind, v.APIVersion, v.Metadata
		if _, _, err := f.c.Live.See(f.of, &o); err != nil {
			return err
		}
	}
	return f.c.Remark(remarks.FirstByPause, int64(len(items)), "")
}

// Settle writes what c holds back, because nothing has come for a while.
func Settle(c *Reader) error { return capture.Fatal(c.flushLists()) }
