package convert_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/convert/remarks"
)

// quote returns s as JSON.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// indented returns JSON as people see it.
func indented(s string) string {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(s), "", "  "); err != nil {
		panic(err)
	}
	return b.String() + "\n"
}

// around are what collectors of logs make of the lines of a log. Each line comes with its time.
var around map[string]func(lines []string, at []time.Time) string

func init() {
	around = map[string]func(lines []string, at []time.Time) string{
		"Docker": eachLine(func(l string, t time.Time) string {
			return `{"log":` + quote(l+"\n") + `,"stream":"stdout","time":"` + t.Format(time.RFC3339Nano) + `"}`
		}),
		"Docker, in parts": inParts(func(l, end string, t time.Time) string {
			return `{"log":` + quote(l+end) + `,"stream":"stdout","time":"` + t.Format(time.RFC3339Nano) + `"}`
		}),
		"CRI": eachLine(func(l string, t time.Time) string { return t.Format(time.RFC3339Nano) + " stdout F " + l }),
		"CRI, in parts": inParts(func(l, end string, t time.Time) string {
			return t.Format(time.RFC3339Nano) + " stderr " + map[string]string{"": "P", "\n": "F"}[end] + " " + l
		}),
		"kubectl, with times": eachLine(func(l string, t time.Time) string { return t.Format(time.RFC3339Nano) + " " + l }),
		"kubectl, with the pod and times": eachLine(func(l string, t time.Time) string {
			return "[pod/kube-apiserver-n1/kube-apiserver] " + t.Format(time.RFC3339Nano) + " " + l
		}),
		"stern, with times": eachLine(func(l string, t time.Time) string {
			return "kube-apiserver-n1 kube-apiserver " + t.Format(time.RFC3339Nano) + " " + l
		}),
		"stern, as JSON": eachLine(func(l string, t time.Time) string {
			return `{"message":` + quote(t.Format(time.RFC3339Nano)+" "+l) + `,"nodeName":"n1","namespace":"kube-system","podName":"kube-apiserver-n1","containerName":"kube-apiserver"}`
		}),
		"docker compose": eachLine(func(l string, t time.Time) string { return "api-1  | " + t.Format(time.RFC3339Nano) + " " + l }),
		"journald": eachLine(func(l string, t time.Time) string {
			return t.Format("2006-01-02T15:04:05.000000-0700") + " n1 k3s[123]: " + l
		}),
		"journald, as JSON": eachLine(func(l string, t time.Time) string {
			return fmt.Sprintf(`{"__REALTIME_TIMESTAMP":"%d","_HOSTNAME":"n1","PRIORITY":"6","MESSAGE":%s,"SYSLOG_IDENTIFIER":"k3s"}`, t.UnixMicro(), quote(l))
		}),
		"fluentd": eachLine(func(l string, t time.Time) string {
			return `{"@timestamp":"` + t.Format(time.RFC3339Nano) + `","log":` + quote(l) + `,"kubernetes":{"host":"n1"}}`
		}),
		"fluent-bit": eachLine(func(l string, t time.Time) string {
			return fmt.Sprintf(`{"date":%d.%06d,"log":%s}`, t.Unix(), t.Nanosecond()/1000, quote(l))
		}),
		"fluent-bit, as an array": asArray(func(l string, t time.Time) string {
			return fmt.Sprintf(`{"date":%d.%06d,"log":%s}`, t.Unix(), t.Nanosecond()/1000, quote(l))
		}, false),
		"any name": eachLine(func(l string, t time.Time) string {
			return `{"zeit":"x","nutzlast":{"inhalt":{"message":` + quote(l) + `}},"time":"` + t.Format(time.RFC3339Nano) + `"}`
		}),
		"AKS": eachLine(func(l string, t time.Time) string {
			return `{"category":"kube-audit","operationName":"x","properties":{"log":` + quote(l) + `,"stream":"stdout","pod":"p"},"time":"` + t.Format(time.RFC3339Nano) + `"}`
		}),
		"Event Hub": inOne(`{"records":[`, `]}`, func(l string, t time.Time) string {
			return `{"category":"kube-audit","properties":{"log":` + quote(l) + `},"time":"` + t.Format(time.RFC3339Nano) + `"}`
		}),
		"CloudWatch": inOne(`{"events":[`, `],"searchedLogStreams":[]}`, func(l string, t time.Time) string {
			return fmt.Sprintf(`{"logStreamName":"x","timestamp":%d,"message":%s,"ingestionTime":%d,"eventId":"0"}`, t.UnixMilli(), quote(l), t.UnixMilli())
		}),
		"CloudWatch, indented": func(lines []string, at []time.Time) string {
			return indented(inOne(`{"searchedLogStreams":[{"x":1}],"events":[`, `]}`, func(l string, t time.Time) string {
				return fmt.Sprintf(`{"timestamp":%d,"message":%s}`, t.UnixMilli(), quote(l))
			})(lines, at))
		},
		"Firehose": func(lines []string, at []time.Time) string {
			var b strings.Builder
			for i, l := range lines {
				fmt.Fprintf(&b, `{"messageType":"DATA_MESSAGE","logGroup":"g","logEvents":[{"id":"1","timestamp":%d,"message":%s}]}`, at[i].UnixMilli(), quote(l))
			}
			return b.String()
		},
		"CloudWatch Insights": inOne(`{"results":[`, `],"status":"Complete"}`, func(l string, t time.Time) string {
			return `[{"field":"@timestamp","value":"` + t.UTC().Format("2006-01-02 15:04:05.000") + `"},{"field":"@message","value":` + quote(l) + `}]`
		}),
		"Loki": inOne(`{"status":"success","data":{"resultType":"streams","result":[{"stream":{"app":"x"},"values":[`, `]}]}}`, func(l string, t time.Time) string { return fmt.Sprintf(`["%d",%s]`, t.UnixNano(), quote(l)) }),
		"Loki, newest first": func(lines []string, at []time.Time) string {
			lines, at = backwards(lines, at)
			return inOne(`{"streams":[{"stream":{"app":"x"},"values":[`, `]}]}`, func(l string, t time.Time) string { return fmt.Sprintf(`["%d",%s]`, t.UnixNano(), quote(l)) })(lines, at)
		},
		"logcli, as JSON lines": eachLine(func(l string, t time.Time) string {
			return `{"labels":{"app":"x"},"line":` + quote(l) + `,"timestamp":"` + t.Format(time.RFC3339Nano) + `"}`
		}),
		"logcli": eachLine(func(l string, t time.Time) string { return t.Format(time.RFC3339) + ` {app="x"} ` + l }),
		"Grafana": asArray(func(l string, t time.Time) string {
			return `{"line":` + quote(l) + fmt.Sprintf(`,"timestamp":"%d","date":"%s","fields":{}}`, t.UnixNano(), t.Format(time.RFC3339Nano))
		}, true),
		"Elasticsearch": inOne(`{"took":1,"hits":{"total":{"value":1},"hits":[`, `]}}`, func(l string, t time.Time) string {
			return `{"_index":"i","_source":{"@timestamp":"` + t.Format(time.RFC3339Nano) + `","message":` + quote(l) + `}}`
		}),
		"two levels": eachLine(func(l string, t time.Time) string {
			return `{"log":` + quote(`{"@timestamp":"`+t.Format(time.RFC3339Nano)+`","message":`+quote(l)+`}`+"\n") + `,"stream":"stdout","time":"` + t.Format(time.RFC3339Nano) + `"}`
		}),
		"CRI around fluentd": eachLine(func(l string, t time.Time) string {
			return t.Format(time.RFC3339Nano) + ` stdout F {"log":` + quote(l) + `,"tag":"kube"}`
		}),
		"CSV": func(lines []string, at []time.Time) string {
			return "@timestamp,@message\n" + eachLine(func(l string, t time.Time) string {
				return t.UTC().Format("2006-01-02 15:04:05.999999999Z") + `,"` + strings.ReplaceAll(`{"message":`+quote(l)+`,"time":"`+t.Format(time.RFC3339Nano)+`"}`, `"`, `""`) + `"`
			})(lines, at)
		},
		"Fluent Bit, to a terminal": eachLine(func(l string, t time.Time) string {
			return fmt.Sprintf(`[0] kube.audit: [[%d.%09d, {}], {"time"=>"%s", "log"=>%s}]`, t.Unix(), t.Nanosecond(), t.Format(time.RFC3339Nano), quote(l))
		}),
		"journalctl -o export": eachLine(func(l string, t time.Time) string {
			return fmt.Sprintf("__CURSOR=s=1;i=%x\n__REALTIME_TIMESTAMP=%d\n_PID=7\nMESSAGE=%s\n", t.UnixNano(), t.UnixMicro(), l)
		}),
		"journalctl -o export, in bytes": eachLine(func(l string, t time.Time) string {
			return fmt.Sprintf("__CURSOR=s=1;i=%x\nMESSAGE\n%s%s\n__REALTIME_TIMESTAMP=%d\n", t.UnixNano(), binary.LittleEndian.AppendUint64(nil, uint64(len(l))), l, t.UnixMicro())
		}),
		"asciinema": castOf(`{"version":2,"width":80,"height":24,"timestamp":%d}`+"\n", func(since, _ float64, text string) string {
			return fmt.Sprintf("[%f,\"o\",%s]\n[%f,\"i\",\"x\"]\n", since, quote(text[:1]), since) + fmt.Sprintf("[%f,\"o\",%s]\n", since, quote(text[1:]))
		}),
		"asciinema, version 3": castOf(`{"version":3,"term":{"cols":80,"rows":24},"timestamp":%d}`+"\n# a comment\n", func(_, after float64, text string) string {
			return fmt.Sprintf("[%f, \"o\", %s]\n", after, quote("\x1b[?2004l\x1b]0;title\a"+text))
		}),
		"with a terminal above": func(lines []string, at []time.Time) string {
			return "$ kubectl logs x\nNAME READY\n" + strings.Repeat("p 1/1\n", 20) + around["CRI"](lines, at)
		},
	}
}

