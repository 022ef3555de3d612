"""Muon, the optimiser for the matrices of the blocks.

It makes the direction of the momentum orthogonal by five Newton-Schulz steps (Jordan et al.,
"Muon", 2024, https://kellerjordan.github.io/posts/muon/). Matrices of the same shape go through
the steps as one batch, because a single matrix of a small model does not use a whole GPU.
"""

import torch


def orthogonal(g):
    """Returns approximately U V^T of each g = U S V^T, over a batch [n, rows, columns]."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = g.to(torch.bfloat16) if g.is_cuda else g.float()
    wide = x.shape[1] > x.shape[2]
    if wide:
        x = x.transpose(1, 2)
    x = x / (x.flatten(1).norm(dim=1)[:, None, None] + 1e-7)
    for _ in range(5):
        s = x @ x.transpose(1, 2)
        x = a * x + (b * s + c * s @ s) @ x
    if wide:
        x = x.transpose(1, 2)
    return x.float()


class Muon:
    """Optimises matrices. The caller sets the learning rate of a group."""

    def __init__(self, matrices, momentum=0.95, decay=0.05):
        self.momentum, self.decay = momentum, decay
        shapes = {}
        for p in matrices:
            shapes.setdefault(tuple(p.shape), []).append(p)
        self.groups = [(ps, torch.zeros(len(ps), *shape, device=ps[0].device)) for shape, ps in shapes.items()]
        fast = matrices[0].is_cuda
        self.direction = torch.compile(orthogonal, dynamic=False) if fast else orthogonal

    @torch.no_grad()
    def step(self, rate):
        """Takes one step, and clears the gradients."""
        for ps, mean in self.groups:
            g = torch.stack([p.grad for p in ps])
            mean.lerp_(g, 1 - self.momentum)
            d = self.direction(g.lerp(mean, self.momentum))
            rows, columns = d.shape[1:]
            scale = rate * max(1.0, rows / columns) ** 0.5
            torch._foreach_mul_(ps, 1 - rate * self.decay)
            torch._foreach_add_(ps, list(d.unbind(0)), alpha=-scale)
            for p in ps:
                p.grad = None

    def state(self):
        """Returns the state for a checkpoint."""
        return [m.cpu() for _, m in self.groups]

    def restore(self, state):
        """Restores the state of a checkpoint."""
        for (_, m), s in zip(self.groups, state):
            m.copy_(s)
