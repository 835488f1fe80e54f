package format

import (
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/trace"
)

// An item of a list that is no object is a problem, and the other items are read.
func TestABadItemCostsNoOther(t *testing.T) {
	list := `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"5"},"items":[{"metadata":{"name":"a","resourceVersion":"1"}},7,{"metadata":{"name":"b","resourceVersion":"2"}}]}`
	input := `{"informerscope":"trace","version":1}
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods"}}
{"t":1,"id":1,"resp":{"status":200}}
{"t":2,"id":1,"body":` + list + `}
{"t":3,"id":1,"end":{"how":"eof"}}
`
	for _, input := range []string{list, input} {
		r := NewReader(Options{})
		if err := r.Write([]byte(input)); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, rec := range r.Trace().Resources[0].Records {
			kinds = append(kinds, rec.Kind.String())
		}
		if got := strings.Join(kinds, " "); got != "ListBegin ListItem ListItem ListEnd" {
			t.Errorf("%s", got)
		}
		if p := r.Trace().Problems; len(p) != 1 || !strings.Contains(p[0].Error(), "item 1 of the list") {
			t.Errorf("the problems are %v", p)
		}
	}
}

// A page that says that more follow is not the whole list, and that is remarked on.
func TestMissingPages(t *testing.T) {
	page := func(token string) string {
		return `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"5"` + token + `},"items":[{"metadata":{"name":"a","resourceVersion":"1"}}]}`
	}
	first, last := page(`,"continue":"abc"`), page("")
	for input, want := range map[string][]trace.Remark{
		first:         {{ID: trace.PagesMissing, Detail: "pods"}},
		first + first: {{ID: trace.PagesMissing, Detail: "pods"}},
		first + last:  nil,
		last:          nil,
	} {
		r := NewReader(Options{})
		if err := r.Write([]byte(input)); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if got := r.Trace().Remarks; !slices.Equal(got, want) {
			t.Errorf("%s: %+v", input, got)
		}
	}
}
