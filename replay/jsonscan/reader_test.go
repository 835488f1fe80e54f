package jsonscan

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// allKinds has a field of each kind.
type allKinds struct {
	Kind    string            `json:"kind"`
	Count   int               `json:"count"`
	Long    int64             `json:"long"`
	Ratio   float64           `json:"ratio"`
	Done    bool              `json:"done"`
	Names   []string          `json:"names"`
	Labels  map[string]string `json:"labels"`
	Within  *allKinds         `json:"within"`
	Default struct {
		Kind string `json:"kind"`
	} `json:"default"`
	Raw json.RawMessage `json:"raw"`
}

func (a *allKinds) read(r *Reader) {
	for name := range r.Fields("kind", "count", "long", "ratio", "done", "names", "labels", "within", "default", "raw") {
		switch name {
		case "kind":
			r.Text(&a.Kind)
		case "count":
			r.Int(&a.Count)
		case "long":
			r.Int64(&a.Long)
		case "ratio":
			r.Float(&a.Ratio)
		case "done":
			r.Bool(&a.Done)
		case "names":
			if r.Null() {
				a.Names = nil
				continue
			}
			a.Names = []string{}
			for range r.Elements() {
				var s string
				r.String(&s)
				a.Names = append(a.Names, s)
			}
		case "labels":
			if r.Null() {
				a.Labels = nil
				continue
			}
			for name := range r.Members() {
				var s string
				r.Text(&s)
				if a.Labels == nil {
					a.Labels = map[string]string{}
				}
				a.Labels[name] = s
			}
		case "within":
			if r.Null() {
				a.Within = nil
				continue
			}
			if a.Within == nil {
				a.Within = &allKinds{}
			}
			a.Within.read(r)
		case "default":
			for range r.Fields("kind") {
				r.String(&a.Default.Kind)
			}
		case "raw":
			a.Raw = r.Raw()
		}
	}
}

