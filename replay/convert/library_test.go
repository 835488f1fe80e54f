package convert_test

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	json "github.com/goccy/go-json"
)

// document is read by its fields' names, their tags and the tags of embedded structs, as the types of the converters are.
type document struct {
	Meta
	*Spec
	Kind     string             `json:"kind"`
	Object   json.RawMessage    `json:"object"`
	Children []document         `json:"children"`
	Next     *document          `json:"next"`
	Labels   map[string]string  `json:"labels"`
	Numbers  map[int16]float64  `json:"numbers"`
	Any      any                `json:"any"`
	Number   json.Number        `json:"number"`
	Quoted   uint64             `json:"quoted,string"`
	Bytes    []byte             `json:"bytes"`
	Rune     rune               `json:"rune"`
	Pair     [2]bool            `json:"pair"`
	Name     text               `json:"text"`
	Texts    map[text][]float32 `json:"texts"`
	Skipped  int                `json:"-"`
}

type Meta struct {
	Name            string `json:"name"`
	ResourceVersion uint32 `json:"resourceVersion"`
	Generation      int64
}

type Spec struct {
	Replicas *int8 `json:"replicas"`
}

// text reads itself.
type text string

func (x *text) UnmarshalText(b []byte) error {
	if len(b) > 8 {
		return errors.New("too long")
	}
	*x = text("<" + string(b) + ">")
	return nil
}

// page is the struct of https://github.com/goccy/go-json/issues/604.
type page struct {
	ID        string              `json:"id"`
	Meta      map[string][]string `json:"meta"`
	ContentMD string              `json:"contentMd"`
}

// targets make what is read into.
var targets = []func() any{
	func() any { return new(any) },
	func() any { return &map[string]any{"kind": "what was there before"} },
	func() any { return &document{Kind: "what was there before", Labels: map[string]string{"a": "b"}} },
	func() any { return new(page) },
	func() any { return new([]document) },
	func() any { return new(string) },
	func() any { return new(float64) },
}

// corpus has sequences of inputs, a line each.
var corpus = []string{
	"", " ", "{}\n[]\nnull\ntrue\n-0\n1e400\n01\n1.\n.5\n-\n+1\n1e\n9223372036854775808\n-9223372036854775809\n3.4028236e38",
	// github.com/goccy/go-json/issues/604: a sequence after which the library once panicked
	strings.Repeat("[{\"x\":1},{\"y\":\n{\"\\\n", 10),
	"{\"\\29\\\n{\"\\\n{\"\\u\n{\"\\u12\n\"\\ud800\"\n\"\\udc00\\ud800x\"\n\"\\ud83d\\ude00\"\n\"\\x\"", // 575, 577
	"\"a\xffb\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80\"\n\"\x01\"\n\"\x7f\"\n\ufeff{}\n\"\u2028\"\n\x00",    // 609
	`{"kind":"Pod","object":{"metadata":{"name":"a","labels":{"b":"\u0063\n"}}},"children":[{"next":{"name":"x"}}],"any":[1,"2",null,{"a":[]}]}`,
	`{"name":"n","resourceVersion":7,"Generation":-1,"replicas":3,"labels":{"a":"1","a":"2"},"numbers":{"-5":0.5},"number":1.50,"quoted":"12","bytes":"aGk=","rune":8364,"pair":[true],"text":"hi","texts":{"k":[0.1]}}`,
	`{"KIND":"x","Kind":"y","kInD":"z","ſpec":1,"generation":5}` + "\n" + `{"resourceVersion":-1}` + "\n" + `{"resourceVersion":4294967296,"kind":1}` + "\n" + `{"quoted":12}` + "\n" + `{"quoted":"x"}`,
	`{"text":"much too long a text"}` + "\n" + `{"texts":{"much too long a key":[]}}` + "\n" + `{"numbers":{"x":1}}` + "\n" + `{"bytes":"*"}` + "\n" + `{"pair":[true,false,true]}`,
	`{"a":1,}` + "\n" + `[1,]` + "\n" + `[1 2]` + "\n" + `{"a" 1}` + "\n" + `{a:1}` + "\n" + `{} {}` + "\n" + `nul` + "\n" + `"abc` + "\n" + `[[[[` + "\n" + `{"a":{"b":[`,
	strings.Repeat("[", 300) + strings.Repeat("]", 300) + "\n" + strings.Repeat(`{"next":`, 200) + "1" + strings.Repeat("}", 200),
	strings.Repeat("[", 10001) + strings.Repeat("]", 10001) + "\n" + strings.Repeat(`{"a":`, 10001),
	"{\"kind\":\"" + strings.Repeat("é\\t\xff", 400) + "\"}",
}

