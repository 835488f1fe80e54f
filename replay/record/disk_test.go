package record

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/informerscope/informerscope/replay/format"
)

// slow is a disk that takes nothing until it is released.
type slow struct {
	mu   sync.Mutex
	out  bytes.Buffer
	news chan struct{}
}

func (s *slow) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.news <- struct{}{}:
	default:
	}
	return s.out.Write(b)
}

// catchUp waits until the whole queue was written.
func (s *slow) catchUp(rec *Recorder) {
	for {
		// As long as the queue is full, the mark is left out, too.
		rec.Mark("the disk is back")
		<-s.news
		s.mu.Lock()
		there := strings.Contains(s.out.String(), "the disk is back")
		s.mu.Unlock()
		if there {
			return
		}
	}
}

// A disk that stands still holds nobody up. The trace says what was left out
// because it did not fit, and what comes after is recorded again.
func TestASlowDiskHoldsNobodyUp(t *testing.T) {
	const events = 5000
	answered := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for range events {
			io.WriteString(w, pod("MODIFIED", strings.Repeat("x", 1000), "8"))
		}
		w.(http.Flusher).Flush()
		waitClosed(t, answered)
		io.WriteString(w, pod("DELETED", "last", "9"))
	}))
	t.Cleanup(server.Close)
	disk := &slow{news: make(chan struct{}, 1)}
	rec, err := New(disk, Options{Memory: 8 << 20, KeepSecrets: true})
	if err != nil {
		t.Fatal(err)
	}
	disk.mu.Lock()
	resp, err := (&http.Client{Transport: rec.Wrap(http.DefaultTransport)}).Get(server.URL + "/api/v1/pods?watch=1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(resp.Body, make([]byte, events*len(pod("MODIFIED", strings.Repeat("x", 1000), "8")))); err != nil {
		t.Fatal(err)
	}
	if rec.Lost() == 0 {
		t.Error("nothing was lost")
	}
	if size := rec.queue.size + rec.queue.reserved; size > 1<<20 {
		t.Errorf("%d bytes wait", size)
	}
	disk.mu.Unlock()
	disk.catchUp(rec)
	close(answered)
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	got := disk.out.String()
	if !regexp.MustCompile(`"mark":{"text":"the recorder left out of request 1: \d+ bytes, because there was more than could be written"`).MatchString(got) {
		t.Error("it doesn't say what is missing")
	}
	if !strings.Contains(got, `"event":{"type":"DELETED"`) || !regexp.MustCompile(`"end":{"how":"eof"}}\n{"t":\d+}\n$`).MatchString(got) {
		t.Errorf("what came after is not there: %.3000s", got)
	}
	read := format.NewReader(format.Options{})
	if err := read.Write(disk.out.Bytes()); err != nil {
		t.Fatal(err)
	}
	read.Close()
	if tr := read.Trace(); tr.ProblemCount != 0 || tr.Records >= events || tr.Records < 100 {
		t.Errorf("%d records and %d problems: %v", tr.Records, tr.ProblemCount, tr.Problems)
	}
}

// filling is a file on a disk that has room for so many bytes.
type filling struct {
	*os.File
	left int
}

func (f *filling) Write(b []byte) (int, error) {
	n, err := f.File.Write(b[:min(len(b), f.left)])
	if f.left -= n; n < len(b) && err == nil {
		err = errFull
	}
	return n, err
}

// A file on a disk that fills holds whole lines, whichever way it was opened and
// whatever stood in it before.
func TestAFullDiskLeavesWholeLines(t *testing.T) {
	for _, how := range []int{os.O_WRONLY, os.O_WRONLY | os.O_APPEND} {
		name := filepath.Join(t.TempDir(), "a.trace.jsonl")
		if err := os.WriteFile(name, []byte("before\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(name, how, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Seek(0, io.SeekEnd); err != nil {
			t.Fatal(err)
		}
		rec, err := New(&filling{f, 1000}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			rec.Mark(strings.Repeat("x", 100))
		}
		if err := rec.Close(); !errors.Is(err, errFull) {
			t.Error(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(b, []byte("before\n{")) || !bytes.HasSuffix(b, []byte("\"}}\n")) || bytes.Count(b, []byte("\n")) < 4 {
			t.Errorf("%q", b)
		}
	}
}

// full is a disk that is full.
type full struct{ left int }

var errFull = errors.New("no space left on device")

func (f *full) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestAFullDiskHoldsNobodyUp(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, list)
	}))
	defer server.Close()
	rec, err := New(&full{1000}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	client := http.Client{Transport: rec.Wrap(nil)}
	for range 20 {
		resp, err := client.Get(server.URL + "/api/v1/pods")
		if err != nil {
			t.Fatal(err)
		}
		if b, _ := io.ReadAll(resp.Body); string(b) != list {
			t.Fatalf("got %s", b)
		}
		resp.Body.Close()
	}
	if err := rec.Close(); !errors.Is(err, errFull) || !errors.Is(rec.Err(), errFull) {
		t.Error(err)
	}
}
