package cause

import "testing"

// What makes less than a hundredth of the time is summed up, and nothing is lost.
func TestMostOfTheTime(t *testing.T) {
	most, elsewhere := Spent{Nowhere: 7, Server: 10_000, Reflector: 102, Queue: 101, Run: 100}.Largest()
	if want := (Spent{Server: 10_000}); most != want || elsewhere != 310 {
		t.Errorf("most of the time was spent at %v, and %d elsewhere", most, elsewhere)
	}
	most, elsewhere = Spent{Server: 9_900, Handler: 100}.Largest()
	if want := (Spent{Server: 9_900, Handler: 100}); most != want || elsewhere != 0 {
		t.Errorf("most of the time was spent at %v, and %d elsewhere", most, elsewhere)
	}
	if most, elsewhere = (Spent{}).Largest(); most != (Spent{}) || elsewhere != 0 {
		t.Errorf("of no time %v and %d were spent", most, elsewhere)
	}
}
