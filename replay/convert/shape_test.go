package convert_test

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/tinylib/msgp/msgp"
	"go.yaml.in/yaml/v3"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/redact"
)

// maySay are the places of an object at which a text may stay, whatever it is, by the oracle's own list. Indices are left out.
var maySay = regexp.MustCompile(`^(apiVersion|kind|metadata\.(name|generateName|namespace|uid|resourceVersion|creationTimestamp|deletionTimestamp|finalizers|labels\..*|ownerReferences\.(apiVersion|kind|name|uid))|` +
	`spec\.nodeName|(.*\.)?conditions\.(type|status|reason)|(.*\.)?(matchLabels|selector|nodeSelector)\..*|(.*\.)?matchExpressions\.(key|operator|values)|.*\.template\.metadata\.labels\..*|(.*\.)?topologyKey|` +
	`reason|type|(involvedObject|regarding)\..*|(.*\.)?(limits|requests|capacity|allocatable|hard|used)\..*)$`)

// planter puts canaries where texts must not stay.
type planter struct {
	testing.TB
	*rand.Rand
	all []string
}

// canary returns a text that is nowhere else. It looks like a name, so that nothing but its place gives it away.
func (p *planter) canary() string {
	const letters = "bcdfghjkmnpqrstvwxz"
	b := make([]byte, 11)
	for i := range b {
		b[i] = letters[p.IntN(len(letters))]
	}
	b[3], b[7] = '4', '7'
	p.all = append(p.all, string(b))
	return string(b)
}

// plant returns a tree of JSON, which is an object of the API, with canaries.
func (p *planter) plant(x any, path string) any {
	switch x := x.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, v := range x {
			if name == "managedFields" {
				continue
			}
			at := strings.TrimPrefix(path+"."+name, ".")
			if path == "data" || path == "stringData" || path == "metadata.annotations" {
				name = p.canary()
			}
			out[name] = p.plant(v, at)
		}
		return out
	case []any:
		for i := range x {
			x[i] = p.plant(x[i], path)
		}
	case string:
		if maySay.MatchString(path) {
			return x
		}
		switch c := p.canary(); p.IntN(4) {
		case 0:
			return "Failed to pull " + c + ", and more"
		case 1:
			return "https://user:" + c + "@host/?a=" + c
		case 2:
			return base64.StdEncoding.EncodeToString([]byte(c))
		default:
			return c
		}
	}
	return x
}

