package convert

import (
	"bytes"
	"errors"
	"io"
	"time"

	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/internal/objects"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/trace"
)

// Arrivals makes a trace of a capture that somebody is still writing, and each event gets the
// time at which it came. Whoever reads the capture calls Pause where nothing has come for a
// while: kubectl doesn't say in any other way where its first list ends. Each method takes the
// time of day, which must not go back, and returns an error where the trace can't be written.
type Arrivals struct {
	c     *capture.Conversion
	split *format.Reader
	first *objects.First
	time  time.Time
	stop  error // that ended the trace
}

// Arriving reports whether a capture that begins with head can be read by Arrivals: it holds
// watch events, objects or lists in JSON.
func Arriving(head []byte) bool {
	f := formOf(bytes.TrimLeft(head, " \t\r\n"))
	for i := range objects.Forms {
		if f != nil && f.ID == objects.Forms[i].ID {
			return true
		}
	}
	return false
}

// NewArrivals returns an Arrivals that writes to w, one line with each call. The capture began
// at start, and begins with head.
func NewArrivals(w io.Writer, start time.Time, head []byte) *Arrivals {
	form := formOf(bytes.TrimLeft(head, " \t\r\n"))
	c := capture.New(&capture.Source{Form: form, Limits: Options{}.limits()})
	c.Findings = &trace.Trace{}
	c.Out.Sink, c.Out.Start = w, start
	c.Out.Header = trace.Header{From: form.ID}
	r := objects.ReaderOf(c)
	a := &Arrivals{c: c, first: objects.NewFirst(r)}
	v := &objects.Value{}
	a.split = format.NewSplitter(format.Options{MaxLine: c.From.Limits.MaxLine}, v.Read, func(b []byte, _, _ int64) error {
		if a.stop != nil {
			return nil
		}
		if !a.first.Take(v, b) {
			a.fail(a.first.End())
			c.Out.SetTime(a.time)
			return a.problem(r.Object(v, b))
		}
		c.Out.SetTime(a.time)
		return nil
	}, func(p trace.Problem) { a.fail(c.Report(p)) })
	a.fail(c.Remark(remarks.Arrivals, 0, ""))
	return a
}

// fail keeps the first error that ends the trace.
func (a *Arrivals) fail(err error) {
	if f := (capture.FatalError{}); errors.As(err, &f) {
		err = f.Err
	}
	if a.stop == nil {
		a.stop = err
	}
}

// problem returns err, unless it ends the trace.
func (a *Arrivals) problem(err error) error {
	if errors.As(err, new(capture.FatalError)) {
		a.fail(err)
		return nil
	}
	return err
}

// Write takes the next bytes of the capture, which came at a time.
func (a *Arrivals) Write(at time.Time, b []byte) error {
	a.time = at
	if a.stop == nil {
		a.fail(a.split.Write(b))
	}
	return a.stop
}

// Pause says that nothing has come for a while, up to the time at.
func (a *Arrivals) Pause(at time.Time) error {
	a.fail(a.first.End())
	a.fail(objects.Settle(objects.ReaderOf(a.c)))
	return a.Tick(at)
}

// Tick says that nothing has come until a time.
func (a *Arrivals) Tick(at time.Time) error {
	if a.stop == nil && a.c.Out.Trace != nil {
		a.c.Out.SetTime(at)
		a.fail(a.c.Out.Trace.Tick(a.c.Out.Now()))
	}
	return a.stop
}

// Close ends the trace: the capture ended at a time.
func (a *Arrivals) Close(at time.Time) error {
	a.time = at
	a.fail(a.split.Close())
	a.fail(a.first.End())
	if a.stop == nil {
		a.c.Out.SetTime(at)
		a.fail(capture.End(a.c))
	}
	return a.stop
}
