package har_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/convert/internal/har"
)

// harOf is a HAR as Chrome lays it out.
func harOf(entries ...string) string {
	return "{\n  \"log\": {\n    \"version\": \"1.2\",\n    \"creator\": {\"name\": \"WebInspector\", \"version\": \"537.36\"},\n    \"pages\": [{\"id\": \"page_1\", \"entries\": [1]}],\n    \"entries\": [\n      " +
		strings.Join(entries, ",\n      ") + "\n    ]\n  }\n}"
}

// harAsked is an entry: second of the minute, how many milliseconds the answer
// took to begin and to end, and its content.
func harAsked(url string, second, wait, time, status int, content string) string {
	return fmt.Sprintf(`{"startedDateTime":"2026-11-20T20:00:%02d.000Z","time":%d,"request":{"method":"GET","url":"https://dash.example%s","headers":[{"name":"Authorization","value":"Bearer SECRET"}]},"response":{"status":%d,"content":{"mimeType":"application/json"%s}},"timings":{"blocked":-1,"dns":-1,"connect":-1,"ssl":-1,"send":0,"wait":%d,"receive":%d}}`,
		second, time, url, status, content, wait, time-wait)
}

func content(s string) string {
	b, _ := json.Marshal(s)
	return `,"text":` + string(b)
}

func based(s string) string {
	return `,"text":"` + base64.StdEncoding.EncodeToString([]byte(s)) + `","encoding":"base64"`
}

func TestHAR(t *testing.T) {
	list := converttest.PodList("10", converttest.Pod("a", "1", "3"))
	stream := converttest.AddedEvent(converttest.Pod("b", "2", "11")) + converttest.AddedEvent(converttest.Pod("c", "3", "12")) + converttest.AddedEvent(converttest.Pod("d", "4", "13"))
	socket := strings.Replace(harAsked("/api/v1/pods?watch=true&resourceVersion=10", 2, 100, 9000, 101, ""), `"request"`,
		`"_webSocketMessages":[{"type":"send","time":1795204803.5,"data":"hello"},{"type":"receive","time":1795204804.5,"data":`+content(converttest.AddedEvent(converttest.Pod("b", "2", "11")))[8:]+`}],"request"`, 1)
	for _, c := range []struct{ name, in, want string }{
		{"list and watch", harOf(harAsked("/api/v1/pods?limit=500", 1, 10, 20, 200, content(list)), harAsked("/api/v1/pods?watch=1&resourceVersion=10", 2, 1000, 5000, 200, content(stream))),
			"har [pods v1 Pod: ListBegin 1 ListItem 1 ListEnd 1 WatchOpen 1 ADDED 3 WatchEnd 1, keys 4] (harSpread 0 )"},
		{"through a proxy, in base64", harOf(harAsked("/k8s/clusters/c-m-x7/apis/apps/v1/namespaces/shop/deployments", 1, 10, 20, 200, based(strings.ReplaceAll(list, "Pod", "Deployment")))),
			"har [deployments.apps in shop v1 Deployment: ListBegin 1 ListItem 1 ListEnd 1, keys 1]"},
		{"at the same time", harOf(harAsked("/api/v1/pods?watch=1&resourceVersion=10", 2, 0, 8000, 200, content(stream)), harAsked("/api/v1/nodes", 5, 10, 20, 200, content(converttest.PodList("9")))),
			"har [pods v1 Pod: WatchOpen 1 ADDED 3 WatchEnd 1, keys 3] [nodes v1 Pod: ListBegin 1 ListEnd 1, keys 0] (harSpread 0 )"},
		{"a WebSocket", harOf(socket), "har [pods v1 Pod: WatchOpen 1 ADDED 1 WatchEnd 1, keys 1]"},
		{"a Table", harOf(harAsked("/api/v1/pods", 1, 10, 20, 200, content(converttest.TableOf("5", converttest.Columns, converttest.Row))), harAsked("/api/v1/pods?watch=1", 2, 10, 1000, 200, content(converttest.AddedEvent(converttest.TableOf("6", "null", converttest.Row))))),
			"har [pods v1 PartialObjectMetadata: ListBegin 1 ListItem 1 ListEnd 1 WatchOpen 1 ADDED 1 WatchEnd 1, keys 1] (tableColumns 0 ) (harSpread 0 )"},
		{"refused", harOf(harAsked("/api/v1/pods", 1, 10, 20, 410, content(`{"kind":"Status","code":410,"reason":"Expired","message":"too old"}`)), strings.Replace(harAsked("/api/v1/pods", 2, 0, 20, 0, ""), `"request"`, `"_error":"net::ERR_CONNECTION_REFUSED","request"`, 1)),
			"har [pods v1 : ListBegin 2 ListError 2, keys 0]"},
		{"without content", harOf(harAsked("/api/v1/pods", 1, 10, 20, 200, content(list)), harAsked("/api/v1/pods?watch=1", 2, 10, 1000, 200, "")),
			"har [pods v1 Pod: ListBegin 1 ListItem 1 ListEnd 1 WatchOpen 1 WatchEnd 1, keys 1] (harNoBody 1 )"},
		{"nothing of a cluster", harOf(harAsked("/index.html", 1, 10, 20, 200, content("<html>")), harAsked("/apis", 1, 10, 20, 200, content("{}"))),
			"refused: x.har: none of the 2 requests is a list or a watch of a Kubernetes API server"},
		{"cut", harOf(harAsked("/api/v1/pods", 1, 10, 20, 200, content(list)), harAsked("/api/v1/pods", 2, 10, 20, 200, content(list)))[:1000],
			"har [pods v1 Pod: ListBegin 1 ListItem 1 ListEnd 1, keys 1] (cut line 8, byte 1000: the JSON has no end)"},
		{"a cut watch", harOf(harAsked("/api/v1/pods?watch=1", 2, 10, 1000, 200, content(stream[:150]))),
			"har [pods v1 Pod: WatchOpen 1 ADDED 1 WatchEnd 1, keys 1] (harSpread 0 ) (damaged line 7, byte 169: line 2, byte 150: the JSON ends too early)"},
		{"damaged", harOf(`{"startedDateTime":}`, harAsked("/api/v1/pods", 1, 10, 20, 200, content(list))),
			"har [pods v1 Pod: ListBegin 1 ListItem 1 ListEnd 1, keys 1] (damaged line 7, byte 169: the text is not JSON)"},
	} {
		written, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x.har", c.in))
		if got := converttest.Summary(tr, err); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		if strings.Contains(written, "SECRET") {
			t.Errorf("%s: a header's token is in the trace", c.name)
		}
	}
}

