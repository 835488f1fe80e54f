package apiserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/informerscope/informerscope/replay/format"
)

// shown shows a capture.
type shown struct {
	t *testing.T
	*Server
}

// show runs a test with a server of a capture in a bubble.
func show(t *testing.T, capture string, o Options, f func(s *shown)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, err := serverOf([]byte(capture), o)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		go s.Run(t.Context())
		f(&shown{t, s})
	})
}

func serverOf(capture []byte, o Options) (*Server, error) {
	r := format.NewReader(format.Options{})
	r.Write(capture) // Close has the error
	if err := r.Close(); err != nil {
		return nil, err
	}
	return New(r.Trace(), bytes.NewReader(capture), o)
}

// send sends a request, and returns the answer's code and body.
func (s *shown) send(method, path, body string) (int, string) {
	s.t.Helper()
	r, _ := http.NewRequest(method, "http://server"+path, strings.NewReader(body))
	if method == http.MethodPatch {
		r.Header.Set("Content-Type", "application/merge-patch+json")
	}
	resp, err := s.RoundTrip(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b)
}

// answer is what is read of an answer.
type answer struct {
	Type     string
	Message  string
	Code     int
	Metadata struct{ Namespace, Name, ResourceVersion string }
	Object   *answer
	Items    []answer
}

func (o *answer) text() string {
	if o.Code != 0 {
		return fmt.Sprint(o.Code)
	}
	return strings.TrimPrefix(o.Metadata.Namespace+"/"+o.Metadata.Name, "/") + "@" + o.Metadata.ResourceVersion
}

// list returns the answer to a list: the version, and the objects with theirs.
func (s *shown) list(path string) string {
	s.t.Helper()
	code, b := s.send(http.MethodGet, path, "")
	var o answer
	if err := json.Unmarshal([]byte(b), &o); err != nil {
		s.t.Fatal(err)
	}
	if code != http.StatusOK {
		return fmt.Sprint(code, " ", o.Message)
	}
	out := o.Metadata.ResourceVersion + ":"
	for i := range o.Items {
		out += " " + o.Items[i].text()
	}
	return out
}

