package metadata

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// message is one of protobuf, in parts.
func message(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// b is a field of bytes, and v one of a number.
func b(field int, data []byte) []byte {
	out := binary.AppendUvarint(nil, uint64(field)<<3|2)
	return append(binary.AppendUvarint(out, uint64(len(data))), data...)
}

func s(field int, text string) []byte { return b(field, []byte(text)) }

func v(field int, n uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field)<<3), n)
}

func wrapped(apiVersion, kind string, raw []byte) []byte {
	return append(bytes.Clone(magic), message(b(1, message(s(1, apiVersion), s(2, kind))), b(2, raw), s(3, ""), s(4, ""))...)
}

// web is a Pod's metadata.
func web() []byte {
	return message(s(1, "web"), s(2, "w-"), s(3, "shop"), s(4, ""), s(5, "u1"), s(6, "17"), v(7, 3),
		b(8, v(1, 1763672802)), b(9, v(1, 1763672803)), v(10, 30),
		b(11, message(s(1, "app"), s(2, "web"))), b(11, message(s(1, "tier"), s(2, "a\"b"))),
		b(12, message(s(1, "k8s.io/initial-events-end"), s(2, "true"))), b(12, message(s(1, "secret"), s(2, "hunter2"))),
		b(13, message(s(1, "ReplicaSet"), s(3, "rs"), s(4, "u2"), s(5, "apps/v1"), v(6, 1), v(7, 1))),
		s(14, "a/b"), s(14, "c"), b(17, s(1, "kubectl")))
}

const webJSON = `"metadata":{"name":"web","generateName":"w-","namespace":"shop","uid":"u1","resourceVersion":"17","generation":3,` +
	`"creationTimestamp":"2025-11-20T21:06:42Z","deletionTimestamp":"2025-11-20T21:06:43Z","labels":{"app":"web","tier":"a\"b"},` +
	`"annotations":{"k8s.io/initial-events-end":"true"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u2","controller":true}],` +
	`"finalizers":["a/b","c"]}}`

const failure = `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old","reason":"Expired",` +
	`"details":{"name":"x","kind":"pods","uid":"u","causes":[{"reason":"ResourceVersionTooLarge","message":"m"}],"retryAfterSeconds":1},"code":410}`

func aStatus() []byte {
	return wrapped("v1", "Status", message(b(1, nil), s(2, "Failure"), s(3, "too old"), s(4, "Expired"),
		b(5, message(s(1, "x"), s(3, "pods"), b(4, message(s(1, "ResourceVersionTooLarge"), s(2, "m"))), v(5, 1), s(6, "u"))), v(6, 410)))
}

func event(typ string, object []byte) []byte {
	e := message(s(1, typ), b(2, b(1, object)))
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(e))), e...)
}

func TestProtobuf(t *testing.T) {
	pod := wrapped("v1", "Pod", message(b(1, web()), b(2, s(1, "spec"))))
	list := wrapped("v1", "PodList", message(b(1, message(s(2, "18"), s(3, "more"), v(4, 7))), b(2, b(1, web())), b(2, b(1, s(1, "b")))))
	for _, c := range []struct {
		in   []byte
		want string
	}{
		{list, `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"18","continue":"more","remainingItemCount":7},"items":[{` + webJSON + `,{"metadata":{"name":"b"}}]}`},
		{wrapped("v1", "PodList", nil), `{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[]}`},
		{aStatus(), failure},
		{pod, `{"kind":"Pod","apiVersion":"v1",` + webJSON},
	} {
		got, err := AppendAnswer(nil, Protobuf, c.in, 1<<20)
		if err != nil || string(got) != c.want || !json.Valid(got) {
			t.Errorf("%v, got\n%s\nwant\n%s", err, got, c.want)
		}
	}
	stream := append(event("ADDED", pod), event("ERROR", aStatus())...)
	for _, want := range []string{`{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1",` + webJSON + `}`, `{"type":"ERROR","object":` + failure + `}`} {
		n, err := Frame(Protobuf, stream, 1<<20)
		if err != nil || n == 0 {
			t.Fatal(n, err)
		}
		for i := range n {
			if short, err := Frame(Protobuf, stream[:i], 1<<20); short != 0 || err != nil {
				t.Fatalf("%d of %d bytes are %d, %v", i, n, short, err)
			}
		}
		if got, err := AppendEvent(nil, Protobuf, stream[:n]); err != nil || string(got) != want {
			t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
		}
		stream = stream[n:]
	}
}

