package api

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
)

// TranslateStream gives the parts of the translations to each as they come, and
// returns all at the end. An error of each ends the work and is returned.
func (c *Client) TranslateStream(ctx context.Context, r TranslateRequest, each func(Piece) error) (TranslateResponse, error) {
	r.Stream = true
	q := request{route: RouteTranslate, body: r, want: TypeLines}
	answer, err := c.ask(ctx, q)
	if err != nil {
		return TranslateResponse{}, err
	}
	defer answer.Body.Close()
	lines := bufio.NewReader(answer.Body)
	for {
		text, err := readLine(lines)
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF // the last line says that it is the last
		}
		if err != nil {
			return TranslateResponse{}, q.explain(ctx, err)
		}
		var line StreamLine
		if err := unmarshal(text, &line); err != nil {
			return TranslateResponse{}, q.explain(ctx, fmt.Errorf("read a line of the answer: %w", err))
		}
		switch {
		case line.Problem != nil:
			return TranslateResponse{}, line.Problem
		case line.Done != nil:
			return *line.Done, nil
		case line.Piece != nil:
			if err := each(*line.Piece); err != nil {
				return TranslateResponse{}, err
			}
		}
	}
}

// readLine returns the next line without its end; what comes after the last
// line feed is none, because it was cut.
func readLine(from *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := from.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			return nil, fmt.Errorf("a line of the answer has more than %d MiB", maxLine>>20)
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return bytes.TrimSuffix(line[:len(line)-1], []byte("\r")), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}
