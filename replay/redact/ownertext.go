package redact

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// hides is what a value is under a name.
type hides uint8

const (
	hidesNothing hides = iota
	aSecret            // a secret, unless it is a path, a sentence or a reference
	password           // a secret, whatever it is
)

// longestName is how many bytes the longest name of list.txt has under which secrets stand.
const longestName = 24

// hidesBy returns what a value is under a name. Folded is the name in small letters, without what parts its words.
func hidesBy(name, folded string) hides {
	short := folded
	for {
		for n := min(len(short), longestName); n >= 3; n-- {
			end := short[len(short)-n:]
			if n <= 4 && n < len(short) && !wordEnds(name, n+len(folded)-len(short)) {
				continue
			}
			if sets["passwords"][end] {
				return password
			} else if sets["secrets"][end] {
				return aSecret
			}
		}
		if len(short) < len(folded) || len(folded) < 5 || folded[len(folded)-1] != 's' {
			return hidesNothing
		}
		short = folded[:len(folded)-1] // of several
	}
}

// wordEnds reports whether the last n bytes of a name are a word of their own.
func wordEnds(name string, n int) bool {
	i := len(name) - n
	return i <= 0 || !isAlnum(name[i-1]) || name[i]-'A' < 26 && name[i-1]-'A' >= 26
}

// isSecret reports whether a value is a secret under a name that hides so much.
func (h hides) isSecret(s []byte) bool {
	switch {
	case h == hidesNothing || len(s) == 0 || isReference(s) || sets["plain values"][string(bytes.ToLower(s))]:
		return false
	case h == password:
		return true
	}
	return len(s) > 3 && bytes.IndexByte(s, ' ') < 0 && s[0] != '/' && s[0] != '.' && !isDigits(s, 12)
}

// isReference reports whether a value stands for one that is elsewhere: $(NAME), ${NAME}, {{ .Values.x }}, or was taken
// out before.
func isReference(s []byte) bool {
	return len(s) > 2 && s[0] == '$' || bytes.HasPrefix(s, []byte("{{")) || bytes.HasPrefix(s, []byte("REDACTED"))
}

// prefix is how the tokens of a service begin, with how many characters follow at least, and how many dots are among
// them, 0 for any number.
type prefix struct {
	text        string
	after, dots int
}

// prefixes are the beginnings of secrets that list.txt has, by their first bytes.
var prefixes = func() (all [256][]prefix) {
	for _, row := range sections["prefixes"] {
		after, dots, _ := strings.Cut(row.head, " ")
		p := prefix{}
		p.after, _ = strconv.Atoi(after)
		p.dots, _ = strconv.Atoi(dots)
		for _, p.text = range row.words {
			all[p.text[0]] = append(all[p.text[0]], p)
		}
	}
	return all
}()

// texts finds secrets in texts.
type texts struct {
	names   map[string]hides // what stands under the names in texts
	s, out  []byte
	command bool // s is a command or one of its arguments
	done, n int  // how much of s is in out, and how many secrets were cut
}

// maxNames is how many names in texts are remembered.
const maxNames = 1 << 12

// hides returns what stands under a name.
func (x *texts) hides(name []byte) hides {
	name = name[max(0, len(name)-64):]
	h, known := x.names[string(name)]
	if !known {
		if x.names == nil || len(x.names) >= maxNames { // hostile texts have many
			x.names = map[string]hides{}
		}
		h = hidesBy(string(name), fold(name))
		x.names[string(name)] = h
	}
	return h
}

// cut takes out s[from:to], if nothing behind it was taken out before.
func (x *texts) cut(from, to int) {
	if from >= x.done && from < to && !isReference(x.s[from:to]) {
		x.out = append(append(x.out, x.s[x.done:from]...), "REDACTED"...)
		x.done = to
		x.n++
	}
}

// What of a text holds secrets: a Secret's manifest, a line of pgpass (HOST:PORT:DATABASE:USER:PASSWORD), two quoted words
// that are all of a line, and URLs that are secrets themselves.
var (
	manifest  = regexp.MustCompile(`kind[ "'\\:]*Secret(?:[^0-9A-Za-z]|$)`)
	passLine  = regexp.MustCompile(`(?m)^[^ :\n]*:(?:[0-9]{1,5}|\*):[^ :\n]*:[^ :\n]*:([^ :\r\n]+)\r?$`)
	twoQuoted = regexp.MustCompile(`(?m)^"[^"\n]*" "([^"\n]*)"\r?$`)
	webhook   = regexp.MustCompile(`^/(?:hooks\.slack\.com|api/webhooks)/`)
)

