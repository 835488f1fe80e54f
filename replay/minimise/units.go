package minimise

import (
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// breaks are the broken connections of the best part after which the reflector went on
// without a list: each one from the end of a watch to the beginning of the next watch.
// Without these records the two watches are one.
func (s *search) breaks() (units [][]int32) {
	var unit []int32 // nil while a watch is open
	for j, i := range s.best.kept {
		switch r := s.best.At(j); {
		case r.Kind == apiserver.WatchEnd:
			unit = []int32{i}
		case unit == nil:
		case r.Kind == apiserver.WatchError:
			unit = append(unit, i)
		case r.Kind == apiserver.WatchOpen && !r.Streaming:
			units, unit = append(units, append(unit, i)), nil
		default: // it lists again
			unit = nil
		}
	}
	return units
}

// objects are the objects of the best part, each with its items of lists and its events.
func (s *search) objects() (units [][]int32) {
	of := map[object.Key]int{}
	for j, i := range s.best.kept {
		r := s.best.At(j)
		if r.Obj == 0 || r.Kind != apiserver.ListItem && r.Kind != apiserver.WatchEvent {
			continue
		}
		k := s.q.Key(r.Obj)
		n, known := of[k]
		if !known {
			n = len(units)
			of[k], units = n, append(units, nil)
		}
		units[n] = append(units[n], i)
	}
	return units
}

// lives are the objects of the best part from each creation to the deletion.
func (s *search) lives() (units [][]int32) {
	for _, u := range s.objects() {
		from := 0
		for j, i := range u {
			if s.q.Feed.At(int(i)).Delta == event.Deleted || j == len(u)-1 {
				units = append(units, u[from:j+1])
				from = j + 1
			}
		}
	}
	return units
}

// events are the items, events and bookmarks of the best part, each one alone.
func (s *search) events() (units [][]int32) {
	for j, i := range s.best.kept {
		switch s.best.At(j).Kind {
		case apiserver.ListItem, apiserver.WatchEvent, apiserver.WatchBookmark:
			units = append(units, []int32{i})
		}
	}
	return units
}
