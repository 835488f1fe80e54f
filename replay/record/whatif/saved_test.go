package whatif_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script"
)

var update = flag.Bool("update", false, "write the test that the page makes anew")

// export_test.go is the test of a controller that the page makes of this session. It is
// compiled and run with the others.
const session = `profile current
informer configmaps
informer pods
handler h
exists configmaps shop/a n=0
run
drop event
update configmaps shop/a n=1
advance 2s
kill process
delay event 3s pods
create pods shop/p app=web
advance 5s
fail requests toomany after=5s n=2 pods
break watch pods
advance 30s
delete configmaps shop/a
`

func TestTheExportedTest(t *testing.T) {
	r := script.NewRunner(func(script.Entry) {})
	if err := r.Play(session); err != nil {
		t.Fatal(err)
	}
	got, err := script.ControllerTest("the session", r.History(), r.Setup())
	if err != nil {
		t.Fatal(err)
	}
	got = strings.Replace(got, "package controller_test", "package whatif_test", 1)
	const golden = "export_test.go"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want, err := os.ReadFile(golden); err != nil || string(want) != got {
		t.Errorf("the exported test differs, %v; it is\n%s", err, got)
	}
}
