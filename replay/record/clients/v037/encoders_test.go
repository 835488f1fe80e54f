package v037

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/cbor"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/informerscope/informerscope/replay/record/internal/metadata"
)

// pod makes one of any metadata.
func pod(r *rand.Rand) *corev1.Pod {
	text := func() string {
		return []string{"", "a", "web-x7f2k", "ünï\"code\n", strings.Repeat("x", r.IntN(300))}[r.IntN(5)]
	}
	o := &corev1.Pod{Spec: corev1.PodSpec{NodeName: text(), Containers: []corev1.Container{{Name: text(), Env: []corev1.EnvVar{{Name: "A", Value: "hunter2"}}}}}}
	o.Kind, o.APIVersion = "Pod", "v1"
	o.Name, o.GenerateName, o.Namespace = text(), text(), text()
	o.UID, o.ResourceVersion, o.Generation = types.UID(text()), fmt.Sprint(r.Uint64()), r.Int64()
	if r.IntN(2) == 0 {
		o.CreationTimestamp = metav1.Unix(r.Int64N(1<<33), 0)
		gone := metav1.NewTime(time.Unix(r.Int64N(1<<33), 0))
		o.DeletionTimestamp = &gone
	}
	for range r.IntN(4) {
		if o.Labels == nil {
			o.Labels, o.Annotations = map[string]string{}, map[string]string{"note": "hunter2"}
		}
		o.Labels["k"+text()] = text()
		o.Finalizers = append(o.Finalizers, "f"+text())
		is := r.IntN(2) == 0
		o.OwnerReferences = append(o.OwnerReferences, metav1.OwnerReference{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "n" + text(), UID: types.UID("u" + text()), Controller: &is})
	}
	return o
}

// keptFields returns the fields of a pod that the recorder should keep, as encoding/json decodes them.
func keptFields(t *testing.T, o *corev1.Pod, withKind bool) map[string]any {
	kept := metav1.ObjectMeta{
		Name: o.Name, GenerateName: o.GenerateName, Namespace: o.Namespace, UID: o.UID, ResourceVersion: o.ResourceVersion, Generation: o.Generation,
		CreationTimestamp: o.CreationTimestamp, DeletionTimestamp: o.DeletionTimestamp, Labels: o.Labels, Finalizers: o.Finalizers,
	}
	for _, w := range o.OwnerReferences {
		if !*w.Controller {
			w.Controller = nil
		}
		kept.OwnerReferences = append(kept.OwnerReferences, w)
	}
	meta := decoded(t, kept)
	if o.CreationTimestamp.IsZero() {
		delete(meta, "creationTimestamp")
	}
	out := map[string]any{"metadata": meta}
	if withKind {
		out["kind"], out["apiVersion"] = "Pod", "v1"
	}
	return out
}

func decoded(t *testing.T, v any) (out map[string]any) {
	t.Helper()
	b, ok := v.([]byte)
	if !ok {
		var err error
		if b, err = json.Marshal(v); err != nil {
			t.Fatal(err)
		}
	}
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	return out
}

// What apimachinery's own encoders write is read: objects, lists, Statuses and watches.
func TestEncoders(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	v1 := schema.GroupVersion{Version: "v1"}
	proto := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	c := cbor.NewSerializer(scheme.Scheme, scheme.Scheme)
	for _, e := range []struct {
		form   metadata.Form
		object runtime.Serializer
		stream runtime.Serializer
		framer runtime.Framer
	}{
		{metadata.Protobuf, proto, protobuf.NewRawSerializer(scheme.Scheme, scheme.Scheme), protobuf.LengthDelimitedFramer},
		{metadata.CBOR, c, c, cbor.NewFramer()},
	} {
		encode := func(o runtime.Object) []byte {
			b, err := runtime.Encode(scheme.Codecs.EncoderForVersion(e.object, v1), o)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		read := func(o runtime.Object) map[string]any {
			b, err := metadata.AppendAnswer(nil, e.form, encode(o), 1<<24)
			if err != nil {
				t.Fatalf("%v of %v", err, o)
			}
			return decoded(t, b)
		}
		for range 300 {
			o := pod(r)
			if got, want := read(o), keptFields(t, o, true); !reflect.DeepEqual(got, want) {
				t.Fatalf("got %v\nwant %v", got, want)
			}
			remaining := int64(1 + r.IntN(100))
			list := &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "17", Continue: "more", RemainingItemCount: &remaining}}
			items := []any{}
			for range r.IntN(3) {
				p := pod(r)
				p.TypeMeta = metav1.TypeMeta{}
				list.Items = append(list.Items, *p)
				items = append(items, keptFields(t, p, false))
			}
			want := map[string]any{"kind": "PodList", "apiVersion": "v1", "metadata": map[string]any{"resourceVersion": "17", "continue": "more", "remainingItemCount": float64(remaining)}, "items": items}
			if got := read(list); !reflect.DeepEqual(got, want) {
				t.Fatalf("got %v\nwant %v", got, want)
			}
			var sent metadata.Object
			if err := sent.Read(e.form, encode(o)); err != nil || string(sent.Name) != o.Name || string(sent.ResourceVersion) != o.ResourceVersion || string(sent.UID) != string(o.UID) {
				t.Fatalf("%v of %v: %s %s", err, o, sent.Name, sent.ResourceVersion)
			}
			var frames strings.Builder
			encoder := streaming.NewEncoder(e.framer.NewFrameWriter(&frames), scheme.Codecs.EncoderForVersion(e.stream, v1))
			for range 3 {
				if err := encoder.Encode(&metav1.WatchEvent{Type: "MODIFIED", Object: runtime.RawExtension{Raw: encode(o)}}); err != nil {
					t.Fatal(err)
				}
			}
			stream := []byte(frames.String())
			for range 3 {
				n, err := metadata.Frame(e.form, stream, 1<<24)
				if n == 0 || err != nil {
					t.Fatal(n, err)
				}
				b, err := metadata.AppendEvent(nil, e.form, stream[:n])
				if err != nil {
					t.Fatal(err)
				}
				if got, want := decoded(t, b), (map[string]any{"type": "MODIFIED", "object": keptFields(t, o, true)}); !reflect.DeepEqual(got, want) {
					t.Fatalf("got %v\nwant %v", got, want)
				}
				stream = stream[n:]
			}
			if len(stream) > 0 {
				t.Fatalf("%d bytes are left", len(stream))
			}
		}
		expired := apierrors.NewTimeoutError("too large", 7).Status()
		expired.Details.Causes = []metav1.StatusCause{{Type: "ResourceVersionTooLarge", Message: "Too large resource version"}}
		expired.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
		if got, want := read(&expired), decoded(t, expired); !reflect.DeepEqual(got, want) {
			t.Errorf("got %v\nwant %v", got, want)
		}
		uid, rv := types.UID("u1"), "17"
		options := &metav1.DeleteOptions{TypeMeta: metav1.TypeMeta{Kind: "DeleteOptions", APIVersion: "v1"}, Preconditions: &metav1.Preconditions{UID: &uid, ResourceVersion: &rv}}
		var sent metadata.Object
		if err := sent.Read(e.form, encode(options)); err != nil || string(sent.UID) != "u1" || string(sent.ResourceVersion) != "17" {
			t.Errorf("%v: %s %s", err, sent.UID, sent.ResourceVersion)
		}
	}
}
