package builtin

import (
	"encoding/json"
	"errors"
	"testing"
)

// message returns an object in protobuf, of fields that are shorter than 128 bytes.
func message(apiVersion, kind, raw string) []byte {
	field := func(n byte, s string) string { return string([]byte{n<<3 | 2, byte(len(s))}) + s }
	return []byte("k8s\x00" + field(1, field(1, apiVersion)+field(2, kind)) + field(2, raw))
}

// TestRefused holds what isn't read.
func TestRefused(t *testing.T) {
	for want, b := range map[error]string{
		errDamaged: "{}",
		ErrUnknown: string(message("apps/v1", "Widget", "")),
	} {
		if _, err := JSON([]byte(b)); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", b, err, want)
		}
	}
	for _, raw := range []string{"\x0a\x7f", "\x0b", "\x08", "\x09\x01", "\x80"} {
		if b, err := JSON(message("v1", "ConfigMap", raw)); !errors.Is(err, errDamaged) {
			t.Errorf("%q: %s, %v", raw, b, err)
		}
	}
	if b, err := JSON(message("policy/v1", "DeleteOptions", "")); err != nil || !json.Valid(b) {
		t.Errorf("%s, %v", b, err)
	}
}

// FuzzJSON holds that whatever comes is refused, or JSON.
func FuzzJSON(f *testing.F) {
	f.Add("v1", "ConfigMap", "\x0a\x03\x0a\x01a\x12\x06\x0a\x01k\x12\x01v")
	f.Add("apps/v1", "Deployment", "\x12\x02\x08\x01")
	f.Add("v1", "DeleteOptions", "")
	f.Fuzz(func(t *testing.T, apiVersion, kind, raw string) {
		b := message(apiVersion[:min(len(apiVersion), 40)], kind[:min(len(kind), 40)], raw[:min(len(raw), 100)])
		if text, err := JSON(b); err == nil && !json.Valid(text) {
			t.Errorf("%q: %s", b, text)
		}
		JSON([]byte("k8s\x00" + raw))
	})
}

// FuzzStrategic holds that whatever patch comes, it is refused or makes an object.
func FuzzStrategic(f *testing.F) {
	f.Add("v1", "Pod", `{"spec":{"containers":[{"name":"a"},{"name":"b"}]}}`, `{"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],"containers":[{"name":"a","$patch":"delete"},{"name":"c"}]}}`)
	f.Add("v1", "ConfigMap", `{"metadata":{"finalizers":["a"]}}`, `{"metadata":{"$deleteFromPrimitiveList/finalizers":["a"],"$retainKeys":["name"]},"data":null}`)
	f.Add("x/v1", "Widget", `{"a":[{}]}`, `{"$setElementOrder/a":[{}],"a":[{"$patch":"replace"},[]]}`)
	f.Fuzz(func(t *testing.T, apiVersion, kind, live, patch string) {
		var o, p map[string]any
		if json.Unmarshal([]byte(live), &o) != nil || json.Unmarshal([]byte(patch), &p) != nil {
			return
		}
		out, err := Strategic(apiVersion, kind, o, p)
		if _, bad := json.Marshal(out); bad != nil || (out == nil) != (err != nil) {
			t.Errorf("%v, %v, %v", out, err, bad)
		}
	})
}
