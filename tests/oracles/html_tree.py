"""Parse a page into a tree, with the standard library only: elements by id, class or name, and their text."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser

VOID = {"br", "col", "hr", "input", "link", "meta"}


class Node:
    """An element: its name, attributes, children (nodes and texts)."""

    def __init__(self, name: str, attributes: dict[str, str | None]) -> None:
        self.name, self.attributes = name, attributes
        self.children: list[Node | str] = []

    def __getitem__(self, attribute: str) -> str:
        return self.attributes[attribute] or ""

    def all(self, name: str | None = None, kind: str | None = None) -> list[Node]:
        """The elements below with this name and this class."""
        return [
            node
            for node in self._below()
            if name in (None, node.name) and (kind is None or kind in (node.attributes.get("class") or "").split())
        ]

    def one(self, name: str | None = None, kind: str | None = None) -> Node:
        """The only such element."""
        (found,) = self.all(name, kind)
        return found

    def by_id(self, identity: str) -> Node:
        """The element with this id."""
        (found,) = [node for node in self._below() if node.attributes.get("id") == identity]
        return found

    def ids(self) -> list[str]:
        """All ids."""
        return [node["id"] for node in self._below() if "id" in node.attributes]

    @property
    def text(self) -> str:
        """The text of the element and all below."""
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def rows(self) -> list[list[str]]:
        """The cells of each row of a table."""
        return [[cell.text for cell in row.all() if cell.name in ("td", "th")] for row in self.all("tr")]

    def _below(self) -> Iterator[Node]:
        for child in self.children:
            if isinstance(child, Node):
                yield child
                yield from child._below()


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "td" and self.open[-1].name == "td":
            self.open.pop()
        node = Node(tag, dict(attrs))
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        if tag == "tr" and self.open[-1].name == "td":
            self.open.pop()
        assert self.open[-1].name == tag, f"</{tag}> ends <{self.open[-1].name}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def parsed(page: str) -> Node:
    """The tree of a page; a wrong end tag fails."""
    builder = _Builder()
    builder.feed(page)
    builder.close()
    assert len(builder.open) == 1, f"<{builder.open[-1].name}> has no end"
    return builder.root
