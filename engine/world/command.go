package world

// Command is something that the outside world does to the machine, beyond what
// the recording says.
type Command struct {
	After    int64 // it is done when so many steps have been made
	Kind     CommandKind
	Informer int
}

// CommandKind says what a Command does.
type CommandKind uint8

// BreakWatch cuts the connection of the open watch.
const BreakWatch CommandKind = 1

// Do carries the command out, whatever its After.
func (w *World) Do(c Command) {
	if c.Kind == BreakWatch {
		w.Informers[c.Informer].Break(&w.Set)
	}
}
