package redact

import (
	"bytes"
	"strconv"
)

// hides is what a value is under a name.
type hides uint8

const (
	nothing  hides = iota
	aSecret        // a secret, unless it is a path, a sentence or a reference
	password       // a secret, whatever it is
)

// secretNames are the ends of names under which secrets stand, with what a value is there.
var secretNames = func() map[string]hides {
	m := map[string]hides{}
	for w := range sets["passwords"] {
		m[w] = password
	}
	for w := range sets["secrets"] {
		m[w] = aSecret
	}
	return m
}()

// longestName is how many bytes the longest of secretNames has.
const longestName = 24

// hidesBy returns what a value is under a name. Folded is the name in small letters, without what parts its words.
func hidesBy(name, folded string) hides {
	for _, plural := range []string{"", "s"} {
		short := folded
		if plural != "" {
			if len(folded) < 5 || folded[len(folded)-1] != 's' {
				break
			}
			short = folded[:len(folded)-1]
		}
		for n := min(len(short), longestName); n >= 3; n-- {
			h := secretNames[short[len(short)-n:]]
			if h == nothing {
				continue
			}
			if n > 4 || n == len(short) || wordEnds(name, n+len(plural)) {
				return h
			}
		}
	}
	return nothing
}

// wordEnds reports whether the last n bytes of a name are a word of their own.
func wordEnds(name string, n int) bool {
	i := len(name) - n
	if i <= 0 {
		return true
	}
	before, first := name[i-1], name[i]
	return !isAlnum(before) || first-'A' < 26 && before-'A' >= 26
}

// isSecret reports whether a value is a secret under a name that hides so much.
func (h hides) isSecret(s []byte) bool {
	switch {
	case h == nothing || len(s) == 0 || isReference(s) || sets["plain values"][string(bytes.ToLower(s))]:
		return false
	case h == password:
		return true
	}
	return len(s) > 3 && bytes.IndexByte(s, ' ') < 0 && s[0] != '/' && s[0] != '.' && !isDigits(s, 12)
}

// isReference reports whether a value stands for one that is elsewhere: $(NAME), ${NAME}, {{ .Values.x }}, or was taken
// out before.
func isReference(s []byte) bool {
	return len(s) > 0 && (s[0] == '$' && len(s) > 2 || bytes.HasPrefix(s, []byte("{{")) || bytes.HasPrefix(s, []byte("REDACTED")))
}

// flagHides returns what follows a flag, such as --token, as an argument of its own.
func flagHides(flag []byte) hides {
	if bytes.IndexByte(flag, '=') >= 0 || bytes.IndexByte(flag, ' ') >= 0 {
		return nothing
	}
	name := string(bytes.TrimLeft(flag, "-"))
	return hidesBy(name, fold([]byte(name)))
}

// prefix is how the tokens of a service begin, with how many characters follow at least.
type prefix struct {
	text  string
	after int
}

// prefixes are those of list.txt, by their first two characters.
var prefixes = func() map[[2]byte][]prefix {
	all := map[[2]byte][]prefix{}
	for _, row := range sections["prefixes"] {
		after, _ := strconv.Atoi(row.head)
		for _, w := range row.words {
			begin := [2]byte{w[0], w[1]}
			all[begin] = append(all[begin], prefix{w, after})
		}
	}
	return all
}()

// prefixBegins are the first two characters of the prefixes.
var prefixBegins = func() (is [1 << 16]bool) {
	for begin := range prefixes {
		is[uint16(begin[0])<<8|uint16(begin[1])] = true
	}
	return is
}()

// tellsMore are the characters beside which a secret may stand.
var tellsMore = func() (is [256]bool) {
	for _, c := range []byte(":=,@-/ \n\t\"'") {
		is[c] = true
	}
	return is
}()

// texts finds secrets in texts.
type texts struct {
	out   []byte
	names map[string]hides
}

// maxNames is how many names in texts are remembered.
const maxNames = 1 << 12

