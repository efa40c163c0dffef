// Package drop runs drop folders: it takes what watch/folder finds, has it
// translated and puts the outputs in place with the help of a ledger, so that
// nothing is lost or done twice, whenever the process ends.
//
// An input has one output and one row of the ledger a target language. The row
// is there, with the output's name claimed, before the output appears, and done
// after it was renamed into place. What is in the row decides what happens to a
// file that is already there, see put.
//
// The package must not import the model or the queue: what translates is the
// caller's business.
package drop
