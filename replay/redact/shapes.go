package redact

import (
	"bytes"
	"encoding/base64"
	"unicode/utf8"
)

// shape is a kind of token that is known by its beginning.
type shape struct {
	begin string
	chars *[256]bool // what may follow
	least int        // how many characters follow at least
	name  string
}

func chars(of string) *[256]bool {
	var is [256]bool
	for i := 0; i < len(of); i++ {
		if i+2 < len(of) && of[i+1] == '-' {
			for c := int(of[i]); c <= int(of[i+2]); c++ {
				is[c] = true
			}
			i += 2
			continue
		}
		is[of[i]] = true
	}
	return &is
}

var (
	alnums  = chars("a-zA-Z0-9")
	wordish = chars("a-zA-Z0-9_")
	base64s = chars("a-zA-Z0-9_+/=-")
	dotted  = chars("a-zA-Z0-9_.+/=-")
	upper   = chars("A-Z0-9")
	hexs    = chars("a-f0-9")
)

// shapes are the known tokens by their first letters. The issuers of these tokens
// document the beginnings, so that leaked tokens can be found.
var shapes = func() (by [256][]shape) {
	for _, s := range dated(origin{"the documentation of each issuer, and the rules of GitHub's and GitLab's secret scanning", "2026-11-24"}, []shape{
		{"AKIA", upper, 16, "AWS access key"}, {"ASIA", upper, 16, "AWS access key"}, {"ABIA", upper, 16, "AWS access key"}, {"ACCA", upper, 16, "AWS access key"},
		{"ghp_", wordish, 20, "GitHub token"}, {"gho_", wordish, 20, "GitHub token"}, {"ghu_", wordish, 20, "GitHub token"}, {"ghs_", wordish, 20, "GitHub token"},
		{"ghr_", wordish, 20, "GitHub token"}, {"github_pat_", wordish, 20, "GitHub token"},
		{"glpat-", base64s, 16, "GitLab token"}, {"gldt-", base64s, 16, "GitLab token"}, {"glrt-", base64s, 16, "GitLab token"}, {"glptt-", base64s, 16, "GitLab token"},
		{"glcbt-", base64s, 16, "GitLab token"}, {"glsoat-", base64s, 16, "GitLab token"}, {"glft-", base64s, 16, "GitLab token"}, {"glimt-", base64s, 16, "GitLab token"},
		{"glagent-", base64s, 16, "GitLab token"}, {"gloas-", base64s, 16, "GitLab token"}, {"GR1348941", base64s, 16, "GitLab token"},
		{"xoxb-", base64s, 10, "Slack token"}, {"xoxp-", base64s, 10, "Slack token"}, {"xoxa-", base64s, 10, "Slack token"}, {"xoxr-", base64s, 10, "Slack token"},
		{"xoxs-", base64s, 10, "Slack token"}, {"xoxe-", base64s, 10, "Slack token"}, {"xoxe.", dotted, 10, "Slack token"}, {"xoxc-", base64s, 10, "Slack token"},
		{"xoxd-", base64s, 10, "Slack token"}, {"xapp-", base64s, 10, "Slack token"},
		{"sk_live_", wordish, 10, "Stripe key"}, {"sk_test_", wordish, 10, "Stripe key"}, {"rk_live_", wordish, 10, "Stripe key"}, {"rk_test_", wordish, 10, "Stripe key"},
		{"whsec_", base64s, 16, "webhook secret"},
		{"sk-ant-", base64s, 16, "Anthropic key"}, {"sk-proj-", base64s, 16, "OpenAI key"}, {"sk-svcacct-", base64s, 16, "OpenAI key"}, {"sk-", alnums, 32, "OpenAI key"},
		{"sk-or-v1-", hexs, 32, "OpenRouter key"}, {"hf_", alnums, 20, "Hugging Face token"}, {"gsk_", alnums, 20, "Groq key"}, {"r8_", alnums, 20, "Replicate token"},
		{"pplx-", alnums, 20, "Perplexity key"}, {"nvapi-", base64s, 20, "NVIDIA key"}, {"xai-", alnums, 20, "xAI key"}, {"lsv2_", wordish, 20, "LangSmith key"},
		{"AIza", base64s, 30, "Google API key"}, {"ya29.", dotted, 16, "Google token"}, {"GOCSPX-", base64s, 16, "Google client secret"}, {"1//0", base64s, 20, "Google refresh token"},
		{"SG.", dotted, 30, "SendGrid key"}, {"npm_", alnums, 20, "npm token"}, {"pypi-AgE", base64s, 20, "PyPI token"}, {"rubygems_", alnums, 20, "RubyGems key"},
		{"oy2", alnums, 40, "NuGet key"}, {"CLOJARS_", alnums, 20, "Clojars token"},
		{"dop_v1_", hexs, 20, "DigitalOcean token"}, {"doo_v1_", hexs, 20, "DigitalOcean token"}, {"dor_v1_", hexs, 20, "DigitalOcean token"},
		{"shpat_", alnums, 20, "Shopify token"}, {"shpca_", alnums, 20, "Shopify token"}, {"shppa_", alnums, 20, "Shopify token"}, {"shpss_", alnums, 20, "Shopify secret"},
		{"sq0atp-", base64s, 16, "Square token"}, {"sq0csp-", base64s, 16, "Square secret"}, {"EAAA", base64s, 50, "Square token"},
		{"hvs.", base64s, 16, "Vault token"}, {"hvb.", base64s, 16, "Vault token"}, {"hvr.", base64s, 16, "Vault token"}, {"s.", alnums, 24, "Vault token"},
		{"dckr_pat_", base64s, 16, "Docker token"}, {"dckr_oat_", base64s, 16, "Docker token"}, {"dp.pt.", alnums, 20, "Doppler token"}, {"dp.st.", dotted, 20, "Doppler token"},
		{"lin_api_", alnums, 20, "Linear key"}, {"ntn_", alnums, 20, "Notion token"}, {"secret_", alnums, 32, "Notion token"}, {"PMAK-", base64s, 20, "Postman key"},
		{"sntrys_", base64s, 20, "Sentry token"}, {"sntryu_", base64s, 20, "Sentry token"}, {"glsa_", wordish, 20, "Grafana token"}, {"glc_", base64s, 20, "Grafana token"},
		{"NRAK-", alnums, 16, "New Relic key"}, {"NRII-", base64s, 16, "New Relic key"}, {"NRJS-", alnums, 16, "New Relic key"}, {"pul-", hexs, 20, "Pulumi token"},
		{"tskey-", base64s, 16, "Tailscale key"}, {"xkeysib-", base64s, 20, "Brevo key"}, {"pscale_pw_", base64s, 16, "PlanetScale password"}, {"pscale_tkn_", base64s, 16, "PlanetScale token"},
		{"pscale_oauth_", base64s, 16, "PlanetScale token"}, {"figd_", base64s, 16, "Figma token"}, {"ATATT3", base64s, 16, "Atlassian token"}, {"ATBB", alnums, 20, "Bitbucket token"},
		{"ATCTT3", base64s, 16, "Atlassian token"}, {"CCIPAT_", wordish, 16, "CircleCI token"}, {"bkua_", alnums, 20, "Buildkite token"}, {"LTAI", alnums, 12, "Alibaba access key"},
		{"AGE-SECRET-KEY-1", upper, 30, "age key"}, {"ops_eyJ", base64s, 20, "1Password token"}, {"FlyV1", dotted, 20, "Fly.io token"}, {"fm2_", base64s, 20, "Fly.io token"}, {"fo1_", base64s, 20, "Fly.io token"},
		{"sbp_", hexs, 20, "Supabase token"}, {"sgp_", wordish, 20, "Sourcegraph token"}, {"tfp_", base64s, 20, "Typeform token"}, {"AKCp", alnums, 20, "Artifactory key"},
		{"cmVmdGtuO", base64s, 16, "Artifactory token"}, {"dapi", hexs, 30, "Databricks token"}, {"sha256~", base64s, 30, "OpenShift token"}, {"K10", dotted, 40, "k3s token"},
		{"SK", hexs, 32, "Twilio key"}, {"EZAK", alnums, 30, "EasyPost key"}, {"shippo_live_", hexs, 20, "Shippo token"}, {"duffel_live_", base64s, 20, "Duffel token"}, {"p8e-", base64s, 20, "Adafruit key"},
		{"aio_", alnums, 20, "Adafruit key"}, {"akab-", dotted, 20, "Akamai token"},
		{"v1.0-", hexs, 20, "Cloudflare key"},
		{"key-", hexs, 32, "Mailgun key"},
		{"$2a$", dotted, 0, "password hash"}, {"$2b$", dotted, 0, "password hash"}, {"$2y$", dotted, 0, "password hash"}, {"$1$", dotted, 8, "password hash"}, {"$5$", dotted, 8, "password hash"},
		{"$6$", dotted, 8, "password hash"}, {"$y$", dotted, 2, "password hash"}, {"$7$", dotted, 8, "password hash"}, {"$apr1$", dotted, 4, "password hash"}, {"$argon2", alnums, 0, "password hash"},
		{"{SSHA}", base64s, 10, "password hash"}, {"{SHA}", base64s, 10, "password hash"}, {"pbkdf2_sha", alnums, 1, "password hash"}, {"$pbkdf2", dotted, 4, "password hash"}, {"$scrypt$", dotted, 4, "password hash"},
	}) {
		by[s.begin[0]] = append(by[s.begin[0]], s)
	}
	return by
}()

