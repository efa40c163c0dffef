"""Makes starter_logits.json: transformers' best logits for the starter model.

  pip install -r requirements.txt
  python starter_logits.py [--model MODEL] [--out starter_logits.json]

The Go graphs in float32 must give the same numbers. Run it only when the starter
model changes, after reference.py, of whose sentences two are taken, see starter.py. Of
each position, in order, one line of JSON:

  mean, deviation, largest   of all logits; the last by magnitude
  tokens, logits             the 50 best, best first
"""
import json

import torch

import starter

BEST = 50


def describe(source, decoder, output):
  positions = []
  for row in output.logits[0].double():
    best = torch.topk(row, BEST)
    positions.append(json.dumps({
        "mean": round(float(row.mean()), 6), "deviation": round(float(row.std(correction=0)), 6),
        "largest": round(float(row.abs().max()), 6), "tokens": best.indices.tolist(),
        "logits": [round(float(v), 5) for v in best.values]}))
  return '  {"source_ids": %s,\n   "decoder_ids": %s,\n   "positions": [\n    %s]}' % (
      json.dumps(source), json.dumps(decoder), ",\n    ".join(positions))


if __name__ == "__main__":
  starter.write(__doc__, "starter_logits.json", describe)
