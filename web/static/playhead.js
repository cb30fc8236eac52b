// The playhead: one moment of the round, which the timeline shows and the plan of the table follows.
const LEFT = 74, RIGHT = 984; // of the timeline's own drawing

/** Lets an article's timeline and plan follow a moment; `seek` is called when somebody picks one. */
export function followPlayhead(article, seek) {
  const timeline = article.querySelector(".timeline");
  const line = timeline.querySelector(".playhead");
  const [first, length] = [Number(timeline.dataset.first), Number(timeline.dataset.length)];
  const parts = [...article.querySelectorAll(".plan [data-since]")].map((part) => [part, seconds(part.dataset.since)]);
  const faces = [...article.querySelectorAll(".plan [data-face]")].map((part) => [part, seconds(part.dataset.face)]);

  timeline.addEventListener("click", (event) => {
    const picked = event.target.closest("[data-t]");
    const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(timeline.getScreenCTM().inverse());
    if (picked || event.target.closest(".seek")) {
      seek(picked ? Number(picked.dataset.t) : first + ((spot.x - LEFT) / (RIGHT - LEFT)) * length);
    }
  });

  return function show(t) {
    const x = LEFT + Math.min(Math.max((t - first) / length, 0), 1) * (RIGHT - LEFT);
    line.setAttribute("transform", `translate(${x.toFixed(1)} 0)`);
    line.setAttribute("visibility", "visible");
    for (const [part, since] of parts) part.classList.toggle("later", since > t + 0.02);
    for (const [part, since] of faces) part.classList.toggle("down", since > t + 0.02);
  };
}

const seconds = (text) => (text === "inf" ? Infinity : Number(text));