// What is read of a write's body is read of its beginning, too.
func TestCut(t *testing.T) {
	pod := wrapped("v1", "Pod", message(b(1, web()), b(2, s(1, strings.Repeat("spec", 1000)))))
	var o Object
	if err := o.Read(Protobuf, pod[:len(pod)/2]); err != nil || string(o.Name) != "web" || string(o.ResourceVersion) != "17" {
		t.Errorf("%v, %s @%s", err, o.Name, o.ResourceVersion)
	}
	whole := `{"kind":"Pod","metadata":{"name":"a\u0062","resourceVersion":"17"},"spec":{"a":"` + strings.Repeat("x", 1000)
	if err := o.Read(JSON, []byte(whole)); err != nil || string(o.Name) != "ab" || string(o.ResourceVersion) != "17" {
		t.Errorf("%v, %s @%s", err, o.Name, o.ResourceVersion)
	}
	if err := o.Read(Protobuf, wrapped("v1", "DeleteOptions", message(v(1, 3), b(2, message(s(1, "u"), s(2, "5")))))); err != nil || string(o.UID) != "u" || string(o.ResourceVersion) != "5" {
		t.Errorf("%v, %s @%s", err, o.UID, o.ResourceVersion)
	}
}

// What is longer than it may be is refused, however short it came.
func TestLong(t *testing.T) {
	var items []byte
	for range 1000 {
		items = append(items, b(2, nil)...)
	}
	if got, err := AppendAnswer(nil, Protobuf, wrapped("v1", "PodList", items), 1000); !errors.Is(err, ErrLong) || len(got) > 1100 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if _, err := Frame(Protobuf, []byte{1, 0, 0, 0}, 1<<20); !errors.Is(err, ErrLong) {
		t.Error(err)
	}
	if _, err := Frame(CBOR, append([]byte{0x5a, 1, 0, 0, 0}, make([]byte, 2000)...), 1000); !errors.Is(err, ErrLong) {
		t.Error(err)
	}
	if _, err := Frame(CBOR, bytes.Repeat([]byte{0x81}, 100000), 1<<20); !errors.Is(err, ErrShape) {
		t.Error(err)
	}
}

// text and dict are items of CBOR. A dict has definite length if even is set.
func cborText(major byte, s string) []byte {
	if len(s) < 24 {
		return append([]byte{major<<5 | byte(len(s))}, s...)
	}
	return append([]byte{major<<5 | 24, byte(len(s))}, s...)
}

