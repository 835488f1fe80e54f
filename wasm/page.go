//go:build js && wasm

package main

import (
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/dom"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/session/navigation"
	"github.com/informerscope/informerscope/wasm/session/save"
	"github.com/informerscope/informerscope/wasm/view"
)

// page is the program's role on the page. A message changes the model, commands go
// out, and the view is drawn again at the next painting.
type page struct {
	dom         *dom.Page
	model       *session.Model
	view        view.View
	patcher     tree.Patcher
	drawn       *link.Frame // the last frame that was drawn
	changed     bool        // the model has changed since
	asked       bool        // the browser was asked to call paint
	tick        bool        // the model wants a Ticked before the next painting
	owesPainted bool        // the worker waits for link.Painted
	shot        *save.Shoot // a picture that is to be taken after the next painting
	sketch      bool        // a picture for a handout is to be taken then
	spare       bool        // a capture has just been opened, so there is time to collect garbage
	waiting     []session.Msg
	notes       bool // note is about to be called
	busy        bool
	ready       bool
	first       bool // the document shows the first step, which nothing is drawn before
	settled     bool // dom.Page.Settle was called
}

func newPage() {
	// Opening a capture allocates 3 to 4 MB here. A collection takes as long as a
	// painting, so it should not come until the capture is open; see spare.
	debug.SetGCPercent(200)
	p := &page{}
	p.model = session.New("", "", -1)
	p.busy = true // what dom.Open reports at once waits until p.dom is set
	p.dom = dom.Open(dom.Events{
		Act: func(act, arg, value string) { p.update(session.Acted{Act: act, Arg: arg, Value: value}) },
		Enter: func(act, key, value string) {
			p.draw() // what was typed since the last painting is drawn, so that the next drawing can empty the field
			p.update(session.Acted{Act: act, Arg: key, Value: value})
		},
		Key: func(key string, shift, ctrl, alt, typing bool, place string) bool {
			m := session.Pressed{Key: key, Shift: shift, Ctrl: ctrl, Alt: alt, Typing: typing, Place: place, Now: float64(dom.Now()) / 1e6}
			used := p.model.HasKey(m)
			p.update(m)
			return used
		},
		Files:  func(name string, size int64) { p.update(session.Chose{Name: name, Size: size}) },
		Drag:   func(over bool) { p.update(session.Dragged{Active: over}) },
		Scrub:  func(at float64, held bool) { p.update(session.Scrubbed{Fraction: at, Dragging: held}) },
		Size:   func(w, h int) { p.update(session.Resized{Width: w, Height: h}) },
		Media:  func(dark, still bool) { p.update(session.Preferred{Dark: dark, ReducedMotion: still}) },
		Hidden: func(hidden bool) { p.update(session.Hid{Hidden: hidden}) },
		Return: func(place int, fragment string) { p.update(navigation.Returned{Place: place, Fragment: fragment}) },
		Offer: func(title string, size, step int64, when string) {
			p.update(navigation.Offered{Title: title, Size: size, Step: step, Time: when})
		},
		Reply: p.reply,
		Died:  func(why string, memory int64) { p.update(session.Perished{Reason: why, Memory: memory}) },
		Leave: func() { p.saveState(dom.Leaving) },
		Version: func(page, served, release, program string) {
			p.update(session.Versioned{Current: page, Served: served, Release: release, Program: program})
		},
		Offline: func(state string, bytes int64) { p.update(session.Stored{State: state, Bytes: bytes}) },
	})
	speed, err := strconv.Atoi(p.dom.Saved("speed"))
	if err != nil {
		speed = -1
	}
	lang, theme, first := p.dom.Chosen()
	p.first = first
	p.model = session.New(lang, theme, speed)
	p.model.Restore(p.dom.Saved)
	if !p.dom.StorageAvailable() {
		p.update(session.Unkept{})
	}
	if strings.HasSuffix(p.dom.Site(), "?transitions") {
		p.model.Nav.Watch(logTransitions())
	}
	p.busy = false
	p.update(p.started())
}