// hides returns what stands under a name.
func (x *texts) hides(name []byte) hides {
	if h, ok := x.names[string(name)]; ok {
		return h
	}
	if len(name) > 64 {
		name = name[len(name)-64:]
	}
	h := hidesBy(string(name), fold(name))
	if x.names == nil || len(x.names) >= maxNames { // hostile texts have many
		x.names = map[string]hides{}
	}
	x.names[string(name)] = h
	return h
}

// clean returns s without its secrets, and how many there were. The text is valid until the next call.
func (x *texts) clean(s []byte, command bool) (clean []byte, n int) {
	if len(s) >= len("kind:Secret,data") && holdsManifest(s) {
		return []byte("REDACTED"), 1
	}
	x.out = x.out[:0]
	done := 0
	cut := func(from, to int) {
		if from < done || from >= to || isReference(s[from:to]) {
			return
		}
		x.out = append(append(x.out, s[done:from]...), "REDACTED"...)
		done = to
		n++
	}
	word := 0 // where the word began that i is in
	for i := 0; i < len(s); i++ {
		c := s[i]
		if i+1 < len(s) && prefixBegins[uint16(c)<<8|uint16(s[i+1])] && (i == 0 || !isAlnum(s[i-1]) && s[i-1] != '_') {
			x.prefixed(s, i, cut)
		}
		if !tellsMore[c] {
			continue
		}
		switch {
		case c == '-' && bytes.HasPrefix(s[i:], []byte("-----BEGIN ")):
			if line, _, _ := bytes.Cut(s[i:], []byte{'\n'}); bytes.Contains(line, []byte("PRIVATE")) || bytes.Contains(line, []byte("SECRET")) {
				to := len(s)
				if end := bytes.Index(s[i:], []byte("-----END ")); end >= 0 {
					to = i + end
				}
				cut(i, to)
			}
		case c == ':' || c == '=' || c == ',':
			x.afterName(s, i, cut)
		case c == '@':
			from := userinfo(s, i)
			if from > 0 {
				cut(from, i)
			}
		case c == '/' && bytes.HasPrefix(s[i:], []byte("/hooks.slack.com/")), c == '/' && bytes.HasPrefix(s[i:], []byte("/api/webhooks/")):
			cut(i+1+bytes.IndexByte(s[i+1:], '/'), tokenEnd(s, i))
		case c == ' ' || c == '\n' || c == '\t' || c == '"' || c == '\'':
			if i > word {
				x.afterWord(s, word, i, command, cut)
			}
			word = i + 1
		}
	}
	if bytes.IndexByte(s, ':') >= 0 || bytes.IndexByte(s, '"') >= 0 {
		if from, to := fifth(s); to > 0 {
			cut(from, to)
		}
	}
	if n == 0 {
		return s, 0
	}
	x.out = append(x.out, s[done:]...)
	return x.out, n
}

// prefixed cuts the token of a service that begins at s[i].
func (x *texts) prefixed(s []byte, i int, cut func(from, to int)) {
	for _, p := range prefixes[[2]byte{s[i], s[i+1]}] {
		if !bytes.HasPrefix(s[i:], []byte(p.text)) {
			continue
		}
		to := tokenEnd(s, i)
		dots := 0 // how many the token must have
		switch p.text {
		case "eyJ":
			dots = 2
		case "pat":
			dots = 1
		}
		if to-i-len(p.text) >= p.after && (dots == 0 || bytes.Count(s[i:to], []byte{'.'}) == dots) {
			cut(i, to)
		}
	}
}

// holdsManifest reports whether a text has a Secret in it, as YAML or JSON.
func holdsManifest(s []byte) bool {
	for i := 0; ; {
		n := bytes.Index(s[i:], []byte("Secret"))
		if n < 0 {
			return false
		}
		i += n
		before := bytes.TrimRight(s[:i], ` "'\:`)
		if bytes.HasSuffix(before, []byte("kind")) && (bytes.Contains(s, []byte("data")) || bytes.Contains(s, []byte("Data"))) && (i+6 == len(s) || !isAlnum(s[i+6])) {
			return true
		}
		i += len("Secret")
	}
}

// tokenEnd returns where the token that begins at s[i] ends.
func tokenEnd(s []byte, i int) int {
	for i < len(s) && (isAlnum(s[i]) || bytes.IndexByte([]byte("-_.$/+={}"), s[i]) >= 0) {
		i++
	}
	return i
}

