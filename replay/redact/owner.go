package redact

import (
	"bytes"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/trace"
)

// Rules say what is taken out of a trace that its owner goes on with.
type Rules uint

// The rules there are.
const (
	// SecretData takes out the data of Secrets, and of other objects in whose kind is the word: a SealedSecret, a
	// SecretStore. The keys stay.
	SecretData Rules = 1 << iota
	// Env takes out the values of environment variables: in containers, and in fields that are called so.
	Env
	// LastApplied takes out the annotations in which kubectl and others keep a copy of the whole object. Env and Paths
	// turn it on, because the copies hold what these take out.
	LastApplied
	// Tokens takes out passwords, tokens and keys, by the names of fields, flags, variables and parameters, and by what
	// they look like.
	Tokens
	// ManagedFields empties metadata.managedFields.
	ManagedFields

	// Default are the owner's rules.
	Default = SecretData | Env | LastApplied | Tokens
)

// ruleNames are the rules, in their order, as the counts and as a command line call them.
var ruleNames = [...]struct {
	name, word string
}{{"secret data", "secrets"}, {"env values", "env"}, {"last-applied annotations", "last-applied"}, {"tokens", "tokens"}, {managedFields, "managed-fields"}}

// Words returns the names of rules for a command line, such as last-applied.
func (rules Rules) Words() (out []string) {
	for i, w := range ruleNames {
		if rules&(1<<i) != 0 {
			out = append(out, w.word)
		}
	}
	return out
}

// Without returns the rules without those that are listed: Words with commas between, or "all". Env turns LastApplied on,
// so last-applied annotations are kept only together with env values.
func (rules Rules) Without(list string) (Rules, error) {
	left := rules
	for word := range strings.SplitSeq(list, ",") {
		word = strings.TrimSpace(word)
		i := slices.IndexFunc(ruleNames[:], func(w struct{ name, word string }) bool { return w.word == word })
		switch {
		case word == "":
		case word == "all":
			left = 0
		case i >= 0 && rules&(1<<i) != 0:
			left &^= 1 << i
		default:
			return 0, fault.Unknown("noneToKeep name", word, append(rules.Words(), "all"))
		}
	}
	return left, nil
}

// The placeholders of what the owner's rules take out. The second is the first in base64.
const (
	placeholder   = `"REDACTED"`
	placeholder64 = `"UkVEQUNURUQ="`
)

// maxRequests is how many requests for Secrets are remembered. When there are more, every answer is taken for Secrets.
const maxRequests = 1 << 20

// kindOf returns the kind of what a request asked for, "" for what holds no secrets.
func (r *Redactor) kindOf(id string) string {
	if len(r.secrets) >= maxRequests {
		return "Secret"
	}
	return r.secrets[id]
}

// noteRequest notes what a request asks for, if it keeps secrets.
func (r *Redactor) noteRequest(id, url string) {
	p, ok := trace.ParsePath(url)
	switch {
	case !ok || !keepsSecrets(p.Resource) || len(r.secrets) >= maxRequests:
	case p.Resource == "secrets":
		r.secrets[id] = "Secret"
	default:
		r.secrets[id] = "OtherSecret"
	}
}

// keepsSecrets reports whether objects of a kind keep secrets.
func keepsSecrets(kind string) bool {
	return strings.Contains(strings.ToLower(kind), "secret") || strings.EqualFold(kind, "Vault")
}

// placement is what is known of a value from where it stands.
type placement struct {
	node           *node  // where the list has it: for the user's paths
	kind           string // of the object, where it doesn't say so
	object         bool   // an object of the API
	secret, base64 bool   // the data of a Secret: all of it goes
	keeper         bool   // part of an object that keeps secrets
	env            bool   // variables
	command        bool
	hidden         hides
}

// applyRules applies the owner's rules to the field k of a line.
func (r *Redactor) applyRules(k int32, name *key, id string) {
	v := k + 1
	p := placement{node: r.line.field(name)}
	switch name.name {
	case "req":
		if u := r.named(v, "url"); u >= 0 {
			url, _ := r.textOf(u)
			r.noteRequest(id, string(url))
		}
	case "body":
		p = placement{object: true, kind: r.kindOf(id), node: r.object}
	case "event":
		p.kind = r.kindOf(id)
	case "end":
		defer delete(r.secrets, id)
	}
	r.ownValue(v, p, name)
}

// take replaces the value at n, unless it is null or was replaced before.
func (r *Redactor) take(n int32, rule Rules, by string) {
	if b := r.tape.Text(n); string(b) != "null" && string(b) != by {
		r.ruled[bits.TrailingZeros(uint(rule))].N++
		r.put(n, by)
	}
}

// ownValue applies the rules to a value.
func (r *Redactor) ownValue(v int32, p placement, name *key) {
	c, leaf := r.tape.First(v), r.tape.Nodes[v].Next == v+1
	switch {
	case p.secret && leaf && c != '{' && c != '[':
		by := placeholder
		if p.base64 {
			by = placeholder64
		}
		r.take(v, SecretData, by)
	case c == '"':
		r.ownText(v, p)
	case leaf:
		if p.hidden == password && (c == '-' || c-'0' < 10) {
			r.take(v, Tokens, placeholder)
		}
	case c == '[':
		r.ownList(v, p, name)
	default:
		r.ownObject(v, p, name)
	}
}

