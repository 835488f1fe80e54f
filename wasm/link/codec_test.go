package link

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"
	"testing/quick"
)

func busyFrame() *Reply {
	f := &Frame{Step: 8214, Steps: 61377, Sentence: Sentence{ID: "step.popped", Args: map[string]Arg{"key": {Kind: "key", V: "default/web-6c4b"}}}}
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
	return &Reply{ID: 3, News: f}
}

func TestCodec(t *testing.T) {
	want := busyFrame()
	got, err := DecodeReply(want.Encode())
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n got %+v\nwant %+v", err, got, want)
	}
	for _, wrong := range []string{"", "1", "1 ", "1 5:Reply", "1 5 Reply", "1 4 Step", "x 4 Seek0 ", "1 4 Seekx ", "1 4 Seek7 7 ", "1 -4 Seek7 ", "1 9 Seek7 "} {
		if q, err := DecodeRequest([]byte(wrong)); err == nil {
			t.Errorf("%s is read as %+v", wrong, q)
		}
	}
}

// A reply arrives as it was sent, whatever is in it. Fields that are zero or empty don't
// cross.
func TestRepliesComeAsTheyWent(t *testing.T) {
	for _, kind := range AllNews {
		for seed := range int64(50) {
			want := &Reply{int(seed), random(t, reflect.TypeOf(kind).Elem(), seed).Addr().Interface().(News)}
			b := want.Encode()
			got, err := DecodeReply(b)
			if err == nil {
				withoutEmpty(reflect.ValueOf(got.News)) // which may be in another slice
			}
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%s, seed %d: %v\n got %+v\nwant %+v\n%s", nameOf(kind), seed, err, got, want, b)
			}
		}
	}
	for _, wrong := range []string{"", "1", "1 5 Reply", "1 5 Frame", "1 5 Framex", "x 5 Frame", "1 9999999 Frame"} {
		if r, err := DecodeReply([]byte(wrong)); err == nil {
			t.Errorf("%s is read as %+v", wrong, r)
		}
	}
}

// Nothing of a message is left behind: each field has a value, and each slice an element, and all of them arrive. A message
// that is cut anywhere is refused.
func TestEachFieldCrosses(t *testing.T) {
	refused := func(name string, b []byte, read func([]byte) error) {
		for n := range b {
			if read(b[:n:n]) == nil {
				t.Errorf("%s is read where it ends after %d of %d bytes: %s", name, n, len(b), b)
				return
			}
		}
	}
	for _, kind := range AllNews {
		want := &Reply{7, filled(reflect.TypeOf(kind), 3).Interface().(News)}
		b := want.Encode()
		if got, err := DecodeReply(b); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\n got %+v\nwant %+v\n%s", nameOf(kind), err, got, want, b)
		}
		refused(nameOf(kind), b, func(b []byte) error { _, err := DecodeReply(b); return err })
	}
	for _, op := range Ops {
		want := Request{7, filled(reflect.TypeOf(op), 3).Interface().(Op)}
		b := want.Encode()
		if got, err := DecodeRequest(b); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\n got %+v\nwant %+v\n%s", Name(op), err, got, want, b)
		}
		refused(Name(op), b, func(b []byte) error { _, err := DecodeRequest(b); return err })
	}
	want := filled(reflect.TypeFor[*Edits](), 3).Interface().(*Edits)
	if got, err := DecodeEdits(want.Encode()); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n got %+v\nwant %+v", err, got, want)
	}
}

// filled returns a value without a zero in it. Messages that have themselves as a part end at some depth.
func filled(of reflect.Type, depth int) reflect.Value {
	v := reflect.New(of).Elem()
	switch of.Kind() {
	case reflect.Pointer:
		if depth > 0 {
			v.Set(reflect.New(of.Elem()))
			v.Elem().Set(filled(of.Elem(), depth-1))
		}
	case reflect.Struct:
		for i := range of.NumField() {
			v.Field(i).Set(filled(of.Field(i).Type, depth))
		}
	case reflect.Slice:
		v.Set(reflect.Append(v, filled(of.Elem(), depth)))
	case reflect.Map:
		v.Set(reflect.MakeMap(of))
		v.SetMapIndex(reflect.ValueOf("a key"), filled(of.Elem(), depth))
	case reflect.Interface:
		v.Set(reflect.ValueOf(SecondGuard{"a guard"}))
	case reflect.String:
		v.SetString("ä 5 \"<")
	case reflect.Bool:
		v.SetBool(true)
	default:
		v.SetInt(-1 << 31)
	}
	return v
}

// So does each operation.
func TestRequestsComeAsTheyWent(t *testing.T) {
	for _, op := range Ops {
		for seed := range int64(20) {
			want := Request{int(seed), random(t, reflect.TypeOf(op), seed).Interface().(Op)}
			b := want.Encode()
			got, err := DecodeRequest(b)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%s, seed %d: %v\n got %+v\nwant %+v\n%s", Name(op), seed, err, got, want, b)
			}
		}
	}
}

// A request without an operation that Ops has can't be read, and no two operations share a
// name.
func TestOpsHaveEachOperation(t *testing.T) {
	var names []string
	for _, op := range Ops {
		names = append(names, Name(op))
	}
	haveEach(t, names, "op")
}

// The same holds for what replies tell.
func TestAllNewsHasEachKind(t *testing.T) {
	var names []string
	for _, n := range AllNews {
		names = append(names, nameOf(n))
	}
	haveEach(t, names, "news")
}

// haveEach holds names against the types that have a method.
func haveEach(t *testing.T, names []string, method string) {
	t.Helper()
	fset := token.NewFileSet()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]bool{}
	for _, name := range files {
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == method {
				receiver := fn.Recv.List[0].Type
				if p, is := receiver.(*ast.StarExpr); is {
					receiver = p.X
				}
				declared[receiver.(*ast.Ident).Name] = true
			}
		}
	}
	for _, name := range names {
		if !declared[name] {
			t.Errorf("%s is listed twice", name)
		}
		delete(declared, name)
	}
	for name := range declared {
		t.Errorf("%s is not listed", name)
	}
}

// random returns a random value in which empty slices and maps are nil.
func random(t *testing.T, typ reflect.Type, seed int64) reflect.Value {
	t.Helper()
	v, ok := quick.Value(typ, rand.New(rand.NewSource(seed)))
	if !ok {
		t.Fatal("no random message")
	}
	p := reflect.New(typ)
	p.Elem().Set(v)
	withoutEmpty(p)
	return p.Elem()
}

// Generate makes a random Standing, for package quick.
func (Standing) Generate(r *rand.Rand, _ int) reflect.Value {
	var all []Second
	for _, op := range Ops {
		if s, is := op.(Second); is {
			all = append(all, s)
		}
	}
	var s Standing
	if n := r.Intn(len(all) + 1); n < len(all) {
		v, _ := quick.Value(reflect.TypeOf(all[n]), r)
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		withoutEmpty(p)
		s.Second = p.Elem().Interface().(Second)
	}
	return reflect.ValueOf(s)
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
		for _, k := range v.MapKeys() {
			x := reflect.New(v.Type().Elem()).Elem()
			x.Set(v.MapIndex(k))
			withoutEmpty(x)
			v.SetMapIndex(k, x)
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
			DecodeReply(buf)
		}
	})
}
