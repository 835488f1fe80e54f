package opencmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/internal/compresstest"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/serve"
	"github.com/informerscope/informerscope/replay/trace"
)

// page reads what a program has opened as a page does.
type page struct {
	t      *testing.T
	client http.Client
	opened string // the address of the captures
	name   string
	parts  int
}

func pageOf(t *testing.T, c serve.Opened) *page {
	t.Helper()
	o := serve.NewOpener(http.NotFoundHandler(), []serve.Opened{c}, "", func() {})
	s := httptest.NewServer(o)
	t.Cleanup(s.Close)
	jar, _ := cookiejar.New(nil)
	p := &page{t: t, client: http.Client{Jar: jar}, opened: s.URL + "/opened/", name: c.Name}
	r, err := p.client.Get(s.URL + "/" + o.KeyPath())
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	return p
}

// answer is what is said of a part.
type answer struct {
	Parts    int `json:"of"`
	To, Size int64
	Ended    bool
	Reason   string `json:"why"`
	Fault    json.RawMessage
}

func (p *page) part(kind string, from, to int64) ([]byte, answer) {
	p.t.Helper()
	address := fmt.Sprintf("%s%s/%s?from=%d&to=%d", p.opened, kind, p.name, from, to)
	if p.parts > 0 {
		address += fmt.Sprintf("&of=%d", p.parts)
	}
	r, err := p.client.Get(address)
	if err != nil {
		p.t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != 200 {
		p.t.Fatalf("%s: %s %v %s", address, r.Status, err, b)
	}
	var a answer
	text, err := url.PathUnescape(r.Header.Get("Part"))
	if err == nil {
		err = json.Unmarshal([]byte(text), &a)
	}
	if err != nil {
		p.t.Fatalf("%q: %v", text, err)
	}
	p.parts = a.Parts
	return b, a
}

// read reads the capture in parts: at first their bytes, and then their digests.
func (p *page) read(random *rand.Rand) (*format.Reader, error) {
	r := format.NewReader(format.Options{Glance: true})
	digests := random.Int64N(1 << 16)
	for at := int64(0); ; {
		to := at + 1 + random.Int64N(1<<(8+random.IntN(10)))
		kind := "bytes"
		if at > digests {
			kind = "digest"
		}
		b, a := p.part(kind, at, to)
		if kind == "bytes" {
			_ = r.Write(b) // Close returns the same error
		} else {
			_ = r.WriteDigest(b, func(offset int64, n int) ([]byte, error) {
				raw, a := p.part("bytes", offset, offset+int64(n))
				if len(raw) < n {
					return nil, errors.New(a.Reason)
				}
				return raw, nil
			})
		}
		at = a.To
		if a.Reason != "" {
			r.Fail(trace.ReadFault(a.Fault, a.Reason))
		}
		if a.Reason != "" || a.Ended {
			return r, r.Close()
		}
	}
}

// whole reads what the page reads where it knows nothing of parts.
func whole(t *testing.T, c serve.Opened) (*format.Reader, error) {
	t.Helper()
	r := format.NewReader(format.Options{Glance: true})
	in, err := c.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	plain, err := file.Plain(in)
	if err != nil {
		r.Fail(err)
		return r, r.Close()
	}
	defer plain.Close()
	buf := make([]byte, 1<<16)
	for {
		n, err := plain.Read(buf)
		_ = r.Write(buf[:n])
		if err != nil {
			if err != io.EOF {
				r.Fail(err)
			}
			return r, r.Close()
		}
	}
}

// sameRead fails unless two readers have read the same, and a report says the same of it.
func sameRead(t *testing.T, name string, got, want *format.Reader, gotErr, wantErr error) {
	t.Helper()
	if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) {
		t.Errorf("%s: in parts it fails with %v, and as a whole with %v", name, gotErr, wantErr)
		return
	}
	g, w := got.Trace(), want.Trace()
	if g.Format != w.Format || g.Records != w.Records || g.Now != w.Now || g.Lost != w.Lost || g.ProblemCount != w.ProblemCount || len(g.Resources) != len(w.Resources) {
		t.Errorf("%s: in parts it has %d records, %d problems, %d lost events; as a whole %d, %d, %d", name, g.Records, g.ProblemCount, g.Lost, w.Records, w.ProblemCount, w.Lost)
		return
	}
	if g, w := fmt.Sprint(g.Problems), fmt.Sprint(w.Problems); g != w {
		t.Errorf("%s: in parts it has the problems %s, and as a whole %s", name, g, w)
	}
	for i, r := range w.Resources {
		q := g.Resources[i]
		if q.Name() != r.Name() || !slices.Equal(q.Records, r.Records) {
			t.Errorf("%s, %s: the records differ", name, r.Name())
		}
		for ref := range object.Ref(r.Table.Len()) {
			if g, w := q.Table.Meta(ref), r.Table.Meta(ref); g != w {
				t.Fatalf("%s, %s: object %d is %+v, and should be %+v", name, r.Name(), ref, g, w)
			}
		}
	}
	if wantErr == nil {
		if g, w := reported(t, g), reported(t, w); !reflect.DeepEqual(g, w) {
			t.Errorf("%s: of the parts, the report is\n%+v\nand of the whole\n%+v", name, g, w)
		}
	}
}

