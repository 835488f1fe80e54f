package convert_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/trace"
)

// The direct reader makes the same of a capture and of the converted capture, except for
// the requests that only the converted one has.
func TestConvertedIsTheSame(t *testing.T) {
	for _, name := range []string{
		"pods.watch.ndjson.gz", "pods-streaminglist.ndjson.gz", "watch-pretty.ndjson", "kubectl-get-pods-w-events.json.gz",
		"kubectl-get-configmaps-w-events.json", "configmaps.list.p1.json", "list-pretty.json", "shop.trace.jsonl.gz", "watch-cut-midjson-fin.ndjson",
	} {
		_, got, err := converttest.Converted(t, convert.Options{}, converttest.Input(t, name))
		if err != nil {
			t.Fatal(err)
		}
		in, err := converttest.Input(t, name).Open()
		if err != nil {
			t.Fatal(err)
		}
		want, err := file.Read(in, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if a, b := converttest.Played(got), converttest.Played(want); a != b {
			t.Errorf("%s:\n got %.600s\nwant %.600s", name, a, b)
		}
	}
}

// All damage is counted, also what is more than a trace keeps of it.
func TestAllDamageIsCounted(t *testing.T) {
	in := converttest.AddedEvent(converttest.Pod("a", "1", "5")) + strings.Repeat("#"+converttest.AddedEvent(converttest.Pod("a", "1", "5")), 150)
	var b bytes.Buffer
	sum, err := convert.Convert(&b, []convert.Input{converttest.Text("x", in)}, convert.Options{})
	if err != nil || sum.ProblemCount != 150 || sum.Lost != 150 || len(sum.Problems) != trace.MaxProblems || strings.Count(b.String(), `"lost":1`) != 150 {
		t.Errorf("%v: %d places, %d events, %d of them kept", err, sum.ProblemCount, sum.Lost, len(sum.Problems))
	}
}

// What is not UTF-8 is a problem of every form, and is never written.
func TestNotUTF8IsNeverWritten(t *testing.T) {
	bad := strings.Replace(converttest.Pod("a", "1", "5"), `"kind":"Pod"`, `"note":"`+"\xff"+`","kind":"Pod"`, 1)
	for name, in := range map[string]string{
		"watch": converttest.AddedEvent(bad), "list": converttest.PodList("10", bad), "object": bad, "audit": converttest.AuditLine("create", "pods", "a", 1, 201, converttest.Answer(bad)),
		"scheduler": converttest.SimulatorLine("01", "Add", bad), "yaml": converttest.PodYAML("a", "1", "") + "  # \xff\n",
		"own": converttest.OwnTrace("2026-11-20T10:00:05Z", `{"t":0,"mark":{"text":"`+"\xff"+`"}}`, `{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=true"}}`, `{"t":1,"id":1,"event":{"type":"ADDED","object":`+bad+`}}`),
	} {
		out, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", in))
		if err != nil || !utf8.ValidString(out) {
			t.Errorf("%s: %v, UTF-8 %v", name, err, utf8.ValidString(out))
			continue
		}
		if tr.ProblemCount == 0 || tr.Problems[0].Kind != trace.Encoding {
			t.Errorf("%s: %v", name, tr.Problems)
		}
	}
}
