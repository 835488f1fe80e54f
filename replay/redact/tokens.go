package redact

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

const (
	redacted   = "REDACTED"
	redacted64 = "UkVEQUNURUQ=" // the same in base64
)

// texts finds secrets in texts.
type texts struct {
	names meanings
	// found, if there is one, is called with each secret that is taken out, and
	// why it was taken for one.
	found func(secret []byte, why string)
	deep  int // base64 within base64
	// wary is set if secrets are only listed and not taken out. Then shorter runs of
	// random characters count, and long hexadecimal numbers.
	wary bool
	// calm is set for hashes and identifiers, whose characters are random.
	calm bool
	text []byte // what base64 says

	words []piece  // of a command
	more  []piece  // secrets that come later in it
	gone  [][]byte // the secrets that were taken out of a text
}

// maxName is how long the names are that are looked at: looking back may not
// make the time that a text takes grow with its square.
const maxName = 100

// shortest is how long the shortest token is that is known by its shape.
const shortest = 14

// clean appends s without its secrets, and returns how many there were.
func (x *texts) clean(out, s []byte) (_ []byte, n int) {
	if len(s) < 6 {
		return append(out, s...), 0
	}
	begin := len(out)
	x.gone, x.more = x.gone[:0], x.more[:0]
	last := 0
	run := 0          // the end of the run of base64 that was looked at last
	inWord := false   // the character before is part of a word
	lineStart := true // nothing but blanks stands before on this line
	for i := 0; i < len(s); i++ {
		c := s[i]
		from, to, why := 0, 0, ""
		began := !inWord && isAlnum(c)
		atStart := lineStart
		lineStart = c == '\n' || lineStart && (c == ' ' || c == '\t' || c == '-' || c == '#')
		inWord = isWord(c)
		if len(x.more) > 0 && i >= x.more[0].from {
			if i == x.more[0].from {
				from, to, why = i, x.more[0].to, "part of a command"
			}
			x.more = x.more[1:]
		}
		if to > from {
			c = 0
		}
		switch c {
		case 0: // it is found
		case '=':
			from, to, why = x.assigned(s, last, i, 1)
		case '%':
			if i+2 < len(s) && s[i+1] == '3' && lower(s[i+2]) == 'd' {
				from, to, why = x.assigned(s, last, i, 3)
			}
		case ':':
			from, to, why = x.colon(s, last, i)
		case '@':
			from, to, why = userInfo(s, last, i)
		case '-':
			if end, public := pem(s, i); end > 0 && public {
				i = end - 1
				continue
			} else if end > 0 {
				from, to, why = i, end, "PEM block"
			} else if i == 0 || !isTokenChar(s[i-1]) {
				from, to, why = x.flag(s, i)
			}
		case '/':
			if i == 0 || s[i-1] == ' ' || s[i-1] == '"' || s[i-1] == '\'' {
				from, to, why = x.slashed(s, i)
			}
		case '>':
			from, to, why = x.element(s, last, i)
		case ',':
			from, to, why = x.called(s, last, i)
		case '|':
			from, to, why = x.tableCell(s, last, i)
		case '\'':
			from, to, why = sqlPassword(s, last, i)
		case '$', '{':
			if len(s)-i >= shortest {
				if to, why = known(s, i); to > 0 {
					from = i
				}
			}
		default:
			if c >= 0x80 {
				if h, n := foreignHides(s[max(last, i+1-longestForeign) : i+1]); h > nothing && n > 0 && !longerFollows(s, i+1) {
					from, to, why = x.foreignSpoken(s, i+1)
				}
				break
			}
			if !inWord || i+1 == len(s) || !isWord(s[i+1]) {
				if h, n := foreignHides(s[max(last, i+1-longestForeign) : i+1]); h > nothing && n > 3 && (i+1 == len(s) || s[i+1] < 0x80) {
					from, to, why = x.foreignSpoken(s, i+1)
				}
			}
			if !began || to > from {
				break
			}
			switch c {
			case 'b', 'B':
				from, to = scheme(s, i)
				why = "authorization"
			case 'p', 'P', 't', 'T':
				from, to, why = x.spoken(s, i)
			}
			if to <= from && beginsPosition[c] {
				from, to, why = x.positioned(s, i, atStart)
			}
			if to <= from && len(s)-i >= shortest {
				from, to, why = x.token(s, last, i, &run)
			}
			if to <= from {
				from, to, why = account(s, i)
			}
			if to <= from && atStart && (i > 0 || c == 'r' || c == 'm' || c == 'd' || bytes.IndexByte(s, '\n') >= 0) {
				from, to, why = x.directive(s, i)
			}
		}
		if to <= from || string(s[from:to]) == redacted || string(s[from:to]) == redacted64 {
			continue
		}
		if x.found != nil {
			x.found(s[from:to], why)
		}
		if to-from >= longEnough && looksSecret(s[from:to]) {
			x.gone = append(x.gone, s[from:to])
		}
		out = append(append(out, s[last:from]...), redacted...)
		last, i = to, to-1
		inWord, lineStart = false, false
		n++
	}
	out = append(out, s[last:]...)
	return x.again(out, begin), n
}

