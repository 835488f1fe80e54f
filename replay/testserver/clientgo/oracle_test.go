package clientgo

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/randfill"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/yaml"

	"github.com/informerscope/informerscope/replay/testserver/apply"
	"github.com/informerscope/informerscope/replay/testserver/builtin"
)

var managerSeeds = flag.Int("manager-seeds", 2, "how many random runs of each kind TestManagers makes")

type object = map[string]any

// realFields returns what Kubernetes' field managers make of a write. Defined says how kinds outside of client-go's scheme are merged.
func realFields(defined managedfields.TypeConverter) func(subresource string, live, object []byte, manager string, apply, force bool) ([]byte, error) {
	known := applyconfigurations.NewTypeConverter(scheme.Scheme)
	return func(subresource string, live, object []byte, manager string, apply, force bool) ([]byte, error) {
		was, is := &unstructured.Unstructured{}, &unstructured.Unstructured{}
		if err := json.Unmarshal(live, &was.Object); err != nil {
			return nil, err
		}
		if err := yaml.Unmarshal(object, &is.Object); err != nil {
			return nil, err
		}
		if is.Object == nil {
			return nil, errors.New("the object is empty")
		}
		numbers(was.Object)
		numbers(is.Object)
		kind := was.GroupVersionKind()
		m, err := managerOf(kind, subresource, known, defined)
		if err != nil {
			return nil, err
		}
		var out runtime.Object
		if apply {
			out, err = m.Apply(was, is, manager, force)
		} else {
			out, err = m.Update(was, is, manager)
		}
		if err != nil {
			return nil, err
		}
		return json.Marshal(out)
	}
}

// managerOf makes what manages the fields of a kind.
func managerOf(kind schema.GroupVersionKind, subresource string, known, defined managedfields.TypeConverter) (*managedfields.FieldManager, error) {
	other := "status" // no write of the object changes that
	if subresource == "status" {
		other = "spec"
	}
	reset := map[fieldpath.APIVersion]fieldpath.Filter{
		fieldpath.APIVersion(kind.GroupVersion().String()): fieldpath.NewExcludeSetFilter(fieldpath.NewSet(fieldpath.MakePathOrDie(other))),
	}
	if scheme.Scheme.Recognizes(kind) {
		return managedfields.NewDefaultFieldManager(known, noConversion{}, noConversion{}, noConversion{}, kind, kind.GroupVersion(), subresource, reset)
	}
	return managedfields.NewDefaultCRDFieldManager(defined, noConversion{}, noConversion{}, noConversion{}, kind, kind.GroupVersion(), subresource, reset)
}

// noConversion converts and defaults nothing: there is one version of each kind.
type noConversion struct{}

func (noConversion) Default(runtime.Object) {}

func (noConversion) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(kind)
	return o, nil
}

func (noConversion) Convert(in, out, context any) error { return errors.New("nothing is converted") }

func (noConversion) ConvertToVersion(in runtime.Object, _ runtime.GroupVersioner) (runtime.Object, error) {
	return in, nil
}

func (noConversion) ConvertFieldLabel(_ schema.GroupVersionKind, label, value string) (string, string, error) {
	return label, value, nil
}

// numbers makes whole numbers of JSON what they are in unstructured objects.
func numbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			v[name] = numbers(v[name])
		}
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case float64:
		if n := int64(v); float64(n) == v {
			return n
		}
	}
	return v
}

// generator makes objects of a few names and numbers, so that two of them have much in common.
type generator struct {
	r *rand.Rand
	f *randfill.Filler
}

func newGenerator(seed uint64) *generator {
	g := &generator{r: rand.New(rand.NewPCG(seed, 1)), f: filler(int64(seed)).NilChance(0.6).NumElements(1, 3)}
	g.f.Funcs(func(s *string, c randfill.Continue) { *s = string("abc"[c.Intn(3)]) },
		func(n *int32, c randfill.Continue) { *n = int32(c.Intn(3)) },
		func(n *int64, c randfill.Continue) { *n = int64(c.Intn(3)) })
	return g
}

// object returns a random object of a type.
func (g *generator) object(kind schema.GroupVersionKind, t reflect.Type) object {
	v := reflect.New(t)
	g.f.Fill(v.Interface())
	b, err := json.Marshal(v.Interface())
	if err != nil {
		panic(err)
	}
	o := decoded(b)
	o["apiVersion"], o["kind"] = kind.ToAPIVersionAndKind()
	meta, _ := o["metadata"].(object)
	if meta == nil {
		meta = object{}
		o["metadata"] = meta
	}
	meta["name"], meta["namespace"] = "o", "shop"
	delete(meta, "managedFields")
	delete(meta, "uid")
	return o
}

