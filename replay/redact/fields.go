package redact

import (
	"bytes"
	"strings"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// hides is what a name says about a value. It may be the name of a field, a
// parameter, a header, a flag or a variable.
type hides uint8

const (
	nothing  hides = iota
	maybe          // a secret, if it looks like one: auth, pin, session
	aLink          // a secret, if it is a URL: a webhook's path lets in whoever knows it
	aSecret        // a secret, unless it is the path of a file that holds one
	password       // a secret, whatever it looks like
)

// A name counts by its end. What stands before the end and between its words doesn't
// matter: dbPassword, DB_PASSWORD, db.password and dbpassword are the same. RULES.md
// documents these lists.
var (
	passwordEnds = dated(origin{"the manuals and charts of the programs whose settings are called so, written down by the authors", "2026-11-24"},
		ends("password passwd passphrase passcode pwd pass passwort passwordhash passhash passwdhash pwdhash pwhash htpasswd netrc npmrc pypirc pgpass gitcredential masterauth requireauth passin passout rootpw bindpw userpw adminpw dbpw "+
			"mnemonic seedphrase recoveryphrase secretphrase walletseed recoverycode backupcode"))
	secretEnds = dated(origin{"the manuals, charts and API types of the programs and services whose settings are called so, written down by the authors", "2026-11-24"},
		ends("token secret apikey accesskey secretkey privatekey encryptionkey decryptionkey signingkey masterkey sharedkey presharedkey "+
			"accountkey storagekey authkey sshkey deploykey servicekey sessionkey cookiekey hmackey aeskey licensekey instrumentationkey subscriptionkey functionkey "+
			"integrationkey secretkeybase communitystring appkey applicationkey consumerkey writekey clientkey serverkey tlskey cakey hostkey clientkeydata keydata secretid credential "+
			"authorization cookie connectionstring connstring connstr dsn sas sastoken sasurl jwt bearer dockerconfigjson dockerconfig dockercfg "+
			"dockerauthconfig kubeconfig keytab totp totpsecret otpsecret otp psk "+
			"salt pepper idrsa idecdsa ideddsa ided25519 iddsa sshprivatekey jaasconfig keystore p12 pfx jks"))
	linkEnds = dated(origin{"the documentation of Alertmanager, Slack, Teams and others that post to such addresses", "2026-11-24"},
		ends("webhook webhookurl webhookuri webhookaddress hookurl slackurl slackapiurl"))
	// maybeEnds are ends of names whose values are secrets if they look like one.
	maybeEnds = dated(origin{"parameters of StorageClasses of GlusterFS and Ceph, and of appliances", "2026-11-24"},
		ends("userkey adminkey passkey privatemac"))
	// maybeWords are whole last words, because basicAuth ends with a secret's name
	// and coauth doesn't.
	maybeWords = dated(origin{"fields and variables of charts and manifests that hold secrets in some programs and none in others", "2026-11-24"},
		set("auth basicauth pin session sessionid jsessionid phpsessid sid creds cred key pw license signature sig nonce pat hmac plaintext cleartext"))
	// noPasswords are the last words of names with "password" in them that say
	// where the password is, or what it must be like.
	noPasswords = dated(origin{"the fields of Kubernetes, Helm charts and operators that say where a password is, or what it must be like", "2026-11-24"},
		set("file path ref key keys name field fields length policy secret secrets enabled expiry age url provider manager type store reset command env"))
	// noSecrets are exceptions from the ends above.
	noSecrets = dated(origin{"English words that end so, and fields of the Kubernetes API and of charts that refer to Secrets", "2026-11-24"},
		ends("bypass compass encompass surpass trespass underpass overpass pagetoken continuetoken existingsecret pullsecret tlssecret "+
			"authsecret certsecret certificatesecret usersecret secretsecretref publickey hashkey sortkey"))
	// urlParameters count in the query of a URL only.
	urlParameters = dated(origin{"the documentation of signed URLs of AWS, Google Cloud and Azure, and of OAuth 2.0 (RFC 6749)", "2026-11-24"},
		set("sig signature code x-amz-signature x-amz-credential x-amz-security-token x-goog-signature x-goog-credential key"))
	// fileTypes may follow a secret's name if the value is a file: token.txt.
	fileTypes = dated(origin{"the usual endings of the files that programs read secrets from", "2026-11-24"},
		set("txt json yaml yml conf cfg ini properties env pem key b64 asc xml toml dat"))
	// plainValues are no secrets, whatever the name says.
	plainValues = dated(origin{"words of configurations that switch something, and what redacting programs write", "2026-11-24"},
		set("true false yes no on off none null nil enabled disabled default auto required optional unknown undefined "+
			"redacted ukveqlnurfu= ****** *** <redacted> [redacted]"))
	// plainMethods are usual values of maybeWords.
	plainMethods = dated(origin{"RFC 7235 and 7616, SASL mechanisms, JWS algorithms (RFC 7518), and pg_hba.conf", "2026-11-24"},
		set("basic bearer digest token jwt oauth oauth2 oidc ldap saml mtls tls ntlm kerberos md5 trust peer scram-sha-256 anonymous password secret "+
			"cleartext hmac-sha256 hmac-sha1 rs256 es256 hs256 sha256 sha512 base64"))
)

// ends returns the words of a list by their last letter, so that few are compared.
func ends(words string) (by [256][]string) {
	for _, w := range strings.Fields(words) {
		c := w[len(w)-1]
		by[c] = append(by[c], w)
	}
	return by
}

func endsWith(name string, by *[256][]string) bool {
	if name == "" {
		return false
	}
	for _, end := range by[name[len(name)-1]] {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// meaning is all that is known about a name.
type meaning struct {
	hides      hides
	folded     string // see appendFolded
	env        bool   // what it names holds variables
	structural bool   // see structural
	copies     bool   // see holdsCopy
	identity   bool   // a part of what tells objects apart
	identifies bool   // holds such parts
	digest     bool   // a hash or an identifier: hexadecimal, and no key
	refs       [numRefs]struct {
		ref   ref
		known bool
	}
}

// refTo returns refTo of the folded name, which is looked up once for each parent.
func (m *meaning) refTo(parent ref) ref {
	r := &m.refs[parent]
	if !r.known {
		r.ref, r.known = refTo(parent, m.folded), true
	}
	return r.ref
}

// meanings remembers what names say, because a few names are used over and over.
type meanings map[string]*meaning

// digests are the ends of the names of hashes and identifiers.
var digests = dated(origin{"fields of the Kubernetes API, of images (OCI) and of charts that hold identifiers and hashes", "2026-11-24"},
	ends("id digest checksum uuid sha sha1 sha256 commit revision image images names version etag fingerprint"))

// identity are the fields that tell objects apart, of metadata and of references.
var identity = dated(origin{"k8s.io/apimachinery meta/v1 ObjectMeta and TypeMeta, k8s.io/api core/v1 ObjectReference", "2026-11-24"},
	set("name namespace generatename uid resourceversion kind apiversion selflink"))

// maxMeanings bounds what is remembered.
const maxMeanings = 1 << 12

// get returns the meaning of a name. The name of a field comes with its quotes.
func (m *meanings) get(name []byte) *meaning {
	if found, ok := (*m)[string(name)]; ok {
		return found
	}
	if *m == nil || len(*m) >= maxMeanings {
		*m = meanings{}
	}
	if len(name) > 4 && name[2] == ':' && (name[1] == 'k' || name[1] == 'v') {
		// Names of managedFields are not remembered: there are as many as there are addresses and UIDs.
		return &meaning{folded: string(appendFolded(nil, name))}
	}
	made := &meaning{}
	plain := name
	if len(name) > 1 && name[0] == '"' {
		plain = jsonscan.AppendUnquoted(nil, name)
		made.folded = string(appendFolded(nil, name))
		made.env = isEnv(made.folded)
		made.structural = structural[made.folded]
		made.copies = holdsCopy(made.folded)
		made.digest = endsWith(made.folded, &digests) || strings.HasPrefix(made.folded, "checksum") || strings.HasPrefix(made.folded, "applyset.") || strings.Contains(made.folded, "hash")
		made.identity, made.identifies = identity[made.folded], objectFields[made.folded]
	}
	made.hides = nameHides(plain[max(0, len(plain)-maxName):])
	(*m)[string(name)] = made
	return made
}

// of returns what the last maxName bytes of a name say about its value.
func (m *meanings) of(name []byte) hides { return m.get(name[max(0, len(name)-maxName):]).hides }

// nameHides returns what meanings.of does, without the cache.
func nameHides(name []byte) hides {
	if i := bytes.LastIndexByte(name, '.'); i > 0 && fileTypes[fold(string(name[i+1:]))] {
		if h := nameHides(name[:i]); h >= aSecret {
			return h
		}
	}
	name = bytes.TrimRight(name, "-_. 0123456789")
	if h, n := foreignHides(name); n > 0 {
		return h
	}
	for _, many := range []string{"Map", "_map", "-map", "List", "_list", "-list", "Dict", "_dict", "Values", "_values"} { // secretsMap
		if one, ok := bytes.CutSuffix(name, []byte(many)); ok && len(one) > 2 {
			return min(nameHides(one), aSecret)
		}
	}
	flat := make([]byte, 0, len(name))
	word := 0 // where the last word begins in flat
	for i, c := range name {
		switch {
		case c >= 0x80 || !isAlnum(c):
			word = len(flat)
			continue
		case i > 0 && 'A' <= c && c <= 'Z' && 'a' <= name[i-1] && name[i-1] <= 'z':
			word = len(flat)
		}
		flat = append(flat, lower(c))
	}
	s := string(flat)
	if s == "" || endsWith(s, &noSecrets) {
		return nothing
	}
	if many := strings.TrimSuffix(s, "s"); len(many) > 2 && many != s && !strings.HasSuffix(s, "pass") {
		// The plural hides what the singular hides: credentials, passwords.
		if endsWith(many, &passwordEnds) || endsWith(many, &secretEnds) && many != "key" {
			return aSecret
		}
	}
	switch {
	case endsWith(s, &passwordEnds):
		return password
	case endsWith(s, &secretEnds):
		return aSecret
	case endsWith(s, &linkEnds):
		return aLink
	case strings.Contains(s, "password") && !noPasswords[s[word:]], strings.Contains(s, "passwd") && !noPasswords[s[word:]]:
		return maybe
	case maybeWords[s[word:]] && (s[word:] != "key" || word > 0), endsWith(s, &maybeEnds):
		return maybe
	}
	return nothing
}

// isSecret reports whether a value is a secret if its name says h.
func (h hides) isSecret(value []byte) bool {
	value = bytes.TrimSpace(value)
	if len(value) == 0 || h == nothing || isReference(value) {
		return false
	}
	if len(value) < 20 && plainValues[strings.ToLower(string(value))] {
		return false
	}
	switch h {
	case password:
		return true
	case aSecret:
		return !isPath(value) && !isSentence(value) && (len(value) > 5 || !isPort(value))
	case aLink:
		i := bytes.Index(value, []byte("://"))
		return i >= 0 && bytes.IndexByte(value[i+3:], '/') >= 0
	}
	return looksSecret(value) && !plainMethods[strings.ToLower(string(value))]
}

// saysText reports whether a value is a text in base64.
func saysText(v []byte) bool {
	text, ok := decoded(nil, v)
	return ok && len(text) > 5
}

// isReference reports whether a value stands for another: $(NAME), ${NAME}, $NAME,
// {{ .Values.x }}.
func isReference(v []byte) bool {
	s := string(v)
	switch {
	case strings.HasPrefix(s, "${{") && strings.HasSuffix(s, "}}"):
		return strings.Count(s, "{{") == 1
	case len(s) > 2 && s[0] == '$' && (s[1] == '(' && s[len(s)-1] == ')' || s[1] == '{' && s[len(s)-1] == '}'):
		return isName(s[2 : len(s)-1])
	case len(s) > 1 && s[0] == '$':
		return isName(s[1:])
	case strings.HasPrefix(s, "{{") && strings.HasSuffix(s, "}}"):
		return strings.Count(s, "{{") == 1 && !strings.ContainsAny(s, `"'`+"`")
	}
	return false
}

func isName(s string) bool {
	for i := range len(s) {
		if !isWord(s[i]) && s[i] != '.' && s[i] != '-' {
			return false
		}
	}
	return s != ""
}

// isPath reports whether a value is the absolute path of a file.
func isPath(v []byte) bool {
	if len(v) < 2 || v[0] != '/' || isRandom(v) {
		return false
	}
	for _, c := range v {
		if !isWord(c) && c != '/' && c != '.' && c != '-' {
			return false
		}
	}
	return bytes.IndexByte(v[1:], '/') > 0 || bytes.IndexByte(v, '.') > 0
}

// isSentence reports whether a value is three or more words of a language.
func isSentence(v []byte) bool {
	words := 0
	for word := range bytes.FieldsSeq(v) {
		word = bytes.Trim(word, `.,;:!?()"'`)
		for i, c := range word {
			if !('a' <= c && c <= 'z' || i == 0 && 'A' <= c && c <= 'Z' || c == '-' || c == '\'' || c == '/') {
				return false
			}
		}
		words++
	}
	return words >= 3
}

// looksSecret reports whether a value under one of maybeWords may be a secret: it is no
// word, no short number, no URL and no path.
func looksSecret(v []byte) bool {
	if len(v) < 6 || bytes.IndexByte(v, ' ') >= 0 || bytes.Contains(v, []byte("://")) || v[0] == '/' {
		return false
	}
	digits, letters, capitals, other := 0, 0, 0, 0
	for i, c := range v {
		switch {
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c && c <= 'z':
			letters++
		case 'A' <= c && c <= 'Z':
			letters++
			if i > 0 {
				capitals++
			}
		case c != '-' && c != '_' && c != '.' && c != '/' && c != ',':
			other++
		}
	}
	return letters > 0 && digits > 0 || letters > 0 && other > 0 || digits >= 4 && letters == 0 && other == 0 && len(v) == digits ||
		capitals > 2 && (randomness(v, 12) || saysText(v))
}