// afterName cuts the value that follows the name before s[i], which is a colon, an equals sign or a comma.
func (x *texts) afterName(s []byte, i int, cut func(from, to int)) {
	end := i
	for end > 0 && (s[end-1] == ' ' || s[end-1] == '"' || s[end-1] == '\'' || s[end-1] == '\\') && i-end < 4 {
		end--
	}
	from := end
	for from > 0 && end-from < 64 && (isAlnum(s[from-1]) || s[from-1] == '_' || s[from-1] == '-' || s[from-1] == '.' || s[from-1] >= 0x80) {
		from--
	}
	if from == end {
		return
	}
	h := x.hides(s[from:end])
	login := h == nothing && s[i] == '=' && (string(s[from:end]) == "login" || string(s[from:end]) == "auth")
	if h == nothing && !login {
		return
	}
	at := i + 1
	for at < len(s) && (s[at] == ' ' || s[at] == '\t' || s[at] == ':' || s[at] == '<' || s[at] == '\\' && at+1 < len(s) && (s[at+1] == '"' || s[at+1] == '\'')) {
		at++
	}
	if bytes.HasPrefix(s[at:], []byte("Bearer ")) || bytes.HasPrefix(s[at:], []byte("Basic ")) {
		at += bytes.IndexByte(s[at:], ' ') + 1
	}
	to := at
	switch {
	case at < len(s) && (s[at] == '"' || s[at] == '\''):
		quote := s[at]
		at++
		for to = at; to < len(s) && s[to] != quote && !(s[to] == '\\' && to+1 < len(s) && s[to+1] == quote); {
			to++
		}
	case s[i] == ',':
		return // names a thing in a list
	case at < len(s) && (s[at] == '|' || s[at] == '>') && s[i] == ':': // a block of YAML
		to = blockEnd(s, from, at)
		if at+1 < to {
			cut(at+1, to)
		}
		return
	default:
		for to < len(s) && bytes.IndexByte([]byte(" \t\n\r\"'&;,)}]`"), s[to]) < 0 {
			to++
		}
		if to < len(s) && s[to] == ' ' && s[i] == ':' && h == aSecret {
			return // a sentence
		}
	}
	if login {
		n := bytes.IndexByte(s[at:to], ':')
		if n < 0 {
			return
		}
		at += n + 1
		h = password
	}
	if h.isSecret(s[at:to]) {
		cut(at, to)
	}
}

// blockEnd returns where the lines end that are indented below the line of s[from].
func blockEnd(s []byte, from, at int) int {
	begin := bytes.LastIndexByte(s[:from], '\n') + 1
	indent := 0
	for begin+indent < len(s) && (s[begin+indent] == ' ' || s[begin+indent] == '-') {
		indent++
	}
	end := at
	for {
		n := bytes.IndexByte(s[end:], '\n')
		if n < 0 {
			return len(s)
		}
		line := s[end+n+1:]
		spaces := len(line) - len(bytes.TrimLeft(line, " "))
		if len(line) > spaces && line[spaces] != '\n' && spaces <= indent {
			return end + n
		}
		end += n + 1
	}
}

// userinfo returns where the password begins in //user:password@host, or in :user/password@, where s[i] is the @. It
// returns 0 if there is none.
func userinfo(s []byte, i int) int {
	from := i
	for from > 0 && i-from < 256 && s[from-1] > ' ' && s[from-1] != '"' && s[from-1] != '\'' && s[from-1] != '/' && s[from-1] != '@' {
		from--
	}
	if from > 1 && s[from-1] == '/' && s[from-2] == '/' {
		if n := bytes.IndexByte(s[from:i], ':'); n >= 0 && n+1 < i-from {
			return from + n + 1
		}
		return 0
	}
	if from > 1 && s[from-1] == '/' && i > from && bytes.Contains(s[max(0, from-64):from], []byte("jdbc:")) {
		return from
	}
	return 0
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
		case c == '/' || c == ':' || c == '=' || c == ',' || c == '(':
			return false
		default:
			others++
		}
	}
	return len(s) >= 6 && letters > 0 && digits > 0 && s[0] != '-' && !(others > 0 && s[0]-'0' < 10)
}