// watch returns the events that came within a time, and when.
func (s *shown) watch(path string, within time.Duration) (all []string) {
	s.t.Helper()
	began := time.Now()
	r, _ := http.NewRequest(http.MethodGet, fmt.Sprint("http://server", path, "&timeoutSeconds=", int(within.Seconds())), nil)
	resp, err := s.RoundTrip(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	for in := bufio.NewScanner(resp.Body); in.Scan(); {
		var e answer
		if err := json.Unmarshal(in.Bytes(), &e); err != nil {
			s.t.Fatal(err)
		}
		if e.Object == nil {
			return append(all, e.text())
		}
		all = append(all, fmt.Sprint(time.Since(began).Round(100*time.Millisecond), " ", e.Type, " ", e.Object.text()))
	}
	return all
}

// capture returns a capture. NAME@RV has the name's UID, and NAME@RV/u another one. A line is its time in seconds, then what it is: "list ID URL RV NAME@RV…", "watch ID URL",
// "ADDED ID NAME@RV", "mark ID RV" for a bookmark, "initial ID RV" for that at the end of a streaming list, or "until".
func capture(lines ...string) string {
	out := `{"informerscope":"trace","version":1,"start":"2026-11-20T21:06:42Z","server":"v1.36.3"}` + "\n"
	line := func(text, kind string) string {
		name, rv, _ := strings.Cut(text, "@")
		rv, uid, _ := strings.Cut(rv, "/")
		namespace, name, _ := strings.Cut(name, "/")
		return fmt.Sprintf(`{"kind":%q,"apiVersion":"v1","metadata":{"name":%q,"namespace":%q,"uid":%q,"resourceVersion":%q,"labels":{"app":%q}},"spec":{"version":%s}}`,
			kind, name, namespace, namespace+name+uid, rv, name[:1], rv)
	}
	for _, l := range lines {
		f := strings.Fields(l)
		at := func(format string, args ...any) {
			seconds, _ := time.ParseDuration(f[0] + "s")
			out += fmt.Sprintf(`{"t":%d`, seconds) + fmt.Sprintf(format, args...) + "}\n"
		}
		switch f[1] {
		case "list":
			var items []string
			for _, text := range f[5:] {
				items = append(items, line(text, "Pod"))
			}
			at(`,"id":%s,"req":{"method":"GET","url":%q}`, f[2], f[3])
			at(`,"id":%s,"resp":{"status":200}`, f[2])
			at(`,"id":%s,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":%q},"items":[%s]}`, f[2], f[4], strings.Join(items, ","))
			at(`,"id":%s,"end":{"how":"eof"}`, f[2])
		case "watch":
			at(`,"id":%s,"req":{"method":"GET","url":%q}`, f[2], f[3])
			at(`,"id":%s,"resp":{"status":200}`, f[2])
		case "mark":
			at(`,"id":%s,"event":{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":%q}}}`, f[2], f[3])
		case "initial":
			at(`,"id":%s,"event":{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":%q,"annotations":{"k8s.io/initial-events-end":"true"}}}}`, f[2], f[3])
		case "until":
			at("")
		default:
			at(`,"id":%s,"event":{"type":%q,"object":%s}`, f[2], f[1], line(f[3], "Pod"))
		}
	}
	return out
}

const pods, inA = "/api/v1/pods", "/api/v1/namespaces/a/pods"

// simple is what one reader saw.
var simple = capture(
	"0 list 1 "+pods+" 100 a/x@7 b/y@9",
	"0.1 watch 2 "+pods+"?watch=true&resourceVersion=100",
	"1 ADDED 2 a/z@101",
	"2 MODIFIED 2 a/x@105",
	"3 DELETED 2 b/y@108",
	"4 mark 2 120",
	"5 MODIFIED 2 a/z@121",
	"6 until",
)

// TestShown holds that clients get what was recorded at its time.
func TestShown(t *testing.T) {
	show(t, simple, Options{}, func(s *shown) {
		if got, want := s.list(pods), "100: a/x@7 b/y@9"; got != want {
			t.Errorf("at the start: %s, want %s", got, want)
		}
		got := s.watch(pods+"?watch=true&resourceVersion=100", 8*time.Second)
		want := []string{"1s ADDED a/z@101", "2s MODIFIED a/x@105", "3s DELETED b/y@108", "5s MODIFIED a/z@121"}
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		for path, want := range map[string]string{
			pods: "121: a/x@105 a/z@121", inA: "121: a/x@105 a/z@121", "/api/v1/namespaces/b/pods": "121:",
			pods + "?labelSelector=app%3Dz": "121: a/z@121", pods + "?fieldSelector=metadata.name%3Dx": "121: a/x@105",
			pods + "?limit=1": "121: a/x@105",
			pods + "?resourceVersion=104&resourceVersionMatch=Exact": "104: a/x@7 a/z@101 b/y@9",
			"/api/v1/secrets":              "404 secrets was not recorded; the recording has pods",
			"/apis/example.com/v1/widgets": "404 widgets.example.com was not recorded; the recording has pods",
		} {
			if got := s.list(path); got != want {
				t.Errorf("%s: %s, want %s", path, got, want)
			}
		}
		for path, want := range map[string]int{
			"/api/v1/events": 404, "/api/v1/namespaces/a": 403, inA + "/y2": 404, "/api/v1/namespaces": 404,
			"/api/v1/namespaces/a/events?fieldSelector=involvedObject.name%3Dx": 200, "/api/v1/configmaps?fieldSelector=spec.nodeName%3Dn": 404,
		} {
			if code, b := s.send(http.MethodGet, path, ""); code != want {
				t.Errorf("%s: %d %s, want %d", path, code, b, want)
			}
		}
		if got := s.watch(pods+"?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true", 1*time.Second); len(got) < 3 || got[2] != "0s BOOKMARK @121" {
			t.Errorf("a streaming list: %q", got)
		}
		if _, b := s.send(http.MethodGet, inA+"/z", ""); !strings.Contains(b, `"spec":{"version":121}`) {
			t.Errorf("an object: %s", b)
		}
		if code, b := s.send(http.MethodGet, inA+"/y", ""); code != http.StatusNotFound {
			t.Errorf("an object that is not there: %s", b)
		}
	})
}

// TestTimes holds what speed, pauses, a later start and going to another time do.
func TestTimes(t *testing.T) {
	show(t, simple, Options{Speed: 10, From: 1500 * time.Millisecond}, func(s *shown) {
		if got, want := s.list(pods), "101: a/x@7 a/z@101 b/y@9"; got != want {
			t.Errorf("at 1.5 s: %s, want %s", got, want)
		}
		s.Pause(true)
		time.Sleep(time.Minute)
		if got, want := s.list(pods), "101: a/x@7 a/z@101 b/y@9"; got != want {
			t.Errorf("in the pause: %s, want %s", got, want)
		}
		s.Pause(false)
		if got, want := s.watch(pods+"?watch=true&resourceVersion=101", time.Second), []string{"0s MODIFIED a/x@105", "100ms DELETED b/y@108", "300ms MODIFIED a/z@121"}; !slices.Equal(got, want) {
			t.Errorf("ten times as fast: %q, want %q", got, want)
		}
		if at := s.State(); at.At != 6000 || at.End != at.At {
			t.Errorf("at the end: %+v", at)
		}
		ended := make(chan []string)
		go func() { ended <- s.watch(pods+"?watch=true&resourceVersion=121", time.Hour) }()
		time.Sleep(time.Second)
		s.SetSpeed(1)
		s.SeekTo(int64(500 * time.Millisecond))
		if got := <-ended; len(got) > 0 {
			t.Errorf("a watch ends with %q when the server goes back", got)
		}
		if got := s.watch(pods+"?watch=true&resourceVersion=121", time.Hour); !slices.Equal(got, []string{"410"}) {
			t.Errorf("a watch from later: %q", got)
		}
		if got, want := s.list(pods), "100: a/x@7 b/y@9"; got != want {
			t.Errorf("at 0.5 s: %s, want %s", got, want)
		}
		if got, want := s.watch(pods+"?watch=true&resourceVersion=100", time.Second), []string{"500ms ADDED a/z@101"}; !slices.Equal(got, want) {
			t.Errorf("again: %q, want %q", got, want)
		}
	})
}

// TestReaders holds what is shown of several readers, of a reader that lists again, and of one whose resourceVersions go back.
func TestReaders(t *testing.T) {
	for _, c := range []struct {
		name, capture string
		at            time.Duration
		path, want    string
	}{
		{"two namespaces", capture("0 list 1 "+inA+" 100 a/x@7", "1 list 2 /api/v1/namespaces/b/pods 120 b/y@9 b/z@115", "2 until"), 0, inA, "100: a/x@7"},
		{"a namespace that was listed later", capture("0 list 1 "+inA+" 100 a/x@7", "1 list 2 /api/v1/namespaces/b/pods 120 b/y@9 b/z@115", "2 until"), 0, "/api/v1/namespaces/b/pods", "100: b/y@9"},
		{"what is new there", capture("0 list 1 "+inA+" 100 a/x@7", "1 list 2 /api/v1/namespaces/b/pods 120 b/y@9 b/z@115", "2 until"), 2 * time.Second, "/api/v1/namespaces/b/pods", "120: b/y@9 b/z@115"},
		{"all namespaces", capture("0 list 1 " + inA + " 100 a/x@7"), 0, pods, "404 pods was not recorded; the recording has pods in a"},
		{"a list that lacks an object", capture("0 list 1 "+pods+" 100 a/x@7 a/y@8", "1 list 2 "+pods+" 150 a/x@140", "2 until"), 2 * time.Second, pods, "150: a/x@140"},
		{"the same event twice", capture("0 list 1 "+pods+" 100", "0 watch 2 "+pods+"?watch=true&resourceVersion=100", "0 list 3 "+inA+" 100", "0 watch 4 "+inA+"?watch=true&resourceVersion=100", "1 ADDED 2 a/x@101", "2 ADDED 4 a/x@101", "2 until"), 2 * time.Second, pods, "101: a/x@101"},
		{"a selector that an object leaves", capture("0 list 1 "+pods+" 100 a/x@7", "0 list 2 "+pods+"?labelSelector=app%3Dx 100 a/x@7", "0 watch 3 "+pods+"?labelSelector=app%3Dx&watch=true&resourceVersion=100", "1 DELETED 3 a/x@105", "2 until"), 2 * time.Second, pods, "100: a/x@7"},
		{"a watch without a list", capture("0 watch 1 "+pods+"?watch=true&resourceVersion=100", "1 MODIFIED 1 a/x@105", "2 DELETED 1 a/y@106", "2 until"), 2 * time.Second, pods, "105: a/x@105"},
		{"a streaming list", capture("0 watch 1 "+pods+"?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true", "0.1 ADDED 1 a/x@7", "0.1 ADDED 1 a/y@9", "0.2 initial 1 100", "1 until"), 0, pods, "100: a/x@7 a/y@9"},
		{"a restored backup, before", capture("0 list 1 "+pods+" 100 a/x@7 a/y@90", "1 list 2 "+pods+" 50 a/x@7", "2 until"), 0, pods, "100: a/x@7 a/y@90"},
		{"a restored backup, after", capture("0 list 1 "+pods+" 100 a/x@7 a/y@90", "1 list 2 "+pods+" 50 a/x@7", "2 until"), 2 * time.Second, pods, "50: a/x@7"},
	} {
		show(t, c.capture, Options{}, func(s *shown) {
			time.Sleep(c.at)
			synctest.Wait()
			if got := s.list(c.path); got != c.want {
				t.Errorf("%s: %s, want %s", c.name, got, c.want)
			}
		})
	}
}

// TestDeletionsOfLists holds which versions deletions have that only a list showed: one that nothing else has, so that the others keep
// the versions that were recorded.
func TestDeletionsOfLists(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"below the list's last change", []string{"1 list 2 " + pods + " 150 a/x@150", "1 watch 3 " + pods + "?watch=true&resourceVersion=150", "2 ADDED 3 a/n@151"},
			[]string{"1s DELETED a/z@148", "1s DELETED a/y@149", "1s MODIFIED a/x@150", "2s ADDED a/n@151"}},
		{"at the list's version", []string{"1 list 2 " + pods + " 150 a/x@140 a/z@9", "1 watch 3 " + pods + "?watch=true&resourceVersion=150", "2 ADDED 3 a/n@151"},
			[]string{"1s MODIFIED a/x@140", "1s DELETED a/y@150", "2s ADDED a/n@151"}},
		{"two lists", []string{"1 list 2 " + pods + " 150 a/x@150 a/z@149", "2 list 3 " + pods + " 151 a/x@151", "2 watch 4 " + pods + "?watch=true&resourceVersion=151", "3 ADDED 4 a/n@152"},
			[]string{"1s DELETED a/y@148", "1s MODIFIED a/z@149", "1s MODIFIED a/x@150", "2s MODIFIED a/x@151", "2s DELETED a/z@152", "3s ADDED a/n@153"}}, // which no server says
		{"another object of the name", []string{"1 list 2 " + pods + " 150 a/x@7 a/y@148/new a/z@149", "1 watch 3 " + pods + "?watch=true&resourceVersion=150", "2 ADDED 3 a/n@151"},
			[]string{"1s DELETED a/y@147", "1s ADDED a/y@148", "1s MODIFIED a/z@149", "2s ADDED a/n@151"}},
		{"another reader saw the other object begin", []string{"0 list 5 " + inA + " 100 a/x@7 a/y@8 a/z@9", "0 watch 6 " + inA + "?watch=true&resourceVersion=100", "1 DELETED 6 a/y@110", "1 ADDED 6 a/y@120/new", "2 list 2 " + pods + " 150 a/x@7 a/y@148/new a/z@9"},
			[]string{"1s DELETED a/y@110", "1s ADDED a/y@120", "2s MODIFIED a/y@148"}},
		{"another reader saw more", []string{"0 list 5 " + inA + " 100 a/x@7 a/y@8 a/z@9", "0 watch 6 " + inA + "?watch=true&resourceVersion=100", "1 DELETED 6 a/y@110", "1.5 ADDED 6 a/n@150", "2 list 2 " + pods + " 150 a/n@150 a/x@7"},
			[]string{"1s DELETED a/y@110", "1.5s DELETED a/z@149", "1.5s ADDED a/n@150"}},
	} {
		show(t, capture(append(append([]string{"0 list 1 " + pods + " 100 a/x@7 a/y@8 a/z@9"}, c.lines...), "4 until")...), Options{}, func(s *shown) {
			if got := s.watch(pods+"?watch=true&resourceVersion=100", 5*time.Second); !slices.Equal(got, c.want) {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
		})
	}
}

