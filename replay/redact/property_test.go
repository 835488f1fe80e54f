package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/format/file"
)

// oracle knows what may stay, by a list of its own: of the dotted path of a text in a line, without indexes, and of the
// kind of the object around it.
var oracle = func() (all []*regexp.Regexp) {
	const object = anObject
	for _, x := range []string{
		`informerscope|start|server|from|level|times`,
		`req\.(method|url)|resp\.(contentType|retryAfter|level)|event\.type|end\.how`,
		`(call|calling)\.(handler|fn|kind|key|oldRV|rv)|fault\.(what|name|fn|key|rv)|reconcile\.(controller|key)|reconciled\.(result|error)|work\.(queue|fn|key|from)|saw\.(kind|key|rv)`,
		`(informer|registered|read)\.(func|file)|registered\.(handler|form)|read\.(kind|fn|form)`,
		`write\.(verb|url|patch|key|generateName|rv|uid)|wrote\.(reason|key|rv|uid|how)|mark\.log|problem\.kind|remark\.id|problem(\.why(\.args)?)*\.(id|name)`,
		`future\.(informer|setup\.(profile|index|handlers\.name)|way\.(when|line))`,
		object + `\.(apiVersion|kind)`,
		object + `\.metadata\.(name|generateName|namespace|uid|resourceVersion|creationTimestamp|deletionTimestamp|finalizers|labels\..*)`,
		object + `\.metadata\.ownerReferences\.(apiVersion|kind|name|uid)`,
		object + `\.metadata\.annotations\.k8s\.io/initial-events-end`,
		object + `\.spec\.nodeName`,
		object + `\.(.*\.)?conditions\.(type|status|reason)`,
		object + `\.(.*\.)?((matchLabels|selector|nodeSelector|(template|jobTemplate|volumeClaimTemplates)\.metadata\.labels)\.[^\0]*|matchExpressions\.(key|operator|values)|topologyKey)`,
		object + `\.(.*\.)?((limits|requests|capacity|allocatable|allocatedResources|hard|used|overhead)\.[^\0]*|sizeLimit|maxSurge|maxUnavailable|minAvailable)`,
	} {
		all = append(all, regexp.MustCompile(`^(?:`+x+`)$`))
	}
	return all
}()

// anObject are the paths of objects of the API.
const anObject = `(?:event\.object|body|body\.items|event\.object\.rows\.object|body\.rows\.object)`

var isObject = regexp.MustCompile("^" + anObject + "$")

// ofKind is what else the oracle lets stay of objects of a kind.
var ofKind = map[string]*regexp.Regexp{
	"Status": regexp.MustCompile(`\.(status|reason|details\.(name|group|kind|uid)|details\.causes\.(reason|field))$`),
	"Event":  regexp.MustCompile(`\.(reason|type|(involvedObject|regarding)\.(kind|apiVersion|name|namespace|uid|resourceVersion))$`),
}

func mayStay(path, kind string) bool {
	for _, x := range oracle {
		if x.MatchString(path) {
			return true
		}
	}
	return ofKind[kind] != nil && ofKind[kind].MatchString(path)
}

// ofForm are fields whose texts may stay anywhere if they are words of the API, or times.
var ofForm = regexp.MustCompile(`Time$|Timestamp$|^time$|Policy$|^(type|phase|status|protocol|scheme|effect|operator|mode|verbs|scope|operation|format|qosClass|accessModes|whenDeleted|whenScaled|ipFamilies|addressType|pathType|policyTypes|sideEffects|procMount|whenUnsatisfiable|completionMode|volumeMode|volumeBindingMode|mountPropagation|sessionAffinity|kind|result|from|level)$`)

// plantings replaces texts in a tree by canaries, and remembers those that must not stay.
type plantings struct {
	*rand.Rand
	gone []string
	keys bool // names of fields become canaries, too
}

func (p *plantings) canary() string {
	const letters = "bcdfghjkmnpqrstvwxz"
	b := make([]byte, 12)
	for i := range b {
		b[i] = letters[p.IntN(len(letters))]
	}
	b[2], b[5], b[9] = '4', byte('A'+p.IntN(26)), '7'
	return string(b)
}

// users are maps whose keys are users' own.
var users = regexp.MustCompile(`\.(data|stringData|binaryData|encryptedData|annotations|options|parameters|volumeAttributes|env)$`)

