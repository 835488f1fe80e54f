package apiserver

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/informerscope/informerscope/replay/record/whatif"
)

// SetFaults has the lines of a script be done at their times, and returns the transport at which they are done, which stands above
// the server. Going to another time takes them back. It must be called before Run.
func (s *Server) SetFaults(lines []whatif.Line) http.RoundTripper {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults, s.above = lines, whatif.New(s.Server)
	s.placeFaults()
	return s.above
}

// placeFaults finds the first fault that is still to come. s.mu is held.
func (s *Server) placeFaults() {
	s.fault, _ = slices.BinarySearchFunc(s.faults, s.at+1, func(l whatif.Line, at int64) int { return cmp.Compare(int64(l.At), at) })
}
