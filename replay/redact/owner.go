package redact

import (
	"bytes"
	"math/bits"
	"slices"
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
	// Env takes out the values of environment variables: in containers, and in fields that are called so.
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

// ruleNames are the rules, in their order, as the counts and as a command line call them.
var ruleNames = [...]struct {
	name, word string
}{{"secret data", "secrets"}, {"env values", "env"}, {"last-applied annotations", "last-applied"}, {"tokens", "tokens"}, {managedFields, "managed-fields"}}

// Words returns the names of rules for a command line, such as last-applied.
func Words(rules Rules) (out []string) {
	for i, w := range ruleNames {
		if rules&(1<<i) != 0 {
			out = append(out, w.word)
		}
	}
	return out
}

// Exclude returns rules without those that are listed: Words with commas between, or "all". Env turns LastApplied on,
// so last-applied annotations are kept only together with env values.
func Exclude(rules Rules, list string) (Rules, error) {
	left := rules
	for word := range strings.SplitSeq(list, ",") {
		word = strings.TrimSpace(word)
		i := slices.IndexFunc(ruleNames[:], func(w struct{ name, word string }) bool { return w.word == word })
		switch {
		case word == "":
		case word == "all":
			left = 0
		case i >= 0 && rules&(1<<i) != 0:
			left &^= 1 << i
		default:
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

// maxRequests is how many requests for Secrets are remembered. When there are more, every answer is taken for Secrets.
const maxRequests = 1 << 20

// kindOf returns the kind of what a request asked for, "" for what holds no secrets.
func (r *Redactor) kindOf(id string) string {
	if len(r.secrets) >= maxRequests {
		return "Secret"
	}
	return r.secrets[id]
}

// noteRequest notes what a request asks for, if it keeps secrets.
func (r *Redactor) noteRequest(id, url string) {
	p, ok := trace.ParsePath(url)
	switch {
	case !ok || !keepsSecrets(p.Resource) || len(r.secrets) >= maxRequests:
	case p.Resource == "secrets":
		r.secrets[id] = "Secret"
	default:
		r.secrets[id] = "OtherSecret"
	}
}

// keepsSecrets reports whether objects of a kind keep secrets.
func keepsSecrets(kind string) bool {
	return strings.Contains(strings.ToLower(kind), "secret") || strings.EqualFold(kind, "Vault")
}

// placement is what is known of a value from where it stands.
type placement struct {
	node           *node  // where the list has it: for the user's paths
	kind           string // of the object, where it doesn't say so
	object         bool   // an object of the API
	secret, base64 bool   // the data of a Secret: all of it goes
	keeper         bool   // part of an object that keeps secrets
	env            bool   // variables
	command        bool
	hidden         hides
}

// applyRules applies the owner's rules to the field k of a line.
func (r *Redactor) applyRules(k int32, name *key, id string) {
	v := k + 1
	p := placement{node: r.line.field(name)}
	switch name.name {
	case "req":
		if u := r.named(v, "url"); u >= 0 {
			url, _ := r.textOf(u)
			r.noteRequest(id, string(url))
		}
	case "body":
		p = placement{object: true, kind: r.kindOf(id), node: r.object}
	case "event":
		p.kind = r.kindOf(id)
	case "end":
		defer delete(r.secrets, id)
	}
	r.ownValue(v, p, name)
}

// take replaces the value at n, unless it is null or was replaced before.
func (r *Redactor) take(n int32, rule Rules, by string) {
	if b := r.tape.Text(n); string(b) != "null" && string(b) != by {
		r.ruled[bits.TrailingZeros(uint(rule))].N++
		r.put(n, by)
	}
}

// ownValue applies the rules to a value.
func (r *Redactor) ownValue(v int32, p placement, name *key) {
	c, leaf := r.tape.First(v), r.tape.Nodes[v].Next == v+1
	switch {
	case p.secret && leaf && c != '{' && c != '[':
		by := placeholder
		if p.base64 {
			by = placeholder64
		}
		r.take(v, SecretData, by)
	case c == '"':
		r.ownText(v, p)
	case leaf:
		if p.hidden == password && (c == '-' || c-'0' < 10) {
			r.take(v, Tokens, placeholder)
		}
	case c == '[':
		r.ownList(v, p, name)
	default:
		r.ownObject(v, p, name)
	}
}

// ownList applies the rules to a list. A flag in it may say what its next element is.
func (r *Redactor) ownList(v int32, p placement, name *key) {
	p.base64 = false
	flag := hidesNothing
	for x := v + 1; x < r.tape.Nodes[v].Next; x = r.tape.Nodes[x].Next {
		q, text := p, r.tape.First(x) == '"'
		q.hidden, q.command = max(p.hidden, flag), p.command && (flag == hidesNothing || !text)
		r.ownValue(x, q, name)
		if flag = hidesNothing; text && r.tape.B[r.tape.Nodes[x].From+1] == '-' {
			if s, _ := r.textOf(x); !bytes.ContainsAny(s, "= ") {
				flag = r.texts.hides(bytes.TrimLeft(s, "-"))
			}
		}
	}
}

// ownObject applies the rules to an object. Name is the field's that has it.
func (r *Redactor) ownObject(n int32, p placement, name *key) {
	kind, says := p.kind, hidesNothing
	for k := n + 1; k < r.tape.Nodes[n].Next; k = r.tape.Nodes[k+1].Next {
		if r.tape.First(k+1) != '"' {
			continue
		}
		switch f := r.keys.find(r.tape.Text(k)); {
		case f.describes:
			text, _ := r.textOf(k + 1)
			says = max(says, r.texts.hides(text))
		case f.folded == "kind":
			text, _ := r.textOf(k + 1)
			kind, p.object = string(text), true
		}
	}
	item := listed(kind)
	if p.object && item == "" {
		p.secret, p.keeper = false, p.keeper || r.has(SecretData) && keepsSecrets(kind)
	}
	isSecret := r.has(SecretData) && p.object && strings.EqualFold(kind, "Secret")
	for k := n + 1; k < r.tape.Nodes[n].Next; k = r.tape.Nodes[k+1].Next {
		v, f := k+1, r.keys.find(r.tape.Text(k))
		c := r.tape.First(v)
		text, list, object := c == '"', c == '[', c == '{'
		q := placement{node: p.node.field(f), secret: p.secret, base64: p.base64, keeper: p.keeper}
		switch {
		case q.node.hasForm(asNothing):
			r.blank(v, q.node)
			continue
		case q.node.hasForm(asCut) && text:
			r.leaf(v, q.node, f)
			continue
		case p.object && f == r.items && list:
			if item == "" {
				item = p.kind
			}
			q = placement{node: r.object, kind: item, object: true}
		case !p.object && f.name == "object" && object:
			q = placement{node: r.object, kind: p.kind, object: true}
		case p.object && f.name == "rows":
			q.kind = p.kind
		case (isSecret || p.keeper) && f.data && r.has(SecretData):
			q.secret, q.base64 = true, isSecret && f.folded == "data"
		case p.secret && text && sets["pair names"][f.folded] && name != nil && r.tape.Nodes[n].Next > v+1:
			q.secret = false // {key: /foo, value: …}
		case f.name == "managedFields" && list: // names of fields
			if r.has(ManagedFields) {
				r.take(v, ManagedFields, "[]")
			}
			continue
		case (isSecret || r.has(LastApplied)) && text && f.copies:
			r.take(v, LastApplied, placeholder)
			continue
		case r.has(Env) && (p.env && (f.folded == "value" || !object && !list && f.folded != "name") || f.envFile && text):
			if string(r.tape.Text(v)) != `""` {
				r.take(v, Env, placeholder)
			}
			continue
		case r.has(Env) && f.env:
			q.env = true
		case f.folded == "command" || f.folded == "args":
			q.command = true
		}
		if r.has(Tokens) && !q.env {
			q.hidden = f.hides
			if f.hides > hidesNothing && (list || object && f.hides < password) {
				q.keeper = q.keeper || r.has(SecretData)
			}
			if object && f.hides < password {
				q.hidden = hidesNothing
			}
			if p.hidden == password && text && !sets["names beside passwords"][f.folded] {
				q.hidden = password
			}
			if f.folded == "value" {
				q.hidden = max(q.hidden, says)
			}
		}
		r.ownValue(v, q, f)
	}
}

// has reports whether a rule holds.
func (r *Redactor) has(rule Rules) bool { return r.rules&rule != 0 }

// ownText applies the rules to a string.
func (r *Redactor) ownText(v int32, p placement) {
	text, size := r.textOf(v)
	switch {
	case p.env && r.has(Env): // NAME=value
		if name, _, ok := bytes.Cut(text, []byte{'='}); ok {
			r.take(v, Env, string(quote(nil, append(bytes.Clone(name), "=REDACTED"...))))
		}
	case !r.has(Tokens):
	case p.hidden.isSecret(text):
		r.take(v, Tokens, placeholder)
	case size >= 4:
		if clean, n := r.texts.clean(text, p.command); n > 0 {
			r.ruled[bits.TrailingZeros(uint(Tokens))].N += int64(n)
			r.put(v, "")
			r.out = quote(r.out, clean)
		}
	}
}
