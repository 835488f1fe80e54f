package driver

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var manyDigits = regexp.MustCompile(`[0-9]{7}|[0-9][eE]`)

// FuzzPlay: no script ends the driver. Its corpus are the transcripts' scripts, without the scripts of
// playController, which are of another language.
func FuzzPlay(f *testing.F) {
	scripts, err := filepath.Glob("../testdata/*/*.jsonl")
	if err != nil || len(scripts) == 0 {
		f.Fatalf("%d scripts, %v", len(scripts), err)
	}
	for _, name := range scripts {
		if filepath.Base(filepath.Dir(name)) == "controller" {
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(len(b)%2 == 0, string(b))
	}
	f.Fuzz(func(t *testing.T, classic bool, script string) {
		// A year of resyncs every second takes its time, and finds nothing new.
		if len(script) > 1<<14 || manyDigits.MatchString(script) {
			return
		}
		version := currentVersion
		if classic {
			version = classicVersion
		}
		var out bytes.Buffer
		if err := play(clientGo(version), strings.NewReader(script), &out); err != nil && out.Len() == 0 && !strings.Contains(err.Error(), "operation 0") {
			t.Errorf("nothing was printed before %v", err)
		}
	})
}
