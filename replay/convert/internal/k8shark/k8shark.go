// Package k8shark reads captures of k8shark.
package k8shark

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	json "github.com/goccy/go-json"
	"github.com/klauspost/compress/zstd"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/internal/objects"
	"github.com/informerscope/informerscope/replay/format/inflate"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// Form is a capture of k8shark.
var Form = capture.Form{
	ID: "k8shark", Convert: read, Suffixes: []string{".kshrk"},
	Matches: func([]byte) bool { return false }, // a zip archive is looked into
}

// Encrypted is a file that is encrypted with age, as k8shark encrypts its captures.
var Encrypted = capture.Form{
	ID: "age", Convert: func(*capture.Conversion) error { return errEncrypted },
	Matches: func(head []byte) bool {
		return bytes.HasPrefix(head, []byte(ageHeader)) || bytes.HasPrefix(head, []byte("-----BEGIN AGE ENCRYPTED FILE-----"))
	},
}

// ageHeader is what begins a file that is encrypted with age.
const ageHeader = "age-encryption.org/"

// errEncrypted says what to do about it.
const errEncrypted = fault.Plain("encrypted")

// read reads a capture of k8shark: a zip archive that holds the answers to lists
// which were asked for again and again, and watch events, each one compressed
// with zstd.
func read(c *capture.Conversion) error {
	z, err := c.From.Zip(c.In)
	if err != nil {
		return err
	}
	k := &shark{c: objects.ReaderOf(c), entries: map[string]*zip.File{}, left: c.From.Limits.MaxInflated, newest: map[api.Resource]uint64{}, lists: map[api.Resource]uint64{}}
	if len(z.File) > c.From.Limits.MaxObjects {
		return fault.Number("manyEntries max", int64(c.From.Limits.MaxObjects))
	}
	for _, f := range z.File {
		// Names are for looking up what the index names, and for nothing else.
		k.entries[f.Name] = f
		if root, ok := strings.CutSuffix(f.Name, "metadata.json"); ok && !strings.Contains(strings.TrimSuffix(root, "/"), "/") {
			k.root = root
		}
	}
	if k.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(inflate.MaxWindow)); err != nil {
		return err
	}
	defer k.zstd.Close()
	k.metadata()
	return k.read()
}

// shark is a capture of k8shark that is read.
type shark struct {
	c       *objects.Reader
	entries map[string]*zip.File
	root    string
	zstd    *zstd.Decoder
	left    int64                   // how much more may come out of the archive
	newest  map[api.Resource]uint64 // resourceVersions that were seen
	lists   map[api.Resource]uint64 // resourceVersions of the last lists
	buf     bytes.Buffer
}

// sharkRecord is an answer, or a watch event.
type sharkRecord struct {
	CapturedAt string          `json:"captured_at"`
	EventType  string          `json:"event_type"`
	Code       int             `json:"response_code"`
	Body       json.RawMessage `json:"response_body"`
}

// sharkEntry is a record that is still to be read.
type sharkEntry struct {
	r    api.Resource
	file *zip.File
	name string
	time time.Time
	seq  int64
}

// metadata takes the version of the API server out of metadata.json, which is
// not compressed, and which nothing else depends on.
func (k *shark) metadata() {
	f := k.entries[k.root+"metadata.json"]
	if f == nil {
		return
	}
	r, err := f.Open()
	if err != nil {
		return
	}
	defer r.Close()
	var m struct {
		Version string `json:"kubernetes_version"`
	}
	b, err := io.ReadAll(io.LimitReader(r, capture.Glance))
	if err == nil && jsonscan.WithinMaxDepth(b) && api.Decode(b, &m) == nil {
		k.c.Out.Header.Server = m.Version
	}
}

// read reads all records of lists and watches in the order of their times.
func (k *shark) read() error {
	entries, err := k.index()
	if err != nil {
		return err
	}
	k.c.Sure = true
	for _, e := range entries {
		b, err := k.open(e.file)
		if err == nil {
			err = k.record(e, b)
		}
		if f := (capture.FatalError{}); errors.As(err, &f) {
			return f.Err
		}
		if err != nil {
			if err := k.c.Problem(trace.Damaged, 0, 0, fault.New("named name why", e.name, err)); err != nil {
				return err
			}
		}
	}
	return nil
}

const errMissing = fault.Plain("notInArchive")

// open reads an entry; what it returns is good until the next call.
func (k *shark) open(f *zip.File) ([]byte, error) {
	if f == nil {
		return nil, errMissing
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	head := make([]byte, len(ageHeader))
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return nil, err
	}
	if string(head) == ageHeader {
		return nil, capture.Fatal(errEncrypted)
	}
	if err := k.zstd.Reset(io.MultiReader(bytes.NewReader(head[:n]), r)); err != nil {
		return nil, err
	}
	limit := min(int64(k.c.From.Limits.MaxLine), k.left)
	k.buf.Reset()
	size, err := k.buf.ReadFrom(io.LimitReader(k.zstd, limit+1))
	k.left -= size
	switch {
	case k.left < 0:
		return nil, capture.Fatal(inflate.ErrLimit(k.c.From.Limits.MaxInflated))
	case size > limit:
		return nil, fault.Number("longValue max", limit)
	case err != nil:
		return nil, err
	}
	b := k.buf.Bytes()
	if !jsonscan.WithinMaxDepth(b) {
		return nil, api.ErrTooDeep
	}
	return b, nil
}

