package logs

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/internal/objects"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// Controller is what a controller logs with klog, or with zap or slog as JSON or for a console. It is laid
// over the captures that it is read with.
var Controller = capture.Form{
	ID: "log", Convert: readController, Overlays: true, Matches: isLog,
}

// Payload is a line of such a log, as a container's runtime, journald and those who collect logs wrap it.
var Payload = capture.Payload{
	Extract: func(b []byte) []byte {
		if jsonLine(b).time.IsZero() {
			return nil
		}
		return b
	},
	Text:    textBegins,
	Stamped: true,
}

// What is kept of a log: so many entries, and so many bytes of each.
const (
	maxEntries = 50_000
	maxEntry   = 2000
)

// controllerReader reads such a log.
type controllerReader struct {
	c        *capture.Conversion
	last     time.Time // of the last entry
	entry    entry     // that is being read; its text may go on in the next line
	begun    bool      // there is one
	entries  int64
	outside  int64 // entries from before the captures
	yearless bool
}

// entry is what a program logged at once.
type entry struct {
	time  time.Time
	level trace.Level
	text  string

	zoneless bool // the time has no zone
}

func readController(c *capture.Conversion) error {
	if c.Out.Start.IsZero() {
		return fault.Plain("logNoTimes")
	}
	r := &controllerReader{c: c}
	if err := c.Out.Begin(); err != nil {
		return capture.Fatal(err)
	}
	err := c.Lines(func(line []byte, _, _ int64) error { return capture.Fatal(r.line(line)) })
	if err == nil {
		err = r.end()
	}
	if err == nil && r.yearless {
		err = c.Remark(remarks.LogTimes, 0, c.From.Name)
	}
	if err != nil {
		return err
	}
	return c.RemarkCounts(c.From.Name, capture.Counted{ID: remarks.LogMore, N: r.entries - maxEntries}, capture.Counted{ID: remarks.LogOutside, N: r.outside})
}

// line reads a line. One without a time belongs to the entry before it, such as a stack.
func (r *controllerReader) line(line []byte) error {
	e, ok := r.parse(line)
	if !ok {
		if room := maxEntry - len(r.entry.text); r.begun && room > 1 && len(bytes.TrimSpace(line)) > 0 {
			r.entry.text += "\n" + shortened(string(line), room-1)
		}
		return nil
	}
	err := r.end()
	e.text = strings.Clone(shortened(e.text, maxEntry)) // it may be a part of the line
	r.entry, r.begun = e, true
	return err
}

// end writes the entry that was read.
func (r *controllerReader) end() error {
	if !r.begun {
		return nil
	}
	r.begun = false
	if r.entry.time.Before(r.c.Out.Start) {
		r.outside++
		return nil
	}
	if r.entries++; r.entries > maxEntries {
		return nil
	}
	r.c.Out.SetTime(r.entry.time)
	return r.c.Out.Trace.Log(r.c.Out.Now(), r.entry.level, r.entry.text)
}

// parse reads the entry that begins with a line. A time before the line counts more than the line's own.
func (r *controllerReader) parse(line []byte) (e entry, ok bool) {
	e, how := entryOf(line)
	if how == yearless || how == plain && e.time.Year() == 0 {
		e.time = r.dated(e.time)
	}
	if how != noEntry {
		r.last = e.time
		r.yearless = r.yearless || e.zoneless
	}
	return e, how != noEntry
}

// manner is how a line of a log is written.
type manner uint8

const (
	noEntry  manner = iota
	plain           // any text after a time
	yearless        // klog's, whose time has no year
	formed          // with a level, or as JSON
)

// entryOf reads the entry that begins with a line.
func entryOf(line []byte) (e entry, how manner) {
	line = capture.Uncoloured(line)
	at, n, local := capture.Stamp(line)
	stamped := n > 0 && (!local || at.Year() > 1)
	switch {
	case stamped:
		line = line[n:]
	case n > 0 && line[0] > '9' && line[0] != '[': // syslog's
		e, how = consoleLine(line[n:])
		e.time = at
		return e, how
	}
	time, text, isKlog := klogLine(line)
	switch {
	case isKlog && stamped:
		e, how = entry{time: at, level: klogLevels[line[0]], text: string(text)}, formed
	case isKlog:
		return entry{time: time, level: klogLevels[line[0]], text: string(text)}, yearless
	case len(line) > 0 && line[0] == '{' && jsonscan.WithinMaxDepth(line):
		e = jsonLine(line)
	default:
		e = logfmtLine(string(line))
	}
	if e.level != "" && (stamped || !e.time.IsZero()) {
		how = formed
	}
	if how == noEntry {
		e, how = accessLine(line)
	}
	if stamped {
		if e.level == "" {
			e, how = consoleLine(line)
		}
		e.time = at
	}
	e.zoneless = stamped && local
	return e, how
}

