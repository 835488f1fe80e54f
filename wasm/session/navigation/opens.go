package navigation

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/address"
)

// View is a way to look at what is open.
type View string

// The views.
const (
	Loop       View = "loop"       // five parts, and what the cluster and the cache have: for who comes to understand
	Card       View = "card"       // what a capture is, and what is wrong in it
	Microscope View = "microscope" // every station with all that it holds, step by step
)

// Kind is what something that is opened is to the page.
type Kind uint8

// The kinds.
const (
	AtVisit     Kind = iota // the page opens it by itself for a viewer who has never used the microscope, or a link names the loop
	AtReturn                // the page opens it by itself for a viewer who has used the microscope
	OfFile                  // the viewer has chosen a capture
	OfOffer                 // the page around this one has sent a capture
	OfLink                  // a link leads to a moment of a capture
	OfRecording             // a recording lies on this site
	OfScript                // a script of the library, or one that a link has
	OfLesson                // a lesson of the course
	OfCluster               // a cluster is followed

	numKinds
)

// opens is the one table of what opens on what: how each kind is looked at first.
var opens = [numKinds]View{
	AtVisit:     Loop,
	AtReturn:    Microscope,
	OfFile:      Card,
	OfOffer:     Microscope,
	OfLink:      Card,
	OfRecording: Card,
	OfScript:    Microscope,
	OfLesson:    Microscope,
	OfCluster:   Microscope,
}

// Kind returns the kind of s.
func (s *Source) Kind() Kind {
	switch folder, _, _ := strings.Cut(s.URL, "/"); {
	case s.Loop:
		return AtVisit
	case s.Lesson() != "":
		return OfLesson
	case address.IsCapture(s.Text):
		return OfLink
	case s.Text != "" || folder == "scripts":
		return OfScript
	case s.Offered:
		return OfOffer
	case s.Link != "":
		return OfLink
	case address.IsLive(s.URL) || s.URL == "" && s.Files == 0:
		return OfCluster
	case s.URL == Bundled.URL:
		return AtReturn
	case s.URL == "":
		return OfFile
	}
	return OfRecording
}

// home returns what the page opens by itself.
func (n *Model) home() Source {
	if n.Used {
		return Bundled
	}
	return Story
}
