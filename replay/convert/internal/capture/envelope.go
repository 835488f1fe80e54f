package capture

import (
	"bufio"
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/format/inflate"
	"github.com/informerscope/informerscope/replay/jsonscan"
)

// Payload is what a capture is made of that may come wrapped: as a field of the JSON that a collector of logs
// writes, whatever its name is, as text in such a field, or after a prefix of its line.
type Payload struct {
	// Extract returns the payload that is the object of JSON b, or is made of it; nil where it is none.
	Extract func(b []byte) []byte
	// After returns a payload that stands after a prefix of its line, with what that prefix says of it. It may be nil.
	After func(prefix, payload []byte) []byte
	// Text returns the index at which a payload begins in a line that is not JSON, -1 for none. It is nil where
	// only objects are payloads.
	Text func(line []byte) int
	// Stamped says that the time of a wrapping is kept: it is put before the payload's line.
	Stamped bool
}

// How deep payloads are looked for: through so many objects and arrays, and through so much text that is JSON
// itself.
const (
	maxWrapped = 12
	maxQuoted  = 3
)

// messages are the names that collectors of logs have for the field that has a line. A line of any text is
// a payload there, if the payload may be text.
var messages = []string{"log", "message", "msg", "MESSAGE", "textPayload", "line", "body", "content", "_raw", "@message", "stringValue"}

// moments are the names that they have for the time.
var moments = []string{"time", "timestamp", "@timestamp", "ts", "date", "TimeGenerated", "timeUnixNano", "__REALTIME_TIMESTAMP", "_SOURCE_REALTIME_TIMESTAMP", "_time", "eventTime", "receiveTimestamp"}

// wrapped is a payload with the time of its wrapping, the zero Time if that has none.
type wrapped struct {
	time time.Time
	text []byte
}

// wrapper reads lines and takes the payload out of each. A line may have several payloads, and those
// without any are passed over.
type wrapper struct {
	translated
	in      *bufio.Reader
	payload *Payload
	limits  Limits
	sort    bool
	goesOn  bool // a line without a payload belongs to the text before it
	whole   bool // what is cut is taken as if it were complete: only a format is looked for

	previous []byte            // the line before, if that is short and has no object
	open     []byte            // the first lines of an object that is printed over several
	commas   bool              // the first of them ends with a comma
	found    []wrapped         // in the line that is read
	field    string            // in which text was found last
	nested   wrapped           // the text of a field of that name, where it is no payload by itself
	level    int               // how many brackets are around the first payload, -1 before it
	halves   map[string][]byte // of lines that a container's runtime has cut, by their streams
	lines    int64             // with something in them
	passed   int64             // of these, without a payload
	begun    bool              // there was a payload
	spread   bool              // a line had several

	all  []wrapped // all payloads, where they are sorted
	line []byte
}

// Read returns the payloads as lines.
func (w *wrapper) Read(p []byte) (int, error) { return w.read(p, w.next) }

// next reads a line.
func (w *wrapper) next() {
	if w.passEmptyLines(w.in) {
		return
	}
	line, _, err := readLine(w.in, &w.line, w.limits.MaxLine)
	w.err = err
	w.found, w.nested = w.found[:0], wrapped{}
	text := asJSON(bytes.TrimSpace(line))
	if len(w.open) > 0 { // the space before it says that it is not the first
		text = bytes.TrimRight(line, " \t\r\n")
	}
	half := w.runtime(text)
	if x := w.nested; len(w.found) == 0 && len(x.text) > 0 {
		w.emit(x.time, x.text)
	}
	if err != nil {
		for _, half := range w.halves { // their ends didn't come
			w.text(time.Time{}, half, "log", 0)
		}
	}
	w.begun = w.begun || len(w.found) > 0
	switch {
	case len(text) == 0, half, len(w.open) > 0:
	case len(w.found) == 0:
		w.lines++
		w.passed++
	default:
		w.lines++
		w.spread = w.spread || len(w.found) > 1
	}
	if !w.sort {
		for _, x := range w.found {
			w.write(x)
		}
		if len(w.found) == 0 && len(line) > 0 && line[len(line)-1] == '\n' {
			w.out = append(w.out, '\n')
		}
		return
	}
	for _, x := range w.found {
		if w.limits.MaxHeld -= int64(len(x.text)); w.limits.MaxHeld < 0 {
			w.err = inflate.LimitError{Err: fault.Plain("unsortedLog")}
			return
		}
		w.all = append(w.all, wrapped{x.time, bytes.Clone(x.text)})
	}
	if w.err != nil {
		slices.SortStableFunc(w.all, func(a, b wrapped) int { return a.time.Compare(b.time) })
		for _, x := range w.all {
			w.write(x)
		}
		w.all = nil
	}
}

