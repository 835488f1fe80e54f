package redact

import "bytes"

// opens tells whether what a field, a parameter or a header of that name holds
// opens doors. Its case doesn't matter, nor do separators within.
func opens(name []byte) bool {
	n := len(name)
	if n < 5 {
		return false
	}
	switch string([]byte{lower(name[n-2]), lower(name[n-1])}) {
	case "en", "rd", "wd", "se", "ey", "et", "on", "ie":
	default:
		return false
	}
	var buf [20]byte
	at := len(buf)
	for i := n - 1; i >= 0 && at > 0; i-- {
		if c := lower(name[i]); c != '-' && c != '_' && c != '.' {
			at--
			buf[at] = c
		}
	}
	for _, end := range []string{"token", "password", "passwd", "passphrase", "apikey", "accesskey", "privatekey", "clientsecret", "sharedsecret", "authorization", "cookie"} {
		if bytes.HasSuffix(buf[at:], []byte(end)) {
			return true
		}
	}
	return false
}

// opensInURL is opens for a URL's parameters, where signatures count too.
func opensInURL(name []byte) bool {
	if opens(name) {
		return true
	}
	switch s := fold(string(name)); s {
	case "sig", "signature", "x-amz-signature", "x-amz-credential", "x-goog-signature", "x-goog-credential":
		return true
	}
	return false
}

const redacted = "REDACTED"

