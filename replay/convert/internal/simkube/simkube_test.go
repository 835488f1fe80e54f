package simkube_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tinylib/msgp/msgp"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/convert/internal/simkube"
)

// kubeTrace makes a trace of SimKube, after the format's description. Objects
// are JSON.
type kubeTrace struct {
	version int
	events  []kubeEvent
	late    bool // an event's time comes after its objects
}

type kubeEvent struct {
	ts               int64
	applied, deleted []any
}

func (k kubeTrace) bytes() string {
	b := msgp.AppendMapHeader(nil, 5)
	b = msgp.AppendInt(msgp.AppendString(b, "version"), k.version)
	b = msgp.AppendMapHeader(msgp.AppendString(b, "config"), 1)
	b = msgp.AppendMapHeader(msgp.AppendString(b, "trackedObjects"), 1)
	b = msgp.AppendMapHeader(msgp.AppendString(b, "v1.Pod"), 0)
	b = msgp.AppendArrayHeader(msgp.AppendString(b, "events"), uint32(len(k.events)))
	for _, e := range k.events {
		b = msgp.AppendMapHeader(b, 4)
		ts := func() { b = msgp.AppendInt64(msgp.AppendString(b, "ts"), e.ts) }
		if !k.late {
			ts()
		}
		b = msgp.AppendNil(msgp.AppendString(b, "more"))
		for _, list := range []struct {
			name string
			all  []any
		}{{"applied_objs", e.applied}, {"deleted_objs", e.deleted}} {
			b = msgp.AppendArrayHeader(msgp.AppendString(b, list.name), uint32(len(list.all)))
			for _, o := range list.all {
				var err error
				if b, err = msgp.AppendIntf(b, o); err != nil {
					panic(err)
				}
			}
		}
		if k.late {
			ts()
		}
	}
	b = msgp.AppendMapHeader(msgp.AppendString(b, "index"), 0)
	b = msgp.AppendMapHeader(msgp.AppendString(b, "pod_lifecycles"), 1) // its keys are lists
	b = msgp.AppendInt(msgp.AppendArrayHeader(b, 1), 7)
	return string(msgp.AppendNil(b))
}

func kubeObject(kind, name string, spec map[string]any) any {
	return map[string]any{"apiVersion": "v1", "kind": kind, "metadata": map[string]any{"name": name, "namespace": "x"}, "spec": spec}
}

var kubeSample = kubeTrace{version: 2, events: []kubeEvent{
	{ts: 1710892138},
	{ts: 1710892138, applied: []any{kubeObject("Pod", "a", nil), kubeObject("Pod", "b", map[string]any{"i": -1, "u": uint64(1 << 63), "f": 1.5, "g": float32(0.5), "t": true, "z": nil, "s": "\"<é\x00", "b": []byte("hi"), "l": []any{1, "x", time.Unix(0, 0)}})}},
	{ts: 1710892140, applied: []any{kubeObject("Pod", "a", nil), kubeObject("Service", "s", nil)}},
	{ts: 1710892141, applied: []any{kubeObject("Pod", "c", nil)}, deleted: []any{kubeObject("Pod", "a", nil)}},
	{ts: 1710892142, applied: []any{kubeObject("Pod", "a", nil)}},
}}

func TestSimKube(t *testing.T) {
	const want = "simkube [pods v1 Pod: ListBegin 1 ListEnd 1 WatchOpen 1 ADDED 4 MODIFIED 1 DELETED 1, keys 3] [services v1 Service: ListBegin 1 ListEnd 1 WatchOpen 1 ADDED 1, keys 1]" +
		" (versionsMadeUp 0 ) (wholeSeconds 0 ) (appliedOnly 0 )"
	late := kubeSample
	late.late = true
	for _, k := range []kubeTrace{kubeSample, late} {
		out, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", k.bytes()))
		if got := converttest.Summary(tr, err); got != want {
			t.Fatalf("late %v:\n got %s\nwant %s", k.late, got, want)
		}
		const pods = "ADDED x/a/@1, ADDED x/b/@2, MODIFIED x/a/@3, ADDED x/c/@5, DELETED x/a/@6, ADDED x/a/@7"
		if got := converttest.Events(tr); got != pods {
			t.Errorf("\n got %s\nwant %s", got, pods)
		}
		const values = `"u":9223372036854775808`
		for _, want := range []string{values, `"i":-1`, `"f":1.5`, `"g":0.5`, `"t":true`, `"z":null`, `"s":"\"<é\u0000"`, `"b":"aGk="`, `"l":[1,"x","1970-01-01T00:00:00Z"]`} {
			if !strings.Contains(out, want) {
				t.Errorf("no %s in %s", want, out)
			}
		}
		r := tr.Resources[0].Records
		if got, want := r[len(r)-1].Time, int64(4*time.Second); got != want || tr.Header.Start != "2024-03-19T23:48:58Z" {
			t.Errorf("the trace ends after %d, want %d; it begins at %s", got, want, tr.Header.Start)
		}
	}
}

