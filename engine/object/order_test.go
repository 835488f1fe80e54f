package object

import (
	"math/rand"
	"slices"
	"strconv"
	"testing"
)

func TestKeyOrder(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	table := NewTable(nil)
	for range 50 {
		for range rnd.Intn(8) {
			table.Key("n/" + strconv.Itoa(rnd.Intn(300)))
		}
		got := table.KeyOrder()
		if len(got) != table.Keys()-1 {
			t.Fatalf("%d keys in order, %d in the table", len(got), table.Keys()-1)
		}
		if !slices.IsSortedFunc(got, func(a, b Key) int {
			if c := table.CompareKeys(a, b); c != 0 {
				return c
			}
			t.Fatalf("key %d appears twice", a)
			return 0
		}) {
			t.Fatal("not in order")
		}
	}
}