// ownList applies the rules to a list. A flag in it may say what its next element is.
func (r *Redactor) ownList(v int32, p placement, name *key) {
	p.base64 = false
	flag := hidesNothing
	for x := v + 1; x < r.tape.Nodes[v].Next; x = r.tape.Nodes[x].Next {
		q, text := p, r.tape.First(x) == '"'
		q.hidden, q.command = max(p.hidden, flag), p.command && (flag == hidesNothing || !text)
		r.ownValue(x, q, name)
		if flag = hidesNothing; text && r.tape.B[r.tape.Nodes[x].From+1] == '-' {
			if s, _ := r.textOf(x); !bytes.ContainsAny(s, "= ") {
				flag = r.texts.hides(bytes.TrimLeft(s, "-"))
			}
		}
	}
}

// ownObject applies the rules to an object. Name is the field's that has it.
func (r *Redactor) ownObject(n int32, p placement, name *key) {
	kind, says := p.kind, hidesNothing
	for k := n + 1; k < r.tape.Nodes[n].Next; k = r.tape.Nodes[k+1].Next {
		if r.tape.First(k+1) != '"' {
			continue
		}
		switch f := r.keys.find(r.tape.Text(k)); {
		case f.describes:
			text, _ := r.textOf(k + 1)
			says = max(says, r.texts.hides(text))
		case f.folded == "kind":
			text, _ := r.textOf(k + 1)
			kind, p.object = string(text), true
		}
	}
	item := listed(kind)
	if p.object && item == "" {
		p.secret, p.keeper = false, p.keeper || r.has(SecretData) && keepsSecrets(kind)
	}
	isSecret := r.has(SecretData) && p.object && strings.EqualFold(kind, "Secret")
	for k := n + 1; k < r.tape.Nodes[n].Next; k = r.tape.Nodes[k+1].Next {
		v, f := k+1, r.keys.find(r.tape.Text(k))
		c := r.tape.First(v)
		text, list, object := c == '"', c == '[', c == '{'
		q := placement{node: p.node.field(f), secret: p.secret, base64: p.base64, keeper: p.keeper}
		switch {
		case q.node.hasForm(asNothing):
			r.blank(v, q.node)
			continue
		case q.node.hasForm(asCut) && text:
			r.leaf(v, q.node, f)
			continue
		case p.object && f == r.items && list:
			if item == "" {
				item = p.kind
			}
			q = placement{node: r.object, kind: item, object: true}
		case !p.object && f.name == "object" && object:
			q = placement{node: r.object, kind: p.kind, object: true}
		case p.object && f.name == "rows":
			q.kind = p.kind
		case (isSecret || p.keeper) && f.data && r.has(SecretData):
			q.secret, q.base64 = true, isSecret && f.folded == "data"
		case p.secret && text && sets["pair names"][f.folded] && name != nil && r.tape.Nodes[n].Next > v+1:
			q.secret = false // {key: /foo, value: …}
		case f.name == "managedFields" && list: // names of fields
			if r.has(ManagedFields) {
				r.take(v, ManagedFields, "[]")
			}
			continue
		case (isSecret || r.has(LastApplied)) && text && f.copies:
			r.take(v, LastApplied, placeholder)
			continue
		case r.has(Env) && (p.env && (f.folded == "value" || !object && !list && f.folded != "name") || f.envFile && text):
			if string(r.tape.Text(v)) != `""` {
				r.take(v, Env, placeholder)
			}
			continue
		case r.has(Env) && f.env:
			q.env = true
		case f.folded == "command" || f.folded == "args":
			q.command = true
		}
		if r.has(Tokens) && !q.env {
			q.hidden = f.hides
			if f.hides > hidesNothing && (list || object && f.hides < password) {
				q.keeper = q.keeper || r.has(SecretData)
			}
			if object && f.hides < password {
				q.hidden = hidesNothing
			}
			if p.hidden == password && text && !sets["names beside passwords"][f.folded] {
				q.hidden = password
			}
			if f.folded == "value" {
				q.hidden = max(q.hidden, says)
			}
		}
		r.ownValue(v, q, f)
	}
}

// has reports whether a rule holds.
func (r *Redactor) has(rule Rules) bool { return r.rules&rule != 0 }

// ownText applies the rules to a string.
func (r *Redactor) ownText(v int32, p placement) {
	text, size := r.textOf(v)
	switch {
	case p.env && r.has(Env): // NAME=value
		if name, _, ok := bytes.Cut(text, []byte{'='}); ok {
			r.take(v, Env, string(quote(nil, append(bytes.Clone(name), "=REDACTED"...))))
		}
	case !r.has(Tokens):
	case p.hidden.isSecret(text):
		r.take(v, Tokens, placeholder)
	case size >= 4:
		if clean, n := r.texts.clean(text, p.command); n > 0 {
			r.ruled[bits.TrailingZeros(uint(Tokens))].N += int64(n)
			r.put(v, "")
			r.out = quote(r.out, clean)
		}
	}
}

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