// logTransitions tells the console each event of the navigation with the state in which it comes, the first time.
func logTransitions() func(navigation.State, navigation.Event) {
	reported := map[[2]uint8]bool{}
	return func(s navigation.State, on navigation.Event) {
		if k := [2]uint8{uint8(s), uint8(on)}; !reported[k] {
			reported[k] = true
			dom.Debug("navigation: " + s.String() + " " + on.String())
		}
	}
}

// saveState keeps where the viewer is for the case that the page is reloaded, or notes it for the case that this program
// ends. Where nothing would bring the viewer back, the text is "". It reports whether the browser keeps that.
func (p *page) saveState(how string) bool {
	text, first, second := "", -1, -1
	if s := p.model.Nav.CurrentAddress(); s != nil {
		text = s.String()
		first, second = p.model.Nav.StayFiles()
	}
	return p.dom.SaveState(how, text, first, second)
}

// noteOften is how often the page notes where the viewer is, in nanoseconds.
const noteOften = 1e9

// note notes where the viewer is for the case that this program ends.
func (p *page) note() {
	p.notes = false
	if lost := !p.saveState(dom.Noted); lost != p.model.Site.Lost {
		p.update(session.Noted{Lost: lost})
	}
}

func (p *page) started() session.Started {
	b := session.Started{Site: p.dom.Site(), Embedded: p.dom.Embedded(), Ended: p.dom.EndReason()}
	said, files := p.dom.SavedState()
	if a, err := address.Read(said); err == nil && a.Opens() {
		b.Address, b.Files = &a, files[0]
		if a.Second != nil && files[1] {
			a.Files = 1
		}
	}
	return b
}

func (p *page) reply(b []byte) {
	r, err := link.DecodeReply(b)
	if err != nil {
		p.update(session.Perished{Reason: err.Error()})
		return
	}
	p.update(session.Replied{Reply: r})
	if f, is := r.News.(*link.Frame); p.ready && is && f.Dir == 0 {
		p.draw() // after a jump everything changes: drawing and painting it in one task would take too long
		if p.model.Open.Loading {
			p.dom.Layout() // most of the work for a page that was empty
		}
	}
}

// update takes in a message. A message that comes while another one is taken in
// waits.
func (p *page) update(m session.Msg) {
	p.waiting = append(p.waiting, m)
	if p.busy {
		return
	}
	p.busy = true
	loading := p.model.Open.Loading
	for len(p.waiting) > 0 {
		m := p.waiting[0]
		p.waiting = p.waiting[1:]
		cmds := p.model.Update(m)
		seen := true
		for _, c := range cmds {
			if _, is := c.(session.Unseen); is {
				seen = false
			}
			p.run(c)
		}
		p.changed = p.changed || seen
	}
	p.busy = false
	if !p.notes {
		p.notes = true
		dom.After(noteOften, p.note)
	}
	switch {
	case !p.ready:
		p.draw() // the first drawing, of all the page, has a task of its own
	case p.model.Open.Loading != loading:
		p.draw() // the viewer sees at once that another trace is being opened
		p.spare = loading
	}
	p.ask()
}