func FuzzReadsAsTheStandardLibrary(f *testing.F) {
	for _, s := range corpus {
		f.Add([]byte(s))
	}
	f.Fuzz(compare)
}

// TestReadsAsTheStandardLibrary holds what github.com/goccy/go-json reads and refuses against encoding/json. It reads the lines of the corpus cut at each byte, and its sequences changed at random.
func TestReadsAsTheStandardLibrary(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 604))
	changed := 2_000
	if runtime.GOARCH == "wasm" {
		changed = 500
	}
	for _, s := range corpus {
		for line := range strings.SplitSeq(s, "\n") {
			if len(line) > 250 {
				continue
			}
			for n := range line {
				compare(t, []byte(line[:n]+"\n"+line))
			}
		}
	}
	const signs = "{}[]\":,\\u0019aenulltrfs.-+eE \t\x00\xff\xe2\n\n"
	for range changed {
		b := []byte(corpus[random.IntN(len(corpus))])
		if len(b) == 0 || len(b) > 1000 {
			continue
		}
		for range 1 + random.IntN(4) {
			at := random.IntN(len(b))
			switch random.IntN(3) {
			case 0:
				b[at] = signs[random.IntN(len(signs))]
			case 1:
				b = append(b[:at], append([]byte{signs[random.IntN(len(signs))]}, b[at:]...)...)
			default:
				to := at + random.IntN(len(b)-at)
				b = append(b[:at], append(bytes.Clone(b[at:to]), b[random.IntN(at+1):]...)...)
			}
			b = b[:min(len(b), 2000)]
			if len(b) == 0 {
				break
			}
		}
		compare(t, b)
		if t.Failed() {
			return
		}
	}
}

// compare reads the lines of b one after the other, each into every target, as what is kept between two calls may
// tell on the second.
func compare(t *testing.T, b []byte) {
	for line := range bytes.SplitSeq(b, []byte("\n")) {
		kept := bytes.Clone(line)
		for _, target := range targets {
			want, got, shared := target(), target(), target()
			wantErr, err := stdjson.Unmarshal(line, want), json.Unmarshal(line, got)
			equalNumbers(t, line, "Unmarshal", want, got, wantErr, err)
			mine := bytes.Clone(line)
			equalNumbers(t, line, "UnmarshalWithOption", want, shared, wantErr, json.UnmarshalWithOption(mine, shared, json.DecodeNoCopyString()))
			if !bytes.Equal(mine, kept) || !bytes.Equal(line, kept) {
				t.Errorf("%q was written to", kept)
			}
		}
		if want, got := stdjson.Valid(line), json.Valid(line); want != got {
			t.Errorf("Valid of %q: %v, want %v", line, got, want)
		}
		var want, got bytes.Buffer
		wantErr, err := stdjson.Compact(&want, line), json.Compact(&got, line)
		if (err == nil) != (wantErr == nil) || got.String() != want.String() {
			t.Errorf("Compact of %q: %q, %v, want %q, %v", line, got.Bytes(), err, want.Bytes(), wantErr)
		}
		want.Reset()
		got.Reset()
		wantErr, err = stdjson.Indent(&want, line, "|", "  "), json.Indent(&got, line, "|", "  ")
		if (err == nil) != (wantErr == nil) || got.String() != want.String() {
			t.Errorf("Indent of %q: %q, %v, want %q, %v", line, got.Bytes(), err, want.Bytes(), wantErr)
		}
	}
}

func equalNumbers(t *testing.T, input []byte, what string, want, got any, wantErr, err error) {
	t.Helper()
	var syntax *json.SyntaxError
	var stdSyntax *stdjson.SyntaxError
	switch {
	case (err == nil) != (wantErr == nil):
		t.Errorf("%s of %q: error %v, want %v", what, input, err, wantErr)
	case errors.As(err, &syntax) && errors.As(wantErr, &stdSyntax):
		if err.Error() != wantErr.Error() || syntax.Offset != stdSyntax.Offset {
			t.Errorf("%s of %q: error %v at %d, want %v at %d", what, input, err, syntax.Offset, wantErr, stdSyntax.Offset)
		}
	case err == nil && !reflect.DeepEqual(got, want):
		t.Errorf("%s of %q:\n%s\nwant\n%s", what, input, printed(got), printed(want))
	}
}

func printed(v any) string {
	b, err := stdjson.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%#v", v)
	}
	return string(b)
}
