package findings

import (
	"bytes"
	"strings"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// noOpUpdates looks for updates that change nothing but metadata.managedFields and times, as heartbeats do. A hundred of
// them, and half of all updates, are more than a rollout leaves behind: something writes at intervals. An update is compared
// with the event before it of the same object, if no list has come between the two. Leases are there for heartbeats, and
// nothing is said of them, nor of Secrets and other objects from which something was taken out: that may have changed.
//
// Hashing an object takes about as long as reading it. So from a megabyte on, only every second key is followed, then every
// fourth, and so on, so that about one byte of 32 is looked at.
type noOpUpdates struct {
	base
	last              []content // by key
	mask              uint64    // keys whose mixed number has one of these bits are not followed
	looked, received  int64     // bytes since mask was set
	compared, updates int64
	key               string // of the first one
	from, to          Moment
	evidence          []Evidence
}

// The thresholds: updates that change nothing, and their share of those that were compared.
const noOps, noOpsOf = 100, 2

// At least so many bytes are looked at, and no more than one of so many.
const lookedAtLeast, lookedOf = 1 << 20, 32

// content is a version of an object.
type content struct {
	hash  uint64
	lists uint32 // that had come by then
	valid bool
}

func (n *noOpUpdates) record(x *reading, rec *trace.Record) {
	if !x.isChange(rec) || x.pass.o.Bytes == nil || x.r.Resource == "leases" ||
		len(x.pass.trace.Header.Redacted) > 0 && strings.Contains(x.r.Resource, "secret") {
		return
	}
	m := x.r.Table.Meta(rec.Obj)
	k, size := m.Key, int64(m.Source.Length)
	n.received += size
	if uint64(k+1)*0x9e3779b97f4a7c15>>40&n.mask != 0 {
		return
	}
	n.looked += size
	if n.looked > lookedAtLeast && n.looked*lookedOf > n.received {
		n.mask, n.looked, n.received = n.mask<<1|1, 0, 0
	}
	n.last = object.Grown(n.last, k)
	was := n.last[k]
	n.last[k] = content{}
	raw := x.raw(rec)
	if rec.Type == trace.TypeDeleted || raw == nil {
		return
	}
	h, ok := contentOf(raw)
	n.last[k] = content{h, x.server.lists, ok}
	if rec.Type != trace.TypeModified || !ok || !was.valid || was.lists != x.server.lists {
		return
	}
	n.compared++
	if was.hash != n.last[k].hash {
		return
	}
	now := x.now(rec)
	e := Evidence{Moment: now, Key: x.r.Table.KeyText(k)}
	if n.updates == 0 {
		n.key, n.from = e.Key, now
	}
	n.updates++
	n.to, n.evidence = now, show(n.evidence, e)
}

func (n *noOpUpdates) retire(k int) {
	if k < len(n.last) {
		n.last[k] = content{}
	}
}

func (n *noOpUpdates) find(x *reading) []Finding {
	if n.updates < noOps || n.updates*noOpsOf < n.compared {
		return nil
	}
	return []Finding{{
		Subject: Subject{Key: n.key}, From: n.from, To: n.to, Evidence: n.evidence,
		Counts: []Count{x.count("updates", n.updates), x.count("compared", n.compared)},
	}}
}

// contentOf returns a hash of what an object says beside its resourceVersion, its managedFields and times. There is none of an
// object that holds metadata alone, or from which package redact has taken something out: a change there isn't seen.
func contentOf(b []byte) (h uint64, ok bool) {
	from := 0
	met := false // metadata
	jsonscan.Fields(b, func(key []byte, at, until int) bool {
		switch {
		case jsonscan.IsKey(key, "metadata"):
			met = true
			jsonscan.Fields(b[at:until], func(key []byte, f, u int) bool {
				if jsonscan.IsKey(key, "managedFields") || jsonscan.IsKey(key, "resourceVersion") {
					h = withoutTimes(h, b[from:at+f])
					from = at + u
				}
				return true
			})
		case !jsonscan.IsKey(key, "kind") && !jsonscan.IsKey(key, "apiVersion"):
			ok = true
		}
		return !met || !ok
	})
	return withoutTimes(h, b[from:]), ok && !bytes.Contains(b, []byte("REDACTED"))
}

// withoutTimes adds JSON to a hash, without the values of fields that have times.
func withoutTimes(h uint64, b []byte) uint64 {
	for i := 0; ; {
		n := bytes.IndexByte(b[i:], 'Z')
		if n < 0 {
			return h*31 ^ object.Hash(b)
		}
		i += n + 1
		if from := timeFrom(b[:i]); from > 0 && i < len(b) && b[i] == '"' {
			h = h*31 ^ object.Hash(b[:from])
			b, i = b[i:], 0
		}
	}
}

// timeFrom returns where a time such as 2026-01-02T15:04:05Z begins, if b ends with one. Otherwise it returns 0. A time counts only
// in a field that a shared recording keeps, so that rules find the same in both.
func timeFrom(b []byte) int {
	const form, longest = "2026-01-02T15:04:05", len("2026-01-02T15:04:05.123456789Z")
	from := bytes.LastIndexByte(b[max(0, len(b)-longest-1):], '"') + 1
	if from == 0 {
		return 0
	}
	from += max(0, len(b)-longest-1)
	if len(b)-from <= len(form) {
		return 0
	}
	for i, c := range []byte(form) {
		if at := b[from+i]; c-'0' < 10 && at-'0' >= 10 || c-'0' >= 10 && at != c {
			return 0
		}
	}
	name := bytes.TrimRight(b[:from-1], " ")
	name, ok := bytes.CutSuffix(name, []byte{':'})
	if !ok {
		return 0
	}
	for _, suffix := range [...]string{`Time"`, `Timestamp"`, `"time"`} {
		if bytes.HasSuffix(name, []byte(suffix)) {
			return from
		}
	}
	return 0
}

// noOpWrites looks for controllers whose writes change nothing, so that no event tells of them. Twenty within ten minutes are one in half a
// minute, and half of all writes of the resource are no exception. The first write of an object by the process doesn't count: a server-side apply at the start is how some
// controllers compare.
func noOpWrites(w *work) *Finding {
	for i := range w.NoOps {
		x := &w.NoOps[i]
		if x.Times < manyNoOps || x.All*2 < x.Total || !w.timed() {
			continue
		}
		f := keyFinding(x.Key, x.From, x.To, w.count("times", x.Times), spanOf(x.From, x.To),
			w.count("all", x.All), w.count("writes", x.Total))
		f.Other, f.Message, f.Lacks = x.Resource, x.Object, x.Verb
		f.Evidence = show(f.Evidence, controllerEvidence(x.To, x.Object, 0))
		return f
	}
	return nil
}

// manyNoOps is the threshold: writes within ten minutes.
const manyNoOps = 20
