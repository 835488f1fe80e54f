package redact

import (
	"bytes"
	"slices"
	"strings"
)

// position is a rule of positions.
type position struct {
	words []string
	line  bool // it must begin a line
}

// positionsBy are the rules by their first words.
var positionsBy = func() map[string][]position {
	by := map[string][]position{}
	for rule := range strings.SplitSeq(positions.words, "\n") {
		rule, line := strings.CutPrefix(strings.TrimSpace(rule), "^")
		p := position{strings.Fields(rule), line}
		for first := range strings.SplitSeq(p.words[0], "|") {
			by[first] = append(by[first], p)
		}
	}
	return by
}()

// beginsPosition are the first letters of these words, and of echo and printf.
var beginsPosition = func() (is [256]bool) {
	for first := range positionsBy {
		is[first[0]] = true
	}
	is['e'], is['p'], is['h'], is['s'], is['c'], is['t'] = true, true, true, true, true, true
	return is
}()

// piece is text[from:to].
type piece struct{ from, to int }

// maxWordsOf is how many words of a command are looked at.
const maxWordsOf = 40

// wordsOf appends the words of the command that begins at i, without their quotes, and
// returns where the command ends.
func wordsOf(out []piece, s []byte, i int) (_ []piece, end int) {
	for len(out) < maxWordsOf {
		for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\\' && i+1 < len(s) && s[i+1] == '\n' || s[i] == '\n' && i > 0 && s[i-1] == '\\') {
			i++
		}
		if i >= len(s) || endsCommand(s[i]) {
			break
		}
		if c := s[i]; c == '"' || c == '\'' {
			from, to := quoted(s, i)
			out = append(out, piece{from, to})
			i = min(to+1, len(s))
			continue
		}
		from := i
		for i < len(s) && s[i] > ' ' && !endsCommand(s[i]) && s[i] != '"' && s[i] != '\'' {
			i++
		}
		if i < len(s) && (s[i] == '"' || s[i] == '\'') && i > from { // --flag="a b", user%'x'
			_, to := quoted(s, i)
			i = min(to+1, len(s))
		}
		out = append(out, piece{from, i})
		if i == from {
			i++
		}
	}
	return out, i
}

func endsCommand(c byte) bool {
	return c == '\n' || c == '\r' || c == ';' || c == '|' || c == '&' || c == '`' || c == ')'
}

// positioned finds a secret that the command or line which begins at i has in a place of
// its own.
func (x *texts) positioned(s []byte, i int, starts bool) (from, to int, why string) {
	end := i
	for end < len(s) && end-i < 32 && (isWord(s[end]) || s[end] == '-' || s[end] == '.') {
		end++
	}
	first := string(s[i:end])
	switch first {
	case "echo", "printf":
		return x.echoed(s, i)
	case "cat", "tee":
		return x.hereDocument(s, i)
	case "chpasswd":
		return x.accounts(s, i, end, starts)
	case "htpasswd":
		x.words, _ = wordsOf(x.words[:0], s, i)
		if n := htpasswd(s, x.words); n >= 0 && password.isSecret(s[x.words[n].from:x.words[n].to]) {
			return x.words[n].from, x.words[n].to, "value of htpasswd"
		}
		return 0, 0, ""
	case "send":
		if starts {
			return expected(s, i, end)
		}
		return 0, 0, ""
	case "user":
		if from, to := aclPassword(s, i, starts); to > from {
			return from, to, "value of user"
		}
	}
	rules := positionsBy[first]
	if rules == nil {
		return 0, 0, ""
	}
	x.words, _ = wordsOf(x.words[:0], s, i)
	x.more = x.more[:0]
	for _, rule := range rules {
		if rule.line && !starts {
			continue
		}
		n, sign := rule.find(s, x.words)
		if n < 0 {
			continue
		}
		from, to = x.words[n].from, x.words[n].to
		if sign != 0 {
			from += bytes.IndexByte(s[from:to], sign) + 1
		}
		if at := bytes.LastIndexByte(s[from:to], '@'); sign == '/' && at > 0 { // the database follows
			to = from + at
		}
		value := s[from:to]
		if !password.isSecret(value) || value[0] == '-' || string(value) == redacted || rule.line && !looksSecret(value) && n+1 < len(x.words) {
			continue
		}
		if p := (piece{from, to}); !slices.Contains(x.more, p) {
			x.more = append(x.more, p)
		}
	}
	if len(x.more) == 0 {
		return 0, 0, ""
	}
	slices.SortFunc(x.more, func(a, b piece) int { return a.from - b.from })
	from, to = x.more[0].from, x.more[0].to
	x.more = x.more[1:]
	return from, to, "value of " + first
}

