package event

import "testing"

func TestEveryKindHasAName(t *testing.T) {
	seen := map[string]Kind{}
	for k := Kind(1); k < numKinds; k++ {
		if k.String() == "" {
			t.Errorf("kind %d has no name", k)
		}
		if other, ok := seen[k.String()]; ok {
			t.Errorf("kinds %d and %d are both %s", k, other, k)
		}
		seen[k.String()] = k
	}
}
