"""Pictures as data, and self-contained HTML: pages and notebook displays with inline SVG, no request to any server."""