// appendWithoutTokens appends s without the tokens that stand in it. It says how
// many there were.
func appendWithoutTokens(out, s []byte) (_ []byte, n int) {
	last := 0
	for i := 0; i < len(s); i++ {
		from, to := 0, 0
		switch s[i] {
		case '=':
			from, to = assigned(s, last, i, 1)
		case '%':
			if i+2 < len(s) && s[i+1] == '3' && lower(s[i+2]) == 'd' {
				from, to = assigned(s, last, i, 3)
			}
		case ':':
			from, to = header(s, last, i)
		case 'b', 'B':
			from, to = scheme(s, i)
		case 'e':
			from, to = webToken(s, i)
		case '@':
			from, to = userInfo(s, last, i)
		default:
			continue
		}
		if to <= from || string(s[from:to]) == redacted {
			continue
		}
		out = append(append(out, s[last:from]...), redacted...)
		last, i = to, to-1
		n++
	}
	return append(out, s[last:]...), n
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

func isTokenChar(c byte) bool {
	return isWord(c) || c == '-' || c == '.' || c == '~' || c == '+' || c == '/' || c == '=' || c == '%'
}

// maxName is how long the names are that are looked at: looking back may not
// make the time that a text takes grow with its square.
const maxName = 100

// nameBefore is the name that ends at i, and not before low.
func nameBefore(s []byte, low, i int) []byte {
	from := i
	for low = max(low, i-maxName); from > low && (isWord(s[from-1]) || s[from-1] == '-' || s[from-1] == '.' || s[from-1] == '%'); {
		from--
	}
	return s[from:i]
}

// assigned finds the value in "token=value", where the sign at i is n bytes long.
func assigned(s []byte, low, i, n int) (from, to int) {
	name := nameBefore(s, low, i)
	if bytes.IndexByte(name, '%') >= 0 {
		// What stands before it may be encoded separators, too.
		name = []byte(unescape(string(name)))
		name = nameBefore(name, 0, len(name))
	}
	if !opensInURL(name) {
		return 0, 0
	}
	from = i + n
	if from < len(s) && (s[from] == '"' || s[from] == '\'') {
		return quoted(s, from)
	}
	for to = from; to < len(s); to++ {
		switch c := s[to]; {
		case c <= ' ', c == '&', c == '"', c == '\'', c == '<', c == '>', c == '#':
			return from, to
		case n == 3 && c == '%' && to+2 < len(s) && s[to+1] == '2' && s[to+2] == '6':
			return from, to
		}
	}
	return from, to
}

// quoted is what stands within the quotes of which the first is s[i].
func quoted(s []byte, i int) (from, to int) {
	for to = i + 1; to < len(s) && s[to] != s[i]; to++ {
		if s[to] == '\\' {
			to++
		}
	}
	return i + 1, min(to, len(s))
}

// header finds the value of a header as HTTP has it, "X-Auth-Token: value", and
// of a field of JSON within a text.
func header(s []byte, low, i int) (from, to int) {
	end := i
	field := end > low && (s[end-1] == '"' || s[end-1] == '\'')
	if field {
		end--
	}
	if end > low && s[end-1] == '\\' { // JSON within JSON
		end--
	}
	name := nameBefore(s, low, end)
	if !opens(name) {
		return 0, 0
	}
	from = i + 1
	for from < len(s) && s[from] == ' ' {
		from++
	}
	if field {
		if from < len(s) && s[from] == '\\' {
			from++
			if from >= len(s) {
				return 0, 0
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
		return 0, 0
	}
	if bytes.IndexByte(name, '-') < 0 && fold(string(name)) != "authorization" && fold(string(name)) != "cookie" {
		return 0, 0 // a sentence, maybe
	}
	for to = from; to < len(s) && s[to] != '\n' && s[to] != '\r' && s[to] != '"' && s[to] != '\''; {
		to++
	}
	return from, to
}

// scheme finds what follows "Bearer" or "Basic".
func scheme(s []byte, i int) (from, to int) {
	word := ""
	for _, w := range []string{"bearer", "basic"} {
		if len(s)-i > len(w) && lower(s[i+1]) == w[1] && fold(string(s[i:i+len(w)])) == w {
			word = w
		}
	}
	if word == "" || i > 0 && isWord(s[i-1]) {
		return 0, 0
	}
	for from = i + len(word); from < len(s); {
		switch {
		case s[from] == ' ' || s[from] == '+' || s[from] == '\t':
			from++
			continue
		case bytes.HasPrefix(s[from:], []byte("%20")):
			from += 3
			continue
		}
		break
	}
	if from == i+len(word) {
		return 0, 0
	}
	strange := false // no word of a language
	for to = from; to < len(s) && isTokenChar(s[to]); to++ {
		c := s[to]
		strange = strange || '0' <= c && c <= '9' || c == '_' || c == '+' || c == '/' || c == '=' ||
			to > from && 'A' <= c && c <= 'Z' || c == '.' && to+1 < len(s) && isTokenChar(s[to+1])
	}
	switch {
	case to-from >= 20 || strange && to-from >= 6:
		return from, to
	case word == "basic":
		return 0, 0
	}
	// Short, or a word. It is a token where a header would have one, unless it is
	// what people write about tokens.
	if before := bytes.TrimRight(s[:i], " "); len(before) > 0 {
		switch before[len(before)-1] {
		case ':', '=', '"', '\'':
		default:
			return 0, 0
		}
	}
	switch fold(string(s[from:to])) {
	case "token", "tokens", "auth", "authentication", "authorization", "token.", "tokens.":
		return 0, 0
	}
	return from, to
}

// webToken finds a JSON Web Token: three parts in base64, of which the first
// begins as an object does.
func webToken(s []byte, i int) (from, to int) {
	if len(s)-i < 20 || s[i+1] != 'y' || s[i+2] != 'J' || i > 0 && (isWord(s[i-1]) || s[i-1] == '-') {
		return 0, 0
	}
	parts, began := 0, i
	for to = i; to < len(s) && (isWord(s[to]) || s[to] == '-' || s[to] == '.'); to++ {
		if s[to] != '.' {
			continue
		}
		if to-began < 8 {
			break
		}
		parts++
		began = to + 1
	}
	if parts < 2 {
		return 0, 0
	}
	return i, to
}

// userInfo finds who asks in "https://user:password@host". A short name without
// a password is no secret.
func userInfo(s []byte, low, i int) (from, to int) {
	const longest = 250
	from = i
	for least := max(low, i-longest); from > least && s[from-1] > ' ' && s[from-1] != '/' && s[from-1] != '"' && s[from-1] != '\''; {
		from--
	}
	if from < 3 || string(s[from-3:from]) != "://" {
		return 0, 0
	}
	if i-from < 16 && bytes.IndexByte(s[from:i], ':') < 0 {
		return 0, 0
	}
	return from, i
}

// unescape undoes percent-encoding. What is not well encoded stays as it is.
func unescape(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && hexDigit(s[i+1]) >= 0 && hexDigit(s[i+2]) >= 0 {
			out = append(out, byte(hexDigit(s[i+1])<<4|hexDigit(s[i+2])))
			i += 2
		} else {
			out = append(out, s[i])
		}
	}
	return string(out)
}