// A trace usually has no pods, and a remark says so.
func TestSimKubeWithoutPods(t *testing.T) {
	k := kubeTrace{version: 2, events: []kubeEvent{{ts: 5, applied: []any{kubeObject("Service", "s", nil)}}}}
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x.sktrace", k.bytes()))
	const want = "simkube [services v1 Service: ListBegin 1 ListEnd 1 WatchOpen 1 ADDED 1, keys 1] (versionsMadeUp 0 ) (wholeSeconds 0 ) (appliedOnly 0 ) (noPods 0 )"
	if got := converttest.Summary(tr, err); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestSimKubeDamage(t *testing.T) {
	whole := kubeSample.bytes()
	event := func(rest string) string {
		return "\x82\xa7version\x02\xa6events\x91\x82\xa2ts\x01\xacapplied_objs" + rest
	}
	for _, c := range []struct{ name, input, want string }{
		{"version 1", strings.Replace(whole, "version\x02", "version\x01", 1), "refused: x: the trace of SimKube is in version 1 of its format; version 2 is read"},
		{"cut", whole[:strings.LastIndex(whole, "\xa2ts")+20], "(cut byte 674: the input ends inside event 5)"},
		{"damaged", whole[:strings.LastIndex(whole, "\xa2ts")] + "\xc1\xc1", "(damaged byte 654: event 5: msgp: unrecognized type prefix 0xc1, and what comes after that can't be read)"},
		{"a huge string", event("\x91\x81\xa1a\xdb\xff\xff\xff\xff"), "refused: x: byte 45: event 1: a text is longer than 100000 bytes, which is the limit"},
		{"a huge binary", event("\x91\x81\xa1a\xc6\xff\xff\xff\xff"), "refused: x: byte 45: event 1: a text is longer than 100000 bytes, which is the limit"},
		{"a huge list", event("\xdd\xff\xff\xff\xff"), "refused: x: byte 41: the input ends inside event 1"},
		{"deep", event("\x91" + strings.Repeat("\x91", 5000)), "refused: x: byte 1038: event 1: the value nests deeper than 1000"},
		{"deep where it is passed over", "\x82\xa7version\x02\xaetrackedObjects" + strings.Repeat("\x91", 5000), "refused: x: byte 1026: what comes before the events: the value nests deeper than 1000"},
		{"an extension", event("\x91\x81\xa1a\xd4\x07\x00"), "refused: x: byte 43: event 1: a value is of a kind that JSON doesn't have"},
		{"not a number", event("\x91\x81\xa1a\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00"), "refused: x: byte 49: event 1: JSON can't hold a number that is infinite or NaN"},
		{"no name", event("\x91\x80"), "refused: x: byte 38: event 1: the object has no kind or no name"},
		{"a time out of range", "\x82\xa7version\x02\xa6events\x91\x82\xacapplied_objs\x90\xa2ts\xcf\x7f\xff\xff\xff\xff\xff\xff\xff", "refused: x: byte 45: event 1: the event's time is out of range"},
	} {
		_, tr, err := converttest.Converted(t, convert.Options{MaxLine: 100_000}, converttest.Text("x", c.input))
		if got := converttest.Summary(tr, err); !strings.Contains(got, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	if _, _, err := converttest.Converted(t, convert.Options{MaxObjects: 2}, converttest.Text("x", whole)); err == nil || !strings.Contains(err.Error(), "more than 2 objects are alive at once, which is the limit") {
		t.Errorf("with too many objects: %v", err)
	}
	_, tr, err := converttest.Converted(t, convert.Options{MaxLine: 150}, converttest.Text("x", whole))
	if got, want := converttest.Summary(tr, err), "ADDED 3 MODIFIED 1 DELETED 1, keys 2] [services v1 Service: ListBegin 1 ListEnd 1 WatchOpen 1 ADDED 1, keys 1] (versionsMadeUp 0 ) (wholeSeconds 0 ) (appliedOnly 0 )"+
		" (damaged byte 313: event 2: the object is longer than 150 bytes as JSON)"; !strings.Contains(got, want) {
		t.Errorf("with a large object:\n got %s\nwant %s", got, want)
	}
}

func FuzzSimKube(f *testing.F) {
	late := kubeSample
	late.late = true
	converttest.Fuzz(f, simkube.Form, kubeSample.bytes(), late.bytes())
}

// SimKube's maps have no order.
func TestMadeSamples(t *testing.T) {
	converttest.CheckTestdata(t, map[string]string{"made.sktrace": kubeSample.bytes()})
}
