package findings

import (
	"testing"
	"time"
)

func TestMicroTime(t *testing.T) {
	const layout = "2006-01-02T15:04:05.000000Z"
	for at := time.Unix(0, 0).UTC(); at.Year() < 2262; at = at.Add(17*24*time.Hour + 3*time.Hour + 5*time.Minute + 7*time.Second + 123456*time.Microsecond) {
		if text := at.Format(layout); microTime(text) != at.UnixNano() {
			t.Fatalf("%s is %d, want %d", text, microTime(text), at.UnixNano())
		}
	}
	if n := microTime("2024-02-29T23:59:59Z"); n != time.Date(2024, 2, 29, 23, 59, 59, 0, time.UTC).UnixNano() {
		t.Error(n)
	}
	for _, text := range []string{"", "Z", "2024-02-29T23:59:59", "2024-02-29 23:59:59Z", "2024-02-29T23:59:5xZ", "2024-02-29T23:59:59+02:00", "1969-12-31T23:59:59Z", "2024-02-29T23:59:59.1234567890Z"} {
		if n := microTime(text); n != 0 {
			t.Errorf("%q is %d", text, n)
		}
	}
}
