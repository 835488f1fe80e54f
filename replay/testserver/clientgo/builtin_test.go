package clientgo

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/randfill"
	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"

	"github.com/informerscope/informerscope/replay/testserver"
	"github.com/informerscope/informerscope/replay/testserver/builtin"
)

var updateKinds = flag.Bool("update-kinds", false, "write replay/testserver/builtin/kinds.txt")

const kindsFile = "../builtin/kinds.txt"

// served returns the kinds that a Server has, in their order, and their types.
func served(t *testing.T) ([]schema.GroupVersionKind, map[schema.GroupVersionKind]reflect.Type) {
	s := testserver.New(testserver.Options{})
	defer s.Close()
	all := map[schema.GroupVersionKind]reflect.Type{}
	for _, r := range s.Resources() {
		if r.Group == "apiextensions.k8s.io" {
			continue // their schemas have JSON of any form
		}
		gvk := schema.GroupVersionKind{Group: r.Group, Version: r.Version, Kind: r.Kind}
		o, err := scheme.Scheme.New(gvk)
		if err != nil {
			t.Fatal(err)
		}
		all[gvk] = reflect.TypeOf(o).Elem()
	}
	kinds := slices.Collect(maps.Keys(all))
	slices.SortFunc(kinds, func(a, b schema.GroupVersionKind) int { return strings.Compare(a.String(), b.String()) })
	return kinds, all
}

// leaves are types that are written otherwise than by their fields.
var leaves = []string{"Time", "MicroTime", "Duration", "Quantity", "IntOrString", "FieldsV1", "RawExtension"}

// table writes the types as kinds.txt has them.
type table struct {
	t     *testing.T
	lines map[string]string
	named map[reflect.Type]string
}

// smd is how server-side apply merges a value, by client-go's schema.
type smd struct {
	all  *smdschema.Schema
	atom smdschema.Atom
}

// typeOf returns how it merges what ref names, nil for nothing that is known.
func (m *smd) of(ref smdschema.TypeRef) *smd {
	if atom, is := m.all.Resolve(ref); is && ref != (smdschema.TypeRef{}) {
		return &smd{m.all, atom}
	}
	return nil
}

// field returns how it merges a field.
func (m *smd) field(name string) *smd {
	if m == nil || m.atom.Map == nil {
		return nil
	}
	f, _ := m.atom.Map.FindField(name)
	return m.of(f.Type)
}

// smdOf returns how server-side apply merges a kind.
func smdOf(t *testing.T, gvk schema.GroupVersionKind) *smd {
	o, err := scheme.Scheme.New(gvk)
	if err != nil {
		t.Fatal(err)
	}
	o.GetObjectKind().SetGroupVersionKind(gvk)
	v, err := applyconfigurations.NewTypeConverter(scheme.Scheme).ObjectToTyped(o)
	if err != nil {
		t.Fatal(err)
	}
	return (&smd{all: v.Schema()}).of(v.TypeRef())
}

// omitted reports whether a list's elements leave a field out that is zero.
func omitted(list reflect.Type, name string) bool {
	for i := range list.Elem().NumField() {
		if in, options, _ := strings.Cut(list.Elem().Field(i).Tag.Get("json"), ","); in == name || in == "" && list.Elem().Field(i).Type.Kind() == reflect.Struct && omitted(reflect.SliceOf(list.Elem().Field(i).Type), name) {
			return in == "" || strings.Contains(options, "omitempty")
		}
	}
	return false
}

