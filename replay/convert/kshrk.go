package convert

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	json "github.com/goccy/go-json"
	"github.com/klauspost/compress/zstd"

	"github.com/informerscope/informerscope/replay/format/inflate"
	"github.com/informerscope/informerscope/replay/trace"
)

var kshrkForm = form{
	id: "k8shark", title: "a capture of k8shark", convert: (*conversion).kshrk, suffixes: []string{".kshrk"},
	knows: func([]byte) bool { return false }, // a zip archive is looked into
}

// kshrk reads a capture of k8shark: a zip archive that holds the answers to lists
// which were asked for again and again, and watch events, each one compressed
// with zstd.
func (c *conversion) kshrk() error {
	z, err := c.archived(c.in)
	if err != nil {
		return err
	}
	k := &shark{c: c, entries: map[string]*zip.File{}, left: c.o.MaxInflated, newest: map[resource]uint64{}, lists: map[resource]uint64{}}
	if len(z.File) > c.o.MaxObjects {
		return errors.New("the archive has more than " + itoa(int64(c.o.MaxObjects)) + " entries, which is the limit")
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
	c       *conversion
	entries map[string]*zip.File
	root    string
	zstd    *zstd.Decoder
	left    int64               // how much more may come out of the archive
	newest  map[resource]uint64 // resourceVersions that were seen
	lists   map[resource]uint64 // resourceVersions of the last lists
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
	r    resource
	file *zip.File
	name string
	at   time.Time
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
	b, err := io.ReadAll(io.LimitReader(r, glance))
	if err == nil && trace.Shallow(b) && trace.Decode(b, &m) == nil {
		k.c.header.Server = m.Version
	}
}

// read reads all records of lists and watches in the order of their times.
func (k *shark) read() error {
	entries, err := k.index()
	if err != nil {
		return err
	}
	if k.c.dumps == nil {
		k.c.live.limit = k.c.o.MaxObjects
		k.c.dumps = &dumps{sure: true}
	}
	for _, e := range entries {
		b, err := k.open(e.file)
		if err == nil {
			err = k.record(e, b)
		}
		if f := (fatalError{}); errors.As(err, &f) {
			return f.error
		}
		if err != nil {
			if err := k.c.problem(trace.Damaged, 0, 0, e.name+": "+err.Error()); err != nil {
				return err
			}
		}
	}
	return nil
}

var errMissing = errors.New("it is in the index, but not in the archive")

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
		return nil, fatal(errEncrypted)
	}
	if err := k.zstd.Reset(io.MultiReader(bytes.NewReader(head[:n]), r)); err != nil {
		return nil, err
	}
	limit := min(int64(k.c.o.MaxLine), k.left)
	k.buf.Reset()
	size, err := k.buf.ReadFrom(io.LimitReader(k.zstd, limit+1))
	k.left -= size
	switch {
	case k.left < 0:
		return nil, fatal(inflate.TooMuch(k.c.o.MaxInflated))
	case size > limit:
		return nil, errors.New("longer than " + itoa(limit) + " bytes, which is the limit")
	case err != nil:
		return nil, err
	}
	b := k.buf.Bytes()
	if !trace.Shallow(b) {
		return nil, errors.New("nested deeper than " + itoa(trace.MaxDepth))
	}
	return b, nil
}

// record reads one record.
func (k *shark) record(e sharkEntry, b []byte) error {
	if !json.Valid(b) {
		return errors.New("not JSON")
	}
	var rec sharkRecord
	if err := trace.Decode(b, &rec); err != nil {
		return err
	}
	at, err := time.Parse(time.RFC3339Nano, rec.CapturedAt)
	if err != nil {
		at = e.at
	}
	if at.IsZero() {
		k.c.space()
	} else {
		k.c.at(at)
	}
	var v value
	if err := trace.Decode(rec.Body, &v); err != nil {
		return err
	}
	r := e.r
	if rec.EventType != "" {
		r.kind = strings.Clone(v.Kind)
		return k.watched(r, rec.EventType, &v, rec.Body)
	}
	if v.Kind == "Status" {
		return fatal(k.c.listBody(r, "", cmp.Or(rec.Code, 500), "", rec.Body))
	}
	kind, ok := strings.CutSuffix(v.Kind, "List")
	if !ok || kind == "" {
		return errors.New("neither a list nor an event, but " + strconv.Quote(v.Kind))
	}
	r.kind = strings.Clone(kind)
	return k.listed(r, rec.Body)
}

// listed reads a list. The first one of a resource is shown as it came; by what
// sets later ones apart from it and from what was watched, they become events.
func (k *shark) listed(r resource, b []byte) error {
	var l trace.List
	if err := trace.Decode(b, &l); err != nil {
		return err
	}
	rv := number(l.Metadata.ResourceVersion)
	if rv != 0 && rv < k.newest[r.asked()] {
		return nil // the answer is older than what has been watched since
	}
	k.newest[r.asked()], k.lists[r.asked()] = rv, rv
	return k.c.typedList(r, &l, b)
}

// watched reads a watch event.
func (k *shark) watched(r resource, typ string, v *value, b []byte) error {
	o := trace.Object{Kind: v.Kind, APIVersion: v.APIVersion, Metadata: v.Metadata}
	rv := number(o.Metadata.ResourceVersion)
	switch typ {
	case "ERROR":
		return fatal(errors.Join(k.c.event(r, typ, b), k.c.hangUp(r)))
	case "BOOKMARK":
		return fatal(k.c.event(r, typ, b))
	}
	if rv != 0 && rv <= max(k.lists[r.asked()], number(k.c.live.version(r, &o))) {
		return nil // it was known already: from a list, or from a watch before this one
	}
	key, _, err := k.c.live.see(r, &o)
	if err != nil {
		return err
	}
	k.newest[r.asked()] = max(k.newest[r.asked()], rv)
	if typ == "DELETED" {
		k.c.live.gone(key)
	} else {
		k.c.live.keep(key, b, 0)
	}
	return fatal(k.c.event(r, typ, b))
}
