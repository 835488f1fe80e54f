package actor

// Rand is the seed and state of a generator (splitmix64).
type Rand uint64

// Next returns 64 random bits.
func (r *Rand) Next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Float returns a number in [0,1).
func (r *Rand) Float() float64 { return float64(r.Next()>>11) / (1 << 53) }

// Below returns a number in [0,n).
func (r *Rand) Below(n int) int { return int(r.Next() % uint64(n)) }
