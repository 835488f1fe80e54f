package convert

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/trace"
)

var noon = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

// arrive plays what kubectl prints, at so many milliseconds after noon, and returns the lines of
// the trace. "" is a pause.
func arrive(t *testing.T, printed ...any) (lines []string, read *trace.Trace) {
	t.Helper()
	var out bytes.Buffer
	first := printed[1].(string)
	if !Arriving([]byte(first)) {
		t.Fatalf("it doesn't take %s", first)
	}
	a := NewArrivals(&out, noon, []byte(first))
	at := noon
	for i := 0; i < len(printed); i += 2 {
		at = noon.Add(time.Duration(printed[i].(int)) * time.Millisecond)
		text, err := printed[i+1].(string), error(nil)
		if text == "" {
			err = a.Pause(at)
		} else {
			err = a.Write(at, []byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Close(at); err != nil {
		t.Fatal(err)
	}
	r := format.NewReader(format.Options{})
	if err := r.Write(out.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil || r.Trace().ProblemCount > 0 {
		t.Errorf("the trace is read with %v %v:\n%s", err, r.Trace().Problems, &out)
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n"), r.Trace()
}

// kubectlPod is a pod as kubectl prints it: sorted, and over several lines.
func kubectlPod(name, rv string) string {
	return "{\n    \"apiVersion\": \"v1\",\n    \"kind\": \"Pod\",\n    \"metadata\": {\n        \"name\": \"" + name + "\",\n        \"namespace\": \"shop\",\n        \"resourceVersion\": \"" + rv + "\",\n        \"uid\": \"" + name + "\"\n    }\n}"
}

func printed(typ, name, rv string) string {
	return "{\n    \"type\": \"" + typ + "\",\n    \"object\": " + kubectlPod(name, rv) + "\n}\n"
}

// What kubectl prints before its first pause is the list, and everything after it is a watch event
// of the moment at which its last byte came.
func TestArrivals(t *testing.T) {
	second := printed("ADDED", "c", "9")
	lines, read := arrive(t,
		100, printed("ADDED", "a", "3")+printed("ADDED", "b", "7"),
		400, "",
		2000, second[:40],
		2500, second[40:],
		3000, printed("MODIFIED", "a", "11"),
		4000, "")
	want := `{"informerscope":"trace","version":1,"start":"2026-11-26T12:00:00Z","recorder":"informerscope convert","from":"kubectl"}
{"t":100000000,"id":1,"req":{"method":"GET","url":"/api/v1/pods"}}
{"t":100000000,"id":1,"resp":{"status":200,"contentType":"application/json"}}
{"t":100000000,"id":1,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[A,B]}}
{"t":100000000,"id":1,"end":{"how":"eof"}}
{"t":100000000,"remark":{"id":"arrivals"}}
{"t":100000000,"remark":{"id":"firstByPause","count":2}}
{"t":400000000}
{"t":2500000000,"id":2,"req":{"method":"GET","url":"/api/v1/pods?watch=true&resourceVersion=7"}}
{"t":2500000000,"id":2,"resp":{"status":200,"contentType":"application/json"}}
{"t":2500000000,"id":2,"event":{"type":"ADDED","object":C}}
{"t":3000000000,"id":2,"event":{"type":"MODIFIED","object":A}}
{"t":4000000000}
{"t":4000000000,"id":2,"end":{"how":"recorder-stopped"}}`
	var got []string
	for _, line := range lines {
		for name, rv := range map[string]string{"a": "3", "a ": "11", "b": "7", "c": "9"} {
			pod := strings.NewReplacer("\n", "", " ", "").Replace(kubectlPod(strings.TrimSpace(name), rv))
			line = strings.ReplaceAll(line, pod, strings.ToUpper(strings.TrimSpace(name)))
		}
		got = append(got, line)
	}
	if all := strings.Join(got, "\n"); all != want {
		t.Errorf("the trace is\n%s\nwant\n%s", all, want)
	}
	if read.NoTimes || read.Resources[0].Lists != 1 || read.Resources[0].Events != 2 {
		t.Errorf("it is read as %+v", read.Resources[0])
	}
}

// The list is over before the pause where what comes can't be of it: another kind of event, a key
// that is in front of the last one, or one that was there.
func TestFirstListEndsWithout(t *testing.T) {
	for name, next := range map[string]string{
		"an event that is no ADDED": printed("DELETED", "b", "9"),
		"a key in front":            printed("ADDED", "a", "9"),
		"the same key":              printed("ADDED", "b", "9"),
	} {
		_, read := arrive(t, 5, printed("ADDED", "b", "3"), 6, next)
		if r := read.Resources[0]; r.Lists != 1 || r.Events != 1 {
			t.Errorf("%s: %d lists and %d events", name, r.Lists, r.Events)
		}
	}
}

// Bare objects, as "kubectl get -w" prints them without --output-watch-events, and lists are
// taken, too. The watch of the API server itself begins with no list.
func TestArrivalsOfOtherForms(t *testing.T) {
	raw := `{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"shop","uid":"a","resourceVersion":"3"}}}` + "\n"
	list := `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"3"},"items":[]}` + "\n"
	for _, c := range []struct {
		printed       []any
		lists, events int
	}{
		{[]any{5, kubectlPod("a", "3") + "\n" + kubectlPod("b", "4"), 400, "", 500, kubectlPod("a", "5")}, 1, 1},
		{[]any{5, raw, 400, "", 500, strings.Replace(raw, "ADDED", "MODIFIED", 1)}, 0, 2},
		{[]any{5, list, 400, "", 500, raw}, 1, 1},
	} {
		_, read := arrive(t, c.printed...)
		if r := read.Resources[0]; r.Lists != c.lists || r.Events != c.events {
			t.Errorf("%q: %d lists and %d events, want %d and %d", c.printed, r.Lists, r.Events, c.lists, c.events)
		}
	}
	for _, head := range []string{"", "informer pods\n", `{"informerscope":"trace","version":1}`, "NAME READY\n", "\x1f\x8b\x08"} {
		if Arriving([]byte(head)) {
			t.Errorf("it takes %q", head)
		}
	}
}

type brokenAfter int

func (b *brokenAfter) Write(p []byte) (int, error) {
	if *b--; *b < 0 {
		return 0, bytes.ErrTooLarge
	}
	return len(p), nil
}

// A trace that can't be written ends, and damage in what was printed doesn't end it.
func TestArrivalsGoWrong(t *testing.T) {
	full := brokenAfter(3)
	a := NewArrivals(&full, noon, []byte(printed("ADDED", "a", "3")))
	a.Write(noon, []byte(printed("ADDED", "a", "3")))
	if err := a.Pause(noon); err == nil || a.Close(noon) == nil {
		t.Error("it says nothing of a full disk")
	}
	var out bytes.Buffer
	a = NewArrivals(&out, noon, []byte(printed("ADDED", "a", "3")))
	a.Write(noon, []byte(printed("ADDED", "a", "3")+"{\"type\": nonsense}\n"+printed("ADDED", "b", "4")))
	if err := a.Close(noon); err != nil || !strings.Contains(out.String(), `"problem"`) || !strings.Contains(out.String(), `"name":"b"`) {
		t.Errorf("%v, and the trace is %s", err, &out)
	}
}
