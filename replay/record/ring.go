package record

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/informerscope/informerscope/replay/redact"
	"github.com/informerscope/informerscope/replay/trace"
)

// RingOptions are the options of a Ring. The zero value is fit for use.
type RingOptions struct {
	// Options are the Recorder's options. What is to be taken out is taken out when the Ring is
	// dumped, so that it costs nothing before; Redact gets the lines of each dump anew.
	Options

	// MaxBytes bounds the lines that are held, and takes precedence over MinAge; 0 is 32 MB. As in
	// runtime/trace.FlightRecorderConfig, it is no bound of what WriteTo writes. As much again, or 1 MB, may
	// be held of the names of objects whose lines are gone.
	MaxBytes int

	// MinAge is how old a line must be to go before MaxBytes is reached; 0 is for lines that stay
	// as long as there is room.
	MinAge time.Duration

	// Lazy leaves what comes as it came until a dump wants it, or until it takes a 64th of Memory, beside MaxBytes. That
	// takes less of the processor, for whoever wants no dump if all goes well. Triggers don't see what isn't read, and Close
	// drops it.
	Lazy bool

	// Triggers say when OnTrigger is called.
	Triggers Triggers

	// Values has ServeHTTP hand out what WriteTo writes. Otherwise it hands out the shape of that, in which every text that
	// is not on the list of package redact is a token.
	Values bool

	// OnTrigger is called with the reason, at most once in Triggers.Cooldown, in a goroutine of the
	// Ring's own. It may dump the Ring. If it panics, the Ring notes that in a mark and goes on. The
	// panicking goroutine waits for it up to 2 s, as the process may end then.
	OnTrigger func(r *Ring, why string)

	// CrashOutput gets the last megabyte of the recording as a trace when a handler or a reconcile
	// panics, before client-go panics again and the process ends. That takes 200 ms at most. Like
	// the file of runtime/debug.SetCrashOutput it is opened beforehand; os.Stderr is fit for it.
	// It is written to once in Triggers.Cooldown, as controller-runtime goes on after a panic.
	CrashOutput io.Writer
}

// Ring is a Recorder that holds the last part of a recording in memory, until somebody wants to have
// it (runtime/trace.FlightRecorder). Its methods may be called at any time, by several goroutines. Those of a nil *Ring
// do nothing.
type Ring struct {
	*Recorder
	o RingOptions

	triggering sync.Mutex // held while OnTrigger runs

	mu        sync.Mutex
	tail      tail
	live      live
	triggered time.Time // when OnTrigger was last called
	crashed   time.Time // when CrashOutput was last written to
}

// tail is the last part of a recording.
type tail struct {
	maxBytes int
	minAge   time.Duration
	segments []*segment // the oldest first
	size     int        // of their lines
	spare    []byte     // memory of a segment that has gone
	dropped  bool       // a line is gone
	base     base
}

// segment is a part of the recording that goes as a whole.
type segment struct {
	lines []byte
	last  int64 // the time of the last line
	held  int   // dumps that read it
}

// check reports what makes no sense in the options.
func (o *RingOptions) check() error {
	g := &o.Triggers
	for _, least := range []struct {
		name  string
		value int64
	}{
		{"Memory", int64(o.Memory)}, {"MaxBytes", int64(o.MaxBytes)}, {"MinAge", int64(o.MinAge)},
		{"Triggers.SilentWatch", int64(g.SilentWatch)}, {"Triggers.OpenList", int64(g.OpenList)}, {"Triggers.SlowCall", int64(g.SlowCall)},
		{"Triggers.Behind", int64(g.Behind)}, {"Triggers.Reconcile", int64(g.Reconcile)}, {"Triggers.UnseenWrite", int64(g.UnseenWrite)},
		{"Triggers.Cooldown", int64(g.Cooldown)},
	} {
		if least.value < 0 {
			return fmt.Errorf("invalid %s %d of a ring; want 0 or more", least.name, least.value)
		}
	}
	for _, size := range []struct {
		name         string
		value, least int
	}{{"Memory", o.Memory, 64 << 10}, {"MaxBytes", o.MaxBytes, 4 << 10}} {
		if size.value > 0 && size.value < size.least {
			return fmt.Errorf("invalid %s %d of a ring; want 0 for the default, or at least %d", size.name, size.value, size.least)
		}
	}
	return nil
}

