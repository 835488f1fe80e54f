package redact

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The functions of this file replace names, addresses and hosts in a text. They go over
// it once: what was replaced is not looked at again.

// appendPseudonyms appends s with all that is known replaced, and what has the form of an
// address or a domain, and returns how much that was. Where several begin at one place,
// the longest is replaced. With all, each word that is no everyday one is replaced, too.
func (p *pseudonyms) appendPseudonyms(out, s []byte, all bool) (_ []byte, n int) {
	return p.appendDeep(out, s, all, 0)
}

// maxCodedDeep is how deep base64 in base64 is read.
const maxCodedDeep = 2

func (p *pseudonyms) appendDeep(out, s []byte, all bool, deep int) (_ []byte, n int) {
	last, placed, coded := 0, 0, 0 // up to these it is known to be no place, and no text in base64
	mails := bytes.IndexByte(s, '<') >= 0 && bytes.IndexByte(s, '@') >= 0
	put := func(from, to int, by string) {
		out = append(append(out, s[last:from]...), by...)
		last = to
		n++
	}
	for i := 0; i < len(s); {
		c := s[i]
		if c == '=' {
			if from, to := usersAfter(s, i); to > from {
				put(from, to, p.users(s[from:to]))
				i = to
				continue
			}
		}
		if c == ':' {
			if to := trailerEnd(s, i); to > i {
				by, _ := p.appendDeep(nil, s[i+1:to], true, deep)
				put(i+1, to, string(by))
				i = to
				continue
			}
		}
		if c == '/' || c == '\\' {
			if from, to := personalPath(s, i); to > from {
				if !isPseudonym(s[from:to]) && !everyday[string(s[from:to])] {
					put(from, to, p.of(s[from:to]))
				}
				i = to
				continue
			}
		}
		if !isAlnum(c) && c != ':' && c < utf8.RuneSelf {
			i++
			continue
		}
		if i > 0 && s[i-1] == '+' && isDigit(c) {
			if to := phoneEnd(s, i); to > 0 {
				put(i, to, p.id(s[i:to]))
				i = to
				continue
			}
		}
		if mails && c != ':' && (i == 0 || !isAlnum(s[i-1]) && s[i-1] < utf8.RuneSelf) {
			if to := nameBeforeMail(s, i); to > i {
				by, _ := p.appendDeep(nil, s[i:to], true, maxCodedDeep)
				put(i, to, string(by))
				i = to
				continue
			}
		}
		inside := i > 0 && (isWord(s[i-1]) || s[i-1] == '-' || s[i-1] == '.')
		end, by := 0, ""
		if c != ':' && c < utf8.RuneSelf {
			if end, by = p.knownAt(s, i); end == 0 {
				end, by = p.camelAt(s, i)
			}
		}
		if (!inside || s[i-1] == '_') && i >= placed {
			length, with, width := p.placeAt(s, i)
			if with != "" && length > end-i {
				end, by = i+length, with
			} else if with == "" {
				placed = i + width
			}
		}
		if end == 0 && !inside && deep < maxCodedDeep && i >= coded {
			if end, by, coded = p.codedAt(s, i, all, deep); by == "" {
				end = 0
			}
		}
		if end == 0 && !inside && c != ':' && bytes.HasPrefix(s[i:], []byte("arn:")) {
			end, by = p.arn(s, i)
		}
		if end > 0 {
			put(i, end, by)
			if end < len(s) && by != "" {
				if from, to := ownerPath(s, i, end); to > from { // git@host:owner/repository
					put(from, to, p.segments(s[from:to]))
					end = to
				}
			}
			i = end
			continue
		}
		if to := userBefore(s, i); to > 0 && !inside {
			put(i, to, p.of(s[i:to]))
			i = to
			continue
		}
		if owner, to := ownerPath(s, i, i+publicHost(s[i:])); to > owner && !inside {
			put(owner, to, p.segments(s[owner:to]))
			i = to
			continue
		}
		if all && c != ':' {
			end = wordEnd(s, i)
			if word := s[i:end]; !ordinary(word) {
				put(i, end, p.wordOf(word))
			}
			i = max(end, i+1)
			continue
		}
		for i++; c != ':' && i < len(s) && isAlnum(s[i]); i++ {
		}
	}
	return append(out, s[last:]...), n
}

