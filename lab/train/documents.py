"""Attention masks that keep the documents of a row apart.

A row holds several trajectories one after the other, often several walks of one program. A
token attends to its own trajectory alone; otherwise an answer could be copied from the
walk before. Each trajectory begins with OPENING, which content cannot contain, so the
tokens tell where one ends. Padding belongs to the last.
"""

import torch

OPENING = "<|trace_context_start|>"


def numbered(tokens, opening):
    """The document of each token, counted from 0 or 1: [batch, time] integers."""
    return (tokens == opening).cumsum(1).to(torch.int32)


def dense(documents):
    """The causal mask within documents [batch, time]: booleans [batch, 1, time, time]."""
    t = documents.shape[1]
    causal = torch.ones(t, t, dtype=torch.bool, device=documents.device).tril()
    return ((documents[:, :, None] == documents[:, None, :]) & causal)[:, None]


_blocks = None


def blocks(documents):
    """The same mask for PyTorch's flex_attention, which skips the blocks that it rules out.
    Needs CUDA and PyTorch 2.5 or later: ImportError elsewhere."""
    global _blocks
    if _blocks is None:
        from torch.nn.attention.flex_attention import create_block_mask

        _blocks = torch.compile(create_block_mask)

    def within(b, h, q, k):
        return (q >= k) & (documents[b, q] == documents[b, k])

    n, t = documents.shape
    return _blocks(within, n, None, t, t, device=documents.device)
