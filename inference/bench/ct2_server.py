"""CTranslate2 as the benchmark's peer: one process, JSON lines in, JSON lines out.

  pip install -r requirements.txt
  python ct2_server.py MODEL_DIR [--intra-threads 2] [--inter-threads 1]
                       [--compute-type int8]

MODEL_DIR is what ct2_convert.py wrote. The process stays, so that the benchmark can
interleave its own rounds and the peer's in one run on the same cores.

When the model is loaded, one line is written:

  {"ready": true, "ctranslate2": "4.8.5", "compute_type": "int8_float32",
   "isa": "AVX2", "int8_backend": "DNNL", "intra_threads": 2, "inter_threads": 1,
   "vocabulary": 24109, "load_seconds": 0.2, "rss_bytes": 123456789}

compute_type is the one really used; isa and int8_backend are taken from CTranslate2's own
log (null where it does not say). rss_bytes is null where there is no /proc.

Each request is one line; every field but the source may be left out:

  {"source_tokens": ["__en__", "▁The", ..., "</s>"],  or "source_ids": [24023, ..., 2]
   "target_prefix": ["__es__"],                       or "target_prefix_ids": [24024]
   "decoding_length": 20, "repeat": 5, "warmup": 1, "copies": 1, "max_batch_size": 0,
   "batch_type": "examples"}

The source is one sentence, or a list of sentences; ids are looked up in the model's
vocabulary.

decoding_length: exactly so many tokens are generated after the prefix, the end token held
back; null or left out: until the end token, at most 200. (CTranslate2 counts the prefix as
a part of the output: both its bounds are set to this length and the prefix's.)

warmup rounds are run first and not timed. copies translates the same source so many times
in one call, max_batch_size and batch_type are translate_batch's (0: all together). The search is greedy
(beam_size 1) and no scores are asked for.

The answer is one line:

  {"seconds": [0.031, ...], "output_tokens": [["__es__", ...], ...],
   "output_ids": [[24024, ...], ...]}

seconds has one time for every repeat: the call of translate_batch alone, by a monotonic
clock, without reading the request, looking up the ids and writing the answer. Outputs
are those of the last round, prefix included, end token left out. A request that fails is
answered {"error": "..."}; the process goes on until its input ends.
"""
import argparse
import contextlib
import json
import os
import re
import sys
import tempfile
import time


@contextlib.contextmanager
def captured_log():
  """Catches what native code writes to file descriptor 2; the log is spdlog's, in C++.

  It is written on afterwards only if loading failed: then it says why.
  """
  saved = os.dup(2)
  with tempfile.TemporaryFile() as file:
    os.dup2(file.fileno(), 2)
    lines = []
    failed = True
    try:
      yield lines
      failed = False
    finally:
      os.dup2(saved, 2)
      os.close(saved)
      file.seek(0)
      text = file.read().decode("utf-8", "replace")
      lines.extend(text.splitlines())
      if failed:
        sys.stderr.write(text)


def resident_bytes():
  try:
    with open("/proc/self/statm", encoding="ascii") as file:
      return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
  except OSError:
    return None


def from_log(lines, label):
  for line in lines:
    found = re.search(rf"{label}: *(\S+)", line)
    if found:
      return found.group(1)
  return None


class Peer:
  def __init__(self, options):
    start = time.perf_counter()
    # Read once, when the library is loaded.
    os.environ["CT2_VERBOSE"] = "1"
    with captured_log() as log:
      import ctranslate2
      self.translator = ctranslate2.Translator(
          options.model, device="cpu", compute_type=options.compute_type,
          intra_threads=options.intra_threads, inter_threads=options.inter_threads)
    ctranslate2.set_log_level(30)  # logging.WARNING
    vocabulary = os.path.join(options.model, "shared_vocabulary.json")
    with open(vocabulary, encoding="utf-8") as file:
      self.names = json.load(file)
    self.ids = {name: i for i, name in enumerate(self.names)}
    self.ready = {
        "ready": True, "ctranslate2": ctranslate2.__version__,
        "compute_type": self.translator.compute_type,
        "isa": from_log(log, "Selected ISA"),
        "int8_backend": from_log(log, "GEMM_S8 backend"),
        "intra_threads": options.intra_threads, "inter_threads": options.inter_threads,
        "vocabulary": len(self.names), "load_seconds": time.perf_counter() - start,
        "rss_bytes": resident_bytes()}

  def tokens(self, request, kind, required):
    """Returns the request's list of names, or list of lists."""
    value = request.get("source_tokens" if kind == "source" else kind)
    if value is not None:
      return value
    ids = request.get(f"{kind}_ids")
    if ids is None:
      if required:
        raise ValueError("neither source_tokens nor source_ids")
      return None
    if ids and isinstance(ids[0], list):
      return [[self.names[i] for i in sentence] for sentence in ids]
    return [self.names[i] for i in ids]

  def answer(self, request):
    source = self.tokens(request, "source", required=True)
    if not source:
      raise ValueError("the source is empty")
    if not isinstance(source[0], list):
      source = [source]
    source = source * request.get("copies", 1)
    prefix = self.tokens(request, "target_prefix", required=False)
    length = request.get("decoding_length")
    arguments = {
        "beam_size": 1, "max_batch_size": request.get("max_batch_size", 0),
        "batch_type": request.get("batch_type", "examples"),
        "target_prefix": None if prefix is None else [prefix] * len(source),
        "min_decoding_length": 1 if length is None else length + len(prefix or ()),
        "max_decoding_length": (200 if length is None else length) + len(prefix or ())}
    for _ in range(request.get("warmup", 0)):
      self.translator.translate_batch(source, **arguments)
    seconds, results = [], None
    for _ in range(max(1, request.get("repeat", 1))):
      start = time.perf_counter()
      results = self.translator.translate_batch(source, **arguments)
      seconds.append(time.perf_counter() - start)
    outputs = [result.hypotheses[0] for result in results]
    return {"seconds": seconds, "output_tokens": outputs,
            "output_ids": [[self.ids[name] for name in output] for output in outputs]}


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("model")
  parser.add_argument("--intra-threads", type=int, default=2,
                      help="threads of one translation")
  parser.add_argument("--inter-threads", type=int, default=1,
                      help="translations side by side")
  parser.add_argument("--compute-type", default="int8")
  peer = Peer(parser.parse_args())

  def write(answer):
    sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=False).encode("utf-8") + b"\n")
    sys.stdout.buffer.flush()

  write(peer.ready)
  for line in sys.stdin.buffer:
    if not line.strip():
      continue
    try:
      write(peer.answer(json.loads(line)))
    except Exception as error:  # whatever it is, the benchmark waits for a line
      write({"error": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
  main()