// knownAt returns the end and the pseudonym of the longest known name that begins at i.
func (p *pseudonyms) knownAt(s []byte, i int) (end int, by string) {
	if i > 0 && isAlnum(s[i-1]) {
		return 0, ""
	}
	var room [64]byte
	head := headOf(room[:0], s[i:])
	most := p.heads[string(head)] // few words of a text begin a name
	for j, words := i+len(head)-1, 1; j < len(s) && words <= most; j++ {
		if !isAlnum(s[j]) {
			words++
		} else if j+1 == len(s) || !isAlnum(s[j+1]) {
			if known, ok := p.known[string(s[i:j+1])]; ok {
				end, by = j+1, known
			} else if folded, ok := p.known[foldedName(s[i:j+1])]; ok {
				end, by = j+1, likeName(folded, s[i:j+1])
			}
		}
	}
	return end, by
}

// camelAt returns the end and the pseudonym of the longest known name of several words that
// begins at i and is written without dashes, a capital at each word: NameOfX.
func (p *pseudonyms) camelAt(s []byte, i int) (end int, by string) {
	if i > 0 && isAlnum(s[i-1]) {
		return 0, ""
	}
	var room [128]byte
	folded := room[:0]
	for j, words := i, 0; j <= len(s) && j-i < maxName; j++ {
		over := j == len(s) || !isAlnum(s[j])
		if capital := !over && j > i && 'A' <= s[j] && s[j] <= 'Z' && !('A' <= s[j-1] && s[j-1] <= 'Z'); over || capital {
			if words++; words == 1 {
				if over || p.heads[string(folded)] < 2 {
					return end, by
				}
			} else if known, ok := p.known[string(folded)]; ok {
				end, by = j, camel(known)
			}
			if over {
				break
			}
			folded = append(folded, '-')
		}
		folded = append(folded, lower(s[j]))
	}
	return end, by
}

// camel writes a name without dashes, a capital at each word.
func camel(name string) string {
	var out []byte
	begins := true
	for i := range len(name) {
		c := name[i]
		if !isAlnum(c) {
			begins = true
			continue
		}
		if begins && 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		begins = false
		out = append(out, c)
	}
	return string(out)
}

// foldedName returns a name as it stands in variables, NAME_OF_X, made a name again. It is ""
// for what is no such name.
func foldedName(s []byte) string {
	upper := false
	for _, c := range s {
		if 'A' <= c && c <= 'Z' {
			upper = true
		}
		if !isWord(c) && c != '-' {
			return ""
		}
	}
	if !upper && bytes.IndexByte(s, '_') < 0 {
		return ""
	}
	return strings.ReplaceAll(strings.ToLower(string(s)), "_", "-")
}

// likeName gives a pseudonym the case and the dashes of what it stands for.
func likeName(by string, s []byte) string {
	if string(s) == strings.ToUpper(string(s)) {
		by = strings.ToUpper(by)
		if bytes.IndexByte(s, '-') < 0 {
			by = strings.ReplaceAll(by, "-", "_")
		}
	}
	return by
}

