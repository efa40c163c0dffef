package drop

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"dragoman/daemon/store"
	"dragoman/watch/document"
	"dragoman/watch/document/segment"
)

// translated returns the bytes of the output and the model that they are of, ""
// if that is not known.
func (d *dropFolder) translated(ctx context.Context, row store.File, doc *document.Document) (data []byte, model string, err error) {
	t := texts{dropFolder: d, row: row, from: d.settings.From}
	if err := doc.Into(row.Lang); err != nil {
		return nil, "", err
	}
	doc.Align = t.align
	if err := doc.Translate(ctx, t.translate); err != nil {
		return nil, "", err
	}
	data, err = doc.Bytes(segment.Options{To: row.Lang})
	return data, t.by.Name, err
}

// texts translates the texts of one file, one after the other.
type texts struct {
	*dropFolder
	row    store.File
	from   string
	before Progress // of the texts that are done
	by     segment.OneModel
}

func (t *texts) translate(ctx context.Context, text string) (string, error) {
	ended := t.before // of the last time that it was tried
	result, err := t.opts.Translator.Translate(ctx, Request{
		Folder: t.id, Path: t.row.Path, Job: t.row.ID, Text: text, From: t.from, To: t.row.Lang, Glossary: t.settings.Glossary,
		Follow: func(now func() Progress) (done func()) {
			before := t.before
			over := t.follow(t.row, func() Progress { return before.and(now()) })
			return func() {
				ended = before.and(now())
				over()
			}
		},
	})
	if err != nil {
		return "", err
	}
	if strings.TrimSpace(result.Text) == "" {
		return "", errors.New("the translation came out empty: try another source language")
	}
	// Keeping the old model for the rest would not do: the folder's files are
	// translated by the new one afterwards, and its memory may be needed.
	if err := t.by.Check(result.Model); err != nil {
		t.before = Progress{}
		t.notify("info", fmt.Sprintf("%s is translated anew: another model has taken over in the middle of it", t.path(t.row.Path)))
		return "", err
	}
	t.before = ended
	if result.From != "" {
		t.from = result.From // of all texts of a file
	}
	return result.Text, nil
}

func (t *texts) align(ctx context.Context, pairs []segment.Pair) ([][]segment.Link, error) {
	return t.opts.Translator.Align(ctx, pairs, t.from, t.row.Lang)
}

// and adds what was done before to what is under way.
func (p Progress) and(now Progress) Progress {
	now.Done, now.Total = now.Done+p.Done, now.Total+p.Total
	return now
}