func reported(t *testing.T, capture *trace.Trace) *report.Report {
	t.Helper()
	p := report.Play(capture, report.Options{Profile: world.Current})
	if err := p.Grown(); err != nil {
		t.Fatal(err)
	}
	return p.Report()
}

// opened opens a file as the command does, and has the page read it in parts, however small it is.
func opened(t *testing.T, name string) (serve.Opened, *parted) {
	t.Helper()
	c, p, err := capture(t.Context(), []string{name}, "", nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	t.Cleanup(p.remove)
	p.from = 0
	return c, p
}

// Every capture is read the same in parts as it is as a whole: as it is, compressed, converted, and cut.
func TestPartsAreTheWhole(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 5))
	dir := t.TempDir()
	for _, from := range []string{"../../../../convert/testdata", "../../../../format/testdata"} {
		samples, err := os.ReadDir(from)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range samples {
			if f.IsDir() {
				continue
			}
			b, err := os.ReadFile(filepath.Join(from, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			variants := map[string][]byte{f.Name(): b, "cut-" + f.Name(): b[:len(b)*2/3]}
			if !bytes.HasPrefix(b, gzipped) {
				variants[f.Name()+".gz"] = compresstest.Gzip(t, b)
			}
			variants[f.Name()+".zst"] = compresstest.Zstd(t, b)
			for name, b := range variants {
				path := filepath.Join(dir, name)
				if err := os.WriteFile(path, b, 0o600); err != nil {
					t.Fatal(err)
				}
				c, _ := opened(t, path)
				want, wantErr := whole(t, c)
				got, err := pageOf(t, c).read(random)
				sameRead(t, name, got, want, err, wantErr)
			}
		}
	}
}

// lines is a watch stream of so many bytes, at least.
func lines(size int) []byte {
	var b bytes.Buffer
	for n := 0; b.Len() < size; n++ {
		fmt.Fprintf(&b, `{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-%d","namespace":"shop","uid":"u-%[1]d","resourceVersion":"%d"}}}`+"\n", n, 1000+n)
	}
	return b.Bytes()
}

// A page reads only large captures in parts, and only those that can be read again.
func TestPartsOfLargeCaptures(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "pods.json")
	if err := os.WriteFile(plain, lines(3000), 0o600); err != nil {
		t.Fatal(err)
	}
	c, p, err := capture(t.Context(), []string{plain}, "", nil)
	if now, failed := c.Parts(); err != nil || failed != nil || now != nil {
		t.Errorf("a small file has parts: %v %v %v", now, err, failed)
	}
	if err := os.Truncate(plain, largePlain); err != nil {
		t.Fatal(err)
	}
	now, err := c.Parts()
	if err != nil || now == nil || now.Size() != largePlain {
		t.Fatalf("a large file has no parts: %v %v", now, err)
	}
	if again, _ := c.Parts(); again != now {
		t.Error("a second page reads other parts")
	}
	p.remove()
	if err := os.Remove(plain); err != nil {
		t.Fatal(err)
	}
	if now, err := c.Parts(); now != nil || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is gone: %v %v", now, err)
	}
	in := strings.NewReader(string(lines(3000)))
	stdin, err := newSpool(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.remove()
	stdin.fill(in)
	if c, _, err := capture(t.Context(), []string{"-"}, "", stdin); err != nil || c.Parts != nil {
		t.Errorf("the standard input has parts: %v", err)
	}
}