// write writes a payload as a line, or as several where it is text.
func (w *wrapper) write(x wrapped) {
	if w.payload.Stamped && !x.time.IsZero() {
		w.out = append(appendStamp(w.out, x.time), ' ')
	}
	from := len(w.out)
	w.out = append(w.out, bytes.TrimRight(x.text, " \t\r\n")...)
	if isJSON(x.text) {
		for i, c := range w.out[from:] {
			if c == '\n' || c == '\r' {
				w.out[from+i] = ' '
			}
		}
	}
	w.out = append(w.out, '\n')
}

// asJSON returns a line in which the JSON is that CSV has in a cell, or that Fluentd and Fluent Bit print as Ruby does.
func asJSON(line []byte) []byte {
	if i := bytes.Index(line, []byte(`"{""`)); i >= 0 {
		if end := bytes.LastIndex(line, []byte(`}"`)); end > i {
			return slices.Concat(line[:i], bytes.ReplaceAll(line[i+1:end+1], []byte(`""`), []byte{'"'}), line[end+2:])
		}
	}
	if bytes.Contains(line, []byte(`"=>`)) {
		return bytes.ReplaceAll(line, []byte(`"=>`), []byte(`":`))
	}
	return line
}

// colours are the escape sequences that a terminal takes for colours.
var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// Uncoloured returns a line without the colours of a terminal, and without the frame of a window behind it.
func Uncoloured(line []byte) []byte {
	if inside, framed := bytes.CutSuffix(bytes.TrimRight(line, " \r\n"), []byte("│")); framed {
		line = bytes.TrimRight(inside, " ")
	}
	if bytes.IndexByte(line, '\x1b') < 0 {
		return line
	}
	return colours.ReplaceAll(line, nil)
}

// runtime reads a line as a container's runtime has written it, or any other. CRI and Docker cut
// lines at 16 kB. half says that the line goes on.
func (w *wrapper) runtime(line []byte) (half bool) {
	at, text, stream, more, ok := criLine(line)
	if !ok {
		at, text, stream, more, ok = dockerLine(line)
	}
	if !ok {
		w.text(time.Time{}, line, "", 0)
		return false
	}
	if half := w.halves[stream]; len(half) > 0 {
		text = append(half, text...)
		w.halves[stream] = nil
	}
	if more && len(text) <= w.limits.MaxLine {
		if w.halves == nil {
			w.halves = map[string][]byte{}
		}
		w.halves[stream] = bytes.Clone(text)
		return true
	}
	w.text(at, text, "log", 0)
	return false
}

// criLine takes a line apart that containerd or CRI-O has written: a time, a stream, and P for a part of a line or
// F for its end.
func criLine(line []byte) (at time.Time, text []byte, stream string, more, ok bool) {
	when, rest, _ := bytes.Cut(line[:min(len(line), 60)], []byte{' '})
	if len(rest) < len("stdout F") || string(rest[:3]) != "std" || rest[6] != ' ' || rest[7] != 'F' && rest[7] != 'P' {
		return at, nil, "", false, false
	}
	at, err := time.Parse(time.RFC3339, string(when))
	if err != nil {
		return at, nil, "", false, false
	}
	rest = line[len(when)+1:]
	_, text, _ = bytes.Cut(rest[7:], []byte{' '})
	return at, text, string(rest[:6]), rest[7] == 'P', true
}

