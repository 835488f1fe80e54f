package serve

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"sync"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/trace"
)

// The paths of a capture's parts, relative to openedPrefix: the bytes, or what a format.Digester makes of them. The
// name of the capture follows.
const (
	bytesPrefix  = "bytes/"
	digestPrefix = "digest/"
)

// maxPart is how long a part is at most, in bytes.
const maxPart = 4 << 20

// Parts are the bytes of a capture, unpacked and in a format that the page's first program reads. A page reads of them
// what it needs and when it needs it, and keeps none.
type Parts interface {
	// ReadAt reads what is there.
	io.ReaderAt
	// Await waits until all bytes before an offset are there, or none come any more. It fails only with ctx.
	Await(ctx context.Context, offset int64) error
	// Size is how many bytes there will be. It is a guess as long as some are still to come.
	Size() int64
}

// partInfo is what an answer says of a part, in the header "Part".
type partInfo struct {
	Parts  int             `json:"of"`   // the number of the Parts: another one stands for other bytes
	To     int64           `json:"to"`   // where the part ends; it may be shorter than the request
	Size   int64           `json:"size"` // see Parts.Size
	Ended  bool            `json:"ended,omitempty"`
	Reason string          `json:"why,omitempty"`   // why nothing can be read after the part, in English
	Fault  json.RawMessage `json:"fault,omitempty"` // the same as trace.AppendFault writes it
}

// parted has the Parts of one capture.
type parted struct {
	open func() (Parts, error)

	mu    sync.Mutex
	now   Parts
	total int // how many there have been
}

// current returns the Parts as they are now, for a page that begins to read. It returns nil if there are none.
func (p *parted) current() (Parts, int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, err := p.open()
	if now != p.now {
		p.now = now
		p.total++
	}
	return now, p.total, err
}

// partsOf returns the Parts of a number, for a page that reads on. It returns nil if others have taken their place.
func (p *parted) partsOf(source int) Parts {
	p.mu.Lock()
	defer p.mu.Unlock()
	if source != p.total {
		return nil
	}
	return p.now
}

// partReader reads parts, one after the other.
type partReader struct {
	digester format.Digester
	part     []byte
	digest   []byte
}

// partReaders are those that read nothing just now.
var partReaders = sync.Pool{New: func() any { return &partReader{part: make([]byte, maxPart)} }}

// errChanged is what the page says, too, of a file that has changed since it was chosen there.
const errChanged = fault.Plain("fileChanged")

// sendPart answers a request for the bytes between two offsets, "from" and "to", or for their digest. The first request
// of a page has no number "of"; the answer says which one the next requests need.
func (o *Opener) sendPart(w http.ResponseWriter, r *http.Request, c *parted, digest bool) {
	q := r.URL.Query()
	from, err := strconv.ParseInt(q.Get("from"), 10, 64)
	to, wrong := strconv.ParseInt(q.Get("to"), 10, 64)
	if errors.Join(err, wrong) != nil || from < 0 || to <= from || to-from > maxPart {
		http.Error(w, "a part is from one place to a later one, and has at most "+strconv.Itoa(maxPart)+" bytes", http.StatusBadRequest)
		return
	}
	var parts Parts
	s := partInfo{To: from}
	if q.Has("of") {
		if s.Parts, err = strconv.Atoi(q.Get("of")); err != nil {
			http.Error(w, "that is not the number of a capture's parts", http.StatusBadRequest)
			return
		}
		if parts = c.partsOf(s.Parts); parts == nil {
			s.setError(errChanged)
			s.write(w.Header())
			return
		}
	} else if parts, s.Parts, err = c.current(); err != nil || parts == nil {
		w.WriteHeader(http.StatusNoContent) // the page reads all of it, and hears then what is wrong
		return
	}
	if parts.Await(r.Context(), to) != nil {
		return
	}
	in := partReaders.Get().(*partReader)
	defer partReaders.Put(in)
	select {
	case o.reading <- struct{}{}:
	case <-r.Context().Done():
		return
	}
	b := in.read(parts, from, to, digest, &s)
	<-o.reading
	s.write(w.Header())
	w.Write(b) // an error is the browser's, which has gone away
}

// read returns a part, or its digest, and describes it in s. The bytes are good until the next part is read.
func (in *partReader) read(parts Parts, from, to int64, digest bool, s *partInfo) []byte {
	n, err := parts.ReadAt(in.part[:to-from], from)
	b := in.part[:n]
	s.To = from + int64(n)
	switch {
	case err == io.EOF:
		s.Ended = true
	case err != nil:
		s.setError(err)
	}
	s.Size = max(parts.Size(), s.To)
	if digest {
		in.digest = in.digester.Append(in.digest[:0], b)
		return in.digest
	}
	return b
}

// setError notes why the part could not be read.
func (s *partInfo) setError(err error) {
	s.Reason, s.Fault = err.Error(), trace.AppendFault(nil, err)
}

// write writes s as JSON without those characters that a header can't have.
func (s *partInfo) write(h http.Header) {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // it has nothing that JSON can't say
	}
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Part", url.PathEscape(string(b)))
}
