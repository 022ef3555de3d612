"""Trajectories of `npdb dataset` as token ids with loss weights.

A token has the weight 0 if it is given (the program, the first state, actions). In a reply it
has the weight of the setting `decided` if its text follows from the text before it, else 1. The
dataset's byte ranges say which text is which.

The tokenizer can be any "fast" one of Hugging Face, which reports the characters of each token.
nd/1's tokens are added to it as special tokens.
"""

import itertools

import numpy

from lab.train.tokens import letters
from lab.train.trajectories import CONTENT, GIVEN, read, segments

# The tokens of nd/1, in the order of dsl/tokens.go. docs/nd1.md describes them.
ROLES = ("trace_context_start", "frame_sep", "call_sep", "line_sep", "return_sep", "exception_sep", "action_sep", "arg_sep",
         "stack_sep", "debug_sep", "file_sep", "end_sep", "start_sep", "unknown_sep", "compact_sep")
TOKENS = tuple(f"<|{role}|>" for role in ROLES)
BATCH = 64


def load(name):
    """Loads a tokenizer and adds nd/1's tokens. Returns it, the ids of the new tokens, and the
    number of tokens that it had before."""
    from transformers import AutoTokenizer

    tokenizer = single_bytes() if name == "bytes" else AutoTokenizer.from_pretrained(name)
    if not tokenizer.is_fast:
        raise ValueError(f"{name} has no fast tokenizer: loss weights need the characters of each token")
    had = len(tokenizer)
    return tokenizer, add_tokens(tokenizer), had


def single_bytes():
    """Returns a tokenizer whose tokens are the bytes of UTF-8."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    plain = Tokenizer(models.BPE(vocab={letter: byte for byte, letter in sorted(letters().items())}, merges=[]))
    plain.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    plain.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=plain, clean_up_tokenization_spaces=False)


def add_tokens(tokenizer):
    """Adds the tokens of nd/1 that the tokenizer does not contain. Returns their ids."""
    known = tokenizer.get_vocab()
    new = [t for t in TOKENS if t not in known]
    tokenizer.add_special_tokens({"extra_special_tokens": new}, replace_extra_special_tokens=False)
    for token in TOKENS:
        ids = tokenizer(token, add_special_tokens=False)["input_ids"]
        if ids != [tokenizer.convert_tokens_to_ids(token)]:
            raise ValueError(f"the tokenizer splits {token} into {len(ids)} tokens")
    return [tokenizer.convert_tokens_to_ids(t) for t in new]


def weigh(line, offsets, decided):
    """Returns the loss weights of a line's tokens. offsets holds the characters of each token
    [start, end]. A token across several parts has the largest of their weights."""
    parts, _ = segments(line)
    kinds = numpy.repeat([kind for _, kind in parts], [len(text) for text, _ in parts])
    content = numpy.concatenate(([0], numpy.cumsum(kinds == CONTENT)))
    predicted = numpy.concatenate(([0], numpy.cumsum(kinds != GIVEN)))
    start, end = numpy.array(offsets, numpy.int64).reshape(-1, 2).T
    # Some tokenizers omit white space from the offsets: count it for the next token.
    reached = numpy.maximum.accumulate(end)
    start = numpy.minimum(start, numpy.concatenate(([0], reached[:-1])))
    if len(end) == 0 or reached[-1] != len(kinds):
        raise ValueError(f"{line['id']}: the tokens do not cover the text")
    end = numpy.maximum(start, end)
    some = predicted[end] > predicted[start]
    return numpy.where(content[end] > content[start], 1.0, numpy.where(some, decided, 0.0)).astype(numpy.float32)


def encode(tokenizer, lines, decided):
    """Yields the token ids and the loss weights of each line, as two arrays. The tokens include
    those that the tokenizer adds before a text, because servers add them too."""
    lines = iter(lines)
    while batch := list(itertools.islice(lines, BATCH)):
        encoded = tokenizer([line["text"] for line in batch], return_offsets_mapping=True, verbose=False)
        for line, ids, offsets in zip(batch, encoded["input_ids"], encoded["offset_mapping"]):
            yield numpy.array(ids, numpy.uint32), weigh(line, offsets, decided)


def of_file(path, tokenizer, decided, npdb="npdb"):
    """Yields the documents of one file of a dataset."""
    return encode(tokenizer, read(path, npdb), decided)
