"""A release that disagrees with itself: certificates, held-out records, how things were made."""

from collections.abc import Iterator

from defect_plants import Plant, Site, kind
from defect_rows import Document, canonical, digest


def _certified(site: Site) -> Iterator[tuple[Document, Document]]:
    """Items with their certificates."""
    by_item = {one["item"]: one for one in site.copy.logs["certificates"]}
    for item in site.items():
        if item["id"] in by_item:
            yield item, by_item[item["id"]]


@kind("certificate-refuted-beside-released-item")
def refuted(site: Site) -> Iterator[Plant]:
    """The certificate of a released item refutes it."""
    for item, certificate in _certified(site):
        certificate["verdict"] = "refuted"
        yield site.item_plant(item, f"{certificate['id']} is refuted", certificate["id"])


@kind("certificate-failed-check-and-verdict-kept")
def failed_check(site: Site) -> Iterator[Plant]:
    """A check of the certificate failed, and its verdict is as before."""
    for item, certificate in _certified(site):
        passed = [one for one in certificate["checks"] if one["outcome"] == "passed"]
        if passed:
            check = site.random.choice(passed)
            check |= {"outcome": "failed", "detail": "expected another value"}
            what = f"{certificate['id']}: {check['rule']} failed, verdict {certificate['verdict']}"
            yield site.item_plant(item, what, certificate["id"])


@kind("certificate-checks-dropped")
def checks_dropped(site: Site) -> Iterator[Plant]:
    """The certificate names one check or none, and keeps its verdict."""
    for item, certificate in _certified(site):
        certificate["checks"] = certificate["checks"][: site.one(0, 1)]
        what = f"{certificate['id']}: {len(certificate['checks'])} checks are left"
        yield site.item_plant(item, what, certificate["id"])


@kind("certificate-of-other-state")
def other_state(site: Site) -> Iterator[Plant]:
    """The certificate is about a state of the item that is not released."""
    for item, certificate in _certified(site):
        certificate["item_sha256"] = digest(canonical({**item, "benchmark_type": "draft"}))
        what = f"{certificate['id']} is about another state"
        yield site.item_plant(item, what, certificate["id"])


@kind("certificate-left-out")
def certificate_left_out(site: Site) -> Iterator[Plant]:
    """A released item has no certificate; counts and hashes fit."""
    for item, certificate in _certified(site):
        site.copy.logs["certificates"].remove(certificate)
        yield site.item_plant(item, f"{certificate['id']} is gone", certificate["id"])


@kind("certificate-verdict-changed")
def verdict_changed(site: Site) -> Iterator[Plant]:
    """A proven item is doubtful though all checks passed; one that is not proven becomes proven."""
    for item, certificate in _certified(site):
        old = certificate["verdict"]
        certificate["verdict"] = "doubtful" if old == "proven" else "proven"
        what = f"{certificate['id']}: {old} is now {certificate['verdict']}"
        yield site.item_plant(item, what, certificate["id"])


@kind("held-out-and-released")
def held_and_released(site: Site) -> Iterator[Plant]:
    """A record is both held out and released."""
    some = site.copy.logs["held_out"]
    for item in site.items():
        if not some:
            return
        name = f"held-import-question-{item['id']}"
        content = canonical({key: value for key, value in item.items() if key != "wording"})
        some.append({**some[0], "id": name, "record": item["id"], "content": content})
        yield site.item_plant(item, f"{item['id']} is held out too", name)


@kind("finding-left-out-of-log")
def finding_left_out(site: Site) -> Iterator[Plant]:
    """The log lacks an error or a warning that the rules give of what is released."""
    findings = [one for one in site.copy.logs["findings"] if one["severity"] != "info"]
    site.random.shuffle(findings)
    for finding in findings:
        item = site.copy.questions.get(finding["target"])
        if item is not None and item["id"] not in site.used:
            site.copy.logs["findings"].remove(finding)
            what = f"{finding['id']} ({finding['rule']}) is gone from findings.jsonl"
            yield site.item_plant(item, what, finding["id"], "findings.jsonl")


@kind("provenance-of-nothing")
def provenance_of_nothing(site: Site) -> Iterator[Plant]:
    """What a stage is said to have made is nowhere in the release."""
    made = [one for one in site.copy.logs["provenance"] if len(one["made"]) > 3]
    site.random.shuffle(made)
    for one in made:
        one["made"] = [digest(f"{name} of another run") for name in one["made"]]
        ids = (one["id"], "provenance.jsonl")
        yield Plant(site.kind, ids, f"{one['id']} names {len(one['made'])} hashes of no record")
