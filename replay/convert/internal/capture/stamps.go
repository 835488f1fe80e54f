package capture

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/jsonscan"
)

// stamps reads lines with a time before each, as ts and "kubectl logs --timestamps"
// write them. It replaces the times by spaces, and keeps the times of lines that begin
// a value.
type stamps struct {
	r      *bufio.Reader
	within bool // a line
	blanks int  // that are still to be read
	line   int64
	known  []stampedLine
	last   time.Time // of local ones
	days   time.Duration
	first  time.Time
}

// stampedLine is when a line was printed.
type stampedLine struct {
	line  int64
	time  time.Time
	local bool // without a date, a year or a zone
}

func (s *stamps) Read(p []byte) (int, error) {
	if !s.within {
		if n, end := ReadEmptyLines(s.r, p); n > 0 {
			s.line += int64(bytes.Count(p[:n], []byte{'\n'}))
			if s.within = !end; s.within {
				s.line++
			}
			return n, nil
		}
		s.line++
		s.within = true
		head, err := s.r.Peek(longestStamp)
		if len(head) == 0 {
			return 0, err
		}
		at, n, local := Stamp(head)
		if n > 0 && n < len(head) && head[n] == '{' {
			s.known = append(s.known, stampedLine{s.line, at, local})
		}
		s.r.Discard(n)
		s.blanks = n
	}
	if s.blanks > 0 {
		n := min(s.blanks, len(p))
		for i := range n {
			p[i] = ' '
		}
		s.blanks -= n
		return n, nil
	}
	n, end, err := ReadInLine(s.r, p)
	s.within = !end
	return n, err
}

// setTime sets c's clock to the time before the line, if it has one.
func (c *Conversion) setTime(line int64) error {
	s := c.From.stamps
	n := 0
	for n < len(s.known) && s.known[n].line <= line {
		n++
	}
	if n == 0 {
		return nil
	}
	x := s.known[n-1]
	s.known = s.known[n:]
	if err := c.Remark(remarks.LineTimes, 0, ""); err != nil {
		return err
	}
	if !x.local {
		c.Out.SetTime(x.time)
		return nil
	}
	if err := c.Remark(remarks.LineTimesLocal, 0, ""); err != nil {
		return err
	}
	c.Out.Since(s.sinceFirst(x.time))
	return nil
}

// sinceFirst returns how long after the first one a local time is, which may lack its date
// or its year.
func (s *stamps) sinceFirst(at time.Time) int64 {
	if s.first.IsZero() {
		s.first, s.last = at, at
	}
	if at.Year() == 0 && at.Before(s.last) {
		switch back := s.last.Sub(at); {
		case back > 300*24*time.Hour:
			s.days += 366 * 24 * time.Hour
		case back > 12*time.Hour && back < 24*time.Hour && at.YearDay() == 1:
			s.days += 24 * time.Hour
		}
	}
	s.last = at
	return int64(at.Sub(s.first) + s.days)
}

// longestStamp is more than a time before a line can be long, in bytes.
const longestStamp = 80

// stampLayouts are the times that stand before lines, by how many words they have.
// Fractions of seconds may follow each.
var stampLayouts = [...][]struct {
	layout string
	local  bool
}{
	1: {
		{time.RFC3339, false}, {"2006-01-02T15:04:05Z0700", false}, {"2006-01-02T15:04:05", true}, {"2006-01-02_15:04:05", true},
		{"15:04:05", true},
	},
	2: {{"2006-01-02 15:04:05Z07:00", false}, {"2006-01-02 15:04:05", true}, {"2006/01/02 15:04:05", true}},
	3: {{"2006-01-02 15:04:05 Z0700", false}, {"2006-01-02 15:04:05 MST", true}, {"Jan 2 15:04:05", true}},
}

// Stamp reads the time at the beginning of a line. n is its length in bytes with the
// space after it, or 0 if there is no time. local says that its date, year or zone is
// missing.
func Stamp(line []byte) (at time.Time, n int, local bool) {
	if len(line) == 0 || !strings.ContainsRune("[0123456789ADFJMNOS", rune(line[0])) {
		return at, 0, false
	}
	line = line[:min(len(line), longestStamp)]
	if i := bytes.IndexAny(line, "{\n"); i >= 0 {
		line = line[:i]
	}
	words, end := 0, 0
	for words < 3 {
		from := end + len(line[end:]) - len(bytes.TrimLeft(line[end:], " \t"))
		if from == len(line) {
			break
		}
		end = len(line)
		if i := bytes.IndexAny(line[from:], " \t"); i >= 0 {
			end = from + i
		}
		words++
		if t, ok, isLocal := parseStamp(string(line[:end]), words); ok {
			at, n, local = t, end, isLocal
		}
	}
	if n > 0 && n < len(line) {
		n++ // the space
	}
	return at, n, local
}

