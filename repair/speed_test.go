package repair

import (
	"testing"

	"boltmend/internal/hostile"
	"boltmend/internal/jsonedit"
)

// BenchmarkSound judges sound histories of each dialect, which is what a scan
// does most of the time.
func BenchmarkSound(b *testing.B) {
	for _, dialect := range hostile.Dialects() {
		var texts [][]byte
		size := 0
		for seed := uint64(0); len(texts) < 50; seed++ {
			src := hostile.New(seed, dialect).Healthy()
			if res, err := History(src, Options{}); err == nil && len(res.Findings) == 0 && res.Calls > 0 {
				texts = append(texts, src)
				size += len(src)
			}
		}
		b.Run(dialect, func(b *testing.B) {
			var p jsonedit.Parser
			var j Judge
			b.SetBytes(int64(size))
			for b.Loop() {
				for _, src := range texts {
					doc, err := p.Parse(src)
					if err != nil {
						b.Fatal(err)
					}
					if _, err := j.History(doc, 0, &Options{}); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
