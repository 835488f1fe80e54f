package clientgo

import (
	"bufio"
	"bytes"
	"compress/gzip"
	encjson "encoding/json"
	"errors"
	"flag"
	"os"
	gort "runtime"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

var heapOf = flag.String("heap", "../../../web/traces/shop.trace.jsonl.gz", "the capture whose objects TestHeapOfObjects decodes")

// TestHeapOfObjects measures what objects of a capture take within a process, and on the wire in
// protobuf, for each byte of their JSON. "informerscope costs" counts JSON, and
// replay/README.md says how far the two are apart.
func TestHeapOfObjects(t *testing.T) {
	scheme := runtime.NewScheme()
	corev1.AddToScheme(scheme)
	appsv1.AddToScheme(scheme)
	raw := protobuf.NewRawSerializer(scheme, scheme)
	between := func(what string, ratio, least, most float64) {
		t.Helper()
		t.Logf("%-30s %.2f bytes for each of JSON", what, ratio)
		if ratio < least || ratio > most {
			t.Errorf("%s: %.2f bytes for each of JSON, and not %v to %v", what, ratio, least, most)
		}
	}
	for kind, typed := range map[string]func() runtime.Object{
		"Pod":        func() runtime.Object { return &corev1.Pod{} },
		"ReplicaSet": func() runtime.Object { return &appsv1.ReplicaSet{} },
		"Event":      func() runtime.Object { return &corev1.Event{} },
	} {
		all := objectsOf(t, kind)
		if len(all) == 0 {
			continue
		}
		json, wire := 0, 0
		var encoded [][]byte
		for _, b := range all {
			o, out := typed(), bytes.Buffer{}
			if err := errors.Join(encjson.Unmarshal(b, o), raw.Encode(o, &out)); err != nil {
				t.Fatal(err)
			}
			encoded = append(encoded, out.Bytes())
			json, wire = json+len(b), wire+out.Len()
		}
		decoded := func(all [][]byte, into func() runtime.Object, decode func([]byte, runtime.Object) error) float64 {
			return float64(heap(t, all, into, decode)) / float64(json)
		}
		fromJSON := func(b []byte, o runtime.Object) error { return encjson.Unmarshal(b, o) }
		between(kind+", typed, of JSON", decoded(all, typed, fromJSON), 1, 2.5)
		between(kind+", typed, of protobuf", decoded(encoded, typed, func(b []byte, o runtime.Object) error {
			return o.(interface{ Unmarshal([]byte) error }).Unmarshal(b)
		}), 1, 2.5)
		between(kind+", unstructured", decoded(all, func() runtime.Object { return &unstructured.Unstructured{} }, fromJSON), 3.5, 7)
		between(kind+", protobuf on the wire", float64(wire)/float64(json), 0.4, 0.8)
	}
}

// heap returns how many bytes the decoded objects take, as a mean of several times.
func heap(t *testing.T, all [][]byte, into func() runtime.Object, decode func([]byte, runtime.Object) error) uint64 {
	t.Helper()
	times := 1 + 2000/len(all)
	kept := make([]runtime.Object, 0, times*len(all))
	var memory [2]gort.MemStats
	for i := range memory {
		if gort.GC(); i == 1 {
			for range times {
				for _, b := range all {
					kept = append(kept, into())
					if err := decode(b, kept[len(kept)-1]); err != nil {
						t.Fatal(err)
					}
				}
			}
		} else if err := decode(all[0], into()); err != nil { // what decoders keep counts to no object
			t.Fatal(err)
		}
		gort.GC()
		gort.ReadMemStats(&memory[i])
	}
	gort.KeepAlive(kept)
	return (memory[1].HeapAlloc - memory[0].HeapAlloc) / uint64(times)
}

// objectsOf returns the newest version of each object of a kind.
func objectsOf(t *testing.T, kind string) (all [][]byte) {
	t.Helper()
	f, err := os.Open(*heapOf)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for lines := bufio.NewReaderSize(z, 1<<20); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil || len(all) == 4000 {
			return all
		}
		var l struct {
			Object encjson.RawMessage
			Event  struct{ Object encjson.RawMessage }
		}
		if encjson.Unmarshal(line, &l) != nil {
			continue
		}
		raw := l.Event.Object
		if raw == nil {
			raw = l.Object
		}
		var o metav1.PartialObjectMetadata
		if raw == nil || encjson.Unmarshal(raw, &o) != nil || o.Kind != kind {
			continue
		}
		if i, known := at[string(o.UID)]; known {
			all[i] = raw
			continue
		}
		at[string(o.UID)] = len(all)
		all = append(all, raw)
	}
}
