package logs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/convert/internal/logs"
	"github.com/informerscope/informerscope/replay/trace"
)

// recorded is a capture from 2026-12-31T23:59:58Z on, of five seconds.
const recorded = `{"informerscope":"trace","version":1,"start":"2026-12-31T23:59:58Z"}
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=true&resourceVersion=17"}}
{"t":1000000,"id":1,"resp":{"status":200,"contentType":"application/json"}}
{"t":1500000000,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"x","uid":"1","resourceVersion":"18"}}}}
{"t":5000000000}
`

// laid is what a trace has of a log: an entry a line.
func laid(t *trace.Trace) string {
	var b strings.Builder
	for _, l := range t.Log {
		fmt.Fprintf(&b, "%d %s %s\n", l.Time/1e6, l.Level, strings.ReplaceAll(l.Text, "\n", `\n`))
	}
	return b.String()
}

// Each form of a log is laid over a capture by its times, whichever the forms of these are.
func TestLogsAreLaidOver(t *testing.T) {
	for name, c := range map[string]struct{ log, want string }{
		"klog, over the end of a year": {
			"I1231 23:59:59.250000       1 controller.go:114] \"Reconciling\" object=\"x/a\"\n" +
				"W0101 00:00:00.000000       1 reflector.go:561] watch ended\n" +
				"E0101 00:00:01.000000       1 runtime.go:79] Observed a panic: boom\ngoroutine 7 [running]:\n\tmain.go:12\n" +
				"F0101 00:00:02.000000       1 main.go:1] gone\n",
			"1250 info \"Reconciling\" object=\"x/a\"\n2000 warning watch ended\n3000 error Observed a panic: boom\\ngoroutine 7 [running]:\\n\tmain.go:12\n4000 fatal gone\n",
		},
		"zap, as controller-runtime sets it up": {
			`{"level":"info","ts":"2026-12-31T23:59:59Z","logger":"web","caller":"a.go:1","msg":"Starting workers","worker count":1}` + "\n" +
				`{"level":"error","ts":"2027-01-01T01:00:00+01:00","msg":"Reconciler error","namespace":"x","object":{"name":"a"},"error":"no such thing","stacktrace":"main.main\n\tmain.go:12"}` + "\n",
			"1000 info web: Starting workers worker count=1\n2000 error Reconciler error namespace=x object={\"name\":\"a\"} error=\"no such thing\"\n",
		},
		"zap, with seconds since 1970": {
			`{"level":"debug","ts":1798761599.5,"msg":"a"}` + "\n" + `{"level":"warn","ts":1798761600,"msg":"b"}` + "\n",
			"1500 debug a\n2000 warning b\n",
		},
		"klog as JSON, in milliseconds": {
			`{"ts":1798761599500.25,"v":4,"msg":"a"}` + "\n" + `{"ts":1798761600000,"msg":"b","err":"bad"}` + "\n",
			"1500 info a\n2000 error b err=bad\n",
		},
		"zap for a console, with seconds since 1970": {"1.7987615995e+09\tINFO\ta\n1.798761600000e+09\tERROR\tReconciler error\t{\"b\": 1}\nmain.f\n\t/a.go:1\n",
			"1500 info a\n2000 error Reconciler error {\"b\": 1}\\nmain.f\\n\t/a.go:1\n"},
		"slog": {`{"time":"2026-12-31T23:59:59.5Z","level":"WARN","msg":"a","n":3}` + "\n", "1500 warning a n=3\n"},
		"zap for a console": {
			"2026-12-31T23:59:59.500Z\tINFO\tsetup\tstarting manager\n2027-01-01T02:00:00.000+0200\tERROR\tReconciler error\t{\"a\": 1}\n",
			"1500 info setup starting manager\n2000 error Reconciler error {\"a\": 1}\n",
		},
		"Python, with a traceback below its first line": {
			"2026-12-31 23:59:59,500 - kopf.objects - ERROR - [x/a] Handler failed\nTraceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'b'\n2027-01-01 00:00:00,000 - kopf - INFO - again\n",
			"1500 error kopf.objects: [x/a] Handler failed\\nTraceback (most recent call last):\\n  File \"a.py\", line 1\\nKeyError: 'b'\n2000 info kopf: again\n",
		},
		"Java": {"2026-12-31 23:59:59.500 [main] WARN  org.x.Y - slow\njava.lang.X: y\n\tat org.x.Y.z(Y.java:1)\n", "1500 warning [main]: org.x.Y - slow\\njava.lang.X: y\\n\tat org.x.Y.z(Y.java:1)\n"},
		"kubectl logs --timestamps, whose times count": {
			"2026-12-31T23:59:59.500000001Z I0704 12:00:00.000000       1 a.go:1] a\n2027-01-01T00:00:00.000000001Z plain text\n2027-01-01T00:00:00.500000001Z {\"level\":\"error\",\"ts\":1,\"msg\":\"c\"}\n",
			"1500 info a\n2000 info plain text\n2500 error c\n",
		},
	} {
		if !logs.Controller.Matches([]byte(c.log)) {
			t.Errorf("%s: it isn't taken for a log", name)
		}
		for _, inputs := range [][]convert.Input{
			{converttest.Text("r.trace.jsonl", recorded), converttest.Text("c.log", c.log)},
			{converttest.Text("c.log", c.log), converttest.Text("r.trace.jsonl", recorded)},
		} {
			_, tr, err := converttest.Converted(t, convert.Options{}, inputs...)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if got := laid(tr); got != c.want {
				t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
			}
			if tr.Header.Start != "2026-12-31T23:59:58Z" || tr.Now != 5e9 || len(tr.Resources) != 1 || len(tr.Problems) > 0 {
				t.Errorf("%s: the capture isn't what it was: %s, %d ns, %s", name, tr.Header.Start, tr.Now, converttest.Summary(tr, nil))
			}
		}
	}
}

