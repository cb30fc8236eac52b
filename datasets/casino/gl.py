"""The OpenGL context, its programs, and meshes and textures as it keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from auditor.log import FairdealError
from datasets.casino import shaders
from datasets.casino.meshes import Mesh

if TYPE_CHECKING:
    import moderngl

Picture = npt.NDArray[np.uint8]
INSTANCE_FLOATS = 20
_NEEDS = "rendering needs the simulate extra: pip install 'fairdeal[simulate]'"
_PROGRAMS = {
    "thing": (shaders.DRAW_VERTEX, shaders.THING_FRAGMENT),
    "skin": (shaders.DRAW_VERTEX, shaders.SKIN_FRAGMENT),
    "felt": (shaders.DRAW_VERTEX, shaders.FELT_FRAGMENT),
    "floor": (shaders.DRAW_VERTEX, shaders.FLOOR_FRAGMENT),
    "shadow": (shaders.SHADOW_VERTEX, shaders.SHADOW_FRAGMENT),
    "id": (shaders.ID_VERTEX, shaders.ID_FRAGMENT),
}


@lru_cache(maxsize=1)
def context() -> moderngl.Context:
    """The one context of this process: no display, no graphics card needed."""
    try:
        import moderngl
    except ImportError:
        raise FairdealError(_NEEDS) from None
    try:
        made = moderngl.create_context(require=330, standalone=True, backend="egl")  # type: ignore[arg-type]
    except Exception as error:  # moderngl raises bare exceptions of several kinds when there is no EGL
        raise FairdealError(f"{_NEEDS}, and EGL (Debian: libegl1): {str(error).splitlines()[0]}") from None
    made.gc_mode = "auto"
    return made


@lru_cache(maxsize=1)
def programs() -> Mapping[str, moderngl.Program]:
    return {
        name: context().program(vertex_shader=vertex, fragment_shader=fragment)
        for name, (vertex, fragment) in _PROGRAMS.items()
    }


class Sheet:
    """A texture of many layers, with the name of each."""

    def __init__(self, art: Mapping[str, Picture]) -> None:
        self.layers = {name: number for number, name in enumerate(art)}
        stack = np.stack(list(art.values()))
        height, width = stack.shape[1:3]
        self.texture = context().texture_array(
            (width, height, len(stack)), 3, np.ascontiguousarray(stack).tobytes(), alignment=1
        )
        self.texture.build_mipmaps()
        self.texture.repeat_x = self.texture.repeat_y = True


def picture_texture(picture: Picture, repeat: bool = False) -> moderngl.Texture:
    """A picture as a texture with mipmaps."""
    height, width = picture.shape[:2]
    components = picture.shape[2] if picture.ndim == 3 else 1
    texture = context().texture((width, height), components, np.ascontiguousarray(picture).tobytes(), alignment=1)
    texture.build_mipmaps()
    texture.repeat_x = texture.repeat_y = repeat
    return texture


class Body:
    """A mesh on the card, ready to be drawn many times at once by any program."""

    def __init__(self, mesh: Mesh) -> None:
        self.low, self.high = mesh.bounds()
        corners, order = np.unique(
            mesh.wound().vertices, axis=0, return_inverse=True
        )  # shared corners are worked out once
        self._vertices = context().buffer(np.ascontiguousarray(corners, np.float32).tobytes())
        self._order = context().buffer(order.astype(np.int32).tobytes())
        self._instances = context().buffer(reserve=64 * INSTANCE_FLOATS * 4)
        self._arrays: dict[str, moderngl.VertexArray] = {}

    def draw(self, program: str, rows: npt.NDArray[np.float32]) -> None:
        """Draw one instance per row."""
        data = np.ascontiguousarray(rows, np.float32).tobytes()
        if len(data) > self._instances.size:
            self._instances = context().buffer(reserve=2 * len(data))
            self._arrays.clear()
        else:
            self._instances.orphan()
        self._instances.write(data)
        if program not in self._arrays:
            content = [
                (self._vertices, "3f 3f 2f 1f", "in_pos", "in_normal", "in_uv", "in_side"),
                (self._instances, "4f 4f 4f 4f 4f/i", "row0", "row1", "row2", "tint", "extra"),
            ]
            self._arrays[program] = context().vertex_array(programs()[program], content, self._order, skip_errors=True)
        self._arrays[program].render(instances=len(rows))
