package navigation

import "testing"

// Whatever can be opened is of one kind, and each kind says how it is looked at first.
func TestOpens(t *testing.T) {
	for want, all := range map[Kind][]Source{
		AtVisit:     {Story},
		AtReturn:    {Bundled},
		OfFile:      {{Name: "mine.json", Files: 2}, {Files: 3}},
		OfOffer:     {{Name: "theirs.json", Files: 2, Offered: true}},
		OfLink:      {{Name: "mine.json", Files: 2, Link: "#file=mine.json&step=5"}, {URL: Bundled.URL, Link: "#trace=shop"}},
		OfRecording: {{URL: "../day.json", Name: "day.json"}, {URL: "traces/other.trace.jsonl.gz"}},
		OfScript:    {Script("11-resync"), {Text: "informer pods\n", Name: "script.txt"}},
		OfLesson:    {{URL: "lessons/en/delta-fifo.md", Link: "#lesson=delta-fifo"}},
		OfCluster:   {{Name: "pods"}, {URL: "../opened/live/pods.jsonl"}},
	} {
		for _, s := range all {
			if got := s.Kind(); got != want {
				t.Errorf("%+v is of kind %d, want %d", s, got, want)
			}
		}
	}
	for k, v := range opens {
		if v == "" {
			t.Errorf("kind %d has no view", k)
		}
	}
}
