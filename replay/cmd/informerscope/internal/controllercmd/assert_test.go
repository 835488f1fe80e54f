package controllercmd

import (
	"testing"

	"github.com/informerscope/informerscope/replay/report/controller"
)

func TestAssert(t *testing.T) {
	r := &controller.Report{Controllers: []controller.Controller{
		{Name: "web", Reconciles: controller.Reconciles{Count: 3, Errors: []controller.Class{{Error: "Conflict", Count: 1}}}, PutOff: make([]controller.PutOff, 1)},
		{Name: "db", Reconciles: controller.Reconciles{Count: 2, Panics: 1}, Stale: make([]controller.StaleReconcile, 2), Writes: controller.Writes{Echoes: []controller.Echo{{Received: 5}, {}}}},
	}}
	for text, want := range map[string]bool{
		"stale() == 2": true, "duplicates()==0": true, `errors("web") < 1`: false, "errors() == 2": true, "putOff() >= 1": true, "reconciles( ) != 5": false,
		`reconciles( "db" ) == 2`: true, "unseen() > 0": true, "errors() <= 1": false, `stale("web") == 0`: true,
	} {
		a, err := parseAssert(text)
		if err != nil {
			t.Error(err)
			continue
		}
		if holds, _, err := a.evaluate(r); err != nil || holds != want {
			t.Errorf("%s is %v, %v", text, holds, err)
		}
	}
	for _, wrong := range []string{"", "stale", "stale(", "stale()", "stale() == ", "stale() = 0", "stale() == x", "depth() == 0", "stale(web) == 0", "stale() == 0 && true"} {
		if _, err := parseAssert(wrong); err == nil {
			t.Errorf("%s is read", wrong)
		}
	}
	a, err := parseAssert(`stale("odd") == 0`)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := a.evaluate(r); err == nil {
		t.Error("it holds of a controller that there isn't")
	}
}
