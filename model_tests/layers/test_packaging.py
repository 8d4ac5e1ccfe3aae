"""What is built installs cleanly, brings its types, and adds nothing but the three packages."""

import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {
    "fencepost_spec": ROOT / "spec",
    "fencepost_reference": ROOT / "reference",
    "fencepost": ROOT / "model_tests",
}

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.xdist_group("packaging")]


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command and return what it prints; show all of it when it fails."""
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command} failed:\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sdist, and the wheel from the sdist."""
    folder = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    """Return the one wheel that was built."""
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def clean_environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel, without any extra, in a virtual environment that holds nothing else."""
    folder = tmp_path_factory.mktemp("clean")
    venv.create(folder, with_pip=True)
    run(folder / "bin" / "python", "-m", "pip", "install", "--quiet", wheel, cwd=folder)
    return folder


def source_files() -> set[str]:
    """Return every file of the three packages, named as it is imported."""
    return {
        str(path.relative_to(root))
        for package, root in PACKAGES.items()
        for path in (root / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_the_three_packages_whole_and_nothing_else(wheel: Path) -> None:
    """Installing adds the three packages, with every file in them, and no other name."""
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
    installed = {name for name in names if ".dist-info/" not in name}

    assert installed == source_files()
    assert {name.partition("/")[0] for name in installed} == set(PACKAGES)


def test_all_three_packages_ship_their_types(wheel: Path) -> None:
    """A type checker of someone else reads the types of all three packages."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())

    assert {f"{package}/py.typed" for package in PACKAGES} <= names


def test_the_sdist_holds_what_a_reader_and_a_tester_need(built: Path) -> None:
    """The source archive has the sources, the tests, the licence and the way to run them."""
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {member.partition("/")[2] for member in archive.getnames()}

    wanted = {
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "Makefile",
        ".ci/run",
        ".ci/interpreters",
    }
    assert wanted <= names
    assert str(Path(__file__).resolve().relative_to(ROOT)) in names
    assert not {name for name in names if name.startswith((".venv", ".git/"))}


def test_the_command_runs_from_a_clean_environment(clean_environment: Path, tmp_path: Path) -> None:
    """After installing without any extra, the command line starts and says what it offers."""
    said = run(clean_environment / "bin" / "fencepost", "--help", cwd=tmp_path)

    assert "Usage" in said


def test_the_three_packages_import_from_a_clean_environment(
    clean_environment: Path, tmp_path: Path
) -> None:
    """All three packages come from the installed wheel, not from the source tree."""
    code = f"import {', '.join(PACKAGES)}; print(*(m.__file__ for m in ({', '.join(PACKAGES)})))"
    said = run(clean_environment / "bin" / "python", "-c", code, cwd=tmp_path)

    assert len(said.split()) == len(PACKAGES)
    assert all(Path(file).is_relative_to(clean_environment) for file in said.split())


@pytest.mark.parametrize("made_here", [False, True])
def test_a_virtual_environment_that_others_made_is_not_cleared(
    tmp_path: Path, made_here: bool
) -> None:
    """Somebody may have filled .venv by pip; only one that make has made is made anew."""
    make = shutil.which("make")
    assert make is not None, "the README asks for make"
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / ".venv").mkdir()
    if made_here:
        stamp = tmp_path / ".venv" / ".made"
        stamp.touch()
        os.utime(stamp, (0, 0))
    left = subprocess.run(
        [make, "-n", "venv"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    )
    assert "-m venv" in left.stdout
    assert ("--clear" in left.stdout) == made_here
