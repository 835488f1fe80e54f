package host

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/link"
)

// saver makes files of the open capture.
type saver struct {
	*desk
	last *savedTrace // the trace that was written last for the viewer to look at or to save, nil for none
	key  string      // of the tokens: the files of one page have the same ones
	stop func()      // stops the other program, which writes a trace; nil while it doesn't
}

// save makes a file of the open capture: a trace in our own format, without what the
// viewer wants taken out.
func (s *saver) save(id int, q link.Save) {
	d := s.doc
	if d.script != nil {
		s.saveScript(id, d)
		return
	}
	if q.Redact != nil {
		q.Redact.Edits, q.Redact.Key = string(d.encodedEdits()), s.tokenKey()
	}
	m := &savedTrace{doc: d, id: id, name: link.FileName(d.name, ".trace.jsonl.gz"), look: q.Look}
	if q.Redact != nil {
		m.redact = string((&link.Conversion{Redact: q.Redact}).Encode())
	}
	if s.offerSaved(m) {
		return
	}
	s.write(m, q.Redact, nil, func() { s.offerTrace(m) })
}

// tokenKey returns the key of the tokens, in hexadecimal.
func (s *saver) tokenKey() string {
	if s.key == "" {
		for range 2 {
			half := strconv.FormatUint(rand.Uint64(), 16)
			s.key += "0000000000000000"[len(half):] + half
		}
	}
	return s.key
}

// savedTrace is a trace that the other program writes of a capture for the viewer.
type savedTrace struct {
	doc    *document
	id     int    // of the request
	name   string // of the file
	redact string // what the viewer wants taken out, as JSON
	look   bool   // the viewer wants to see first what is in it

	stored browser.Stored
	head   []byte // its first bytes
	tail   []byte // its last bytes; the last line has the counts
	size   int64  // of what was written of it, in bytes
}

// write makes the other program write a capture as the trace m, without what r says.
// Each piece goes to piece, which may be nil, and at the end done is called.
// Another trace that is still being written is given up.
func (s *saver) write(m *savedTrace, r *link.Redact, piece func([]byte), done func()) {
	if s.stop != nil {
		s.stop()
	}
	m.head, m.tail, m.size = nil, nil, 0
	m.stored, s.stop = s.convert(m.doc, r,
		func(b []byte) {
			if m.size += int64(len(b)); m.head == nil {
				m.head = bytes.Clone(b[:min(len(b), 64<<10)])
			}
			m.tail = append(m.tail, b...)
			m.tail = append(m.tail[:0], m.tail[max(0, len(m.tail)-maxTail):]...)
			if piece != nil {
				piece(b)
			}
		},
		func(err error) {
			s.stop = nil
			if err != nil {
				s.fail(m.id, link.Sentence{ID: "fail.save"}, err)
				return
			}
			done()
		})
	m.stored.Settle()
}

// convert makes the other program write what r asks for of a capture. Each piece goes to piece. Stop
// gives it up.
func (s *saver) convert(doc *document, r *link.Redact, piece func([]byte), end func(error)) (out browser.Stored, stop func()) {
	files := doc.files
	switch {
	case doc.live != nil:
		files = []browser.Bytes{doc.live.Store}
	case len(files) == 0:
		files = []browser.Bytes{doc.input}
	}
	out = s.converted(files, doc.kind, r)
	return out, out.Stream(func(b []byte, _ int64) { piece(b) }, end)
}

// maxTail is how many bytes of the end of a trace are kept, which is more than the line with the counts has.
const maxTail = 64 << 10

// offerTrace lets the viewer save a trace that was written, or look at what is in it.
func (s *saver) offerTrace(m *savedTrace) {
	s.last = m
	if m.look {
		s.send(&link.Reply{ID: m.id, News: &link.SavePreview{Size: m.size, Removed: redactionCounts(m.tail, "redacted"), Remaining: redactionCounts(m.tail, "kept"), Head: beginning(m.head)}})
		return
	}
	s.offerSaved(m)
}

// offerSaved lets the viewer save the trace that was made last, and reports false if that isn't the
// one that is wanted.
func (s *saver) offerSaved(wanted *savedTrace) bool {
	m := s.last
	if m == nil || wanted.look || m.doc != wanted.doc || m.name != wanted.name || m.redact != wanted.redact {
		return false
	}
	s.offer(wanted.id, m.stored, m.name, func(size int64) *link.Saved {
		return &link.Saved{Name: m.name, Size: size, Removed: redactionCounts(m.tail, "redacted")}
	})
	return true
}

// beginning returns the first lines of a trace, for the viewer to read.
func beginning(head []byte) string {
	return strings.ToValidUTF8(string(head[:min(len(head), 4<<10)]), "")
}

// saveScript makes a file of the lane shown: the script that makes it, or the lesson's text.
func (s *saver) saveScript(id int, d *document) {
	ext := ".txt"
	text, err := d.script.Written()
	if l := d.lesson; l != nil && d.script.Lanes.Shown == d.script.Lanes.All[0] { // nothing was tried beside it
		text, ext, err = l.Text, ".md", nil
	}
	if err != nil {
		s.fail(id, link.Sentence{ID: "fail.save"}, err)
		return
	}
	s.offerText(id, text, link.FileName(d.name, ext))
}

// redactionCounts returns the counts in a field of the last line of a trace.
func redactionCounts(tail []byte, field string) (all []link.RedactionCount) {
	tail = bytes.TrimSuffix(tail, []byte{'\n'})
	r := jsonscan.NewReader(tail[bytes.LastIndexByte(tail, '\n')+1:])
	for range r.Fields(field) {
		all = nil
		for name := range r.Members() {
			x := link.RedactionCount{Name: strings.Clone(name)}
			r.Int64(&x.N)
			all = append(all, x)
		}
	}
	if r.End() != nil {
		return nil
	}
	return all
}

// sendOwnWork makes the other program tell what the recording has of its controllers' own work.
func (s *saver) sendOwnWork(id int) {
	d := s.doc
	if !d.trace().Complete || !d.inside() {
		s.badRequest(id)
		return
	}
	var work []byte
	out, _ := s.convert(d, &link.Redact{OwnWork: true}, func(b []byte) { work = append(work, b...) }, func(err error) {
		x := &link.OwnWork{}
		if err == nil {
			x, err = link.DecodeOwnWork(work)
		}
		if err != nil {
			x = &link.OwnWork{Wrong: link.Fault(err)}
		}
		if d == s.doc {
			s.send(&link.Reply{ID: id, News: x})
		}
	})
	out.Settle()
}