// TestWrites holds what becomes of writes: by default nothing, and with Writable the object is the client's from then on.
func TestWrites(t *testing.T) {
	show(t, simple, Options{}, func(s *shown) {
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
			for _, path := range []string{inA, inA + "/x", inA + "/x/status"} {
				if code, b := s.send(method, path, `{"metadata":{"name":"n"}}`); code != http.StatusMethodNotAllowed || !strings.Contains(b, "--writable") {
					t.Errorf("%s %s: %d %s", method, path, code, b)
				}
			}
		}
		if got, want := s.list(pods), "100: a/x@7 b/y@9"; got != want {
			t.Errorf("after them: %s, want %s", got, want)
		}
	})
	show(t, simple, Options{Writable: true}, func(s *shown) {
		if code, b := s.send(http.MethodPatch, inA+"/x", `{"metadata":{"labels":{"own":"yes"}}}`); code != http.StatusOK || !strings.Contains(b, `"resourceVersion":"101"`) {
			t.Errorf("a patch: %d %s", code, b)
		}
		if code, b := s.send(http.MethodPost, inA, `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"new"}}`); code != http.StatusCreated {
			t.Errorf("a create: %d %s", code, b)
		}
		if code, b := s.send(http.MethodPut, inA+"/x", `{"metadata":{"name":"x","resourceVersion":"7"}}`); code != http.StatusConflict {
			t.Errorf("a write over an old version: %d %s", code, b)
		}
		if code, b := s.send(http.MethodDelete, "/api/v1/namespaces/b/pods/y", `{"gracePeriodSeconds":0}`); code != http.StatusOK {
			t.Errorf("a delete: %d %s", code, b)
		}
		if got, want := s.list(pods), "104: a/new@102 a/x@101"; got != want {
			t.Errorf("after them: %s, want %s", got, want)
		}
		if got, want := s.watch(pods+"?watch=true&resourceVersion=104", 8*time.Second), []string{"1s ADDED a/z@105", "5s MODIFIED a/z@121"}; !slices.Equal(got, want) {
			t.Errorf("what was recorded then: %q, want %q", got, want)
		}
		if hidden := s.State().Hidden; hidden != 2 {
			t.Errorf("%d changes are hidden, want that of a/x and that of b/y", hidden)
		}
	})
}