// NewRing begins to record. It refuses options that are negative, and sizes in which hardly an object has room.
func NewRing(o RingOptions) (*Ring, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	o.fill()
	if o.MaxBytes <= 0 {
		o.MaxBytes = 32 << 20
	}
	r := &Ring{o: o, tail: tail{maxBytes: o.MaxBytes, minAge: o.MinAge, base: newBase(max(o.MaxBytes, 1<<20))}, live: newLive()}
	plain := o.Options
	plain.Redact, plain.KeepSecrets = nil, true
	var err error
	if r.Recorder, err = start((*ringSink)(r), plain, nil, o.Lazy); err != nil {
		return nil, err
	}
	r.Recorder.crash = r.crash
	r.Recorder.calls.keep = true
	go r.watchTriggers()
	return r, nil
}

// These are a nil *Ring's, too.

func (r *Ring) recorder() *Recorder {
	if r == nil {
		return nil
	}
	return r.Recorder
}

// Wrap does what Recorder.Wrap does.
func (r *Ring) Wrap(rt http.RoundTripper) http.RoundTripper { return r.recorder().Wrap(rt) }

// Handler does what Recorder.Handler does.
func (r *Ring) Handler(name string, h EventHandler) EventHandler {
	return r.recorder().Handler(name, h)
}

// HandlerBeforeV027 does what Recorder.HandlerBeforeV027 does.
func (r *Ring) HandlerBeforeV027(name string, h EventHandlerBeforeV027) EventHandlerBeforeV027 {
	return r.recorder().HandlerBeforeV027(name, h)
}

// Mark does what Recorder.Mark does.
func (r *Ring) Mark(text string) { r.recorder().Mark(text) }

// Lost does what Recorder.Lost does.
func (r *Ring) Lost() int64 { return r.recorder().Lost() }

// Err does what Recorder.Err does.
func (r *Ring) Err() error { return r.recorder().Err() }

// Close does what Recorder.Close does.
func (r *Ring) Close() error { return r.recorder().Close() }

// CloseContext does what Recorder.CloseContext does.
func (r *Ring) CloseContext(ctx context.Context) error { return r.recorder().CloseContext(ctx) }

// redactor returns what takes out of a dump what is to be taken out, nil for nothing, and, where Options don't say what
// that is, the Redactor that counts it. A dump that is to be shared has the shape left of that.
func (o *RingOptions) redactor(share bool) (taking func(line []byte) []byte, kept *redact.Redactor, err error) {
	switch {
	case share && !o.Values:
		if kept, err = redact.New(redact.Options{}); err != nil || o.Redact == nil {
			break
		}
		return func(line []byte) []byte {
			if line = o.Redact(line); line == nil {
				return nil
			}
			return kept.Line(line)
		}, kept, nil
	case o.Redact != nil || o.KeepSecrets:
		return o.Redact, nil, nil
	default:
		kept, err = redact.New(redact.Options{Values: true})
	}
	if err != nil {
		return nil, nil, err
	}
	return kept.Line, kept, nil
}

// ringSink is a Ring as the Recorder sees it.
type ringSink Ring

func (s *ringSink) Flush() error               { return nil }
func (s *ringSink) writeRaw(line []byte) error { return nil }