// merges returns what kinds.txt says of it: the keys of a list that is merged, and whether an object is replaced.
func (m *smd) merges(strategic string, list bool, of reflect.Type) (keys, atomic string, element *smd) {
	if list && m != nil && m.atom.List != nil {
		element = m.of(m.atom.List.ElementType)
		if m.atom.List.ElementRelationship == smdschema.Associative {
			for _, key := range m.atom.List.Keys {
				f, _ := element.atom.Map.FindField(key)
				zero := f.Default == "" || fmt.Sprint(f.Default) == "0"
				if f.Default != nil && !(zero && !omitted(of, key)) {
					key += fmt.Sprint("=", f.Default)
				} else if f.Default == nil && !omitted(of, key) {
					panic("the key " + key + " has no default")
				}
				keys += "," + key
			}
			if keys = strings.TrimPrefix(keys, ","); keys == "" {
				keys = "="
			}
		}
		m = element
	}
	if m != nil && m.atom.Map != nil && m.atom.Map.ElementRelationship == smdschema.Atomic {
		atomic = "~"
	}
	if keys == strategic {
		return strategic, atomic, m
	}
	return strategic + "|" + keys, atomic, m
}

// name returns a type's name, after it has written its fields.
func (w *table) name(t reflect.Type, as string, m *smd) string {
	if name, is := w.named[t]; is {
		if w.lines[name] == name {
			w.t.Fatalf("%s holds itself", t)
		}
		return name
	}
	name := as
	if name == "" {
		name = t.Name()
		for i := 2; w.lines[name] != ""; i++ {
			name = t.Name() + strconv.Itoa(i)
		}
	}
	w.named[t], w.lines[name] = name, name
	line := name
	for i := range t.NumField() {
		f := t.Field(i)
		tag := strings.Split(f.Tag.Get("protobuf"), ",")
		in, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if len(tag) < 2 {
			continue // TypeMeta
		}
		if in == "" && !strings.Contains(options, "inline") && !f.Anonymous {
			w.t.Fatalf("%s.%s has no name", t, f.Name)
		}
		of, before := f.Type, ""
		merged := m.field(in)
		if in == "" {
			merged = m
		}
		list := of.Kind() == reflect.Slice && of.Elem().Kind() != reflect.Uint8
		key := ""
		if list {
			key = w.key(f)
		}
		keys, atomic, merged := merged.merges(key, list, of)
		for {
			switch k := of.Kind(); {
			case k == reflect.Pointer:
				of = of.Elem()
				continue
			case k == reflect.Slice && of.Elem().Kind() != reflect.Uint8:
				of, before = of.Elem(), before+"["+keys+"]"+atomic
				continue
			case k == reflect.Map:
				of, before = of.Elem(), before+atomic+"{}"
				merged = nil
				continue
			}
			break
		}
		holds := ""
		switch of.Kind() {
		case reflect.String:
			holds = "s"
		case reflect.Slice:
			holds = "y"
		case reflect.Int32, reflect.Int64:
			holds = "i"
		case reflect.Bool:
			holds = "b"
		case reflect.Struct:
			if holds = of.Name(); !slices.Contains(leaves, holds) {
				holds = w.name(of, "", merged)
			}
		default:
			w.t.Fatalf("%s.%s is a %s", t, f.Name, of)
		}
		if strings.Contains(options, "omitempty") && of == f.Type && of.Kind() != reflect.Struct {
			before = "?"
		}
		if f.Tag.Get("patchStrategy") == "replace" {
			if of.Kind() != reflect.Struct || before != "" {
				w.t.Fatalf("%s.%s is replaced", t, f.Name)
			}
			before = "!"
		}
		if of.Kind() == reflect.Struct && !list && !strings.Contains(before, "{}") {
			before += atomic
		}
		line += fmt.Sprintf(" %s:%s:%s%s", tag[1], in, before, holds)
	}
	w.lines[name] = line
	return name
}

// key returns by what a strategic merge patch merges a list: the key of its objects, "=" for values, or "" if it doesn't.
func (w *table) key(f reflect.StructField) string {
	how, key := strings.Split(f.Tag.Get("patchStrategy"), ","), f.Tag.Get("patchMergeKey")
	switch objects := f.Type.Elem().Kind() == reflect.Struct; {
	case !slices.Contains(how, "merge"):
		return ""
	case objects == (key == ""):
		w.t.Fatalf("%s merges by %q", f.Name, key)
	case !objects:
		return "="
	}
	return key
}