func TestCBOR(t *testing.T) {
	m := func(pairs ...[]byte) []byte {
		return append([]byte{0xa0 | byte(len(pairs)/2)}, message(pairs...)...)
	}
	k := func(s string) []byte { return cborText(byteString, s) }
	x := func(s string) []byte { return cborText(textString, s) }
	owner := m(k("uid"), k("u2"), k("controller"), []byte{0xf5}, k("kind"), k("ReplicaSet"), k("name"), k("rs"), k("apiVersion"), k("apps/v1"))
	meta := m(k("name"), x("web"), k("generateName"), k("w-"), k("namespace"), k("shop"), k("uid"), k("u1"),
		k("resourceVersion"), []byte{0x5f, 0x41, '1', 0x41, '7', 0xff}, k("generation"), []byte{3}, k("creationTimestamp"), k("2025-11-20T21:06:42Z"),
		k("deletionTimestamp"), k("2025-11-20T21:06:43Z"), k("labels"), append(append([]byte{0xbf}, message(k("app"), k("web"), k("tier"), k("a\"b"))...), 0xff),
		k("annotations"), m(k("k8s.io/initial-events-end"), k("true"), k("x"), k("hunter2")),
		k("ownerReferences"), append([]byte{0x81}, owner...), k("finalizers"), append([]byte{0x9f}, append(append(k("a/b"), k("c")...), 0xff)...))
	pod := append([]byte{0xd9, 0xd9, 0xf7}, m(k("spec"), m(k("f"), []byte{0xfb, 0, 0, 0, 0, 0, 0, 0, 0}), k("metadata"), meta, k("kind"), k("Pod"), k("apiVersion"), k("v1"))...)
	list := m(k("items"), append([]byte{0x82}, append(bytes.Clone(pod), m()...)...), k("kind"), k("PodList"), k("apiVersion"), k("v1"),
		k("metadata"), m(k("resourceVersion"), k("18"), k("continue"), k("more"), k("remainingItemCount"), []byte{7}))
	podJSON := `{"kind":"Pod","apiVersion":"v1",` + webJSON
	want := `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"18","continue":"more","remainingItemCount":7},"items":[` + podJSON + `,{"metadata":{}}]}`
	if got, err := AppendAnswer(nil, CBOR, list, 1<<20); err != nil || string(got) != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
	gone := m(k("kind"), k("Status"), k("status"), k("Failure"), k("message"), k("too old"), k("reason"), k("Expired"), k("code"), []byte{0x19, 1, 154}, k("apiVersion"), k("v1"),
		k("details"), m(k("name"), k("x"), k("kind"), k("pods"), k("uid"), k("u"), k("retryAfterSeconds"), []byte{1},
			k("causes"), append([]byte{0x81}, m(k("reason"), k("ResourceVersionTooLarge"), k("message"), k("m"))...)))
	if got, err := AppendAnswer(nil, CBOR, gone, 1<<20); err != nil || string(got) != failure {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, failure)
	}
	e := m(k("type"), k("ADDED"), k("object"), pod)
	stream := append(bytes.Clone(e), e...)
	n, err := Frame(CBOR, stream, 1<<20)
	if n != len(e) || err != nil {
		t.Fatalf("%d of %d, %v", n, len(e), err)
	}
	for i := range n {
		if short, err := Frame(CBOR, stream[:i], 1<<20); short != 0 || err != nil {
			t.Fatalf("%d of %d bytes are %d, %v", i, n, short, err)
		}
	}
	if got, err := AppendEvent(nil, CBOR, stream[:n]); err != nil || string(got) != `{"type":"ADDED","object":`+podJSON+`}` {
		t.Errorf("%v, %s", err, got)
	}
}

// Whatever comes, what is made of it is JSON that readers take, and no longer than it may be.
func FuzzRead(f *testing.F) {
	pod := wrapped("v1", "Pod", message(b(1, web()), b(2, s(1, "spec"))))
	f.Add(wrapped("v1", "PodList", message(b(1, s(2, "18")), b(2, b(1, web())))))
	f.Add(event("ADDED", pod))
	f.Add(pod)
	f.Add(aStatus())
	f.Add([]byte("\xd9\xd9\xf7\xa2\x44kind\x43Pod\x48metadata\xa1\x44name\x43web"))
	f.Add([]byte("\xa2\x44type\x45ADDED\x46object\xa1\x48metadata\xa1\x46labels\xbf\x41a\x41b\xff"))
	f.Add([]byte("\xa1\x45items\x9f\xa0\xa0\xff"))
	f.Add([]byte(`{"kind":"Status","details":{"name":"a"}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		const most = 1 << 16
		before := bytes.Clone(in)
		var o Object
		for _, form := range []Form{JSON, Protobuf, CBOR} {
			o.Read(form, in)
			if form != JSON {
				if out, err := appendObject(nil, value{form: form, b: in, cut: form == Protobuf}); err == nil && !json.Valid(out) {
					t.Fatalf("%q", out)
				}
			}
			if out, err := AppendAnswer(nil, form, in, most); err == nil && (!json.Valid(out) || !jsonscan.WithinMaxDepth(out)) {
				t.Fatalf("%q", out)
			} else if len(out) > most+10*len(in)+1000 {
				t.Fatalf("%d bytes of %d", len(out), len(in))
			}
			n, err := Frame(form, in, most)
			if n < 0 || n > len(in) || n > most+4 {
				t.Fatalf("a frame of %d bytes in %d, %v", n, len(in), err)
			}
			if err == nil && n > 0 {
				if out, err := AppendEvent(nil, form, in[:n]); err == nil && !json.Valid(out) {
					t.Fatalf("%q", out)
				}
			}
		}
		if !bytes.Equal(in, before) {
			t.Fatal("the input was changed")
		}
	})
}