// Write takes in a line.
func (s *ringSink) Write(line []byte) (int, error) {
	r := (*Ring)(s)
	l := split(line)
	if l.kind == "" {
		return len(line), nil // the header, which each dump has anew
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.live.addLine(&l)
	r.tail.add(line, l.t)
	r.tail.drop(l.t)
	return len(line), nil
}

// segmentSize returns how much one segment holds, unless it is a single line that is longer.
func (x *tail) segmentSize() int { return min(max(x.maxBytes/32, 4<<10), 1<<20) }

func (x *tail) add(line []byte, t int64) {
	if n := len(x.segments); n == 0 || len(x.segments[n-1].lines)+len(line) > cap(x.segments[n-1].lines) {
		fresh := x.spare[:0]
		if x.spare = nil; cap(fresh) < len(line) {
			fresh = make([]byte, 0, max(x.segmentSize(), len(line)))
		}
		x.segments = append(x.segments, &segment{lines: fresh})
	}
	last := x.segments[len(x.segments)-1]
	last.lines, last.last = append(last.lines, line...), t
	x.size += len(line)
}

// drop lets go of the oldest segments, as far as the limits want it. Lines that go leave in the base
// what must be known of them.
func (x *tail) drop(now int64) {
	for len(x.segments) > 0 {
		oldest := x.segments[0]
		old := x.minAge > 0 && len(x.segments) > 1 && now-oldest.last > int64(x.minAge)
		if x.size <= x.maxBytes && !old {
			return
		}
		for line := range bytes.Lines(oldest.lines) {
			l := split(line)
			x.base.addLine(&l)
		}
		x.size -= len(oldest.lines)
		x.dropped = true
		if oldest.held == 0 && cap(oldest.lines) == x.segmentSize() {
			x.spare = oldest.lines[:0]
		}
		x.segments = slices.Delete(x.segments, 0, 1)
	}
}

// UnderWay returns how many requests, calls of handlers and reconciles have begun and not ended.
func (r *Ring) UnderWay() int {
	if r == nil {
		return 0
	}
	r.flush()
	calls := len(r.Recorder.calls.list())
	r.mu.Lock()
	defer r.mu.Unlock()
	return calls + len(r.live.requests) + len(r.live.work)
}

// WriteTo writes what the Ring holds as a trace, and goes on recording. It begins with what must be
// known to read the rest: the requests, reconciles and writes that are still under way, and the
// objects that were there, as far as the Ring remembers them.
func (r *Ring) WriteTo(w io.Writer) (n int64, err error) {
	if r == nil {
		return 0, nil
	}
	r.flush()
	return r.dump(w, false, 0)
}

// dump writes a dump for the controller itself, or for whoever asks by HTTP: all of it, or its last lines of so many
// bytes, without what the Ring remembers of objects, where most is more than 0.
func (r *Ring) dump(w io.Writer, share bool, most int) (n int64, err error) {
	taking, kept, err := r.o.redactor(share)
	if err != nil {
		return 0, err
	}
	return r.dumpBy(w, taking, kept, most)
}

// dumpBy writes a dump whose lines have gone through taking. A nil taking leaves them as they are.
func (r *Ring) dumpBy(w io.Writer, taking func(line []byte) []byte, kept *redact.Redactor, most int) (n int64, err error) {
	counting := &counting{w: w}
	out := newLines(counting, taking)
	h := r.o.header(r.start)

	r.mu.Lock()
	segments := slices.Clone(r.tail.segments)
	parts := make([][]byte, len(segments)) // the last segment goes on growing
	for i, s := range segments {
		s.held++
		parts[i] = s.lines
	}
	before := &r.tail.base
	h.Truncated = r.tail.dropped
	if most > 0 && r.tail.size > most {
		before, parts = before.skip(parts, r.tail.size-most)
		h.Truncated = true
	}
	from := r.now()
	if len(parts) > 0 {
		from = split(parts[0]).t
	}
	var made bytes.Buffer
	tw, err := trace.NewWriter(&made, h)
	if err == nil {
		err = before.write(tw, from)
	}
	r.mu.Unlock()

	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, s := range segments {
			s.held--
		}
	}()
	if err != nil {
		return 0, err
	}
	for _, part := range append([][]byte{made.Bytes()}, parts...) {
		for line := range bytes.Lines(part) {
			if _, err := out.Write(line); err != nil {
				return counting.n, err
			}
		}
	}
	if err := r.underWay(out); err != nil {
		return counting.n, err
	}
	if kept != nil {
		return counting.n, out.writeRaw(kept.Summary(r.now()))
	}
	if _, err := fmt.Fprintf(out, "{\"t\":%d}\n", r.now()); err != nil {
		return counting.n, err
	}
	return counting.n, out.Flush()
}

// underWay writes the calls of handlers that have not returned.
func (r *Ring) underWay(out io.Writer) error {
	var lines bytes.Buffer
	tw, err := trace.NewWriter(&lines, trace.Header{})
	if err != nil {
		return err
	}
	lines.Reset()
	now := r.now()
	for _, called := range r.Recorder.calls.list() {
		if err := tw.Calling(now, called); err != nil {
			return err
		}
	}
	for line := range bytes.Lines(lines.Bytes()) {
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// counting counts what is written.
type counting struct {
	w io.Writer
	n int64
}

func (c *counting) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// Triggers say what is worth a dump. A field that is zero is no trigger.
type Triggers struct {
	SilentWatch time.Duration // for which a watch has got neither an event nor a bookmark
	OpenList    time.Duration // within which a list, or the initial events of a watch, has not ended
	SlowCall    time.Duration // for which a call of a handler has run
	Behind      int           // how many events of its watch a handler is behind by
	Reconcile   time.Duration // for which a reconcile has run
	UnseenWrite time.Duration // for which an own write has not come back, where a watch without selectors should send it
	Panic       bool          // a handler or a reconcile has panicked

	// Cooldown is the least time between two calls of OnTrigger; 0 is a minute.
	Cooldown time.Duration
}

// interval returns how often the triggers are looked at.
func (g *Triggers) interval() time.Duration {
	least := 10 * time.Second
	for _, d := range []time.Duration{g.SilentWatch, g.OpenList, g.SlowCall, g.Reconcile, g.UnseenWrite} {
		if d > 0 {
			least = min(least, d/4)
		}
	}
	if g.Behind > 0 || g.Panic {
		least = min(least, time.Second)
	}
	return max(least, 10*time.Millisecond)
}

// watchTriggers looks at the triggers until the Ring is closed.
func (r *Ring) watchTriggers() {
	g := r.o.Triggers
	none := g
	none.Cooldown = 0
	if r.o.OnTrigger == nil || none == (Triggers{}) {
		return
	}
	var panics int64
	tick := time.NewTicker(g.interval())
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-r.stop:
			return
		}
		why := r.met(&g, &panics)
		if why != "" && r.rested(&r.triggered) {
			r.Mark("trigger: " + why)
			r.trigger(why)
		}
	}
}

