package redact

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// key maps a handler's key: "namespace/name", or "name".
func (r *Redactor) key(n int32) {
	namespace, name, both := strings.Cut(string(r.sheet.unquoted(n)), "/")
	by := r.pseudo.learn([]byte(namespace))
	if both {
		by += "/" + r.pseudo.learn([]byte(name))
	}
	if by != "" {
		r.take(n, "names", "name", string(appendQuoted(nil, []byte(by))))
	}
}

// url maps the names in a request's URL.
func (r *Redactor) url(n int32) {
	url := string(r.sheet.unquoted(n))
	path, query, asks := strings.Cut(url, "?")
	host := ""
	if i := strings.Index(path, "://"); i >= 0 {
		end := len(path)
		if j := strings.IndexByte(path[i+3:], '/'); j >= 0 {
			end = i + 3 + j
		}
		host, path = path[:i+3]+r.pseudo.host([]byte(path[i+3:end])), path[end:]
	}
	mapped := host + r.pseudo.path(path)
	if asks {
		mapped += "?" + r.pseudo.query(query)
	}
	if mapped != url {
		r.counts.add("names", 1)
	}
	s, tokens := []byte(mapped), 0
	if r.rules&Tokens != 0 {
		if s, tokens = r.texts.clean(nil, s); tokens > 0 {
			r.counts.add("tokens", int64(tokens))
		}
	}
	if mapped != url || tokens > 0 {
		r.sheet.edit(n, string(appendQuoted(nil, s)))
	}
}

// path maps the names in a URL's path: what follows "namespaces", and what
// follows the resource.
func (p *pseudonyms) path(path string) string {
	parts := strings.Split(path, "/")
	i := 0
	for i < len(parts) && parts[i] != "api" && parts[i] != "apis" {
		i++
	}
	if i == len(parts) {
		return path
	}
	if i += 2; parts[i-2] == "apis" { // after the version
		if i-1 < len(parts) {
			parts[i-1] = p.group([]byte(parts[i-1]), false)
		}
		i++
	}
	if i < len(parts) && parts[i] == "watch" {
		i++
	}
	if i+1 < len(parts) && unescape(parts[i]) == "namespaces" {
		parts[i+1] = p.segment(parts[i+1])
		i += 2
	}
	if i++; i < len(parts) { // after the resource
		parts[i] = p.segment(parts[i])
	}
	// What follows a subresource may be the path of another server.
	for i += 2; i < len(parts); i++ {
		s, _ := p.appendPseudonyms(nil, []byte(unescape(parts[i])), false)
		parts[i] = escape(string(s))
	}
	return strings.Join(parts, "/")
}

func (p *pseudonyms) segment(s string) string {
	if s == "" {
		return s
	}
	return p.learn([]byte(unescape(s)))
}

// query maps the names in a URL's query.
func (p *pseudonyms) query(query string) string {
	fields := strings.Split(query, "&")
	for i, f := range fields {
		name, value, _ := strings.Cut(f, "=")
		if value == "" {
			continue
		}
		value = unescape(strings.ReplaceAll(value, "+", " "))
		mapped := value
		switch unescape(name) {
		case "continue":
			mapped = p.of([]byte(value))
		case "fieldSelector", "labelSelector":
			mapped = p.selector(value, unescape(name) == "labelSelector")
		case "resourceVersion", "resourceVersionMatch", "watch", "limit", "allowWatchBookmarks", "sendInitialEvents", "timeoutSeconds", "timeout", "pretty":
		default:
			s, _ := p.appendPseudonyms(nil, []byte(value), false)
			mapped = string(s)
		}
		if mapped != value {
			fields[i] = name + "=" + escape(mapped)
		}
	}
	return strings.Join(fields, "&")
}

// selector maps the names in a selector of fields or of labels: the values of labels, and
// of fields that hold names; elsewhere the names that are known.
func (p *pseudonyms) selector(s string, labels bool) string {
	var out []byte
	for s != "" {
		one, depth := len(s), 0
		for i, c := range []byte(s) {
			if c == '(' {
				depth++
			} else if c == ')' {
				depth--
			} else if c == ',' && depth <= 0 {
				one = i
				break
			}
		}
		out = append(out, p.requirement(s[:one], labels)...)
		if one < len(s) {
			out = append(out, ',')
			one++
		}
		s = s[one:]
	}
	return string(out)
}

func (p *pseudonyms) requirement(s string, labels bool) string {
	key := strings.TrimLeft(s, "! ")
	if i := strings.IndexAny(key, "=! ("); i >= 0 {
		key = key[:i]
	}
	at := strings.Index(s, key) + len(key)
	field := fold(key)
	if i := strings.LastIndexByte(field, '.'); i >= 0 && !strings.Contains(field, "/") {
		field = field[i+1:]
	}
	what := aText
	if labels {
		what = refToLabel(fold(key))
		mapped := p.labelKey([]byte(key))
		s = s[:at-len(key)] + mapped + s[at:]
		at += len(mapped) - len(key)
	}
	if !nameFields[field] && !nameFields[fold(key)] && (what == aText || what == anID) {
		mapped, _ := p.appendPseudonyms(nil, []byte(s[at:]), false)
		return s[:at] + string(mapped)
	}
	out := []byte(s[:at])
	for i := at; i < len(s); {
		j := i
		for j < len(s) && (isAlnum(s[j]) || s[j] == '-' || s[j] == '.' || s[j] == '_' || s[j] == ':') {
			j++
		}
		switch word := s[i:j]; {
		case word == "":
			out = append(out, s[i])
			j++
		case (word == "in" || word == "notin") && strings.HasPrefix(strings.TrimLeft(s[j:], " "), "("):
			out = append(out, word...)
		case what == aLabelValue:
			out = append(out, p.labelValue([]byte(word))...)
		default:
			out = append(out, p.meet([]byte(word))...)
		}
		i = j
	}
	return string(out)
}

