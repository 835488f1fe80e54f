package redact

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// userInfo finds the user and the password in "https://user:password@host", and the
// password in "user:password@host". A short user without a password is no secret.
func userInfo(s []byte, low, i int) (from, to int, why string) {
	const longest = 250
	colon, scheme := -1, false
	from = i
	for least := max(low, i-longest); from > least; from-- {
		c := s[from-1]
		if c == ':' && (colon < 0 || from+1 < len(s) && s[from] == '/' && s[from+1] == '/') {
			if from+1 < i && s[from] == '/' && s[from+1] == '/' {
				from, scheme = from+2, true
				break
			}
		}
		if c <= ' ' || c == '"' || c == '\'' || c == '<' || c == '>' || c == '(' || c == '`' {
			break
		}
		if c == ':' {
			colon = from - 1
		}
	}
	if scheme && !bytes.HasPrefix(s[from:i], []byte(redacted+"@")) {
		return authority(s, from, i)
	}
	if c := bytes.LastIndexAny(s[from:max(from, colon)], "=,"); c >= 0 {
		from += c + 1
	}
	colon = from + bytes.IndexByte(s[from:i], ':')
	if colon <= from || colon+1 >= i || i+1 >= len(s) || !isAlnum(s[i+1]) && s[i+1] != '[' || bytes.IndexByte(s[from:colon], '/') >= 0 {
		return 0, 0, ""
	}
	switch rest := string(s[i+1 : min(len(s), i+8)]); {
	case strings.HasPrefix(rest, "sha256:"), strings.HasPrefix(rest, "sha512:"), strings.HasPrefix(rest, "sha1:"):
		return 0, 0, ""
	}
	switch fold(string(s[from:colon])) {
	case "mailto", "acct", "sip", "sips", "xmpp":
		return 0, 0, ""
	}
	return colon + 1, i, "password before a host"
}

// authority finds user and password between the "://" that ends at from and the @ at
// i.
func authority(s []byte, from, i int) (_, to int, why string) {
	slash := bytes.IndexByte(s[from:i], '/')
	colon := bytes.IndexByte(s[from:i], ':')
	switch {
	case slash >= 0 && (colon < 0 || colon > slash):
		return 0, 0, "" // in a path
	case slash >= 0 && isPort(s[from+colon+1:from+slash]):
		return 0, 0, ""
	case i-from < 16 && colon < 0:
		return 0, 0, ""
	case string(s[from:i]) == redacted, bytes.HasSuffix(s[from:i], []byte(":"+redacted)):
		return 0, 0, ""
	}
	// The password may have an @ in it.
	to = i
	for j := i + 1; j < len(s) && j < i+maxName && s[j] > ' ' && s[j] != '"' && s[j] != '\'' && s[j] != '/' && s[j] != '?' && s[j] != ','; j++ {
		if s[j] == '@' {
			to = j
		}
	}
	return from, to, "user and password of an address"
}

func isPort(s []byte) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(s) > 0
}

// links are the addresses of webhooks. Anyone who knows the rest of the path can use
// them.
var links = dated(origin{"the documentation of each service", "2026-11-24"},
	[]string{
		"hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/", "outlook.office.com/webhook/",
		"webhook.office.com/webhookb2/", "hooks.zapier.com/hooks/catch/", "api.telegram.org/bot", "chat.googleapis.com/v1/spaces/",
		"open.feishu.cn/open-apis/bot/", "open.larksuite.com/open-apis/bot/", "maker.ifttt.com/trigger/", "events.pagerduty.com/integration/", "hc-ping.com/", "ingest.sentry.io/", "webhook.site/",
	})

// link finds the secret part of the address whose "://" stands at i.
func link(s []byte, i int) (from, to int) {
	host := s[i+3 : min(len(s), i+3+2*maxName)]
	host = host[:max(0, bytes.IndexByte(host, '/'))]
	if len(host) == 0 {
		return 0, 0
	}
	for _, l := range links {
		// The service's name may have an organisation's before it.
		name, _, _ := strings.Cut(l, "/")
		from = i + 3 + len(host) - len(name) + len(l)
		if !bytes.HasSuffix(host, []byte(name)) || !bytes.HasPrefix(s[i+3+len(host):], []byte(l[len(name):])) {
			continue
		}
		for to = from; to < len(s) && s[to] > ' ' && s[to] != '"' && s[to] != '\'' && s[to] != '<' && s[to] != '>' && s[to] != '\\'; {
			to++
		}
		if user := bytes.IndexByte(host, '@'); user > 0 {
			if name == "ingest.sentry.io" {
				return 0, 0 // its secret is the user: see userInfo
			}
			from = i + 3
		}
		return from, to
	}
	return hook(s, i+3+len(host))
}

// hookWords are the parts of paths after which a webhook's secret comes, wherever it is served.
var hookWords = dated(origin{"the documentation of Mattermost, Rocket.Chat, Feishu, DingTalk, Home Assistant, n8n, Zapier and other services with incoming webhooks", "2026-11-24"},
	set("hook hooks webhook webhooks webhookb2 webhook-test incoming robot bot services callback"))