func parseStamp(s string, words int) (at time.Time, ok, local bool) {
	s = strings.TrimRight(strings.Trim(s, "[]"), ":|")
	s = strings.Join(strings.Fields(s), " ")
	if words == 1 {
		if at, ok := epoch(s); ok {
			return at, true, false
		}
	}
	for _, l := range stampLayouts[words] {
		if at, err := time.Parse(l.layout, s); err == nil {
			return at, true, l.local
		}
	}
	return at, false, false
}

// epoch reads seconds since 1970, with a fraction or without, or as zap writes them to a console: 1.6836474195594983e+09.
func epoch(s string) (time.Time, bool) {
	if strings.HasSuffix(s, "e+09") {
		at := TimeOf([]byte(s))
		return at, !at.IsZero()
	}
	whole, fraction, _ := strings.Cut(s, ".")
	at, ok := Seconds(s)
	if !ok || len(whole) != 10 || len(fraction) > 9 || at.Unix() > math.MaxInt32*2 {
		return time.Time{}, false
	}
	return at, true
}

// Seconds reads seconds since 1970, with or without a fraction. It ignores digits after the ninth of the fraction.
func Seconds(s string) (time.Time, bool) {
	whole, fraction, _ := strings.Cut(s, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	ns, bad := strconv.ParseInt((fraction + "000000000")[:9], 10, 64)
	return time.Unix(n, ns), err == nil && bad == nil && ns >= 0
}

// TimeOf reads a time as JSON: RFC 3339 or what zap calls ISO 8601, or a number since 1970, as text or not, whose size
// says whether it counts seconds, milliseconds, microseconds or nanoseconds, or seconds and nanos in an object, as
// protobuf's Timestamp is printed. It returns the zero Time for anything else.
func TimeOf(raw []byte) time.Time {
	if len(raw) > 0 && raw[0] == '{' {
		return protoTime(raw)
	}
	s, isText := jsonscan.Unquote(raw)
	if !isText {
		s = string(raw)
	}
	if isText && strings.Trim(s, "0123456789.") != "" {
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05Z07:00"} {
			if at, err := time.Parse(layout, s); err == nil {
				return at
			}
		}
		return time.Time{}
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n >= 1e8 {
		for _, unit := range []int64{1, 1e3, 1e6, 1e9} {
			if n/unit < 1e11 {
				return time.Unix(n/unit, n%unit*(1e9/unit))
			}
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f < 1e8 || f > 1e19 {
		return time.Time{}
	}
	for f > 1e11 {
		f /= 1000
	}
	whole, part := math.Modf(f)
	return time.Unix(int64(whole), int64(math.Round(part*1e6))*1000) // a float64 has no more of it
}

// protoTime reads {"seconds":1793566080,"nanos":5}, where seconds may be text, and nanos may be missing.
func protoTime(raw []byte) (at time.Time) {
	var nanos int64
	jsonscan.Fields(raw, func(key []byte, from, to int) bool {
		switch string(key) {
		case `"seconds"`, `"epochSecond"`, `"_seconds"`:
			if v := raw[from:to]; len(v) > 0 && v[0] != '{' {
				at = TimeOf(v)
			}
		case `"nanos"`, `"nano"`, `"_nanoseconds"`:
			nanos, _ = strconv.ParseInt(string(raw[from:to]), 10, 64)
		}
		return true
	})
	if at.IsZero() || nanos < 0 || nanos >= 1e9 {
		return at
	}
	return at.Add(time.Duration(nanos))
}

// Unstamp returns head without the times before its lines. ok is false if no time stands
// before the first line, or no object after that time.
func Unstamp(head []byte) (b []byte, ok bool) {
	line := bytes.TrimLeft(head, "\r\n")
	_, n, _ := Stamp(line)
	if n == 0 || n >= len(line) || line[n] != '{' {
		return nil, false
	}
	b = bytes.Clone(head)
	for at := 0; at < len(b); {
		_, n, _ := Stamp(b[at:])
		for i := range n {
			b[at+i] = ' '
		}
		end := bytes.IndexByte(b[at:], '\n')
		if end < 0 {
			break
		}
		at += end + 1
	}
	return b, true
}

// Layout is what stands around the values of an input. All but Wraps replaces it by spaces, so
// that offsets stay as they are in the input. So do lines, unless Flat is set.
type Layout struct {
	Above  int64    // bytes of lines above the first value: a prompt, a warning
	Lines  int64    // in them
	Cut    bool     // they are the end of a value
	Flat   bool     // each value becomes a line
	Level  int      // where Flat is set, how many brackets are around a value; the innermost one opens an array
	Wraps  *Payload // the values are wrapped, and taken out of that
	Sort   bool     // where Wraps is set: the values come in any order, and are sorted by their times
	Stamps bool     // a time stands before each line
}

// Flattened returns head with each value on a line, as an input is read that has that Layout.
func Flattened(head []byte, level int) []byte {
	head = bytes.Clone(head)
	(&flat{level: level}).blank(head)
	return head
}

// open returns r without the layout. s learns the times before lines, and what was unwrapped.
func (l Layout) open(r io.Reader, s *Source) io.Reader {
	if l.Above > 0 {
		left := l.Above
		r = &blanked{r, func(b []byte) {
			b = b[:min(int64(len(b)), left)]
			left -= int64(len(b))
			BlankOut(b)
		}}
	}
	if l.Flat {
		r = &blanked{r, (&flat{level: l.Level}).blank}
	}
	if l.Wraps != nil {
		s.wrapper = &wrapper{in: NewReader(r), payload: l.Wraps, limits: s.Limits, sort: l.Sort, goesOn: !l.Flat && !l.Sort}
		r = s.wrapper
	}
	if l.Stamps {
		s.stamps = &stamps{r: NewReader(r)}
		r = s.stamps
	}
	return r
}

// ReadInLine reads into p what r has, at most to the end of the line. end tells that
// it came there.
func ReadInLine(r *bufio.Reader, p []byte) (n int, end bool, err error) {
	if _, err := r.Peek(1); err != nil {
		return 0, false, err
	}
	b, _ := r.Peek(min(r.Buffered(), len(p)))
	if n := bytes.IndexByte(b, '\n'); n >= 0 {
		b, end = b[:n+1], true
	}
	n = copy(p, b)
	r.Discard(n)
	return n, end, nil
}

// ReadEmptyLines reads into p empty lines that begin r, at least one if there is any. end tells that p has the last of them whole.
func ReadEmptyLines(r *bufio.Reader, p []byte) (n int, end bool) {
	if n, _ = emptyLines(r); n == 0 {
		return 0, true
	}
	n, _ = r.Read(p[:min(n, len(p))])
	return n, p[n-1] != '\r'
}

// emptyLines returns what jsonscan.EmptyLines does of what r has read ahead.
func emptyLines(r *bufio.Reader) (n, lines int) {
	if b, _ := r.Peek(1); len(b) == 0 || b[0] != '\n' && b[0] != '\r' {
		return 0, 0
	}
	b, _ := r.Peek(max(r.Buffered(), len("\r\n")))
	return jsonscan.EmptyLines(b)
}

// BlankOut replaces all of b but its newlines by spaces.
func BlankOut(b []byte) {
	for i := range b {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
}

// blanked is a reader that passes all it reads through blank.
type blanked struct {
	r     io.Reader
	blank func(b []byte)
}

func (f *blanked) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	f.blank(p[:n])
	return n, err
}

// flat makes a line of each value. What stands between the brackets around the values becomes
// spaces, and so do newlines within a value.
type flat struct {
	level   int
	depth   int
	array   bool // the innermost bracket opens an array
	quoted  bool
	escaped bool
}

func (f *flat) blank(b []byte) {
	for i, x := range b {
		if f.escaped {
			f.escaped = false
			x = 'x'
		}
		switch {
		case f.quoted && x == '\\':
			f.escaped = true
		case x == '"':
			f.quoted = !f.quoted
		case x == '\n':
			f.quoted = false // it is damaged: no string goes over lines
			if f.depth > f.level {
				b[i] = ' '
			}
			continue
		case f.quoted:
		case x == '{' || x == '[':
			if f.depth++; f.depth == f.level {
				f.array = x == '['
				b[i] = ' '
			}
		case x == '}' || x == ']':
			if f.depth == f.level && f.array {
				f.array = false
				b[i] = '\n'
				f.depth--
				continue
			}
			f.depth = max(f.depth-1, 0)
		case x == ',' && f.depth == f.level && f.array:
			b[i] = '\n' // so that what is damaged ends with its element
		}
		if f.level > 0 && !f.array && f.depth > 0 {
			b[i] = ' '
		}
	}
}
