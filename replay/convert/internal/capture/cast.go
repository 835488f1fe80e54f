package capture

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/format/inflate"
	"github.com/informerscope/informerscope/replay/jsonscan"
)

// cast reads what asciinema records of a terminal, in its versions 1 to 3. It returns the text that was printed, with the time before
// each line that begins an object.
type cast struct {
	translated
	r       *bufio.Reader
	maxLine int // bytes of a line
	version int
	start   time.Time
	local   bool // the start isn't known
	now     float64
	lineAt  float64 // when the line began
	line    []byte  // that was printed so far
	held    []byte  // a long line of the recording
}

var (
	castBegins = regexp.MustCompile(`^\s*\{\s*"version"\s*:\s*[123]\s*,`)
	// controls are what a terminal does and doesn't show: colours, moves of its cursor, its title.
	controls = regexp.MustCompile("\x1b\\[[0-9;?<=>]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|\x1b[@-Z\\\\^_=>]|[\r\x07]")
)

// isCast reports whether head begins as a recording of asciinema does.
func isCast(head []byte) bool {
	return castBegins.Match(head) && (bytes.Contains(head, []byte(`"width"`)) || bytes.Contains(head, []byte(`"term"`)))
}

// Read returns the text.
func (c *cast) Read(b []byte) (int, error) { return c.read(b, c.next) }

// next reads a line of the recording: an array of a time, a kind and what was printed. The first line says when it began.
// Version 1 is one object, which may go over several lines.
func (c *cast) next() {
	if c.passEmptyLines(c.r) {
		return
	}
	line := c.readLine()
	if c.version == 0 {
		c.begin(bytes.Clone(line))
		return
	}
	if len(line) > 0 && line[0] == '[' {
		c.event(line, 1)
	}
	if c.err == io.EOF {
		c.print("\n")
	}
}

// readLine reads a line with its end. It is good until the next call.
func (c *cast) readLine() (line []byte) {
	if line, _, c.err = readLine(c.r, &c.held, c.maxLine); len(line) > c.maxLine {
		c.err = inflate.LimitError{Err: fault.Number("longLine max", int64(c.maxLine))}
		return nil
	}
	return line
}