// TestKinds compares the table of fields with the types.
func TestKinds(t *testing.T) {
	w := &table{t, map[string]string{}, map[reflect.Type]string{}}
	kinds, types := served(t)
	w.name(reflect.TypeFor[metav1.DeleteOptions](), "DeleteOptions", nil)
	for _, k := range kinds {
		apiVersion, kind := k.ToAPIVersionAndKind()
		w.name(types[k], apiVersion+"/"+kind, smdOf(t, k))
	}
	var lines []string
	for _, line := range w.lines {
		lines = append(lines, line+"\n")
	}
	slices.Sort(lines)
	want := strings.Join(lines, "")
	if *updateKinds {
		if err := os.WriteFile(kindsFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(kindsFile); err != nil || string(got) != want {
		t.Errorf("%s isn't of these types: %v (-update-kinds writes it)", kindsFile, err)
	}
}

// filler makes random objects.
func filler(seed int64) *randfill.Filler {
	return randfill.NewWithSeed(seed).NilChance(0.3).NumElements(1, 3).MaxDepth(9).Funcs(
		func(x *resource.Quantity, c randfill.Continue) {
			*x = *resource.NewMilliQuantity(c.Int63n(1e6), resource.DecimalSI)
		},
		func(x *metav1.Time, c randfill.Continue) { *x = metav1.Unix(c.Int63n(2e9), 0) },
		func(x *metav1.MicroTime, c randfill.Continue) {
			*x = metav1.NewMicroTime(metav1.Unix(c.Int63n(2e9), c.Int63n(1e6)*1000).Time)
		},
		func(x *metav1.FieldsV1, c randfill.Continue) { *x = *metav1.NewFieldsV1(`{"f:a":{}}`) },
		func(x *runtime.RawExtension, c randfill.Continue) { x.Raw, x.Object = []byte(`{"a":[1]}`), nil },
		func(*metav1.TypeMeta, randfill.Continue) {}, // protobuf has it once, around the object
		func(x *[]byte, c randfill.Continue) { *x = []byte(c.String(9)) },
		func(x *intstr.IntOrString, c randfill.Continue) {
			if *x = intstr.FromInt32(int32(c.Intn(100))); c.Bool() {
				*x = intstr.FromString(c.String(5))
			}
		},
	)
}

// TestProtobuf reads random objects of each kind, and compares them with what they are in JSON.
func TestProtobuf(t *testing.T) {
	const each = 40
	fill := filler(1)
	serializer := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	kinds, types := served(t)
	for _, gvk := range kinds {
		of := types[gvk]
		for i := range each {
			o := reflect.New(of).Interface().(runtime.Object)
			if i > 0 { // the first is empty
				fill.Fill(o)
			}
			o.GetObjectKind().SetGroupVersionKind(gvk)
			var b bytes.Buffer
			if err := serializer.Encode(o, &b); err != nil {
				t.Fatal(err)
			}
			got, err := builtin.JSON(b.Bytes())
			if err != nil {
				t.Fatalf("%s: %v", gvk, err)
			}
			want, err := json.Marshal(o)
			if err != nil {
				t.Fatal(err)
			}
			if a, b := tidied(t, got), tidied(t, want); !reflect.DeepEqual(a, b) {
				t.Fatalf("%s:\n%s\nwant\n%s", gvk, got, want)
			}
		}
	}
}

// tidied returns an object without null, which is the same to a server.
func tidied(t *testing.T, b []byte) (o any) {
	if err := json.Unmarshal(b, &o); err != nil {
		t.Fatal(err)
	}
	var tidy func(any) any
	tidy = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for name, in := range v {
				if v[name] = tidy(in); v[name] == nil {
					delete(v, name)
				}
			}
		case []any:
			for i, in := range v {
				v[i] = tidy(in)
			}
		}
		return v
	}
	return tidy(o)
}

