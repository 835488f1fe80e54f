package syntax

import "testing"

func TestTimes(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "20ms": 20 * Millisecond, "1.5s": 1500 * Millisecond, "1m30s": 90 * Second, "2h": 2 * hour, "7µs": 7000, "1s500ms": 1500 * Millisecond,
	} {
		if got, ok := Duration(text); !ok || got != want {
			t.Errorf("%s is read as %d", text, got)
		}
	}
	for _, text := range []string{"", "s", "1", "1x", "-1s", "1..5s", "1e3s", "999999h"} {
		if _, ok := Duration(text); ok {
			t.Errorf("%q is read as a time", text)
		}
	}
	for want, ns := range map[string]int64{"0s": 0, "20ms": 20 * Millisecond, "1.5s": 1500 * Millisecond, "61.000000001s": 61*Second + 1, "7.25µs": 7250, "3ns": 3} {
		if got := TimeText(ns); got != want {
			t.Errorf("%d is written as %s, not %s", ns, got, want)
		}
	}
}
