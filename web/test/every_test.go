package test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// samples has a capture of each format, and what the page says about it: the
// name of the format; the informer shown, with its watch events and lists; the
// number of informers; whether the times are true; the numbers of remarks and
// problems; and the number of objects in the indexer in the end.
var samples = []struct{ file, want string }{
	{"format/testdata/pods.watch.ndjson.gz", "a watch stream: pods v1, events 145, lists 0; times made up; remarks 0, problems 0; in the end 0 in the cache"},
	{"format/testdata/watch-pretty.ndjson", "a watch stream: configmaps v1, events 16, lists 0; times made up; remarks 0, problems 0; in the end 16 in the cache"},
	{"convert/testdata/made-410.ndjson", "a watch stream: pods v1, events 2, lists 0; times made up; remarks 0, problems 0; in the end 1 in the cache"},
	{"format/testdata/watch-cut-midjson-fin.ndjson", "a watch stream: nodes v1, events 5, lists 0; times made up; remarks 0, problems 1; in the end 5 in the cache"},
	{"format/testdata/pods-streaminglist.ndjson.gz", "a watch stream: pods v1, events 147, lists 0; times made up; remarks 0, problems 0; in the end 0 in the cache"},
	{"format/testdata/kubectl-get-pods-w-events.json.gz", "kubectl get -w, with watch events: pods v1, events 142, lists 0; times made up; remarks 0, problems 0; in the end 0 in the cache"},
	{"convert/testdata/kubectl-get-pods-w-events.yaml.gz", "kubectl get -w, with watch events: pods v1, events 142, lists 0; times made up; remarks 0, problems 0; in the end 0 in the cache"},
	{"format/testdata/kubectl-get-pods-w-noevents.json.gz", "objects one after the other, without watch events: pods v1, events 142, lists 0; times made up; remarks 2, problems 0; in the end 17 in the cache"},
	{"convert/testdata/made-noevents.yaml", "objects one after the other, without watch events: pods v1, events 3, lists 0; times made up; remarks 2, problems 0; in the end 2 in the cache"},
	{"format/testdata/configmaps.list.p1.json", "lists (kubectl get): configmaps v1, events 0, lists 1; times made up; remarks 0, problems 0; in the end 14 in the cache"},
	{"convert/testdata/made-list.yaml", "lists (kubectl get): pods v1, events 0, lists 1; times made up; remarks 0, problems 0; in the end 2 in the cache"},
	{"convert/testdata/made-dumps.json", "lists (kubectl get): pods v1, events 3, lists 1; times made up; remarks 1, problems 0; in the end 2 in the cache"},
	{"convert/testdata/audit.jsonl.gz", "an audit log of the API server: pods v1, events 104, lists 1, and 8 more; times true; remarks 4, problems 0; in the end 0 in the cache"},
	{"convert/testdata/pods-table.ndjson.gz", "a watch stream: objects v1, events 146, lists 0; times made up; remarks 1, problems 0; in the end 0 in the cache"},
	{"convert/testdata/pods-table-includeobject-none.ndjson", "a watch stream: objects v1, events 142, lists 0; times made up; remarks 1, problems 0; in the end 0 in the cache"},
	{"format/testdata/list-table.json", "lists (kubectl get): objects v1, events 0, lists 1; times made up; remarks 1, problems 0; in the end 5 in the cache"},
	{"convert/testdata/pods-partialobjectmetadata.ndjson.gz", "a watch stream: objects v1, events 146, lists 0; times made up; remarks 1, problems 0; in the end 0 in the cache"},
	{"convert/testdata/kwokctl-snapshot-record.yaml.gz", "a recording of kwokctl: pods v1, events 142, lists 1, and 6 more; times true; remarks 2, problems 0; in the end 0 in the cache"},
	{"convert/testdata/made-v1.kshrk", "a capture of k8shark: pods in x v1, events 7, lists 1, and 1 more; times made up; remarks 1, problems 0; in the end 2 in the cache"},
	{"convert/testdata/made-v2.kshrk", "a capture of k8shark: pods in x v1, events 7, lists 1, and 1 more; times true; remarks 1, problems 0; in the end 2 in the cache"},
	{"convert/testdata/made.sktrace", "a trace of SimKube: pods v1, events 6, lists 1, and 1 more; times true; remarks 3, problems 0; in the end 3 in the cache"},
	{"convert/testdata/made-scheduler.jsonl", "records of kube-scheduler-simulator: pods v1, events 4, lists 0; times true; remarks 1, problems 0; in the end 1 in the cache"},
	{"convert/testdata/made-sieve.log", "a log of Sieve: pods v1, events 3, lists 0; times true; remarks 1, problems 0; in the end 2 in the cache"},
	{"convert/testdata/made.har", "HAR, from a browser or proxy: pods v1, events 3, lists 1; times true; remarks 1, problems 0; in the end 4 in the cache"},
	{"convert/testdata/kubectl-v9-configmaps.stderr.log", "a log of kubectl -v=9: configmaps v1, events 0, lists 1; times true; remarks 2, problems 0; in the end 10 in the cache"},
	{"convert/testdata/kubectl-v10-pods.stderr.log", "a log of kubectl -v=9: pods v1, events 0, lists 1; times true; remarks 1, problems 0; in the end 0 in the cache"},
	{"format/testdata/shop.trace.jsonl.gz", "a trace of informerscope: pods v1, events 145, lists 1, and 11 more; times true; remarks 0, problems 0; in the end 0 in the cache"},
}