// castOf returns what asciinema records where each line is printed at its time. The header has a place for the time of the first one.
func castOf(header string, event func(since, after float64, text string) string) func([]string, []time.Time) string {
	return func(lines []string, at []time.Time) string {
		begin := at[0].Truncate(time.Second)
		b, last := fmt.Sprintf(header, begin.Unix()), begin
		for i, l := range lines {
			b += event(at[i].Sub(begin).Seconds(), at[i].Sub(last).Seconds(), l+"\r\n")
			last = at[i]
		}
		return b
	}
}

// inField is an object that logrus writes in a field.
var inField = eachLine(func(l string, t time.Time) string {
	return `time="` + t.Format(time.RFC3339Nano) + `" level=info msg="got \"x\"" n=3 payload=` + quote(l)
})

func eachLine(f func(line string, at time.Time) string) func([]string, []time.Time) string {
	return func(lines []string, at []time.Time) string {
		var b strings.Builder
		for i, l := range lines {
			b.WriteString(f(l, at[i]) + "\n")
		}
		return b.String()
	}
}

// inParts cuts lines as a container's runtime does.
func inParts(f func(part, end string, at time.Time) string) func([]string, []time.Time) string {
	const size = 300
	return func(lines []string, at []time.Time) string {
		var b strings.Builder
		for i, l := range lines {
			for len(l) > size {
				b.WriteString(f(l[:size], "", at[i]) + "\n")
				l = l[size:]
			}
			b.WriteString(f(l, "\n", at[i]) + "\n")
		}
		return b.String()
	}
}

