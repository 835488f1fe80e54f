package session

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// Density is how much of the machine the page shows. The plain page says in a few words what each
// station is for, and shows what there is and nothing else. The full page has every field, empty
// or not. Both show the same frame at the same places.
type Density struct {
	chosen []string // "use=plain" or "use=full", for each use for which the viewer has chosen
	link   string   // what the link that was opened says, "" for nothing
	Last   LastOpened
}

// The two densities, as links and the viewer's device have them.
const (
	plainDensity = "plain"
	fullDensity  = "full"
)

// The uses of the page, each with a density of its own. A newcomer meets the first three.
const (
	useHome   = "home"   // what the page brings along: its recording and its scripts
	useLesson = "lesson" // while one is open
	useRoom   = "room"   // the stage is shown to a room
	useOwn    = "own"    // what the viewer has opened
	useLink   = "link"   // what a link has opened
)

// chosenFor reports what the viewer has chosen for a use, or what the link says that was opened.
func (d *Density) chosenFor(use string) (plain, ok bool) {
	switch {
	case slices.Contains(d.chosen, use+"="+plainDensity):
		return true, true
	case slices.Contains(d.chosen, use+"="+fullDensity):
		return false, true
	}
	return d.link == plainDensity, use == useLink
}

// choose makes the page plain or full, and keeps that for a use.
func (d *Density) choose(use string, plain bool) []Cmd {
	other := map[bool]string{true: plainDensity, false: fullDensity}[plain]
	d.chosen = slices.DeleteFunc(d.chosen, func(s string) bool { return strings.HasPrefix(s, use+"=") })
	d.chosen = append(d.chosen, use+"="+other)
	return []Cmd{desk.Keep{Name: "density", Value: strings.Join(d.chosen, " ")}}
}

// LastOpened is what the viewer has opened last, this time or at another visit.
type LastOpened struct {
	Act, Arg string            // the command that goes on there: "lesson", "script" or "open"; "" for nothing
	Title    string            // of a lesson, or the name of a file
	from     navigation.Source // what Act, Arg and Title were made of, with stop
	stop     int
}

// lastActs are the commands that can go on.
var lastActs = []string{"lesson", "script", "open"}

// restore takes in what was kept at another visit.
func (l *LastOpened) restore(saved string) {
	act, rest, _ := strings.Cut(saved, " ")
	arg, title, _ := strings.Cut(rest, " ")
	if slices.Contains(lastActs, act) && (act != "script" || slices.Contains(navigation.Scripts, arg)) {
		*l = LastOpened{Act: act, Arg: arg, Title: title}
	}
}

// forget forgets it.
func (l *LastOpened) forget() []Cmd {
	*l = LastOpened{from: l.from, stop: l.stop}
	return []Cmd{desk.Keep{Name: "last"}}
}

// reset forgets what was open.
func (d *Density) reset() { d.link = "" }
