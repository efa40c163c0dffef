// Package telemetry keeps how the service does: how long texts waited and took,
// how full graphs were, what was compiled and why devices fell. It keeps
// histograms of fixed size and counts, never a text, and sends nothing anywhere:
// whoever may use the local interface can read it as JSON, as Prometheus' text
// or in OpenTelemetry's form. It imports what inference says of a text, and no
// other part of the daemon.
//
// Prometheus' writer (common/expfmt) and OpenTelemetry's types (proto/otlp) are
// fed from these histograms, instead of keeping all a second time in
// client_golang and OpenTelemetry's SDK. In a program that only links them the
// former cost 1.9 MB of memory and 2.1 MB of disk, the latter 3.5 MB and 3.9 MB;
// dragomand has grown by 1.0 MB of memory (0.14 MB of it its own, the rest the
// file's pages) and 1.9 MB of disk.
package telemetry
