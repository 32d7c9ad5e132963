"""Self-contained HTML: pages and notebook displays with inline SVG; no dependency, no request to any server."""
