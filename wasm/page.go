//go:build js && wasm

package main

import (
	"runtime"
	"runtime/debug"
	"strconv"

	"github.com/goccy/go-json"

	"github.com/informerscope/informerscope/wasm/dom"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view"
)

// page is the program's role on the page: messages come in, the model changes,
// the view is drawn anew at the next painting, commands go out.
type page struct {
	dom     *dom.Page
	model   session.Model
	view    view.View
	patcher tree.Patcher
	drawn   *link.Frame // the last frame that was drawn
	changed bool        // since then
	asked   bool        // a painting is asked for
	tick    bool        // the model wants to hear of it
	tell    bool        // the worker waits to hear that it was painted
	spare   bool        // a capture was opened, so there is time to collect
	waiting []session.Msg
	busy    bool
	ready   bool
}

func newPage() {
	// To open a capture allocates 3 to 4 MB, and a collection takes as long as a
	// painting: it had better come when all is open (see spare), and not in the
	// midst of one.
	debug.SetGCPercent(200)
	p := &page{}
	p.model = session.New("", "", -1)
	p.busy = true // until the page is there to speak to
	p.dom = dom.Open(dom.Events{
		Act: func(act, arg, value string) { p.update(session.Acted{Act: act, Arg: arg, Value: value}) },
		Key: func(key string, shift, command, typing bool) bool {
			m := session.Pressed{Key: key, Shift: shift, Command: command, Typing: typing}
			used := p.model.HasKey(m)
			p.update(m)
			return used
		},
		Files:  func(name string, size int64) { p.update(session.Chose{Name: name, Size: size}) },
		Drag:   func(over bool) { p.update(session.Dragged{Over: over}) },
		Scrub:  func(at float64, held bool) { p.update(session.Scrubbed{Fraction: at, Held: held}) },
		Size:   func(w, h int) { p.update(session.Resized{Width: w, Height: h}) },
		Media:  func(dark, still bool) { p.update(session.Preferred{Dark: dark, Still: still}) },
		Hidden: func(hidden bool) { p.update(session.Hid{Hidden: hidden}) },
		Reply:  p.reply,
		Died:   func(why string) { p.update(session.Perished{Why: why}) },
		Kept:   func(state string, bytes int64) { p.update(session.Stored{State: state, Bytes: bytes}) },
	})
	speed, err := strconv.Atoi(p.dom.Saved("speed"))
	if err != nil {
		speed = -1
	}
	p.model = session.New(p.dom.Language(), p.dom.Saved("theme"), speed)
	p.busy = false
	p.update(session.Began{})
}

func (p *page) reply(b []byte) {
	r, err := link.Decode[link.Reply](b)
	if err != nil {
		p.update(session.Perished{Why: err.Error()})
		return
	}
	p.update(session.Replied{Reply: r})
	if p.ready && r.Frame != nil && r.Frame.Dir == 0 {
		p.draw() // all of it changes at a jump, which is too much to do in one task with painting it
		if p.model.Loading {
			p.dom.Layout() // which is most to do for a page that was empty
		}
	}
}

// update takes a message; one that comes while another is worked on waits.
func (p *page) update(m session.Msg) {
	p.waiting = append(p.waiting, m)
	if p.busy {
		return
	}
	p.busy = true
	loading := p.model.Loading
	for len(p.waiting) > 0 {
		m := p.waiting[0]
		p.waiting = p.waiting[1:]
		var cmds []session.Cmd
		p.model, cmds = session.Update(p.model, m)
		for _, c := range cmds {
			p.run(c)
		}
	}
	p.busy = false
	p.changed = true
	if p.ready && p.model.Loading != loading {
		p.draw() // that another trace is opened is seen at once, not at the next painting
		p.spare = loading
	}
	p.ask()
}

func (p *page) run(c session.Cmd) {
	switch c := c.(type) {
	case session.Send:
		p.dom.Send(c.Request.Encode(), c.Files)
	case session.Painted:
		p.tell = true
	case session.Speak:
		p.dom.Fetch("locales/"+c.Lang+".json", func(b []byte, err error) {
			words := map[string]string{}
			if err != nil || json.Unmarshal(b, &words) != nil {
				words = nil
			}
			p.update(session.Spoke{Lang: c.Lang, Words: words})
		})
	case session.Keep:
		p.dom.Save(c.Name, c.Value)
	case session.Tick:
		p.tick = true
	case session.Pick:
		p.dom.Pick()
	case session.Restart:
		p.dom.Restart()
	}
}

func (p *page) ask() {
	if !p.asked {
		p.asked = true
		p.dom.NextFrame(p.paint)
	}
}

// paint is called once before each painting of the screen, however many messages
// came since.
func (p *page) paint(now float64) {
	p.asked = false
	if p.tick {
		p.tick = false
		p.update(session.Ticked{Now: now})
	}
	p.draw()
	if p.spare {
		p.spare = false
		dom.After(0, runtime.GC)
	}
	if p.tell && p.ready {
		p.tell = false
		dom.After(0, func() { p.dom.Send((&link.Request{Op: link.OpPainted}).Encode(), false) })
	}
}

// draw draws what has changed.
func (p *page) draw() {
	if !p.changed {
		return
	}
	p.changed = false
	if p.model.Words == nil {
		return
	}
	var motion *tree.Motion
	if p.model.Frame != p.drawn {
		motion = view.Motion(&p.model)
	}
	p.drawn = p.model.Frame
	root, document := p.view.Page(&p.model)
	p.dom.Apply(p.patcher.Patch(root, document, motion))
	if !p.ready {
		p.ready = true
		p.dom.Ready()
	}
}
