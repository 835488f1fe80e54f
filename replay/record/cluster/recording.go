// Package cluster records from a live cluster: it finds the resources that can be
// watched, and records them in a trace.
package cluster

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/replay/record/internal/wire"
	"github.com/informerscope/informerscope/replay/trace"
)

// Recording follows resources of one cluster into one trace.
type Recording struct {
	client *Client
	start  time.Time
	flush  func() error

	mu        sync.Mutex // for all that follows
	log       *follow.Log
	followers []*follow.Follower
	names     []string
}

// Progress is how far a resource is.
type Progress struct {
	Name string
	follow.Status
}

// NewRecording begins a trace in w with the header h, whose Start it fills in. It calls
// flush often, and stops the recording if flush fails.
func NewRecording(c *Client, w io.Writer, flush func() error, h trace.Header) (*Recording, error) {
	r := &Recording{client: c, start: time.Now(), flush: flush}
	h.Start = r.start.UTC().Format(time.RFC3339Nano)
	tw, err := trace.NewWriter(w, h)
	if err != nil {
		return nil, err
	}
	r.log = follow.NewLog(tw)
	return r, flush()
}

// Add adds a resource to the recording. Call it before Run.
func (r *Recording) Add(name string, o follow.Options) {
	if o.Random == nil {
		o.Random = rand.Float64
	}
	r.names = append(r.names, name)
	r.followers = append(r.followers, follow.New(r.log, o))
}

// Elapsed returns how long the recording has been going on.
func (r *Recording) Elapsed() time.Duration { return time.Since(r.start) }

// Progress returns how far each resource is, in the order of Add.
func (r *Recording) Progress() []Progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]Progress, len(r.followers))
	for i, f := range r.followers {
		out[i] = Progress{r.names[i], f.Status()}
	}
	return out
}

// flushEvery is how much time is lost at most when the process is killed.
const flushEvery = 200 * time.Millisecond

// Run records until ctx is done. It returns an error if the trace can't be written.
func (r *Recording) Run(ctx context.Context) error {
	asking, stopAsking := context.WithCancel(context.WithoutCancel(ctx))
	defer stopAsking()
	var all sync.WaitGroup
	for _, f := range r.followers {
		all.Go(func() { r.follow(asking, f) })
	}
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	var err error
	for err == nil {
		select {
		case <-ctx.Done():
		case <-tick.C:
			err = r.write()
			continue
		}
		break
	}
	r.mu.Lock()
	for _, f := range r.followers {
		f.Stop(r.now())
	}
	r.mu.Unlock()
	stopAsking()
	all.Wait()
	if err == nil {
		err = r.write()
	}
	return err
}

func (r *Recording) write() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.log.Err(); err != nil {
		return err
	}
	return r.flush()
}

// now returns the time since the trace's start, in nanoseconds.
func (r *Recording) now() int64 { return int64(time.Since(r.start)) }

// follow makes f's requests until f is stopped.
func (r *Recording) follow(ctx context.Context, f *follow.Follower) {
	buf := make([]byte, 64<<10)
	for {
		r.mu.Lock()
		next, ok := f.Next()
		r.mu.Unlock()
		if !ok {
			return
		}
		if wait := time.Duration(next.Time - r.now()); wait > 0 {
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return
			}
		}
		r.exchange(ctx, f, next, buf)
	}
}

// exchange makes one request, and gives f the answer.
func (r *Recording) exchange(ctx context.Context, f *follow.Follower, next follow.Request, buf []byte) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(next.Limit))
	defer cancel()
	r.mu.Lock()
	f.Sent(r.now())
	r.mu.Unlock()
	ended := func(err error) {
		text := ""
		if err != io.EOF {
			text = err.Error()
		}
		r.mu.Lock()
		f.End(r.now(), wire.Ended(err), text)
		r.mu.Unlock()
	}
	resp, err := r.client.get(ctx, next.URL, "application/json")
	if err != nil {
		ended(err)
		return
	}
	defer resp.Body.Close()
	if !r.head(f, resp) {
		return
	}
	for {
		n, err := resp.Body.Read(buf)
		if n > 0 {
			at := r.now()
			r.mu.Lock()
			wanted := f.Data(at, buf[:n])
			r.mu.Unlock()
			if !wanted {
				return
			}
		}
		if err != nil {
			ended(err)
			return
		}
	}
}