// dockerLine takes a line apart that Docker's json-file driver has written.
func dockerLine(line []byte) (at time.Time, text []byte, stream string, more, ok bool) {
	if !bytes.HasPrefix(line, []byte(`{"log":`)) {
		return at, nil, "", false, false
	}
	n := 0
	jsonscan.Fields(line, func(key []byte, from, to int) bool {
		switch string(key) {
		case `"log"`:
			s, _ := jsonscan.Unquote(line[from:to])
			text = []byte(s)
			n++
		case `"stream"`:
			s, _ := jsonscan.Unquote(line[from:to])
			stream = strings.Clone(s)
			n++
		case `"time"`:
			at = TimeOf(line[from:to])
			n++
		}
		return true
	})
	more = len(text) > 0 && text[len(text)-1] != '\n'
	return at, text, stream, more, n == 3 && !at.IsZero()
}

// joined returns a line together with those before it that belong to it, and nil while more of them may come. A line with an
// object belongs to a short line before it, which may say what happened to the object. An object may be printed over several
// lines: the first ends with a bracket, those between begin with a space, and the last begins with the other bracket. pprint of
// Python ends each with a comma, and the last with the bracket.
func (w *wrapper) joined(line []byte) []byte {
	line = bytes.TrimRight(line, " \t\r\n")
	inside := len(line) == 0 || line[0] == ' ' || line[0] == '\t'
	if above := w.previous; len(above) > 0 {
		if w.previous = nil; len(line) > 0 && line[0] == '{' {
			line = append(above, line...)
			w.lines, w.passed = w.lines-1, w.passed-1
		}
	}
	switch before := w.open; {
	case len(before) > 0 && len(before)+len(line) < w.limits.MaxLine && (inside || line[0] == '}'):
		w.open = append(append(before, '\n'), line...)
		if inside && !(w.commas && bytes.HasSuffix(line, []byte{'}'}) && !isOpen(w.open)) {
			return nil
		}
		line, w.open = w.open, nil
	case !inside && (line[len(line)-1] == '{' || line[len(line)-1] == ',' && isOpen(line)):
		w.open, w.commas = bytes.Clone(line), line[len(line)-1] == ','
		return nil
	default:
		if w.open = nil; w.payload.After != nil && !inside && len(line) < longestTitle && bytes.IndexByte(line, '{') < 0 {
			w.previous = append(bytes.Clone(line), ' ')
		}
	}
	return line
}

// isOpen reports whether an object begins in a line that doesn't end there.
func isOpen(line []byte) bool {
	i := bytes.IndexByte(line, '{')
	return i >= 0 && jsonscan.ValueEnd(line, i) < 0
}

// longestTitle is how long a line may be that says what happened to the object in the next line, in bytes.
const longestTitle = 200

// text looks for payloads in a text that stands in a field of that name.
func (w *wrapper) text(at time.Time, b []byte, field string, quoted int) {
	const tried = 4 // brackets
	if w.payload.Text != nil {
		b = Uncoloured(b)
	} else if quoted == 0 {
		if b = w.joined(b); b == nil {
			return
		}
	}
	before := len(w.found)
	text := bytes.TrimSpace(b)
	if w.payload.Text == nil && !isJSON(text) {
		text = logfmt(text, w.whole)
	}
	for i, n := 0, 0; n < tried; n++ {
		next := bytes.IndexByte(text[i:], '{')
		if n == 0 && isJSON(text) && text[0] == '[' {
			next = 0
		}
		if next < 0 {
			break
		}
		i += next
		when := stampIn(text[:i], at, w.payload.Text == nil)
		inner := text[i:]
		if w.whole {
			inner = completed(inner)
		}
		end := jsonscan.ValueEnd(inner, 0)
		for end > 0 {
			const behind = 60 // bytes, as of the time that aws prints after a line
			rest := bytes.TrimSpace(inner[end:])
			if len(rest) > behind && !isJSON(rest) || bytes.IndexByte(rest, '{') > 0 {
				break
			}
			w.value(when, inner[:end], 0, 0, quoted)
			if w.payload.After != nil && i > 0 && len(w.found) == before+1 {
				w.found[before].text = w.payload.After(text[:i], w.found[before].text)
			}
			if len(w.found) == before || !isJSON(rest) {
				break
			}
			inner = rest // another value, without a newline before it
			end = jsonscan.ValueEnd(inner, 0)
		}
		if len(w.found) > before {
			w.field = field
			return
		}
		i++
	}
	if w.payload.Text == nil || len(text) == 0 || isJSON(text) && jsonscan.Valid(text) {
		return
	}
	switch i := w.payload.Text(text); {
	case i >= 0:
		if at.IsZero() {
			at = stampIn(text[:i], at, false)
		}
		w.emit(at, text[i:])
		w.field = field
	case field != "" && (field == w.field || slices.Contains(messages, field)) && !at.IsZero() && len(w.nested.text) == 0:
		w.nested = wrapped{at, b}
	case field == "" && quoted == 0 && w.begun && w.goesOn && at.IsZero() && text[0] != '+' && text[0] != '-': // stern begins its own lines so
		w.emit(at, b)
	}
}

