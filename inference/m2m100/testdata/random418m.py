"""Writes transformers' float32 logits for a checkpoint in M2M-100 layout.

  pip install -r requirements.txt
  python random418m.py CHECKPOINT_DIR OUT_DIR

The Go test makes a checkpoint of the 418M shape with random weights, calls this
script and compares its own float32 logits with the ones written here.

CHECKPOINT_DIR holds config.json and model.safetensors (float32 or float16; the tied
embeddings only as model.shared.weight).

OUT_DIR/requests.json is read:

  [{"source_ids": [128022, 57, 2], "decoder_ids": [2, 128023, 91]}, ...]

source_ids go to the encoder as they are (language token first, end token last).
decoder_ids are the decoder's whole input, start token first: the decoder is run
once over all of them (teacher forcing, causal), so that row t of the logits is
the model's answer after decoder_ids[:t+1].

For request number i OUT_DIR/logits-i.f32 is written: float32, little-endian, row-major,
[len(decoder_ids), vocab_size]. OUT_DIR/logits.json is written last:

  {"transformers": "VERSION", "torch": "VERSION",
   "logits": [{"file": "logits-0.f32", "shape": [3, 128112]}, ...]}
"""
import json
import os
import sys

import torch
import transformers
from transformers import M2M100ForConditionalGeneration


def main():
  if len(sys.argv) != 3:
    raise SystemExit("usage: random418m.py CHECKPOINT_DIR OUT_DIR")
  checkpoint, out = sys.argv[1:]
  with open(os.path.join(out, "requests.json"), encoding="utf-8") as file:
    requests = json.load(file)
  model, loading = M2M100ForConditionalGeneration.from_pretrained(
      checkpoint, dtype=torch.float32, attn_implementation="eager",
      local_files_only=True, output_loading_info=True)
  # A name that transformers does not find is filled with fresh random numbers and
  # would make the comparison worthless.
  for kind in ("missing_keys", "unexpected_keys", "mismatched_keys"):
    if loading.get(kind):
      raise SystemExit(f"{checkpoint}: {kind}: {sorted(map(str, loading[kind]))}")
  model.eval()

  written = []
  for number, request in enumerate(requests):
    source = torch.tensor([request["source_ids"]])
    with torch.inference_mode():
      logits = model(
          input_ids=source, attention_mask=torch.ones_like(source),
          decoder_input_ids=torch.tensor([request["decoder_ids"]]),
          use_cache=False).logits[0]
    if not torch.isfinite(logits).all():
      raise SystemExit(f"request {number}: the logits are not finite")
    name = f"logits-{number}.f32"
    logits.float().contiguous().numpy().astype("<f4").tofile(os.path.join(out, name))
    written.append({"file": name, "shape": list(logits.shape)})
  with open(os.path.join(out, "logits.json"), "w", encoding="utf-8") as file:
    json.dump({"transformers": transformers.__version__, "torch": torch.__version__,
               "logits": written}, file, indent=1)
    file.write("\n")


if __name__ == "__main__":
  main()
