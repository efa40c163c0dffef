package check

import "testing"

func BenchmarkSentence(b *testing.B) {
	source := "While much of the digital transition is unprecedented in the United States, the peaceful transition of power is not, as 2016 showed."
	target := "Ein Großteil des digitalen Übergangs ist für die Vereinigten Staaten neu, ein friedlicher Machtwechsel hingegen nicht, wie 2016 zeigte."
	for b.Loop() {
		Sentence(source, target, "en", "de")
	}
}
