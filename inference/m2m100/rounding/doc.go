// Package rounding rounds matrices of weights to few bits so that their products
// change little, not their weights: GPTQ (Frantar et al. 2022), which spreads the
// error of each weight over those that are not rounded yet, by the second moments
// of the matrix's inputs.
//
// Moments are gathered of the inputs, Feedback is made of them once, and each thread
// has a Rounder of it for the matrix's rows.
//
// It knows no model. The package must not import anything of ours but kernel.
package rounding
