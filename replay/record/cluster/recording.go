// Package cluster records from a live cluster: it finds the resources that can be
// watched, and records them in a trace.
package cluster

import (
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

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
