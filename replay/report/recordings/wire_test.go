package recordings

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// wire is what lies between a client and its server. Its fields may change while requests are under way.
type wire struct {
	under    http.RoundTripper
	hold     atomic.Bool                               // requests for watches
	trouble  atomic.Int32                              // with lists of services
	troubled time.Time                                 // since when
	held     []io.Closer                               // end answers that go on
	loses    atomic.Bool                               // answers to what is sent
	lists    []time.Time                               // when lists were asked for, streaming ones too
	cut      time.Duration                             // watches end after this time; 0 for never
	cuts     atomic.Int64                              // how many have ended so
	open     func()                                    // is called when a watch opens; may be nil
	watches  atomic.Int32                              // counts the open watches, once cut or edit is set
	edit     func(line []byte, pass func(line []byte)) // passes on what comes on watches; nil passes on all
	last     time.Time                                 // when anything came on the last watch, or it opened
	quiet    time.Duration                             // for how long nothing did, at most
}

// RoundTrip sends a request on.
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	if resp := w.troubles(r); resp != nil {
		return resp, nil
	}
	if w.loses.Load() && r.Method == "POST" {
		return w.lose(r)
	}
	watch := strings.Contains(r.URL.RawQuery, "watch=")
	for watch && w.hold.Load() {
		<-time.After(time.Millisecond)
	}
	resp, err := w.under.RoundTrip(r)
	if err == nil && resp.StatusCode == http.StatusOK && (!watch || strings.Contains(r.URL.RawQuery, "sendInitialEvents=")) {
		w.lists = append(w.lists, time.Now())
	}
	if err != nil || !watch || resp.StatusCode != http.StatusOK || w.cut == 0 && w.edit == nil {
		return resp, err
	}
	if w.open != nil {
		w.open()
	}
	w.watches.Add(1)
	w.last = time.Now()
	in := resp.Body
	out, to := io.Pipe()
	resp.Body = body{out, in}
	if w.cut > 0 {
		time.AfterFunc(w.cut, func() { w.cuts.Add(1); to.Close(); in.Close() })
	}
	go func() {
		lines := bufio.NewReader(in)
		for {
			line, err := lines.ReadBytes('\n')
			if pass := func(line []byte) { w.silence(); to.Write(line) }; w.edit != nil && err == nil {
				w.edit(bytes.Clone(line), pass)
			} else {
				pass(line)
			}
			if err != nil {
				w.watches.Add(-1)
				to.CloseWithError(err)
				return
			}
		}
	}()
	return resp, nil
}

// silence returns for how long nothing came on a watch at most. The time begins anew.
func (w *wire) silence() time.Duration {
	w.quiet = max(w.quiet, time.Since(w.last))
	w.last = time.Now()
	return w.quiet
}

// body ends both ends of a connection.
type body struct {
	*io.PipeReader
	in io.Closer
}

// Close closes both.
func (b body) Close() error {
	b.PipeReader.Close()
	return b.in.Close()
}