// One line with a time, and any number of lines without, are a log whatever the text.
func TestALogGoesOnForLong(t *testing.T) {
	log := "2026-12-31 23:59:59 something happened\nTraceback (most recent call last):\n" + strings.Repeat("  File \"a.py\", line 1, in f\n", 50)
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("r.trace.jsonl", recorded), converttest.Text("c.log", log))
	if err != nil || len(tr.Log) != 1 || !strings.HasPrefix(tr.Log[0].Text, "something happened\nTraceback") {
		t.Errorf("%v: %v", err, tr)
	}
}

// A line without a time belongs to the entry before it also behind a prefix, and a line of syslog needs no other time.
func TestLogsBehindPrefixes(t *testing.T) {
	for name, c := range map[string]struct{ log, want string }{
		"stern": {"+ web-7d9f8b6c5d-x2k4z › web\nweb-7d9f8b6c5d-x2k4z web E1231 23:59:59.000000       1 a.go:1] a\nweb-7d9f8b6c5d-x2k4z web main.f(0x1)\n- web-7d9f8b6c5d-x2k4z › web\n",
			"1000 error a\\nweb-7d9f8b6c5d-x2k4z web main.f(0x1)\n"},
		"OpenTelemetry": {`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1798761599500000000","severityText":"ERROR","body":{"stringValue":"E1231 23:59:59.000000       1 a.go:1] a"}}]}]}]}` + "\n" + `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1798761600000000000","body":{"stringValue":"plain"}}]}]}]}`,
			"1500 error a\n2000 info plain\n"},
		"zap's seconds": {"web-7d9f8b6c5d-x2k4z web 1.7987615995e+09\tINFO\ta\nweb-7d9f8b6c5d-x2k4z web \t/a.go:1\nweb-7d9f8b6c5d-x2k4z web 1.7987616e+09\tERROR\tb\n", "1500 info a\\nweb-7d9f8b6c5d-x2k4z web \t/a.go:1\n2000 error b\n"},
		"syslog":        {"Dec 31 23:59:59 n1 kubelet[7]: E1231 23:59:59.500000       7 a.go:1] a\nJan  1 00:00:00 n1 systemd[1]: Started it.\n", "1500 error a\n2000 info n1 systemd[1]: Started it.\n"},
		"syslog without klog": {"Dec 31 23:59:59 n1 manager: goroutine 18 [chan receive]:\nJan  1 00:00:00 n1 manager: main.f(0x1)\n",
			"1000 info n1 manager: goroutine 18 [chan receive]:\n2000 info n1 manager: main.f(0x1)\n"},
	} {
		if _, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("r.trace.jsonl", recorded), converttest.Text("c.log", c.log)); err != nil || laid(tr) != c.want {
			t.Errorf("%s: %v\n got %s\nwant %s", name, err, laid(tr), c.want)
		}
	}
}

// What lies before the capture and after it is counted, and doesn't make the capture longer.
func TestLogOutsideTheCapture(t *testing.T) {
	log := "I1231 12:00:00.000000       1 a.go:1] hours before\nI1231 23:59:59.000000       1 a.go:1] within\nE0101 00:01:00.000000       1 a.go:1] after\nI0101 00:02:00.000000       1 a.go:1] after\n"
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("r.trace.jsonl", recorded), converttest.Text("c.log", log))
	if err != nil {
		t.Fatal(err)
	}
	const want = "log+trace [pods v1 Pod: WatchOpen 1 ADDED 1, keys 1] (logOutside 3 c.log) (logTimes 0 c.log)"
	if got := converttest.Summary(tr, nil); got != want || laid(tr) != "1000 info within\n" || tr.Now != 5e9 || tr.Header.Start != "2026-12-31T23:59:58Z" {
		t.Errorf("%s\n%s%d\nwant %s", got, laid(tr), tr.Now, want)
	}
	if len(tr.Marks) != 0 {
		t.Errorf("an entry that tells of nothing wrong is a mark: %v", tr.Marks)
	}
}