func (r *Recording) head(f *follow.Follower, resp *http.Response) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return f.Response(r.now(), follow.Head{
		Status: resp.StatusCode, ContentType: resp.Header.Get("Content-Type"), RetryAfter: resp.Header.Get("Retry-After"),
	})
}

// File is a trace's file, compressed as the end of its name says: .gz or .zst.
// All that was flushed can be read, even if the process is killed.
type File struct {
	// Redact, if it isn't nil, returns what is to be kept of each line, or nil for
	// nothing.
	Redact func(line []byte) []byte

	file       *os.File // nil for a pipe
	compressed io.Writer
	lines      *bufio.Writer
	pack       packer // nil for none
	good       int64  // bytes of the file that hold whole lines
	size       int64  // bytes written to it
	failed     error
}

// packer is a gzip or zstd writer.
type packer interface {
	io.WriteCloser
	Flush() error
}

// Create makes a new file that only this user can read. It fails if there is a file of
// that name. The name "-" stands for w.
func Create(name string, w io.Writer) (*File, error) {
	f := &File{compressed: w}
	if name != "-" {
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, os.ErrExist) {
			return nil, errors.New(name + " is there already; give another name with -o")
		}
		if err != nil {
			return nil, err
		}
		f.file, f.compressed = file, file
	}
	out := io.Writer(counted{f})
	switch {
	case strings.HasSuffix(name, ".gz"):
		z, err := gzip.NewWriterLevel(out, gzip.BestSpeed)
		if err != nil {
			return nil, err
		}
		f.pack = z
	case strings.HasSuffix(name, ".zst"):
		z, err := zstd.NewWriter(out, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
		if err != nil {
			return nil, err
		}
		f.pack = z
	}
	if f.pack != nil {
		out = f.pack
	}
	f.lines = bufio.NewWriterSize(out, 64<<10)
	return f, nil
}

// counted writes to the file and counts.
type counted struct{ f *File }

func (c counted) Write(b []byte) (int, error) {
	n, err := c.f.compressed.Write(b)
	c.f.size += int64(n)
	return n, err
}

// Size returns how much was written to the file, in bytes.
func (f *File) Size() int64 { return f.size }

// Write takes a line.
func (f *File) Write(line []byte) (int, error) {
	if f.Redact != nil {
		kept := f.Redact(bytes.TrimSuffix(line, []byte("\n")))
		if kept == nil {
			return len(line), f.failed
		}
		f.lines.Write(kept) // a bufio.Writer's error comes again
		return len(line), f.fail(f.lines.WriteByte('\n'))
	}
	n, err := f.lines.Write(line)
	return n, f.fail(err)
}

// Flush writes all lines to the file.
func (f *File) Flush() error {
	if f.lines.Buffered() == 0 && f.size == f.good {
		return f.failed
	}
	err := f.lines.Flush()
	if err == nil && f.pack != nil {
		err = f.pack.Flush()
	}
	if err == nil {
		f.good = f.size
	}
	return f.fail(err)
}

// Close ends the file. If writing has failed, it cuts the file after the last whole
// line and returns the error.
func (f *File) Close() error {
	err := f.Flush()
	if err == nil && f.pack != nil {
		err = f.fail(f.pack.Close())
	}
	if f.file == nil {
		return err
	}
	if err != nil {
		err = errors.Join(err, f.file.Truncate(f.good))
	}
	return errors.Join(err, f.file.Close())
}

func (f *File) fail(err error) error {
	if f.failed == nil {
		f.failed = err
	}
	return f.failed
}
