package program

import "testing"

// TestNamed holds that every program that comes along can be read, and what it wants.
func TestNamed(t *testing.T) {
	want := map[string]string{"replicas": ".spec.replicas", "replicaset": ".spec.replicas", "one": "1", "generated": "1", "job": ".spec.completions"}
	for _, name := range Names() {
		p, ok := Named(name)
		if !ok || p.Wants.Text != want[name] || p.CreatesChildren != (want[name] != "") {
			t.Errorf("%s: %v, wants %q", name, ok, p.Wants.Text)
		}
	}
	if _, ok := Named("nobody"); ok {
		t.Error("a program without a name")
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"walk", "list all", "set .spec.n 1", "set .status.n", "drop", "if children = list", "if children ~ 1 list",
		"while children < 1 list", "slowstart children < 1 delete", "if children = 0 claim", "while children < 1 claim", "claim all", "requeue", "requeue 5", "requeue -1ms", "requeue 5s 1s", "again 1", "priority", "priority high", "terminate now", "panic now", "if", "update x", "if tier = gold list", "if 1 = 1 list",
	} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%q is a program", text)
		}
	}
}

// TestLabels holds that .labels.NAME is a label, where it is read and where it is written.
func TestLabels(t *testing.T) {
	p, err := Parse("if .labels.tier = gold update .labels.seen .labels.tier; drop .labels.tier")
	if err != nil {
		t.Fatal(err)
	}
	s := p.List[0]
	if tier := (Term{"tier", Field}); s.Left != tier || s.Value != tier || s.Name != "seen" || p.List[1].Name != "tier" {
		t.Errorf("%+v", p.List)
	}
}

// TestRequeue holds that a requeue takes every time that a line of a script does.
func TestRequeue(t *testing.T) {
	for text, want := range map[string]int64{"500ms": 5e8, "1m30s": 90e9, "1.5s": 15e8, "0ms": 0} {
		p, err := Parse("requeue " + text)
		if err != nil || p.List[0].After != want {
			t.Errorf("requeue %s: %+v, %v", text, p.List, err)
		}
	}
}

func TestComparisons(t *testing.T) {
	for _, c := range []struct {
		left  string
		is    Comparison
		right string
		want  bool
	}{
		{"", Always, "1", true}, {"2", Equal, "02", true}, {"", Equal, "0", true}, {"2", LessThan, "10", true}, {"2", MoreThan, "10", false},
		{"a", Equal, "a", true}, {"a", NotEqual, "b", true}, {"a", LessThan, "b", false}, {"3", NotEqual, "3", false},
	} {
		if got := c.is.Compare(c.left, c.right); got != c.want {
			t.Errorf("%q %d %q is %v", c.left, c.is, c.right, got)
		}
	}
}
