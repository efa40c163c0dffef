package api

// AlignRequest is the body of POST /v1/align. Auto is no language of it.
type AlignRequest struct {
	Pairs []AlignPair `json:"pairs"` // 1 to MaxTexts
	From  string      `json:"from"`
	To    string      `json:"to"`
	Lane  Lane        `json:"lane,omitempty"` // LaneInteractive if empty
}

// AlignPair is a text and its translation, whoever made it.
type AlignPair struct {
	Source      string `json:"source"`
	Translation string `json:"translation"`
}

// AlignResponse has one Alignment a pair, in the order of the request.
type AlignResponse struct {
	Alignments []Alignment `json:"alignments"`
}

// Alignment is which words of a translation stand for which of its source. Of texts that
// the model cannot take there are no links.
type Alignment struct {
	Links []Link `json:"links"` // in the order of the translation
}

// Link says that a word of a translation stands for one of its source.
type Link struct {
	Source Span    `json:"source"`
	Target Span    `json:"target"`
	Weight float64 `json:"weight"` // of all that the word of the translation stands for, above 0, at most 1
}

// Span is bytes of a text in UTF-8.
type Span struct {
	Start int `json:"start"` // of the first byte
	End   int `json:"end"`   // behind the last
}
