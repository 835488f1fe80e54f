package format

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/trace"
)

func event(kind, name string) string {
	return `{"type":"ADDED","object":{"kind":"` + kind + `","apiVersion":"v1","metadata":{"name":"` + name + `"}}}`
}

const ownHead = `{"informerscope":"trace","version":1}` + "\n" + `{"t":1,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=1"}}` + "\n"

func ownEvent(e string) string { return `{"t":2,"id":1,"event":` + e + "}\n" }

func TestShapes(t *testing.T) {
	a, b := event("Pod", "a"), event("Pod", "b")
	deep := strings.Repeat(`{"a":`, 1100) + "1" + strings.Repeat("}", 1100)
	two := "watch [pods v1 Pod: WatchOpen 1 WatchEvent 2, keys 2]"
	for _, c := range []struct{ name, input, want string }{
		{"lines", a + "\n" + b + "\n", two},
		{"no last newline", a + "\n" + b, two},
		{"no newlines", a + b, two},
		{"all kinds of space", " \r\n\t" + a + "\r\n\r\n" + b + "\r\n", two},
		{"byte order mark", "\ufeff" + a + "\n" + b, two},
		{"several kinds", a + event("ConfigMap", "a") + "\n" + b, "watch [pods v1 Pod: WatchOpen 1 WatchEvent 2, keys 2] [configmaps v1 ConfigMap: WatchOpen 1 WatchEvent 1, keys 1]"},
		{"list, then watch", `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"5"},"items":[{"metadata":{"name":"c"}}]}` + "\n" + a + b,
			"list [pods v1 Pod: ListBegin 1 ListItem 1 ListEnd 1 WatchOpen 1 WatchEvent 2, keys 3]"},
		{"list of several kinds", `{"kind":"List","apiVersion":"v1","items":[{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}},{"kind":"Ingress","apiVersion":"networking.k8s.io/v1","metadata":{"name":"a"}},{"kind":"Pod","apiVersion":"v1","metadata":{"name":"b"}}]}`,
			"list [pods v1 Pod: ListBegin 1 ListItem 2 ListEnd 1, keys 2] [ingresses.networking.k8s.io v1 Ingress: ListBegin 1 ListItem 1 ListEnd 1, keys 1]"},
		{"pages", `{"kind":"PodList","apiVersion":"v1","metadata":{"continue":"x"},"items":[{"metadata":{"name":"a"}}]}` + "\n" + `{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"b"}}]}`,
			"list [pods v1 Pod: ListBegin 1 ListItem 2 ListEnd 1, keys 2]"},
		{"error first", `{"type":"ERROR","object":{"kind":"Status","reason":"Expired","code":410}}` + "\n" + a + "\n" + b, "watch [pods v1 Pod: WatchOpen 2 WatchEvent 3 WatchEnd 1, keys 2]"},

		{"bad line", a + "\n" + `{"type":"ADDED","object":{"kind":]}}` + "\n" + b, two + " (damaged line 2, byte "},
		{"a line of words", a + "\nerror: lost connection\n" + b, two},
		{"cut in a string", a + "\n" + a[:20] + "\n" + b, two + " (damaged line 2, byte 103: the object that begins at byte 83 is not complete)"},
		{"cut between", a + "\n" + `{"type":"ADDED","object":{"kind":"Pod",` + "\n" + b, two + " (damaged line 2, byte 122: the object that begins at byte 83 is not complete)"},
		{"cut, then pretty", a + "\n{\n  \"type\": \"ADDED\",\n  \"object\": {\n{\n  \"type\": \"ADDED\",\n  \"object\": {\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"b\"}}\n}\n",
			two + " (damaged line 4, byte 117: the object that begins at byte 83 is not complete)"},
		{"too deep", a + "\n" + `{"type":"ADDED","object":` + deep + "}\n" + b, two + " (tooDeep line 2, byte 83: the value nests deeper than 1000)"},
		{"far too deep, and cut", a + "\n" + `{"type":"ADDED","object":` + strings.Repeat("[", 7000), "watch [pods v1 Pod: WatchOpen 1 WatchEvent 1, keys 1] (tooDeep line 2, byte 83: the value nests deeper than 1000)"},
		{"damaged in the middle of a line", a + `{"type":]} what is left` + "\n" + b, two + " (damaged line 1, byte "},
		{"too long", a + "\n" + `{"type":"ADDED","object":{"x":"` + strings.Repeat("y", 9000) + `"}}` + "\n" + b, two + " (tooLong line 2, byte 83: the value is longer than 8000 bytes)"},

		{"too long, over many lines", a + "\n{\n  \"type\": \"ADDED\",\n" + strings.Repeat("  \"x\": {\n  },\n", 1000) + "  \"y\": 1\n}\n" + b, two + " (tooLong line 2, byte 83: the value is longer than 8000 bytes)"},

		{"own", ownHead + ownEvent(a) + ownEvent(b), "trace [pods v1 Pod: WatchOpen 1 WatchEvent 2, keys 2]"},
		{"own, bad line", ownHead + ownEvent(a) + "{\"t\":1,\n\n" + ownEvent(b), "trace [pods v1 Pod: WatchOpen 1 WatchEvent 2, keys 2] (damaged line 4, byte 218: "},
		{"own, too deep", ownHead + ownEvent(a) + `{"t":2,"id":1,"event":{"type":"ADDED","object":` + deep + "}}\n" + ownEvent(b), "trace [pods v1 Pod: WatchOpen 1 WatchEvent 2, keys 2] (tooDeep line 4, byte 211: the value nests deeper than 1000)"},
		{"own, too long", ownHead + ownEvent(a) + `{"t":2,"x":"` + strings.Repeat("y", 9000) + "\"}\n" + ownEvent(b), "trace [pods v1 Pod: WatchOpen 1 WatchEvent 2, keys 2] (tooLong line 4, byte 211: the value is longer than 8000 bytes)"},
		{"own, too long at the end", ownHead + ownEvent(a) + ownEvent(b) + `{"t":2,"x":"` + strings.Repeat("y", 9000), "trace [pods v1 Pod: WatchOpen 1 WatchEvent 2, keys 2] (tooLong line 5, byte 317: the value is longer than 8000 bytes)"},
		{"own, nothing more", `{"informerscope":"trace","version":1}`, "trace"},
		{"own, of tomorrow", `{"informerscope":"trace","version":7}` + "\n", " refused: the trace is of version 7"},
		{"own, without its request", ownHead + `{"t":1,"id":9,"event":` + a + "}\n", "trace [pods v1 :, keys 0] (damaged line 3, byte 105: the line belongs to a request that the trace doesn't have)"},
	} {
		for _, chunk := range []int{1 << 20, 5000, 3} {
			got := summarize(read([]byte(c.input), chunk, Options{MaxLine: 8000}))
			if got != c.want && !(strings.HasSuffix(c.want, " ") && strings.HasPrefix(got, c.want)) && !strings.HasPrefix(got, c.want+":") && !strings.HasPrefix(c.want, " refused") {
				t.Errorf("%s, by %d:\n got %s\nwant %s", c.name, chunk, got, c.want)
			}
			if strings.HasPrefix(c.want, " refused") && !strings.Contains(got, c.want) {
				t.Errorf("%s, by %d:\n got %s\nwant %s", c.name, chunk, got, c.want)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ name, input, want string }{
		{"nothing", "", "empty"},
		{"space", " \n\n", "empty"},
		{"gzip", "\x1f\x8b\x08\x00", "unknown format"},
		{"zstd", "\x28\xb5\x2f\xfd\x00", "unknown format"},
		{"zip", "PK\x03\x04\x00", "unknown format"},
		{"utf-16", "\xff\xfe{\x00", "unknown format"},
		{"array", `[{"type":"ADDED"}]`, "unknown format"},
		{"yaml", "apiVersion: v1\n", "unknown format"},
		{"table", "NAME   READY   STATUS\n", `(starts with "NAME   READY   STATUS")`},
		{"something else", `{"a":1}`, "unknown format"},
		{"an object of nothing", `{"kind":"","a":1}`, "neither a watch event nor a list"},
		{"an empty List", `{"kind":"List","apiVersion":"v1","items":[]}`, "an empty list"},
		{"a word", "{", "ends too early"},
		{"a byte", "x", "unknown format"},
		{"much of nothing", strings.Repeat("{]}\n", 1000), "line 1"},
	} {
		for _, chunk := range []int{1 << 20, 1} {
			tr, err := read([]byte(c.input), chunk, Options{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s is refused with %v", c.name, err)
			}
			if tr.ProblemCount > 30 || !tr.Complete {
				t.Errorf("%s: %d problems, complete %v", c.name, tr.ProblemCount, tr.Complete)
			}
		}
	}
}

func TestProblemsAreCountedAndNotAllKept(t *testing.T) {
	tr, err := read([]byte(event("Pod", "a")+"\n"+strings.Repeat("}oh\n", 500)), 64, Options{})
	if err != nil || len(tr.Problems) != 100 || tr.ProblemCount != 500 {
		t.Error(err, len(tr.Problems), tr.ProblemCount)
	}
}

func TestFail(t *testing.T) {
	r := NewReader(Options{})
	if err := r.Write([]byte(event("Pod", "a") + "\n" + event("Pod", "b") + "\n")); err != nil {
		t.Fatal(err)
	}
	r.Fail(errors.New("the disk is gone"))
	err := r.Close()
	if got, want := summarize(r.Trace(), err), "watch [pods v1 Pod: WatchOpen 1 WatchEvent 2, keys 2] (source line 3, byte 166: the disk is gone)"; got != want {
		t.Error(got)
	}
	if r.Close() != err || r.Write([]byte("x")) != nil {
		t.Error("after Close, the error of the Reader changes")
	}
}

// Empty lines cost next to nothing, wherever they stand, and are counted.
func TestEmptyLines(t *testing.T) {
	a := event("Pod", "a") + "\n"
	const many = 20 << 20
	for name, in := range map[string]string{"watch": a + strings.Repeat("\n", many) + "{]}\n", "own": ownHead + strings.Repeat("\n", many) + "{]}\n"} {
		var tr *trace.Trace
		var err error
		took, looking := time.Hour, time.Hour
		for range 30 { // the machine may be busy, and what is measured is compared with a look at each byte
			began := time.Now()
			lines := 0
			for i := range len(in) {
				if in[i] == '\n' {
					lines++
				}
			}
			looked := time.Now()
			tr, err = read([]byte(in), 1<<20, Options{Glance: true})
			took, looking = min(took, time.Since(looked)), min(looking, looked.Sub(began))
			if lines < many {
				t.Fatal(lines)
			}
			if took < 40*looking {
				break
			}
		}
		head := strings.Count(in[:len(in)-many-len("{]}\n")], "\n")
		if err != nil || len(tr.Problems) != 1 || tr.Problems[0].Line != int64(head+many+1) || tr.Problems[0].Offset < int64(many) {
			t.Errorf("%s: %v, %+v", name, err, tr.Problems)
		}
		t.Logf("%s: empty lines take %v, and a look at each byte %v", name, took, looking)
		if took >= 40*looking { // it was 250 times as long once
			t.Errorf("%s: empty lines take %v, and a look at each byte %v", name, took, looking)
		}
	}
}
