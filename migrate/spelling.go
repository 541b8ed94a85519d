package migrate

import (
	"fmt"

	"boltmend/store"
)

// maxSpelled bounds the keys of a bucket that are looked at for letters.
const maxSpelled = 256

// spell finds out whether the counters of a bucket are hexadecimal. As long as
// no letter shows, they look like decimals: the keys of other values in the
// bucket may tell then, or those of the buckets beside it.
func (r *run) spell(b *store.Bucket, l *layout, s *keyStats) error {
	if l.form != padded || !s.mayBeHex() {
		return nil
	}
	f, err := r.spelling([]*store.Bucket{b}, l, s.width)
	if err == nil && !f.isHex() {
		f, err = r.spellingBeside(b, l, s.width)
	}
	if f.isHex() {
		l.form = f
	}
	return err
}

// spellingBeside is the spelling in the buckets beside one, the same for all of
// them.
func (r *run) spellingBeside(b *store.Bucket, l *layout, width int) (keyForm, error) {
	name := fmt.Sprintf("%s %+v %d", store.EncodePath(b.Path[:len(b.Path)-1]), l.sep, width)
	if f, known := r.spellings[name]; known {
		return f, nil
	}
	beside, err := r.siblings(b)
	if err != nil {
		return opaque, err
	}
	f, err := r.spelling(beside, l, width)
	if err == nil {
		r.spellings[name] = f
	}
	return f, err
}

// spelling is the form of the places of one width in the first of some buckets
// that shows it to be hexadecimal, opaque if none does.
func (r *run) spelling(buckets []*store.Bucket, l *layout, width int) (keyForm, error) {
	for _, b := range buckets {
		var s keyStats
		if err := r.places(b, l, func(place []byte) bool {
			if len(place) == width {
				s.add(place)
			}
			return true
		}); err != nil {
			return opaque, err
		}
		if f := s.form(); f.isHex() {
			return f, nil
		}
	}
	return opaque, nil
}

// respell finds out which letters the hexadecimal keys have that a layout file
// speaks of.
func (r *run) respell(b *store.Bucket, l *layout) error {
	if !l.form.isHex() {
		return nil
	}
	beside, err := r.siblings(b)
	if err != nil {
		return err
	}
	for _, b := range append([]*store.Bucket{b}, beside...) {
		seen := false
		err := r.places(b, l, func(place []byte) bool {
			lower, upper := isHex(place, lowerDigits), isHex(place, upperDigits)
			if seen = lower != upper; seen && upper {
				l.form = upperHex
			}
			return !seen
		})
		if seen || err != nil {
			return err
		}
	}
	return nil
}

// places yields the places of the first keys of a bucket.
func (r *run) places(b *store.Bucket, l *layout, yield func([]byte) bool) error {
	n := 0
	_, err := r.search(b, func(it store.Item) error {
		if n++; n > maxSpelled || !yield(l.place(it.Key)) {
			return errFound
		}
		return nil
	})
	return err
}
