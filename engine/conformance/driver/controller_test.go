package driver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/controller"
)

// families are testdata/controller's, with how many scripts each has at least.
var families = map[string]int{"pq": 39, "exp": 33, "cs": 42, "mc": 35, "limit": 46, "ryw": 44, "rs": 80, "le": 29}

// TestTranscriptsOfControllers plays every script of testdata/controller, and compares
// with what real code printed. A file has the scripts of one family: a line with the
// name of each and the version of client-go that printed it, if others print something else, and
// then, by turns, an operation and its answer. A version of controller-runtime may have a file of
// its own, such as pq.v0.22.jsonl.
func TestTranscriptsOfControllers(t *testing.T) {
	files, err := filepath.Glob("../testdata/controller/*.jsonl")
	if err != nil || len(files) <= len(families) {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		family, version, older := strings.Cut(name, ".v0.")
		runtime, least := controller.NewestRuntime, families[family]
		if older {
			runtime, err = strconv.Atoi(version)
			least = 1
		}
		text, wrong := os.ReadFile(file)
		if err != nil || wrong != nil {
			t.Fatal(err, wrong)
		}
		scripts := strings.Split("\n"+string(text), "\n{\"script\":")[1:]
		if len(scripts) < least {
			t.Errorf("%s has only %d scripts", name, len(scripts))
		}
		for _, script := range scripts {
			head, rest, _ := strings.Cut(script, "\n")
			var begin struct {
				Script  string
				Version string `json:"client-go"`
			}
			if err := json.Unmarshal([]byte(`{"script":`+head), &begin); err != nil {
				t.Fatal(err)
			}
			is, err := releaseOf(cmp.Or(begin.Version, currentVersion), "")
			if err != nil {
				t.Fatal(err)
			}
			var in, want []string
			for i, line := range lines([]byte(rest)) {
				if i%2 == 0 {
					in = append(in, line)
				} else {
					want = append(want, line)
				}
			}
			t.Run(name+"/"+begin.Script, func(t *testing.T) {
				var got bytes.Buffer
				if err := playController(is, runtime, strings.NewReader(strings.Join(in, "\n")), &got); err != nil {
					t.Fatal(err)
				}
				compare(t, in, lines(got.Bytes()), want)
			})
		}
	}
}

// TestControllerRefuses holds that a script that can't be played is refused and not
// guessed at.
func TestControllerRefuses(t *testing.T) {
	is, err := releaseOf(currentVersion, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`{"op":"pq.add","key":"a"}`, `{"op":"nothing.new"}`, `{"op":"pq.new","prrio":1}`, `{"op":"pq.new"}` + "\n" + `{"op":"pq.fly"}`, `{`} {
		var got bytes.Buffer
		if err := playController(is, controller.NewestRuntime, strings.NewReader(text), &got); err == nil {
			t.Errorf("%s is played: %s", text, got.String())
		}
	}
}