// logfmt returns the fields of a line as an object of JSON, if one of them holds an object as quoted text. Logrus writes such
// lines. Any other line stays as it is. whole says that what is cut is taken as if it were complete.
func logfmt(line []byte, whole bool) []byte {
	quoted := bytes.Index(line, []byte(`="{`))
	if quoted < 0 || len(line) <= quoted+3 || line[quoted+3] != '\\' && line[quoted+3] != '}' {
		return line
	}
	from := bytes.IndexByte(line[:quoted+1], '=')
	from = bytes.LastIndexAny(line[:from], " \t") + 1
	out := append(bytes.Clone(line[:from]), '{')
	for rest := line[from:]; ; {
		name, after, ok := bytes.Cut(bytes.TrimLeft(rest, " \t"), []byte{'='})
		if !ok || len(name) == 0 || bytes.ContainsAny(name, " \t\"{") {
			return append(out, '}')
		}
		var value string
		if len(after) > 0 && after[0] == '"' {
			end := jsonscan.StringEnd(after, 0)
			if end < 0 {
				if !whole {
					return line
				}
				after = append(withoutEscape(after, 0), '"')
				end = len(after)
			}
			var err error
			if value, err = strconv.Unquote(string(after[:end])); err != nil { // as Go writes it, or as JSON
				value, _ = jsonscan.Unquote(after[:end])
			}
			rest = after[end:]
		} else {
			word, left, _ := bytes.Cut(after, []byte{' '})
			value, rest = string(word), left
		}
		if out[len(out)-1] != '{' {
			out = append(out, ',')
		}
		out = append(jsonscan.AppendString(out, string(name)), ':')
		object := []byte(value)
		if whole && isJSON(object) {
			object = completed(object)
		}
		if isJSON(object) && jsonscan.Valid(object) {
			out = append(out, object...)
		} else {
			out = jsonscan.AppendString(out, value)
		}
	}
}

// unzoned is the zone of a time whose zone isn't known.
var unzoned = time.FixedZone("unzoned", 0)

// stampIn returns the time in the prefix of a line, or at if there is none. If local is true, a time may lack its zone, its
// year and its date. It is then unzoned.
func stampIn(prefix []byte, at time.Time, local bool) time.Time {
	const looked = 300
	prefix = prefix[:min(len(prefix), looked)]
	found := at
	for i := range prefix {
		if i > 0 && prefix[i-1] != ' ' && prefix[i-1] != '\t' {
			continue
		}
		t, n, lacks := Stamp(prefix[i:])
		if n == 0 && strings.IndexByte("IWEF", prefix[i]) >= 0 { // as klog writes it
			day, clock, _ := bytes.Cut(prefix[i+1:], []byte{' '})
			clock, _, _ = bytes.Cut(bytes.TrimLeft(clock, " "), []byte{' '})
			t, _ = time.Parse("0102 15:04:05", string(day)+" "+string(clock))
			lacks = true
		}
		switch {
		case !lacks && !t.IsZero():
			return t
		case local && lacks && found.IsZero() && t != (time.Time{}):
			found = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), unzoned)
		}
	}
	return found
}