// placeAt returns the length and the pseudonym of the address, host or domain that begins
// at i, and how far there is no other.
func (p *pseudonyms) placeAt(s []byte, i int) (length int, by string, width int) {
	end, escaped := i, false
	for end < len(s) && end-i < 254 {
		c := s[end]
		if c == '\\' && end+2 < len(s) && s[end+1] == '.' && isAlnum(s[end+2]) { // of a regular expression
			escaped, end = true, end+1
			continue
		}
		if !isWord(c) && c != '-' && c != '.' && c != ':' {
			break
		}
		end++
	}
	word := bytes.TrimRight(s[i:end], ".:-")
	if escaped {
		if _, by = p.place(bytes.ReplaceAll(word, []byte(`\`), nil)); by != "" {
			return len(word), by, end - i
		}
		return 0, "", end - i
	}
	switch {
	case len(word) < 3:
	case i > 2 && string(s[i-3:i]) == "://" && s[i] != ':' && !isPseudonym(word) && !p.made[string(word)]:
		if by = p.host(word); by == string(word) {
			by = ""
		}
		return len(word), by, end - i
	default:
		word, by = p.place(word)
		return len(word), by, end - i
	}
	return 0, "", end - i
}

// codedAt replaces the text in base64 that begins at i, if there is anything to replace
// in it.
func (p *pseudonyms) codedAt(s []byte, i int, all bool, deep int) (end int, by string, run int) {
	for end = i; end < len(s) && (isWord(s[end]) || s[end] == '+' || s[end] == '/' || s[end] == '-'); {
		end++
	}
	whole := end
	for whole < len(s) && s[whole] == '=' && whole-end < 2 {
		whole++
	}
	if end-i < 12 || isHex(s[i:end]) {
		return 0, "", whole
	}
	text, ok := decoded(nil, s[i:whole])
	if !ok {
		return 0, "", whole
	}
	mapped, n := p.appendDeep(nil, text, all, deep+1)
	if n == 0 {
		return 0, "", whole
	}
	codec := base64.StdEncoding
	if bytes.ContainsAny(s[i:end], "-_") {
		codec = base64.URLEncoding
	}
	if whole == end && (end-i)%4 != 0 {
		codec = codec.WithPadding(base64.NoPadding)
	}
	return whole, codec.EncodeToString(mapped), whole
}

// phoneEnd returns where the telephone number ends whose first digit, after a plus, is at
// i. It returns 0 if there is none.
func phoneEnd(s []byte, i int) (to int) {
	digits := 0
	for j := i; j < len(s) && j-i < 25; j++ {
		switch c := s[j]; {
		case isDigit(c):
			digits++
			to = j + 1
		case c != ' ' && c != '-' && c != '(' && c != ')' && c != '/' && c != '.':
			j = len(s)
		}
	}
	if digits < 8 || digits > 15 {
		return 0
	}
	return to
}

// wordEnd returns where the word ends that begins at i.
func wordEnd(s []byte, i int) int {
	for i < len(s) {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRune(s[i:])
			if !isLetter(r) {
				break
			}
			i += n
			continue
		}
		if !isWord(c) && (c != '-' && c != '.' || i+1 >= len(s) || !isAlnum(s[i+1]) && s[i+1] < utf8.RuneSelf) {
			break
		}
		i++
	}
	return i
}

func isLetter(r rune) bool { return unicode.In(r, unicode.L, unicode.M, unicode.Nd) }

// ordinary reports whether a word tells nothing of whom it is about: a small number, a
// version, a word of the API.
func ordinary(word []byte) bool {
	if len(word) < 3 && word != nil && (len(word) == 0 || word[0] < utf8.RuneSelf) || isPseudonym(word) || isVersion(word) || string(word) == redacted {
		return true
	}
	lower := strings.ToLower(string(word))
	return everyday[lower] || plainValues[lower] || ordinaryWords[lower]
}

// isVersion reports whether a word is a number of at most four digits, or several with
// dots between, as v1.2.3.
func isVersion(word []byte) bool {
	digits := 0
	for i, c := range word {
		switch {
		case isDigit(c):
			if digits++; digits > 4 {
				return false
			}
		case c == '.':
			digits = 0
		case i > 0 || c != 'v':
			return false
		}
	}
	return true
}

// wordOf returns the pseudonym of a word: digits for digits.
func (p *pseudonyms) wordOf(word []byte) string {
	if portLike(word) {
		return p.id(word)
	}
	if by, ok := p.known[string(word)]; ok {
		return by
	}
	return p.of(word)
}
