package daemon

import (
	"net/http"
	"slices"
	"time"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
)

// longestPause is a bound against mistyped numbers.
const longestPause = 30 * 24 * time.Hour

func (d *Daemon) handlePause(_ http.ResponseWriter, r *http.Request) (answer, error) {
	var request api.PauseRequest
	if r.ContentLength != 0 {
		var err error
		if request, err = read[api.PauseRequest](r); err != nil {
			return nil, err
		}
	}
	length := time.Duration(request.Seconds) * time.Second
	if request.Seconds < 0 || request.Seconds > int64(longestPause/time.Second) {
		return nil, mistake{api.CodeBadRequest, "seconds: use 1 to 2592000 (30 days), or 0 for a pause without end"}
	}
	d.pause(length)
	return d.snapshot(d.events.now()), nil
}

func (d *Daemon) handleResume(http.ResponseWriter, *http.Request) (answer, error) {
	d.resume()
	return d.snapshot(d.events.now()), nil
}

func (d *Daemon) handleReload(http.ResponseWriter, *http.Request) (answer, error) {
	if err := d.reload(); err != nil {
		return nil, badRequest(err)
	}
	return d.settingsResponse()
}

func (d *Daemon) handleSettings(http.ResponseWriter, *http.Request) (answer, error) {
	return d.settingsResponse()
}

// settingsResponse lists the settings in force. What is secret is not shown.
func (d *Daemon) settingsResponse() (answer, error) {
	current := d.current.Load()
	response := api.SettingsResponse{File: current.File}
	if problems := d.unapplied.Load(); problems != nil {
		response.Problems = *problems
	}
	late := d.late()
	for _, s := range current.All() {
		response.Settings = append(response.Settings, api.Setting{
			Key: s.Key.Name, Value: s.Value, Default: s.Key.Default(), Help: s.Key.Help, Source: string(s.Source),
			Restart: slices.Contains(late, s.Key.Name),
		})
	}
	return response, nil
}

// handleSetSettings changes all keys of a request in the file, or none. What
// cannot be put in force then is told with the settings: the file has changed.
func (d *Daemon) handleSetSettings(_ http.ResponseWriter, r *http.Request) (answer, error) {
	request, err := read[api.SettingsRequest](r)
	if err != nil {
		return nil, err
	}
	if err := config.SetAll(d.opts.Paths.ConfigFile, request.Values); err != nil {
		return nil, badRequest(err)
	}
	_ = d.reload()
	return d.settingsResponse()
}
