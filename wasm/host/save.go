package host

import (
	"bytes"
	"strings"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/wasm/link"
)

// save makes a file of the open capture: a trace in our own format, without what the
// viewer wants taken out.
func (h *Host) save(q *link.Request) {
	d := h.doc
	if d.script != nil {
		h.saveScript(q, d)
		return
	}
	files := d.files
	switch {
	case d.live != nil:
		files = []Bytes{d.live.kept}
	case len(files) == 0:
		files = []Bytes{d.input}
	}
	options := ""
	if q.Redact != nil {
		q.Redact.Future = ""
		if !q.Redact.Names { // its lines name objects as they are
			q.Redact.Future = string(d.future())
		}
		options = string(q.Redact.Encode())
	}
	out := h.browser.Convert(files, options)
	var head []byte
	out.Stream(
		func(b []byte, _ int64) {
			if head == nil {
				head = bytes.Clone(b[:min(len(b), 64<<10)])
			}
		},
		func(err error) {
			if err != nil {
				h.fail(q.ID, link.Sentence{ID: "fail.save"}, err)
				return
			}
			if left := suspects(head); left != nil {
				h.send(&link.Reply{ID: q.ID, Suspects: left})
				return
			}
			name := link.FileName(d.name, ".trace.jsonl.gz")
			h.browser.Give(out, name, func(size int64, err error) {
				if err != nil {
					h.fail(q.ID, link.Sentence{ID: "fail.save"}, err)
					return
				}
				h.send(&link.Reply{ID: q.ID, Saved: &link.Saved{Name: name, Size: size, Taken: taken(head)}})
			})
		})
	out.Settle()
}

// saveScript makes a file of the lane shown: the script that makes it, or the lesson's text.
func (h *Host) saveScript(q *link.Request, d *document) {
	ext := ".txt"
	text, err := d.script.written()
	if l := d.lesson; l != nil && d.script.lanes.shown == d.script.lanes.all[0] { // nothing was tried beside it
		text, ext, err = l.text, ".md", nil
	}
	if err != nil {
		h.fail(q.ID, link.Sentence{ID: "fail.save"}, err)
		return
	}
	kept := h.browser.Store()
	kept.Append([]byte(text))
	name := link.FileName(d.name, ext)
	h.browser.Give(kept, name, func(size int64, err error) {
		if err != nil {
			h.fail(q.ID, link.Sentence{ID: "fail.save"}, err)
			return
		}
		h.send(&link.Reply{ID: q.ID, Saved: &link.Saved{Name: name, Size: size}})
	})
}

// suspects is what the converting program found to be left, if it wrote that and no
// trace.
func suspects(head []byte) *link.Suspects {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	var f struct {
		Informerscope string `json:"informerscope"`
		link.Suspects
	}
	if json.Unmarshal(line, &f) != nil || f.Informerscope != "findings" {
		return nil
	}
	return &f.Suspects
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
