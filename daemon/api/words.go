package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
)

// Term is how a term of one language is said in another. Without a target it
// stays as it is, without a language it counts for all.
type Term struct {
	From   string `json:"from,omitempty"`
	To     string `json:"to,omitempty"`
	Source string `json:"source"`
	Target string `json:"target,omitempty"`
	File   string `json:"file,omitempty"` // it is from, without its folder; of answers
	Line   int    `json:"line,omitempty"` // of answers
}

// GlossaryResponse is the body of GET /v1/glossary.
type GlossaryResponse struct {
	Terms    []Term   `json:"terms"`
	Problems []string `json:"problems,omitempty"` // of files that count for nothing
}

// WordsFile is a glossary or a translation memory as a file.
type WordsFile struct {
	Name    string `json:"name"` // without folder
	Content string `json:"content"`
}

// WordsFileResponse says what became of a file.
type WordsFileResponse struct {
	Entries int `json:"entries"`
}

// MemoryQuery says which translations are looked for.
type MemoryQuery struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Text  string `json:"text"`
	Least int    `json:"least,omitempty"` // percent of the words that must be the same, 60 if 0
	Limit int    `json:"limit,omitempty"` // at most so many, 5 if 0
}

// Complete fills in what was left out. Errors name the field and what it may be.
func (q *MemoryQuery) Complete() error {
	switch {
	case q.From == "" || q.To == "" || q.Text == "":
		return errors.New("from, to and text are needed")
	case q.Least < 0 || q.Least > 100:
		return errors.New("least: use 1 to 100, in percent")
	case q.Limit < 0 || q.Limit > MaxLimit:
		return fmt.Errorf("limit: use 1 to %d", MaxLimit)
	}
	q.Least, q.Limit = cmp.Or(q.Least, 60), cmp.Or(q.Limit, 5)
	return nil
}

// MemoryMatch is a text like the one that was looked for.
type MemoryMatch struct {
	Percent int    `json:"percent"` // 100 is the same text
	Source  string `json:"source"`
	Target  string `json:"target"`
	File    string `json:"file"` // it is from, without its folder
}

// MemoryResponse is the body of POST /v1/memory/search.
type MemoryResponse struct {
	Matches []MemoryMatch `json:"matches"`
}

// MemoryFile is a translation memory.
type MemoryFile struct {
	Name    string `json:"name"`
	Units   int    `json:"units"`
	Problem string `json:"problem,omitempty"` // why it counts for nothing
}

// MemoryFilesResponse is the body of GET /v1/memory/files.
type MemoryFilesResponse struct {
	Files []MemoryFile `json:"files"`
}

// Correction says how a text is to be translated from now on.
type Correction struct {
	From        string `json:"from"`
	To          string `json:"to"`
	Text        string `json:"text"`
	Translation string `json:"translation"`
}

// ForgetRequest names a text whose correction is taken back.
type ForgetRequest struct {
	Text string `json:"text"`
}

// Glossary returns the terms.
func (c *Client) Glossary(ctx context.Context) (GlossaryResponse, error) {
	return call[GlossaryResponse](ctx, c, request{route: RouteGlossary})
}

// AddTerm adds a term, or replaces it for its languages.
func (c *Client) AddTerm(ctx context.Context, t Term) error {
	return c.order(ctx, request{route: RouteAddTerm, body: t})
}

// RemoveTerm removes a term that was added by itself, of the languages that t
// names, else of all.
func (c *Client) RemoveTerm(ctx context.Context, t Term) error {
	query := url.Values{"term": {t.Source}}
	if t.From != "" {
		query.Set("from", t.From)
	}
	if t.To != "" {
		query.Set("to", t.To)
	}
	return c.order(ctx, request{route: RouteRemoveTerm, query: query})
}

// AddGlossary adds a file of terms, or replaces the one of that name.
func (c *Client) AddGlossary(ctx context.Context, f WordsFile) (WordsFileResponse, error) {
	return call[WordsFileResponse](ctx, c, request{route: RouteAddGlossary, body: f})
}

// RemoveGlossary removes a file of terms.
func (c *Client) RemoveGlossary(ctx context.Context, name string) error {
	return c.order(ctx, request{route: RouteRemoveGlossary, query: url.Values{"name": {name}}})
}

// SearchMemory returns the likest of the person's own translations.
func (c *Client) SearchMemory(ctx context.Context, q MemoryQuery) (MemoryResponse, error) {
	return call[MemoryResponse](ctx, c, request{route: RouteSearchMemory, body: q})
}

// Correct says how a text is to be translated from now on.
func (c *Client) Correct(ctx context.Context, k Correction) error {
	return c.order(ctx, request{route: RouteCorrect, body: k})
}

// ForgetCorrection takes back what a text was corrected to.
func (c *Client) ForgetCorrection(ctx context.Context, text string) error {
	return c.order(ctx, request{route: RouteForgetCorrection, body: ForgetRequest{text}})
}

// MemoryFiles lists the translation memories.
func (c *Client) MemoryFiles(ctx context.Context) (MemoryFilesResponse, error) {
	return call[MemoryFilesResponse](ctx, c, request{route: RouteMemoryFiles})
}

// AddMemory adds a translation memory (TMX), or replaces the one of that name.
func (c *Client) AddMemory(ctx context.Context, f WordsFile) (WordsFileResponse, error) {
	return call[WordsFileResponse](ctx, c, request{route: RouteAddMemory, body: f})
}

// RemoveMemory removes a translation memory.
func (c *Client) RemoveMemory(ctx context.Context, name string) error {
	return c.order(ctx, request{route: RouteRemoveMemory, query: url.Values{"name": {name}}})
}

// ExportMemory returns all of the person's own translations as TMX.
func (c *Client) ExportMemory(ctx context.Context) (WordsFile, error) {
	return call[WordsFile](ctx, c, request{route: RouteExportMemory})
}