// longEnough is how long a secret is that is looked for elsewhere in its text: a shorter
// one may be a part of a word.
const longEnough = 8

// again takes the secrets that were found in out[begin:] out of the rest of it, too: where
// the same characters stand a second time, they may have no name.
func (x *texts) again(out []byte, begin int) []byte {
	for _, secret := range x.gone[:min(len(x.gone), 20)] {
		if bytes.Contains(out[begin:], secret) {
			out = append(out[:begin], bytes.ReplaceAll(out[begin:], secret, []byte(redacted))...)
		}
	}
	return out
}

// longerFollows reports whether s[i:] goes on with a letter that is not of ASCII, so that
// a word goes on.
func longerFollows(s []byte, i int) bool {
	if i >= len(s) || s[i] < 0x80 {
		return false
	}
	c, _ := utf8.DecodeRune(s[i:])
	return unicode.IsLetter(c) && !unicode.In(c, unicode.Han, unicode.Hiragana) || !utf8.RuneStart(s[i])
}

// token finds a token by its shape that begins at i: a known one, a secret in base64,
// or random characters. run is the end of the characters that were searched for the
// latter two.
func (x *texts) token(s []byte, low, i int, run *int) (from, to int, why string) {
	if shapes[s[i]] != nil {
		if to, why := known(s, i); to > 0 {
			return i, to, why
		}
	}
	if from, to = webToken(s, i); to > from {
		return from, to, "JSON Web Token"
	}
	if to = bootstrapToken(s, i); to > 0 {
		return i, to, "bootstrap token"
	}
	if i < *run {
		return 0, 0, ""
	}
	end := i
	for end < len(s) && (isWord(s[end]) || s[end] == '+' || s[end] == '/' || s[end] == '-') {
		end++
	}
	whole := end
	for whole < len(s) && s[whole] == '=' && whole-end < 2 {
		whole++
	}
	*run = whole
	if end-i < 12 {
		return 0, 0, ""
	}
	if isHex(s[i:end]) {
		if text, ok := unhexed(x.text, s[i:end]); ok && x.saysSecret(text) {
			return i, end, "base64 of a secret"
		}
		if x.wary && end-i >= 32 && bytes.IndexByte(s[i:end], '-') < 0 && (i == 0 || s[i-1] != ':' && s[i-1] != '/' && s[i-1] != '@') {
			return i, end, "maybe a key: a long hexadecimal number"
		}
		return 0, 0, ""
	}
	if text, ok := decoded(x.text, s[i:whole]); ok {
		if x.saysSecret(text) {
			return i, whole, "base64 of a secret"
		}
		return 0, 0, ""
	}
	if x.calm {
		return 0, 0, ""
	}
	if isRandom(s[i:end]) {
		return i, whole, "random characters"
	}
	if x.wary && randomness(s[i:end], 16) {
		return i, whole, "maybe a key: random characters"
	}
	// A part of a path, or what follows a prefix, may be.
	for at := i; at < end; {
		next := at
		for next < end && s[next] != '/' {
			next++
		}
		if part := s[at:next]; len(part) >= 20 && next-at < end-i && isRandom(part) {
			return at, next, "random characters"
		}
		for word := range bytes.FieldsFuncSeq(s[at:next], func(c rune) bool { return c == '-' || c == '_' || c == '+' }) {
			if len(word) >= 20 && len(word) < next-at && isRandom(word) {
				return at, next, "random characters"
			}
		}
		at = next + 1
	}
	return 0, 0, ""
}

