package testserver

import (
	"flag"
	"os"
	"testing"
	"testing/synctest"

	"github.com/informerscope/informerscope/replay/testserver/requests"
)

var answers = flag.String("answers", "", "write what the simulated server answers into this folder")

// TestAnswers sends the requests that were sent to real API servers, and compares the answers.
func TestAnswers(t *testing.T) {
	widgets := CustomResource("test.informerscope.dev", "v1", "widgets", "Widget")
	widgets.ShortNames, widgets.Scale = []string{"wd"}, true
	for _, name := range []string{"custom.txt", "builtin.txt", "strategic.txt", "pods.txt", "shards.txt", "refusals.txt", "definitions.txt", "apply.txt"} {
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile("testdata/" + name)
			if err != nil {
				t.Fatal(err)
			}
			synctest.Test(t, func(t *testing.T) {
				s := newAt(Options{Resources: []Resource{widgets}, Defaults: name == "pods.txt", Shards: name == "shards.txt", ManagedFields: name == "apply.txt"}, 1000)
				defer s.Close()
				got, err := requests.Play(s, "http://server", string(want))
				if err != nil {
					t.Fatal(err)
				}
				if *answers != "" {
					if err := os.WriteFile(*answers+"/"+name, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				for _, line := range requests.Differ(string(want), got) {
					t.Error(line)
				}
			})
		})
	}
}