// known finds a token of a known shape at i, where a word begins.
func known(s []byte, i int) (to int, name string) {
	for _, x := range shapes[s[i]] {
		if len(s)-i < len(x.begin)+x.least || string(s[i:i+len(x.begin)]) != x.begin {
			continue
		}
		to = i + len(x.begin)
		for to < len(s) && x.chars[s[to]] {
			to++
		}
		if to-i-len(x.begin) < x.least {
			continue
		}
		if x.name == "password hash" { // its parts are set apart in many ways
			for to < len(s) && s[to] > ' ' && s[to] != '"' && s[to] != '\'' && s[to] != '\\' && s[to] != ':' {
				to++
			}
			if to-i < 20 {
				continue
			}
		}
		return to, x.name
	}
	return 0, ""
}

// publicPEM are the labels of PEM blocks that hold no secret.
var publicPEM = dated(origin{"RFC 7468, OpenSSL and OpenPGP (RFC 9580)", "2026-11-24"},
	map[string]bool{
		"CERTIFICATE": true, "TRUSTED CERTIFICATE": true, "X509 CERTIFICATE": true, "CERTIFICATE REQUEST": true, "NEW CERTIFICATE REQUEST": true, "X509 CRL": true,
		"PUBLIC KEY": true, "RSA PUBLIC KEY": true, "SSH2 PUBLIC KEY": true, "PGP PUBLIC KEY BLOCK": true, "PGP SIGNATURE": true,
		"DH PARAMETERS": true, "EC PARAMETERS": true, "PKCS7": true,
	})

