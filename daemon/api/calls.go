package api

import (
	"context"
	"time"
)

// Status returns the snapshot of now.
func (c *Client) Status(ctx context.Context) (Snapshot, error) {
	return call[Snapshot](ctx, c, request{route: RouteStatus})
}

// Translate returns the translations when all are ready.
func (c *Client) Translate(ctx context.Context, r TranslateRequest) (TranslateResponse, error) {
	r.Stream = false
	return call[TranslateResponse](ctx, c, request{route: RouteTranslate, body: r})
}

// Detect returns the most likely language of each text.
func (c *Client) Detect(ctx context.Context, r DetectRequest) (DetectResponse, error) {
	return call[DetectResponse](ctx, c, request{route: RouteDetect, body: r})
}

// Align tells which words of translations stand for which of their sources;
// ErrNoAlign where the model does not show that.
func (c *Client) Align(ctx context.Context, r AlignRequest) (AlignResponse, error) {
	return call[AlignResponse](ctx, c, request{route: RouteAlign, body: r})
}

// Languages returns those that the model knows. It waits for a model that is
// being loaded.
func (c *Client) Languages(ctx context.Context) (LanguagesResponse, error) {
	return call[LanguagesResponse](ctx, c, request{route: RouteLanguages})
}

// Jobs returns jobs, newest first.
func (c *Client) Jobs(ctx context.Context, q JobQuery) (JobsResponse, error) {
	return call[JobsResponse](ctx, c, request{route: RouteJobs, query: q.Values()})
}

// Job returns one job; ErrNotFound if there is none (texts are forgotten with
// the daemon's end).
func (c *Client) Job(ctx context.Context, id int64) (Job, error) {
	return call[Job](ctx, c, request{route: RouteJob, path: RouteJob.at(id)})
}

// CancelJob ends a job at its next step; ErrConflict if it has ended.
func (c *Client) CancelJob(ctx context.Context, id int64) error {
	return c.order(ctx, request{route: RouteCancelJob, path: RouteCancelJob.at(id)})
}

// RetryJob translates the file of a failed or cancelled job once more;
// ErrConflict if the job is another.
func (c *Client) RetryJob(ctx context.Context, id int64) (Job, error) {
	return call[Job](ctx, c, request{route: RouteRetryJob, path: RouteRetryJob.at(id)})
}

// History returns what was translated, newest first.
func (c *Client) History(ctx context.Context, q HistoryQuery) (HistoryResponse, error) {
	return call[HistoryResponse](ctx, c, request{route: RouteHistory, query: q.Values()})
}

// EraseHistory erases for good what is older than a time; the zero time is
// everything.
func (c *Client) EraseHistory(ctx context.Context, before time.Time) (ErasedResponse, error) {
	return call[ErasedResponse](ctx, c, request{route: RouteEraseHistory, query: eraseValues(before)})
}

// EraseHistoryEntry erases one entry for good.
func (c *Client) EraseHistoryEntry(ctx context.Context, id int64) error {
	return c.order(ctx, request{route: RouteEraseEntry, path: RouteEraseEntry.at(id)})
}

// Folders returns the drop folders.
func (c *Client) Folders(ctx context.Context) (FoldersResponse, error) {
	return call[FoldersResponse](ctx, c, request{route: RouteFolders})
}

// AddFolder begins to watch a folder; ErrConflict if it, or one that holds it or
// that it holds, is watched.
func (c *Client) AddFolder(ctx context.Context, s FolderSettings) (Folder, error) {
	return call[Folder](ctx, c, request{route: RouteAddFolder, body: s})
}

// Folder returns one drop folder.
func (c *Client) Folder(ctx context.Context, id int64) (Folder, error) {
	return call[Folder](ctx, c, request{route: RouteFolder, path: RouteFolder.at(id)})
}

// SetFolder replaces the settings of a drop folder.
func (c *Client) SetFolder(ctx context.Context, id int64, s FolderSettings) (Folder, error) {
	return call[Folder](ctx, c, request{route: RouteSetFolder, path: RouteSetFolder.at(id), body: s})
}

// RemoveFolder ends the watching of a folder and touches no file.
func (c *Client) RemoveFolder(ctx context.Context, id int64) error {
	return c.order(ctx, request{route: RouteRemoveFolder, path: RouteRemoveFolder.at(id)})
}

// RescanFolder looks at all of a folder again, soon.
func (c *Client) RescanFolder(ctx context.Context, id int64) error {
	return c.order(ctx, request{route: RouteRescanFolder, path: RouteRescanFolder.at(id)})
}

// PauseFolder leaves new files of a folder alone until ResumeFolder.
func (c *Client) PauseFolder(ctx context.Context, id int64) (Folder, error) {
	return call[Folder](ctx, c, request{route: RoutePauseFolder, path: RoutePauseFolder.at(id)})
}

// ResumeFolder ends PauseFolder.
func (c *Client) ResumeFolder(ctx context.Context, id int64) (Folder, error) {
	return call[Folder](ctx, c, request{route: RouteResumeFolder, path: RouteResumeFolder.at(id)})
}

// Settings returns the configuration in force.
func (c *Client) Settings(ctx context.Context) (SettingsResponse, error) {
	return call[SettingsResponse](ctx, c, request{route: RouteSettings})
}

// SetSettings changes keys of the configuration file and puts them in force.
func (c *Client) SetSettings(ctx context.Context, r SettingsRequest) (SettingsResponse, error) {
	return call[SettingsResponse](ctx, c, request{route: RouteSetSettings, body: r})
}

// Reload reads the configuration file again; where it is wrong the old settings
// stay in force and the error says what is wrong.
func (c *Client) Reload(ctx context.Context) (SettingsResponse, error) {
	return call[SettingsResponse](ctx, c, request{route: RouteReload})
}

// Pause lets batch work wait.
func (c *Client) Pause(ctx context.Context, r PauseRequest) (Snapshot, error) {
	return call[Snapshot](ctx, c, request{route: RoutePause, body: r})
}

// Resume ends Pause.
func (c *Client) Resume(ctx context.Context) (Snapshot, error) {
	return call[Snapshot](ctx, c, request{route: RouteResume})
}
