// Shows the value under the pointer in charts; the keyboard moves from bar to bar. Without script a table has the
// values.

for (const figure of document.querySelectorAll<HTMLElement>("figure.chart")) {
  const plot = figure.querySelector("svg");
  const cross = figure.querySelector(".cross");
  const told = figure.querySelector("output");
  const bars = [...figure.querySelectorAll(".bar")];
  if (plot && cross && told && bars.length > 0) {
    let at = bars.length - 1;
    const show = (wanted: number): void => {
      at = Math.max(0, Math.min(bars.length - 1, wanted));
      const middle = String(((at + 0.5) * plot.viewBox.baseVal.width) / bars.length);
      cross.setAttribute("x1", middle);
      cross.setAttribute("x2", middle);
      figure.dataset.shown = "";
      told.textContent = bars[at]!.textContent;
    };
    const hide = (): void => {
      delete figure.dataset.shown;
      told.textContent = "";
    };
    const keys: Record<string, () => number> = {
      ArrowLeft: () => at - 1,
      ArrowRight: () => at + 1,
      Home: () => 0,
      End: () => bars.length - 1,
    };
    figure.tabIndex = 0;
    figure.addEventListener("focus", () => show(at));
    figure.addEventListener("blur", hide);
    figure.addEventListener("keydown", (event) => {
      const next = keys[event.key];
      if (!next) return;
      event.preventDefault();
      show(next());
    });
    plot.addEventListener("pointermove", ({ clientX }) => {
      const { left, width } = plot.getBoundingClientRect();
      show(Math.floor(((clientX - left) / width) * bars.length));
    });
    plot.addEventListener("pointerleave", hide);
  }
}
