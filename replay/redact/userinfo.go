package redact

import (
	"bytes"
	"strings"
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
var links = []string{
	"hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/", "outlook.office.com/webhook/",
	"webhook.office.com/webhookb2/", "hooks.zapier.com/hooks/catch/", "api.telegram.org/bot", "chat.googleapis.com/v1/spaces/",
	"maker.ifttt.com/trigger/", "events.pagerduty.com/integration/", "hc-ping.com/", "ingest.sentry.io/", "webhook.site/",
}

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
	return 0, 0
}
