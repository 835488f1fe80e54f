package cli

// damage is what is wrong with a capture that was read as far as it could be.
type damage struct {
	places  int64 // that could not be read
	gaps    int64 // places before which events are missing, though nothing is damaged
	lost    int64 // watch events, about
	refused bool  // --strict was given, so nothing came of it
}

// Damage returns an error about the damage in a capture, or nil if there is none. Of the
// places, gaps are not damaged.
func Damage(places, gaps, lost int64, strict bool) error {
	if places == 0 {
		return nil
	}
	return Exit(ExitDamaged, damage{places - gaps, gaps, lost, strict})
}

func (d damage) Error() string {
	s := d.where()
	if d.lost > 0 {
		s += ", and about " + Plural64(d.lost, "watch event is", "watch events are") + " lost"
	}
	if d.refused {
		s += "; --strict refuses that"
	}
	return s
}

// Where says at how many places a capture is damaged. Of the places, gaps are not damaged.
func Where(places, gaps int64) string { return damage{places: places - gaps, gaps: gaps}.where() }

// where says at how many places what is wrong.
func (d damage) where() string {
	gaps := "watch events are missing at " + Plural64(d.gaps, "place", "places")
	if d.places == 0 {
		return gaps + ", though nothing is damaged"
	}
	s := Plural64(d.places, "place", "places") + " could not be read"
	if d.gaps > 0 {
		s += ", and " + gaps
	}
	return s
}
