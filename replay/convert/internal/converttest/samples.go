package converttest

import (
	"flag"
	"os"
	"testing"

	"github.com/informerscope/informerscope/replay/convert"
)

var update = flag.Bool("update", false, "write the samples that are made after their formats' descriptions")

// Made checks that files of testdata hold what a test has built after a format's description.
// With -update it writes them. The browser's tests open them too.
func Made(t *testing.T, built map[string]string) {
	t.Helper()
	for name, b := range built {
		if *update {
			if err := os.WriteFile("../../testdata/"+name, []byte(b), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, got, err := Converted(t, convert.Options{}, Input(t, name))
		if err != nil {
			t.Fatal(err)
		}
		_, want, err := Converted(t, convert.Options{}, Text(name, b))
		if err != nil {
			t.Fatal(err)
		}
		if Tell(got, nil) != Tell(want, nil) || Played(got) != Played(want) || got.Records < 4 {
			t.Errorf("%s is not what is built (-update):\n got %s\nwant %s", name, Tell(got, nil), Tell(want, nil))
		}
	}
}
