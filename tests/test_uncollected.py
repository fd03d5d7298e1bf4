"""The collector of garbage rests while much is made that stays, and goes on as it did."""

import gc

import pytest

from linkwork.uncollected import uncollected


@uncollected()
def _looked(fail: bool = False) -> bool:
    if fail:
        raise ValueError
    return gc.isenabled()


def test_it_rests_inside_and_goes_on_behind() -> None:
    assert gc.isenabled()
    assert uncollected()(_looked)() is False
    assert gc.isenabled()
    with pytest.raises(ValueError):
        _looked(fail=True)
    assert gc.isenabled()


def test_who_has_stopped_it_finds_it_stopped() -> None:
    gc.disable()
    try:
        assert not _looked()
        assert not gc.isenabled()
    finally:
        gc.enable()