func inOne(before, after string, f func(line string, at time.Time) string) func([]string, []time.Time) string {
	return func(lines []string, at []time.Time) string {
		var all []string
		for i, l := range lines {
			all = append(all, f(l, at[i]))
		}
		return before + strings.Join(all, ",") + after
	}
}

func asArray(f func(line string, at time.Time) string, pretty bool) func([]string, []time.Time) string {
	return func(lines []string, at []time.Time) string {
		s := inOne("[", "]", f)(lines, at)
		if pretty {
			return indented(s)
		}
		return s
	}
}

func backwards(lines []string, at []time.Time) (l []string, t []time.Time) {
	for i := range lines {
		l, t = append(l, lines[len(lines)-1-i]), append(t, at[len(lines)-1-i])
	}
	return l, t
}

// auditLines are lines of a real audit log, with their times.
func auditLines(t *testing.T) (lines []string, at []time.Time) {
	t.Helper()
	whole := converttest.Beginning(t, "audit.jsonl.gz", 400_000)
	for line := range strings.Lines(whole[:strings.LastIndexByte(whole, '\n')]) {
		var e struct{ StageTimestamp time.Time }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		lines, at = append(lines, strings.TrimSpace(line)), append(at, e.StageTimestamp)
	}
	return lines, at
}