// appendStamp appends a time to b as Stamp reads it.
func appendStamp(b []byte, at time.Time) []byte {
	switch {
	case at.Location() != unzoned:
		return at.UTC().AppendFormat(b, time.RFC3339Nano)
	case at.Year() > 0:
		return at.AppendFormat(b, "2006-01-02T15:04:05.999999999")
	case at.YearDay() > 1:
		return at.AppendFormat(b, "Jan 2 15:04:05.999999999")
	}
	return at.AppendFormat(b, "15:04:05.999999999")
}

// value looks for payloads in a value, which lies within so many brackets and texts. array is how many
// brackets are around the elements of the innermost array that it lies in.
func (w *wrapper) value(at time.Time, b []byte, brackets, array, quoted int) {
	if brackets > maxWrapped || quoted > maxQuoted || len(b) < 2 {
		return
	}
	switch b[0] {
	case '{':
		w.object(at, b, brackets, array, quoted)
	case '[':
		if when, text := pair(b); text != nil {
			w.text(when, text, "line", quoted+1)
			break
		}
		if when, text := row(b); text != nil {
			w.text(when, text, "line", quoted+1)
			break
		}
		if x := w.payload.Extract(b); x != nil {
			w.emit(at, x)
			break
		}
		jsonscan.Elements(b, func(_, from, to int) bool {
			if s, ok := jsonscan.Unquote(b[from:to]); ok { // a row of a table
				w.text(at, []byte(s), "", quoted+1)
			} else {
				w.value(at, b[from:to], brackets+1, brackets+1, quoted)
			}
			return true
		})
		array = brackets + 1
	}
	if w.level < 0 && quoted == 0 && len(w.found) > 0 {
		w.level = array
	}
}

// object looks for payloads in an object.
func (w *wrapper) object(at time.Time, b []byte, brackets, array, quoted int) {
	around := at
	jsonscan.Fields(b, func(key []byte, from, to int) bool {
		if slices.Contains(moments, string(key[1:len(key)-1])) {
			if t := TimeOf(b[from:to]); !t.IsZero() {
				at = t
			}
		}
		return true
	})
	// What collectors wrap lines in looks like a line of a log. If there is one within, that is meant.
	if w.payload.Text == nil {
		if x := w.payload.Extract(b); x != nil {
			if &x[0] == &b[0] { // its time is its own, and tells nothing of the wrapping
				at = around
			}
			w.emit(at, x)
			w.mark(array, quoted)
			return
		}
	}
	before := len(w.found)
	jsonscan.Fields(b, func(key []byte, from, to int) bool {
		switch v := b[from:to]; {
		case from == to: // it is damaged
		case v[0] == '{' || v[0] == '[':
			w.value(at, v, brackets+1, array, quoted)
		case v[0] == '"':
			if s, ok := jsonscan.Unquote(v); ok && len(s) > 1 {
				w.text(at, []byte(s), string(key[1:len(key)-1]), quoted+1)
			}
		}
		return true
	})
	if w.payload.Text != nil && len(w.found) == before {
		if x := w.payload.Extract(b); x != nil {
			w.emit(at, x)
		}
	}
	if len(w.found) > before {
		w.mark(array, quoted)
	}
}

// mark takes note of where the first payload lies.
func (w *wrapper) mark(array, quoted int) {
	if w.level < 0 && quoted == 0 {
		w.level = array
	}
}

func (w *wrapper) emit(at time.Time, text []byte) { w.found = append(w.found, wrapped{at, text}) }

// pair takes apart what Loki writes for a line: an array of a time and the line.
func pair(b []byte) (at time.Time, text []byte) {
	n := 0
	jsonscan.Elements(b, func(i, from, to int) bool {
		n++
		switch {
		case i == 0:
			at = TimeOf(b[from:to])
			return !at.IsZero()
		case i == 1:
			if s, ok := jsonscan.Unquote(b[from:to]); ok {
				text = []byte(s)
			}
		}
		return i < 2
	})
	if n < 2 {
		return at, nil
	}
	return at, text
}

