package hub

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"dragoman/inference/model/catalogue"
	"dragoman/internal/english"
)

// File is a file of a model on the hub.
type File struct {
	Path string `json:"path"` // separated by slashes
	Size int64  `json:"size"` // bytes
	Sum  Sum    `json:"sum"`
}

// listing is what the hub says of a model.
type listing struct {
	commit string
	files  []File
}

// The files that a model is made of, besides its weights. The vocabulary has two.
var (
	required = []string{"config.json", "vocab.json", "sentencepiece.bpe.model"}
	optional = []string{"generation_config.json", "special_tokens_map.json", "tokenizer_config.json", "added_tokens.json"}
	// weights are looked for in this order, as loading does; an index names the
	// files of a sharded model.
	weights = []string{"model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json"}
)

// maxListing is far more than a model's listing has.
const maxListing = 16 << 20

// maxFile is so small that the sizes of all files of a listing can be added up.
const maxFile = 1 << 44

// longestName is what every file system takes, in bytes, with partSuffix behind it.
const longestName = 240

// list asks the hub for a model's files and their checksums.
func (p *puller) list(ctx context.Context, m catalogue.Model) (listing, error) {
	at := p.hub.JoinPath("api", "models", m.Repository, "revision", m.Revision)
	at.RawQuery = url.Values{"blobs": {"true"}}.Encode()
	var answer struct {
		SHA      string
		Siblings []struct {
			Name string `json:"rfilename"`
			Size int64
			Blob string `json:"blobId"`
			LFS  *struct {
				SHA256 string
				Size   int64
			}
		}
	}
	err := p.patiently(ctx, "the list of files", func() error {
		ctx, watch := p.watch(ctx)
		defer watch.stop()
		response, err := p.get(ctx, at.String(), nil)
		if err != nil {
			return watch.explain(err)
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return statusError(response, "the list of files")
		}
		text, err := io.ReadAll(io.LimitReader(watch.reader(response.Body), maxListing))
		if err != nil {
			return watch.explain(err)
		}
		if err := json.Unmarshal(text, &answer); err != nil {
			return permanent{fmt.Errorf("the answer is no list of a model's files, so this is no hub or mirror of one: %w", brief{err})}
		}
		return nil
	})
	if err != nil {
		return listing{}, err
	}
	l := listing{commit: answer.SHA}
	for _, s := range answer.Siblings {
		f := File{Path: s.Name, Size: s.Size, Sum: gitSum(s.Blob)}
		if s.LFS != nil {
			f.Size, f.Sum = s.LFS.Size, sha256Sum(s.LFS.SHA256)
		}
		if known := m.Sum(f.Path); known != "" {
			if s.LFS != nil && f.Sum != sha256Sum(known) {
				return listing{}, fmt.Errorf("%s on the hub is not the file that dragoman knows: its checksum is %s, not %s", f.Path, english.Short(string(f.Sum), shownName), sha256Sum(known))
			}
			f.Sum = sha256Sum(known)
		}
		l.files = append(l.files, f)
	}
	return l, nil
}

// choose returns the files that loading needs, the small ones first, with the
// weights or without.
func (l listing) choose(withWeights bool) ([]File, error) {
	var chosen []File
	take := func(name string) bool {
		i := slices.IndexFunc(l.files, func(f File) bool { return f.Path == name })
		if i >= 0 {
			chosen = append(chosen, l.files[i])
		}
		return i >= 0
	}
	for _, name := range required {
		if !take(name) {
			return nil, fmt.Errorf("it has no %s, so it is no M2M-100 model in Hugging Face's layout", name)
		}
	}
	for _, name := range optional {
		take(name)
	}
	found := !withWeights
	for _, name := range weights {
		if found {
			break
		}
		if found = take(name); found {
			l.shards(name, take)
		}
	}
	if !found {
		return nil, fmt.Errorf("it has no weights: none of %s", strings.Join(weights, ", "))
	}
	for _, f := range chosen {
		if err := f.check(); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(chosen, func(a, b File) int {
		switch {
		case a.Size < b.Size:
			return -1
		case a.Size > b.Size:
			return 1
		}
		return 0
	})
	return chosen, nil
}

// shards takes the files that an index is about: name.index.json is that of
// name's parts.
func (l listing) shards(index string, take func(string) bool) {
	whole, is := strings.CutSuffix(index, ".index.json")
	if !is {
		return
	}
	ext := path.Ext(whole)
	for _, f := range l.files {
		if strings.HasPrefix(f.Path, strings.TrimSuffix(whole, ext)+"-") && path.Ext(f.Path) == ext {
			take(f.Path)
		}
	}
}

// check refuses what a hub cannot mean.
func (f File) check() error {
	if f.Path != path.Base(f.Path) || strings.ContainsAny(f.Path, `\:`) || strings.HasPrefix(f.Path, ".") {
		return fmt.Errorf("the hub names a file %q, which has no place in a model's folder", english.Short(f.Path, shownName))
	}
	if len(f.Path) > longestName {
		return fmt.Errorf("the hub names a file %q, whose name is too long: it has %d bytes, at most %d are taken", english.Short(f.Path, shownName), len(f.Path), longestName)
	}
	if f.Size <= 0 {
		return fmt.Errorf("the hub does not say how large %s is", f.Path)
	}
	if f.Size > maxFile {
		return fmt.Errorf("the hub says that %s has %d bytes, more than any model has", f.Path, f.Size)
	}
	if err := f.Sum.check(); err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	return nil
}
