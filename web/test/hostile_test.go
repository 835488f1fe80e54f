package test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// sharkOf returns a capture of k8shark with one record: the answer to a list of
// pods.
func sharkOf(t testing.TB, record []byte) []byte {
	t.Helper()
	const path = "/api/v1/pods"
	sum := sha256.Sum256([]byte(path))
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, e := range []struct {
		name string
		b    []byte
	}{
		{"c/metadata.json", []byte(`{"format_version":2}`)},
		{"c/index.json.zst", zstandard(fmt.Appendf(nil, `{"entries":{%q:{"api_path":%q,"seqs":[0],"times":["2026-04-10T10:00:00Z"]}}}`, path, path))},
		{"c/records/" + hex.EncodeToString(sum[:8]) + "/0.json.zst", zstandard(record)},
	} {
		w, err := z.Create(e.name)
		if err == nil {
			_, err = w.Write(e.b)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// billion is YAML whose aliases stand for a billion texts.
func billion() []byte {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	return []byte(b.String())
}

// No content of a file ends the program or takes away what was open. This is
// tested in a browser because a worker's stack is small, and its overflow can't
// be caught.
func TestHostileFiles(t *testing.T) {
	t.Parallel()
	const levels = 100_000
	opening, closing := strings.Repeat("[", levels), strings.Repeat("]", levels)
	nested := `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"deep","namespace":"x","uid":"1","resourceVersion":"1","x":` + opening + closing + `}}`
	quoted := strings.NewReplacer(`"`, `\"`).Replace(nested)
	const long, deep = 300_000_000, "the value nests deeper than 1000"
	endless := append(append([]byte(`{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"`), bytes.Repeat([]byte{'0'}, long)...), `"}}}`...)
	b := open(t)
	b.loaded()
	isOpen := "good.ndjson"
	b.choose(watchStream(5), isOpen)
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"deep-watch", []byte(`{"type":"ADDED","object":` + nested + "}\n"), deep},
		{"deep-watch.zst", zstandard([]byte(`{"type":"ADDED","object":` + nested + "}\n")), deep},
		{"deep-object", []byte(nested), deep},
		{"deep-list", []byte(`{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[` + nested + "]}"), deep},
		{"deep-table", []byte(`{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{},"columnDefinitions":[],"rows":[{"cells":` + opening + closing + `,"object":{}}]}`), deep},
		{"deep-audit", []byte(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","stage":"ResponseComplete","responseObject":` + nested + "}\n"), deep},
		{"deep-har", []byte(`{"log":{"version":"1.2","creator":{"name":"x"},"entries":[` + nested + `]}}`), "none of the 0 requests"},
		{"deep-body-har", []byte(`{"log":{"version":"1.2","creator":{"name":"x"},"entries":[{"startedDateTime":"2026-11-20T20:00:00Z","time":1,"request":{"method":"GET","url":"https://x/api/v1/pods"},"response":{"status":200,"content":{"text":"` + quoted + `"}}}]}}`), "none of the 1 requests"},
		{"deep-klog", []byte(`I1120 20:56:35.744729   22201 round_trippers.go:632] "Response" verb="GET" url="https://x/api/v1/pods?limit=500" status="200 OK"` + "\n" +
			`I1120 20:56:35.744730   22201 helper.go:113] "Response Body" body="` + quoted + `"` + "\n"), "no list is in the log"},
		{"deep-scheduler", []byte(`{"time":"2026-11-20T20:00:00Z","event":"Add","resource":` + nested + "}\n"), deep},
		{"deep-sieve", []byte("2022/03/04 15:04:01 [SIEVE-API-EVENT]\tADDED\t/pods/x/deep\tpod\tx\tdeep\t" + nested + "\n"), deep},
		{"deep-yaml", []byte("apiVersion: v1\nkind: Pod\nmetadata:\n  name: deep\n  x: " + opening + closing + "\n"), deep},
		{"less-deep-yaml", []byte("apiVersion: v1\nkind: Pod\nmetadata:\n  name: deep\n  x: " + opening[:9000] + closing[:9000] + "\n"), deep},
		{"deep-as-can-be-yaml", []byte("apiVersion: v1\nkind: Pod\nmetadata:\n  name: deep\n  x: " + opening[:1990] + closing[:1990] + "\n"), deep},
		{"deep-as-can-be-block-yaml", []byte("apiVersion: v1\nkind: Pod\nmetadata:\n  name: deep\n  x:\n    " + strings.Repeat("- ", 990) + "x\n"), ""},
		{"less-deep-block-yaml", []byte("apiVersion: v1\nkind: Pod\nmetadata:\n  name: deep\n  x:\n    " + strings.Repeat("- ", 9000) + "x\n"), deep},
		{"deep-kwok", []byte("apiVersion: config.kwok.x-k8s.io/v1alpha1\nkind: ResourcePatch\nresource: {group: \"\", version: v1, resource: pods}\ntarget: {name: deep}\ndurationNanosecond: 1\nmethod: create\ntemplate: " + nested + "\n"), deep},
		{"deep-simkube", []byte("\x82\xa7version\x02\xa6events\x91\x82\xa2ts\x01\xacapplied_objs\x91" + strings.Repeat("\x91", levels)), deep},
		{"deep-shark", sharkOf(t, []byte(`{"captured_at":"2026-04-10T10:00:00Z","response_code":200,"response_body":`+nested+`}`)), deep},
		{"deep-own.zst", zstandard([]byte(`{"informerscope":"trace","version":1}` + "\n" + `{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods"}}` + "\n" + `{"t":0,"id":1,"body":` + nested + "}\n")), deep},
		{"aliases", billion(), "the document's aliases stand for more than 100000 nodes, which is the limit"},
		{"huge-shark", sharkOf(t, bytes.Repeat([]byte{' '}, long)), "longer than 67108864 bytes"},
		{"long.gz", gzipped(endless), "longer than 67108864 bytes"},
		{"long.zst", zstandard(endless), "longer than 67108864 bytes"},
	} {
		b.choose(c.data, c.name)
		said := b.text(`.notice`)
		if !strings.Contains(said, c.want) {
			t.Errorf("%s: the page says %q, want %q", c.name, said, c.want)
		}
		if died := eval[bool](b, `!!document.querySelector('[data-act=restart]')`); died {
			t.Fatalf("%s has ended the program", c.name)
		}
		if !strings.Contains(said, "could not be opened") {
			isOpen = c.name // the name without what was passed over
		}
		if source := b.text(`.source-name`); source != isOpen {
			t.Errorf("%s: %s is open, want %s", c.name, source, isOpen)
		}
		b.key("Home")
		b.stepIs(0)
		b.key("End")
		b.stepMoves(0)
	}
}
