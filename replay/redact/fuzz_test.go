package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// FuzzLine gives the Redactor lines of any kind. Each line that comes out is
// JSON, and a line that is no JSON doesn't come out.
func FuzzLine(f *testing.F) {
	for _, s := range []string{
		`{"informerscope":"trace","version":1,"redacted":["x"]}`,
		`{"t":1,"id":1,"req":{"method":"GET","url":"/api/v1/namespaces/a/secrets/b?token=x&labelSelector=app%3Da&continue=eyJ2"}}`,
		`{"id":1,"event":{"type":"ADDED","object":{"kind":"Secret","metadata":{"name":"a-b","namespace":"c"},"data":{"a":[1]},"stringData":"x"}}}`,
		`{"body":{"kind":"List","items":[{"env":[{"name":"A","value":"b"}],"token":["a",{"b":"c"}],"x":"Bearer abc, a-b.c eyJhbGciOiJ9.eyJhbGciOiJ9.x https://u:p@h/"}]}}`,
		`{"end":{"rest":"eyJ0"},"call":{"key":"a/b"},"mark":{"text":"a\u00e9\ud83d\ude00\ud83d \"token\": \"x\""}}`,
		`{"mark":{"text":"a: &x b\nl:\n  - name: PASSWORD\n    value: |\n      c\n  - {token: 'd', e: *x}\n---\nkind: Secret\ndata: {x: !!str eA==}\n"}}`,
		`{"body":{"kind":"Pod","spec":{"image":"a.b:1/c/d@sha256:00","host":"10.0.0.1:2","command":["mysql","-px","--token","y","-----BEGIN X KEY-----"],"env":{"A":"b"},"x":"{\"password\":\"{}\"}"}}}`,
		`{"body":{"kind":"Table","columnDefinitions":[{"name":"Token"}],"rows":[{"cells":["a",1]}]},"mark":{"text":"QUtJQUlPU0ZPRE5ON0VYQU1QTEU= $2y$05$bvIG6Nmid91Mu9 <password>x</password> PASSWORD 'x' fd00::1 u:p@h"}}`,
		`{"a":1.5e-7,"b":[],"c":{},"d":tru}`, `[]`, `{"a":"\x00"}`, "{\"a\":\"\xff\"}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, o := range []Options{{}, {Rules: Default | Names, Key: testKey, Paths: []string{".metadata.name", ".spec[*].x", ".items"}}} {
			r := redactor(t, o)
			kept := bytes.Clone(line)
			r.Learn(line)
			out := bytes.Clone(r.Line(line))
			if !bytes.Equal(kept, line) {
				t.Fatal("the line was written to")
			}
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			good := json.Valid(line) && jsonscan.Shallow(line) && bytes.TrimSpace(line)[0] == '{'
			if good != (out != nil) {
				t.Fatalf("the line %q, valid: %v, becomes %q", line, good, out)
			}
			if good && !json.Valid(out) {
				t.Fatalf("%q becomes %q", line, out)
			}
			if h := r.Counted(line); good && !json.Valid(h) {
				t.Fatalf("%q becomes %q as a header", line, h)
			}
			if !json.Valid(r.Summary(1)) {
				t.Fatalf("the summary is no JSON: %q", r.Summary(1))
			}
		}
	})
}

// FuzzPlanted writes lines with secrets in all places that the rules name, in
// every way that JSON lets them be written. None may remain.
func FuzzPlanted(f *testing.F) {
	seeds := uint64(300)
	if testing.Short() {
		seeds = 60
	}
	for seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		g := &planter{Rand: rand.New(rand.NewPCG(seed, 1))}
		r := redactor(t, Options{Rules: Default | Names, Key: testKey, Paths: []string{".spec.hidden", `.spec.list[*]["at.any/depth"]`}})
		for range 4 {
			var line string
			if g.IntN(2) == 0 {
				id := g.IntN(1000)
				for _, part := range []string{
					fmt.Sprintf(`{"id":%d,"req":{"url":%s}}`, id, g.str(g.pick("/api/v1/secrets", "/api/v1/namespaces/x/secrets?limit=5", "/api/v1/namespaces/x/%73ecrets"))),
					fmt.Sprintf(`{"id":%d,"body":%s}`, id, g.object("items", "["+g.object("metadata", "{}", "data", g.object("k", g.plant()))+"]")),
				} {
					g.check(t, seed, r, part)
				}
				continue
			}
			switch g.IntN(3) {
			case 0:
				line = g.object("body", g.manifest(3))
			case 1:
				line = g.object("event", g.object("object", g.manifest(3), "type", `"ADDED"`))
			default:
				g.unknown = true // paths lead nowhere in there
				line = g.object("somethingNew", g.object("x", g.manifest(3)))
				g.unknown = false
			}
			g.check(t, seed, r, line)
		}
	})
}

type planter struct {
	*rand.Rand
	planted []string
	unknown bool // the object that is written is none of the API's
}

