"""Attention masks that separate the documents of a row.

A row contains several trajectories one after the other, often several walks through one
program. A token attends only to its own trajectory, so that the model cannot copy an answer
from the walk before. Each trajectory begins with the token OPENING, which does not occur
elsewhere, so the tokens show where a trajectory ends. Padding belongs to the last trajectory.
"""

import torch

OPENING = "<|trace_context_start|>"


def numbered(tokens, opening):
    """Returns the document of each token as integers [batch, time]. Numbers start at 0
    or 1."""
    return (tokens == opening).cumsum(1).to(torch.int32)


def dense(documents):
    """Returns the causal mask within documents [batch, time], as booleans [batch, 1,
    time, time]."""
    t = documents.shape[1]
    causal = torch.ones(t, t, dtype=torch.bool, device=documents.device).tril()
    return ((documents[:, :, None] == documents[:, None, :]) & causal)[:, None]


_blocks = None


def blocks(documents):
    """Returns the same mask for PyTorch's flex_attention, which skips fully masked blocks. It
    needs CUDA and PyTorch 2.5 or later, and raises ImportError elsewhere."""
    global _blocks
    if _blocks is None:
        from torch.nn.attention.flex_attention import create_block_mask

        _blocks = torch.compile(create_block_mask)

    def within(b, h, q, k):
        return (q >= k) & (documents[b, q] == documents[b, k])

    n, t = documents.shape
    return _blocks(within, n, None, t, t, device=documents.device)
