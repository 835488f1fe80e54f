package redact

import (
	"bytes"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/trace"
)

// Rules say what is taken out of a trace that its owner goes on with.
type Rules uint

// The rules there are.
const (
	// SecretData takes out the data of Secrets, and of other objects in whose kind is the word: a SealedSecret, a
	// SecretStore. The keys stay.
	SecretData Rules = 1 << iota
	// Env takes out the values of environment variables: those of containers, and those in fields that are called so.
	Env
	// LastApplied takes out the annotations in which kubectl and others keep a copy of the whole object. Env and Paths
	// turn it on, because the copies hold what these take out.
	LastApplied
	// Tokens takes out passwords, tokens and keys, by the names of fields, flags, variables and parameters, and by what
	// they look like.
	Tokens
	// ManagedFields empties metadata.managedFields.
	ManagedFields

	// Default are the owner's rules.
	Default = SecretData | Env | LastApplied | Tokens
)

// ruleNames are the rules as the counts and as a command line call them.
var ruleNames = []struct {
	rule       Rules
	name, word string
}{
	{SecretData, "secret data", "secrets"},
	{Env, "env values", "env"},
	{LastApplied, "last-applied annotations", "last-applied"},
	{Tokens, "tokens", "tokens"},
	{ManagedFields, managedFields, "managed-fields"},
}

// Words returns the names of rules for a command line, such as last-applied.
func Words(rules Rules) (out []string) {
	for _, w := range ruleNames {
		if rules&w.rule != 0 {
			out = append(out, w.word)
		}
	}
	return out
}

func (rules Rules) names() (out []string) {
	for _, w := range ruleNames {
		if rules&w.rule != 0 {
			out = append(out, w.name)
		}
	}
	return out
}

// Without returns rules without those that are listed: Words with commas between, or "all". Env turns LastApplied on,
// so last-applied annotations are kept only together with env values.
func Without(rules Rules, list string) (Rules, error) {
	left := rules
	for word := range strings.SplitSeq(list, ",") {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		known := word == "all"
		if known {
			left = 0
		}
		for _, w := range ruleNames {
			if w.word == word && rules&w.rule != 0 {
				left, known = left&^w.rule, true
			}
		}
		if !known {
			return 0, fault.Unknown("noneToKeep name", word, append(Words(rules), "all"))
		}
	}
	return left, nil
}

// The placeholders of what the owner's rules take out. The second is the first in base64.
const (
	placeholder   = `"REDACTED"`
	placeholder64 = `"UkVEQUNURUQ="`
)

// owner is what the owner's rules know of a trace.
type owner struct {
	rules   Rules
	noted   []string // the list of the header
	secrets requests // those under way that ask for Secrets
	counts  [5]int64 // in the order of ruleNames
	texts   texts
}

func (o *owner) has(rule Rules) bool { return o.rules&rule != 0 }

func (o *owner) counted() (all []Count) {
	for i, w := range ruleNames {
		if o.has(w.rule) {
			all = append(all, Count{w.name, o.counts[i]})
		}
	}
	return all
}

// requests are requests under way, by the JSON of their ids, with the kind of what they ask for.
type requests map[string]string

// maxRequests is how many requests for Secrets are remembered. When there are more, every answer is taken for Secrets.
const maxRequests = 1 << 20

// kindOf returns the kind of what the request of the line asked for, "" for what holds no secrets.
func (q requests) kindOf(id string) string {
	if len(q) >= maxRequests {
		return "Secret"
	}
	return q[id]
}

// place is what is known of a value from where it stands.
type place struct {
	secret, base64 bool // the data of a Secret: all of it goes
	keeper         bool // part of an object that keeps secrets
	env            bool // variables
	hidden         hides
	command        bool
	object         bool   // an object of the API
	kind           string // of the object, where it doesn't say so
	remove         *node  // the user's paths
}

