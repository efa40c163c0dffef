package api

import (
	"net/http"
	"strconv"
	"strings"
)

// Route is one operation of the interface. The daemon registers its handlers
// from Routes, the client sends to them and docs/openapi.yaml describes them
// under the same names.
type Route struct {
	Name   string // operationId of the document
	Method string
	Path   string // with {id} where an id belongs, as http.ServeMux takes it
}

// at returns the path with the id of what is meant.
func (r Route) at(id int64) string {
	return strings.Replace(r.Path, "{id}", strconv.FormatInt(id, 10), 1)
}

// The operations.
var (
	RouteStatus    = Route{"status", http.MethodGet, Prefix + "/status"}
	RouteEvents    = Route{"events", http.MethodGet, Prefix + "/events"}
	RouteTranslate = Route{"translate", http.MethodPost, Prefix + "/translate"}
	RouteDetect    = Route{"detect", http.MethodPost, Prefix + "/detect"}
	RouteAlign     = Route{"align", http.MethodPost, Prefix + "/align"}
	RouteLanguages = Route{"languages", http.MethodGet, Prefix + "/languages"}

	RouteJobs      = Route{"jobs", http.MethodGet, Prefix + "/jobs"}
	RouteJob       = Route{"job", http.MethodGet, Prefix + "/jobs/{id}"}
	RouteCancelJob = Route{"cancelJob", http.MethodDelete, Prefix + "/jobs/{id}"}
	RouteRetryJob  = Route{"retryJob", http.MethodPost, Prefix + "/jobs/{id}/retry"}

	RouteHistory      = Route{"history", http.MethodGet, Prefix + "/history"}
	RouteEraseHistory = Route{"eraseHistory", http.MethodDelete, Prefix + "/history"}
	RouteEraseEntry   = Route{"eraseHistoryEntry", http.MethodDelete, Prefix + "/history/{id}"}

	RouteFolders      = Route{"folders", http.MethodGet, Prefix + "/folders"}
	RouteAddFolder    = Route{"addFolder", http.MethodPost, Prefix + "/folders"}
	RouteFolder       = Route{"folder", http.MethodGet, Prefix + "/folders/{id}"}
	RouteSetFolder    = Route{"setFolder", http.MethodPut, Prefix + "/folders/{id}"}
	RouteRemoveFolder = Route{"removeFolder", http.MethodDelete, Prefix + "/folders/{id}"}
	RouteRescanFolder = Route{"rescanFolder", http.MethodPost, Prefix + "/folders/{id}/rescan"}
	RoutePauseFolder  = Route{"pauseFolder", http.MethodPost, Prefix + "/folders/{id}/pause"}
	RouteResumeFolder = Route{"resumeFolder", http.MethodPost, Prefix + "/folders/{id}/resume"}

	RouteGlossary       = Route{"glossary", http.MethodGet, Prefix + "/glossary"}
	RouteAddTerm        = Route{"addTerm", http.MethodPost, Prefix + "/glossary"}
	RouteRemoveTerm     = Route{"removeTerm", http.MethodDelete, Prefix + "/glossary"}
	RouteAddGlossary    = Route{"addGlossary", http.MethodPost, Prefix + "/glossary/files"}
	RouteRemoveGlossary = Route{"removeGlossary", http.MethodDelete, Prefix + "/glossary/files"}

	RouteSearchMemory     = Route{"searchMemory", http.MethodPost, Prefix + "/memory/search"}
	RouteCorrect          = Route{"correct", http.MethodPost, Prefix + "/memory/corrections"}
	RouteForgetCorrection = Route{"forgetCorrection", http.MethodPost, Prefix + "/memory/forget"}
	RouteMemoryFiles      = Route{"memoryFiles", http.MethodGet, Prefix + "/memory/files"}
	RouteAddMemory        = Route{"addMemory", http.MethodPost, Prefix + "/memory/files"}
	RouteRemoveMemory     = Route{"removeMemory", http.MethodDelete, Prefix + "/memory/files"}
	RouteExportMemory     = Route{"exportMemory", http.MethodGet, Prefix + "/memory/export"}

	RouteSettings    = Route{"settings", http.MethodGet, Prefix + "/settings"}
	RouteSetSettings = Route{"setSettings", http.MethodPatch, Prefix + "/settings"}
	RouteReload      = Route{"reload", http.MethodPost, Prefix + "/reload"}
	RoutePause       = Route{"pause", http.MethodPost, Prefix + "/pause"}
	RouteResume      = Route{"resume", http.MethodPost, Prefix + "/resume"}
)

// Routes are all operations of the interface.
var Routes = []Route{
	RouteStatus, RouteEvents, RouteTranslate, RouteDetect, RouteAlign, RouteLanguages,
	RouteJobs, RouteJob, RouteCancelJob, RouteRetryJob,
	RouteHistory, RouteEraseHistory, RouteEraseEntry,
	RouteFolders, RouteAddFolder, RouteFolder, RouteSetFolder, RouteRemoveFolder,
	RouteRescanFolder, RoutePauseFolder, RouteResumeFolder,
	RouteGlossary, RouteAddTerm, RouteRemoveTerm, RouteAddGlossary, RouteRemoveGlossary,
	RouteSearchMemory, RouteCorrect, RouteForgetCorrection,
	RouteMemoryFiles, RouteAddMemory, RouteRemoveMemory, RouteExportMemory,
	RouteSettings, RouteSetSettings, RouteReload, RoutePause, RouteResume,
	RoutePulls, RoutePull, RouteCancelPull,
}

// The media types of bodies.
const (
	TypeJSON    = "application/json"
	TypeProblem = "application/problem+json" // RFC 9457
	TypeLines   = "application/x-ndjson"     // of StreamLine
	TypeEvents  = "text/event-stream"        // of Event, see WHATWG HTML 9.2
)
