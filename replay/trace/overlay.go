package trace

import (
	"math"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/jsonscan"
)

// Logged is what the recorded process logged at once.
type Logged struct {
	Time  int64 // nanoseconds since the start
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

// Levels lists all levels, the least severe first.
var Levels = []Level{LevelDebug, LevelInfo, LevelWarning, LevelError, LevelFatal}

// levelOf returns the Level of a name. One that is younger than this reader is taken for info.
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

func (l *markLine) fields(f *fields) {
	f.text("text", &l.Text)
	f.text("log", &l.Log)
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

// Series is a time series that somebody has measured, such as Prometheus. It is laid over the capture.
type Series struct {
	Name   string    // as Prometheus writes it: name{label="value"}
	Times  []int64   // nanoseconds since the start, which don't go back
	Values []float64 // one for each of Times; none is infinite
}

// Limits per trace: series, and samples in total.
const (
	MaxSeries  = 100
	MaxSamples = 1 << 20
)

type seriesLine struct {
	Name   string
	Times  []int64 // after the time of the line
	Values []float64
}

func (l *seriesLine) read(r *jsonscan.Reader) {
	for range r.Members() {
		r.StringField("name", &l.Name)
		if r.Is("at") {
			l.Times = nil
			for range r.Elements() {
				var at int64
				r.Int64(&at)
				l.Times = append(l.Times, at)
			}
		}
		if r.Is("values") {
			l.Values = nil
			for range r.Elements() {
				var v float64
				r.Float(&v)
				l.Values = append(l.Values, v)
			}
		}
	}
}

// series keeps a series, as long as there is room for it.
func (d *Decoder) series(l *seriesLine) error {
	if len(l.Times) != len(l.Values) || len(l.Times) == 0 {
		return fault.Plain("unevenSeries")
	}
	d.samples += len(l.Times)
	if len(d.t.Series) == MaxSeries || d.samples > MaxSamples {
		return fault.New("manySamples series max", MaxSeries, MaxSamples)
	}
	s := Series{Name: l.Name, Times: l.Times, Values: l.Values}
	last := int64(math.MinInt64)
	for i := range s.Times {
		if s.Times[i] < last || s.Times[i] > math.MaxInt64-d.now || math.IsInf(s.Values[i], 0) {
			return fault.Plain("oddSeries")
		}
		last = s.Times[i]
		s.Times[i] += d.now
	}
	d.t.Series = append(d.t.Series, s)
	return nil
}

// Series writes a series. Its times are nanoseconds after t.
func (x *Writer) Series(t int64, s Series) error {
	x.begin(t, 0, "series").text("name", &s.Name)
	x.buf = append(x.buf, `,"at":[`...)
	for i, at := range s.Times {
		if i > 0 {
			x.buf = append(x.buf, ',')
		}
		x.buf = strconv.AppendInt(x.buf, at, 10)
	}
	x.buf = append(x.buf, `],"values":[`...)
	for i, v := range s.Values {
		if i > 0 {
			x.buf = append(x.buf, ',')
		}
		x.buf = strconv.AppendFloat(x.buf, v, 'g', -1, 64)
	}
	return x.end("]}}\n")
}