// An audit log is the same, whatever it was wrapped in.
func TestAuditLogsAreUnwrapped(t *testing.T) {
	lines, at := auditLines(t)
	_, want, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", strings.Join(lines, "\n")+"\n"))
	if err != nil || want.Records < 100 {
		t.Fatal(want, err)
	}
	wrappings := map[string]func([]string, []time.Time) string{
		"a node's name": eachLine(func(l string, _ time.Time) string { return "ip-10-0-1-2.ec2.internal " + l }),
		"syslog": eachLine(func(l string, t time.Time) string {
			return "<134>1 " + t.Format(time.RFC3339Nano) + " n1 k3s 12 - - " + l
		}),
		"a webhook's items": eachLine(func(l string, _ time.Time) string {
			return strings.Replace(strings.Replace(l, `"kind":"Event",`, "", 1), `"apiVersion":"audit.k8s.io/v1",`, "", 1)
		}),
		"a webhook's list": inOne(`{"metadata":{},"items":[`, `]}`, func(l string, _ time.Time) string {
			return strings.Replace(strings.Replace(l, `"kind":"Event",`, "", 1), `"apiVersion":"audit.k8s.io/v1",`, "", 1)
		}),
		"OpenShift": eachLine(func(l string, t time.Time) string {
			return `{"@timestamp":"` + t.Format(time.RFC3339Nano) + `","k8s_audit_level":"Metadata","log_type":"audit","openshift":{"sequence":1},` + l[1:]
		}),
		"aws logs, as text": eachLine(func(l string, t time.Time) string {
			return fmt.Sprintf("EVENTS\t%d\t%s\t%d", t.UnixMilli(), l, t.UnixMilli())
		}),
		"rows of Log Analytics": inOne(`{"tables":[{"name":"PrimaryResult","columns":[{"name":"TimeGenerated"},{"name":"log_s"}],"rows":[`, `]}]}`, func(l string, t time.Time) string {
			return `["` + t.Format(time.RFC3339Nano) + `",` + quote(l) + `]`
		}),
		"logrus, in a field": inField,
		"structured":         eachLine(func(l string, _ time.Time) string { return `{"structured":` + l + `,"log_type":"audit"}` }),
		"other lines between": eachLine(func(l string, t time.Time) string {
			return `{"log":"I0101 10:00:00.000000       1 a.go:1] not of the audit log\n","stream":"stderr","time":"` + t.Format(time.RFC3339Nano) + "\"}\n" +
				`{"log":` + quote(l+"\n") + `,"stream":"stdout","time":"` + t.Format(time.RFC3339Nano) + `"}`
		}),
	}
	for name, f := range around {
		wrappings[name] = f
	}
	for name, f := range wrappings {
		s := f(lines, at)
		_, got, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", s))
		if err != nil {
			t.Errorf("%s: %v\n%.300s", name, err, s)
			continue
		}
		if converttest.Played(got) != converttest.Played(want) || got.Header.Start != want.Header.Start || got.Now != want.Now || got.ProblemCount != 0 || got.Format != "audit" {
			t.Errorf("%s:\n got %s\nwant %s", name, converttest.Summary(got, nil), converttest.Summary(want, nil))
		}
	}
}

