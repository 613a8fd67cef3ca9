"""Lists the packages: each top folder is one of `memassay`, and so is all that lies inside it."""

import tomllib
from pathlib import Path

from setuptools import find_packages, setup

PROJECT = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
FOLDERS: dict[str, str] = PROJECT["tool"]["setuptools"]["package-dir"]
LINKS = [name.partition(".")[2] for name in FOLDERS if "." in name]  # those of memassay/ itself

packages = []
for name, folder in FOLDERS.items():
    inside = find_packages(folder, exclude=[f"{link}*" for link in LINKS])
    packages += [name, *(f"{name}.{package}" for package in inside)]

setup(packages=packages)
