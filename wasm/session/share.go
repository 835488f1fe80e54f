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
	desk     desk.Desk
	settings *Settings
	site     *Site

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

// Text returns what is copied: the link, or the element for a frame of another page.
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

// NeedsFile reports whether the link needs a file that only the viewer has.
func (s *Share) NeedsFile() bool { return s.Address.Source.IsFile() }

// embed opens the dialog with what another page needs to show this in a frame.
func (s *Sharing) embed() []Cmd {
	cmds := s.share()
	s.Share.Embed = true
	return cmds
}

// share asks the worker for the way to what is shown, and opens the dialog with the link.
func (s *Sharing) share() []Cmd {
	cmds := s.desk.Pause()
	s.desk.SetDialog("link")
	s.Share = &Share{Lang: s.Share == nil || s.Share.Lang}
	if s.desk.Surroundings().Live {
		s.Share.Live = true
		return cmds
	}
	return append(cmds, s.desk.Send(link.MakeLink{})...)
}

// linked takes in an address with the way, for a document that is run with a setup. Problem says why the address lacks the way.
func (s *Sharing) linked(a address.Address, setup link.Setup, problem *link.Sentence) []Cmd {
	if s.desk.Surroundings().Trace.Script {
		a.Profile = "" // the script's own
	} else {
		setup = cloneSetup(setup)
		setup.Profile, setup.Listed = s.usual.Profile, s.usual.Listed
		if s.Share.Setup = !setup.Equal(s.usual); s.Share.Setup {
			setup.Profile, setup.Listed = "", false
			a.Setup = &setup
		}
		a.Recorded = !s.Share.Setup
	}
	if len(a.Steps) == 0 && a.Search != "" { // without a moment, the link would lead to a hit of the search
		a.Steps = []link.PathStep{{}}
	}
	s.Share.Address, s.Share.Problem = a, problem
	return s.write()
}

// write writes the link. One that is long is packed.
func (s *Sharing) write() []Cmd {
	x := s.Share
	a := x.Address
	if x.Lang {
		a.Page.Lang = s.settings.Lang
	}
	x.plain, x.Copied, x.Fragment, x.URL = a.String(), "", "", ""
	if address.IsShort(x.plain) {
		s.setFragment(x.plain)
		return nil
	}
	return []Cmd{Pack{x.plain[1:]}}
}

func (s *Sharing) setFragment(fragment string) {
	s.Share.Fragment, s.Share.URL = fragment, s.site.URL+fragment
}

// packed takes in the packed form of a link.
func (s *Sharing) packed(p Packed) {
	if s.Share == nil || s.Share.Fragment != "" || "#"+p.Text != s.Share.plain {
		return
	}
	fragment := s.Share.plain
	if p.Data != "" && len(p.Data) < len(fragment) {
		fragment = address.Pack(p.Data)
	}
	s.setFragment(fragment)
}

// edit chooses whether the link has the viewer's language.
func (s *Sharing) edit(value string) []Cmd {
	if s.Share == nil || s.Share.plain == "" {
		return nil
	}
	s.Share.Lang = value == "true"
	return s.write()
}

// copy copies the link.
func (s *Sharing) copy() []Cmd {
	if s.Share == nil || s.Share.URL == "" {
		return nil
	}
	return []Cmd{desk.Copy{Text: s.Share.Text()}}
}

// download gives the viewer the link as a file, which the page opens like any other.
func (s *Sharing) download() []Cmd {
	if s.Share == nil || s.Share.plain == "" {
		return nil
	}
	return []Cmd{Download{"informerscope.link.txt", s.Share.plain + "\n"}}
}

// report makes the report of a problem from the states in which the page is.
func (m *Model) report() []Cmd {
	states := m.Nav.States()
	if o := m.Open.Trace; o != nil {
		states += " " + o.Format + " " + o.Setup.Profile
	}
	return m.Save.Report.Begin(save.MakeReport{Release: m.Site.Version.Release, Program: m.Site.Version.Program, States: states})
}

// giveReport gives the viewer the report as a file.
func (m *Model) giveReport() []Cmd {
	if m.Save.Report.Text == "" {
		return nil
	}
	return []Cmd{Download{"informerscope-report.jsonl", m.Save.Report.Text}}
}
