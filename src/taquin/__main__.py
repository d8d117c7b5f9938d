"""`python -m taquin` is the command `taquin`."""

from .cli import main

if __name__ == "__main__":
    main()