func (p *plantings) plant(x any, path, kind string) any {
	switch x := x.(type) {
	case map[string]any:
		if k, ok := x["kind"].(string); ok && isObject.MatchString(path) {
			kind = k
		}
		out := map[string]any{}
		for name, v := range x {
			to := name
			if p.keys && users.MatchString(path) && !publicKeys[name] {
				to = p.canary()
				p.gone = append(p.gone, to)
			}
			out[to] = p.plant(v, strings.TrimPrefix(path+"."+name, "."), kind)
		}
		return out
	case []any:
		for i := range x {
			x[i] = p.plant(x[i], path, kind)
		}
		return x
	case string:
		if strings.HasSuffix(path, ".kind") || strings.HasPrefix(path, "redacted") || mayStay(path, kind) {
			return x
		}
		c := p.canary()
		p.gone = append(p.gone, c)
		switch p.IntN(6) { // on its own, or within something
		case 0:
			return "prefix " + c + ", and more"
		case 1:
			return `{"inner":"` + c + "\"}\n"
		case 2:
			return "https://user:" + c + "@host/?a=" + c
		case 3:
			return base64.StdEncoding.EncodeToString([]byte("user:" + c))
		}
		return c
	}
	return x
}

// readings returns all that a line says, in every way in which it may be read.
func readings(line []byte) string {
	out := string(line)
	for d := json.NewDecoder(bytes.NewReader(line)); ; {
		token, err := d.Token()
		if err != nil {
			return out
		}
		if s, ok := token.(string); ok {
			out += "\n" + s
			if b, err := base64.StdEncoding.DecodeString(s); err == nil {
				out += "\n" + string(b)
			}
		}
	}
}

func recordings(t testing.TB) (names []string) {
	for _, pattern := range []string{"../format/testdata/*.trace.jsonl*", "../trace/testdata/*.jsonl", "../testdata/releases/*/traces/*", "../report/controller/testdata/*/*.trace.jsonl", "../convert/testdata/*.trace.jsonl*"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	if len(names) < 5 {
		t.Fatalf("there are the recordings %q only", names)
	}
	return names
}

// linesOf returns at most most lines of a recording, from all of its parts.
func linesOf(t testing.TB, name string, most int) (lines [][]byte) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	plain, err := file.Plain(f)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	var b bytes.Buffer
	b.ReadFrom(plain) // one that is cut gives what it has
	all := bytes.Split(bytes.TrimSuffix(b.Bytes(), []byte("\n")), []byte("\n"))
	step := max(len(all)/most, 1)
	for i := 0; i < len(all); i += step {
		if json.Valid(all[i]) {
			lines = append(lines, all[i])
		}
	}
	return lines
}

// TestNothingLeavesThatIsNotOnTheList plants a canary in every text of real recordings that stands in a place which is
// not on the oracle's list. None of them may be in the shape, whatever else is asked for.
func TestNothingLeavesThatIsNotOnTheList(t *testing.T) {
	const seed = 604
	planted := 0
	for i, name := range recordings(t) {
		p := &plantings{Rand: rand.New(rand.NewPCG(seed, uint64(i))), keys: true}
		r := redactor(t, Options{Names: i%2 == 1})
		for _, line := range linesOf(t, name, 250) {
			var x any
			d := json.NewDecoder(bytes.NewReader(line))
			d.UseNumber()
			if err := d.Decode(&x); err != nil {
				t.Fatal(err)
			}
			p.gone = p.gone[:0]
			made, err := json.Marshal(p.plant(x, "", ""))
			if err != nil {
				t.Fatal(err)
			}
			out := r.Line(made)
			if !json.Valid(out) {
				t.Fatalf("seed %d, %s: no JSON is made of\n%s\nbut\n%s", seed, name, made, out)
			}
			says := readings(out)
			for _, c := range p.gone {
				if strings.Contains(says, c) {
					t.Fatalf("seed %d, %s: %s stays of\n%s\nin\n%s", seed, name, c, made, out)
				}
			}
			planted += len(p.gone)
		}
	}
	if planted < 5_000 {
		t.Errorf("only %d canaries were planted", planted)
	}
	t.Logf("%d canaries", planted)
}

// TestRealTextsAreGone: no text of a real recording is left that stands in a place which is not on the list, unless it is
// a word of the API or stands in a place on the list, too.
func TestRealTextsAreGone(t *testing.T) {
	words := redactor(t, Options{})
	for _, name := range recordings(t) {
		r := redactor(t, Options{})
		var out strings.Builder
		texts, may := map[string]string{}, map[string]bool{}
		for _, line := range linesOf(t, name, 300) {
			var x any
			if err := json.Unmarshal(line, &x); err != nil {
				t.Fatal(err)
			}
			collect(words, x, "", "", texts, may)
			out.WriteString(readings(r.Line(line)) + "\n")
		}
		left := "\n" + out.String()
		for s, path := range texts {
			if !may[s] && strings.Contains(left, "\n"+s+"\n") {
				t.Errorf("%s: %q of %s is left", name, s, path)
			}
		}
	}
}