// gcloud prints YAML where nobody asks for JSON, the newest entry first.
func TestGcloudYAML(t *testing.T) {
	entry := func(n int, method string) string {
		return fmt.Sprintf("insertId: x%[1]d\nlogName: projects/p/logs/cloudaudit.googleapis.com%%2Factivity\nprotoPayload:\n  '@type': type.googleapis.com/google.cloud.audit.AuditLog\n  methodName: io.k8s.core.v1.pods.%[2]s\n  resourceName: core/v1/namespaces/x/pods/a\n"+
			"  response:\n    '@type': core.k8s.io/v1.Pod\n    metadata:\n      name: a\n      namespace: x\n      uid: u\n      resourceVersion: '%[1]d'\n    spec: {}\n  status: {}\ntimestamp: '2026-01-01T10:00:0%[1]dZ'\n", n, method)
	}
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", "---\n"+entry(3, "delete")+"---\n"+entry(2, "update")+"---\n"+entry(1, "create")))
	if err != nil || tr.ProblemCount > 0 || converttest.Events(tr) != "ADDED x/a/u@1, MODIFIED x/a/u@2, DELETED x/a/u@3" {
		t.Errorf("%v: %s", err, converttest.Summary(tr, err))
	}
}

// A log of a controller is the same, whatever it was wrapped in.
func TestLogsAreUnwrapped(t *testing.T) {
	const start = "2026-01-01T10:00:00Z"
	capture := converttest.Text("r.trace.jsonl", converttest.OwnTrace(start, `{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=true"}}`, `{"t":0,"id":1,"resp":{"status":200}}`,
		`{"t":1,"id":1,"event":`+strings.TrimSpace(converttest.AddedEvent(converttest.Pod("a", "1", "3")))+`}`, `{"t":60000000000,"id":1,"end":{"how":"eof"}}`))
	begin, err := time.Parse(time.RFC3339, start)
	if err != nil {
		t.Fatal(err)
	}
	writers := map[string]func(at time.Time, i int) string{
		"klog": func(at time.Time, i int) string {
			return "W" + at.Format("0102 15:04:05.000000") + fmt.Sprintf("       1 a.go:1] text %d", i)
		},
		"zap": func(at time.Time, i int) string {
			return `{"level":"warn","ts":"` + at.Format("2006-01-02T15:04:05.000Z0700") + `","msg":"text ` + fmt.Sprint(i) + `"}`
		},
		"zap for a console": func(at time.Time, i int) string {
			return at.Format("2006-01-02T15:04:05.000Z0700") + "\tWARN\ttext " + fmt.Sprint(i)
		},
		"logrus": func(at time.Time, i int) string {
			return `time="` + at.Format(time.RFC3339Nano) + `" level=warning msg="text ` + fmt.Sprint(i) + `"`
		},
		"slog": func(at time.Time, i int) string {
			return `time=` + at.Format("2006-01-02T15:04:05.000Z07:00") + ` level=WARN msg="text ` + fmt.Sprint(i) + `"`
		},
		"Elastic's": func(at time.Time, i int) string {
			return `{"@timestamp":"` + at.Format(time.RFC3339Nano) + `","log.level":"warn","message":"text ` + fmt.Sprint(i) + `"}`
		},
		"zerolog for a console": func(at time.Time, i int) string {
			return "\x1b[90m" + at.Format(time.RFC3339Nano) + "\x1b[0m \x1b[33mWRN\x1b[0m text " + fmt.Sprint(i)
		},
		"tracing of Rust": func(at time.Time, i int) string {
			return "\x1b[2m" + at.Format("2006-01-02T15:04:05.000000Z07:00") + "\x1b[0m \x1b[33m WARN\x1b[0m text " + fmt.Sprint(i)
		},
		"slog as JSON": func(at time.Time, i int) string {
			return `{"time":"` + at.Format(time.RFC3339Nano) + `","level":"WARN","msg":"text ` + fmt.Sprint(i) + `"}`
		},
	}
	wrappings := map[string]func([]string, []time.Time) string{
		"nothing": eachLine(func(l string, _ time.Time) string { return l }),
		"a terminal": func(l []string, at []time.Time) string {
			return "\n$ kubectl get pods\nNAME READY\n" + strings.Repeat("p 1/1\n", 50) + "$ kubectl logs x\n" + strings.Join(l, "\n") + "\n"
		},
		"kubectl, with the pod": eachLine(func(l string, _ time.Time) string { return "[pod/web-1/web] " + l }),
		"stern":                 eachLine(func(l string, _ time.Time) string { return "web-7d9f8b6c5d-x2k4z web " + l }),
		"the frame of a window": eachLine(func(l string, _ time.Time) string { return "│ web-7d9f8b6c5d-x2k4z " + l + "     │" }),
	}
	for name, f := range around {
		wrappings[name] = f
	}
	for form, line := range writers {
		var lines []string
		var at []time.Time
		var want strings.Builder
		for i := range 20 {
			at = append(at, begin.Add(time.Duration(i)*1500*time.Millisecond))
			lines = append(lines, line(at[i], i))
			fmt.Fprintf(&want, "%d warning text %d\n", i*1500, i)
		}
		for name, f := range wrappings {
			s := f(lines, at)
			_, got, err := converttest.Converted(t, convert.Options{}, capture, converttest.Text("c.log", s))
			if err != nil {
				t.Errorf("%s in %s: %v\n%.300s", form, name, err, s)
				continue
			}
			want := want.String()
			if strings.HasPrefix(name, "logcli") && !strings.Contains(name, "JSON") { // its times are whole seconds
				got.Log = got.Log[:0]
				want = ""
			}
			var b strings.Builder
			for _, e := range got.Log {
				fmt.Fprintf(&b, "%d %s %s\n", e.Time/1e6, e.Level, e.Text)
			}
			if b.String() != want || got.ProblemCount != 0 {
				t.Errorf("%s in %s: %s\n%.200s\n got %.200s\nwant %.200s", form, name, converttest.Summary(got, nil), s, b.String(), want)
			}
		}
	}
}

