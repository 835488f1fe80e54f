package logs_test

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/convert/internal/logs"
	"github.com/informerscope/informerscope/replay/convert/remarks"
)

func TestKlog(t *testing.T) {
	for _, c := range []struct{ name, start, want string }{
		{"kubectl-v9-configmaps.stderr.log", "2026-11-20T20:56:35.744729Z", "klog [configmaps v1 ConfigMap: ListBegin 1 ListItem 10 ListEnd 1 WatchOpen 1, keys 10] (klogCut 1 ) (klogNoWatches 0 )"},
		{"kubectl-v10-pods.stderr.log", "2026-11-20T20:56:35.88984Z", "klog [pods v1 Pod: ListBegin 1 ListEnd 1 WatchOpen 1, keys 0] (klogNoWatches 0 )"},
	} {
		_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Input(t, c.name))
		if got := converttest.Summary(tr, err); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		if tr != nil && tr.Header.Start != c.start {
			t.Errorf("%s starts at %s", c.name, tr.Header.Start)
		}
	}
	if s := remarks.Sentence(remarks.KlogNoWatches, 0, ""); !strings.Contains(s, "--output-watch-events -o json") {
		t.Errorf("the remark names no flag: %s", s)
	}
}

const (
	klogHead    = `I1231 23:59:59.000000   22201 loader.go:407] Config loaded from file:  admin.kubeconfig` + "\n"
	klogRequest = `I1231 23:59:59.500000   22201 round_trippers.go:632] "Response" verb="GET" url="https://127.0.0.1:26443/api/v1/pods?limit=500" status="200 OK" headers=<` + "\n"
)

// klogBody are the ways in which kubectl wrote a body, over the years.
func klogBody(time, body string) map[string]string {
	return map[string]string{
		"quoted":        "I" + time + `   22201 helper.go:113] "Response Body" body="` + strings.ReplaceAll(body, `"`, `\"`) + `"` + "\n",
		"several lines": "I" + time + `   22201 helper.go:113] "Response Body" body=<` + "\n\t" + body[:8] + "\n\t" + body[8:] + "\n >\n",
		"plain":         "I" + time + `   22201 request.go:1073] Response Body: ` + body + "\n",
	}
}

func TestKlogBodies(t *testing.T) {
	const want = "klog [pods v1 Pod: ListBegin 1 ListItem 2 ListEnd 1, keys 2] (klogNoWatches 0 )"
	list := converttest.PodList("10", converttest.Pod("a", "1", "3"), converttest.Pod("b", "2", "4"))
	for name, body := range klogBody("0101 00:00:00.250000", list) {
		for _, request := range []string{klogRequest, `I1231 23:59:59.500000   22201 round_trippers.go:553] GET https://127.0.0.1:6443/api/v1/pods?limit=500 200 OK in 3 milliseconds` + "\n"} {
			_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x.log", klogHead+request+"\tDate: Thu, 31 Dec 2026 21:59:59 GMT\n >\n"+body))
			if got := converttest.Summary(tr, err); got != want {
				t.Errorf("%s:\n got %s\nwant %s", name, got, want)
				continue
			}
			// The log is of a place two hours east, and the year ends in it.
			if tr.Header.Start != "2026-12-31T22:00:00.25Z" {
				t.Errorf("%s: it starts at %s", name, tr.Header.Start)
			}
		}
		_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x.log", klogHead+klogRequest+body))
		if err != nil {
			t.Errorf("%s, without a date: %v", name, err)
		} else if tr.Header.Start != "" || tr.Now != 1_250_000_000 {
			t.Errorf("%s, without a date: it starts at %q and lasts %d ns", name, tr.Header.Start, tr.Now)
		}
	}
}

func TestKlogDamage(t *testing.T) {
	list := converttest.PodList("10", converttest.Pod("a", "1", "3"), converttest.Pod("b", "2", "4"))
	whole := klogBody("1231 23:59:59.600000", list)["plain"]
	const told = "klog [pods v1 Pod: ListBegin 1 ListItem 2 ListEnd 1, keys 2]"
	for _, c := range []struct{ name, in, want string }{
		{"a table", klogHead + klogRequest + klogBody("1231 23:59:59.600000", converttest.TableOf("5", converttest.Columns, converttest.Row))["quoted"],
			"klog [pods v1 PartialObjectMetadata: ListBegin 1 ListItem 1 ListEnd 1, keys 1] (tableColumns 0 ) (klogNoWatches 0 )"},
		{"a refusal", klogHead + strings.Replace(klogRequest, "200 OK", "403 Forbidden", 1) + klogBody("1231 23:59:59.600000", `{"kind":"Status","message":"no","code":403}`)["plain"],
			"klog [pods v1 : ListBegin 1 ListError 1, keys 0] (klogNoWatches 0 )"},
		{"discovery", klogHead + strings.Replace(klogRequest, "/api/v1/pods?limit=500", "/apis?timeout=32s", 1) + whole, "refused: x.log: no list is in the log: kubectl writes the bodies"},
		{"a cut list", klogHead + klogRequest + strings.Replace(whole, `"name":"b"`, `"na [truncated 500 chars]`+"\nI", 1), "klog [pods v1 Pod: ListBegin 1 ListItem 1 ListEnd 1, keys 1] (klogCut 1 ) (klogNoWatches 0 )"},
		{"no JSON", klogHead + klogRequest + strings.Replace(whole, `"metadata"`, `"metadata`, 1) + klogRequest + whole, told + " (klogNoWatches 0 ) (damaged line 3, byte 241: the text is not JSON)"},
		{"cut", klogHead + klogRequest + whole + klogRequest + klogBody("1231 23:59:59.600000", list)["several lines"][:90], told + " (klogNoWatches 0 ) (cut line 5, byte 749: the log ends within the body of /api/v1/pods?limit=500)"},
	} {
		_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x.log", c.in))
		if got := converttest.Summary(tr, err); got != c.want && !(err != nil && strings.HasPrefix(got, c.want)) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func FuzzKlog(f *testing.F) {
	list := converttest.PodList("10", converttest.Pod("a", "1", "3"))
	for _, body := range klogBody("1231 23:59:59.600000", list) {
		f.Add([]byte(klogHead + klogRequest + body))
	}
	converttest.Fuzz(f, logs.Klog, converttest.Beginning(f, "kubectl-v9-configmaps.stderr.log", 60_000), converttest.Beginning(f, "kubectl-v10-pods.stderr.log", 60_000))
}
