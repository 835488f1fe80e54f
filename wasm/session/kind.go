package session

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// Kinds has the kinds that the viewer has named for objects that don't say their own.
type Kinds struct {
	Typed    string
	refused  *navigation.Source // could not be opened, because the kind of its objects isn't known; nil for none
	compared bool               // it was to stand beside the capture shown
	answers  []string           // of the files opened last, the newest at the end: the kind, a space, and what file names
}

// maxKinds is the number of files whose kinds are kept.
const maxKinds = 20

// file returns the name by which a source is known at another visit: its address, or else its size and name.
func file(s *navigation.Source) string {
	return cmp.Or(s.URL, strconv.FormatInt(s.Size, 10)+" "+navigation.TidyName(s.Name))
}

// Named returns the kind that the viewer has named for a source, "" for none.
func (k *Kinds) Named(s *navigation.Source) string {
	for _, x := range k.answers {
		if kind, name, _ := strings.Cut(x, " "); name == file(s) {
			return kind
		}
	}
	return ""
}

func (k *Kinds) setKind(kind string, s *navigation.Source) []Cmd {
	kept := k.answers[:0]
	for _, x := range k.answers {
		if _, name, _ := strings.Cut(x, " "); name != file(s) {
			kept = append(kept, x)
		}
	}
	kept = append(kept, kind+" "+file(s))
	k.answers = kept[max(0, len(kept)-maxKinds):]
	return []Cmd{desk.StoreSetting{Name: "kinds", Value: strings.Join(k.answers, "\n")}}
}

// NeedsKind reports whether what was to be opened last needs the kind of its objects.
func (m *Model) NeedsKind() bool { return m.Open.Failure != nil && m.Kinds.refused != nil }

// refusedKind takes in why s could not be opened, or not beside the capture shown.
func (k *Kinds) refusedKind(s navigation.Source, beside bool, why *link.Failure) {
	if k.refused, k.compared = nil, beside; s.IsViewers() && why.Reason.Is("error.noKind") {
		k.refused, k.Typed = &s, k.Named(&s)
	}
}

// enterKind opens what needs a kind with the kind that the viewer has typed, or opens what is open, if the viewer has
// typed the kind of another input.
func (m *Model) enterKind(key, typed string) []Cmd {
	k, s, beside := &m.Kinds, m.Open.Source, false
	if m.NeedsKind() {
		s, beside = *k.refused, k.compared
	}
	typed = strings.Join(strings.Fields(typed), "")
	switch {
	case key == "Escape":
		return m.close()
	case key != "Enter" || typed == "":
		return nil
	}
	m.Front.Dialog = ""
	cmds := k.setKind(typed, &s)
	if beside {
		m.Open.Failure = nil
		return append(cmds, m.Second.capture(s)...)
	}
	if s.Files > 0 {
		cmds = append(cmds, navigation.Rechoose{N: s.Files})
	}
	return append(cmds, m.open(s)...)
}