// An access log is laid over a capture, in the wrappings of the others. What the server couldn't do is an error.
func TestAccessLogs(t *testing.T) {
	const start = "2026-01-01T10:00:00Z"
	capture := converttest.Text("r.trace.jsonl", converttest.OwnTrace(start, `{"t":60000000000}`))
	at := []time.Time{time.Date(2026, 1, 1, 10, 0, 2, 0, time.UTC), time.Date(2026, 1, 1, 10, 0, 3, 0, time.UTC), time.Date(2026, 1, 1, 10, 0, 5, 0, time.UTC)}
	lines := []string{
		`10.0.0.1 - - [01/Jan/2026:10:00:02 +0000] "GET /a HTTP/1.1" 200 612 "-" "curl/8.5.0"`,
		`10.0.0.2 - ann [01/Jan/2026:11:00:03 +0100] "POST /b HTTP/2.0" 404 0`,
		`2001:db8::1 - - [01/Jan/2026:10:00:05 +0000] "GET /c HTTP/1.1" 502 150 "-" "x" 7 0.001 [shop-web-80] [] - - - - 5f`,
	}
	wrappings := map[string]func([]string, []time.Time) string{
		"nothing":               eachLine(func(l string, _ time.Time) string { return l }),
		"kubectl, with the pod": eachLine(func(l string, _ time.Time) string { return "[pod/web-1/nginx] " + l }),
	}
	for _, name := range []string{"CRI", "Docker", "journalctl -o export", "kubectl, with times"} {
		wrappings[name] = around[name]
	}
	for name, f := range wrappings {
		_, got, err := converttest.Converted(t, convert.Options{}, capture, converttest.Text("access.log", f(lines, at)))
		if err != nil || len(got.Log) != 3 {
			t.Errorf("%s: %v, %v", name, err, got)
			continue
		}
		for i, want := range []string{"2 info /a", "3 warning /b", "5 error /c"} {
			e := got.Log[i]
			_, path, _ := strings.Cut(e.Text, " ")
			if s := fmt.Sprintf("%d %s %s", e.Time/1e9, e.Level, strings.Fields(path)[0]); s != want || got.ProblemCount > 0 {
				t.Errorf("%s: got %s of %q, want %s", name, s, e.Text, want)
			}
		}
	}
}

// What collectors write around a line stays out of it where the line goes on in others, and so does JSON in it.
func TestLogsGoOn(t *testing.T) {
	const start = "2026-01-01T10:00:00Z"
	capture := converttest.Text("r.trace.jsonl", converttest.OwnTrace(start, `{"t":60000000000}`))
	const want = `[{1100000000 info Writing pod manifest` + "\n" + `{"kind":"Pod","apiVersion":"v1"}} {2100000000 info done}]`
	for name, s := range map[string]string{
		"bare": "I0101 10:00:01.100000       1 cmd.go:79] Writing pod manifest\n{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}\nI0101 10:00:02.100000       1 cmd.go:90] done\n",
	} {
		_, tr, err := converttest.Converted(t, convert.Options{}, capture, converttest.Text("c.log", s))
		if err != nil || fmt.Sprint(tr.Log) != want {
			t.Errorf("%s: %v\n got %v\nwant %v", name, err, tr.Log, want)
		}
	}
}

