package main

// damage is what is wrong with a capture that was read as far as it could be.
type damage struct {
	places, lost int64
	refused      bool // --strict was given, so nothing came of it
}

// damageIn returns an error about the damage in a capture, or nil if there is none.
func damageIn(places, lost int64, strict bool) error {
	if places == 0 {
		return nil
	}
	return exitError{exitDamaged, damage{places, lost, strict}}
}

func (d damage) Error() string {
	s := plural64(d.places, "place", "places") + " could not be read"
	if d.lost > 0 {
		s += ", and about " + plural64(d.lost, "watch event is", "watch events are") + " lost"
	}
	if d.refused {
		s += "; --strict refuses that"
	}
	return s
}