// dated puts a time of klog, which has no year, into the year in which it is nearest to the entry before, or to
// the captures.
func (r *controllerReader) dated(at time.Time) time.Time {
	r.yearless = true
	near := r.last
	if near.IsZero() {
		near = r.c.Out.Start
	}
	best := time.Time{}
	for y := near.Year() - 1; y <= near.Year()+1; y++ {
		x := time.Date(y, at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), time.UTC)
		if best.IsZero() || x.Sub(near).Abs() < best.Sub(near).Abs() {
			best = x
		}
	}
	return best
}

var klogLevels = map[byte]trace.Level{'I': trace.LevelInfo, 'W': trace.LevelWarning, 'E': trace.LevelError, 'F': trace.LevelFatal}

// levels are the names that programs have for levels.
var levels = map[string]trace.Level{
	"trace": trace.LevelDebug, "debug": trace.LevelDebug, "info": trace.LevelInfo, "warn": trace.LevelWarning, "warning": trace.LevelWarning, "error": trace.LevelError,
	"trc": trace.LevelDebug, "dbg": trace.LevelDebug, "inf": trace.LevelInfo, "wrn": trace.LevelWarning, "err": trace.LevelError, "ftl": trace.LevelFatal, "pnc": trace.LevelFatal, // zerolog's
	"dpanic": trace.LevelFatal, "panic": trace.LevelFatal, "fatal": trace.LevelFatal,
}

// consoleLine takes apart what stands after the time of a line that zap writes for a console. Where a container's
// runtime has put a time before that, there is another one.
func consoleLine(line []byte) (entry, manner) {
	if at, n, _ := capture.Stamp(line); !at.IsZero() {
		line = line[n:]
	}
	s := strings.TrimLeft(strings.ReplaceAll(string(line), "\t", " "), " ")
	word, rest, _ := strings.Cut(s, " ")
	if l, known := levels[strings.ToLower(strings.Trim(word, "[]:"))]; known {
		return entry{level: l, text: strings.TrimSpace(rest)}, formed
	}
	for n := 0; n < 3 && rest != "" && (s[0] == '-' || s[0] == '['); n++ { // Python writes the logger before the level, and Java the thread
		word, rest, _ = strings.Cut(strings.TrimLeft(rest, " "), " ")
		if l, known := levels[strings.ToLower(strings.Trim(word, "[]:"))]; known && strings.ToUpper(word) == word {
			before := strings.TrimSuffix(strings.TrimRight(strings.TrimSuffix(s, rest), " "), word)
			return entry{level: l, text: strings.Trim(before, " -") + ": " + strings.TrimLeft(rest, " -")}, formed
		}
	}
	return entry{level: trace.LevelInfo, text: s}, plain
}

// access is the time of a line of an access log, as nginx, Apache and Traefik write it before the request. Behind the
// request stands the answer's status.
var access = regexp.MustCompile(` ?\[(\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4})\] ("[^"]*" (\d{3}) )`)

// accessLine reads a line of an access log. What a server couldn't answer is an error.
func accessLine(line []byte) (entry, manner) {
	const longest = 4 << 10
	m := access.FindSubmatchIndex(line[:min(len(line), longest)])
	if m == nil {
		return entry{}, noEntry
	}
	at, err := time.Parse("02/Jan/2006:15:04:05 -0700", string(line[m[2]:m[3]]))
	if err != nil {
		return entry{}, noEntry
	}
	level := trace.LevelInfo
	switch line[m[6]] {
	case '4':
		level = trace.LevelWarning
	case '5':
		level = trace.LevelError
	}
	return entry{time: at, level: level, text: string(line[m[4]:]) + " " + string(line[:m[0]])}, formed
}

// logfmtLine reads a line of keys and values, as logrus and slog write them for a file. It returns no level where
// there is no message with a level or a time.
func logfmtLine(s string) (e entry) {
	if !strings.Contains(s, "msg=") {
		return entry{}
	}
	var message string
	var others strings.Builder
	level, says := trace.LevelInfo, false
	for s != "" {
		name, rest, ok := strings.Cut(strings.TrimLeft(s, " "), "=")
		if !ok || name == "" || strings.ContainsAny(name, " \"") {
			return entry{}
		}
		end := -1
		if strings.HasPrefix(rest, `"`) {
			end = jsonscan.StringEnd([]byte(rest), 0)
		}
		value, after, _ := strings.Cut(rest, " ")
		if end > 0 {
			value, after = rest[:end], rest[end:]
		}
		s = after
		shown := value
		if unquoted, err := strconv.Unquote(value); err == nil {
			value = unquoted
		}
		switch name {
		case "time", "ts", "timestamp":
			e.time = capture.TimeOf(jsonscan.AppendString(nil, value))
		case "msg":
			message, says = value, true
		case "level":
			if l, known := levels[strings.ToLower(value)]; known {
				level = l
			}
			e.level = level
		default:
			others.WriteString(" " + name + "=" + shown)
		}
	}
	if !says || e.level == "" && e.time.IsZero() {
		return entry{}
	}
	e.level, e.text = level, message+others.String()
	return e
}