// pem finds a PEM block that begins at i, and reports whether it is a public one. A
// block without an end goes to the end of the text.
func pem(s []byte, i int) (to int, public bool) {
	rest, ok := bytes.CutPrefix(s[i:], []byte("-----BEGIN "))
	if !ok {
		if rest, ok = bytes.CutPrefix(s[i:], []byte("---- BEGIN ")); !ok {
			return 0, false
		}
	}
	end := bytes.Index(rest[:min(len(rest), maxName)], []byte("----"))
	if end < 0 {
		return 0, false
	}
	public = publicPEM[string(bytes.TrimSuffix(bytes.TrimSpace(rest[:end]), []byte("-")))]
	from := len(s) - len(rest) + end
	at := bytes.Index(s[from:], []byte("END "))
	if at < 0 {
		return len(s), public
	}
	to = from + at
	if close := bytes.Index(s[to:], []byte("----")); close >= 0 {
		for to += close; to < len(s) && s[to] == '-'; {
			to++
		}
		return to, public
	}
	return len(s), public
}

// isRandom reports whether the characters of s are too mixed for words, so that s is
// probably a key. Hexadecimal hashes and UUIDs don't count, because objects hold many
// of them.
func isRandom(s []byte) bool { return randomness(s, 20) }

// randomness does what isRandom does, for least characters or more.
func randomness(s []byte, least int) bool {
	s = bytes.TrimRight(s, "=")
	if len(s) < least {
		return false
	}
	var lowers, uppers, digits, changes, inWords, run int
	hex := true
	class := func(c byte) byte {
		switch {
		case 'a' <= c && c <= 'z':
			return 'a'
		case 'A' <= c && c <= 'Z':
			return 'A'
		case '0' <= c && c <= '9':
			return '0'
		}
		return '-'
	}
	last := byte('-')
	var seen [256]bool
	distinct := 0
	for _, c := range s {
		k := class(c)
		if !seen[c] {
			seen[c] = true
			distinct++
		}
		switch k {
		case 'a':
			lowers++
			run++
		case 'A':
			uppers++
		case '0':
			digits++
		}
		if k != 'a' {
			if run >= 4 {
				inWords += run + 1
			}
			run = 0
		}
		if k != last && k != '-' && last != '-' {
			changes++
		}
		last = k
		hex = hex && (hexDigit(c) >= 0 || c == '-')
	}
	if run >= 4 {
		inWords += run + 1
	}
	n := lowers + uppers + digits
	switch {
	case hex || n*10 < len(s)*8 || distinct < 10 || inWords*2 > n:
		return false
	case lowers > 0 && uppers > 0 && digits > 0:
		return changes*10 >= n*3
	case lowers > 0 && uppers > 0:
		return changes*10 >= n*4 && n >= 24
	case digits > 1: // in one piece: a UUID after a prefix is not random
		return changes*10 >= n*3 && n >= 24 && n == len(s)
	}
	return false
}