// objects are what is planted in: real ones, and some with places for secrets.
func shapedObjects(t *testing.T) (all []map[string]any) {
	t.Helper()
	add := func(s string) {
		var x map[string]any
		if err := json.Unmarshal([]byte(s), &x); err != nil {
			t.Fatal(err)
		}
		if o, ok := x["object"].(map[string]any); ok {
			x = o
		}
		all = append(all, x)
	}
	for _, name := range []string{"pods.watch.ndjson.gz", "deployments.watch.ndjson.gz", "configmaps.watch.ndjson", "events.watch.ndjson.gz", "services.watch.ndjson"} {
		line, _, _ := strings.Cut(converttest.Beginning(t, name, 1<<16), "\n")
		add(line)
	}
	add(`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","namespace":"x","uid":"s1","resourceVersion":"7","annotations":{"a":"b"}},"type":"Opaque","data":{"p":"cA=="},"stringData":{"q":"r"}}`)
	add(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"x","uid":"c1","resourceVersion":"8"},"data":{"a.conf":"password: x"}}`)
	add(`{"apiVersion":"x.io/v1","kind":"Web","metadata":{"name":"w","namespace":"x","uid":"w1","resourceVersion":"9"},"spec":{"image":"i","nested":{"list":["a",{"b":"c"}]},"env":[{"name":"E","value":"v"}]},"status":{"message":"m","url":"u"}}`)
	return all
}

// printedAs are the formats in which objects with canaries are printed. p makes what else stands in the format.
var printedAs = map[string]func(p *planter, objects []string) string{
	"watch": func(p *planter, o []string) string {
		return lines(o, func(o string) string { return converttest.AddedEvent(o) })
	},
	"types of others": func(p *planter, o []string) string {
		return lines(o, func(o string) string { return `{"type":"` + p.canary() + `","object":` + o + "}\n" })
	},
	"objects": func(p *planter, o []string) string { return strings.Join(o, "\n") + "\n" },
	"list":    func(p *planter, o []string) string { return converttest.KubectlList(o...) },
	"array":   func(p *planter, o []string) string { return "[" + strings.Join(o, ",") + "]" },
	"Go": func(p *planter, o []string) string {
		return lines(o, func(o string) string { return `{"Type":"MODIFIED","Object":` + o + "}\n" })
	},
	"logged": func(p *planter, o []string) string {
		return lines(o, func(o string) string {
			return `{"level":"info","ts":"2026-01-01T10:00:00Z","logger":"` + p.canary() + `","msg":"` + p.canary() + ` updated","caller":"` + p.canary() + `","obj":` + o + `,"user":"` + p.canary() + "\"}\n"
		})
	},
	"YAML": func(p *planter, o []string) string {
		return lines(o, func(o string) string { return "---\n" + asYAML(o) })
	},
	"YAML, events": func(p *planter, o []string) string {
		return lines(o, func(o string) string { return "---\n" + asYAML(`{"object":`+o+`,"type":"ADDED"}`) })
	},
	"YAML, sequence": func(p *planter, o []string) string { return asYAML("[" + strings.Join(o, ",") + "]") },
	"Python": func(p *planter, o []string) string {
		return lines(o, func(o string) string { return `{"type":"ADDED","object":` + snake(o) + "}\n" })
	},
	"Python's print": func(p *planter, o []string) string {
		words := strings.NewReplacer("null", "None", "true", "True", "false", "False")
		return lines(o, func(o string) string {
			return p.canary() + ": {'type': 'ADDED', 'object': " + words.Replace(o) + ", 'x': u'" + p.canary() + "'}\n"
		})
	},
	"Table": func(p *planter, o []string) string {
		return lines(o, func(o string) string {
			return `{"type":"ADDED","object":` + converttest.TableOf("9", `[{"name":"Name","description":"`+p.canary()+`"},{"name":"`+p.canary()+`"}]`, `{"cells":["`+p.canary()+`","`+p.canary()+`"],"object":`+o+`}`) + "}\n"
		})
	},
	"audit":      auditOf,
	"exported":   func(p *planter, o []string) string { return wrapOf("journalctl -o export", auditOf(p, o)) },
	"CloudWatch": func(p *planter, o []string) string { return wrapOf("CloudWatch", auditOf(p, o)) },
	"Loki":       func(p *planter, o []string) string { return wrapOf("Loki", auditOf(p, o)) },
	"scheduler": func(p *planter, o []string) string {
		return lines(o, func(o string) string { return converttest.SimulatorLine("01", "Add", o) })
	},
	"HAR": func(p *planter, o []string) string {
		header := func() string { return `[{"name":"` + p.canary() + `","value":"` + p.canary() + `"}]` }
		return `{"log":{"version":"1.2","creator":{"name":"` + p.canary() + `"},"entries":[{"startedDateTime":"2026-01-01T10:00:00Z","time":5,"serverIPAddress":"` + p.canary() + `","request":{"method":"GET","url":"https://` + p.canary() + `.example/api/v1/pods?limit=5&` + p.canary() + `=` + p.canary() +
			`","headers":` + header() + `,"cookies":` + header() + `,"postData":{"text":"` + p.canary() + `"}},"response":{"status":200,"headers":` + header() + `,"content":{"mimeType":"application/json","text":` + quote(converttest.PodList("10", o[0])) + `}}}]}}`
	},
	"klog": func(p *planter, o []string) string {
		return `I1231 23:59:59.400000   22201 loader.go:407] Config loaded from file:  ` + p.canary() + "\n" + `I1231 23:59:59.500000   22201 round_trippers.go:632] "Response" verb="GET" url="https://` + p.canary() + `:26443/api/v1/pods?limit=500" status="200 OK" headers=<` +
			"\n\tAuthorization: " + p.canary() + "\n >\n" + `I1231 23:59:59.600000   22201 request.go:1073] Response Body: ` + converttest.PodList("10", o[0]) + "\n"
	},
	"tar": func(p *planter, o []string) string {
		return string(gzipped(tarOf(p, []packedFile{{"x/cluster-resources/all.json", converttest.KubectlList(o...)}, {"x/" + p.canary() + "/note.txt", p.canary()}})))
	},
	"k8shark": func(p *planter, o []string) string {
		whole := converttest.Beginning(p, "made-v2.kshrk", 1<<20)
		in, err := zip.NewReader(strings.NewReader(whole), int64(len(whole)))
		if err != nil {
			p.Fatal(err)
		}
		var files []packedFile
		for _, f := range in.File {
			r, err := f.Open()
			if err != nil {
				p.Fatal(err)
			}
			b, err := io.ReadAll(r)
			if err != nil {
				p.Fatal(err)
			}
			if strings.Contains(f.Name, "/records/") {
				z, err := zstd.NewReader(bytes.NewReader(b))
				if err != nil {
					p.Fatal(err)
				}
				plain, err := io.ReadAll(z)
				if err != nil {
					p.Fatal(err)
				}
				record := treeOf(string(plain)).(map[string]any)
				record["id"], record["response_headers"] = p.canary(), map[string]any{p.canary(): p.canary()}
				if body, ok := record["response_body"].(map[string]any); ok && body["kind"] == "PodList" {
					body["items"] = []any{treeOf(o[0])}
				}
				if plain, err = json.Marshal(record); err != nil {
					p.Fatal(err)
				}
				b = zstandard(plain)
			}
			files = append(files, packedFile{f.Name, string(b)})
		}
		return string(zipOf(p, files))
	},
	"kwok": func(p *planter, o []string) string {
		return lines(o, func(o string) string { return "---\n" + asYAML(o) }) + "---\napiVersion: action.kwok.x-k8s.io/v1alpha1\nkind: ResourcePatch\nresource:\n  version: v1\n  resource: pods\ntarget:\n  name: z\n  namespace: x\ndurationNanosecond: 5\nmethod: create\ntemplate:\n" + inner(asYAML(o[0]), "  ")
	},
	"SimKube": func(p *planter, o []string) string {
		var all []any
		for _, s := range o {
			all = append(all, treeOf(s))
		}
		b, err := msgp.AppendIntf(nil, map[string]any{"version": 2, "config": map[string]any{"trackedObjects": map[string]any{"v1.Pod": map[string]any{"x": p.canary()}}},
			"events": []any{map[string]any{"ts": 1779999999, "applied_objs": all, "deleted_objs": []any{}}}, "index": map[string]any{}, "pod_lifecycles": map[string]any{p.canary(): p.canary()}})
		if err != nil {
			panic(err)
		}
		return string(b)
	},
}

