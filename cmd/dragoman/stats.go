package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"dragoman/daemon/api"
	"dragoman/inference"
	"dragoman/internal/english"
)

// jsonStats are the timings as `--json` prints them. Times are milliseconds.
type jsonStats struct {
	Sentences     int     `json:"sentences"`
	Remembered    int     `json:"remembered,omitempty"`
	TokensIn      int     `json:"tokens_in"`
	TokensOut     int     `json:"tokens_out"`
	TokeniseMS    float64 `json:"tokenise_ms"`
	EncodeMS      float64 `json:"encode_ms"`
	FirstTokenMS  float64 `json:"first_token_ms"`
	TokenMedianMS float64 `json:"token_median_ms"`
	TokenP95MS    float64 `json:"token_p95_ms"`
	TotalMS       float64 `json:"total_ms"`
	BucketTokens  int     `json:"bucket_tokens,omitempty"`
	PaddingShare  float64 `json:"padding_share,omitempty"`
	Cut           int     `json:"cut,omitempty"`
	Guarded       int     `json:"guarded,omitempty"`
	Kept          int     `json:"kept,omitempty"`
}

type jsonTranslation struct {
	File   string    `json:"file,omitempty"`
	Output string    `json:"output,omitempty"`
	From   string    `json:"from"`
	To     string    `json:"to"`
	Text   string    `json:"text"`
	Stats  jsonStats `json:"stats"`
	// As in the interface, see api.Translation.
	Unsure  bool   `json:"unsure,omitempty"`
	Foreign string `json:"foreign,omitempty"`
	// Sentences that look wrong.
	Doubts []api.Doubt `json:"doubts,omitempty"`
	Others []string    `json:"others,omitempty"` // where --alternatives asked for them
}

func jsonResult(in input, target string, l languageFlags, r translated) jsonTranslation {
	var doubts []api.Doubt
	for _, d := range r.Doubts {
		doubts = append(doubts, api.Doubt{Kind: api.DoubtKind(d.Kind), Why: d.Kind.Explain(), Sentence: d.Sentence, Source: d.Source, Text: d.Target})
	}
	return jsonTranslation{
		Doubts: doubts, Others: r.Alternatives,
		File: in.path, Output: target, From: r.from, To: l.to, Text: r.Text, Stats: newJSONStats(r.Stats), Unsure: r.unsure, Foreign: r.foreign,
	}
}

func newJSONStats(s inference.Stats) jsonStats {
	return jsonStats{
		Sentences: s.Sentences, Remembered: s.Remembered, TokensIn: s.TokensIn, TokensOut: s.TokensOut,
		TokeniseMS: ms(s.Tokenise), EncodeMS: ms(s.Encode), FirstTokenMS: ms(s.FirstToken),
		TokenMedianMS: ms(s.TokenMedian), TokenP95MS: ms(s.TokenP95), TotalMS: ms(s.Total),
		BucketTokens: s.BucketTokens, PaddingShare: s.PaddingShare(), Cut: s.Cut, Guarded: s.Guarded, Kept: s.Kept,
	}
}

// ms is a duration in milliseconds, to the microsecond.
func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// tellDoubts says what is doubtful about a result: its language, and sentences
// of the source in it.
func tellDoubts(out io.Writer, name string, r translated) {
	for _, doubt := range []string{r.hint, r.warning} {
		if doubt != "" {
			fmt.Fprintf(out, "dragoman: %s: %s\n", name, doubt)
		}
	}
	tellKept(out, name, r.Stats)
	tellLow(out, name, r)
	tellNotes(out, name, r)
}

// untouched says why the model was not asked, for people.
var untouched = map[inference.Reason]string{
	inference.Nothing:      "there is nothing to translate",
	inference.SameLanguage: "it is in the target language already",
	inference.Remembered:   "all of it was translated before",
	inference.Protected:    "there is nothing besides what stays as it is",
	inference.UnknownWords: "the model has no letters for it",
}

// tellNotes says what was done, where --explain asked for it.
func tellNotes(out io.Writer, name string, r translated) {
	if !r.explained {
		return
	}
	if why := untouched[r.Untouched]; why != "" {
		fmt.Fprintf(out, "%s: the model was not asked: %s\n", name, why)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(out, "%s: sentence %d: %s", name, n.Sentence+1, n.What)
		if len(n.Details) > 0 {
			fmt.Fprintf(out, ": %s", printable(strings.Join(n.Details, " | ")))
		}
		fmt.Fprintln(out)
	}
}

// tellLow says in one line that sentences look wrong, with the first of them.
func tellLow(out io.Writer, name string, r translated) {
	if len(r.Doubts) == 0 {
		return
	}
	d := r.Doubts[0]
	more := ""
	if r.Stats.Doubtful > 1 {
		more = fmt.Sprintf(", and %d more", r.Stats.Doubtful-1)
	}
	fmt.Fprintf(out, "dragoman: %s: low quality: sentence %d (%s)%s: compare it with the source, or see --json\n", name, d.Sentence+1, d.Kind.Explain(), more)
}

// tellKept says that a result holds sentences of the source.
func tellKept(out io.Writer, name string, s inference.Stats) {
	if s.Kept > 0 {
		fmt.Fprintf(out, "dragoman: %s: sentences left as they are, because the model does not know their words: %d\n", name, s.Kept)
	}
}

func printStats(out io.Writer, name string, s inference.Stats) {
	fmt.Fprintf(out, "%s: %s, %s in, %d out, %.1f ms\n", name, english.Count(s.Sentences, "sentence"), english.Count(s.TokensIn, "token"), s.TokensOut, ms(s.Total))
	fmt.Fprintf(out, "  tokenise %.2f ms, encode %.2f ms, first token after %.2f ms, then %.2f ms each (95 %% within %.2f ms)\n",
		ms(s.Tokenise), ms(s.Encode), ms(s.FirstToken), ms(s.TokenMedian), ms(s.TokenP95))
	if s.Remembered > 0 {
		fmt.Fprintf(out, "  %s remembered from earlier\n", english.Count(s.Remembered, "more sentence"))
	}
	if s.BucketTokens > 0 {
		fmt.Fprintf(out, "  static graphs of %d tokens, %.0f %% of them padding\n", s.BucketTokens, 100*s.PaddingShare())
	}
	if s.Cut > 0 || s.Guarded > 0 {
		fmt.Fprintf(out, "  %s cut at the length bound, %s refused\n", english.Count(s.Cut, "sentence"), english.Count(s.Guarded, "repeat"))
	}
}