// TestStrategic patches random objects of each kind, by patches that make others of them and by damaged ones, and compares with
// what Kubernetes' library makes of them.
func TestStrategic(t *testing.T) {
	const each = 25
	fill := filler(2)
	random := rand.New(rand.NewPCG(3, 4))
	refused := 0
	kinds, types := served(t)
	for _, gvk := range kinds {
		of := types[gvk]
		apiVersion, kind := gvk.ToAPIVersionAndKind()
		for range each {
			var texts [2][]byte
			for i := range texts {
				o := reflect.New(of).Interface().(runtime.Object)
				fill.Fill(o)
				if i == 1 && random.IntN(2) == 0 { // it has much of the other one
					if err := json.Unmarshal(texts[0], o); err != nil {
						t.Fatal(err)
					}
				}
				o.GetObjectKind().SetGroupVersionKind(gvk)
				texts[i] = must(json.Marshal(o))(t)
			}
			like := reflect.New(of).Interface()
			patch, err := strategicpatch.CreateTwoWayMergePatch(texts[0], texts[1], like)
			if err != nil {
				continue // a list of random objects has two with the same key
			}
			if random.IntN(2) == 0 {
				patch = damaged(t, patch, random)
			}
			want, wanted := patchedByLibrary(texts[0], patch, like)
			var live, change map[string]any
			if err := cmp.Or(json.Unmarshal(texts[0], &live), json.Unmarshal(patch, &change)); err != nil {
				t.Fatal(err)
			}
			got, err := builtin.Strategic(apiVersion, kind, live, change)
			if (err == nil) != (wanted == nil) {
				t.Fatalf("%s %s\npatched by %s:\n%v, want %v", gvk, texts[0], patch, err, wanted)
			}
			if err != nil {
				refused++
				continue
			}
			if b := must(json.Marshal(got))(t); !reflect.DeepEqual(tidied(t, b), tidied(t, want)) {
				t.Fatalf("%s %s\npatched by %s:\n%s\nwant\n%s", gvk, texts[0], patch, b, want)
			}
		}
	}
	if refused < 10 {
		t.Errorf("%d were refused", refused)
	}
}

// patchedByLibrary returns what Kubernetes' library makes of an object. It panics where a list of objects without a key is to be
// ordered.
func patchedByLibrary(o, patch []byte, like any) (out []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return strategicpatch.StrategicMergePatch(o, patch, like)
}

// damaged returns a patch with a random change: a directive, null, or another value.
func damaged(t *testing.T, patch []byte, random *rand.Rand) []byte {
	var o map[string]any
	if err := json.Unmarshal(patch, &o); err != nil {
		t.Fatal(err)
	}
	at := o
	for depth := random.IntN(5); depth > 0; depth-- {
		names := slices.Sorted(maps.Keys(at))
		if len(names) == 0 {
			break
		}
		switch in := at[names[random.IntN(len(names))]].(type) {
		case map[string]any:
			at = in
		case []any:
			if len(in) > 0 {
				if item, is := in[random.IntN(len(in))].(map[string]any); is {
					at = item
				}
			}
		}
	}
	names := slices.Sorted(maps.Keys(at))
	if len(names) == 0 {
		return patch
	}
	name := names[random.IntN(len(names))]
	switch random.IntN(9) {
	case 0:
		at["$patch"] = "replace"
	case 1:
		at["$patch"] = "delete"
	case 2:
		at["$patch"] = "merge"
	case 3:
		at[name] = nil
	case 4:
		at[name] = "other"
	case 5:
		at["$retainKeys"] = []any{name}
	case 6:
		delete(at, name)
	case 7:
		delete(at, name) // the library does them in any order
		at["$deleteFromPrimitiveList/"+name] = []any{"a"}
	case 8:
		at["$setElementOrder/"+name] = []any{}
	}
	return must(json.Marshal(o))(t)
}
