package capture

import (
	"bufio"
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

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
