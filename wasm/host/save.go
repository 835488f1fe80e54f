package host

import (
	"bytes"
	"strings"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/link"
)

// saves makes files of what is open.
type saves struct{ *desk }

// save makes a file of the open capture: a trace in our own format, without what the
// viewer wants taken out.
func (s *saves) save(id int, q link.Save) {
	d := s.doc
	if d.script != nil {
		s.saveScript(id, d)
		return
	}
	if q.Redact != nil {
		q.Redact.Edits = ""
		if !q.Redact.Names { // the lines of edits name objects as they are
			q.Redact.Edits = string(d.editsOf())
		}
	}
	s.write(id, d, q.Redact, nil, func(out browser.Stored, head []byte) {
		s.giveTrace(id, out, head, link.FileName(d.name, ".trace.jsonl.gz"))
	})
}

// write has the other program write a capture as a trace, without what r says.
// Each piece goes to piece, and at the end the whole and its first bytes go to
// done. Piece may be nil.
func (d *desk) write(id int, doc *document, r *link.Redact, piece func([]byte), done func(out browser.Stored, head []byte)) {
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
	out := d.browser.Convert(files, options)
	var head []byte
	out.Stream(
		func(b []byte, _ int64) {
			if head == nil {
				head = bytes.Clone(b[:min(len(b), 64<<10)])
			}
			if piece != nil {
				piece(b)
			}
		},
		func(err error) {
			if err != nil {
				d.fail(id, link.Sentence{ID: "fail.save"}, err)
				return
			}
			done(out, head)
		})
	out.Settle()
}

// giveTrace lets the viewer save a trace that was written, or says what is left in it that
// looks like a secret.
func (d *desk) giveTrace(id int, out browser.Stored, head []byte, name string) {
	if left := suspects(head); left != nil {
		d.send(&link.Reply{ID: id, News: left})
		return
	}
	d.give(id, out, name, func(size int64) *link.Saved { return &link.Saved{Name: name, Size: size, Taken: taken(head)} })
}

// saveScript makes a file of the lane shown: the script that makes it, or the lesson's text.
func (s *saves) saveScript(id int, d *document) {
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
	s.give(id, kept, name, func(size int64) *link.Saved { return &link.Saved{Name: name, Size: size} })
}

// suspects returns what the converting program found to be left, if it wrote these findings and no trace.
func suspects(head []byte) *link.Suspects {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	var f struct {
		Informerscope string `json:"informerscope"`
		Found         []struct {
			Line  int64           `json:"line"`
			Path  string          `json:"path"`
			Why   string          `json:"why"`
			Said  json.RawMessage `json:"said"`
			Mask  string          `json:"mask"`
			Count int64           `json:"count"`
		} `json:"found"`
		More int64 `json:"more"`
	}
	if json.Unmarshal(line, &f) != nil || f.Informerscope != "findings" {
		return nil
	}
	left := &link.Suspects{More: f.More}
	for _, x := range f.Found {
		why := link.Fault(trace.ReadFault(x.Said, x.Why))
		left.Found = append(left.Found, link.Suspect{Line: x.Line, Path: x.Path, Why: why, Mask: x.Mask, Count: x.Count})
	}
	return left
}

// taken returns what was taken out, as the header of a trace lists it.
func taken(head []byte) string {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	var h struct {
		Redacted []string `json:"redacted"`
	}
	if json.Unmarshal(line, &h) != nil {
		return ""
	}
	return strings.Join(h.Redacted, ", ")
}
