"""transformers or optimum-intel as the benchmark's peer, with ct2_server.py's protocol.

  pip install -r requirements-peers.txt
  python hf_server.py {transformers,optimum} CHECKPOINT_DIR [--threads 2] [--cache DIR]

transformers runs the checkpoint in float32 by PyTorch. optimum is optimum-intel's
OVModelForSeq2SeqLM with int8 weights; what it exports is kept in the cache folder.

Of a request source_ids, target_prefix_ids (one language token), decoding_length, warmup
and repeat are read. The search is greedy.
"""
import argparse
import json
import os
import sys
import time


def load(options):
  if options.kind == "transformers":
    import torch
    from transformers import M2M100ForConditionalGeneration
    torch.set_num_threads(options.threads)
    return M2M100ForConditionalGeneration.from_pretrained(options.checkpoint, dtype=torch.float32).eval()
  from optimum.intel import OVModelForSeq2SeqLM
  settings = {"INFERENCE_NUM_THREADS": options.threads, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY"}
  exported = os.path.join(options.cache, "optimum-int8")
  if os.path.isdir(exported):
    return OVModelForSeq2SeqLM.from_pretrained(exported, ov_config=settings)
  model = OVModelForSeq2SeqLM.from_pretrained(options.checkpoint, export=True, load_in_8bit=True, ov_config=settings)
  model.save_pretrained(exported)
  return model


class Peer:
  def __init__(self, options):
    self.model = load(options)

  def answer(self, request):
    import torch
    sources = request["source_ids"]
    if len(sources) != 1:
      raise ValueError("one sentence at a time")
    ids = torch.tensor(sources)
    length = request["decoding_length"]
    # The start and the language token come before what is counted.
    arguments = {
        "input_ids": ids, "attention_mask": torch.ones_like(ids), "num_beams": 1, "do_sample": False,
        "forced_bos_token_id": request["target_prefix_ids"][0],
        "min_new_tokens": length + 1, "max_new_tokens": length + 1}
    seconds, output = [], None
    with torch.no_grad():
      for _ in range(request.get("warmup", 0)):
        self.model.generate(**arguments)
      for _ in range(request.get("repeat", 1)):
        start = time.perf_counter()
        output = self.model.generate(**arguments)
        seconds.append(time.perf_counter() - start)
    return {"seconds": seconds, "output_ids": [row[1:] for row in output.tolist()]}


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("kind", choices=["transformers", "optimum"])
  parser.add_argument("checkpoint")
  parser.add_argument("--threads", type=int, default=2)
  parser.add_argument("--cache", default=".")
  # What libraries print must not come between the answers.
  answers = os.fdopen(os.dup(1), "wb")
  os.dup2(2, 1)
  peer = Peer(parser.parse_args())

  def write(answer):
    answers.write(json.dumps(answer).encode("utf-8") + b"\n")
    answers.flush()

  write({"ready": True})
  for line in sys.stdin.buffer:
    if not line.strip():
      continue
    try:
      write(peer.answer(json.loads(line)))
    except Exception as error:  # whatever it is, the benchmark waits for a line
      write({"error": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
  main()