// rested reports whether the cooldown is over since something was last done, and if so, notes that it is done now.
func (r *Ring) rested(last *time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !last.IsZero() && time.Since(*last) < cmp.Or(r.o.Triggers.Cooldown, time.Minute) {
		return false
	}
	*last = time.Now()
	return true
}

// crash does what is to be done before a panic ends the process.
func (r *Ring) crash(ctx context.Context, what string) {
	if r.o.CrashOutput != nil && r.rested(&r.crashed) {
		waitFor(ctx, func() { r.dump(r.o.CrashOutput, false, 1<<20) })
	}
	if r.o.OnTrigger == nil {
		return
	}
	last, cancel := context.WithTimeout(context.Background(), lastTrigger)
	defer cancel()
	waitFor(last, func() {
		if r.o.Triggers.Panic && r.rested(&r.triggered) {
			r.trigger(what + " has panicked")
			return
		}
		r.triggering.Lock() // waits for a call that began before, for the same panic maybe
		defer r.triggering.Unlock()
	})
}

// waitFor waits for f, until ctx ends.
func waitFor(ctx context.Context, f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// trigger calls OnTrigger, which is the controller's code. The next look at the triggers waits for it.
func (r *Ring) trigger(why string) {
	r.triggering.Lock()
	defer r.triggering.Unlock()
	defer func() {
		if p := recover(); p != nil {
			r.Mark(fmt.Sprintf("OnTrigger panicked: %v", p))
		}
	}()
	r.o.OnTrigger(r, why)
}

// met says which trigger is met, "" for none. Panics is how many were told.
func (r *Ring) met(g *Triggers, panics *int64) string {
	now := r.now()
	var calls []trace.HandlerCall
	if g.SlowCall > 0 {
		calls = r.Recorder.calls.list()
	}
	over := func(since int64, most time.Duration) bool { return most > 0 && now-since > int64(most) }
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, q := range sorted(r.live.requests) {
		switch {
		case (!q.watch || q.initial) && over(q.began, g.OpenList):
			return fmt.Sprintf("%s has not ended for %v", q.describe(), elapsed(now, q.began))
		case q.watch && over(q.lastActivity(), g.SilentWatch):
			return fmt.Sprintf("%s is silent for %v", q.describe(), elapsed(now, q.lastActivity()))
		}
	}
	for _, c := range calls {
		if c.Duration > int64(g.SlowCall) {
			return fmt.Sprintf("%s of the handler %s runs for %v", c.Fn, c.Handler, time.Duration(c.Duration))
		}
	}
	var all int64
	for name, h := range r.live.handlers {
		all += h.panics
		if n, known := r.live.eventsBehind(h); known && g.Behind > 0 && n > int64(g.Behind) {
			return fmt.Sprintf("the handler %s is behind by %d events", name, n)
		}
	}
	if g.Panic && all > *panics {
		*panics = all
		return "a handler has panicked"
	}
	for _, x := range sorted(r.live.work) {
		if over(x.began, g.Reconcile) {
			return fmt.Sprintf("the reconcile of %s by %s runs for %v", x.key, x.controller, elapsed(now, x.began))
		}
	}
	for _, w := range r.live.unseen {
		if over(w.time, g.UnseenWrite) {
			return fmt.Sprintf("the %s of %s %s has not come back for %v", w.verb, w.path.Resource, w.key, elapsed(now, w.time))
		}
	}
	return ""
}

// describe names a request.
func (q *liveRequest) describe() string {
	switch {
	case !q.watch:
		return "the list of " + q.path.Resource
	case q.initial:
		return "the streaming list of " + q.path.Resource
	}
	return "the watch of " + q.path.Resource
}

// lastActivity returns when something came of a watch, or when it began.
func (q *liveRequest) lastActivity() int64 { return max(q.began, q.last, q.bookmark) }

func elapsed(now, then int64) time.Duration { return time.Duration(now - then).Round(time.Millisecond) }
