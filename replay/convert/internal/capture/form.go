package capture

// Form is one kind of capture.
type Form struct {
	ID    string // as it stands in the header's "from", and in the page's catalogue
	Title string // as it stands in a refusal: "a watch stream"
	// Knows reports whether an input of this form begins with head, uncompressed. At most
	// Glance bytes of it are there, which may end anywhere.
	Knows func(head []byte) bool
	// Suffixes of the names that such files have. They decide where nothing
	// knows what is in the input.
	Suffixes []string
	ByLine   bool // each value is one line
	// Lost returns how many watch events are lost with a line that can't be read. It is nil
	// for a form that has no lines, or no events.
	Lost func(line []byte) int64
	// Over says that such an input has no objects, and is laid over the others by time. When these begin is
	// the Start of its Conversion from the beginning on, and the zero Time where it isn't known.
	Over    bool
	Convert func(c *Conversion) error
	// Together reads several inputs of the form at once. It is nil where each is read on its
	// own.
	Together func(c *Conversion, all []*Source) error
}

// LostIn returns how many watch events are lost with a line that can't be read.
func (f *Form) LostIn(line []byte) int64 {
	if f.Lost == nil {
		return 0
	}
	return f.Lost(line)
}