func (p *page) run(c session.Cmd) {
	switch c := c.(type) {
	case desk.Send:
		p.dom.Send(c.Request.Encode(), c.Files)
	case session.Painted:
		// Where the first view stands until there is a step to draw, nothing is painted for which the worker would have to wait.
		if p.owesPainted = !p.first || p.model.Ready(); !p.owesPainted {
			p.painted()
		}
	case session.Speak:
		p.catalogue(c.Lang, func(words map[string]string) { p.update(session.Spoke{Lang: c.Lang, Words: words}) })
	case desk.StoreSetting:
		if !p.dom.Save(c.Name, c.Value) {
			p.update(session.Unkept{})
		}
	case session.Tick:
		p.tick = true
	case session.Pick:
		p.dom.Pick()
	case save.Shoot:
		p.shot = &c
	case save.Unshoot:
		p.shot = nil
		p.dom.Unshoot()
	case lesson.Draw:
		p.sketch = true
	case lesson.Print:
		p.dom.Print()
	case session.FullScreen:
		p.dom.FullScreen(c.On)
	case session.OpenNotes:
		p.dom.OpenNotes()
	case desk.Complain:
		dom.Complain(c.Text)
	case session.Reload:
		dom.Reload()
	case session.Restart:
		p.dom.Restart()
	case navigation.Push:
		p.dom.History.Push(c.Place, c.Fragment, c.Instead)
	case navigation.Traverse:
		p.dom.History.Go(c.Delta)
	case session.Pack:
		p.dom.Pack(c.Text, func(data string) { p.update(session.Packed{Text: c.Text, Data: data}) })
	case navigation.Unpack:
		p.dom.Unpack(c.Data, address.MaxText, func(text string, ok bool) { p.update(navigation.Unpacked{Data: c.Data, Text: text, Failed: !ok}) })
	case desk.Copy:
		p.dom.Copy(c.Text, func(ok bool) { p.update(session.Copied{OK: ok}) })
	case save.MakeReport:
		options := string((&link.Conversion{Redact: &link.Redact{Report: true, Share: true}}).Encode())
		dom.Report(options, c.Release, c.Program, c.States, c.Commands, func(text, failed string) { p.update(save.Reported{Text: text, Failed: failed}) })
	case session.Download:
		p.dom.Download(c.Text, c.Name)
	case navigation.Rechoose:
		p.dom.Rechoose(c.N, c.WithSecond, c.URL)
	}
}

// shoot takes a picture of the stage as it is.
func (p *page) shoot(c *save.Shoot) {
	says := view.Sentence(p.model)
	p.dom.Shoot(string(c.Format), c.Theme, says, c.Caption, c.Name, c.Millis, c.Continues, func(size int64, failed string) {
		p.update(save.Developed{Name: c.Name, Size: size, Failed: failed})
	})
}

// catalogue fetches the words of a language, nil if they can't be had.
func (p *page) catalogue(lang string, done func(map[string]string)) {
	p.dom.Fetch("locales/"+lang+".json", func(b []byte, err error) {
		words := map[string]string{}
		r := jsonscan.NewReader(b)
		for id := range r.Members() {
			var text string
			r.String(&text)
			words[strings.Clone(id)] = text
		}
		if err != nil || r.End() != nil {
			words = nil
		}
		done(words)
	})
}

func (p *page) ask() {
	if !p.asked {
		p.asked = true
		p.dom.NextFrame(p.paint)
	}
}

// paint paints once before each painting of the screen, however many messages
// have come since the last one.
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
	if p.sketch {
		p.sketch = false
		dom.After(0, func() {
			p.dom.Draw(view.Sentence(p.model), func(url, failed string) { p.update(lesson.Drawn{URL: url, Failed: failed}) })
		})
	}
	if c := p.shot; c != nil {
		p.shot = nil
		dom.After(0, func() { p.shoot(c) })
	}
	if p.owesPainted && p.ready {
		p.owesPainted = false
		dom.After(0, p.painted)
	}
}

// painted tells the worker that it may go on.
func (p *page) painted() { p.dom.Send((&link.Request{Op: link.Painted{}}).Encode(), false) }

// draw brings the document up to date with the model.
func (p *page) draw() {
	if !p.changed {
		return
	}
	if p.model.Settings.Words == nil || p.first && !p.model.Ready() {
		return
	}
	p.first, p.changed = false, false
	var motion *tree.Motion
	if p.model.Stage.Frame != p.drawn {
		motion = view.Motion(p.model)
	}
	p.drawn = p.model.Stage.Frame
	root, document := p.view.Page(p.model)
	p.dom.Apply(p.patcher.Patch(root, document, motion))
	if !p.ready {
		p.ready = true
		p.dom.Ready()
	}
	if !p.settled && p.model.Ready() {
		p.settled = true
		dom.After(0, p.dom.Settle)
	}
}