func (c *cast) begin(header []byte) {
	from, to, _ := jsonscan.Field(header, "version")
	c.version = 2
	if v := header[from:to]; len(v) == 1 {
		c.version = int(v[0] - '0')
	}
	if jsonscan.ValueEnd(header, 0) < 0 || c.version == 1 {
		c.version = 1
		for empty := 0; c.err == nil; {
			var more []byte
			if n, _ := emptyLines(c.r); n > 0 {
				c.r.Discard(n)
				empty += n
			} else {
				more = c.readLine()
			}
			if len(header)+len(more)+empty > c.maxLine {
				c.err = inflate.LimitError{Err: fault.Number("longLine max", int64(c.maxLine))}
				return
			}
			header = append(header, more...)
		}
	}
	from, to, _ = jsonscan.Field(header, "timestamp")
	c.start = TimeOf(header[from:to])
	if c.local = c.start.IsZero(); c.local {
		c.start = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	if c.version == 1 {
		from, to, _ = jsonscan.Field(header, "stdout")
		jsonscan.Elements(header[from:to], func(_, i, j int) bool {
			c.event(header[from+i:from+j], 0)
			return true
		})
		c.print("\n")
	}
}

// event takes in an event. Its text stands behind the time, and behind so many other fields.
func (c *cast) event(b []byte, others int) {
	at, kind, text := 0.0, "o", ""
	jsonscan.Elements(b, func(i, from, to int) bool {
		switch i {
		case 0:
			r := jsonscan.NewReader(b[from:to])
			r.Float(&at)
		case others + 1:
			text, _ = jsonscan.Unquote(b[from:to])
		case 1:
			kind, _ = jsonscan.Unquote(b[from:to])
		}
		return i <= others
	})
	const most = 100 * 365 * 24 * 3600 // seconds
	if at = math.Max(0, math.Min(at, most)); c.version == 2 {
		c.now = at
	} else {
		c.now = math.Min(c.now+at, most)
	}
	if kind == "o" {
		c.print(text)
	}
}

// print takes in what was printed.
func (c *cast) print(text string) {
	for text != "" {
		if len(c.line) == 0 {
			c.lineAt = c.now
		}
		end := strings.IndexByte(text, '\n') + 1
		if end == 0 {
			end = len(text)
		}
		if len(c.line)+end <= c.maxLine {
			c.line = append(c.line, text[:end]...)
		}
		text = text[end:]
		if n := len(c.line); n > 0 && c.line[n-1] == '\n' {
			line := controls.ReplaceAll(c.line, nil)
			if line[0] == '{' {
				c.out = append(c.stamp(c.out), ' ')
			}
			c.out = append(c.out, line...)
			c.line = c.line[:0]
		}
	}
}

// stamp appends the time at which the line began.
func (c *cast) stamp(b []byte) []byte {
	at := c.start.Add(time.Duration(c.lineAt * 1e9)) // a hundred years at most
	if c.local {
		return at.AppendFormat(b, "15:04:05.000000")
	}
	return at.UTC().AppendFormat(b, "2006-01-02T15:04:05.000000Z")
}

// pythonBegins is a dictionary as Python prints it, or a list of some, with what may stand before it.
var pythonBegins = regexp.MustCompile(`^[^{"]*?(\[\s*)?\{u?'[A-Za-z_]+': `)

// isPython reports whether the first bracket in head opens a dictionary, as Python prints it.
func isPython(head []byte) bool { return pythonBegins.Match(head) }

// python reads what Python prints of dictionaries, with print or pprint, and returns it as JSON. What stands outside
// of dictionaries and lists stays as it is.
type python struct {
	translated
	r     *bufio.Reader
	depth int
	quote byte // that ends the string which is being read; 0 outside of strings
}

// Read returns the JSON.
func (p *python) Read(b []byte) (int, error) {
	const enough = 16 << 10
	return p.read(b, func() {
		for p.err == nil && len(p.out) < enough {
			p.next()
		}
	})
}

// next reads a character, a word, or a part of a string.
func (p *python) next() {
	c, err := p.r.ReadByte()
	switch {
	case err != nil:
		p.err = err
	case p.quote != 0:
		p.readInString(c)
	case p.depth == 0 && !p.beginsWith(c):
		p.out = append(p.out, c)
	case c == '{' || c == '[':
		p.depth++
		p.out = append(p.out, c)
	case c == '}' || c == ']':
		p.depth--
		p.out = append(p.out, c)
	case c == '\'' || c == '"':
		p.quote = c
		p.out = append(p.out, '"')
	case c == '(':
		p.out = append(p.out, '[')
	case c == ')':
		p.out = append(p.out, ']')
	case c|0x20-'a' < 26 || c == '<' || c == '_':
		p.word(c)
	default:
		p.out = append(p.out, c)
	}
}

// beginsWith reports whether a dictionary begins with c, or a list of some.
func (p *python) beginsWith(c byte) bool {
	ahead, _ := p.r.Peek(3)
	for c == '[' && len(ahead) > 0 && ahead[0] <= ' ' {
		ahead = ahead[1:]
	}
	if c == '[' && len(ahead) > 0 {
		c, ahead = ahead[0], ahead[1:]
	}
	return c == '{' && (bytes.HasPrefix(ahead, []byte{'\''}) || bytes.HasPrefix(ahead, []byte("u'")))
}

// readInString reads the character c of a string.
func (p *python) readInString(c byte) {
	switch {
	case c == p.quote:
		p.closed()
	case c == '"':
		p.out = append(p.out, `\"`...)
	case c < ' ':
		p.out = fmt.Appendf(p.out, `\u%04x`, c)
	case c != '\\':
		p.out = append(p.out, c)
	default:
		p.escape()
	}
}

// escape reads what follows a backslash.
func (p *python) escape() {
	c, err := p.r.ReadByte()
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	hex, _ := p.r.Peek(digits)
	n, notHex := strconv.ParseUint(string(hex), 16, 32)
	switch {
	case err != nil:
		p.err = err
	case c == '\'':
		p.out = append(p.out, c)
	case digits > 0 && notHex == nil:
		p.r.Discard(digits)
		if digits == 8 {
			p.out = utf8.AppendRune(p.out, rune(n))
		} else {
			p.out = fmt.Appendf(p.out, `\u%04x`, n)
		}
	case bytes.IndexByte([]byte(`"\nrtbf`), c) >= 0:
		p.out = append(p.out, '\\', c)
	default:
		p.out = append(p.out, '\\', '\\')
		p.r.UnreadByte()
	}
}

// closed ends a string, unless another one follows, which is a part of it: pprint writes long texts in several lines.
func (p *python) closed() {
	const longest = 1 << 10
	space, _ := p.r.Peek(longest)
	rest := bytes.TrimLeft(space, " \n")
	if len(rest) > 0 && len(rest) < len(space) && (rest[0] == '\'' || rest[0] == '"') {
		p.r.Discard(len(space) - len(rest) + 1)
		p.quote = rest[0]
		return
	}
	p.quote = 0
	p.out = append(p.out, '"')
}

// pythonTime is how Python prints a time.
var pythonTime = regexp.MustCompile(`^datetime\.datetime\((\d+), (\d+), (\d+), (\d+), (\d+)(?:, (\d+))?(?:, (\d+))?[,)]`)

// pythonZone is the zone of a time that isn't UTC, as datetime and dateutil print it: with days, which are -1 or missing, and seconds.
var pythonZone = regexp.MustCompile(`(?:timedelta\((?:days=(-?\d+)(?:, )?)?(?:seconds=(\d+))?\)|tzoffset\([^,]*, (-?\d+)\))`)

// word reads a name that begins with c: a constant, a time, or the prefix of a string. An object of a class is null.
func (p *python) word(c byte) {
	const longest = 256
	p.r.UnreadByte()
	ahead, _ := p.r.Peek(longest)
	n := 1
	for n < len(ahead) && (ahead[n]|0x20-'a' < 26 || ahead[n]-'0' < 10 || ahead[n] == '_' || ahead[n] == '.') {
		n++
	}
	if n == 1 && n < len(ahead) && (ahead[n] == '\'' || ahead[n] == '"') { // u'text', b'text'
		p.r.Discard(n)
		return
	}
	is := "null"
	switch word := string(ahead[:n]); {
	case word == "True" || word == "False":
		is = strings.ToLower(word)
	case c == '<':
		if end := bytes.IndexByte(ahead, '>'); end > 0 {
			n = end + 1
		}
	case n < len(ahead) && ahead[n] == '(':
		end := n + closing(ahead[n:])
		if m := pythonTime.FindSubmatch(ahead); m != nil {
			var v [7]int
			for i, digits := range m[1:] {
				v[i], _ = strconv.Atoi(string(digits))
			}
			at := time.Date(v[0], time.Month(v[1]), v[2], v[3], v[4], v[5], v[6]*1000, time.UTC)
			if z := pythonZone.FindSubmatch(ahead[:end]); z != nil {
				days, _ := strconv.Atoi(string(z[1]))
				seconds, _ := strconv.Atoi(string(z[2]) + string(z[3]))
				at = at.Add(-time.Duration(days*24*3600+seconds) * time.Second)
			}
			is = strconv.Quote(at.Format(time.RFC3339Nano))
		}
		n = end
	}
	p.out = append(p.out, is...)
	p.r.Discard(n)
}

// closing returns how long the parentheses are with which b begins.
func closing(b []byte) int {
	depth := 0
	for i, c := range b {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(b)
}

// longestEntry is how many bytes of an entry are read. The fields beyond are left out.
const longestEntry = 4 << 20

// exported reads what journalctl -o export writes. It returns each entry as a line of JSON, as -o json writes it.
type exported struct {
	translated
	r    *bufio.Reader
	held []byte // a long line
}

// isExported reports whether head begins as journalctl -o export does.
func isExported(head []byte) bool { return bytes.HasPrefix(head, []byte("__CURSOR=")) }

// Read returns the lines.
func (x *exported) Read(b []byte) (int, error) { return x.read(b, x.entry) }

// entry reads an entry.
func (x *exported) entry() {
	if x.passEmptyLines(x.r) {
		return
	}
	for x.err == nil && x.field() {
	}
	if len(x.out) > 0 {
		x.out = append(x.out, '}')
	}
	x.out = append(x.out, '\n')
}

// field reads a field: NAME=VALUE, or a name, and then the size and the bytes of its value. It returns false at an empty
// line, which ends an entry.
func (x *exported) field() bool {
	name, value, sized := x.line()
	if sized && x.err == nil {
		value = x.bytes()
	}
	if len(name) == 0 {
		return false
	}
	if len(x.out)+len(name)+len(value) < longestEntry {
		if len(x.out) == 0 {
			x.out = append(x.out, '{')
		} else {
			x.out = append(x.out, ',')
		}
		x.out = append(jsonscan.AppendString(x.out, string(name)), ':')
		x.out = jsonscan.AppendString(x.out, string(value))
	}
	return true
}

// line reads a line. bare says that it has no value.
func (x *exported) line() (name, value []byte, bare bool) {
	line, _, err := readLine(x.r, &x.held, longestEntry)
	x.err = err
	name, value, ok := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte{'='})
	return bytes.Clone(name), value, !ok && len(name) > 0 // the name outlives the line, whose value may be read behind it
}

// bytes reads a value whose size stands before it, and the end of its line.
func (x *exported) bytes() []byte {
	var size [8]byte
	if _, x.err = io.ReadFull(x.r, size[:]); x.err != nil {
		return nil
	}
	n := binary.LittleEndian.Uint64(size[:])
	if n > uint64(longestEntry) {
		if n > 1<<40 {
			x.err = io.ErrUnexpectedEOF
			return nil
		}
		_, x.err = io.CopyN(io.Discard, x.r, int64(n)+1)
		return nil
	}
	value, err := io.ReadAll(io.LimitReader(x.r, int64(n)))
	if x.err = err; err == nil {
		_, x.err = x.r.ReadByte()
	}
	return value
}
