// Package libretranslate speaks the HTTP interface of LibreTranslate, so that
// its many clients and browser extensions work with dragoman. It is off by
// default and serves this machine only.
//
// It owns parameters, answers, files that wait to be fetched, and who may
// ask: a browser lets any page send requests to the loopback, so every request
// needs a Host of ours, no Origin that was not allowed, and the key. Shapes and
// statuses are those of LibreTranslate 1.9 (libretranslate/app.py); what differs
// is said in docs/libretranslate.md.
//
// It knows no model, queue or store: those are behind Backend. It must not
// import them.
package libretranslate
