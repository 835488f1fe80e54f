package redact

import (
	"bytes"
	"strings"
)

// The functions of this file find secrets by where they stand in a text: after a name
// and a colon, in an address, in an element.

// colon finds the value in "X-Auth-Token: value", in a field of JSON, and in a
// line or a mapping of YAML.
func (x *texts) colon(s []byte, low, i int) (from, to int, why string) {
	if i+2 < len(s) && s[i+1] == '/' && s[i+2] == '/' {
		if from, to = link(s, i); to > from {
			return from, to, "address of a webhook"
		}
		return 0, 0, ""
	}
	end := i
	if end > low && isDigit(s[end-1]) && end+1 < len(s) && isDigit(s[end+1]) {
		return 0, 0, "" // a time
	}
	for end > low && s[end-1] == ' ' && i-end < 2 {
		end--
	}
	field := end > low && (s[end-1] == '"' || s[end-1] == '\'')
	if field {
		end--
	}
	if field && end > low && s[end-1] == '\\' { // JSON within JSON
		end--
	}
	name := nameBefore(s, low, end)
	if len(name) == 0 {
		return 0, 0, ""
	}
	at := end - len(name)
	h := x.names.of(name)
	if h <= maybe && isKeyWord(name) && at > low+1 && s[at-1] == ' ' { // "API key: value"
		name = s[at-1-len(nameBefore(s, low, at-1)) : end]
		h = max(h, x.names.of(name))
	}
	if h == nothing {
		if !field && string(name) == "value" {
			return x.valueOfName(s, low, at, i)
		}
		return 0, 0, ""
	}
	from = i + 1
	for from < len(s) && (s[from] == ' ' || s[from] == '\t' || s[from] == ':') { // LDIF has two colons before base64
		from++
	}
	begin, starts := lineBefore(s, low, at)
	switch {
	case field:
		from, to = fieldValue(s, from)
	case bytes.IndexByte(name, '-') >= 0 && h >= aSecret && from > i+1, isAuthHeader(name):
		for to = from; to < len(s) && s[to] != '\n' && s[to] != '\r' && s[to] != '"' && s[to] != '\''; {
			to++
		}
		if to == from {
			from, to = x.word(s, from, false)
		}
		if starts && (from == to || s[from] == '|' || s[from] == '>') {
			from, to = lineValue(s, begin, from)
		}
	case starts && from > i+1 || from < len(s) && s[from] == '\n':
		from, to = lineValue(s, begin, from)
	case inFlow(s, low, at):
		if from < len(s) && (s[from] == '"' || s[from] == '\'') {
			from, to = quoted(s, from)
			break
		}
		for to = from; to < len(s) && s[to] != ',' && s[to] != '}' && s[to] != '\n'; {
			to++
		}
	default: // a sentence, maybe
		from, to = x.word(s, from, false)
		alone := from > i+1 && (s[from-1] == '"' || s[from-1] == '\'') || h == password && (to == len(s) || s[to] == '\n')
		if !alone && !looksSecret(s[from:to]) {
			return 0, 0, ""
		}
	}
	if !h.isSecret(s[from:to]) {
		return 0, 0, ""
	}
	return from, to, "value of " + string(name)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isKeyWord tells a name that needs the word before to say what it is.
func isKeyWord(name []byte) bool {
	switch fold(string(name)) {
	case "key", "string", "hash", "url", "id", "code":
		return true
	}
	return false
}

func isAuthHeader(name []byte) bool {
	switch fold(string(name)) {
	case "authorization", "cookie":
		return true
	}
	return false
}

// lineBefore returns where the line begins that i is in. starts tells that only blanks
// and marks of lists and comments stand before i in it.
func lineBefore(s []byte, low, i int) (begin int, starts bool) {
	for begin = i; begin > low && begin > i-maxName; begin-- {
		switch s[begin-1] {
		case '\n':
			return begin, true
		case ' ', '\t', '-', '#', '?':
		default:
			return begin, false
		}
	}
	return begin, begin == 0
}

// lineValue returns the value that follows a name in a line of YAML. The line begins
// at begin and the value at from. The value may be a block of lines, which ends where a
// line is indented less than its first.
func lineValue(s []byte, begin, from int) (_, to int) {
	end := from + lineLength(s[from:])
	value := bytes.TrimRight(s[from:end], " \t\r")
	if len(value) > 0 && value[0] != '|' && value[0] != '>' {
		if value[0] == '"' || value[0] == '\'' {
			return quoted(s, from)
		}
		if note := bytes.Index(value, []byte(" #")); note > 0 {
			value = bytes.TrimRight(value[:note], " \t")
		}
		return from, from + len(value)
	}
	if len(value) == 0 {
		return from, from // its fields are judged by their own names
	}
	margin, first := -1, 0
	for at := end + 1; at < len(s); {
		n := lineLength(s[at:])
		if line := s[at : at+n]; len(bytes.TrimSpace(line)) > 0 {
			if margin < 0 {
				margin, first = indent(line), at+indent(line)
				if margin <= indent(s[begin:]) {
					break
				}
			}
			if indent(line) < margin {
				break
			}
			to = at + n
		}
		at += n + 1
	}
	if to <= first {
		return from, from
	}
	return first, to
}

func lineLength(s []byte) int {
	if n := bytes.IndexByte(s, '\n'); n >= 0 {
		return n
	}
	return len(s)
}

// indent is how far a line is indented.
func indent(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }

// fieldValue returns the value of a field of JSON: a string, perhaps within another
// string, or a number.
func fieldValue(s []byte, from int) (_, to int) {
	if from < len(s) && s[from] == '\\' {
		if from++; from >= len(s) {
			return from, from
		}
		to := bytes.IndexByte(s[from+1:], '\\')
		if to < 0 {
			to = len(s) - from - 1
		}
		return from + 1, from + 1 + to
	}
	if from < len(s) && (s[from] == '"' || s[from] == '\'') {
		return quoted(s, from)
	}
	for to = from; to < len(s) && isTokenChar(s[to]); {
		to++
	}
	return from, to
}

// inFlow tells whether a name at i stands in a mapping such as {a: b, c: d}.
func inFlow(s []byte, low, i int) bool {
	for i--; i >= low && s[i] == ' '; {
		i--
	}
	return i >= low && (s[i] == '{' || s[i] == ',' && bytes.LastIndexByte(s[max(low, i-1000):i], '{') >= 0)
}

// valueOfName finds the value in "name: PASSWORD\n  value: x", as the lists of
// variables have it.
func (x *texts) valueOfName(s []byte, low, at, i int) (from, to int, why string) {
	begin, starts := lineBefore(s, low, at)
	if !starts || begin < 2 {
		return 0, 0, ""
	}
	before := s[max(low, begin-1-2*maxName) : begin-1]
	if n := bytes.LastIndexByte(before, '\n'); n >= 0 {
		before = before[n+1:]
	}
	key, name, ok := bytes.Cut(before, []byte{':'})
	key = bytes.Trim(key, " \t-\"'")
	if !ok || string(key) != "name" && string(key) != "key" {
		return 0, 0, ""
	}
	name = bytes.Trim(name, " \t\r\"'")
	h := x.names.of(name)
	for from = i + 1; from < len(s) && (s[from] == ' ' || s[from] == '\t'); {
		from++
	}
	from, to = lineValue(s, begin, from)
	if !h.isSecret(s[from:to]) {
		return 0, 0, ""
	}
	return from, to, "value of " + string(name)
}

// directive finds the value in lines such as "requirepass value" and "machine x
// login y password value".
func (x *texts) directive(s []byte, i int) (from, to int, why string) {
	line := s[i : i+lineLength(s[i:])]
	if len(line) > 4*maxName {
		return 0, 0, ""
	}
	name, rest, ok := bytes.Cut(line, []byte{' '})
	if !ok || len(rest) == 0 || !isName(string(name)) {
		return 0, 0, ""
	}
	if string(name) == "machine" || string(name) == "default" {
		if at := bytes.Index(line, []byte(" password ")); at > 0 {
			from = i + at + len(" password ")
			from, to = x.word(s, from, false)
			return from, to, "password of a netrc"
		}
		return 0, 0, ""
	}
	value := bytes.TrimSpace(rest)
	if len(line) == len(s) || bytes.IndexByte(value, ' ') >= 0 && value[0] != '"' && value[0] != '\'' || value[0] == '=' || value[0] == ':' {
		if f := fold(string(name)); f != "requirepass" && f != "masterauth" {
			return 0, 0, ""
		}
	}
	if h := x.names.of(name); h < aSecret || !h.isSecret(value) {
		return 0, 0, ""
	}
	from = i + len(line) - len(bytes.TrimLeft(rest, " \t"))
	from, to = x.word(s, from, false)
	return from, to, "value of " + string(name)
}

// spoken finds the value in "with password value" and "the password is value", if
// it looks like one.
func (x *texts) spoken(s []byte, i int) (from, to int, why string) {
	end := i
	for end < len(s) && end < i+len("passphrase")+1 && isAlnum(s[end]) {
		end++
	}
	if end == len(s) || s[end] != ' ' {
		return 0, 0, ""
	}
	h := x.names.of(s[i:end])
	if h != password && (fold(string(s[i:end])) != "token" || !bytes.HasPrefix(s[end+1:], []byte{'"'})) {
		return 0, 0, ""
	}
	from = end + 1
	for _, word := range []string{"is ", "was ", "to "} {
		if bytes.HasPrefix(s[from:], []byte(word)) {
			from += len(word)
		}
	}
	from, to = x.word(s, from, false)
	if !looksSecret(bytes.TrimRight(s[from:to], ".,;:!?)")) || isReference(s[from:to]) || h != password && (to-from < 8 || bytes.ContainsAny(s[from:to], "-. ")) {
		return 0, 0, ""
	}
	return from, to, "value of " + string(s[i:end])
}

// element finds the text in <password>text</password>.
func (x *texts) element(s []byte, low, i int) (from, to int, why string) {
	name := nameBefore(s, low, i)
	at := i - len(name)
	if len(name) == 0 || at < 1 || s[at-1] != '<' {
		return 0, 0, ""
	}
	h := x.names.of(name)
	if h == nothing {
		return 0, 0, ""
	}
	from = i + 1
	n := bytes.IndexByte(s[from:], '<')
	if n < 0 || !h.isSecret(s[from:from+n]) {
		return 0, 0, ""
	}
	return from, from + n, "value of " + string(name)
}

// sqlPassword finds the text in IDENTIFIED BY 'text' and PASSWORD 'text', whose
// first quote stands at i.
func sqlPassword(s []byte, low, i int) (from, to int, why string) {
	before := s[max(low, i-20):i]
	if len(before) == 0 || before[len(before)-1] != ' ' && before[len(before)-1] != '(' {
		return 0, 0, ""
	}
	b := strings.ToLower(strings.TrimRight(string(before), " ("))
	if !strings.HasSuffix(b, "identified by") && !strings.HasSuffix(b, "password") && !strings.HasSuffix(b, "passwd") {
		return 0, 0, ""
	}
	from, to = quoted(s, i)
	return from, to, "password of a statement"
}

// userInfo finds the user and the password in "https://user:password@host", and the
// password in "user:password@host". A short user without a password is no secret.
func userInfo(s []byte, low, i int) (from, to int, why string) {
	const longest = 250
	colon, scheme := -1, false
	from = i
	for least := max(low, i-longest); from > least; from-- {
		c := s[from-1]
		if c == ':' && (colon < 0 || from+1 < len(s) && s[from] == '/' && s[from+1] == '/') {
			if from+1 < i && s[from] == '/' && s[from+1] == '/' {
				from, scheme = from+2, true
				break
			}
		}
		if c <= ' ' || c == '"' || c == '\'' || c == '<' || c == '>' || c == '(' || c == '`' {
			break
		}
		if c == ':' {
			colon = from - 1
		}
	}
	if scheme && !bytes.HasPrefix(s[from:i], []byte(redacted+"@")) {
		return authority(s, from, i)
	}
	if c := bytes.LastIndexAny(s[from:max(from, colon)], "=,"); c >= 0 {
		from += c + 1
	}
	colon = from + bytes.IndexByte(s[from:i], ':')
	if colon <= from || colon+1 >= i || i+1 >= len(s) || !isAlnum(s[i+1]) && s[i+1] != '[' || bytes.IndexByte(s[from:colon], '/') >= 0 {
		return 0, 0, ""
	}
	switch rest := string(s[i+1 : min(len(s), i+8)]); {
	case strings.HasPrefix(rest, "sha256:"), strings.HasPrefix(rest, "sha512:"), strings.HasPrefix(rest, "sha1:"):
		return 0, 0, ""
	}
	switch fold(string(s[from:colon])) {
	case "mailto", "acct", "sip", "sips", "xmpp":
		return 0, 0, ""
	}
	return colon + 1, i, "password before a host"
}

// authority finds user and password between the "://" that ends at from and the @ at
// i.
func authority(s []byte, from, i int) (_, to int, why string) {
	slash := bytes.IndexByte(s[from:i], '/')
	colon := bytes.IndexByte(s[from:i], ':')
	switch {
	case slash >= 0 && (colon < 0 || colon > slash):
		return 0, 0, "" // in a path
	case slash >= 0 && isPort(s[from+colon+1:from+slash]):
		return 0, 0, ""
	case i-from < 16 && colon < 0:
		return 0, 0, ""
	case string(s[from:i]) == redacted:
		return 0, 0, ""
	}
	// The password may have an @ in it.
	to = i
	for j := i + 1; j < len(s) && j < i+maxName && s[j] > ' ' && s[j] != '"' && s[j] != '\'' && s[j] != '/' && s[j] != '?' && s[j] != ','; j++ {
		if s[j] == '@' {
			to = j
		}
	}
	return from, to, "user and password of an address"
}

func isPort(s []byte) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(s) > 0
}