// row takes apart what CloudWatch Logs Insights writes for a line: an array of fields and their values.
func row(b []byte) (at time.Time, text []byte) {
	jsonscan.Elements(b, func(_, from, to int) bool {
		var field, value string
		jsonscan.Fields(b[from:to], func(key []byte, i, j int) bool {
			s, _ := jsonscan.Unquote(b[from+i : from+j])
			switch string(key) {
			case `"field"`:
				field = s
			case `"value"`:
				value = s
			}
			return true
		})
		switch field {
		case "@message":
			text = []byte(value)
		case "@timestamp":
			at, _, _ = Stamp([]byte(value))
		}
		return field != ""
	})
	return at, text
}

// isJSON reports whether b begins as an object or an array of JSON does.
func isJSON(b []byte) bool {
	return len(b) > 0 && (b[0] == '{' || b[0] == '[' && (len(b) == 1 || bytes.IndexByte([]byte("{[\"] \t\r\n"), b[1]) >= 0))
}

// completed returns JSON that was cut with what closes it.
func completed(b []byte) []byte {
	var open []byte
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			end := jsonscan.StringEnd(b, i)
			if end < 0 {
				b = append(withoutEscape(b, i), '"')
				end = len(b)
			}
			i = end - 1
		case '{', '[':
			open = append(open, b[i]+2)
		case '}', ']':
			if len(open) == 0 {
				return b
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				return b
			}
		}
	}
	if len(open) == 0 {
		return b
	}
	b = bytes.TrimRight(bytes.Clone(b), " \t\r\n,")
	if b[len(b)-1] == ':' {
		b = append(b, "null"...)
	}
	slices.Reverse(open)
	return append(b, open...)
}

// withoutEscape returns a copy of b, which ends in the string that begins at from, without an escape at its end
// that isn't whole.
func withoutEscape(b []byte, from int) []byte {
	const longest = len(`\u12`) + 1
	for n := 1; n <= longest && len(b)-n > from; n++ {
		i := len(b) - n
		if b[i] != '\\' {
			continue
		}
		slashes := 0
		for b[i-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 1 && (n == 1 || b[i+1] == 'u') {
			return bytes.Clone(b[:i])
		}
		break
	}
	return bytes.Clone(b)
}

// Unwrapped looks for a payload in the beginning of an input. It returns the payloads found as lines, and the layout
// in which the whole input is read so; nil where there are none. most says that at least half of the lines have one.
func Unwrapped(head []byte, payload *Payload) (lines []byte, l Layout, most bool) {
	const enough = 64 // lines
	l = Layout{Wraps: payload}
	if isJSON(head) {
		line, _, _ := bytes.Cut(head, []byte{'\n'})
		if end := jsonscan.ValueEnd(line, 0); end < 0 || len(bytes.TrimSpace(line[end:])) > 0 {
			w := &wrapper{payload: payload, whole: true, level: -1}
			w.value(time.Time{}, completed(head), 0, 0, 0)
			l.Flat, l.Level = true, max(w.level, 0)
			head = Flattened(head, l.Level)
		}
	}
	w := &wrapper{in: NewReader(bytes.NewReader(head)), payload: payload, limits: Limits{MaxLine: len(head)}, whole: true, level: -1}
	var last time.Time
	earlier, later := 0, 0
	for n := 0; w.err == nil && n < enough; n++ {
		w.out = w.out[:0]
		w.next()
		lines = append(lines, w.out...)
		for _, x := range w.found {
			switch {
			case x.time.IsZero() || last.IsZero():
			case x.time.Before(last):
				earlier++
			case x.time.After(last):
				later++
			}
			last = x.time
		}
	}
	if len(bytes.TrimSpace(lines)) == 0 {
		return nil, Layout{}, false
	}
	l.Sort = earlier > later
	return lines, l, 2*w.passed <= w.lines
}
