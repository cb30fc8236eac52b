"""Every table of the eyes from one command: `python -m models.evaluate [--real FOLDER] [--plots FOLDER]`.

Each eye's own module takes more options; what is not given here has its default there.
"""

import argparse
import subprocess
import sys
from pathlib import Path

EYES = ("models.evaluate_cards", "models.evaluate_objects")


def main() -> int:
    """Run the evaluations one after the other, each in a process of its own, so that timings stay undisturbed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=Path, help="the folder of real photographs")
    parser.add_argument("--plots", type=Path, help="a folder for the card eye's plots")
    args = parser.parse_args()
    code = 0
    for module in EYES:
        print(f"== {module}", flush=True)
        given = [] if args.real is None else ["--real", str(args.real)]
        given += ["--plots", str(args.plots)] if args.plots is not None and module == "models.evaluate_cards" else []
        code = max(code, subprocess.run([sys.executable, "-m", module, *given], check=False).returncode)
    return code


if __name__ == "__main__":
    sys.exit(main())