// collect collects the texts of a tree, and those that may stay.
func collect(r *Redactor, x any, path, kind string, texts map[string]string, may map[string]bool) {
	switch x := x.(type) {
	case map[string]any:
		if k, ok := x["kind"].(string); ok && isObject.MatchString(path) {
			kind = k
		}
		for name, v := range x {
			may[name] = true
			collect(r, v, strings.TrimPrefix(path+"."+name, "."), kind, texts, may)
		}
	case []any:
		for _, v := range x {
			collect(r, v, path, kind, texts, may)
		}
	case string:
		field := path[strings.LastIndexByte(path, '.')+1:]
		if mayStay(path, kind) || ofForm.MatchString(field) {
			may[x] = true
		} else if string(r.text(nil, []byte(x), false)) != x { // it has a word that no message has
			texts[x] = path
		}
	}
}

// Every place at which the list keeps a text keeps it for a reason: the list and the oracle agree on each path.
func TestTheOracleKnowsTheList(t *testing.T) {
	for _, p := range places["lines"] {
		if p.form != asText && p.form != asMetric && p.form != asCut && p.form != asObject && !mayStay(p.path, "") {
			t.Errorf("the oracle doesn't know %s", p.path)
		}
	}
	for _, p := range places["objects"] {
		if p.form != asObject && p.form != asUsers && p.form != asManaged && !mayStay("event.object."+strings.Join(p.names, "."), "") {
			t.Errorf("the oracle doesn't know %s", p.path)
		}
	}
}

// A text of another look than the list means becomes a token, wherever it stands.
func TestAnotherLookIsNoName(t *testing.T) {
	const line = `{"t":1,"id":1,"event":{"type":%[1]s,"object":{"kind":%[1]s,"apiVersion":%[1]s,"metadata":{"uid":%[1]s,"resourceVersion":%[1]s,"creationTimestamp":%[1]s,"finalizers":[%[1]s],` +
		`"labels":{%[1]s:%[1]s},"ownerReferences":[{"kind":%[1]s,"uid":%[1]s,"name":%[1]s}]},"spec":{"nodeName":%[1]s,%[1]s:1},"status":{"phase":%[1]s,"conditions":[{"type":%[1]s,"status":%[1]s,"reason":%[1]s,"lastTransitionTime":%[1]s}],` +
		`"capacity":{%[1]s:%[1]s}}}}}`
	for _, text := range []string{"two words", "<b>", "a\nb", "ä€", strings.Repeat("x", 1000), "p@ss word!", "${X}", "a=b&c"} {
		r := redactor(t, Options{})
		out := r.Line([]byte(fmt.Sprintf(line, quote(nil, []byte(text)))))
		if s := readings(out); strings.Contains(s, text) {
			t.Errorf("%q is in %s", text, s)
		}
	}
}

// The trees are equal except for tokens: fields, lists, numbers and booleans stay, equal texts have equal tokens, and
// others have others.
func TestTheShapeIsTheSame(t *testing.T) {
	for _, name := range recordings(t) {
		r := redactor(t, Options{})
		before, after := 0, 0
		to, back := map[string]string{}, map[string]string{}
		for i, line := range linesOf(t, name, 200) {
			out := bytes.Clone(r.Line(line))
			before, after = before+len(line), after+len(out)
			if i == 0 {
				continue
			}
			var a, b any
			if json.Unmarshal(line, &a) != nil || json.Unmarshal(out, &b) != nil {
				t.Fatalf("%s: %s", name, out)
			}
			if where := differs(a, b, "", to, back); where != "" {
				t.Fatalf("%s: %s differs in\n%s\n%s", name, where, line, out)
			}
		}
		if d := float64(after-before) / float64(before); before > 20_000 && (d > 0.05 || d < -0.05) {
			t.Errorf("%s: %d bytes become %d, %.1f %%", name, before, after, 100*d)
		}
	}
}

func differs(a, b any, path string, to, back map[string]string) string {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return path
		}
		for name, v := range x {
			if name == "managedFields" || name == "redacted" {
				continue
			}
			w, same := y[name]
			if !same { // the name is a token
				continue
			}
			if where := differs(v, w, path+"."+name, to, back); where != "" {
				return where
			}
		}
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return path
		}
		for i := range x {
			if where := differs(x[i], y[i], path+"["+strconv.Itoa(i)+"]", to, back); where != "" {
				return where
			}
		}
	case string:
		y, ok := b.(string)
		if !ok {
			return path
		}
		if strings.HasPrefix(y, opening) && strings.HasSuffix(y, closing) && strings.Count(y, opening) == 1 {
			if old, known := to[x]; known && old != y {
				return path + ", whose token was " + old
			}
			if old, known := back[y]; known && old != x && len(x) > 6 {
				return path + ", whose token stands for " + old + ", too"
			}
			to[x], back[y] = y, x
		}
	default:
		if a != b && !strings.Contains(path, "ata.") {
			return path
		}
	}
	return ""
}
