package api

// TranslateRequest is the body of POST /v1/translate.
type TranslateRequest struct {
	Texts  []string `json:"texts"` // 1 to MaxTexts; each is a job of its own
	From   string   `json:"from"`  // a language of GET /v1/languages, or Auto
	To     string   `json:"to"`
	Lane   Lane     `json:"lane,omitempty"`   // LaneInteractive if empty
	Origin Origin   `json:"origin,omitempty"` // who asks, for the history
	// TimeoutMS ends the work after so many milliseconds; 0 does not.
	TimeoutMS int64 `json:"timeout_ms,omitempty"`
	// Private keeps the texts out of history and translation memory.
	Private bool `json:"private,omitempty"`
	// Explain asks for Notes.
	Explain bool `json:"explain,omitempty"`
	// Beams asks for a beam search with so many, 1 to MaxBeams: slower, and a little
	// better. Left out, or 0, it is the fastest way, or DefaultBeams where other
	// translations are asked for.
	Beams int `json:"beams,omitempty"`
	// LengthPenalty of the search is above 0 to favour long translations; 1 if left out.
	LengthPenalty *float64 `json:"length_penalty,omitempty"`
	// Others asks for so many other translations, fewer than beams.
	Others int `json:"others,omitempty"`
	// Stream asks for lines of StreamLine instead of one TranslateResponse.
	Stream bool `json:"stream,omitempty"`
}

// Lane is how urgent work is.
type Lane string

const (
	LaneInteractive Lane = "interactive" // a person waits; goes first at the next decode step
	LaneBatch       Lane = "batch"
)

// Origin is who asked for a translation.
type Origin string

const (
	OriginCommand        Origin = "command"
	OriginClipboard      Origin = "clipboard"
	OriginFolder         Origin = "folder"
	OriginLibreTranslate Origin = "libretranslate"
	OriginAPI            Origin = "api"
)

// TranslateResponse has one Translation a text, in the order of the request.
type TranslateResponse struct {
	Translations []Translation `json:"translations"`
}

// Translation is a text that was translated.
type Translation struct {
	Job  int64  `json:"job"`
	Text string `json:"text"`
	From string `json:"from"` // detected where Auto was asked
	// Model stands for the model that served and how it was used: texts of one
	// document belong together where it is the same.
	Model string `json:"model,omitempty"`
	// Shared says that the same text was being translated for someone else.
	Shared bool  `json:"shared,omitempty"`
	Stats  Stats `json:"stats"`
	// The following are there where Auto was asked.
	Confidence   float64       `json:"confidence,omitempty"`   // that it is From, 0 to 1
	Unsure       bool          `json:"unsure,omitempty"`       // From had better be named
	Alternatives []Alternative `json:"alternatives,omitempty"` // to From where Unsure, likeliest first
	// Foreign is a language that the model does not have: the whole text's where
	// From is "", which then was not translated, a part's, or perhaps the text's
	// where Unsure.
	Foreign string `json:"foreign,omitempty"`
	Warning string `json:"warning,omitempty"` // for people: what was not translated, and why
	Hint    string `json:"hint,omitempty"`    // for people: what it was taken for, where Unsure
	// Doubts are sentences whose translations are of low quality, as far as
	// that can be seen; at most MaxDoubts.
	Doubts []Doubt `json:"doubts,omitempty"`
	// Untouched says why the model was not asked for anything, where it was not.
	Untouched Untouched `json:"untouched,omitempty"`
	Notes     []Note    `json:"notes,omitempty"` // where Explain asked for them; at most MaxDoubts
	// Others are other translations, likeliest first, at most as many as were asked
	// for. There are none of what was not left to the model.
	Others []string `json:"others,omitempty"`
}

// MaxBeams and DefaultBeams are of a beam search.
const (
	MaxBeams     = 8
	DefaultBeams = 4
)

// Untouched is why a text needs no model.
type Untouched string

const (
	UntouchedNothing    Untouched = "nothing"       // numbers, signs, addresses
	UntouchedSame       Untouched = "same-language" // it is in the target language
	UntouchedRemembered Untouched = "remembered"    // all of it was translated before
	UntouchedProtected  Untouched = "protected"     // there is nothing besides what must stay
	UntouchedUnknown    Untouched = "unknown"       // the model has no letters for it
)

// Note is what was done for a sentence, for people.
type Note struct {
	Sentence int      `json:"sentence"` // of the text, from 0
	What     string   `json:"what"`
	Details  []string `json:"details,omitempty"` // parts of the text, or reasons
}