// What happens to a file while a page reads it in parts.
func TestPartsOfAFileThatChanges(t *testing.T) {
	data := lines(40_000)
	const changed = `{"id":"fileChanged"}`
	for name, c := range map[string]struct {
		do   func(path string) error
		says string
	}{
		"it grows":           {func(path string) error { return appendTo(path, lines(5000)) }, ""},
		"it is gone":         {os.Remove, ""},
		"it is moved":        {func(path string) error { return os.Rename(path, path+".1") }, ""},
		"it is cut":          {func(path string) error { return os.Truncate(path, 20_000) }, changed},
		"it is written anew": {func(path string) error { return os.WriteFile(path, bytes.ToUpper(data), 0o600) }, changed},
		"a longer one is in its place": {func(path string) error {
			return os.WriteFile(path, bytes.ToUpper(lines(60_000)), 0o600)
		}, changed},
	} {
		path := filepath.Join(t.TempDir(), "pods.json")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		before := time.Now().Add(-time.Minute) // a change is seen, however coarse the clock of the disk is
		if err := os.Chtimes(path, before, before); err != nil {
			t.Fatal(err)
		}
		file, _ := opened(t, path)
		p := pageOf(t, file)
		if b, _ := p.part("bytes", 0, 1000); !bytes.Equal(b, data[:1000]) {
			t.Fatalf("%s: it begins with %.50q", name, b)
		}
		if err := c.do(path); err != nil {
			t.Fatal(err)
		}
		b, a := p.part("bytes", 1000, 2000)
		if string(a.Fault) != c.says || (c.says == "") != bytes.Equal(b, data[1000:2000]) {
			t.Errorf("%s: %.50q, %+v", name, b, a)
		}
		if c.says == "" {
			if b, a := p.part("bytes", int64(len(data))-10, int64(len(data))+500); len(b) != 10 || !a.Ended {
				t.Errorf("%s: it ends with %d bytes, %+v", name, len(b), a)
			}
		}
	}
}

func appendTo(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}

// What is unpacked stays while pages read it, is made anew when the file has changed, and is deleted at last.
func TestPartsOfACompressedFile(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", os.Getenv("TMPDIR"))
	data := lines(5 * blockSize / 2)
	path := filepath.Join(t.TempDir(), "pods.json.gz")
	if err := os.WriteFile(path, compresstest.Gzip(t, data), 0o600); err != nil {
		t.Fatal(err)
	}
	file, parts := opened(t, path)
	p := pageOf(t, file)
	for at := int64(0); at < int64(len(data)); {
		b, a := p.part("bytes", at, at+700_001)
		if !bytes.Equal(b, data[at:a.To]) || a.To == at || a.Size < a.To {
			t.Fatalf("from %d: %d bytes, %+v", at, len(b), a)
		}
		at = a.To
	}
	other := lines(50_000)
	if err := os.WriteFile(path, compresstest.Gzip(t, other), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, _ := p.part("bytes", 0, 20); !bytes.Equal(b, data[:20]) {
		t.Errorf("a page reads on %q", b)
	}
	newer := &page{t: t, client: p.client, opened: p.opened, name: p.name}
	if b, a := newer.part("bytes", 0, 1<<20); !bytes.Equal(b, other) || !a.Ended || a.Size != int64(len(other)) {
		t.Errorf("a page that is new reads %d bytes, %+v", len(b), a)
	}
	if b, a := p.part("bytes", 0, 20); len(b) > 0 || string(a.Fault) != `{"id":"fileChanged"}` {
		t.Errorf("a page reads on %q, %+v", b, a)
	}
	parts.remove()
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("there are still %v %v", left, err)
	}
}

// A disk that is full ends the capture there.
func TestPartsOfWhatHasNoRoom(t *testing.T) {
	full := errors.New("the disk is full")
	data := lines(3 * blockSize / 2)
	p, err := newPacked(func(w io.Writer, progress func(read, total int64)) error {
		progress(1, 2)
		_, err := w.Write(data)
		return errors.Join(err, full)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := p.Await(t.Context(), 1<<40); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 2*len(data))
	if n, err := p.ReadAt(b, 0); !errors.Is(err, full) || !bytes.Equal(b[:n], data) {
		t.Errorf("%d bytes are kept, and then: %v", n, err)
	}
	if n, err := p.ReadAt(b[:10], int64(len(data))-10); n != 10 || err != nil {
		t.Errorf("the last bytes: %d %v", n, err)
	}
	ctx, leave := context.WithCancel(t.Context())
	leave()
	coming := &packed{grown: make(chan struct{})}
	if err := coming.Await(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("who has left waits: %v", err)
	}
}