// applyOwner applies the owner's rules to a line. The tape has the line.
func (r *Redactor) applyOwner() {
	o := &r.owner
	if o.has(Env) || len(r.o.Paths) > 0 {
		o.rules |= LastApplied
	}
	id := "0"
	if v := r.named(0, "id"); v >= 0 {
		id = string(r.tape.Text(v))
	}
	for k := int32(1); k < r.tape.Nodes[0].Next; k = r.tape.Nodes[k+1].Next {
		v := k + 1
		name := r.keys.find(r.tape.Text(k))
		switch name.name {
		case "redacted":
			if r.header {
				r.redacted(v)
			}
		case "kept":
		case "req":
			if u := r.named(v, "url"); u >= 0 {
				text, _ := r.textOf(u)
				if kind := secretKind(string(text)); kind != "" {
					if o.secrets == nil {
						o.secrets = requests{}
					}
					if len(o.secrets) < maxRequests {
						o.secrets[id] = kind
					}
				}
			}
			r.ownValue(v, place{}, name)
		case "body":
			r.ownValue(v, place{object: true, kind: o.secrets.kindOf(id), remove: r.list.object}, name)
		case "event":
			kind := o.secrets.kindOf(id)
			r.ownValue(v, place{kind: kind, remove: r.list.line.field(name)}, name)
		case "end":
			if x := r.named(v, "rest"); x >= 0 && r.tape.First(x) == '"' && len(r.tape.Text(x)) > 2 {
				r.cutEvent(v, x)
			} else {
				r.ownValue(v, place{}, name)
			}
			delete(o.secrets, id)
		default:
			r.ownValue(v, place{}, name)
		}
	}
}

// cutEvent takes out the rest of an event that was cut: nobody can tell what it holds.
func (r *Redactor) cutEvent(end, rest int32) {
	r.each(end, func(k int32) {
		if k+1 == rest {
			r.counts.cut++
			r.upTo(rest)
			r.out = append(r.out, `""`...)
			return
		}
		r.ownValue(k+1, place{}, r.keys.find(r.tape.Text(k)))
	})
}

// secretKind returns the kind of the objects that a URL asks for, if they keep secrets.
func secretKind(url string) string {
	p, ok := trace.ParsePath(url)
	if !ok || !strings.Contains(strings.ToLower(p.Resource), "secret") {
		return ""
	}
	if p.Resource == "secrets" {
		return "Secret"
	}
	return "OtherSecret"
}

// take replaces the value at n, unless it is null or was replaced before.
func (r *Redactor) take(n int32, rule Rules, by string) {
	b := r.tape.Text(n)
	if string(b) == "null" || string(b) == by {
		return
	}
	for i, w := range ruleNames {
		if w.rule == rule {
			r.owner.counts[i]++
		}
	}
	r.upTo(n)
	r.out = append(r.out, by...)
}

// ownValue applies the rules to a value.
func (r *Redactor) ownValue(v int32, p place, name *key) {
	switch c := r.tape.First(v); {
	case p.secret && r.tape.Nodes[v].Next == v+1 && (c != '{' && c != '['):
		if p.base64 {
			r.take(v, SecretData, placeholder64)
		} else {
			r.take(v, SecretData, placeholder)
		}
	case c == '"':
		r.ownText(v, p)
	case r.tape.Nodes[v].Next == v+1:
		if p.hidden == password && c != '{' && c != '[' && c != 'n' && c != 't' && c != 'f' {
			r.take(v, Tokens, placeholder)
		}
	case c == '[':
		r.ownList(v, p, name)
	default:
		r.ownObject(v, p, name)
	}
}

// ownList applies the rules to a list. A flag in it may say what its next element is.
func (r *Redactor) ownList(v int32, p place, name *key) {
	p.base64 = false
	flag := nothing
	for x := v + 1; x < r.tape.Nodes[v].Next; x = r.tape.Nodes[x].Next {
		q := p
		if q.hidden = max(p.hidden, flag); flag > nothing && r.tape.First(x) == '"' {
			q.command = false
		}
		r.ownValue(x, q, name)
		if flag = nothing; r.tape.First(x) == '"' && r.tape.B[r.tape.Nodes[x].From+1] == '-' {
			text, _ := r.textOf(x)
			flag = flagHides(text)
		}
	}
}

