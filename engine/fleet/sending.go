package fleet

// sending is what the server writes. All answers that are under way share what it can write in a
// second.
type sending struct {
	f     *fleet
	under []*answer
	since int64 // when the shares were last worked out
	turn  int
}

type answer struct {
	left float64 // bytes
	done func()
}

// rate is how many bytes a second the server writes where the Config doesn't say.
const rate = 200_000_000

// least is how long the server takes for an answer without objects.
const least = 1_000_000

// add begins an answer.
func (s *sending) add(bytes int64, done func()) {
	if bytes <= 0 {
		s.f.at(s.f.now+least, done)
		return
	}
	s.pass()
	s.under = append(s.under, &answer{float64(bytes), done})
	if s.f.counts() {
		s.f.out.AnswersMost = max(s.f.out.AnswersMost, len(s.under))
	}
	s.plan()
}

// each is what one answer gets in a nanosecond.
func (s *sending) each() float64 {
	all := s.f.cfg.Server.Bytes
	if all <= 0 {
		all = rate
	}
	return float64(all) / 1e9 / float64(len(s.under))
}

// pass lets the time up to now pass.
func (s *sending) pass() {
	if len(s.under) > 0 {
		written := float64(s.f.now-s.since) * s.each()
		for _, a := range s.under {
			a.left -= written
		}
	}
	s.since = s.f.now
}

// plan wakes when the first answer ends.
func (s *sending) plan() {
	s.turn++
	if len(s.under) == 0 {
		return
	}
	first := s.under[0].left
	for _, a := range s.under {
		first = min(first, a.left)
	}
	turn := s.turn
	s.f.at(s.f.now+max(int64(first/s.each())+1, 1), func() {
		if s.turn == turn {
			s.end()
		}
	})
}

// end ends the answers that are written.
func (s *sending) end() {
	s.pass()
	var done []func()
	left := s.under[:0]
	for _, a := range s.under {
		if a.left <= 0 {
			done = append(done, a.done)
		} else {
			left = append(left, a)
		}
	}
	clear(s.under[len(left):])
	s.under = left
	s.plan()
	for _, f := range done {
		f()
	}
}
