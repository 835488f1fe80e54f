package session

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/save"
)

// Sharing is a link to what is shown.
type Sharing struct {
	Share *Share     // nil until it was asked for
	usual link.Setup // the setup that the page has chosen
}

// Share is the link to what is shown, as its dialog offers it.
type Share struct {
	Address  address.Address // what is in it
	Fragment string          // "" while it is being made
	URL      string          // the whole link
	Setup    bool            // the setup differs from the one that the page would choose
	Problem  *link.Sentence  // why the way is not in it
	Live     bool            // nothing can be linked to, since a cluster is followed
	Lang     bool            // it opens the page in the viewer's language
	Copied   string          // "", "yes" or "no"
	Embed    bool            // it is for a frame of another page
	plain    string          // Fragment before it was packed
}

// Long reports whether the link is too long to be given to somebody.
func (s *Share) Long() bool { return len(s.URL) > address.MaxLink }

// Text is what is copied: the link, or the element for a frame of another page.
func (s *Share) Text() string {
	if !s.Embed || s.URL == "" {
		return s.URL
	}
	page := strings.TrimSuffix(s.URL, s.Fragment)
	page, _, _ = strings.Cut(page, "?")
	src := page[:strings.LastIndexByte(page, '/')+1] + "embed.html" + s.Fragment
	src = strings.NewReplacer("&", "&amp;", `"`, "&quot;").Replace(src)
	return `<iframe src="` + src + `" width="100%" height="640" title="informerscope" allow="clipboard-write"></iframe>`
}

// Kept reports whether the link needs a file that only the viewer has.
func (s *Share) Kept() bool { return s.Address.Source.IsFile() }

// embed opens the dialog with what another page needs to show this in a frame.
func (s *Sharing) embed(m *Model) []Cmd {
	cmds := s.share(m)
	if s.Share != nil {
		s.Share.Embed = true
	}
	return cmds
}

// share asks the worker for the way to what is shown, and opens the dialog with the link.
func (s *Sharing) share(m *Model) []Cmd {
	if m.Open.Trace == nil || m.Stage.Frame == nil || m.Open.Died != "" {
		return nil
	}
	cmds := m.Transport.set(m, false)
	m.Front.ask("link")
	s.Share = &Share{Lang: s.Share == nil || s.Share.Lang}
	if m.Cluster.Live != nil {
		s.Share.Live = true
		return cmds
	}
	return append(cmds, m.send(link.MakeLink{}, false)...)
}

// linked takes in the way.
func (s *Sharing) linked(m *Model, l *link.Linked) []Cmd {
	if s.Share == nil || m.Front.Dialog != "link" {
		return nil
	}
	next := *s.Share
	a := m.here()
	if m.Lesson.Learning != nil {
		a.Page.Path, a.At, a.Chosen = m.Lesson.Path, m.Lesson.Learning.Moment(), m.Lesson.Learning.Chosen()
	}
	if l.Text != "" && a.Source.IsFile() {
		a.Source = address.Source{Script: l.Text}
	}
	if m.Open.Trace.Script {
		a.Profile = "" // the script's own
	} else if setup := cloneSetup(m.Open.Trace.Setup); true {
		setup.Profile, setup.Listed = s.usual.Profile, s.usual.Listed
		if next.Setup = !sameSetup(setup, s.usual); next.Setup {
			setup.Profile, setup.Listed = "", false
			a.Setup = &setup
		}
	}
	a.Way = l.Way
	if len(a.Way) == 0 && a.Search != "" { // without a moment, the link would lead to a hit of the search
		a.Way = []link.Waypoint{{}}
	}
	if m.Plain() {
		a.Page.Density = plainDensity
	}
	a.Beside, a.Files = m.Second.here(l.Second)
	next.Address, next.Problem = a, l.Problem
	s.Share = &next
	return s.write(m)
}

// write writes the link. One that is long is packed.
func (s *Sharing) write(m *Model) []Cmd {
	next := *s.Share
	a := next.Address
	if next.Lang {
		a.Page.Lang = m.Settings.Lang
	}
	next.plain, next.Copied, next.Fragment, next.URL = a.String(), "", "", ""
	s.Share = &next
	if address.IsShort(next.plain) {
		s.finish(m, next.plain)
		return nil
	}
	return []Cmd{Pack{next.plain[1:]}}
}

func (s *Sharing) finish(m *Model, fragment string) {
	next := *s.Share
	next.Fragment, next.URL = fragment, m.Site.URL+fragment
	s.Share = &next
}

// packed takes in the packed form of a link.
func (s *Sharing) packed(m *Model, p Packed) []Cmd {
	if s.Share == nil || s.Share.Fragment != "" || "#"+p.Text != s.Share.plain {
		return nil
	}
	fragment := s.Share.plain
	if p.Data != "" && len(p.Data) < len(fragment) {
		fragment = address.Pack(p.Data)
	}
	s.finish(m, fragment)
	return nil
}

// edit chooses whether the link has the viewer's language.
func (s *Sharing) edit(m *Model, value string) []Cmd {
	if s.Share == nil || s.Share.plain == "" {
		return nil
	}
	next := *s.Share
	next.Lang = value == "true"
	s.Share = &next
	return s.write(m)
}

// copy copies the link.
func (s *Sharing) copy() []Cmd {
	if s.Share == nil || s.Share.URL == "" {
		return nil
	}
	return []Cmd{desk.Copy{Text: s.Share.Text()}}
}

// copied takes in whether a text was put on the clipboard.
func (m *Model) copied(ok bool) {
	says := map[bool]string{true: "yes", false: "no"}[ok]
	switch {
	case m.Front.Dialog == "save":
		m.Save.Copied = says
	case m.Sharing.Share != nil:
		m.Sharing.Share.Copied = says
	}
}

// give gives the viewer the link as a file, which the page opens like any other.
func (s *Sharing) give() []Cmd {
	if s.Share == nil || s.Share.plain == "" {
		return nil
	}
	return []Cmd{Give{"informerscope.link.txt", s.Share.plain + "\n"}}
}

// report has the report of a problem made, of the states in which the page is.
func (s *Sharing) report(m *Model) []Cmd {
	states := m.Nav.States()
	if o := m.Open.Trace; o != nil {
		states += " " + o.Format + " " + o.Setup.Profile
	}
	return m.Save.Report.Begin(save.MakeReport{Release: m.Site.Version.Release, Program: m.Site.Version.Program, States: states})
}

// giveReport gives the viewer the report as a file.
func (s *Sharing) giveReport(m *Model) []Cmd {
	if m.Save.Report.Text == "" {
		return nil
	}
	return []Cmd{Give{"informerscope-report.jsonl", m.Save.Report.Text}}
}

// usually notes the setup that the page chooses for what is open.
func (s *Sharing) usually(setup link.Setup) { s.usual = cloneSetup(setup) }
