package explore_test

import (
	"flag"
	"testing"
)

// goTest runs a test of an example, as go test would, once and without a word of its own.
func goTest(name string, test func(t *testing.T)) {
	for name, value := range map[string]string{"test.v": "false", "test.count": "1", "test.skip": ""} {
		f := flag.Lookup(name)
		defer f.Value.Set(f.Value.String())
		f.Value.Set(value)
	}
	testing.RunTests(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: name, F: test}})
}
