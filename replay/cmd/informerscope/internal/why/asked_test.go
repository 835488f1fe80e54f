package why

import (
	"testing"

	"github.com/informerscope/informerscope/replay/report"
)

func TestParseWhy(t *testing.T) {
	for text, want := range map[string]Query{
		"shop/web":          {"shop/web", 0, -1},
		"shop/web@17":       {"shop/web", 17, -1},
		"shop/web@1.5s":     {"shop/web", 0, 1_500_000_000},
		"shop/web@1:23.456": {"shop/web", 0, 83_456_000_000},
		"web@1:02:03":       {"web", 0, 3723_000_000_000},
		"a@example.com":     {"a@example.com", 0, -1},
		"a@b@9":             {"a@b", 9, -1},
		"a@1:2:3:4":         {"a@1:2:3:4", 0, -1},
		"a@1.5:30":          {"a@1.5:30", 0, -1},
	} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("%s is %+v, %v", text, got, err)
		}
	}
	if _, err := Parse("a@0"); err == nil {
		t.Error("step 0 is taken")
	}
	for _, ns := range []int64{0, 83_456_000_000, 3723_000_000_000} {
		if got, ok := parseMoment(report.Moment(ns)); !ok || got != ns {
			t.Errorf("%d is read as %d", ns, got)
		}
	}
}