// TestDamage holds that an object which can't be read is left out, and what is said of captures that hold nothing.
func TestDamage(t *testing.T) {
	single := capture("0 list 1 "+pods+" 100 a/x@7 b/y@9", "1 until")
	r := format.NewReader(format.Options{})
	r.Write([]byte(single))
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		broken := strings.Replace(single, `"spec":{"version":9}`, `"spec":{"version":!}`, 1)
		s, err := New(r.Trace(), strings.NewReader(broken), Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if got, want := (&shown{t, s}).list(pods), "100: a/x@7"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	})
	refused := strings.Split(capture("0 list 1 "+pods+" 100"), "\n")[0] + `
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods"}}
{"t":1,"id":1,"resp":{"status":403}}
{"t":1,"id":1,"body":{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403}}
`
	expired := `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","reason":"Expired","code":410}}` + "\n"
	for _, nothing := range []string{refused, expired} {
		if _, err := serverOf([]byte(nothing), Options{}); err == nil || !strings.Contains(err.Error(), "no list and no watch that was answered") {
			t.Errorf("of what was refused: %v", err)
		}
	}
}

// TestManyWatches opens watches as a client with a mistake does. None is read, and the server goes on.
func TestManyWatches(t *testing.T) {
	const many = 10_000
	show(t, simple, Options{}, func(s *shown) {
		for range many {
			r, _ := http.NewRequest(http.MethodGet, "http://server"+pods+"?watch=true&resourceVersion=100", nil)
			resp, err := s.RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
		}
		time.Sleep(10 * time.Second)
		if got, want := s.list(pods), "121: a/x@105 a/z@121"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	})
}

