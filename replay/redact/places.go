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

// inFlow reports whether a name at i stands in a mapping such as {a: b, c: d}.
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
	for _, before := range directiveWords {
		if cut, ok := bytes.CutPrefix(line, []byte(before)); ok {
			name, rest, ok := bytes.Cut(cut, []byte{' '})
			value := bytes.TrimRight(bytes.TrimSpace(rest), ";")
			if h := x.names.of(name); ok && isName(string(name)) && h >= aSecret && h.isSecret(bytes.Trim(value, `"'`)) && value[0] != '=' {
				from = i + len(line) - len(bytes.TrimLeft(rest, " \t"))
				from, to = x.word(s, from, false)
				for to > from && s[to-1] == ';' {
					to--
				}
				return from, to, "value of " + string(name)
			}
		}
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

// directiveWords stand before a name and its value in the lines of Dockerfiles, shells and
// servers.
var directiveWords = dated(origin{"the references of Dockerfile, csh, Apache, nginx, HAProxy and OpenWrt", "2026-11-24"},
	[]string{"ENV ", "ARG ", "setenv ", "SetEnv ", "set ", "SET ", "fastcgi_param ", "uwsgi_param ", "proxy_set_header ", "grpc_set_header ", "add_header ", "more_set_headers ", "env ", "option ", "uci set "})

// tableCell finds the cell of a table that follows one with a secret's name:
// "| password | x |". The sign between them stands at i.
func (x *texts) tableCell(s []byte, low, i int) (from, to int, why string) {
	end := i
	for end > low && (s[end-1] == ' ' || s[end-1] == '*' || s[end-1] == '`' || s[end-1] == '\t') {
		end--
	}
	name := nameBefore(s, low, end)
	if len(name) == 0 || end == i {
		return 0, 0, ""
	}
	h := x.names.of(name)
	if h < aSecret {
		return 0, 0, ""
	}
	line := s[max(low, i-2*maxName):i]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	if bytes.IndexByte(line, '|') < 0 {
		return 0, 0, ""
	}
	for from = i + 1; from < len(s) && (s[from] == ' ' || s[from] == '`' || s[from] == '\t'); {
		from++
	}
	for to = from; to < len(s) && s[to] != '|' && s[to] != '\n' && s[to] != '`'; {
		to++
	}
	if to == len(s) || s[to] == '\n' {
		return 0, 0, "" // a pipe, most likely
	}
	for to > from && s[to-1] == ' ' {
		to--
	}
	if from == i+1 || to <= from || !h.isSecret(s[from:to]) {
		return 0, 0, ""
	}
	return from, to, "value of " + string(name)
}

// valueAttribute finds the value in name="password" value="x", whose second name ends at
// end and begins at at.
func (x *texts) valueAttribute(s []byte, low, at, i int) (from, to int, why string) {
	least := max(low, at-2*maxName)
	open := bytes.LastIndexAny(s[least:at], "<{(")
	if open < 0 {
		return 0, 0, ""
	}
	before := s[least+open : at]
	for _, attribute := range []string{"name=", "key=", "id=", "param="} {
		n := bytes.LastIndex(before, []byte(attribute))
		if n < 0 || n+len(attribute) >= len(before) {
			continue
		}
		quote := n + len(attribute)
		if before[quote] == '\\' && quote+1 < len(before) {
			quote++
		}
		if before[quote] != '"' && before[quote] != '\'' {
			continue
		}
		name, _, ok := bytes.Cut(before[quote+1:], before[quote:quote+1])
		name = bytes.TrimSuffix(name, []byte{'\\'})
		if h := x.names.of(name); ok && h > nothing {
			from, to = x.word(s, i+1, false)
			if h.isSecret(s[from:to]) {
				return from, to, "value of " + string(name)
			}
		}
	}
	return 0, 0, ""
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
	if h == nothing && (besideNames[fold(string(name))] || fold(string(name)) == "string") {
		name = elementBefore(s, low, at-1)
		h = x.names.of(name)
	}
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

// elementBefore returns the name of the value in the element at i. In <password><value>, the name
// is the tag of the element around it. In <key>password</key><string>, the name is the text of
// the element before it.
func elementBefore(s []byte, low, i int) []byte {
	before := bytes.TrimRight(s[max(low, i-2*maxName):i], " \t\r\n")
	if len(before) == 0 || before[len(before)-1] != '>' {
		return nil
	}
	open := bytes.LastIndexByte(before, '<')
	if open < 0 {
		return nil
	}
	tag := before[open+1 : len(before)-1]
	if len(tag) == 0 || tag[0] != '/' {
		tag, _, _ = bytes.Cut(tag, []byte{' '})
		return tag
	}
	if end := bytes.LastIndexByte(before[:open], '>'); end >= 0 {
		return bytes.TrimSpace(before[end+1 : open])
	}
	return nil
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
