package convert_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
)

// FuzzConvert converts two files that may be anything, one of them loose, and checks
// that what is written are whole lines of JSON in UTF-8.
func FuzzConvert(f *testing.F) {
	event := converttest.AddedEvent(converttest.Pod("a", "1", "5"))
	list := converttest.PodList("10", converttest.Pod("a", "1", "3"), converttest.Pod("b", "2", "4"))
	seed := func(a, b string) { f.Add([]byte(a), []byte(b)) }
	seed(list, converttest.PodList("20", converttest.Pod("b", "2", "14")))
	seed("["+list+","+list+"]", "2026-11-20T21:06:42Z "+event)
	seed("$ kubectl get pods\n"+event, string(gzipped([]byte(list))))
	seed(converttest.KubectlList(converttest.Pod("a", "1", "3")), converttest.KubectlList())
	seed("Event: {'type': 'ADDED', 'object': {'kind': u'Po\\x64', 'a': datetime.datetime(2026, 1, 1), 'b': [None, True, <X at 0>]}}\n", "__CURSOR=a\nMESSAGE\n\x02\x00\x00\x00\x00\x00\x00\x00{}\n\n")
	seed("\xff\xfe{\x00", converttest.Pod("a", "1", "3"))
	for _, files := range archiveSamples() {
		f.Add(tarOf(f, files[:2]), zipOf(f, files[:2]))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		loose := converttest.Text("dir/b", string(b))
		loose.Loose = true
		var out bytes.Buffer
		_, err := convert.Convert(&out, []convert.Input{converttest.Text("a", string(a)), loose}, convert.Options{MaxLine: 1 << 20, MaxInflated: 4 << 20, MaxHeld: 1 << 20, MaxObjects: 1000})
		if err != nil && strings.Contains(err.Error(), "Go ") {
			t.Errorf("the error has Go's words: %v", err)
		}
		for line := range bytes.Lines(out.Bytes()) {
			if !json.Valid(line) || !utf8.Valid(line) || line[len(line)-1] != '\n' {
				t.Fatalf("not a line of a trace: %.300q", line)
			}
		}
	})
}