// FuzzShown shows whatever is a capture, to its end, and lists and watches all of it.
func FuzzShown(f *testing.F) {
	f.Add([]byte(simple))
	f.Add([]byte(capture("0 list 1 "+pods+" 100 a/x@7 a/y@90", "1 list 2 "+pods+" 50 a/x@7", "2 list 3 "+inA+" 70 a/x@60", "3 until")))
	f.Add([]byte(capture("0 watch 1 "+pods+"?watch=true&sendInitialEvents=true", "0 ADDED 1 a/x@9223372036854775807", "0 initial 1 18446744073709551615", "1 DELETED 1 a/x@x", "2 until")))
	if b, err := os.ReadFile("../trace/testdata/worker.trace.jsonl"); err == nil {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := serverOf(b, Options{Paused: true})
		if err != nil {
			return
		}
		defer s.Close()
		s.Notes()
		for _, at := range []int64{s.trace.Now / 2, s.trace.Now, 0} {
			s.SeekTo(at)
			s.mu.Lock()
			s.at = s.trace.Now
			s.paused = false
			s.mu.Unlock()
			s.advance()
			s.Pause(true)
		}
		for _, k := range s.kinds {
			for _, sp := range k.spans {
				if !slices.IsSortedFunc(sp.changes, func(a, b change) int { return int(min(max(a.at-b.at, -1), 1)) }) {
					t.Errorf("%s: times go back", k.Name)
				}
				for i, c := range sp.changes {
					if c.rv <= sp.revision || i > 0 && c.rv < sp.changes[i-1].rv {
						t.Errorf("%s: resourceVersion %d is not after that before it", k.Name, c.rv)
					}
				}
			}
		}
	})
}

