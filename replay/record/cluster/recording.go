// Package cluster records from a live cluster: it finds what can be watched, and
// follows that into a trace.
package cluster

import (
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/record/follow"
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

// NewRecording begins a trace in w. Of h, Start is filled in. flush is called
// often, and when it fails the recording stops.
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

// Add follows one more resource, under that name. It is called before Run.
func (r *Recording) Add(name string, o follow.Options) {
	if o.Random == nil {
		o.Random = rand.Float64
	}
	r.names = append(r.names, name)
	r.followers = append(r.followers, follow.New(r.log, o))
}

// Elapsed is how long the trace is.
func (r *Recording) Elapsed() time.Duration { return time.Since(r.start) }

// Progress is how far each resource is, in the order in which they were added.
func (r *Recording) Progress() []Progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]Progress, len(r.followers))
	for i, f := range r.followers {
		out[i] = Progress{r.names[i], f.Status()}
	}
	return out
}

// flushEvery is how much of a recording is lost at most when the process is
// killed.
const flushEvery = 200 * time.Millisecond

// Run records until ctx is done, or until the trace cannot be written: then it
// returns why.
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

// now is the time since the trace's start, in nanoseconds.
func (r *Recording) now() int64 { return int64(time.Since(r.start)) }

// follow does what f asks for until it is stopped.
func (r *Recording) follow(ctx context.Context, f *follow.Follower) {
	buf := make([]byte, 64<<10)
	for {
		r.mu.Lock()
		next, ok := f.Next()
		r.mu.Unlock()
		if !ok {
			return
		}
		if wait := time.Duration(next.At - r.now()); wait > 0 {
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return
			}
		}
		r.exchange(ctx, f, next, buf)
	}
}

// exchange makes one request, and tells f all that comes.
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
		f.End(r.now(), record.HowOf(err), text)
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
