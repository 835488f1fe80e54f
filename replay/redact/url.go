package redact

import "strings"

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
