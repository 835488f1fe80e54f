package proof

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
)

// Stream is the body of a watch that is open: lines of JSON, until it is closed from either side.
type Stream struct {
	From int // what the watch has seen already: a resourceVersion

	mu    sync.Mutex
	ready chan struct{}
	buf   bytes.Buffer
	end   bool
}

// NewStream returns a stream without lines.
func NewStream() *Stream { return &Stream{ready: make(chan struct{}, 1)} }

// Send sends a watch event, unless the stream is closed.
func (s *Stream) Send(typ string, object any) {
	line, _ := json.Marshal(map[string]any{"type": typ, "object": object})
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.end {
		s.buf.Write(append(line, '\n'))
	}
	s.wake()
}

func (s *Stream) wake() {
	select {
	case s.ready <- struct{}{}:
	default:
	}
}

// Read implements io.Reader. It waits for lines.
func (s *Stream) Read(p []byte) (int, error) {
	for {
		s.mu.Lock()
		if s.buf.Len() > 0 {
			defer s.mu.Unlock()
			return s.buf.Read(p)
		}
		end := s.end
		s.mu.Unlock()
		if end {
			return 0, io.EOF
		}
		<-s.ready
	}
}

// Close implements io.Closer.
func (s *Stream) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end = true
	s.wake()
	return nil
}

// Open reports whether nobody has closed it.
func (s *Stream) Open() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.end
}