// MaxDoubts is how many doubts of one text are told; Stats counts them all.
const MaxDoubts = 100

// Doubt is a sentence whose translation looks wrong, with its source beside it.
type Doubt struct {
	Kind     DoubtKind `json:"kind"`
	Why      string    `json:"why"`      // for people
	Sentence int       `json:"sentence"` // of the text, from 0
	Source   string    `json:"source"`
	Text     string    `json:"text"` // what it became
}

// DoubtKind is what looks wrong, for programs.
type DoubtKind string

const (
	DoubtRepetition   DoubtKind = "repetition"
	DoubtLength       DoubtKind = "length"
	DoubtScript       DoubtKind = "script"
	DoubtLanguage     DoubtKind = "language"
	DoubtUntranslated DoubtKind = "untranslated"
	DoubtDropped      DoubtKind = "dropped"
	DoubtNumbers      DoubtKind = "numbers"
	DoubtToken        DoubtKind = "token"
)

// Stats are what a translation took; times are microseconds of wall time.
type Stats struct {
	Sentences    int   `json:"sentences"`  // that the model was run on
	Remembered   int   `json:"remembered"` // taken from the translation memory, without a model call
	Kept         int   `json:"kept"`       // left as they are: the model does not know their words
	Cut          int   `json:"cut"`        // that reached the length bound
	Guarded      int   `json:"guarded"`    // tokens that the repetition guard refused
	Protected    int   `json:"protected"`  // parts that were kept byte for byte
	Retried      int   `json:"retried"`    // tries after the first, where a result looked wrong
	Doubtful     int   `json:"doubtful"`   // sentences that look wrong all the same
	TokensIn     int   `json:"tokens_in"`
	TokensOut    int   `json:"tokens_out"`
	BucketTokens int   `json:"bucket_tokens"`  // of static graphs, 0 where there were none
	Padding      int   `json:"padding_tokens"` // of them without content
	WaitedUS     int64 `json:"waited_us"`      // in the queue
	TokeniseUS   int64 `json:"tokenise_us"`
	EncodeUS     int64 `json:"encode_us"`
	FirstTokenUS int64 `json:"first_token_us"`
	TokenUS      int64 `json:"token_us"`     // median of the later decode steps
	TokenP95US   int64 `json:"token_p95_us"` // their 95th percentile
	TotalUS      int64 `json:"total_us"`     // without the wait
}

// StreamLine is one line (JSON, ended by a line feed) of a streamed answer:
// pieces as they are ready, at the end either Done or Problem.
type StreamLine struct {
	Piece   *Piece             `json:"piece,omitempty"`
	Done    *TranslateResponse `json:"done,omitempty"`
	Problem *Problem           `json:"problem,omitempty"`
}

// Piece is the next part of a translation. The pieces of a text, joined, are
// its translation, white space included.
type Piece struct {
	Index int    `json:"index"` // of the text in the request
	Text  string `json:"text"`
	Done  int    `json:"done"`  // sentences so far
	Total int    `json:"total"` // sentences of the text
}

// DetectRequest is the body of POST /v1/detect.
type DetectRequest struct {
	Texts []string `json:"texts"`
}

// DetectResponse has one Detection a text.
type DetectResponse struct {
	Detections []Detection `json:"detections"`
}

// Detection is the most likely language of a text among those of the model;
// Language is empty where the text gives no reason for any, or is in another.
type Detection struct {
	Language     string        `json:"language"`
	Confidence   float64       `json:"confidence"` // 0 to 1
	Unsure       bool          `json:"unsure,omitempty"`
	Alternatives []Alternative `json:"alternatives,omitempty"` // where Unsure, likeliest first
	Foreign      string        `json:"foreign,omitempty"`      // as in Translation
	Warning      string        `json:"warning,omitempty"`      // likewise
	Hint         string        `json:"hint,omitempty"`
}

// Alternative is a language of the model that a text may be in as well.
type Alternative struct {
	Language   string  `json:"language"`
	Confidence float64 `json:"confidence"` // 0 to 1
}

// LanguagesResponse is the body of GET /v1/languages.
type LanguagesResponse struct {
	Languages []Language `json:"languages"`
}

// Language is one that the model translates from and into.
type Language struct {
	Code   string `json:"code"`
	Name   string `json:"name"`   // in English, "" if unknown
	Native string `json:"native"` // its own name, "" if unknown
}