// clean returns s without its secrets, and how many there were. The text is valid until the next call.
func (x *texts) clean(s []byte, command bool) (clean []byte, n int) {
	if len(s) >= len("kind:Secret,data") && bytes.Contains(s, []byte("Secret")) && (bytes.Contains(s, []byte("data")) || bytes.Contains(s, []byte("Data"))) && manifest.Match(s) {
		return []byte("REDACTED"), 1
	}
	x.s, x.out, x.command, x.done, x.n = s, x.out[:0], command, 0, 0
	word, colons, quotes := 0, 0, 0 // where the word began that i is in
	for i, c := range s {
		if prefixes[c] != nil && (i == 0 || !isAlnum(s[i-1]) && s[i-1] != '_') {
			x.prefixed(i)
		}
		switch c {
		case '-':
			if bytes.HasPrefix(s[i:], []byte("-----BEGIN ")) {
				x.block(i)
			}
		case ':':
			colons++
			x.afterName(i)
		case '=', ',':
			x.afterName(i)
		case '@':
			x.userinfo(i)
		case '/':
			if webhook.Match(s[i:]) {
				x.cut(i+1+bytes.IndexByte(s[i+1:], '/'), tokenEnd(s, i))
			}
		case ' ', '\n', '\t', '"', '\'':
			if i > word {
				x.afterWord(word, i)
			}
			word = i + 1
			if c == '"' {
				quotes++
			}
		}
	}
	if colons >= 4 {
		x.all(passLine)
	}
	if quotes >= 4 {
		x.all(twoQuoted)
	}
	if x.n == 0 {
		return s, 0
	}
	return append(x.out, s[x.done:]...), x.n
}

// all cuts what the first group of a pattern has.
func (x *texts) all(pattern *regexp.Regexp) {
	for _, m := range pattern.FindAllSubmatchIndex(x.s, -1) {
		x.cut(m[2], m[3])
	}
}

// block cuts a private key that begins at s[i].
func (x *texts) block(i int) {
	line, _, _ := bytes.Cut(x.s[i:], []byte{'\n'})
	if bytes.Contains(line, []byte("PRIVATE")) || bytes.Contains(line, []byte("SECRET")) {
		key, _, _ := bytes.Cut(x.s[i:], []byte("-----END "))
		x.cut(i, i+len(key))
	}
}

// prefixed cuts the token of a service that begins at s[i].
func (x *texts) prefixed(i int) {
	for _, p := range prefixes[x.s[i]] {
		if bytes.HasPrefix(x.s[i:], []byte(p.text)) {
			to := tokenEnd(x.s, i)
			if to-i-len(p.text) >= p.after && (p.dots == 0 || bytes.Count(x.s[i:to], []byte{'.'}) == p.dots) {
				x.cut(i, to)
			}
		}
	}
}

// tokenEnd returns where the token that begins at s[i] ends.
func tokenEnd(s []byte, i int) int {
	for i < len(s) && (isAlnum(s[i]) || bytes.IndexByte([]byte("-_.$/+={}"), s[i]) >= 0) {
		i++
	}
	return i
}

// inName are the bytes of names in texts, and valued is what stands behind a name: a text in quotes, the beginning of a
// block of YAML, or a word.
var (
	inName = func() (is [256]bool) {
		is = bytesOf(letters + decimals + "_-.")
		for c := 0x80; c < 256; c++ {
			is[c] = true
		}
		return is
	}()
	valued = regexp.MustCompile(`^[ \t:<]*(?:Bearer |Basic )?(?:\\?"((?:[^"\\]|\\[^"])*)|\\?'((?:[^'\\]|\\[^'])*)|([|>])[-+0-9]*[ \t]*\n|([^ \t\n\r"'&;,)}\]` + "`]*))")
)