// maxCoded is how many bytes of base64 are decoded at most.
const maxCoded = 1 << 20

// decoded returns the text that is in base64 in run. ok is false if that is no text.
func decoded(out, run []byte) (text []byte, ok bool) {
	run = bytes.TrimRight(run, "=")
	if len(run) < 8 || len(run)%4 == 1 {
		return nil, false
	}
	codec := base64.RawStdEncoding
	if bytes.ContainsAny(run, "-_") {
		codec = base64.RawURLEncoding
	}
	var head [12]byte
	n, err := codec.Decode(head[:], run[:min(len(run), 16)&^3])
	if err != nil || !mayBeText(head[:n]) {
		return nil, false
	}
	run = run[:min(len(run), maxCoded)]
	if cap(out) < codec.DecodedLen(len(run)) {
		out = make([]byte, codec.DecodedLen(len(run)))
	}
	n, err = codec.Decode(out[:cap(out)], run)
	return out[:n], err == nil && isText(out[:n])
}

// mayBeText reports whether no control character is in s, which may end within a character.
func mayBeText(s []byte) bool {
	for _, c := range s {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// isText reports whether s is text in UTF-8.
func isText(s []byte) bool {
	for _, c := range s {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return len(s) > 0 && utf8.Valid(s)
}

// bootstrapToken finds a token of kubeadm, "abcdef.0123456789abcdef", at i.
func bootstrapToken(s []byte, i int) int {
	const long = 6 + 1 + 16
	if len(s)-i < long || s[i+6] != '.' || i > 0 && (isTokenChar(s[i-1]) && s[i-1] != '=') || len(s) > i+long && (isWord(s[i+long]) || s[i+long] == '-' || s[i+long] == '.') {
		return 0
	}
	changes, last := 0, false
	for at, c := range s[i : i+long] {
		digit := '0' <= c && c <= '9'
		if at != 6 && !digit && (c < 'a' || c > 'z') {
			return 0
		}
		if at > 7 && digit != last {
			changes++
		}
		last = digit
	}
	if changes == 0 {
		return 0
	}
	return i + long
}

// webToken finds a JSON Web Token: three parts in base64. The first begins as a JSON
// object does.
func webToken(s []byte, i int) (from, to int) {
	if len(s)-i < 20 || s[i] != 'e' || s[i+1] != 'y' || s[i+2] != 'J' || i > 0 && s[i-1] == '-' {
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

// scheme finds what follows "Bearer" or "Basic".
func scheme(s []byte, i int) (from, to int) {
	word := ""
	for _, w := range []string{"bearer", "basic"} {
		if len(s)-i > len(w) && lower(s[i+1]) == w[1] && fold(string(s[i:i+len(w)])) == w {
			word = w
		}
	}
	if word == "" {
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
	// The text is short, or a word. It counts as a token where a header would have
	// one, unless people write such words about tokens.
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