// part returns a part of a value. It rarely leaves out what tells an element of a list from others.
func (g *generator) part(v any) any {
	switch v := v.(type) {
	case object:
		out := object{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if name == "apiVersion" || name == "kind" {
				out[name] = v[name]
			} else if name == "metadata" || g.r.IntN(4) > 0 || slices.Contains([]string{"name", "type", "uid", "ip", "port", "containerPort", "key"}, name) && g.r.IntN(20) > 0 {
				out[name] = g.part(v[name])
			}
		}
		return out
	case []any:
		out := []any{}
		for _, one := range v {
			if g.r.IntN(3) > 0 {
				out = append(out, g.part(one))
			}
		}
		return out
	}
	if g.r.IntN(100) == 0 {
		return nil
	}
	return v
}

func decoded(b []byte) (o object) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&o); err != nil {
		panic(err)
	}
	return o
}

// TestManagers has managers update and apply parts of random objects of each kind, and compares what comes of it, with all
// managedFields, with what Kubernetes' own field managers make of it.
func TestManagers(t *testing.T) {
	kinds, types := served(t)
	real, known := realFields(nil), applyconfigurations.NewTypeConverter(scheme.Scheme)
	twice := func(o object) bool { // a list has an element twice: this server refuses that
		_, err := known.ObjectToTyped(&unstructured.Unstructured{Object: decoded([]byte(asText(o)))})
		return err != nil && strings.Contains(err.Error(), "duplicate entries")
	}
	applied, conflicts, refused, unknown := 0, 0, 0, 0
	synctest.Test(t, func(t *testing.T) {
		for seed := range *managerSeeds {
			for i, kind := range kinds {
				g := newGenerator(uint64(seed*len(kinds) + i))
				apiVersion, name := kind.ToAPIVersionAndKind()
				live := object{"apiVersion": apiVersion, "kind": name, "metadata": object{"name": "o", "namespace": "shop"}}
				if seed%4 == 3 { // which nobody manages, as it is there already
					if o := g.object(kind, types[kind]); !twice(o) {
						live = o
						live["metadata"].(object)["uid"] = "there"
					}
				}
				pool := []object{g.object(kind, types[kind]), g.object(kind, types[kind]), g.object(kind, types[kind])}
				for step := range 12 {
					next := g.part(pool[g.r.IntN(len(pool))]).(object)
					if twice(next) {
						continue
					}
					w := apply.Write{Schema: builtin.Schema(apiVersion, name), APIVersion: apiVersion, Manager: fmt.Sprint("m", g.r.IntN(3)), Ignored: []string{"status"}, Time: time.Now()}
					if g.r.IntN(4) == 0 {
						w.Subresource, w.Ignored = "status", []string{"spec"}
					}
					applies := g.r.IntN(2) == 0
					w.Force = applies && g.r.IntN(2) == 0
					before := asText(live)
					want, failed := real(w.Subresource, []byte(before), []byte(asText(next)), w.Manager, applies, w.Force)
					var got object
					var err error
					if applies {
						got, err = w.Apply(live, next)
						applied++
					} else {
						got = w.Update(live, next)
						if failed != nil { // an API server leaves the managers as they are
							o, meta := maps.Clone(next), object{}
							was, _ := live["metadata"].(object)
							given, _ := next["metadata"].(object)
							maps.Copy(meta, given)
							if o["metadata"] = meta; was["managedFields"] != nil {
								meta["managedFields"] = was["managedFields"]
							}
							want, failed = []byte(asText(o)), nil
							unknown++
						}
					}
					about := fmt.Sprintf("%s, seed %d, step %d: apply %v, force %v, by %s %s\nlive %s\nnext %s", kind.Kind, seed, step, applies, w.Force, w.Manager, w.Subresource, before, asText(next))
					if asText(live) != before {
						t.Fatalf("%s\nthe live object is changed", about)
					}
					if (failed == nil) != (err == nil) {
						t.Fatalf("%s\nerror %v, want %v", about, err, failed)
					}
					var conflict *apply.Conflict
					switch real := (*apierrors.StatusError)(nil); {
					case errors.As(err, &conflict):
						conflicts++
						if !errors.As(failed, &real) {
							t.Fatalf("%s\nconflict %v, want %v", about, err, failed)
						}
						var causes []apply.Cause
						for _, c := range real.ErrStatus.Details.Causes {
							causes = append(causes, apply.Cause{Field: c.Field, Message: c.Message})
						}
						if err.Error() != failed.Error() || len(causes) != len(conflict.Causes) || !slices.ContainsFunc(causes, func(c apply.Cause) bool { return c == conflict.Causes[0] }) {
							t.Fatalf("%s\nconflict %v\nwant     %v", about, err, failed)
						}
					case err != nil:
						refused++
					default:
						if w := decoded(want); asText(got) != asText(w) {
							t.Fatalf("%s\n got %s\nwant %s", about, asText(got), asText(w))
						}
						live = decoded(want)
						live["metadata"].(object)["uid"] = "there"
					}
					<-time.After(time.Duration(g.r.IntN(3)) * time.Second)
				}
			}
		}
	})
	if applied < 50 || conflicts < applied/20 || refused > applied/2 {
		t.Errorf("%d applied, %d conflicts, %d refused, %d updates of another form", applied, conflicts, refused, unknown)
	}
	t.Logf("%d applied, %d conflicts, %d refused, %d updates of another form", applied, conflicts, refused, unknown)
}

func asText(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
