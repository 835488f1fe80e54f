package files

import (
	"io"
	"strings"
	"testing"
)

// TestStdinReadTwice: the beginning can be read again until it is let go.
func TestStdinReadTwice(t *testing.T) {
	s := &rereadable{in: strings.NewReader("abcdef")}
	read := func(n int) string {
		r, err := s.open()
		if err != nil {
			return err.Error()
		}
		defer r.Close()
		b := make([]byte, n)
		n, err = io.ReadFull(r, b)
		if err != nil && err != io.ErrUnexpectedEOF {
			return err.Error()
		}
		return string(b[:n])
	}
	if got := read(2) + " " + read(4) + " " + read(9) + " " + read(9); got != "ab abcd abcdef abcdef" {
		t.Errorf("got %q", got)
	}
	s.settle()
	if got := read(1); !strings.Contains(got, "save it to a file first") {
		t.Errorf("got %q", got)
	}
}
