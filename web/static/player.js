// The clip of a round: plays at once around the moment, steps by pictures, repeats, shows what the detectors saw.
import { followPlayhead } from "./playhead.js";

const BEFORE_S = 4, AFTER_S = 3; // what is repeated around the moment
const USUAL_FPS = 25;
const BOX_S = 0.8; // how long a read stays outlined
const players = new WeakMap();

/** The player of an article, if it has one. */
export const playerOf = (article) => players.get(article);

/** Bring an article's clip, timeline and plan to life. */
export function startPlayer(article) {
  const theatre = article.querySelector(".theatre");
  if (!theatre) {
    const show = followPlayhead(article, (t) => show(t)); // no clip: the plan still follows what is picked
    for (const crop of article.querySelectorAll(".crop")) crop.addEventListener("click", () => show(Number(crop.dataset.t)));
    return;
  }
  const player = new Player(article, theatre);
  players.set(article, player);
  player.load();
}

class Player {
  constructor(article, theatre) {
    this.article = article;
    this.theatre = theatre;
    this.video = theatre.querySelector("video");
    this.moment = Number(theatre.dataset.moment);
    this.isLooping = true;
    this.show = followPlayhead(article, (t) => this.seek(t));
    this.reads = [...article.querySelectorAll(".tick[data-region]")].map((tick) => ({ ...tick.dataset, t: Number(tick.dataset.t) }));
    const boxes = theatre.querySelector('[data-do="boxes"]');
    boxes.disabled = this.reads.length === 0;
    if (boxes.disabled) boxes.title = "The log of this round does not say where in the picture it was read";
    theatre.querySelector(".controls").addEventListener("click", (event) => this.press(event.target.closest("button")?.dataset.do));
    theatre.querySelector("select").addEventListener("change", (event) => (this.video.playbackRate = Number(event.target.value)));
    for (const crop of article.querySelectorAll(".crop")) crop.addEventListener("click", () => this.seek(Number(crop.dataset.t)));
    for (const kind of ["play", "pause"]) this.video.addEventListener(kind, () => this.tellPlaying());
    this.video.addEventListener("click", () => this.press("play"));
  }

  async load() {
    const answer = await fetch(this.theatre.dataset.clips);
    const clips = answer.ok ? await answer.json() : [];
    const waiting = this.theatre.querySelector(".waiting");
    if (clips.length === 0) {
      waiting.textContent = "The footage of this round cannot be played.";
      return;
    }
    waiting.remove();
    this.offer(clips);
    this.play(clips[0], Math.max(this.moment - BEFORE_S, clips[0].t));
    this.follow();
  }

  offer(clips) {
    const place = this.theatre.querySelector(".cameras");
    if (clips.length === 1) return;
    for (const clip of clips) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = clip.camera;
      button.addEventListener("click", () => this.play(clip, this.now));
      place.append(button);
    }
  }

  play(clip, t) {
    this.clip = clip;
    this.video.src = clip.src;
    this.video.width = clip.width;
    this.video.height = clip.height;
    this.theatre.querySelector(".boxes").setAttribute("viewBox", `0 0 ${clip.width} ${clip.height}`);
    for (const button of this.theatre.querySelectorAll(".cameras button")) {
      button.setAttribute("aria-pressed", String(button.textContent === clip.camera));
    }
    this.video.addEventListener("loadedmetadata", () => {
      this.video.currentTime = Math.max(t - clip.t, 0);
      this.video.play().catch(() => {}); // a browser that plays nothing unasked: space does it
    }, { once: true });
  }

  get now() {
    return this.clip.t + this.video.currentTime;
  }

  seek(t) {
    this.isLooping = this.isLooping && t > this.moment - BEFORE_S - 0.1 && t < this.moment + AFTER_S;
    this.tellLooping();
    this.video.currentTime = Math.min(Math.max(t - this.clip.t, 0), this.clip.duration);
    this.show(t);
  }

  press(what) {
    if (!this.clip) return;
    const actions = {
      play: () => (this.video.paused ? this.video.play() : this.video.pause()),
      back: () => this.step(-1),
      forward: () => this.step(1),
      moment: () => this.seek(this.moment),
      loop: () => { this.isLooping = !this.isLooping; this.tellLooping(); },
      boxes: () => this.toggleBoxes(),
    };
    actions[what]?.();
  }

  step(pictures) {
    this.video.pause();
    const fps = this.clip.fps || USUAL_FPS;
    // To the middle of a picture: at its very edge, a browser may show either neighbour.
    this.video.currentTime = (Math.floor(this.video.currentTime * fps + 1e-3) + pictures + 0.5) / fps;
  }

  toggleBoxes() {
    if (this.reads.length === 0) return;
    this.hasBoxes = !this.hasBoxes;
    this.theatre.querySelector('[data-do="boxes"]').setAttribute("aria-pressed", String(this.hasBoxes));
    this.outline();
  }

  tellPlaying() {
    const button = this.theatre.querySelector('[data-do="play"]');
    button.setAttribute("aria-pressed", String(!this.video.paused));
    button.firstElementChild.textContent = this.video.paused ? "▶" : "❚❚";
  }

  tellLooping() {
    this.theatre.querySelector('[data-do="loop"]').setAttribute("aria-pressed", String(this.isLooping));
  }

  /** Called for every picture that is drawn, as long as the article is on the page. */
  follow() {
    if (!this.article.isConnected) return this.video.pause();
    const t = this.now;
    if (this.isLooping && !this.video.paused && t > this.moment + AFTER_S) {
      this.video.currentTime = Math.max(this.moment - BEFORE_S - this.clip.t, 0);
    }
    if (t !== this.shown) {
      this.shown = t;
      this.show(t);
      this.outline();
      const offset = t - this.moment;
      this.theatre.querySelector("output").textContent = `${offset < 0 ? "−" : "+"}${Math.abs(offset).toFixed(2)} s`;
    }
    requestAnimationFrame(() => this.follow());
  }

  outline() {
    const place = this.theatre.querySelector(".boxes");
    const near = this.hasBoxes ? this.reads.filter((read) => read.t <= this.now + 0.02 && read.t > this.now - BOX_S) : [];
    const own = near.filter((read) => !read.cam || read.cam === this.clip.camera);
    place.replaceChildren(...own.flatMap((read) => outlined(read, this.clip)));
  }
}

function outlined(read, { width, height }) {
  const [x, y] = read.region.split(" ")[0].split(",").map(Number);
  const size = height / 28;
  const shape = svg("polygon", { points: read.region });
  const anchor = x > 0.7 * width ? "end" : "start"; // inside the picture
  const label = svg("text", { x, y: y - size / 3, "font-size": size, "text-anchor": anchor });
  label.textContent = read.said;
  return [shape, label];
}

function svg(name, attributes) {
  const part = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
  return part;
}

const PRESSES = { " ": "play", ",": "back", ".": "forward", m: "moment", l: "loop", b: "boxes" };

/** Whether a key was for the player. */
export function pressKey(article, event) {
  const player = playerOf(article);
  const isTheirs = event.key === " " && event.target.closest("button, summary"); // which space presses
  if (!player || isTheirs || !(event.key in PRESSES)) return false;
  event.preventDefault();
  player.press(PRESSES[event.key]);
  return true;
}
