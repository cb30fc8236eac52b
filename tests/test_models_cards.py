"""Training and measuring the card eye: weights taken up again from ONNX, and cards held against labels of ranks."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from datasets.casino.samples import Label
from datasets.composites import NONE, IndexTruth, Scene, empty_table
from datasets.importers import LabelledBox, LabelledPhoto
from models.calibrate_cards import face_temperature, fitted, from_photos
from models.card_scenes import strays_in
from models.rendered_cards import lies_on_its_card
from models.score_cards import Score, add_ranked
from vision import weights
from vision.card_face import Face
from vision.card_finder import Found
from vision.card_merge import Corners
from vision.card_reader import FILE as READER_FILE
from vision.card_reader import RANKS, Reading
from vision.cards import CardEye
from vision.index_crops import CLOSE
from vision.seen import Image, Seen


def test_a_network_taken_up_from_its_file_answers_as_the_file_does() -> None:
    torch = pytest.importorskip("torch", reason="torch comes with the extra [train]")
    pytest.importorskip("onnx", reason="onnx comes with the extra [train]")
    from models.card_nets import Reader
    from models.warm_start import take_up

    crops = np.random.default_rng(1).uniform(0, 255, (6, 3, CLOSE.height_px, CLOSE.width_px)).astype(np.float32)
    net = Reader()
    take_up(net, Path(__file__).parent.parent / "models" / READER_FILE, torch.from_numpy(crops))
    net.eval()
    with torch.no_grad():
        rank, suit, *_ = net(torch.from_numpy(crops))
    wanted = weights.load(READER_FILE).session.run(["rank", "suit"], {"image": crops})
    assert rank.numpy() == pytest.approx(wanted[0], abs=1e-2)
    assert suit.numpy() == pytest.approx(wanted[1], abs=1e-2)


def test_labels_that_name_the_rank_alone_count_once_per_card() -> None:
    boxes = (LabelledBox("K", 50, 50, 60, 90), LabelledBox("9", 150, 50, 60, 90))
    photo = LabelledPhoto(path=Path("a.jpg"), position=0, boxes=boxes)
    seen = [
        Seen(kind="card", label="Ks", conf=0.9, box=(30, 20, 50, 40)),
        Seen(kind="card", label="Ks", conf=0.9, box=(60, 60, 75, 80)),  # its other corner, not merged
        Seen(kind="card", label="6d", conf=0.9, box=(140, 20, 160, 40)),
        Seen(kind="card", label="9d", conf=0.3, box=(140, 20, 160, 40)),
        Seen(kind="card", label="9?", conf=0.9, box=(140, 20, 160, 40)),
    ]
    score = Score()
    add_ranked(score, photo, seen, threshold=0.5)
    assert (score.right, score.wrong, score.found, score.truths) == (2, 1, 1, 2)


def test_a_joker_is_taught_by_the_midst_of_its_word_and_by_how_far_that_reaches() -> None:
    torch = pytest.importorskip("torch", reason="torch comes with the extra [train]")
    from models.card_nets import RANK_CLASSES, SUIT_CLASSES
    from models.reader_patches import PATCH, cut

    torch.manual_seed(3)
    count = 400
    patches = torch.zeros(count, 3, PATCH.height_px, PATCH.width_px)
    suits, exact = torch.zeros(count, dtype=torch.long), torch.ones(count, dtype=torch.bool)
    grown = {}
    for rank in ("Jkr", "7"):
        crops = cut(patches, torch.full((count,), RANK_CLASSES.index(rank)), suits, exact)
        taught = crops.suit != SUIT_CLASSES.index("none")
        grown[rank] = crops.adjust[taught][:, [2, 5]].mean().item()  # the two vectors' own lengths
    assert grown["7"] == pytest.approx(0.0, abs=0.1)
    assert 0.2 < grown["Jkr"] < 0.6, "a word of which the midst was cut is longer than its crop"


def test_what_a_finder_takes_for_an_index_is_taught_as_none_unless_one_is_near() -> None:
    frame = np.array([(40, 40), (8, 0), (0, -8)], np.float32)
    scene = Scene(
        image=np.zeros((112, 112, 3), np.uint8), cards=(),
        indices=(IndexTruth(label="As", frame=frame, visible=0.3, card=0),),
    )  # fmt: skip

    class Finder:
        def find(self, image: Image, *, height_px: float) -> list[Found]:
            return [Found(kind=0, conf=0.5, frame=frame + np.array([[at, 0], [0, 0], [0, 0]])) for at in (6, 50)]

    (stray,) = strays_in(scene, Finder(), 17.0)  # type: ignore[arg-type]
    assert (stray.label, stray.frame[0].tolist()) == (NONE, [90, 40])


def test_of_an_empty_table_more_is_taught_as_none_than_beside_cards() -> None:
    table = empty_table(np.random.default_rng(2), size_px=160)
    frame = np.array([(20, 40), (4, 0), (0, -4)], np.float32)

    class Finder:
        def find(self, image: Image, *, height_px: float) -> list[Found]:
            return [Found(kind=0, conf=0.5, frame=frame + np.array([[20 * at, 0], [0, 0], [0, 0]])) for at in range(6)]

    assert not table.indices
    assert not table.cards
    assert [len(strays_in(table, Finder(), 17.0, most)) for most in (2, 6)] == [2, 6]  # type: ignore[arg-type]


def test_a_reading_of_a_half_covered_index_is_right_where_a_card_of_its_name_lies() -> None:
    quad = np.array([(0, 0), (60, 10), (50, 90), (-10, 80)], float)
    labels = [Label(kind="card", label="As", quad=quad), Label(kind="back", quad=quad + 100)]
    there = Seen(kind="card", label="As", conf=0.9, box=(5, 5, 15, 25))
    assert lies_on_its_card(there, labels)
    assert not lies_on_its_card(Seen(kind="card", label="Ks", conf=0.9, box=(5, 5, 15, 25)), labels)
    assert not lies_on_its_card(Seen(kind="card", label="As", conf=0.9, box=(80, 5, 90, 25)), labels)


def read_as(rank: str, face: Face | None = None) -> Corners:
    """A heart that was read as such."""
    ranks, suits = np.full(len(RANKS), 0.01, np.float32), np.array([0.01, 0.01, 0.97, 0.01], np.float32)
    ranks[RANKS.index(rank)] = 1 - 0.01 * (len(RANKS) - 1)
    reading = Reading(
        frame=np.zeros((3, 2), np.float32), is_index=0.99, ranks=ranks, suits=suits, embedding=suits, found=0.8
    )
    return Corners(readings=(reading,), face=face)


def test_every_source_of_readings_counts_alike_when_confidence_is_fitted() -> None:
    card = read_as("7")
    many, few = [(card, frozenset({"7h"}))] * 90, [(card, frozenset({"8h"}))] * 10
    assert fitted([many, few]).conf(card) == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(("stem", "names"), [("0132", {"6c"}), ("0133", set())])
def test_a_card_for_tuning_that_nobody_labelled_is_no_mistake_of_the_eye(
    stem: str, names: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    six = read_as("6")
    clubs = msgspec.structs.replace(six.readings[0], suits=six.readings[0].suits[[2, 1, 0, 3]])  # hearts as clubs
    photo = LabelledPhoto(path=Path(f"{stem}.jpg"), position=0, boxes=())
    monkeypatch.setattr("models.calibrate_cards.read_yolo", lambda folder: [photo])
    monkeypatch.setattr("models.calibrate_cards.is_for_tuning", lambda position: True)
    monkeypatch.setattr(LabelledPhoto, "read", lambda self: np.zeros((4, 4, 3), np.uint8))
    monkeypatch.setattr("models.calibrate_cards.named", lambda eye, image: [Corners(readings=(clubs,))])
    ((card, there),) = from_photos(CardEye(threads=1), Path())
    assert card.label == "6c"
    assert there == names


@pytest.mark.parametrize(("right", "wanted"), [(95, 1.0), (60, 1.9)])
def test_faces_that_are_more_often_wrong_than_they_say_are_cooled_down(right: int, wanted: float) -> None:
    sure = np.array([0.95, *[0.05 / 13] * 13], np.float32)  # a deuce
    face = Face(is_card=0.99, ranks=sure, suits=np.full(4, 0.25, np.float32))
    cards = [(read_as("2", face), frozenset({"2h" if number < right else "3h"})) for number in range(100)]
    assert face_temperature([cards]) == pytest.approx(wanted, rel=0.15)


def test_a_photographs_card_is_outlined_by_its_two_indices_and_taught_without_them() -> None:
    torch = pytest.importorskip("torch", reason="torch comes with the extra [train]")
    from models.card_nets import RANK_CLASSES, SUIT_CLASSES
    from models.face_patches import cut_faces, face_patches_of, wipe

    image = np.full((192, 192, 3), 230, np.uint8)
    first = np.array([(60, 50), (8, 0), (0, -8)], np.float32)
    second = np.array([(112, 126), (-8, 0), (0, 8)], np.float32)
    for frame in (first, second):
        x, y = frame[0].astype(int)
        image[y - 8 : y + 8, x - 4 : x + 4] = 0  # two black indices on a bare face
    indices = tuple(IndexTruth(label="Qd", frame=frame, visible=1.0, card=-1) for frame in (first, second))
    scene = Scene(image=image, indices=indices, cards=(), complete=False)
    (patch,) = face_patches_of(scene, np.random.default_rng(1))
    assert (RANK_CLASSES[patch.rank], SUIT_CLASSES[patch.suit]) == ("Q", "d")

    torch.manual_seed(1)
    count = 60
    images = torch.from_numpy(patch.image.astype(np.float32)).permute(2, 0, 1).expand(count, -1, -1, -1)
    ranks, suits = (torch.full((count,), each) for each in (patch.rank, patch.suit))
    crops = cut_faces(images, ranks, suits, torch.tensor(patch.corner).expand(count, -1))
    shown = crops.rank == patch.rank
    assert 0 < int((~shown).sum()) < count / 4, "a few are cut beside the card, and are none"
    dark = (crops.images < 100)[:, 0].float().mean((1, 2))[shown]
    left = (wipe(crops.images, crops.wiped) < 100)[:, 0].float().mean((1, 2))[shown]
    assert float(left.mean()) < 0.15 * float(dark.mean()), "hardly anything is left of the indices"