// Of objects, too, the kind of a collector doesn't matter, and its times are the events'.
func TestWatchEventsAreUnwrapped(t *testing.T) {
	whole := converttest.Beginning(t, "services.watch.ndjson", 1<<20)
	var lines []string
	var at []time.Time
	for line := range strings.Lines(whole) {
		lines = append(lines, strings.TrimSpace(line))
		at = append(at, time.Date(2026, 1, 1, 10, 0, len(at), 0, time.UTC))
	}
	_, want, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", whole))
	if err != nil {
		t.Fatal(err)
	}
	wrappings := map[string]func([]string, []time.Time) string{"logrus, in a field": inField, "zap, as text": eachLine(func(l string, t time.Time) string {
		typ, object, _ := strings.Cut(strings.TrimSuffix(l, "}"), `"object":`)
		return t.Format(time.RFC3339) + "\tINFO\tevent\t" + typ + `"object":` + quote(object) + "}"
	})}
	for name, f := range around {
		wrappings[name] = f
	}
	for name, f := range wrappings {
		s := f(lines, at)
		_, got, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", s))
		if err != nil {
			t.Errorf("%s: %v\n%.300s", name, err, s)
			continue
		}
		if converttest.Played(got) != converttest.Played(want) || got.Header.Start != "2026-01-01T10:00:00Z" || converttest.Remarked(got, remarks.LineTimes) == 0 || got.ProblemCount != 0 || got.Now != int64(len(lines)-1)*1e9 {
			t.Errorf("%s: from %s for %d\n got %s\nwant %s\n%.200s", name, got.Header.Start, got.Now, converttest.Summary(got, nil), converttest.Summary(want, nil), s)
		}
	}
}

// sound converts an input, which may be anything, and checks that what comes of it is a trace.
func sound(t *testing.T, in string) {
	t.Helper()
	_, tr, err := converttest.Converted(t, convert.Options{MaxLine: 1 << 20, MaxInflated: 8 << 20, MaxObjects: 1000}, converttest.Text("x", in))
	if err == nil && tr == nil {
		t.Error("there is neither a trace nor an error")
	}
}

// What is wrapped may be cut at any byte: what was whole before is read, and nothing else comes of it.
func TestWrappedAndCut(t *testing.T) {
	lines, at := auditLines(t)
	short := func(s string) bool { return len(s) < 1500 }
	var few []string
	var times []time.Time
	for i, l := range lines {
		if short(l) && len(few) < 3 {
			few, times = append(few, l), append(times, at[i])
		}
	}
	step := 17
	if testing.Short() {
		step = 101
	}
	for name, f := range around {
		s := f(few, times)
		for n := 0; n < len(s); n += step {
			sound(t, s[:n])
			if t.Failed() {
				t.Fatalf("%s, cut at byte %d", name, n)
			}
		}
	}
}

func FuzzWrapped(f *testing.F) {
	at := time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC)
	pod := strings.TrimSpace(converttest.AddedEvent(converttest.Pod("a", "1", "3")))
	for _, wrap := range around {
		f.Add(wrap([]string{pod, "W0101 10:00:00.000000       1 a.go:1] text"}, []time.Time{at, at}))
		f.Add(wrap([]string{strings.TrimSpace(converttest.AuditLine("create", "pods", "a", 1, 201, converttest.Answer(converttest.Pod("a", "1", "3"))))}, []time.Time{at}))
	}
	for _, s := range []string{
		`{"Type":"ADDED","Object":{"metadata":{"name":"a","uid":"1","resourceVersion":"5"},"status":{"phase":"Pending"}}}`, `{"event":"onAdd","obj":{"metadata":{"name":"a","uid":"1"}}}`,
		`[{"metadata":{"name":"a","uid":"1","resourceVersion":"5"},"spec":{"containers":[]}}]`, "- metadata:\n    name: a\n    uid: b\n  spec: {}\n", `{"api_version":"v1","kind":"Pod","metadata":{"name":"a","resource_version":"5","x":null}}`,
		`{"items":[{"metadata":{"name":"a","uid":"1"}}],"metadata":{}}`, `{"protoPayload":{"methodName":"io.k8s.core.v1.pods.create","resourceName":"core/v1/namespaces/x/pods/a","response":{"@type":"core.k8s.io/v1.Pod","metadata":{"name":"a","resourceVersion":"5"}}},"timestamp":"2026-01-01T10:00:00Z"}`,
		`{"AuditId":"1","Stage":"ResponseComplete","Verb":"create","ObjectRef":"{\"resource\":\"pods\"}","StageReceivedTime":"2026-01-01T10:00:00Z"}`,
	} {
		f.Add(s)
	}
	f.Fuzz(sound)
}

