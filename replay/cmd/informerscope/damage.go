package main

// exitDamaged is the exit status of convert and report if some of a capture could not
// be read, and everything else was.
const exitDamaged = 3

// damage is the error of a command that did what it could with a damaged capture.
type damage struct {
	places, lost int64
	refused      bool // --strict was given, so nothing came of it
}

// damageIn is the damage in a capture, nil if there is none.
func damageIn(places, lost int64, strict bool) error {
	if places == 0 {
		return nil
	}
	return damage{places, lost, strict}
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