// jsonLine reads an object of a log: its message after the logger's name, and then the other fields in their order.
// It returns no level where there is no message.
func jsonLine(line []byte) (e entry) {
	var message, logger string
	var others strings.Builder
	level, says, leveled := trace.LevelInfo, false, false
	jsonscan.Fields(line, func(quoted []byte, from, to int) bool {
		name, raw := plainText(quoted), line[from:to]
		switch name {
		case "ts", "time", "timestamp", "@timestamp":
			e.time = capture.TimeOf(raw)
			return true
		case "msg", "message":
			message, says = plainText(raw), true
			return true
		case "logger":
			logger = plainText(raw) + ": "
			return true
		case "level", "severity", "log.level", "levelname", "lvl":
			if l, known := levels[strings.ToLower(plainText(raw))]; known {
				level, leveled = l, true
			}
			return true
		case "caller", "stacktrace", "v", "stream":
			return true
		case "err", "error":
			if !leveled { // klog writes no level
				level = trace.LevelError
			}
		}
		value := plainText(raw)
		if strings.ContainsAny(value, " \"\n\t") && raw[0] == '"' {
			value = strconv.Quote(value)
		}
		others.WriteString(" " + name + "=" + value)
		return true
	})
	if !says {
		return entry{}
	}
	e.level, e.text = level, logger+message+others.String()
	return e
}

// plainText returns the text of a string, or another value as it is.
func plainText(raw []byte) string {
	if s, ok := jsonscan.Unquote(raw); ok {
		return s
	}
	return string(raw)
}

// shortened returns at most room bytes of s. It cuts no character.
func shortened(s string, room int) string {
	if len(s) <= room {
		return s
	}
	return strings.ToValidUTF8(s[:room], "")
}

// Scheduler is what kube-scheduler-simulator's recorder writes: what its own
// informers told it, an object a line.
var Scheduler = capture.Form{
	ID: "scheduler", Convert: readScheduler, ByLine: true, Lost: recordsIn,
	Matches: func(head []byte) bool {
		return simulated[api.FirstField(head, "event")] != "" && api.FirstField(head, "time") != ""
	},
}

// recordsIn returns 1 for a line that is one of the recorder's, as far as can be seen.
func recordsIn(line []byte) int64 {
	if bytes.Contains(line, []byte(`"event":"`)) || bytes.Contains(line, []byte(`"resource":{`)) {
		return 1
	}
	return 0
}

// simulated are the types of watch events that the recorder's stand for.
var simulated = map[string]string{"Add": "ADDED", "Update": "MODIFIED", "Delete": "DELETED"}

func readScheduler(c *capture.Conversion) error {
	known := objects.ReaderOf(c)
	newest := map[api.Resource]uint64{}
	v := &schedulerRecord{}
	o := &v.object
	return c.Lines(func(b []byte, _, _ int64) error {
		if len(bytes.TrimSpace(b)) == 0 {
			return nil
		}
		raw, err := v.read(b)
		if err != nil {
			return err
		}
		typ := simulated[v.Event]
		if typ == "" {
			return fault.Plain("recordType")
		}
		if o.Kind == "" || o.Metadata.Name == "" {
			return fault.Plain("recordNoObject")
		}
		at, err := time.Parse(time.RFC3339Nano, v.Time)
		if err != nil {
			return fault.Plain("recordNoTime")
		}
		c.Out.SetTime(at)
		if err := c.Remark(remarks.SimulatorInformer, 0, ""); err != nil {
			return capture.Fatal(err)
		}
		r := known.ResourceOf(o.APIVersion, o.Kind)
		newest[r] = max(newest[r], api.Number(o.Metadata.ResourceVersion))
		if typ == "DELETED" {
			key := c.Live.Key(r, o.Metadata.Namespace, o.Metadata.Name)
			if old := c.Live.Objects[key]; old != nil {
				raw = old.Raw
				c.Live.Forget(key)
			}
			if newest[r] > 0 {
				raw = api.SetResourceVersion(raw, api.Itoa(int64(newest[r])))
			}
			return capture.Fatal(c.Out.Event(r, typ, raw))
		}
		k, what, err := c.Live.Record(r, o)
		if err != nil {
			return err
		}
		if what == capture.SameVersion && o.Metadata.ResourceVersion != "" {
			return nil // the informer's resync
		}
		c.Live.Objects[k].Raw = append(c.Live.Objects[k].Raw[:0], raw...)
		return capture.Fatal(c.Out.Event(r, typ, raw))
	})
}

// schedulerRecord is a line of it. Its strings are parts of the line.
type schedulerRecord struct {
	Time, Event string
	object      trace.Object // the resource
}

// read reads v from b, and returns the object's JSON.
func (v *schedulerRecord) read(b []byte) (raw []byte, err error) {
	v.Time, v.Event = "", ""
	v.object.Reset()
	r := jsonscan.NewReader(b)
	for range r.Members() {
		r.TextField("time", &v.Time)
		r.TextField("event", &v.Event)
		if r.Is("resource") {
			from := r.Offset()
			v.object.Read(&r)
			raw = b[from:r.Offset()]
		}
	}
	if err := r.End(); err != nil {
		return nil, api.Undecoded(trace.Misread(err))
	}
	return raw, nil
}
