"""Tables and figures of papers, computed again: a module or a package for each paper, published figures beside ours."""
