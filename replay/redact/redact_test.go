package redact

import "testing"

func redactor(t testing.TB, o Options) *Redactor {
	t.Helper()
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var testKey = []byte("0123456789abcdef")
