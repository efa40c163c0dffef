"""Makes reference.jsonl: what transformers generates for 200 sentences.

The Go graphs in float32 must give the same token ids. Run it only when the
starter model changes:

  pip install -r requirements.txt
  python reference.py --corpus CORPUS [--model MODEL] [--out reference.jsonl]

CORPUS holds train.tar.xz (TSV files, English TAB other language) and test/
(laser-tatoeba-XX.en and .XX, line-aligned). MODEL is a checkpoint folder in
M2M-100 layout, the starter where it is left out.

Every line of the output is one JSON object:

  from, to     language codes
  text         the sentence, as it is given to the tokenizer
  origin       the corpus it comes from: laser-tatoeba or tatoeba
  source_ids   language token, pieces, 2 (end)
  target_ids   what greedy search gives, without the start token (2): the forced
               language token, pieces, 2 (end)
  translation  target_ids as text, special tokens left out
  min_margin   the smallest distance, over all steps but the forced one, between the
               best logit and the second best (float32)

The choice is fixed: candidates are ordered by a checksum of pair and text, and the
source lengths of a pair are spread over LENGTHS. Left out, and counted at the end:
sentences with a step nearer to a tie than MARGIN, where the rounding of another
float32 implementation may turn the choice; sentences without an end token
within twice the source's length (loops); outputs with a language token or a
made-up word in them, which dragoman never generates.
"""
import argparse
import collections
import itertools
import json
import os
import tarfile
import zlib

import torch
from transformers import M2M100ForConditionalGeneration, M2M100Tokenizer

LANGUAGES = ["en", "de", "fr", "es", "it", "pt"]
SENTENCES = 200
MARGIN = 1e-3
END = 2
# Source lengths in tokens, language token and end included, one sentence of each a
# pair; the last class is used by the first pairs only, until SENTENCES is reached.
LENGTHS = [(3, 5), (6, 10), (11, 16), (17, 24), (25, 36), (37, 60), (11, 24)]
# At most so many texts of a language are tokenised to fill the classes.
POOL = 6000

HERE = os.path.dirname(os.path.abspath(__file__))


def checksum(text):
  return zlib.crc32(text.encode("utf-8"))


def read_texts(corpus):
  """Returns language -> {text: origin}; laser-tatoeba wins where both hold a text."""
  texts = {language: {} for language in LANGUAGES}
  for other in LANGUAGES[1:]:
    for language in ("en", other):
      path = os.path.join(corpus, "test", f"laser-tatoeba-{other}.{language}")
      with open(path, encoding="utf-8", newline="\n") as lines:
        for line in lines:
          texts[language].setdefault(line.strip(), "laser-tatoeba")
  with tarfile.open(os.path.join(corpus, "train.tar.xz")) as archive:
    for member in archive:
      if not member.name.startswith("tatoeba.en-"):
        continue
      other = member.name.removeprefix("tatoeba.en-").removesuffix(".tsv")
      content = archive.extractfile(member).read().decode("utf-8")
      for line in content.split("\n"):
        columns = line.split("\t")
        if len(columns) == 2:
          for language, text in zip(("en", other), columns):
            texts[language].setdefault(text.strip(), "tatoeba")
  for found in texts.values():
    found.pop("", None)
  return texts


def pool_by_length(tokenizer, texts, language):
  """Returns length class -> [(text, source ids)] of one language.

  All of laser-tatoeba and the longest texts of tatoeba are taken in, because long
  sentences are rare in both.
  """
  laser = [text for text, origin in texts.items() if origin == "laser-tatoeba"]
  others = [text for text, origin in texts.items() if origin != "laser-tatoeba"]
  others.sort(key=lambda text: (-len(text), checksum(text)))
  rest = sorted(others[POOL // 6:], key=checksum)
  chosen = laser + others[:POOL // 6] + rest[:max(0, POOL - len(laser) - POOL // 6)]
  tokenizer.src_lang = language
  classes = collections.defaultdict(list)
  for text in chosen:
    ids = tokenizer(text).input_ids
    for bounds in LENGTHS:
      if bounds[0] <= len(ids) <= bounds[1]:
        classes[bounds].append((text, ids))
  return classes


def generate(model, source_ids, language_id, limit):
  """Returns (generated ids without the start token, smallest margin)."""
  with torch.inference_mode():
    result = model.generate(
        input_ids=torch.tensor([source_ids]),
        attention_mask=torch.ones(1, len(source_ids), dtype=torch.long),
        forced_bos_token_id=language_id, num_beams=1, do_sample=False,
        max_new_tokens=limit, output_logits=True, return_dict_in_generate=True)
  ids = result.sequences[0].tolist()[1:]
  margin = float("inf")
  for logits in result.logits[1:]:
    best = torch.topk(logits[0].float(), 2).values
    margin = min(margin, float(best[0] - best[1]))
  return ids, margin


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("--corpus", required=True)
  parser.add_argument("--model", default=os.path.join(HERE, "../../../assets/starter"))
  parser.add_argument("--out", default=os.path.join(HERE, "reference.jsonl"))
  parser.add_argument("--threads", type=int, default=1)
  options = parser.parse_args()
  torch.set_num_threads(options.threads)

  tokenizer = M2M100Tokenizer.from_pretrained(options.model)
  # float16 is what the checkpoint holds and what transformers would compute in.
  model = M2M100ForConditionalGeneration.from_pretrained(
      options.model, dtype=torch.float32, attn_implementation="eager").eval()
  model.generation_config.max_length = None  # generate's own limit is the only one
  first_special = tokenizer.get_lang_id("af")

  texts = read_texts(options.corpus)
  pools = {l: pool_by_length(tokenizer, texts[l], l) for l in LANGUAGES}
  pairs = [(a, b) for a in LANGUAGES for b in LANGUAGES if a != b]
  more = SENTENCES - len(pairs) * (len(LENGTHS) - 1)
  used, left_out, lines = set(), collections.Counter(), []
  for number, (source, target) in enumerate(pairs):
    language_id = tokenizer.get_lang_id(target)
    for bounds in LENGTHS if number < more else LENGTHS[:-1]:
      # Where a class is used up, the nearest others follow.
      nearest = sorted(LENGTHS, key=lambda b: (abs(b[0] - bounds[0]), abs(b[1] - bounds[1])))
      candidates = itertools.chain.from_iterable(
          sorted(pools[source][b], key=lambda c: checksum(f"{source}>{target} {c[0]}"))
          for b in nearest)
      for text, source_ids in candidates:
        if text in used:
          continue
        used.add(text)
        ids, margin = generate(model, source_ids, language_id, 2 * len(source_ids))
        if ids[-1] != END:
          left_out["no end"] += 1
        elif margin < MARGIN:
          left_out["near tie"] += 1
        elif any(i >= first_special for i in ids[1:]):
          left_out["special token"] += 1
        else:
          assert ids[0] == language_id and END not in ids[:-1]
          lines.append({
              "from": source, "to": target, "text": text,
              "origin": texts[source][text], "source_ids": source_ids,
              "target_ids": ids,
              "translation": tokenizer.decode(ids, skip_special_tokens=True),
              "min_margin": round(margin, 6)})
          break
      else:
        raise SystemExit(f"{source} to {target}: no sentence of {bounds} tokens is left")
    print(f"{source} to {target}: {len(lines)} sentences, left out {dict(left_out)}",
          flush=True)
  with open(options.out, "w", encoding="utf-8", newline="\n") as out:
    for line in lines:
      out.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
  main()
