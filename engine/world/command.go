package world

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/informer"
)

// Command is something that the outside world does to the machine, beyond what
// the recording says.
type Command struct {
	After    int64 // it is done when so many steps have been made
	Kind     CommandKind
	Informer int
	Handler  informer.Handler // of AddHandler
}

// CommandKind says what a Command does.
type CommandKind uint8

const (
	BreakWatch   CommandKind = iota + 1 // cuts the connection of the open watch
	StopInformer                        // closes the stop channel
	AddHandler                          // AddEventHandler with Handler
)

// Do carries the command out, whatever its After. Its facts are in w.Log, and
// stay there beside those of the step that follows.
func (w *World) Do(c Command) {
	if !w.carry {
		w.Log.Reset()
		w.carry = true
	}
	from := len(w.Log.Events)
	defer w.sign(actor.Nobody, from)
	x := w.Informers[c.Informer]
	switch c.Kind {
	case BreakWatch:
		x.Break(&w.Set)
	case StopInformer:
		x.Stop(&w.Set, &w.Log)
	case AddHandler:
		x.AddHandler(&w.Set, c.Handler)
	}
}
