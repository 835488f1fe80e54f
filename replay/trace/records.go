package trace

// Forget lets go of the first records that are still held, n of them at most.
// It never lets go of the last record, because later ones are compared with it.
// A caller that reads a trace larger than memory calls Forget with the number
// of records that have been played, but none from Kept on. Events and Lists go
// on counting what is forgotten.
func (r *Resource) Forget(n int) {
	if n = min(n, len(r.Records)-1); n <= 0 {
		return
	}
	r.Records = r.Records[:copy(r.Records, r.Records[n:])]
	r.Forgotten += n
	r.forgetTexts()
	r.trace.known = nil // its objects may be forgotten next
}

// forgetTexts lets go of the texts that belong to no record any more, and numbers
// the others anew. The numbers grow from record to record.
func (r *Resource) forgetTexts() {
	kept, from := r.texts[:1], int32(0)
	for i := range r.Records {
		rec := &r.Records[i]
		if rec.Text == 0 {
			continue
		}
		if rec.Text != from {
			from = rec.Text
			kept = append(kept, r.texts[from])
		}
		rec.Text = int32(len(kept) - 1)
	}
	clear(r.texts[len(kept):])
	r.texts = kept
}

// Kept is the first record that must not be forgotten yet, because a list that was
// broken off may go on.
func (r *Resource) Kept() int {
	if r.keep == 0 {
		return r.Forgotten + len(r.Records)
	}
	return r.keep - 1
}

// lastList is the number of the record with which the last list begins.
func (r *Resource) lastList() int {
	i := len(r.Records) - 1
	for i > 0 && r.Records[i].Kind != ListBegin {
		i--
	}
	return r.Forgotten + i
}

// A resource with fewer records than this gets no room for those that will come.
const fewRecords = 1 << 16

// Expect says that so many bytes of the input have been read, and how to learn how many it has; that
// is asked seldom. The records of a large input, and the objects in them, get room for those that
// will probably come. If their slices only grew as they are filled, they would be copied again and
// again, and a page never gives back the memory that copies take. What nobody fills takes no memory,
// so the room is made large enough. It is at most three times what is there, because the rest of an
// input may be unlike its beginning.
func (t *Trace) Expect(read int64, size func() int64) {
	if read <= 0 {
		return
	}
	for _, r := range t.Resources {
		n := len(r.Records)
		room := cap(r.Records) - n
		if n < fewRecords || room > n/8 {
			continue
		}
		more := float64(n) / float64(read) * float64(size()-read) // less than 0 where the size isn't known
		if float64(room) >= more {
			continue
		}
		more = min(more*1.125, float64(3*n))
		r.Records = append(make([]Record, 0, n+int(more)), r.Records...)
		r.Table.Grow(int(more))
	}
}
