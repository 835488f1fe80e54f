package session

import (
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
)

// Share is the link to what is shown, as its dialog offers it.
type Share struct {
	Address  address.Address // what is in it
	Fragment string          // "" while it is being made
	URL      string          // the whole link
	Setup    bool            // the setup differs from the one that the page would choose
	Problem  string          // why the way is not in it
	Live     bool            // nothing can be linked to, since a cluster is followed
	Lang     bool            // it opens the page in the viewer's language
	Copied   string          // "", "yes" or "no"
	plain    string          // Fragment before it was packed
}

// Long returns whether the link is too long to be given to somebody.
func (s *Share) Long() bool { return len(s.URL) > address.MaxLink }

// Kept returns whether the link needs a file that only the viewer has.
func (s *Share) Kept() bool { return s.Address.File != "" || s.Address.Pasted }

// share asks the worker for the way to what is shown, and opens the dialog with the link.
func (m *Model) share() []Cmd {
	if m.Opened == nil || m.Frame == nil || m.Died != "" {
		return nil
	}
	cmds := m.setPlaying(false)
	m.Dialog, m.Share = "link", &Share{Lang: m.Share == nil || m.Share.Lang}
	if m.Live != nil {
		m.Share.Live = true
		return cmds
	}
	return append(cmds, m.send(link.MakeLink{}, false)...)
}

// linked takes in the way.
func (m *Model) linked(l *link.Linked) []Cmd {
	if m.Share == nil || m.Dialog != "link" {
		return nil
	}
	s := *m.Share
	a := m.here()
	if m.Learning != nil {
		a.At, a.Chosen = m.Learning.moment(), m.Learning.chosen()
	}
	if l.Text != "" && (a.File != "" || a.Pasted) {
		a.Script, a.File, a.Pasted, a.Size = l.Text, "", false, 0
	}
	if m.Opened.Script {
		a.Profile = "" // the script's own
	} else if setup := cloneSetup(m.Opened.Setup); true {
		setup.Profile = m.usual.Profile
		if s.Setup = !sameSetup(setup, m.usual); s.Setup {
			setup.Profile = ""
			a.Setup = &setup
		}
	}
	a.Way = l.Way
	a.Beside, a.Files = m.besideHere(l.Second)
	s.Address, s.Problem = a, l.Problem
	m.Share = &s
	return m.writeLink()
}

// writeLink writes the link. One that is long is packed.
func (m *Model) writeLink() []Cmd {
	s := *m.Share
	a := s.Address
	if s.Lang {
		a.Lang = m.Lang
	}
	s.plain, s.Copied, s.Fragment, s.URL = a.String(), "", "", ""
	m.Share = &s
	if address.IsShort(s.plain) {
		m.finishLink(s.plain)
		return nil
	}
	return []Cmd{Pack{s.plain[1:]}}
}

func (m *Model) finishLink(fragment string) {
	s := *m.Share
	s.Fragment, s.URL = fragment, m.Site+fragment
	m.Share = &s
}

// packed takes in the packed form of a link.
func (m *Model) packed(p Packed) []Cmd {
	if m.Share == nil || m.Share.Fragment != "" || "#"+p.Text != m.Share.plain {
		return nil
	}
	fragment := m.Share.plain
	if p.Data != "" && len(p.Data) < len(fragment) {
		fragment = address.Pack(p.Data)
	}
	m.finishLink(fragment)
	return nil
}

// editLink chooses whether the link has the viewer's language.
func (m *Model) editLink(value string) []Cmd {
	if m.Share == nil || m.Share.plain == "" {
		return nil
	}
	s := *m.Share
	s.Lang = value == "true"
	m.Share = &s
	return m.writeLink()
}

// copyLink copies the link.
func (m *Model) copyLink() []Cmd {
	if m.Share == nil || m.Share.URL == "" {
		return nil
	}
	return []Cmd{Copy{m.Share.URL}}
}

func (m *Model) copied(ok bool) []Cmd {
	says := map[bool]string{true: "yes", false: "no"}[ok]
	switch {
	case m.Dialog == "save":
		m.Copied = says
	case m.Share != nil:
		s := *m.Share
		s.Copied = says
		m.Share = &s
	}
	return nil
}

// saveLink gives the viewer the link as a file, which the page opens like any other.
func (m *Model) saveLink() []Cmd {
	if m.Share == nil || m.Share.plain == "" {
		return nil
	}
	return []Cmd{Give{"informerscope.link.txt", m.Share.plain + "\n"}}
}
