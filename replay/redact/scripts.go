package redact

import (
	"bytes"
	"strings"
)

// The functions of this file find secrets by what a script does with them: it writes them to
// a file or to a program, or hands them to a function.

// hereDocument finds the lines that a command such as cat > FILE <<EOF writes, where the
// file is one for a secret.
func (x *texts) hereDocument(s []byte, i int) (from, to int, why string) {
	line := s[i : i+lineLength(s[i:])]
	mark := bytes.Index(line, []byte("<<"))
	if mark < 0 || len(line) > 4*maxName {
		return 0, 0, ""
	}
	end := bytes.TrimLeft(line[mark+2:], "-~ \t")
	n := 0
	for n < len(end) && (isWord(end[n]) || n == 0 && (end[n] == '\'' || end[n] == '"' || end[n] == '\\')) {
		n++
	}
	end = bytes.Trim(end[:n], "'\"\\")
	if len(end) == 0 || !x.secretFile(s, fileOf(line)) {
		return 0, 0, ""
	}
	from = i + len(line) + 1
	for at := from; at < len(s); {
		n := lineLength(s[at:])
		if bytes.Equal(bytes.TrimLeft(s[at:at+n], "\t "), end) {
			to = at - 1
			break
		}
		at += n + 1
	}
	if to <= from || string(s[from:to]) == redacted {
		return 0, 0, ""
	}
	return from, to, "what a file for a secret holds"
}

// fileOf returns the file that a command writes, as in cat > FILE or tee FILE.
func fileOf(line []byte) []byte {
	rest, is := bytes.CutPrefix(line, []byte("tee "))
	if at := bytes.IndexByte(line, '>'); at >= 0 {
		rest, is = bytes.TrimLeft(line[at:], "> "), true
	}
	rest = bytes.TrimLeft(rest, " -a")
	if !is {
		return nil
	}
	n := 0
	for n < len(rest) && (isTokenChar(rest[n]) || rest[n] == '$' || rest[n] == '{' || rest[n] == '}') {
		n++
	}
	return rest[:n]
}

// secretFile reports whether a file's name says that it holds a secret, or whether the name
// of a flag or a variable of the same text says so that has the file for a value.
func (x *texts) secretFile(s, file []byte) bool {
	if len(file) < 3 {
		return false
	}
	if base := file[bytes.LastIndexByte(file, '/')+1:]; x.names.of(base) >= aSecret {
		return true
	}
	for at := 0; ; {
		n := bytes.Index(s[at:], file)
		if n < 0 {
			return false
		}
		at += n
		name := nameBefore(s, 0, len(bytes.TrimRight(s[:at], "= \"'")))
		for _, end := range []string{"file", "path", "File", "Path", "FILE", "PATH", "-", "_"} {
			name = bytes.TrimSuffix(name, []byte(end))
		}
		if len(name) > 0 && x.names.of(name) >= aSecret {
			return true
		}
		at += len(file)
	}
}

// accounts finds the passwords in the lines NAME:PASSWORD of cloud-init's chpasswd, which
// stands at i, and those that are indented below it.
func (x *texts) accounts(s []byte, i, end int, starts bool) (from, to int, why string) {
	if !starts || end >= len(s) || s[end] != ':' {
		return 0, 0, ""
	}
	margin, at := indent(s[lineOf(s, i):]), i+lineLength(s[i:])+1
	x.more = x.more[:0]
	for at < len(s) {
		n := lineLength(s[at:])
		line := s[at : at+n]
		if len(bytes.TrimSpace(line)) > 0 && indent(line) <= margin {
			break
		}
		if from, to := accountOf(line); to > from {
			x.more = append(x.more, piece{at + from, at + to})
		}
		at += n + 1
	}
	if len(x.more) == 0 {
		return 0, 0, ""
	}
	from, to = x.more[0].from, x.more[0].to
	x.more = x.more[1:]
	return from, to, "password of a user"
}

// accountOf finds the password in a line such as NAME:PASSWORD. R and RANDOM have one made.
func accountOf(line []byte) (from, to int) {
	begin := len(line) - len(bytes.TrimLeft(line, " \t-\"'"))
	name, rest, ok := bytes.Cut(line[begin:], []byte{':'})
	value := bytes.TrimRight(rest, " \t\r\"'")
	if !ok || !isName(string(name)) || len(value) == 0 || value[0] == ' ' || string(value) == "R" || string(value) == "RANDOM" || string(value) == redacted {
		return 0, 0
	}
	from = begin + len(name) + 1
	return from, from + len(value)
}

