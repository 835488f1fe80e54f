package host

import (
	"bytes"
	"strings"

	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/link"
)

// saver makes files of the open capture.
type saver struct {
	*desk
	last *savedTrace // the trace that was written last for the viewer to look at or to save, nil for none
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
		q.Redact.Edits = ""
		if !q.Redact.Names { // the lines of edits name objects as they are
			q.Redact.Edits = string(d.encodedEdits())
		}
	}
	m := &savedTrace{doc: d, id: id, name: link.FileName(d.name, ".trace.jsonl.gz"), look: q.Look}
	if q.Redact != nil {
		m.redact = string(q.Redact.Encode())
	}
	if s.offerSaved(m) {
		return
	}
	s.write(m, q.Redact, nil, func() { s.offerTrace(m) })
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
	size   int64  // of what was written of it, in bytes
}

// write makes the other program write a capture as the trace m, without what r says.
// Each piece goes to piece, which may be nil, and at the end done is called.
// Another trace that is still being written is given up.
func (s *saver) write(m *savedTrace, r *link.Redact, piece func([]byte), done func()) {
	if s.stop != nil {
		s.stop()
	}
	m.head, m.size = nil, 0
	m.stored, s.stop = s.convert(m.doc, r,
		func(b []byte) {
			if m.size += int64(len(b)); m.head == nil {
				m.head = bytes.Clone(b[:min(len(b), 64<<10)])
			}
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
		files = []browser.Bytes{doc.live.Kept}
	case len(files) == 0:
		files = []browser.Bytes{doc.input}
	}
	options := ""
	if r != nil {
		options = string(r.Encode())
	}
	out = s.browser.Convert(files, options)
	return out, out.Stream(func(b []byte, _ int64) { piece(b) }, end)
}

// offerTrace lets the viewer save a trace that was written, or look at what is in it. If something
// in it looks like a secret, giveTrace says that in their place.
func (s *saver) offerTrace(m *savedTrace) {
	if left := suspects(m.head); left != nil {
		s.send(&link.Reply{ID: m.id, News: left})
		return
	}
	s.last = m
	if m.look {
		s.send(&link.Reply{ID: m.id, News: &link.Looked{Size: m.size, Taken: takenOut(m.head), Head: beginning(m.head)}})
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
	s.offer(wanted.id, m.stored, m.name, func(size int64) *link.Saved { return &link.Saved{Name: m.name, Size: size, Taken: takenOut(m.head)} })
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
	kept := s.browser.Store()
	kept.Append([]byte(text))
	name := link.FileName(d.name, ext)
	s.offer(id, kept, name, func(size int64) *link.Saved { return &link.Saved{Name: name, Size: size} })
}

// suspects returns what the converting program found to be left, if it wrote these findings and no trace.
func suspects(head []byte) *link.Suspects {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	left := &link.Suspects{}
	var kind string
	var redacted []string
	r := jsonscan.NewReader(line)
	for name := range r.Fields("informerscope", "found", "more", "redacted") {
		switch name {
		case "informerscope":
			r.String(&kind)
		case "found":
			for range r.Elements() {
				left.Found = append(left.Found, suspect(&r))
			}
		case "more":
			r.Int64(&left.More)
		case "redacted":
			redacted = texts(&r)
		}
	}
	if r.End() != nil || kind != "findings" {
		return nil
	}
	left.Taken = strings.Join(redacted, ", ")
	return left
}

func suspect(r *jsonscan.Reader) link.Suspect {
	var s link.Suspect
	var why string
	var said []byte
	for name := range r.Fields("line", "path", "why", "said", "mask", "count") {
		switch name {
		case "line":
			r.Int64(&s.Line)
		case "path":
			r.String(&s.Path)
		case "why":
			r.String(&why)
		case "said":
			said = r.Raw()
		case "mask":
			r.String(&s.Mask)
		case "count":
			r.Int64(&s.Count)
		}
	}
	s.Why = link.Fault(trace.ReadFault(said, why))
	return s
}

func texts(r *jsonscan.Reader) (all []string) {
	for range r.Elements() {
		var s string
		r.String(&s)
		all = append(all, s)
	}
	return all
}

// takenOut returns what was taken out, as the header of a trace lists it.
func takenOut(head []byte) string {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	var redacted []string
	r := jsonscan.NewReader(line)
	for range r.Fields("redacted") {
		redacted = texts(&r)
	}
	if r.End() != nil {
		return ""
	}
	return strings.Join(redacted, ", ")
}

// sendOwnWork makes the other program tell what the recording has of its controllers' own work.
func (s *saver) sendOwnWork(id int) {
	d := s.doc
	if len(d.controllers()) == 0 {
		s.badRequest(id)
		return
	}
	var told []byte
	out, _ := s.convert(d, &link.Redact{OwnWork: true}, func(b []byte) { told = append(told, b...) }, func(err error) {
		own := &link.OwnWork{}
		if err == nil {
			own, err = link.DecodeOwnWork(told)
		}
		if err != nil {
			own = &link.OwnWork{Wrong: link.Fault(err)}
		}
		if d == s.doc {
			s.send(&link.Reply{ID: id, News: own})
		}
	})
	out.Settle()
}