// The events of a watch get times between the beginning and the end of its answer. Those
// of a WebSocket have times of their own.
func TestHARTimes(t *testing.T) {
	stream := converttest.AddedEvent(converttest.Pod("b", "2", "11")) + converttest.AddedEvent(converttest.Pod("c", "3", "12")) + converttest.AddedEvent(converttest.Pod("d", "4", "13"))
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x.har", harOf(harAsked("/api/v1/pods?watch=1&resourceVersion=10", 2, 1000, 5000, 200, content(stream)))))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range tr.Resources[0].Records {
		got = append(got, fmt.Sprintf("%v %d ms", r.Kind, r.Time/1e6))
	}
	const want = "WatchOpen 1000 ms, WatchEvent 2000 ms, WatchEvent 3000 ms, WatchEvent 4000 ms, WatchEnd 5000 ms"
	if strings.Join(got, ", ") != want || tr.Header.Start != "2026-11-20T20:00:02Z" {
		t.Errorf("the trace has %v and begins at %s", got, tr.Header.Start)
	}
}

// An entry that is too long is left out. The HAR as a whole may be longer.
func TestHARTooLong(t *testing.T) {
	list := converttest.PodList("10", converttest.Pod("a", "1", "3"))
	small := func(second int) string { return harAsked("/api/v1/pods", second, 10, 20, 200, content(list)) }
	in := harOf(small(1), harAsked("/api/v1/nodes", 2, 10, 20, 200, content(converttest.PodList("10", converttest.Pod(strings.Repeat("x", 3000), "1", "3")))), small(3), small(4), small(5))
	_, tr, err := converttest.Converted(t, convert.Options{MaxLine: 2000}, converttest.Text("x.har", in))
	const want = "har [pods v1 Pod: ListBegin 4 ListItem 4 ListEnd 4, keys 1] (tooLong line 8, byte 757: the value is longer than 2000 bytes)"
	if got := converttest.Summary(tr, err); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// What Chromium said of a page that listed and watched pods, as chrome-har writes it.
func TestHAROfChromium(t *testing.T) {
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Input(t, "chromium.har"))
	const want = "har [pods in shop v1 Pod: ListBegin 1 ListItem 2 ListEnd 1 WatchOpen 1 ADDED 1 MODIFIED 1 DELETED 1 WatchBookmark 1 WatchEnd 1, keys 3] [nodes in shop v1 : ListBegin 1 ListError 1, keys 0] (harSpread 0 )"
	if got := converttest.Summary(tr, err); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func FuzzHAR(f *testing.F) {
	list, stream := converttest.PodList("10", converttest.Pod("a", "1", "3")), converttest.AddedEvent(converttest.Pod("b", "2", "11"))+converttest.AddedEvent(converttest.TableOf("5", converttest.Columns, converttest.Row))
	converttest.Fuzz(f, har.Form, harOf(harAsked("/api/v1/pods", 1, 10, 20, 200, content(list)), harAsked("/api/v1/pods?watch=1", 2, 10, 900, 200, content(stream)), harAsked("/api/v1/pods", 2, 10, 20, 0, "")),
		harOf(harAsked("/api/v1/pods", 1, -1, 20, 200, based(list)), harAsked("/x/api/v1/pods?watch=1", 1, 10, 1<<40, 101, `},"_webSocketMessages":[{"type":"receive","time":1e300,"data":"{}"}],"x":{"y":1`)))
}

func TestMadeSamples(t *testing.T) {
	pod, podList := converttest.Pod, converttest.PodList
	stream := converttest.AddedEvent(pod("b", "2", "11")) + converttest.AddedEvent(pod("c", "3", "12")) + converttest.AddedEvent(pod("d", "4", "13"))
	converttest.CheckTestdata(t, map[string]string{
		"made.har": harOf(harAsked("/api/v1/pods?limit=500", 1, 10, 20, 200, content(podList("10", pod("a", "1", "3")))),
			harAsked("/api/v1/pods?watch=1&resourceVersion=10", 2, 1000, 5000, 200, content(stream))),
	})
}
