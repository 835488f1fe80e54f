package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/trace"
)

// madeCaptures are captures that could be taken for something else than they are.
var madeCaptures = map[string]string{
	"audit-webhook.json":        `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[` + auditEvent("a", 1) + "," + auditEvent("b", 2) + "]}",
	"audit-webhook-lines.jsonl": `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[` + auditEvent("a", 1) + "]}\n" + `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[` + auditEvent("b", 2) + "]}\n",
	"audit-webhook-pretty.json": "{\n  \"kind\": \"EventList\",\n  \"apiVersion\": \"audit.k8s.io/v1\",\n  \"metadata\": {},\n  \"items\": [\n" + auditEvent("a", 1) + ",\n" + auditEvent("b", 2) + "\n  ]\n}\n",
	"audit-webhook-sorted.json": `{"apiVersion":"audit.k8s.io/v1","items":[` + auditEvent("a", 1) + "," + auditEvent("b", 2) + `],"kind":"EventList","metadata":{}}`,
	"events.json":               `{"kind":"EventList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[{"metadata":{"name":"e","namespace":"x","uid":"1","resourceVersion":"8"}}]}`,
	"lists.json": `{"kind":"List","apiVersion":"v1","metadata":{},"items":[` +
		`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[` + alikePod("a", 5) + `,` + alikePod("b", 6) + `]},` +
		`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[` + alikePod("c", 7) + `]}]}`,
	"lists-and-objects.json": `{"kind":"List","apiVersion":"v1","metadata":{},"items":[` + alikePod("d", 4) + `,` +
		`{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"x","uid":"7","resourceVersion":"5"}}]}]}`,
	"named-list.json":     `{"kind":"List","apiVersion":"v1","metadata":{},"items":[{"kind":"AllowList","apiVersion":"example.com/v1","metadata":{"name":"a","uid":"7","resourceVersion":"5"},"items":["1.2.3.4"]}]}`,
	"hostile-kind.ndjson": hostile(`Po/d s?watch=true&x#%2f`, "v1") + hostile("Pod", "v1"),
	"hostile-group.ndjson": hostile("Widget", "exa mple.com/v1/../../api/v1?x") + hostile("Widget", "/v1") + hostile("Widget", "a/") + hostile("Widget", "ex%61mple.com/v1") +
		hostile("Watch", "watch/v1") + hostile("Namespace", "namespaces/v1") + hostile("Api", "apis/api"),
	"hostile-list.json": `{"kind":"Po d/sList","apiVersion":"v1 /x","metadata":{"resourceVersion":"9"},"items":[{"metadata":{"name":"a","resourceVersion":"8"}}]}`,
	"utf-16.ndjson":     strings.Join(strings.Split(hostile("Pod", "v1"), ""), "\x00") + "\x00",
	"odd-versions.json": `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"-7"},"items":[` + strings.Replace(alikePod("a", 5), `"5"`, `"36893488147419103232"`, 1) + `]}`,
}

// madeCapturesAre is what some of them are read as.
var madeCapturesAre = map[string]string{
	"audit-webhook.json":     "pods Pod: x/a WatchEventADDED 11 x/b WatchEventADDED 12",
	"events.json":            "events Event: x/e ListItem 8",
	"lists.json":             "pods Pod: x/a ListItem 5 x/b ListItem 6 x/c ListItem 7",
	"lists-and-objects.json": "configmaps ConfigMap: x/a ListItem 5\npods Pod: x/d ListItem 4",
	"named-list.json":        "allowlists.example.com AllowList: a ListItem 5",
	"hostile-kind.ndjson":    "po/d s?watch=true&x#%2fs Po/d s?watch=true&x#%2f: x/a WatchEventADDED 5",
	"hostile-list.json":      "po d/ses",
	"utf-16.ndjson":          "pods Pod: x/a WatchEventADDED 5",
	"odd-versions.json":      "2 odd versions of pods",
}

func alikePod(name string, rv int) string {
	return fmt.Sprintf(`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"x","uid":"u-%[1]s","resourceVersion":"%d"}}`, name, rv)
}

