package request

import "testing"

const none = -1

func TestWhatIsSentAgain(t *testing.T) {
	current, old := Config{RetriesLost: true, ReadsStatus: true}, Config{}
	for _, c := range []struct {
		name  string
		cfg   Config
		watch bool
		f     Failure
		want  Verdict
		after int64
	}{
		{"list reset", old, false, Failure{Reset: true}, Retry, second},
		{"list EOF", old, false, Failure{EOF: true}, Retry, second},
		{"list timed out", current, false, Failure{Timeout: true}, Fail, 0},
		{"list lost", current, false, Failure{Lost: true}, Retry, second},
		{"list lost, v0.28", old, false, Failure{Lost: true}, Fail, 0},
		{"list refused", current, false, Failure{}, Fail, 0},
		{"watch reset", old, true, Failure{Reset: true}, Retry, second},
		{"watch timed out", old, true, Failure{Timeout: true}, Retry, second},
		{"watch lost", current, true, Failure{Lost: true}, Fail, 0},
		{"watch refused", current, true, Failure{}, Fail, 0},
		{"429 with a header", old, false, Failure{Code: 429, RetryAfter: 5 * second}, Retry, 5 * second},
		{"429 at once", old, true, Failure{Code: 429}, Retry, 0},
		{"429 without a header", current, true, Failure{Code: 429, RetryAfter: none}, Fail, 0},
		{"503 with a header", current, true, Failure{Code: 503, RetryAfter: second}, Retry, second},
		{"404 with a header", current, true, Failure{Code: 404, RetryAfter: second}, Fail, 0},
		{"an answer cut by a reset", current, false, Failure{Code: 200, RetryAfter: none, Reset: true}, Fail, 0},
	} {
		r := New(c.cfg)
		r.Begin(c.watch)
		if v, after := r.Failed(c.f); v != c.want || after != c.after {
			t.Errorf("%s: %d after %d, want %d after %d", c.name, v, after, c.want, c.after)
		}
	}
}

// TestTheBudget: there are ten retries for each request, whatever they are for.
func TestTheBudget(t *testing.T) {
	reset, busy := Failure{Reset: true}, Failure{Code: 503, RetryAfter: 30 * second}
	for _, c := range []struct {
		name  string
		watch bool
		last  Failure
		want  Verdict
	}{
		{"list, reset", false, reset, Fail},
		{"list, 503", false, busy, Fail},
		{"watch, reset", true, reset, Empty},
		{"watch, 503", true, busy, Fail},
	} {
		r := New(Config{})
		for range 2 { // each request has its own
			r.Begin(c.watch)
			for i := range 10 {
				f := reset
				if i%2 == 1 {
					f = busy
				}
				if v, _ := r.Failed(f); v != Retry || r.Retries() != i+1 {
					t.Fatalf("%s: failure %d gives %d", c.name, i, v)
				}
			}
			if v, _ := r.Failed(c.last); v != c.want {
				t.Errorf("%s: the last gives %d, want %d", c.name, v, c.want)
			}
		}
	}
}
