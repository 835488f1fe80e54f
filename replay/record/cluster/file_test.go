package cluster

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// What was flushed can be read, though the file was never closed.
func TestKilled(t *testing.T) {
	for _, name := range []string{"a.trace.jsonl", "a.trace.jsonl.gz", "a.trace.jsonl.zst"} {
		s := newServer(t)
		name = filepath.Join(t.TempDir(), name)
		f, err := Create(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		copied := filepath.Join(t.TempDir(), "copy-"+filepath.Base(name))
		err = recordTo(t, s, f, func(r *Recording, stop func()) {
			s.next <- pod("a", "8")
			for r.Progress()[0].Events < 1 {
				s.next <- " "
			}
			if err := r.write(); err != nil {
				t.Error(err)
			}
			r.mu.Lock()
			b, err := os.ReadFile(name)
			r.mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			if err := os.WriteFile(copied, b, 0o600); err != nil {
				t.Error(err)
			}
			stop()
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if got := kinds(open(t, copied)); got != "ListBegin , ListEnd 7, WatchOpen 7, WatchEvent 8" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

var errFull = errors.New("no space left on device")

// full is a disk that is full after some bytes.
type full struct {
	file *os.File
	left int
}

func (f *full) Write(b []byte) (int, error) {
	n, err := f.file.Write(b[:min(len(b), f.left)])
	f.left -= n
	if n < len(b) && err == nil {
		err = errFull
	}
	return n, err
}

// A disk that fills ends the recording with an error, and the file holds all
// whole lines up to there.
func TestTheDiskFills(t *testing.T) {
	for _, name := range []string{"a.trace.jsonl", "a.trace.jsonl.gz", "a.trace.jsonl.zst"} {
		s := newServer(t)
		name = filepath.Join(t.TempDir(), name)
		f, err := Create(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		f.compressed = &full{f.file, 1500}
		err = recordTo(t, s, f, func(r *Recording, stop func()) {
			for i := 0; ; i++ {
				r.mu.Lock()
				failed := r.log.Err() != nil || f.failed != nil
				r.mu.Unlock()
				if failed {
					return
				}
				select {
				case s.next <- pod(fmt.Sprintf("a%d-%x", i, i*i*7919), fmt.Sprint(8+i)):
				case <-t.Context().Done():
					return
				}
				for r.Progress()[0].Events <= int64(i) {
					runtime.Gosched()
				}
				r.write()
			}
		})
		if !errors.Is(err, errFull) {
			t.Errorf("%s: %v", name, err)
		}
		if err := f.Close(); !errors.Is(err, errFull) {
			t.Errorf("%s: %v", name, err)
		}
		tr := open(t, name)
		if tr.Records < 4 || strings.HasSuffix(name, "jsonl") && tr.ProblemCount != 0 {
			t.Errorf("%s: %d records, %v", name, tr.Records, tr.Problems)
		}
		b, _ := os.ReadFile(name)
		if strings.HasSuffix(name, "jsonl") && !bytes.HasSuffix(b, []byte("}\n")) {
			t.Errorf("%s ends with %q", name, b[max(0, len(b)-20):])
		}
	}
}

func TestRedactedFile(t *testing.T) {
	var out bytes.Buffer
	f, err := Create("-", &out)
	if err != nil {
		t.Fatal(err)
	}
	f.Redact = func(line []byte) []byte {
		if string(line) == "left out" {
			return nil
		}
		return bytes.ToUpper(line)
	}
	for _, line := range []string{"a\n", "left out\n", "b\n"} {
		if n, err := io.WriteString(f, line); n != len(line) || err != nil {
			t.Error(n, err)
		}
	}
	if err := f.Close(); err != nil || out.String() != "A\nB\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}