func auditOf(p *planter, o []string) string {
	return lines(o, func(o string) string {
		return fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"%s","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/x/pods/z?x=%s","verb":"update","user":{"username":"%s","groups":["%s"],"extra":{"%s":["%s"]}},"impersonatedUser":{"username":"%s"},"sourceIPs":["%s"],"userAgent":"%s","objectRef":{"resource":"pods","namespace":"x","name":"z","apiVersion":"v1"},"responseStatus":{"code":200,"message":"%s"},"requestObject":{"x":"%s"},"responseObject":%s,"annotations":{"%s":"%s"},"stageTimestamp":"2026-11-20T20:00:01.000000Z"}`+"\n",
			p.canary(), p.canary(), p.canary(), p.canary(), p.canary(), p.canary(), p.canary(), p.canary(), p.canary(), p.canary(), p.canary(), o, p.canary(), p.canary())
	})
}

func wrapOf(name, text string) string {
	all := strings.Split(strings.TrimSpace(text), "\n")
	return around[name](all, slices.Repeat([]time.Time{time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC)}, len(all)))
}

func lines(all []string, f func(string) string) string {
	var b strings.Builder
	for _, s := range all {
		b.WriteString(f(s))
	}
	return b.String()
}

func treeOf(s string) (x any) {
	if err := json.Unmarshal([]byte(s), &x); err != nil {
		panic(err)
	}
	return x
}

func asYAML(s string) string {
	b, err := yaml.Marshal(treeOf(s))
	if err != nil {
		panic(err)
	}
	return string(b)
}

// inner indents a text.
func inner(s, by string) string {
	return by + strings.TrimSuffix(strings.ReplaceAll(s, "\n", "\n"+by), by)
}

// snake gives the fields of JSON the names that the client of Python does.
func snake(s string) string {
	b, err := json.Marshal(snaked(treeOf(s), false))
	if err != nil {
		panic(err)
	}
	return string(b)
}

var capital = regexp.MustCompile(`[A-Z]+`)

func snaked(x any, users bool) any {
	switch x := x.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, v := range x {
			to := name
			if !users {
				to = strings.ToLower(capital.ReplaceAllString(name, "_$0"))
			}
			out[to] = snaked(v, slices.Contains([]string{"labels", "annotations", "data", "stringData", "matchLabels", "selector"}, name))
		}
		return out
	case []any:
		for i := range x {
			x[i] = snaked(x[i], false)
		}
	}
	return x
}

// TestTheShapeOfEveryFormat plants canaries in each place of objects, and of what a format has around them, which isn't on the oracle's
// list, and converts and redacts that. None of them is left, in any writing.
func TestTheShapeOfEveryFormat(t *testing.T) {
	const seed = 604
	planted, missing := 0, convert.Formats()
	for name, print := range printedAs {
		p := &planter{TB: t, Rand: rand.New(rand.NewPCG(seed, 0))}
		var objects []string
		for _, o := range shapedObjects(t) {
			b, err := json.Marshal(p.plant(o, ""))
			if err != nil {
				t.Fatal(err)
			}
			objects = append(objects, string(b))
		}
		in := print(p, objects)
		converted, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("FILE", in))
		if err != nil || tr.Records == 0 {
			t.Errorf("%s isn't read: %v\n%.300q", name, err, in)
			continue
		}
		missing = slices.DeleteFunc(missing, func(id string) bool { return slices.Contains(strings.Split(tr.Format, "+"), id) })
		stayed := leftOf(t, redact.Options{}, converted, p.all)
		stayed = append(stayed, leftOf(t, redact.Options{Names: true}, converted, p.all)...)
		for _, s := range stayed {
			t.Errorf("seed %d, %s: %s", seed, name, s)
		}
		planted += len(p.all)
	}
	without := []string{"trace", encrypted, "log", "prometheus", "metrics"} // any objects of their own, or any that are read
	if missing = slices.DeleteFunc(missing, func(id string) bool { return slices.Contains(without, id) }); len(missing) > 0 && !t.Failed() {
		t.Errorf("printedAs prints nothing as %q", missing)
	}
	t.Logf("%d canaries", planted)
}

// leftOf redacts a trace, and says which canaries are left.
func leftOf(t *testing.T, o redact.Options, converted string, canaries []string) (left []string) {
	t.Helper()
	var out bytes.Buffer
	if err := redact.Rewrite(&out, o, func(w io.Writer) error {
		for line := range strings.Lines(converted) {
			if _, err := io.WriteString(w, line); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		said := line
		for d := json.NewDecoder(strings.NewReader(line)); ; {
			token, err := d.Token()
			if err != nil {
				break
			}
			if s, ok := token.(string); ok {
				b, _ := base64.StdEncoding.DecodeString(s)
				said += "\n" + s + "\n" + string(b)
			}
		}
		for _, c := range canaries {
			if i := strings.Index(line, c); i >= 0 {
				left = append(left, c+" stays in …"+line[max(0, i-100):min(len(line), i+40)]+"…")
			} else if strings.Contains(said, c) {
				left = append(left, c+" stays, encoded")
			}
		}
	}
	return left
}
