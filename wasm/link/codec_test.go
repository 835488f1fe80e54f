package link

import (
	"math/rand"
	"reflect"
	"strconv"
	"testing"
	"testing/quick"
)

func busyFrame() *Reply {
	f := &Frame{Step: 8214, Steps: 61377, Said: Sentence{ID: "step.popped", Args: map[string]Arg{"key": {"key", "default/web-6c4b"}}}}
	for i := range 12 {
		key := "default/web-6c4b-" + strconv.Itoa(i)
		chip := Chip{T: "U", Key: key, RV: strconv.Itoa(48000 + i), Ref: int32(i)}
		f.Queue.Rows = append(f.Queue.Rows, Row{Key: key, Deltas: []Chip{chip, chip}})
		f.Server.Tape = append(f.Server.Tape, Tape{N: i, Chip: chip})
		f.Work.Queue = append(f.Work.Queue, key)
	}
	for i := range 200 {
		f.Store.Tiles = append(f.Store.Tiles, Tile{Key: "default/web-" + strconv.Itoa(i), RV: "48213", Ref: int32(i)})
	}
	for i := range 3 {
		l := Listener{ID: i, Name: "metrics", Joined: true}
		for range 24 {
			l.Head = append(l.Head, Chip{T: "U", Key: "default/web", RV: "48111", Ref: 7})
		}
		f.Processor.Listeners = append(f.Processor.Listeners, l)
	}
	return &Reply{ID: 3, Frame: f}
}

func TestCodec(t *testing.T) {
	want := busyFrame()
	got, err := Decode[Reply](want.Encode())
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n got %+v\nwant %+v", err, got.Frame, want.Frame)
	}
	if _, err := Decode[Request]([]byte(`{"id":`)); err == nil {
		t.Error("a cut request was read")
	}
}

// A message arrives as it was sent, whatever is in it. Fields that are zero or empty
// don't cross.
func TestMessagesComeAsTheyWent(t *testing.T) {
	comeAsTheyWent(t, (*Request).Encode)
	comeAsTheyWent(t, (*Reply).Encode)
}

func comeAsTheyWent[T Request | Reply](t *testing.T, encode func(*T) []byte) {
	for seed := range int64(500) {
		v, ok := quick.Value(reflect.TypeFor[T](), rand.New(rand.NewSource(seed)))
		if !ok {
			t.Fatal("no random message")
		}
		want := v.Interface().(T)
		withoutEmpty(reflect.ValueOf(&want))
		b := encode(&want)
		got, err := Decode[T](b)
		if err != nil || !reflect.DeepEqual(*got, want) {
			t.Fatalf("seed %d: %v\n got %+v\nwant %+v\n%s", seed, err, got, want, b)
		}
	}
}

// withoutEmpty makes empty slices and maps nil.
func withoutEmpty(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			withoutEmpty(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			withoutEmpty(v.Field(i))
		}
	case reflect.Slice:
		if v.Len() == 0 {
			v.SetZero()
		}
		for i := range v.Len() {
			withoutEmpty(v.Index(i))
		}
	case reflect.Map:
		if v.Len() == 0 {
			v.SetZero()
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	f := busyFrame()
	buf := f.Encode()
	b.Logf("%d bytes", len(buf))
	b.Run("encode", func(b *testing.B) {
		for b.Loop() {
			f.Encode()
		}
	})
	b.Run("decode", func(b *testing.B) {
		for b.Loop() {
			Decode[Reply](buf)
		}
	})
}