// A log needs a capture, and one whose times are known.
func TestLogNeedsACapture(t *testing.T) {
	log := converttest.Text("c.log", "I1231 23:59:59.000000       1 a.go:1] a\nE1231 23:59:59.000000       1 a.go:1] b\n")
	_, tr, err := converttest.Converted(t, convert.Options{}, log)
	if got := converttest.Summary(tr, err); got != "refused: this is a log, which holds no objects: open it together with a capture, or after one" {
		t.Error(got)
	}
	_, tr, err = converttest.Converted(t, convert.Options{}, log, log)
	if got := converttest.Summary(tr, err); !strings.HasPrefix(got, "refused: this is a log, which holds no objects") {
		t.Error(got)
	}
	pods := converttest.Text("pods.json", converttest.PodList("10", converttest.Pod("a", "1", "3")))
	_, tr, err = converttest.Converted(t, convert.Options{}, pods, log)
	if got := converttest.Summary(tr, err); err != nil || !strings.Contains(got, "c.log: the log can't be laid over a capture whose times aren't known") || len(tr.Log) > 0 {
		t.Error(got)
	}
	if _, _, err = converttest.Converted(t, convert.Options{}, converttest.Text("x", "nothing: 3"), log); err == nil || strings.Contains(err.Error(), "holds no objects: open") {
		t.Errorf("what is wrong with the capture isn't said: %v", err)
	}
}

// Captures that begin as a log does stay captures.
func TestCapturesAreNoLogs(t *testing.T) {
	pod := `{"type":"ADDED","object":` + converttest.Pod("a", "1", "3") + "}\n"
	for _, s := range []string{
		"W1231 23:59:59.000000       1 memcache.go:265] couldn't get the current server API group list\n" + pod,
		"2026-12-31T23:59:59.500000001Z " + pod,
		"I1231 23:59:59.000000       1 loader.go:395] Config loaded from file:  a\nI1231 23:59:59.000001       1 helper.go:113] \"Response Body\" body=\"{}\"\n",
		"I1231 23:59:59.000000       1 round_trippers.go:632] \"Response\" verb=\"GET\" url=\"https://x/api/v1/pods\" status=\"200 OK\"\n",
		converttest.SimulatorLine("00", "Add", `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"status":{"message":"b"}}`),
		pod, recorded, `{"msg":"a"}` + "\n", `{"ts":1,"level":"info"}` + "\n", "hello\n", "", "\n\n", "2026-12-31T23:59:59Z", "I1231",
	} {
		if logs.Controller.Matches([]byte(s)) {
			t.Errorf("taken for a log: %.80s", s)
		}
	}
}

// A long entry is cut, and so is a log with too many.
func TestLongLogs(t *testing.T) {
	var b strings.Builder
	b.WriteString("I1231 23:59:59.000000       1 a.go:1] " + strings.Repeat("ä", 2000) + "\n" + strings.Repeat("stack ä\n", 2000))
	for range 50_010 {
		b.WriteString("W1231 23:59:59.000001       1 a.go:1] b\n")
	}
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("r.trace.jsonl", recorded), converttest.Text("c.log", b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if len(tr.Log) != 50_000 || len(tr.Log[0].Text) > 2001 || len(tr.Marks) != 49_999 || !strings.Contains(converttest.Summary(tr, nil), "(logMore 11 c.log)") {
		t.Errorf("%d entries, %d bytes, %d marks, %s", len(tr.Log), len(tr.Log[0].Text), len(tr.Marks), converttest.Summary(tr, nil))
	}
}

func FuzzController(f *testing.F) {
	f.Add("I1231 23:59:59.000000       1 a.go:1] a\n")
	f.Add(`{"level":"info","ts":1798761599.5,"msg":"a","x":{"y":[1]}}` + "\n")
	f.Add("{\"ts\":\x00\n{\"msg\":\"a\",\"ts\":1798761599.5,\"x\":\x00\n")
	f.Add("2026-12-31T23:59:59.500Z\tINFO\tsetup\tstarting manager\n")
	f.Fuzz(func(t *testing.T, s string) {
		logs.Controller.Matches([]byte(s))
		_, tr, err := converttest.Converted(t, convert.Options{MaxLine: 1 << 16}, converttest.Text("r.trace.jsonl", recorded), converttest.Text("c.log", "I1231 23:59:59.000000       1 a.go:1] a\n"+s))
		if err == nil && tr.Now != 5e9 {
			t.Errorf("a log makes the capture longer: %d", tr.Now)
		}
	})
}
