"""Lists the packages: each top folder is one of `memassay`, and so is all that lies inside it."""

import tomllib
from pathlib import Path

from setuptools import find_packages, setup

PROJECT = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
FOLDERS: dict[str, str] = PROJECT["tool"]["setuptools"]["package-dir"]
LINKS = [name.partition(".")[2] for name in FOLDERS if "." in name]
"""What `memassay/` links to, and must not list a second time."""

packages = []
for name, folder in FOLDERS.items():
    links = [f"{link}*" for link in LINKS] if folder == name else []
    inside = find_packages(folder, exclude=links)
    packages += [name, *(f"{name}.{package}" for package in inside)]

setup(packages=packages)