// find returns which of the words is the rule's secret, and the sign that it follows
// within that word, 0 for none. It returns -1 where the words are not the rule's.
func (p *position) find(s []byte, words []piece) (n int, sign byte) {
	var match func(rule []string, at int) int
	match = func(rule []string, at int) int {
		for k, want := range rule {
			if want == "…" {
				for next := at; next < len(words); next++ {
					if n := match(rule[k+1:], next); n >= 0 {
						return n
					}
				}
				return -1
			}
			if at >= len(words) && want != "~" {
				return -1
			}
			var word []byte
			if at < len(words) {
				word = s[words[at].from:words[at].to]
			}
			switch {
			case strings.HasSuffix(want, "PASS"):
				sign = 0
				if want != "PASS" {
					sign = want[len(want)-len("PASS")-1]
					if c := bytes.IndexByte(word, sign); c <= 0 || c+1 >= len(word) || word[0] == '@' {
						return -1
					}
				}
				return at
			case want == "~":
				for at < len(words) && s[words[at].from] == '-' {
					at++
				}
				continue
			case want == "*":
			case !slices.Contains(strings.Split(want, "|"), string(word)):
				return -1
			}
			at++
		}
		return -1
	}
	if len(p.words) == 0 {
		return -1, 0
	}
	return match(p.words[1:], 1), sign
}

// htpasswd returns which of the words is the password of htpasswd -b [FILE] USER PASSWORD,
// -1 for none.
func htpasswd(s []byte, words []piece) int {
	at, batch, prints := 1, false, false
	for ; at < len(words) && words[at].to > words[at].from && s[words[at].from] == '-'; at++ {
		flags := s[words[at].from:words[at].to]
		batch = batch || bytes.IndexByte(flags, 'b') > 0
		prints = prints || bytes.IndexByte(flags, 'n') > 0
		if last := flags[len(flags)-1]; last == 'C' || last == 'r' { // which take a number
			at++
		}
	}
	if at += 2; prints {
		at--
	}
	if !batch || at >= len(words) {
		return -1
	}
	return at
}

// aclPassword finds the password in a user of Redis, such as user NAME on >PASSWORD ~*.
func aclPassword(s []byte, i int, starts bool) (from, to int) {
	if !starts && !bytes.HasSuffix(bytes.ToLower(bytes.TrimRight(s[max(0, i-12):i], " ")), []byte("set")) {
		return 0, 0
	}
	words, _ := wordsOf(nil, s, i)
	for _, w := range words[min(len(words), 2):] {
		if c := s[w.from]; (c == '>' || c == '<' || c == '#') && w.to-w.from > 1 && string(s[w.from+1:w.to]) != redacted {
			return w.from + 1, w.to
		}
	}
	return 0, 0
}

// account finds the password in name:password:1001:100, as some programs take users.
func account(s []byte, i int) (from, to int, why string) {
	fields := [4]piece{}
	at := i
	for n := range fields {
		begin := at
		for at < len(s) && at-begin < 64 && s[at] > ' ' && s[at] != ':' && s[at] != '"' && s[at] != '\'' && s[at] != '/' && s[at] != ',' {
			at++
		}
		fields[n] = piece{begin, at}
		if at == begin || n < 3 && (at >= len(s) || s[at] != ':') {
			return 0, 0, ""
		}
		at++
	}
	field := func(n int) []byte { return s[fields[n].from:fields[n].to] }
	if !isPort(field(2)) || !isPort(field(3)) || !looksSecret(field(1)) || !isName(string(field(0))) || isPort(field(0)) {
		return 0, 0, ""
	}
	return fields[1].from, fields[1].to, "password of a user"
}

// foreignSpoken finds the value after the word for a password in another language, which
// ends at i: "mot de passe « x »", "密码：x", "пароль x". The word may be followed by a
// colon of any width, a verb, or quotation marks of any kind.
func (x *texts) foreignSpoken(s []byte, i int) (from, to int, why string) {
	rest := s[i:min(len(s), i+4*maxName)]
	marked := false
	for {
		trimmed := bytes.TrimLeft(rest, " \t\"*")
		for _, mark := range []string{"：", "＝", ":", "=", "«", "「", "『", "“", "„", "‘", "“", "`", "'", "是", "为", "為", "は", "\u00a0", "\u202f", "est ", "es ", "ist ", "é ", "è ", "jest ", "är "} {
			if cut, ok := bytes.CutPrefix(trimmed, []byte(mark)); ok {
				trimmed, marked = cut, true
				break
			}
		}
		if len(trimmed) == len(rest) {
			break
		}
		rest = trimmed
	}
	from = min(len(s), i+4*maxName) - len(rest)
	to = from
	for to < len(s) && to-from < 2*maxName && s[to] > ' ' && s[to] != '"' && s[to] != '\'' && s[to] != '`' && s[to] != '<' {
		for _, mark := range []string{"»", "」", "』", "”", "’", "，", "。", "；", "\u00a0", "\u202f", "、", "）", "\\n"} {
			if bytes.HasPrefix(s[to:], []byte(mark)) {
				return x.foreignValue(s, from, to, marked)
			}
		}
		to++
	}
	return x.foreignValue(s, from, to, marked)
}

func (x *texts) foreignValue(s []byte, from, to int, marked bool) (_, _ int, why string) {
	for to > from && bytes.IndexByte([]byte(".,;:!?)"), s[to-1]) >= 0 && !marked {
		to--
	}
	value := s[from:to]
	if !password.isSecret(value) || !marked && !looksSecret(value) {
		return 0, 0, ""
	}
	ascii := false // a value without a letter or a digit of ASCII is more of the sentence
	for _, c := range value {
		ascii = ascii || isAlnum(c)
	}
	if !ascii {
		return 0, 0, ""
	}
	return from, to, "value of a password"
}