// afterName cuts the value that follows the name before s[i], which is a colon, an equals sign or a comma.
func (x *texts) afterName(i int) {
	s, end := x.s, i
	for end > 0 && i-end < 4 && bytes.IndexByte([]byte(` "'\`), s[end-1]) >= 0 {
		end--
	}
	from := end
	for from > 0 && end-from < 64 && inName[s[from-1]] {
		from--
	}
	if from == end {
		return
	}
	name := string(s[from:end])
	h := x.hides(s[from:end])
	login := h == hidesNothing && s[i] == '=' && (name == "login" || name == "auth") // USER:PASSWORD
	if h == hidesNothing && !login {
		return
	}
	m := valued.FindSubmatchIndex(s[i+1:])
	for g := range m { // in s
		m[g] += i + 1
	}
	at, to := max(m[2], m[4], m[8]), max(m[3], m[5], m[9])
	switch {
	case s[i] == ',' && m[3] <= i && m[5] <= i:
		return // names a thing in a list
	case m[6] > i && s[i] == ':':
		x.cut(m[7], blockEnd(s, from, m[7]))
		return
	case m[8] > i && s[i] == ':' && h == aSecret && to < len(s) && s[to] == ' ':
		return // a sentence
	}
	if login {
		n := bytes.IndexByte(s[at:to], ':')
		if n < 0 {
			return
		}
		at, h = at+n+1, password
	}
	if h.isSecret(s[at:to]) {
		x.cut(at, to)
	}
}

// blockEnd returns where the lines end that are indented below the line of s[from].
func blockEnd(s []byte, from, at int) int {
	indent := func(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " -")) }
	least := indent(s[bytes.LastIndexByte(s[:from], '\n')+1:])
	end := at
	for line := range bytes.Lines(s[at:]) {
		if end > at && len(bytes.TrimSpace(line)) > 0 && indent(line) <= least {
			return end - 1
		}
		end += len(line)
	}
	return end
}

// userinfo cuts the password in //user:password@host, or in :user/password@ of Oracle, where s[i] is the @.
func (x *texts) userinfo(i int) {
	begin := max(0, i-256)
	from := begin + 1 + bytes.LastIndexFunc(x.s[begin:i], func(c rune) bool { return c <= ' ' || strings.ContainsRune(`"'/@`, c) })
	switch before := x.s[:from]; {
	case bytes.HasSuffix(before, []byte("//")):
		if n := bytes.IndexByte(x.s[from:i], ':'); n >= 0 {
			x.cut(from+n+1, i)
		}
	case bytes.HasSuffix(before, []byte("/")) && bytes.Contains(before[max(0, from-64):], []byte("jdbc:")):
		x.cut(from, i)
	}
}

// afterWord cuts what follows the word s[from:to]: a flag, or a word for a password.
func (x *texts) afterWord(from, to int) {
	word := x.s[from:to]
	name := bytes.TrimLeft(word, "-")
	switch flag := len(word) - len(name); {
	case len(name) == 0:
	case x.command && flag == 1 && len(name) == 1 && bytes.IndexByte([]byte("pPwa"), name[0]) >= 0:
		if a, b := x.next(to); looksSecret(x.s[a:b]) {
			x.cut(a, b)
		}
	case x.command && string(word) == "-u":
		a, b := x.next(to)
		if n := bytes.IndexByte(x.s[a:b], ':'); n > 0 {
			x.cut(a+n+1, b)
		}
	case x.command && string(word) == "vault":
		x.vault(to)
	case string(word) == "Bearer" || string(word) == "Basic":
		if a, b := x.next(to); b-a >= 8 && tokenEnd(x.s, a) == b && len(bytes.Trim(x.s[a:b], letters[:26])) > 0 {
			x.cut(a, b)
		}
	case x.hides(name) == hidesNothing:
	case flag > 0:
		if a, b := x.next(to); b > a && x.s[a] != '-' && x.hides(name).isSecret(x.s[a:b]) {
			x.cut(a, b)
		}
	default: // "requirepass VALUE", "auth-pass NAME VALUE", ": PSK VALUE", "the password is VALUE"
		for a, b, n := to, to, 0; n < 3; n++ {
			a, b = x.next(b)
			if a == b || bytes.IndexByte(x.s[to:a], '\n') >= 0 {
				return
			} else if looksSecret(x.s[a:b]) {
				x.cut(a, b)
				return
			}
		}
	}
}

// looksSecret reports whether a word looks like a password: it has letters, and digits or punctuation within a word.
func looksSecret(s []byte) bool {
	letters, digits, others := 0, 0, 0
	for _, c := range s {
		switch {
		case c|0x20-'a' < 26 || c >= 0x80:
			letters++
		case c-'0' < 10:
			digits++
		case bytes.IndexByte([]byte("/:=,("), c) >= 0:
			return false
		default:
			others++
		}
	}
	return len(s) >= 6 && letters > 0 && digits > 0 && s[0] != '-' && !(others > 0 && s[0]-'0' < 10)
}

// next returns where the word after s[i] is, without its quotes.
func (x *texts) next(i int) (from, to int) {
	parts := func(c byte) bool { return c <= ' ' || c == '"' || c == '\'' }
	for i < len(x.s) && parts(x.s[i]) {
		i++
	}
	for from = i; i < len(x.s) && !parts(x.s[i]); i++ {
	}
	return from, i
}

// vault cuts what vault login and vault kv put are given.
func (x *texts) vault(i int) {
	login := false
	for {
		from, to := x.next(i)
		word := x.s[from:to]
		switch _, value, pair := bytes.Cut(word, []byte{'='}); {
		case from == to || string(word) == ";" || string(word) == "&&" || string(word) == "|":
			return
		case string(word) == "login":
			login = true
		case word[0] == '-':
		case pair:
			x.cut(to-len(value), to)
		case login:
			x.cut(from, to)
		}
		i = to
	}
}
