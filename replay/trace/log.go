package trace

import (
	"strings"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// Logged is what the recorded process logged at once.
type Logged struct {
	At    int64 // nanoseconds since the start
	Level Level
	Text  string // may have several lines
}

// Level is how much an entry of a log matters.
type Level string

// The levels. klog has no debug, and zap's panics are fatal here.
const (
	LevelDebug   Level = "debug"
	LevelInfo    Level = "info"
	LevelWarning Level = "warning"
	LevelError   Level = "error"
	LevelFatal   Level = "fatal"
)

// Levels lists them.
var Levels = []Level{LevelDebug, LevelInfo, LevelWarning, LevelError, LevelFatal}

// levelOf is the Level of a name. One that is younger than this reader is taken for info.
func levelOf(name string) Level {
	for _, l := range Levels {
		if string(l) == name {
			return l
		}
	}
	return LevelInfo
}

// Marked reports whether the timeline marks an entry, because something went wrong.
func (l Level) Marked() bool { return l == LevelWarning || l == LevelError || l == LevelFatal }

type markLine struct{ Text, Log string }

func (l *markLine) read(r *jsonscan.Reader) {
	for name := range r.Fields("text", "log") {
		switch name {
		case "text":
			r.String(&l.Text)
		case "log":
			r.Text(&l.Log)
		}
	}
}

// mark keeps a note, or an entry of a log. The first line of an entry that matters is a note, too.
func (d *Decoder) mark(m *markLine) {
	text := m.Text
	if m.Log != "" {
		level := levelOf(m.Log)
		d.t.Log = append(d.t.Log, Logged{d.now, level, text})
		if !level.Marked() {
			return
		}
		text, _, _ = strings.Cut(text, "\n")
	}
	d.t.Marks = append(d.t.Marks, Mark{d.now, text})
}
