// Package apply lets replay/testserver do server-side apply and keep metadata.managedFields, by
// the library that a real API server does it with. It is a module of its own: it needs
// Kubernetes' modules, and nothing of informerscope.
//
//	server := testserver.New(testserver.Options{Fields: apply.Fields()})
//
// The kinds of client-go's scheme have their schemas. For other kinds, such as custom
// resources, it is deduced what is a list and what is a map, as for a custom resource without
// a schema: lists are replaced as a whole.
package apply

import (
	"encoding/json"
	"errors"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/yaml"
)

// Fields returns the Fields of testserver.Options.
func Fields() func(subresource string, live, object []byte, manager string, apply, force bool) ([]byte, error) {
	known, deduced := applyconfigurations.NewTypeConverter(scheme.Scheme), managedfields.NewDeducedTypeConverter()
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
		m, err := managerOf(kind, subresource, known, deduced)
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
func managerOf(kind schema.GroupVersionKind, subresource string, known, deduced managedfields.TypeConverter) (*managedfields.FieldManager, error) {
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
	return managedfields.NewDefaultCRDFieldManager(deduced, noConversion{}, noConversion{}, noConversion{}, kind, kind.GroupVersion(), subresource, reset)
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
