package api

import "time"

// FolderSettings are what a user decides about a drop folder.
type FolderSettings struct {
	Path string   `json:"path"` // absolute
	From string   `json:"from"` // a language or Auto
	To   []string `json:"to"`   // one output a language
	// Place is where the translations go.
	Place Place `json:"place,omitempty"` // PlaceSubfolder if empty
	// Output is the name of the sub-folder ("translated" if empty), or the
	// absolute path of the other folder.
	Output string `json:"output,omitempty"`
	// Name is the pattern of output names: {name}, {lang} and {ext} (with its
	// dot) stand for the parts; "{name}.{lang}{ext}" if empty.
	Name string `json:"name,omitempty"`
	// Include and Exclude are patterns of names or paths below the folder, with
	// slashes, as path.Match takes them; an empty Include takes every format
	// that is understood.
	Include   []string `json:"include,omitempty"`
	Exclude   []string `json:"exclude,omitempty"`
	Recursive bool     `json:"recursive,omitempty"`
	Hidden    bool     `json:"hidden,omitempty"` // take hidden files too
	Temp      bool     `json:"temp,omitempty"`   // take names that programs give to unfinished files
	Original  Original `json:"original,omitempty"`
	Poll      bool     `json:"poll,omitempty"` // look at intervals even where the system reports changes
	// Glossary is a file or folder of terms that count for this folder before the
	// person's own, as an absolute path.
	Glossary string `json:"glossary,omitempty"`
	// Encoding is that of text files without a byte order mark, found out if empty.
	Encoding string `json:"encoding,omitempty"`
	// JSONPaths say which values of JSON are translated, such as "messages.*.text", and
	// Columns which columns of CSV and TSV, such as "2-4" and "Title"; one that begins
	// with "!" leaves some alone. Without them it is what looks like texts for people.
	JSONPaths []string `json:"json_paths,omitempty"`
	Columns   []string `json:"columns,omitempty"`
	Paused    bool     `json:"paused,omitempty"`
}

// Place is where translations of a drop folder go. Sub-folders are kept.
type Place string

const (
	PlaceSubfolder Place = "subfolder" // FOLDER/translated/NAME
	PlaceBeside    Place = "beside"    // FOLDER/NAME
	PlaceFolder    Place = "folder"    // OTHER/NAME
)

// Original is what happens to an input after it was translated. It is never
// altered.
type Original string

const (
	OriginalStay Original = "stay" // the default, also if empty
	OriginalDone Original = "done" // moved to FOLDER/done
	OriginalBin  Original = "bin"  // moved to the desktop's bin
)

// Folder is a drop folder and how it is doing.
type Folder struct {
	ID       int64          `json:"id"`
	Settings FolderSettings `json:"settings"`
	Status   FolderStatus   `json:"status"`
}

// FolderStatus is how a drop folder is doing.
type FolderStatus struct {
	State     FolderState `json:"state"`
	Message   string      `json:"message,omitempty"` // why, and the way out
	Waiting   int         `json:"waiting"`           // files found and not done yet
	Done      int64       `json:"done"`              // files
	Failed    int64       `json:"failed"`
	Cancelled int64       `json:"cancelled,omitempty"` // by a user, until their content changes
	LastFile  string      `json:"last_file,omitempty"` // below the folder
	LastDone  time.Time   `json:"last_done,omitzero"`
	// Current is the file that is being translated, of several the first.
	Current *FolderWork `json:"current,omitempty"`
}

// FolderWork is a file of a drop folder that is being translated.
type FolderWork struct {
	Job   int64  `json:"job"`
	Path  string `json:"path"` // below the folder
	To    string `json:"to"`
	Done  int    `json:"done"`  // sentences
	Total int    `json:"total"` // sentences, 0 until they were counted
	// RestMS is how long the rest takes as fast as it went so far, 0 while that is not known.
	RestMS int64 `json:"rest_ms,omitempty"`
}

// FolderState is how a drop folder is watched.
type FolderState string

const (
	FolderStarting FolderState = "starting"
	FolderWatching FolderState = "watching" // the system reports changes
	FolderPolling  FolderState = "polling"  // looked at in intervals, see Message
	FolderMissing  FolderState = "missing"
	FolderPaused   FolderState = "paused"
	FolderFailed   FolderState = "failed" // nothing comes out, see Message
)

// FoldersResponse is the body of GET /v1/folders.
type FoldersResponse struct {
	Folders []Folder `json:"folders"`
}
