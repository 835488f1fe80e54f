package expr

import (
	"math"
	"testing"
)

func TestShortNumbers(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", -0.5: "-0.5", 2: "2", 9999: "9999", 10000: "10k", -12345: "-12.35k", 999999: "1000k", 4.1943e7: "41.94M", 5e9: "5G", 1e15: "1000T", 1e18: "1e+06T",
		1e-9: "1e-09", 1.0 / 3: "0.3333", math.MaxFloat64: "1.798e+296T",
	} {
		if got := short(v); got != want {
			t.Errorf("%v is %s, want %s", v, got, want)
		}
	}
}