// unhexed returns the text that is in hexadecimal in run. ok is false if that is no text.
func unhexed(out, run []byte) (text []byte, ok bool) {
	if len(run) < 16 || len(run)%2 != 0 || len(run) > maxCoded || bytes.IndexByte(run, '-') >= 0 {
		return nil, false
	}
	out = out[:0]
	for i := 0; i < len(run); i += 2 {
		out = append(out, byte(hexDigit(run[i])<<4|hexDigit(run[i+1])))
	}
	return out, isText(out)
}

func isHex(s []byte) bool {
	for _, c := range s {
		if hexDigit(c) < 0 && c != '-' {
			return false
		}
	}
	return true
}

// saysSecret reports whether a text that was in base64 holds a secret.
func (x *texts) saysSecret(text []byte) bool {
	if x.deep >= 2 {
		return false
	}
	if name, word, ok := bytes.Cut(text, []byte{':'}); ok && len(word) > 0 && len(name) > 0 && bytes.IndexByte(text, ' ') < 0 && bytes.Count(text, []byte{':'}) == 1 &&
		!bytes.HasPrefix(word, []byte("//")) && !bytes.ContainsAny(text, "{}[]\"\n/,") {
		return true // what basic authentication sends
	}
	inner := texts{names: x.names, deep: x.deep + 1}
	_, n := inner.clean(nil, text)
	x.names = inner.names
	return n > 0
}

func isWord(c byte) bool { return isAlnum(c) || c == '_' }

func isTokenChar(c byte) bool {
	return isWord(c) || c == '-' || c == '.' || c == '~' || c == '+' || c == '/' || c == '=' || c == '%'
}

// assigned finds the value in "token=value" and in "token = value", where the
// sign at i is n bytes long.
func (x *texts) assigned(s []byte, low, i, n int) (from, to int, why string) {
	end := i
	for end > low && (s[end-1] == ' ' || s[end-1] == ':' || s[end-1] == '!' || s[end-1] == '~' || s[end-1] == '"' || s[end-1] == '\'' || s[end-1] == ']') && i-end < 4 {
		end--
	}
	name := nameBefore(s, low, end)
	before := byte(0)
	if at := end - len(name); at > 0 {
		before = s[at-1]
	}
	if bytes.IndexByte(name, '%') >= 0 {
		// What stands before it may be encoded separators, too.
		name = []byte(unescape(string(name)))
		name = nameBefore(name, 0, len(name))
	}
	h := x.names.of(name)
	if h == nothing || h == maybe {
		if before == '?' || before == '&' || n == 3 {
			switch f := fold(string(name)); {
			case f == "code" || f == "key":
				h = maybe
			case urlParameters[f]:
				h = aSecret
			}
		}
		if h == nothing && n == 1 && x.bareKey(s, low, i, end-len(name), name) {
			h = maybe
		}
		if h == nothing {
			if f := fold(string(name)); n == 1 && (f == "value" || f == "val" || f == "content" || f == "default") {
				return x.valueAttribute(s, low, end-len(name), i)
			}
			return 0, 0, ""
		}
	}
	from = i + n
	for from < len(s) && (s[from] == '=' || s[from] == '>') && from < i+n+2 {
		from++
	}
	if end < i || from < len(s) && s[from] == ' ' && (end < i || from > i+n) {
		for from < len(s) && s[from] == ' ' {
			from++
		}
	}
	from, to = x.word(s, from, n == 3)
	if !h.isSecret(s[from:to]) || h == maybe && s[to-1] == '(' && to-from < maxName { // a call, whose arguments are looked at
		return 0, 0, ""
	}
	return from, to, "value of " + string(name)
}

// bareKey reports whether key = "value" stands in a line of its own, as servers of TACACS+ and
// others have their secret. The name begins at at. A value with a dot or a slash is the name
// of a label or of a file.
func (x *texts) bareKey(s []byte, low, i, at int, name []byte) bool {
	if fold(string(name)) != "key" {
		return false
	}
	if _, starts := lineBefore(s, low, at); !starts {
		return false
	}
	value := bytes.TrimLeft(s[i+1:min(len(s), i+2*maxName)], " ")
	if len(value) < 2 || value[0] != '"' {
		return false
	}
	from, to := quoted(value, 0)
	return to-from >= 8 && bytes.IndexByte(value[from:to], '.') < 0 && bytes.IndexByte(value[from:to], '/') < 0 && !bytes.Contains(value[from:to], []byte(redacted))
}