// record reads one record.
func (k *shark) record(e sharkEntry, b []byte) error {
	if !jsonscan.Valid(b) {
		return api.ErrNotJSON
	}
	var rec sharkRecord
	if err := api.Decode(b, &rec); err != nil {
		return err
	}
	at, err := time.Parse(time.RFC3339Nano, rec.CapturedAt)
	if err != nil {
		at = e.time
	}
	if at.IsZero() {
		k.c.Out.Space()
	} else {
		k.c.Out.SetTime(at)
	}
	var v objects.Value
	if err := v.Decode(rec.Body); err != nil {
		return err
	}
	r := e.r
	if rec.EventType != "" {
		r.Kind = strings.Clone(v.Kind)
		return k.watched(r, rec.EventType, &v, rec.Body)
	}
	if v.Kind == "Status" {
		return capture.Fatal(k.c.Out.ListBody(r, "", cmp.Or(rec.Code, 500), "", rec.Body))
	}
	kind, ok := strings.CutSuffix(v.Kind, "List")
	if !ok || kind == "" {
		return fault.Quoted("recordKind kind", v.Kind)
	}
	r.Kind = strings.Clone(kind)
	return k.listed(r, rec.Body)
}

// listed reads a list. The first one of a resource is shown as it came; by what
// sets later ones apart from it and from what was watched, they become events.
func (k *shark) listed(r api.Resource, b []byte) error {
	var l trace.List
	if err := l.Decode(b); err != nil {
		return err
	}
	rv := api.Number(l.ResourceVersion)
	if rv != 0 && rv < k.newest[r.WithoutKind()] {
		return nil // the answer is older than what has been watched since
	}
	k.newest[r.WithoutKind()], k.lists[r.WithoutKind()] = rv, rv
	return k.c.Listed(r, &l, b)
}

// watched reads a watch event.
func (k *shark) watched(r api.Resource, typ string, v *objects.Value, b []byte) error {
	o := trace.Object{Kind: v.Kind, APIVersion: v.APIVersion, Metadata: v.Metadata}
	rv := api.Number(o.Metadata.ResourceVersion)
	switch typ {
	case "ERROR":
		return capture.Fatal(capture.Join(k.c.Out.Event(r, typ, b), k.c.Out.HangUp(r)))
	case "BOOKMARK":
		return capture.Fatal(k.c.Out.Event(r, typ, b))
	}
	if rv != 0 && rv <= max(k.lists[r.WithoutKind()], api.Number(k.c.Live.Version(r, &o))) {
		return nil // it was known already: from a list, or from a watch before this one
	}
	key, _, err := k.c.Live.Record(r, &o)
	if err != nil {
		return err
	}
	k.newest[r.WithoutKind()] = max(k.newest[r.WithoutKind()], rv)
	if typ == "DELETED" {
		k.c.Live.Forget(key)
	} else {
		k.c.Live.Retain(key, b, 0)
	}
	return capture.Fatal(k.c.Out.Event(r, typ, b))
}

// IndexName is the file by which a capture of k8shark is known.
const IndexName = "index.json.zst"

// sharkIndex names the records of each path.
type sharkIndex map[string]struct {
	Path  string   `json:"api_path"`
	Seqs  []int64  `json:"seqs"`
	Times []string `json:"times"`
}

// index returns the records of lists and watches, in the order of their times.
// Watched and listed ones of a path share one sequence.
func (k *shark) index() ([]sharkEntry, error) {
	paths := map[string]map[int64]time.Time{}
	total := 0
	for _, name := range []string{IndexName, "watch-index.json.zst"} {
		f := k.entries[k.root+name]
		if f == nil {
			continue
		}
		b, err := k.open(f)
		if err == nil {
			err = k.addIndex(b, paths, &total)
		}
		if err != nil {
			var f capture.FatalError
			if errors.As(err, &f) {
				return nil, f.Err
			}
			return nil, capture.Named(name, err)
		}
	}
	var all []sharkEntry
	for path, seqs := range paths {
		_, query, _ := strings.Cut(path, "?")
		_, r, _, ok := api.ParsePath(path)
		if !ok || strings.Contains("&"+query, "&as=") {
			continue // neither a list nor a watch, or of a Table
		}
		sum := sha256.Sum256([]byte(path))
		dir := k.root + "records/" + hex.EncodeToString(sum[:8]) + "/"
		for seq, at := range seqs {
			name := dir + api.Itoa(seq) + ".json.zst"
			all = append(all, sharkEntry{r: r, file: k.entries[name], name: path + " " + api.Itoa(seq), time: at, seq: seq})
		}
	}
	slices.SortFunc(all, func(a, b sharkEntry) int {
		return cmp.Or(a.time.Compare(b.time), strings.Compare(a.r.URL(""), b.r.URL("")), cmp.Compare(a.seq, b.seq))
	})
	return all, nil
}

// addIndex adds what is in an index, of version 1 (the bare map) or 2.
func (k *shark) addIndex(b []byte, paths map[string]map[int64]time.Time, total *int) error {
	var v2 struct {
		Entries sharkIndex `json:"entries"`
	}
	if err := api.Decode(b, &v2); err != nil {
		return err
	}
	entries := v2.Entries
	if entries == nil {
		if err := api.Decode(b, &entries); err != nil {
			return err
		}
	}
	for path, e := range entries {
		if *total += len(e.Seqs); *total > k.c.From.Limits.MaxObjects {
			return capture.Fatal(fault.Number("manyRecords max", int64(k.c.From.Limits.MaxObjects)))
		}
		path = strings.Clone(cmp.Or(e.Path, path))
		if paths[path] == nil {
			paths[path] = map[int64]time.Time{}
		}
		for i, seq := range e.Seqs {
			var at time.Time // where the index has no times, the sequence must do
			if i < len(e.Times) {
				at, _ = time.Parse(time.RFC3339Nano, e.Times[i])
			}
			paths[path][seq] = at
		}
	}
	return nil
}