// FuzzReader: what a Reader reads is what encoding/json decodes.
func FuzzReader(f *testing.F) {
	for _, s := range []string{
		`{"kind":"Pod","count":3,"long":-9223372036854775808,"ratio":1.5e3,"done":true,"names":["a","\u0062"],"labels":{"a":"b","\u0063":"d"},"within":{"kind":"x","within":{"done":false}},"default":{"kind":"z"},"raw": [1, {}] ,"more":[{}]}`,
		`{"KIND":"a","Kind":"b","kind":"c"}`, `{"kind":null,"names":null,"labels":null,"within":null,"default":null,"count":null,"done":null,"raw":null}`, `{"kind":"a","kind":null}`,
		`{"within":{"kind":"a"},"within":{"count":1}}`, ` [ ] `, `5`, `null`, `"a"`, `{"within":[]}`, `{"within":{"within":{"labels":{"a b":5}}}}`, `{"names":["a",5,true]}`, `{"count":1.5}`, `{"count":1e3}`, `{"long":9223372036854775808}`,
		`{"ratio":1e999}`, `{"done":"x","count":[]}`, `{"done":"x","count":[}`, `{"kind":"a"}x`, `{"kind":"a`, `{"default":{"kind":5},"names":5}`, "{\"kind\":\"a\xff\",\"labels\":{\"\xff\":\"\"}}", `{"names":[],"names":["a"]}`, `{"\u212aind":"a"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if !WithinMaxDepth(b) {
			return
		}
		var got, want allKinds
		r := NewReader(b)
		got.read(&r)
		gotErr, wantErr := r.End(), json.Unmarshal(b, &want)
		var kind *json.UnmarshalTypeError
		if errors.As(wantErr, &kind) {
			if k, is := gotErr.(*KindError); !is || k.Path == "" && kind.Field != "" {
				t.Fatalf("of %q it says %v, and should say %v", b, gotErr, wantErr)
			}
			return
		}
		if (gotErr == nil) != (wantErr == nil) {
			t.Fatalf("of %q it says %v, and should say %v", b, gotErr, wantErr)
		}
		if gotErr != nil {
			return
		}
		if len(got.Labels) == 0 && len(want.Labels) == 0 {
			got.Labels, want.Labels = nil, nil
		}
		clean(&got, &want)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q is read as\n%+v\nand should be\n%+v", b, got, want)
		}
	})
}

// clean makes empty maps nil, which a loop over no members leaves.
func clean(a, b *allKinds) {
	for ; a != nil && b != nil; a, b = a.Within, b.Within {
		if len(a.Labels) == 0 && len(b.Labels) == 0 {
			a.Labels, b.Labels = nil, nil
		}
	}
}

func TestKindErrors(t *testing.T) {
	for in, want := range map[string]string{
		`[]`:                                   "the value is an array, and should be an object",
		`{"within":5}`:                         "within is a number, and should be an object",
		`{"within":{"names":["a","b",true]}}`:  "within.names.2 is true or false, and should be a string",
		`{"labels":{"a b":{}},"done":1}`:       "labels.a b is an object, and should be a string",
		`{"count":1.5}`:                        "count is a number, and should be a whole number",
		`{"WITHIN":{"default":{"kind":[[]]}}}`: "WITHIN.default.kind is an array, and should be a string",
	} {
		var a allKinds
		r := NewReader([]byte(in))
		if a.read(&r); r.End() == nil || r.End().Error() != want {
			t.Errorf("of %s it says %v, and should say %s", in, r.End(), want)
		}
	}
}

// A loop that is broken passes over the rest.
func TestBreak(t *testing.T) {
	var kind, last string
	r := NewReader([]byte(`{"a":[{"kind":"x","more":[1]},{"kind":"y"}],"b":"z"}`))
	for name := range r.Fields("a", "b") {
		if name == "b" {
			r.String(&last)
			continue
		}
		for range r.Elements() {
			for range r.Fields("kind") {
				r.String(&kind)
				break
			}
			break
		}
	}
	if err := r.End(); err != nil || kind != "x" || last != "z" {
		t.Error(kind, last, err)
	}
	r = NewReader([]byte(`{"a":[1,}`))
	for range r.Fields("a") {
		for range r.Elements() {
			break
		}
	}
	if err := r.End(); err == nil {
		t.Error("what was passed over is not looked at")
	}
}

// Reading allocates nothing.
func TestReaderAllocates(t *testing.T) {
	b := []byte(`{"kind":"Pod","count":3,"default":{"kind":""},"more":[{"a":"b"}]}`)
	var a allKinds
	if n := testing.AllocsPerRun(100, func() {
		r := NewReader(b)
		if a.read(&r); r.End() != nil {
			t.Fatal(r.End())
		}
	}); n > 0 {
		t.Errorf("%v times", n)
	}
}

// TestIs reads members in any order and spelling by their names.
func TestIs(t *testing.T) {
	for _, in := range []string{
		`{"kind":"Pod","n":3,"of":{"kind":"Node","more":[{"n":1}]},"last":true}`,
		`{"last":true,"of":{"kind":"Node"},"n":3,"kind":"Pod"}`,
		"{ \"kind\" : \"Job\" , \"other\":[1,{}],\"k\\u0069nd\": \"Pod\",\n\"N\":3, \"of\":{\"kind\":\"Node\"},\"last\":true}",
		`{"kind":"Pod","n":2,"n":3,"kindOf":"x","of":{},"of":{"kind":"Node"},"last":true}`,
	} {
		var kind, value string
		var n int
		var last bool
		r := NewReader([]byte(in))
		for range r.Members() {
			r.StringField("kind", &kind)
			r.IntField("n", &n)
			if r.Is("of") {
				for range r.Members() {
					r.TextField("kind", &value)
				}
			}
			r.BoolField("last", &last)
		}
		if err := r.End(); err != nil || kind != "Pod" || n != 3 || value != "Node" || !last {
			t.Errorf("%s: %v, kind %q, n %d, of %q, last %v", in, err, kind, n, value, last)
		}
	}
	r := NewReader([]byte(`{"kind":"Pod","of":{"n":"x","m":4}}`))
	var n, m int
	for range r.Members() {
		if r.Is("of") {
			for range r.Members() {
				r.IntField("n", &n)
				r.IntField("m", &m)
			}
		}
	}
	if err := r.End(); err == nil || m != 4 || !strings.Contains(err.Error(), "of.n") {
		t.Errorf("%v, m %d", err, m)
	}
}