// escape encodes what may stand in a query's value, as clients do.
func escape(s string) string {
	const digits = "0123456789ABCDEF"
	var out []byte
	for _, c := range []byte(s) {
		if isAlnum(c) || c == '-' || c == '.' || c == '_' || c == '~' {
			out = append(out, c)
		} else {
			out = append(out, '%', digits[c>>4], digits[c&15])
		}
	}
	return string(out)
}

// What stands after a host, in a path of a file system or in an ARN names people, machines and owners.

// arn replaces the account and the names in an ARN that begins at i.
func (p *pseudonyms) arn(s []byte, i int) (end int, by string) {
	for end = i; end < len(s) && end-i < 400 && s[end] > ' ' && s[end] != '"' && s[end] != '\'' && s[end] != ',' && s[end] != '<' && s[end] != '\\'; {
		end++
	}
	parts := strings.SplitN(string(s[i:end]), ":", 6)
	if len(parts) < 6 {
		return 0, ""
	}
	parts[4] = p.id([]byte(parts[4]))
	parts[5] = p.segmentsOf(parts[5], ":/", 1)
	return end, strings.Join(parts, ":")
}

// segments replaces each part of a path.
func (p *pseudonyms) segments(path []byte) string { return p.segmentsOf(string(path), "/", 0) }

// segmentsOf replaces the parts of a path but the first keep ones. Dots part them, too.
func (p *pseudonyms) segmentsOf(path, signs string, keep int) string {
	var out strings.Builder
	part := func(s string) {
		name, suffix := s, ""
		if cut, ok := strings.CutSuffix(s, ".git"); ok {
			name, suffix = cut, ".git"
		}
		if keep--; keep >= 0 && strings.ContainsAny(path, signs) || name == "" || name == "*" || isPseudonym([]byte(name)) {
			out.WriteString(s)
			return
		}
		out.WriteString(p.of([]byte(name)) + suffix)
	}
	from := 0
	for i := range len(path) {
		if strings.IndexByte(signs, path[i]) >= 0 {
			part(path[from:i])
			out.WriteByte(path[i])
			from = i + 1
		}
	}
	part(path[from:])
	return out.String()
}

// personalPath finds the name of a person or a machine in a path that begins at i:
// /home/NAME, C:\Users\NAME, \\MACHINE\SHARE.
func personalPath(s []byte, i int) (from, to int) {
	for _, begin := range []string{"/home/", "/Users/", `\Users\`, `\\Users\\`, `\\\\`, `\\`} {
		if !bytes.HasPrefix(s[i:], []byte(begin)) {
			continue
		}
		if begin[:2] == `\\` && begin[len(begin)-1] == '\\' && len(begin) <= 4 && begin != `\\Users\\` && i > 0 && (isWord(s[i-1]) || s[i-1] == '\\' || s[i-1] == ':') {
			continue // a separator of another path
		}
		from = i + len(begin)
		for to = from; to < len(s) && to-from < 200 && (isWord(s[to]) || s[to] == '-' || s[to] == '.' || s[to] >= utf8.RuneSelf); {
			to++
		}
		if strings.HasPrefix(begin, `\\`) && begin != `\\Users\\` && (to-from < 2 || to >= len(s) || s[to] != '\\') {
			return 0, 0
		}
		return from, to
	}
	return 0, 0
}

// codeHosts are public hosts on which a path begins with the name of who owns it.
var codeHosts = dated(origin{"the documentation of each host", "2026-11-24"},
	[]string{"github.com", "gitlab.com", "bitbucket.org", "dev.azure.com", "ssh.dev.azure.com", "raw.githubusercontent.com", "codeberg.org", "gitee.com", "ghcr.io", "quay.io", "hub.docker.com"})

// publicHost returns the length of the one of them that s begins with, 0 for none.
func publicHost(s []byte) int {
	for _, h := range codeHosts {
		if bytes.HasPrefix(s, []byte(h)) && len(s) > len(h) && (s[len(h)] == '/' || s[len(h)] == ':') {
			return len(h)
		}
	}
	return 0
}

// ownerPath finds the path after a host that ends at end, where it names an owner and a
// repository.
func ownerPath(s []byte, begin, end int) (from, to int) {
	if end <= begin || end >= len(s) || s[end] != ':' && s[end] != '/' {
		return 0, 0
	}
	from = end + 1
	for to = from; to < len(s) && to-from < 200 && (isWord(s[to]) || s[to] == '-' || s[to] == '.' || s[to] == '/'); {
		to++
	}
	path := s[from:to]
	ofGit := bytes.HasSuffix(path, []byte(".git")) || publicHost(s[begin:]) > 0
	if !ofGit || len(path) < 3 || isDigit(path[0]) {
		return 0, 0
	}
	return from, to
}