// manyDigits reports whether a part of a path has too many digits for words.
func manyDigits(part []byte) bool {
	digits := 0
	for _, c := range part {
		if isDigit(c) {
			digits++
		}
	}
	return digits >= 3 || isRandom(part)
}

// hook finds the secret in the path of a webhook at any server, which begins at i: what comes
// after one of hookWords and is a UUID, a hash, or random.
func hook(s []byte, i int) (from, to int) {
	end := i
	for end < len(s) && end-i < 4*maxName && (isWord(s[end]) || s[end] == '/' || s[end] == '-' || s[end] == '.' || s[end] == '~') {
		end++
	}
	hooked := false
	for at := i; at < end; {
		next := at + 1
		for next < end && s[next] != '/' {
			next++
		}
		part := s[at:next]
		if len(part) > 0 && part[0] == '/' {
			part = part[1:]
		}
		switch {
		case hookWords[string(part)]:
			hooked = true
		case hooked && len(part) >= 16 && (isHex(part) || manyDigits(part)):
			return next - len(part), end
		}
		at = next
	}
	return 0, 0
}

// everydayUsers are users before an @ that tell nothing.
var everydayUsers = dated(origin{"RFC 2142, and the users that distributions and images bring along", "2026-11-24"},
	set("admin root info support postmaster noreply no-reply git user hostmaster webmaster contact mail team nobody example hello security abuse svc www-data system"))

// usersAfter finds the list of users in --authenticated-users=a,b, whose sign stands at i.
func usersAfter(s []byte, i int) (from, to int) {
	name := nameBefore(s, 0, i)
	if len(name) < 5 || !isPerson(fold(string(name[bytes.LastIndexByte(name, '.')+1:]))) {
		return 0, 0
	}
	from = i + 1
	for to = from; to < len(s) && to-from < 4*maxName && s[to] > ' ' && s[to] != '"' && s[to] != '\'' && s[to] != '&' && s[to] != ';' && s[to] != '$' && s[to] != '('; {
		to++
	}
	return from, to
}

// users replaces each name of a list.
func (p *pseudonyms) users(list []byte) string {
	var out []byte
	for n, user := range bytes.Split(list, []byte{','}) {
		if n > 0 {
			out = append(out, ',')
		}
		if ordinary(user) || everydayUsers[string(user)] || user[0] == '/' || user[0] == '%' {
			out = append(out, user...)
		} else if mapped, n := p.appendDeep(nil, user, false, maxCodedDeep); n > 0 { // an address of mail
			out = append(out, mapped...)
		} else {
			out = append(out, p.wordOf(user)...)
		}
	}
	return string(out)
}

// trailerEnd returns the end of a line such as "Signed-off-by: NAME", whose colon stands at i.
// It returns 0 for any other line.
func trailerEnd(s []byte, i int) int {
	const by = "-by"
	if i < len(by) || i+1 >= len(s) || s[i+1] != ' ' || !bytes.EqualFold(s[i-len(by):i], []byte(by)) {
		return 0
	}
	if begin, starts := lineBefore(s, 0, i-len(nameBefore(s, 0, i))); !starts && begin > 0 {
		return 0
	}
	return i + lineLength(s[i:])
}

// nameBeforeMail returns the end of the name that begins at i in NAME <user@host>, as git and mail
// write it. It returns 0 if there is none.
func nameBeforeMail(s []byte, i int) int {
	if c := s[i]; 'a' <= c && c <= 'z' || isDigit(c) {
		return 0
	}
	for j, words := i, 1; j < len(s) && j-i < maxName && words < 6; j++ {
		switch c := s[j]; {
		case c == ' ' && j+1 < len(s) && s[j+1] == '<':
			to := j + 2 + bytes.IndexByte(s[j+2:], '>')
			if to <= j+2 || to-j > maxName || bytes.IndexByte(s[j+2:to], '@') < 0 || bytes.IndexByte(s[j+2:to], ' ') >= 0 {
				return 0
			}
			return j
		case c == ' ':
			words++
		case !isAlnum(c) && c < utf8.RuneSelf && c != '.' && c != '-' && c != '\'':
			return 0
		}
	}
	return 0
}

// userBefore returns where the user of an address such as user@host ends, which begins at
// i. It returns 0 if there is none.
func userBefore(s []byte, i int) int {
	to := i
	for to < len(s) && to-i < 65 && (isWord(s[to]) || s[to] == '-' || s[to] == '.' || s[to] == '+') {
		to++
	}
	if to == i || to+2 >= len(s) || s[to] != '@' || !isAlnum(s[to+1]) || isPseudonym(s[i:to]) {
		return 0
	}
	if name := strings.ToLower(string(s[i:to])); everydayUsers[name] || bytes.HasPrefix(s[to+1:], []byte("sha256:")) || isHex(s[i:to]) {
		return 0
	}
	host := s[to+1:]
	n := 0
	for n < len(host) && (isWord(host[n]) || host[n] == '-' || host[n] == '.') {
		n++
	}
	if dot := bytes.IndexByte(host[:n], '.'); dot <= 0 {
		return 0
	}
	return to
}
