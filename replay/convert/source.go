package convert

import (
	"bytes"
	"io"

	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/format/inflate"
	"github.com/informerscope/informerscope/replay/jsonscan"
)

// newSource finds out which format an input is of, or how it is packed.
func newSource(in Input, l capture.Limits, p *capture.Progress) (*capture.Source, packing, error) {
	s := &capture.Source{Name: in.Name, Size: in.Size, File: in.Open, ReaderAt: in.At, Limits: l, Progress: &capture.Progress{}}
	r, closer, err := s.Open()
	if err != nil {
		return nil, unpacked, err
	}
	defer closer.Close()
	head, err := r.Peek(capture.Glance)
	if len(head) == 0 && err != io.EOF {
		return nil, unpacked, inflate.Readable(err)
	}
	if packed := packingOf(head); packed != unpacked {
		return s, packed, nil
	}
	var unknown error
	if s.Form, s.Layout, unknown = sniff(head, in.Name, in.Loose); unknown != nil {
		if err != nil && err != io.EOF && len(head) < capture.Glance {
			return nil, unpacked, inflate.Readable(err) // there is not enough of it to know
		}
		return nil, unpacked, unknown
	}
	s.Alone = s.Form.ID == "objects" && isAlone(head)
	s.Progress = p
	p.Expect(in.Size)
	return s, unpacked, nil
}

// isAlone reports whether an input of objects that begins with head seems to be one
// object.
func isAlone(head []byte) bool {
	head = bytes.TrimSpace(head)
	if len(head) == 0 || head[0] != '{' { // YAML
		return !bytes.Contains(bytes.TrimPrefix(head, []byte("---")), []byte("\n---"))
	}
	depth := 0
	for i := 0; i < len(head); i++ {
		switch head[i] {
		case '"':
			end := jsonscan.StringEnd(head, i)
			if end < 0 {
				return true
			}
			i = end - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i+1 == len(head)
			}
		}
	}
	return true
}