// packings are the ways in which a capture may be compressed.
var packings = []struct {
	suffix string
	pack   func([]byte) []byte
}{
	{"", func(b []byte) []byte { return b }},
	{".gz", gzipped},
	{".zst", zstandard},
}

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b) // a buffer never fails
	z.Close()
	return out.Bytes()
}

func zstandard(b []byte) []byte {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err) // without options, nothing can be wrong
	}
	return z.EncodeAll(b, nil)
}

// unpacked returns a file of testdata, uncompressed.
func unpacked(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(testdata(t, name))
	if err == nil && strings.HasSuffix(name, ".gz") {
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(b)); err == nil {
			b, err = io.ReadAll(z)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Every capture opens, however it is packed. Its content decides how: the names
// say nothing. What unpacks a file doesn't know formats, so the packings take
// turns; -whole tries each file in each of them.
func TestEveryCaptureOpens(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	for i, s := range samples {
		plain := unpacked(t, s.file)
		for k, p := range packings {
			if !*whole && k != i%len(packings) {
				continue
			}
			name := "capture-" + strconv.Itoa(i) + p.suffix
			if got := b.opens(p.pack(plain), name); got != s.want {
				t.Errorf("%s%s:\n got %s\nwant %s", s.file, p.suffix, got, s.want)
			}
		}
	}
}

// opens opens a file under a fresh name, and returns what the page says about
// it or why the page refuses it.
func (b *tab) opens(data []byte, name string) string {
	b.t.Helper()
	if b.choose(data, name); eval[bool](b, `/could not be opened/.test(document.querySelector('.notice')?.textContent)`) {
		return "refused: " + b.text(".notice .detail")
	}
	said := b.about()
	b.key("End")
	b.stepMoves(0)
	return said + "; in the end " + b.text(`[data-station=store] .station-says`)
}

// choose opens a file under a fresh name, and waits until it is read or
// refused.
func (b *tab) choose(data []byte, name string) {
	b.t.Helper()
	file := filepath.Join(b.t.TempDir(), name)
	b.must(os.WriteFile(file, data, 0o600))
	b.upload(onFile, file)
	b.wait(`document.body.textContent.includes(` + quote(name) + `)`)
	b.loaded()
}

// about returns what the page says about the open trace.
func (b *tab) about() string {
	b.t.Helper()
	b.key("a")
	b.wait(`document.documentElement.dataset.dialog === 'about' && document.querySelector('dialog[open] .about-facts')`)
	said := eval[string](b, `(() => {
		const d = document.querySelector('dialog[open]');
		const facts = {};
		d.querySelectorAll('.about-facts dt').forEach(e => { facts[e.textContent] = e.nextElementSibling.textContent });
		const rows = [...d.querySelectorAll('.about-resources tbody tr')];
		const [name, events, lists] = (rows.find(r => r.ariaCurrent) ?? rows[0]).children;
		const count = s => d.querySelectorAll(s + ' > li').length;
		return facts['read from'] + ': ' + name.textContent + ', events ' + events.textContent + ', lists ' + lists.textContent +
			(rows.length > 1 ? ', and ' + (rows.length - 1) + ' more' : '') + '; times ' + (/^Made up/.test(facts.times) ? 'made up' : 'true') +
			'; remarks ' + count('.remarks') + ', problems ' + count('.problems');
	})()`)
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]')`)
	return said
}

// A wrong name does no harm, and a right one helps where the content of a file
// is ambiguous.
func TestContentsComeBeforeNames(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	audit := unpacked(t, "convert/testdata/audit.jsonl.gz")
	cut := audit[bytes.IndexByte(audit, '\n')/2:] // it begins inside a line
	watch, yaml := unpacked(t, "format/testdata/pods.watch.ndjson.gz"), unpacked(t, "convert/testdata/made-noevents.yaml")
	hidden := append(bytes.Repeat([]byte("# a comment\n"), 10_000), yaml...)
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"watch.kshrk", watch, "a watch stream"},
		{"watch.yaml.gz", watch, "a watch stream"}, // and it isn't gzipped
		{"shark.json", unpacked(t, "convert/testdata/made-v2.kshrk"), "a capture of k8shark"},
		{"simkube.har", unpacked(t, "convert/testdata/made.sktrace"), "a trace of SimKube"},
		{"audit.trace.jsonl", cut, "an audit log of the API server"},
		{"comments.yaml", hidden, "objects one after the other"},
		{"comments.txt", hidden, "refused: comments.txt: looked for"},
		{"twice.gz", gzipped(gzipped(watch)), "a watch stream"},
		{"zstd-in-gzip", gzipped(zstandard(watch)), "a watch stream"},
		{"gzip-in-zstd", zstandard(gzipped(watch)), "a watch stream"},
		{"gzip-in-parts", append(gzipped(watch[:5000]), gzipped(watch[5000:])...), "a watch stream: pods v1, events 145"},
		{"gzip-cut", gzipped(watch)[:5000], "a watch stream: pods v1"},
		{"zstd-in-parts", append(zstandard(watch[:5000]), zstandard(watch[5000:])...), "a watch stream: pods v1, events 145"},
		{"wrapped-up.gz", gzipped(gzipped(gzipped(gzipped(watch)))), "refused: wrapped-up.gz: the input is compressed more than 3 times"},
		{"protobuf", unpacked(t, "format/testdata/pods-protobuf.ndjson.gz"), "refused: protobuf: the input is protobuf: ask the API server for JSON"},
		{"encrypted.kshrk", []byte("age-encryption.org/v1\n-> scrypt x 18\n"), "refused: encrypted.kshrk: the archive is encrypted with age"},
	} {
		if got := b.opens(c.data, c.name); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}