func auditEvent(name string, second int) string {
	return fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"%s","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/x/pods","verb":"create",`+
		`"objectRef":{"resource":"pods","namespace":"x","name":"%[1]s","apiVersion":"v1"},"responseStatus":{"code":201},"responseObject":%s,`+
		`"requestReceivedTimestamp":"2026-11-20T21:06:0%d.000000Z","stageTimestamp":"2026-11-20T21:06:0%[3]d.100000Z"}`, name, alikePod(name, 10+second), second)
}

func hostile(kind, apiVersion string) string {
	return fmt.Sprintf(`{"type":"ADDED","object":{"kind":%q,"apiVersion":%q,"metadata":{"name":"a","namespace":"x","uid":"1","resourceVersion":"5"}}}`+"\n", kind, apiVersion)
}

// alike tells what an informer gets to see of a trace, and what could not be read.
func alike(tr *trace.Trace) string {
	var all []string
	for _, r := range tr.Resources {
		var b strings.Builder
		fmt.Fprintf(&b, "%s %s:", r.Name(), r.Kind)
		for _, x := range r.Records {
			if x.Obj != 0 {
				b.WriteString(" " + r.Table.KeyText(r.Table.KeyOf(x.Obj)))
			}
			switch x.Kind {
			case trace.ListItem, trace.WatchEvent, trace.WatchBookmark, trace.InitialEnd:
				b.WriteString(" " + x.Kind.String() + x.Type.String() + " " + r.Table.RVText(x.RV))
			}
		}
		all = append(all, b.String())
	}
	slices.Sort(all)
	for _, r := range tr.Remarks {
		if r.ID == trace.VersionsNotNumbers {
			all = append(all, fmt.Sprintf("%d odd versions of %s", r.Count, r.Detail))
		}
	}
	return fmt.Sprintf("%d problems, %d lost\n%s", tr.ProblemCount, tr.Lost, strings.Join(all, "\n"))
}

// TestReportConvertAndRedactReadAlike: whatever a file is for one command it is for all
// of them. Each sample is played as report reads it, as convert writes it, and as redact
// does, and must be the same.
func TestReportConvertAndRedactReadAlike(t *testing.T) {
	var names []string
	for _, folder := range []string{"../../convert/testdata", "../../format/testdata", "../../report/testdata", "testdata"} {
		found, err := filepath.Glob(folder + "/*")
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		info, err := os.Stat(name)
		return err != nil || info.IsDir() || strings.HasSuffix(name, ".golden")
	})
	dir := t.TempDir()
	for name, text := range madeCaptures {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if more := os.Getenv("INFORMERSCOPE_SAMPLES"); more != "" {
		names = strings.Split(more, "\n")
	}
	if len(names) < 40 {
		t.Fatalf("there are %d samples", len(names))
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			read := func(name string) (string, bool) {
				tr, err := readTrace(name, &bytes.Buffer{})
				if err != nil {
					return err.Error(), false
				}
				return alike(tr), true
			}
			direct, ok := read(name)
			if want := madeCapturesAre[filepath.Base(name)]; !strings.Contains(direct, want) {
				t.Errorf("report reads\n%s\nand should read %s", direct, want)
			}
			for _, command := range []string{"convert", "redact", "redact --values"} {
				if command == "redact" && strings.HasPrefix(filepath.Base(name), "hostile-") {
					continue // kinds and groups that are none become tokens
				}
				out := filepath.Join(t.TempDir(), "out.trace.jsonl")
				args := map[string][]string{"convert": {"convert", "-q", "-o", out, name}, "redact": {"redact", "-q", name, out}, "redact --values": {"redact", "-q", "--values", name, out}}[command]
				var said bytes.Buffer
				status := run(t.Context(), args, &said, &said)
				if failed := status != 0 && status != 3; failed == ok {
					t.Errorf("%s exits with %d and says %s; report reads\n%s", command, status, &said, direct)
					continue
				}
				if !ok {
					continue
				}
				if got, _ := read(out); got != direct {
					t.Errorf("%s (exit %d, %s) writes\n%.1500s\nand report reads\n%.1500s", command, status, &said, got, direct)
				}
			}
		})
	}
}