// afterWord cuts what follows the word s[from:to]: a flag, or a word for a password.
func (x *texts) afterWord(s []byte, from, to int, command bool, cut func(from, to int)) {
	name := bytes.TrimLeft(s[from:to], "-")
	flag := to - from - len(name)
	h := nothing
	switch {
	case len(name) == 0:
	case flag > 0:
		h = x.hides(name)
		if command && flag == 1 && len(name) == 1 && bytes.IndexByte([]byte("pPwa"), name[0]) >= 0 {
			if a, b := nextWord(s, to); looksSecret(s[a:b]) {
				cut(a, b)
			}
			return
		}
		if command && string(s[from:to]) == "-u" {
			a, b := nextWord(s, to)
			if n := bytes.IndexByte(s[a:b], ':'); n > 0 {
				cut(a+n+1, b)
			}
			return
		}
	case string(name) == "vault" && command:
		vault(s, to, cut)
		return
	case string(name) == "Bearer" || string(name) == "Basic":
		if a, b := nextWord(s, to); b-a >= 8 && tokenEnd(s, a) == b && !plainWord(s[a:b]) {
			cut(a, b)
		}
		return
	default:
		if h = x.hides(name); h == nothing {
			return
		}
		// "requirepass VALUE", "auth-pass NAME VALUE", ": PSK VALUE", "the password is VALUE"
		at := to
		for range 3 {
			a, b := nextWord(s, at)
			if a == b || bytes.IndexByte(s[to:a], '\n') >= 0 {
				return
			}
			if looksSecret(s[a:b]) {
				cut(a, b)
				return
			}
			at = b
		}
		return
	}
	if h > nothing {
		if a, b := nextWord(s, to); b > a && s[a] != '-' && h.isSecret(s[a:b]) {
			cut(a, b)
		}
	}
}

// plainWord reports whether a word has small letters only.
func plainWord(s []byte) bool {
	for _, c := range s {
		if c-'a' >= 26 {
			return false
		}
	}
	return true
}

// nextWord returns the word after s[i], without its quotes.
func nextWord(s []byte, i int) (from, to int) {
	for i < len(s) && (s[i] <= ' ' || s[i] == '"' || s[i] == '\'') {
		i++
	}
	from = i
	for i < len(s) && s[i] > ' ' && s[i] != '"' && s[i] != '\'' {
		i++
	}
	return from, i
}

// vault cuts what vault login and vault kv put are given.
func vault(s []byte, i int, cut func(from, to int)) {
	login := false
	for {
		from, to := nextWord(s, i)
		word := s[from:to]
		if from == to || string(word) == ";" || string(word) == "&&" || string(word) == "|" {
			return
		}
		_, value, pair := bytes.Cut(word, []byte{'='})
		switch {
		case string(word) == "login":
			login = true
		case word[0] == '-':
		case pair:
			cut(to-len(value), to)
		case login:
			cut(from, to)
		}
		i = to
	}
}

// fifth finds the password in a line of pgpass, HOST:PORT:DATABASE:USER:PASSWORD, and the second of two quoted words
// that are all of a line.
func fifth(s []byte) (from, to int) {
	at := 0
	for line := range bytes.Lines(s) {
		begin := at
		at += len(line)
		line = bytes.TrimRight(line, "\r\n")
		if len(line) > 512 {
			continue
		}
		if bytes.Count(line, []byte{':'}) == 4 && bytes.IndexByte(line, ' ') < 0 {
			f := bytes.Split(line, []byte{':'})
			if (isDigits(f[1], 5) || string(f[1]) == "*") && len(f[4]) > 0 {
				return begin + len(line) - len(f[4]), begin + len(line)
			}
		}
		if between := bytes.Index(line, []byte(`" "`)); between > 0 && line[0] == '"' && line[len(line)-1] == '"' && bytes.Count(line, []byte{'"'}) == 4 {
			return begin + between + 3, begin + len(line) - 1
		}
	}
	return 0, 0
}
