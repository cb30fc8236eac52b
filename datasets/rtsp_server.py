"""An RTSP server for the live bench: plays files to whoever calls, each at its own pace. Needs Debian's GStreamer.

Run by the system's Python, which has the bindings: `python3 datasets/rtsp_server.py PORT a=a.mp4 b=b.mp4`.
"""

import importlib
import sys


def serve(port: str, films: dict[str, str]) -> None:
    """Serve every film at rtsp://127.0.0.1:PORT/NAME until killed."""
    gi = importlib.import_module("gi")
    gi.require_version("Gst", "1.0")
    gi.require_version("GstRtspServer", "1.0")
    gst, rtsp, glib = (importlib.import_module(f"gi.repository.{name}") for name in ("Gst", "GstRtspServer", "GLib"))
    gst.init(None)
    server = rtsp.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service(port)
    for name, film in films.items():
        factory = rtsp.RTSPMediaFactory()
        factory.set_launch(
            f'( filesrc location="{film}" ! qtdemux ! h264parse ! rtph264pay name=pay0 pt=96 config-interval=-1 )'
        )
        server.get_mount_points().add_factory(f"/{name}", factory)
    server.attach(None)
    print("ready", flush=True)
    glib.MainLoop().run()


if __name__ == "__main__":
    serve(sys.argv[1], dict(each.split("=", 1) for each in sys.argv[2:]))
