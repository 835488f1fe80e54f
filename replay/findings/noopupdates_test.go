package findings

import "testing"

// TestContent compares two versions of an object beside what no writer means.
func TestContent(t *testing.T) {
	for _, test := range []struct {
		was, is string
		same    bool
	}{
		{`{"metadata":{"resourceVersion":"1","managedFields":[1]},"a":1}`, `{"metadata":{"resourceVersion":"22","managedFields":[2,3]},"a":1}`, true},
		{`{"kind":"K","metadata":{"name":"n","resourceVersion":"1"},"a":1}`, `{"kind":"K","metadata":{"name":"n","resourceVersion":"2"},"a":2}`, false},
		{`{"a":1,"metadata":{"resourceVersion":"1"}}`, `{"a":2,"metadata":{"resourceVersion":"2"}}`, false},
		{`{"metadata":{"labels":{"a":"1"}},"a":1}`, `{"metadata":{"labels":{"a":"2"}},"a":1}`, false},
		{`{"metadata":{},"s":{"lastProbeTime":"2026-01-02T15:04:05Z"}}`, `{"metadata":{},"s":{"lastProbeTime":"2026-01-02T15:05:05Z"}}`, true},
		{`{"metadata":{},"s":{"renewTime": "2026-01-02T15:04:05.123456Z"}}`, `{"metadata":{},"s":{"renewTime": "2027-01-02T15:04:05.000000Z"}}`, true},
		{`{"metadata":{},"s":{"lastProbeTime":"2026-01-02T15:04:05Z"}}`, `{"metadata":{},"s":{"lastProbeTime":null}}`, false},
		{`{"metadata":{},"s":{"lastProbeTime":"2026-01-02T15:04:05Z"}}`, `{"metadata":{},"s":{}}`, false},
		{`{"metadata":{},"s":{"version":"2026-01-02T15:04:05Z"}}`, `{"metadata":{},"s":{"version":"2026-01-02T15:05:05Z"}}`, false},
		{`{"metadata":{},"s":{"xTime":"aaaa-01-02T15:04:05Z"}}`, `{"metadata":{},"s":{"xTime":"aaab-01-02T15:04:05Z"}}`, false},
		{`{"metadata":{},"s":"Z"}`, `{"metadata":{},"s":"ZZ"}`, false},
	} {
		was, ok := contentOf([]byte(test.was))
		is, also := contentOf([]byte(test.is))
		if !ok || !also || (was == is) != test.same {
			t.Errorf("%s and %s are the same: %v, want %v", test.was, test.is, was == is, test.same)
		}
	}
	for _, damaged := range []string{``, `{`, `{"metadata":{"resourceVersion":"1"}}`, `{"metadata":{"managedFields":`, `[]`, `"Time":"2026-01-02T15:04:05Z"`, `Z`,
		`{"kind":"ConfigMap","metadata":{},"data":{"key":"REDACTED"}}`} {
		if _, ok := contentOf([]byte(damaged)); ok {
			t.Errorf("%s has content", damaged)
		}
	}
}
