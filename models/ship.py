"""Takes trained weights into `models/`: copies the files and writes their sha256 into the manifest.

`python -m models.ship runs/card-finder.onnx …`; the manifest must have an entry for each, written by hand: what it is
for, what it was trained on, under which licence.
"""

import hashlib
import re
import shutil
import sys
from pathlib import Path

MODELS = Path(__file__).parent


def ship(path: Path) -> str:
    """Copy one file of weights, and return the sha256 now in the manifest."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    manifest = MODELS / "manifest.toml"
    entry = re.compile(rf'(file = "{re.escape(path.name)}"\n(?:(?!\[\[).*\n)*?sha256 = ")[0-9a-f]*(")')
    text, count = entry.subn(rf"\g<1>{digest}\g<2>", manifest.read_text())
    if count != 1:
        raise SystemExit(f'{manifest}: {count} entries for {path.name}; write one with file, purpose and sha256 = ""')
    if path.resolve() != (MODELS / path.name).resolve():
        shutil.copy(path, MODELS / path.name)
    manifest.write_text(text)
    return digest


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(name, ship(Path(name)))