func (g *planter) check(t *testing.T, seed uint64, r *Redactor, line string) {
	t.Helper()
	if !json.Valid([]byte(line)) {
		t.Fatalf("seed %d: the test writes no JSON: %s", seed, line)
	}
	r.Learn([]byte(line))
	out := string(r.Line([]byte(line)))
	for _, secret := range g.planted {
		if said := everything(t, out); strings.Contains(said, secret) || strings.Contains(out, secret) {
			t.Fatalf("seed %d: %s remains:\n%s\nof\n%s", seed, secret, out, line)
		}
	}
}

// everything is the text of all strings of a line, including duplicates.
func everything(t *testing.T, line string) string {
	var b strings.Builder
	d := json.NewDecoder(strings.NewReader(line))
	for {
		token, err := d.Token()
		if err != nil {
			return b.String()
		}
		if s, ok := token.(string); ok {
			b.WriteString(s + "\n")
		}
	}
}

func (g *planter) pick(from ...string) string { return from[g.IntN(len(from))] }

// secret is a new secret, not yet quoted.
func (g *planter) secret() string {
	s := fmt.Sprintf("s%dQ%xz", len(g.planted), g.Uint64())
	g.planted = append(g.planted, s)
	return s
}

func (g *planter) plant() string { return g.str(g.secret()) }

// str writes a string in one of many ways.
func (g *planter) str(s string) string {
	out := []byte{'"'}
	escapes := g.IntN(3) == 0
	for _, c := range s {
		if escapes && g.IntN(4) == 0 || c == '"' || c == '\\' || c < ' ' {
			out = fmt.Appendf(out, `\u%04x`, c)
		} else {
			out = utf8.AppendRune(out, c)
		}
	}
	return string(append(out, '"'))
}

func (g *planter) space() string { return g.pick("", "", "", " ", "\t", "  \r") }

// object writes fields in any order, with others between.
func (g *planter) object(fields ...string) string {
	var list []string
	for i := 0; i < len(fields); i += 2 {
		list = append(list, g.str(g.capitals(fields[i]))+g.space()+":"+g.space()+fields[i+1])
	}
	for range g.IntN(3) {
		list = append(list, g.pick(`"a":1`, `"b":[{"x":null},true]`, `"c":{"d":"e\\\""}`, `"":""`, `"zz":-1.5e3`))
	}
	g.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return "{" + g.space() + strings.Join(list, g.space()+","+g.space()) + g.space() + "}"
}

func (g *planter) capitals(s string) string {
	if g.IntN(8) == 0 {
		return strings.ToUpper(s)
	}
	if g.IntN(20) == 0 {
		return strings.ReplaceAll(s, "k", "\u212a")
	}
	return s
}

// manifest is an object of the API with secrets in it.
func (g *planter) manifest(depth int) string {
	name := `{"name":` + g.plant() + `,"namespace":` + g.plant() + `}`
	switch g.IntN(9) {
	case 0:
		return g.object("kind", g.str("Secret"), "metadata", name, "data", g.object("k", g.plant(), "l", "["+g.plant()+"]"), "stringData", g.object("k", g.plant()))
	case 1: // said twice
		return g.object("kind", `"Pod"`, "kind", g.str("Secret"), "data", g.object("k", g.plant()), "data", g.object("k", g.plant()))
	case 2:
		return g.object("kind", g.str("SecretList"), "items", "["+g.object("data", g.object("k", g.plant()))+"]")
	case 3:
		env := "[" + g.object("name", `"A"`, "value", g.plant()) + "," + g.object("name", g.str("B"), "value", g.plant()) + "]"
		return g.object("kind", `"Pod"`, "metadata", name, "spec", g.object("template", g.object("spec", g.object(g.pick("containers", "initContainers", "ephemeralContainers"), "["+g.object("env", env)+"]"))))
	case 4:
		return g.object("kind", `"Pod"`, "metadata", g.object("annotations", g.object("kubectl.kubernetes.io/last-applied-configuration", g.plant())))
	case 5:
		return g.object("kind", `"TokenRequest"`, "status", g.object("token", g.plant()))
	case 6:
		text := g.pick("https://x/y?a=b&access_token=%s&c=d", "Authorization: Bearer %s", "curl -H 'X-Auth-Token: %s' x", "https://user:%s@host/x", "--password=%s -v", `{"token": "%s"}`, "q?u=http%%3A%%2F%%2Fh%%3Ftoken%%3D%s%%26x")
		return g.object("kind", `"Event"`, "message", g.str(fmt.Sprintf(text, g.secret())))
	case 7:
		if g.unknown {
			return "null"
		}
		return g.object("kind", `"X"`, "spec", g.object("hidden", g.pick(g.plant(), "["+g.plant()+"]", g.object("x", g.plant())), "list", "["+g.object("at.any/depth", g.plant())+"]"))
	}
	if depth == 0 {
		return "{}"
	}
	return g.object("kind", `"List"`, "items", "["+g.manifest(depth-1)+","+g.manifest(depth-1)+"]")
}
