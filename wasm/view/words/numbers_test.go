package words_test

import (
	"testing"

	"github.com/informerscope/informerscope/wasm/view/words"
)

func TestNumbers(t *testing.T) {
	for want, got := range map[string]string{
		"0": words.Grouped(0), "999": words.Grouped(999), "61\u202f377": words.Grouped(61377), "-1\u202f000": words.Grouped(-1000), "-100": words.Grouped(-100),
		"1.5\u202fms": words.Duration(1_500_000), "20\u202fms": words.Duration(20_000_000), "1.67\u202fmin": words.Duration(100_000_000_000), "2\u202fmin": words.Duration(120_000_000_000), "7\u202fns": words.Duration(7),
		"00:03:41.220\u202f001": words.Clock(221_220_001_000), "0.05": words.Decimal(50_000, 6), "60": words.Decimal(60_000_000_000, 9), "0.000000001": words.Decimal(1, 9),
	} {
		if got != want {
			t.Errorf("the number is written %q, not %q", got, want)
		}
	}
}