// echoed finds the secret in echo SECRET | PROGRAM, where the program reads it, and in
// echo SECRET > FILE, where the file is one for a secret.
func (x *texts) echoed(s []byte, i int) (from, to int, why string) {
	var end int
	x.words, end = wordsOf(x.words[:0], s, i)
	at := 1
	for at < len(x.words) && (s[x.words[at].from] == '-' || s[x.words[at].from] == '%') {
		at++
	}
	if at+1 < len(x.words) && s[x.words[at+1].from] == '>' {
		from, to = x.words[at].from, x.words[at].to
		if line := s[x.words[at+1].from:]; password.isSecret(s[from:to]) && x.secretFile(s, fileOf(line[:lineLength(line)])) {
			return from, to, "what a file for a secret holds"
		}
		return 0, 0, ""
	}
	if at != len(x.words)-1 || end >= len(s) || s[end] != '|' {
		return 0, 0, ""
	}
	from, to = x.words[at].from, x.words[at].to
	var into []piece
	into, _ = wordsOf(into, s, end+1)
	for n, w := range into {
		name := s[w.from:w.to]
		name = name[bytes.LastIndexByte(name, '/')+1:]
		if !isTaker[string(name)] {
			if n > 2 {
				break
			}
			continue
		}
		if string(name) == "chpasswd" {
			colon := bytes.IndexByte(s[from:to], ':')
			if colon < 0 {
				return 0, 0, ""
			}
			from += colon + 1
		}
		if string(name) == "sudo" && n+1 < len(into) && s[into[n+1].from] != '-' {
			continue // the program after it reads
		}
		for _, tail := range []string{`\n`, `\r`} {
			for bytes.HasSuffix(s[from:to], []byte(tail)) {
				to -= len(tail)
			}
		}
		if !password.isSecret(s[from:to]) {
			return 0, 0, ""
		}
		return from, to, "value for " + string(name)
	}
	return 0, 0, ""
}

// expected finds what a script of expect sends when it was asked for a password.
func expected(s []byte, i, end int) (from, to int, why string) {
	before := bytes.ToLower(s[max(0, i-200):i])
	at := bytes.LastIndex(before, []byte("expect"))
	if at < 0 {
		return 0, 0, ""
	}
	asked := before[at:]
	if !bytes.Contains(asked, []byte("assword")) && !bytes.Contains(asked, []byte("assphrase")) && !bytes.Contains(asked, []byte("passcode")) && !bytes.Contains(asked, []byte("pin")) {
		return 0, 0, ""
	}
	for from = end; from < len(s) && s[from] != '"' && s[from] != '\n' && s[from] != '{'; {
		from++
	}
	if from >= len(s) || s[from] != '"' {
		return 0, 0, ""
	}
	from, to = quoted(s, from)
	for to-2 >= from && s[to-2] == '\\' && (s[to-1] == 'r' || s[to-1] == 'n') {
		to -= 2
	}
	if !password.isSecret(s[from:to]) {
		return 0, 0, ""
	}
	return from, to, "value for a question"
}

// called finds the value in define('NAME', 'value') and other calls with a name and a
// value, and the password in calls of functions that take one. The comma stands at i.
func (x *texts) called(s []byte, low, i int) (from, to int, why string) {
	end := i
	for end > low && s[end-1] == ' ' {
		end--
	}
	h := nothing
	var name []byte
	if end-2 >= low && (s[end-1] == '"' || s[end-1] == '\'') {
		name = nameBefore(s, low, end-1)
		if at := end - 1 - len(name); len(name) > 0 && at-2 >= low && s[at-1] == s[end-1] && s[at-2] == '(' {
			h = x.names.of(name)
		}
	}
	if next := bytes.TrimLeft(s[i+1:min(len(s), i+10)], " \n\t"); len(next) == 0 || next[0] != '"' && next[0] != '\'' {
		return 0, 0, ""
	}
	if function, before := callBefore(s, low, i); h == nothing && len(function) > 0 {
		folded := strings.ToLower(string(function))
		if before == 1 && credentialCalls[folded] || before == 2 && connectionCalls[folded] {
			name, h = function, password
		}
	}
	if h == nothing {
		return 0, 0, ""
	}
	for from = i + 1; s[from] == ' ' || s[from] == '\n' || s[from] == '\t'; {
		from++
	}
	from, to = quoted(s, from)
	if !h.isSecret(s[from:to]) {
		return 0, 0, ""
	}
	return from, to, "value of " + string(name)
}

// callBefore returns the function whose arguments the comma at i parts, and how many stand
// before it. They are words or texts in quotes.
func callBefore(s []byte, low, i int) (function []byte, before int) {
	for low = max(low, i-4*maxName); i > low; {
		for i > low && (s[i-1] == ' ' || s[i-1] == '\n' || s[i-1] == '\t') {
			i--
		}
		if i > low && (s[i-1] == '"' || s[i-1] == '\'') {
			open := bytes.LastIndexByte(s[low:i-1], s[i-1])
			if open < 0 {
				return nil, 0
			}
			i = low + open
		} else {
			for i > low && (isWord(s[i-1]) || s[i-1] == '.' || s[i-1] == '$' || s[i-1] == '-') {
				i--
			}
		}
		before++
		for i > low && (s[i-1] == ' ' || s[i-1] == '\n' || s[i-1] == '\t') {
			i--
		}
		switch {
		case i <= low:
			return nil, 0
		case s[i-1] == ',':
			i--
		case s[i-1] == '(':
			name := nameBefore(s, low, i-1)
			return name[bytes.LastIndexByte(name, '.')+1:], before
		default:
			return nil, 0
		}
	}
	return nil, 0
}
