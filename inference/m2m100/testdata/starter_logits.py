"""Makes starter_logits.json: transformers' best logits for the starter model.

  pip install -r requirements.txt
  python starter_logits.py [--model MODEL] [--out starter_logits.json]

The Go graphs in float32 must give the same numbers. Run it only when the starter
model changes, after reference.py: the sentences and their outputs are two lines of
reference.jsonl, one shorter than the first static graph of the encoder (16 tokens) and
one that needs the next.

The decoder is run once over its whole input (teacher forcing, causal). Of each
position, in order, one line of JSON:

  mean, deviation, largest   of all logits; the last by magnitude
  tokens, logits             the 50 best, best first
"""
import argparse
import json
import os

import torch
import transformers
from transformers import M2M100ForConditionalGeneration

BEST = 50
START = 2
LINES = (1, 4)  # of reference.jsonl, from 0

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("--model", default=os.path.join(HERE, "../../../assets/starter"))
  parser.add_argument("--out", default=os.path.join(HERE, "starter_logits.json"))
  options = parser.parse_args()
  with open(os.path.join(HERE, "reference.jsonl"), encoding="utf-8") as lines:
    references = [json.loads(line) for line in lines]
  model = M2M100ForConditionalGeneration.from_pretrained(
      options.model, dtype=torch.float32, attn_implementation="eager").eval()

  sentences = []
  for line in LINES:
    source = references[line]["source_ids"]
    decoder = [START] + references[line]["target_ids"][:-1]
    with torch.inference_mode():
      logits = model(
          input_ids=torch.tensor([source]), attention_mask=torch.ones(1, len(source), dtype=torch.long),
          decoder_input_ids=torch.tensor([decoder]), use_cache=False).logits[0].double()
    positions = []
    for row in logits:
      best = torch.topk(row, BEST)
      positions.append(json.dumps({
          "mean": round(float(row.mean()), 6), "deviation": round(float(row.std(correction=0)), 6),
          "largest": round(float(row.abs().max()), 6), "tokens": best.indices.tolist(),
          "logits": [round(float(v), 5) for v in best.values]}))
    sentences.append('  {"source_ids": %s,\n   "decoder_ids": %s,\n   "positions": [\n    %s]}' % (
        json.dumps(source), json.dumps(decoder), ",\n    ".join(positions)))
  with open(options.out, "w", encoding="utf-8", newline="\n") as out:
    out.write('{"transformers": "%s", "torch": "%s",\n "sentences": [\n%s]}\n' % (
        transformers.__version__, torch.__version__, ",\n".join(sentences)))


if __name__ == "__main__":
  main()
