package loop

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Beat is one part of the story. The catalogues have its title under "loop.beat." and its name.
type Beat struct {
	Name string
	sets []string // the lines that set up its scene
	acts []string // the lines that begin it by itself
}

// Beats are the beats, in their order. A link has their number, from 1.
var Beats = []Beat{
	{Name: "copy", acts: []string{"update pod " + web + " ready=no"}},
	{Name: "late"},
	{Name: "cut"},
	{Name: "hold", sets: []string{"takes yours 1s", "lag server 0s"}},
	{Name: "doors"},
}

// The numbers of the beats in which something is special.
const (
	AtCut = 3 + iota
	AtHold
	AtDoors
)

// web is the key of the object to which something is done first.
const web = "default/web"

func (m *Model) begin() []desk.Cmd {
	b := Beats[m.Beat-1]
	lines := b.sets
	if !m.desk.Surroundings().ReducedMotion {
		lines = slices.Concat(lines, b.acts)
	}
	if len(lines) == 0 {
		return nil
	}
	return m.play(web, lines...)
}

// ValidBeat reports whether there is a beat of that number.
func ValidBeat(beat int) bool { return beat >= 1 && beat <= len(Beats) }

// GoToBeat goes to a beat, by its number. The story stands where it did at first, and begins the beat.
func (m *Model) GoToBeat(beat int) []desk.Cmd {
	if !ValidBeat(beat) {
		return nil
	}
	if m.Frame == nil {
		m.Beat = beat
		return nil
	}
	calm, keys := m.calm, m.keys
	m.Reset(true, beat)
	m.calm, m.keys = calm, keys
	return m.desk.Move(link.VisitLane{Step: calm}) // of the run that was opened
}

// play plays lines of script at the machine's newest step, and goes on from there. They are about one object.
func (m *Model) play(key string, lines ...string) (cmds []desk.Cmd) {
	m.acted, m.changed, m.Copied = lines[0], key, false
	m.acts += len(lines)
	for _, line := range lines {
		cmds = append(cmds, m.desk.Move(link.PlayLine{Line: line})...)
	}
	m.Playing, m.peeked, m.until = true, false, 0
	return append(cmds, m.tick()...)
}

// Acted returns the line of script that was played last, "" for none.
func (m *Model) Acted() string { return m.acted }

// newest draws what was under way at once, since the viewer does something.
func (m *Model) newest() {
	if m.next != nil {
		m.arrive()
	}
}

// exists reports whether the cluster has an object.
func (m *Model) exists(key string) bool {
	for _, r := range m.Rows() {
		if r.Key == key {
			return r.ServerVersion != ""
		}
	}
	return false
}

// Target returns the name of the object that Toggle deletes or creates, and whether the cluster has it.
func (m *Model) Target() (name string, has bool) {
	return web[strings.IndexByte(web, '/')+1:], m.exists(web)
}

// waits makes something that the viewer does wait until the machine has done what was asked for before. It reports false
// where it can be done at once.
func (m *Model) waits(do func() []desk.Cmd) bool {
	if m.acts > 0 {
		m.pending = do
	}
	return !m.Visible() || m.acts > 0
}

// Toggle deletes the pod web from the cluster, or creates it.
func (m *Model) Toggle() []desk.Cmd {
	if m.waits(m.Toggle) || m.Beat >= AtHold {
		return nil
	}
	m.newest()
	m.Beat = max(m.Beat, 2)
	if m.Cut.Finished() {
		m.Cut = Cut{}
	}
	if m.exists(web) {
		return m.play(web, "delete pod "+web)
	}
	return m.play(web, "create pod "+web+" ready=yes")
}

// Play goes on, or pauses. Where nothing is under way, it lets the pod web change.
func (m *Model) Play() []desk.Cmd {
	if m.waits(m.Play) {
		return nil
	}
	if m.Playing {
		m.Playing = false
		return nil
	}
	if m.Beat >= AtHold && m.Resting() {
		return m.feed()
	}
	if m.Resting() && m.exists(web) {
		return m.play(web, "update pod "+web+" ready=no")
	}
	m.Playing = true
	return m.tick()
}

// Resting reports whether the machine waits for the viewer, because nothing is under way. It also does at the beginning of the
// story.
func (m *Model) Resting() bool {
	f := m.Frame
	return f.Step == m.calm && m.acted == "" && m.acts == 0 || m.next == nil && m.popped == nil && m.coming() == nil && !m.IsCut() && (f.Next < 0 || float64(f.Next-f.Time) > idleTime)
}

// CanBreak reports whether the wire can be cut now.
func (m *Model) CanBreak() bool {
	return !m.IsCut() && !m.Relists() && (m.Cut.Key == "" || m.Cut.Finished()) && m.Beat != AtDoors && (m.Beat != AtHold || m.Hold.Correct() > 0)
}

// Break restarts the API server, so that it forgets its events, and deletes an object meanwhile.
func (m *Model) Break() []desk.Cmd {
	if m.waits(m.Break) || !m.CanBreak() {
		return nil
	}
	m.newest()
	m.Beat = AtCut
	lost := ""
	for _, r := range m.Rows() {
		if r.ServerVersion != "" && !r.Differ {
			lost = r.Key // web, which is the last one, where the cluster has it
		}
	}
	if lost == "" {
		return nil
	}
	m.Cut = Cut{Key: lost, Version: m.Frame.Reflector.RV}
	m.Cut.copy = append(m.Cut.copy, m.Frame.Store.Tiles...)
	m.Leg.Millis, m.Leg.From = 0, m.Leg.To
	return m.play(lost, "restart server down=1s", "delete pod "+lost)
}

// Cut is a time at which the wire was cut until the server had forgotten, and what came of it.
type Cut struct {
	Key     string // of the object that was deleted meanwhile, "" while there was no cut
	Version string // that the reflector had reached
	Late    int64  // how long after the deletion the handler was told, in nanoseconds
	Listed  int    // how many objects were fetched once more
	Changed int    // how many of these the cache had in another version

	// The steps at which it was seen that the server has forgotten, the list came, and the handler got the tombstone;
	// 0 as long as that has not happened.
	Expired, Relisted, Tombstone int64

	since int64 // when the object was deleted
	copy  []link.Tile
}

// Finished reports whether its consequences have run out.
func (c *Cut) Finished() bool { return c.Tombstone > 0 }

// noteDeletion takes note of when the object was deleted.
func (c *Cut) noteDeletion(rows []Row, key string) {
	for _, r := range rows {
		if r.Key == c.Key && c.Key == key && r.ServerVersion == "" && c.since == 0 {
			c.since = r.Since
		}
	}
}

// observe notes what a step has brought of the consequences.
func (c *Cut) observe(f *link.Frame) {
	if c.Key == "" || c.Finished() {
		return
	}
	for _, x := range f.Moves {
		switch {
		case place(x.To) == link.PlaceReflector && x.Chip.T == link.LetterError:
			c.Expired = f.Step
		case place(x.To) == link.PlaceReflector && x.Chip.T == link.LetterReplaced && x.Chip.Name != "":
			c.Relisted, c.Listed = f.Step, x.Chip.N
		case x.Chip.Tomb && x.Chip.Key == c.Key && strings.HasSuffix(x.To, "/"+link.LaneHandler):
			c.Tombstone, c.Late = f.Step, f.Time-c.since
			for _, was := range c.copy {
				for _, is := range f.Store.Tiles {
					if is.Key == was.Key && is.RV != was.RV {
						c.Changed++
					}
				}
			}
		}
	}
}