// What admission webhooks are asked are events. Dry runs, connections, answers and what is no field of the object are none.
func TestAdmissionReviews(t *testing.T) {
	review := func(operation, object, former, more string) string {
		return `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"r","kind":{"group":"","version":"v1","kind":"Pod"},"operation":"` + operation + `","object":` + object + `,"oldObject":` + former + more + "}}"
	}
	first, two := converttest.Pod("a", "1", "5"), converttest.Pod("a", "1", "6")
	all := []string{
		review("CREATE", first, "null", ""), review("UPDATE", two, first, `,"dryRun":true`), review("CONNECT", `{"kind":"PodExecOptions","apiVersion":"v1"}`, "null", `,"subResource":"exec"`),
		review("UPDATE", `{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"a"}}`, first, `,"subResource":"scale"`), `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"r","allowed":true}}`,
		review("UPDATE", strings.Replace(two, `"kind":"Pod",`, "", 1), first, `,"dryRun":false,"subResource":"status"`), review("DELETE", "null", two, ""),
	}
	requests := "" // as a webhook logs them, whose objects have no kind
	for _, r := range all[:4] {
		requests += "2026-01-01T10:00:00.000Z\tINFO\tadmission\t" + strings.Replace(strings.ReplaceAll(r, `"kind":"Pod","apiVersion":"v1",`, ""), `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":`, `{"Request":`, 1) + "\n"
	}
	if _, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", requests)); err != nil || converttest.Events(tr) != "ADDED x/a/1@5" || converttest.Remarked(tr, remarks.Admission) == 0 {
		t.Errorf("requests alone: %s", converttest.Summary(tr, err))
	}
	for name, s := range map[string]string{
		"one after the other": strings.Join(all, "\n"), "an array": indented("[" + strings.Join(all, ",") + "]"), "logged": "2026-01-01 10:00:00,123 x:INFO " + strings.Join(all, "\n2026-01-01 10:00:00,123 x:INFO "),
	} {
		_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", s))
		if err != nil || tr.ProblemCount > 0 || converttest.Events(tr) != "ADDED x/a/1@5, MODIFIED x/a/1@6, DELETED x/a/1@6" || converttest.Remarked(tr, remarks.Admission) == 0 {
			t.Errorf("%s: %v: %s", name, err, converttest.Summary(tr, err))
		}
	}
}

// All of a map's objects are read, and audit events that a webhook was sent without their versions.
func TestObjectsByName(t *testing.T) {
	audit := strings.ReplaceAll(strings.TrimSpace(converttest.AuditLine("create", "pods", "a", 1, 201, converttest.Answer(converttest.Pod("a", "1", "5")))), `"apiVersion":"audit.k8s.io/v1",`, "")
	for in, want := range map[string]string{
		`{"a":` + converttest.Pod("a", "1", "5") + `,"b":` + converttest.Pod("b", "2", "6") + `,"c":` + converttest.Pod("a", "1", "7") + "}": "objects spaced [pods v1 Pod: WatchOpen 1 ADDED 2 MODIFIED 1, keys 2] (typesWorkedOut 0 ) (noDeletions 0 )",
		`{"kind":"EventList","metadata":{},"items":[` + audit + `]}`:                                                                         "audit [pods v1 Pod: WatchOpen 1 ADDED 1, keys 1] (auditAnswers 0 )",
	} {
		_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", in))
		if got := converttest.Summary(tr, err); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}