// ownObject applies the rules to an object.
func (r *Redactor) ownObject(n int32, p place, name *key) {
	o := &r.owner
	asked, kind, says := p.kind, p.kind, nothing
	for k := n + 1; k < r.tape.Nodes[n].Next; k = r.tape.Nodes[k+1].Next {
		if r.tape.First(k+1) != '"' {
			continue
		}
		switch f := r.keys.find(r.tape.Text(k)); {
		case f.folded == "kind":
			text, _ := r.textOf(k + 1)
			kind, p.object = string(text), true
		case f.says:
			text, _ := r.textOf(k + 1)
			says = max(says, r.owner.texts.hides(text))
		}
	}
	item := listed(kind)
	if p.object && item == "" {
		p.secret, p.keeper = false, p.keeper || o.has(SecretData) && keepsSecrets(kind)
	}
	isSecret := o.has(SecretData) && p.object && strings.EqualFold(kind, "Secret")
	for k := n + 1; k < r.tape.Nodes[n].Next; k = r.tape.Nodes[k+1].Next {
		v := k + 1
		f := r.keys.find(r.tape.Text(k))
		c := r.tape.First(v)
		q := place{keeper: p.keeper, secret: p.secret, base64: p.base64, remove: p.remove.field(f)}
		if q.remove != nil && q.remove.form == asNothing {
			r.blank(v, q.remove)
			continue
		}
		switch {
		case p.object && f == r.items && c == '[':
			if item == "" {
				item = asked
			}
			q = place{object: true, kind: item, remove: r.list.object}
		case !p.object && f.name == "object" && c == '{':
			q = place{object: true, kind: asked, remove: r.list.object}
		case f.name == "rows" && p.object:
			q.kind = asked
		case o.has(SecretData) && (isSecret || p.keeper) && f.data:
			q.secret, q.base64 = true, isSecret && f.folded == "data"
		case p.secret && isPairName(f.folded) && c == '"' && name != nil && r.tape.Nodes[n].Next > v+1:
			q.secret = false // {key: /foo, value: …}
		case f.name == "managedFields" && c == '[': // names of fields
			if o.has(ManagedFields) {
				r.take(v, ManagedFields, "[]")
			}
			continue
		case (o.has(LastApplied) || isSecret) && c == '"' && f.copies:
			r.take(v, LastApplied, placeholder)
			continue
		case o.has(Env) && (p.env && (f.folded == "value" || c != '{' && c != '[' && f.folded != "name") || f.envFile && c == '"'):
			if !bytes.Equal(r.tape.Text(v), []byte(`""`)) {
				r.take(v, Env, placeholder)
			}
			continue
		case o.has(Env) && f.env:
			q.env = true
		case f.folded == "command" || f.folded == "args":
			q.command = true
		}
		if o.has(Tokens) && !q.env {
			q.hidden = f.hides
			if c == '{' && f.hides < password {
				q.hidden = nothing
				q.keeper = q.keeper || f.hides > nothing && o.has(SecretData)
			}
			if c == '[' && f.hides > nothing && o.has(SecretData) {
				q.keeper = true
			}
			if p.hidden == password && c == '"' && !isPairName(f.folded) && f.folded != "username" && f.folded != "namespace" && f.folded != "secretname" {
				q.hidden = password
			}
			if says > nothing && f.folded == "value" {
				q.hidden = max(q.hidden, says)
			}
		}
		r.ownValue(v, q, f)
	}
}

// isPairName reports whether a field names what stands in the field value beside it.
func isPairName(folded string) bool {
	switch folded {
	case "key", "name", "type", "path", "property", "remotekey":
		return true
	}
	return false
}

// keepsSecrets reports whether objects of a kind keep secrets.
func keepsSecrets(kind string) bool {
	return strings.Contains(strings.ToLower(kind), "secret") || strings.EqualFold(kind, "Vault")
}

// isSecretData reports whether a field of a Secret has its data.
func isSecretData(folded string) bool {
	switch folded {
	case "data", "stringdata", "encrypteddata", "binarydata":
		return true
	}
	return false
}

// isEnv reports whether a field holds environment variables.
func isEnv(folded string) bool {
	for _, end := range []string{"env", "envs", "envvars", "environment", "environmentvariables"} {
		if strings.HasSuffix(folded, end) {
			return true
		}
	}
	return false
}

// copies reports whether an annotation has a copy of the object.
func copies(name string) bool {
	return strings.Contains(name, "last-applied") || strings.Contains(name, "last_applied") || strings.Contains(name, "lastapplied") ||
		strings.HasPrefix(name, "kapp.k14s.io/original") || strings.HasSuffix(name, "rio.cattle.io/applied") ||
		strings.HasSuffix(name, "/last-configuration") || strings.HasSuffix(name, "/original-configuration")
}

// ownText applies the rules to a string.
func (r *Redactor) ownText(v int32, p place) {
	if p.env && r.owner.has(Env) { // NAME=value
		text, _ := r.textOf(v)
		if name, _, ok := bytes.Cut(text, []byte{'='}); ok {
			r.take(v, Env, string(quote(nil, append(append([]byte(nil), name...), "=REDACTED"...))))
		}
		return
	}
	if !r.owner.has(Tokens) {
		return
	}
	text, size := r.textOf(v)
	if p.hidden.isSecret(text) {
		r.take(v, Tokens, placeholder)
		return
	}
	if size < 4 {
		return
	}
	clean, n := r.owner.texts.clean(text, p.command)
	if n == 0 {
		return
	}
	r.owner.counts[3] += int64(n)
	r.upTo(v)
	r.out = quote(r.out, clean)
}
