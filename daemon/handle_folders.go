package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
	"dragoman/daemon/words"
)

// loadFolders takes on the folders that are kept.
func (d *Daemon) loadFolders(ctx context.Context) error {
	kept, err := d.store.Folders(ctx)
	if err != nil {
		return err
	}
	for _, f := range kept {
		var settings api.FolderSettings
		err := json.Unmarshal(f.Settings, &settings)
		if err != nil {
			err = fmt.Errorf("its settings cannot be read: %w", err)
			settings = api.FolderSettings{Path: f.Path, From: api.Auto, To: []string{}}
		}
		d.folders.Load(f.ID, settings, err)
	}
	return nil
}

func (d *Daemon) handleFolders(http.ResponseWriter, *http.Request) (answer, error) {
	return api.FoldersResponse{Folders: d.folders.Folders()}, nil
}

func (d *Daemon) handleAddFolder(_ http.ResponseWriter, r *http.Request) (answer, error) {
	settings, err := read[api.FolderSettings](r)
	if err != nil {
		return nil, err
	}
	d.folderChanges.Lock()
	defer d.folderChanges.Unlock()
	if settings, err = d.checkFolder(r.Context(), 0, settings); err != nil {
		return nil, err
	}
	id, err := d.putFolder(r.Context(), 0, settings)
	if err != nil {
		return nil, err
	}
	if err := d.folders.Add(id, settings); err != nil {
		return nil, errors.Join(err, d.store.DeleteFolder(r.Context(), id, true)) // what is refused must not come back at the next start
	}
	slog.Info("Drop folder is added", "folder", id, "path", settings.Path)
	return orError(d.folder(id))
}

// checkFolder refuses settings that cannot work. Languages are looked at where
// a model is loaded; a folder may be set up before.
func (d *Daemon) checkFolder(ctx context.Context, id int64, settings api.FolderSettings) (api.FolderSettings, error) {
	settings, err := d.folders.Check(id, settings)
	if err != nil {
		return settings, err
	}
	if settings.Glossary != "" {
		if err := words.CheckGlossaries(settings.Glossary); err != nil {
			return settings, mistake{api.CodeBadRequest, "the glossary of the folder cannot be used: " + err.Error()}
		}
	}
	if state, _, _ := d.models.state(); state == api.StateFault {
		return settings, nil
	}
	for _, to := range settings.To {
		if err := d.checkLanguages(ctx, settings.From, to); err != nil {
			return settings, err
		}
	}
	return settings, nil
}

func (d *Daemon) putFolder(ctx context.Context, id int64, settings api.FolderSettings) (int64, error) {
	kept, err := json.Marshal(settings)
	if err != nil {
		return 0, err
	}
	return d.store.PutFolder(ctx, store.Folder{ID: id, Path: settings.Path, Settings: kept})
}

// folder finds a folder by its id.
func (d *Daemon) folder(id int64) (api.Folder, error) {
	for _, f := range d.folders.Folders() {
		if f.ID == id {
			return f, nil
		}
	}
	return api.Folder{}, mistake{api.CodeNotFound, fmt.Sprintf("there is no drop folder %d: see `dragoman folders list`", id)}
}

// folderOf finds the folder that a request's path names.
func (d *Daemon) folderOf(r *http.Request) (api.Folder, error) {
	id, err := pathID(r)
	if err != nil {
		return api.Folder{}, err
	}
	return d.folder(id)
}

func (d *Daemon) handleFolder(_ http.ResponseWriter, r *http.Request) (answer, error) {
	return orError(d.folderOf(r))
}

func (d *Daemon) handleSetFolder(_ http.ResponseWriter, r *http.Request) (answer, error) {
	settings, err := read[api.FolderSettings](r)
	if err != nil {
		return nil, err
	}
	d.folderChanges.Lock()
	defer d.folderChanges.Unlock()
	f, err := d.folderOf(r)
	if err != nil {
		return nil, err
	}
	if settings, err = d.checkFolder(r.Context(), f.ID, settings); err != nil {
		return nil, err
	}
	if settings.Path != f.Settings.Path {
		return nil, mistake{api.CodeBadRequest, fmt.Sprintf("folder %d is %s and cannot become another: add that one and remove this one", f.ID, f.Settings.Path)}
	}
	if err := d.changeFolder(r.Context(), f.ID, settings); err != nil {
		return nil, err
	}
	return orError(d.folder(f.ID))
}

func (d *Daemon) changeFolder(ctx context.Context, id int64, settings api.FolderSettings) error {
	if _, err := d.putFolder(ctx, id, settings); err != nil {
		return err
	}
	return d.folders.Update(id, settings)
}

func (d *Daemon) handleRemoveFolder(_ http.ResponseWriter, r *http.Request) (answer, error) {
	d.folderChanges.Lock()
	defer d.folderChanges.Unlock()
	f, err := d.folderOf(r)
	if err != nil {
		return nil, err
	}
	if err := d.folders.Remove(f.ID); err != nil {
		return nil, err
	}
	slog.Info("Drop folder is removed", "folder", f.ID, "path", f.Settings.Path)
	// Its outputs must still be known as such if it is added again.
	return nil, d.store.DeleteFolder(r.Context(), f.ID, true)
}

func (d *Daemon) handleRescanFolder(_ http.ResponseWriter, r *http.Request) (answer, error) {
	f, err := d.folderOf(r)
	if err != nil {
		return nil, err
	}
	return nil, d.folders.Rescan(r.Context(), f.ID)
}

func (d *Daemon) handlePauseFolder(_ http.ResponseWriter, r *http.Request) (answer, error) {
	return d.setFolderPaused(r, true, d.folders.Pause, d.folders.Resume)
}

func (d *Daemon) handleResumeFolder(_ http.ResponseWriter, r *http.Request) (answer, error) {
	return d.setFolderPaused(r, false, d.folders.Resume, d.folders.Pause)
}

func (d *Daemon) setFolderPaused(r *http.Request, paused bool, do, undo func(id int64) error) (answer, error) {
	d.folderChanges.Lock()
	defer d.folderChanges.Unlock()
	f, err := d.folderOf(r)
	if err != nil {
		return nil, err
	}
	was := f.Settings.Paused
	if err := do(f.ID); err != nil {
		return nil, err
	}
	f.Settings.Paused = paused
	if _, err := d.putFolder(r.Context(), f.ID, f.Settings); err != nil {
		if was != paused {
			err = errors.Join(err, undo(f.ID))
		}
		return nil, err
	}
	return orError(d.folder(f.ID))
}