// TestTwoClusters holds what says that a capture is of several clusters.
func TestTwoClusters(t *testing.T) {
	namespace := func(uid string) string {
		return strings.NewReplacer(`"Pod"`, `"Namespace"`, `"PodList"`, `"NamespaceList"`).Replace(capture("0 list 1 /api/v1/namespaces 100 /kube-system@7/a", "0 list 2 /api/v1/namespaces 120 /kube-system@7/"+uid, "1 until"))
	}
	for _, c := range []struct{ name, capture, want string }{
		{"one reader", simple, ""},
		{"the same versions", capture("0 list 1 "+pods+" 100 a/x@7 b/y@9", "0 list 2 "+inA+" 120 a/x@7", "1 until"), ""},
		{"the same version of two objects", capture("0 list 1 "+pods+" 100 a/x@7 b/y@9", "0 list 2 "+inA+" 120 a/z@9", "1 until"), "resourceVersion 9 of pods is b/y in one and a/z in another"},
		{"the same namespace", namespace("a"), ""},
		{"another namespace of the name", namespace("b"), "namespace kube-system has UID kube-systema in one and kube-systemb in another"},
	} {
		s, err := serverOf([]byte(c.capture), Options{Paused: true})
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got := s.TwoClusters(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		s.Close()
	}
}
