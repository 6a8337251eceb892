// The threshold explorer: drag a threshold, see how many legitimate questions are lost and how many impostors get in.
// Plain JavaScript, no request; where scripts are off, the paragraph inside the element stays and the static figure above shows the same points.
"use strict";

(function () {
  const SVG = "http://www.w3.org/2000/svg";
  const LEFT = 92, RIGHT = 708, WIDTH = 720, HEIGHT = 150;
  const ROWS = { in: 45, out: 105 };
  const COLOURS = { in: "#08457e", out: "#e8821e" };
  const NAMES = { in: "legitimate", out: "impostor" };

  function element(name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  // The rule of the gate: at or above the threshold a question is admitted.
  function counts(scores, threshold) {
    return {
      lost: scores.in.filter((s) => s < threshold).length,
      letIn: scores.out.filter((s) => s >= threshold).length,
    };
  }

  function start(root) {
    const data = JSON.parse(root.dataset.scores);
    const embedders = Object.keys(data);
    root.textContent = "";
    const chooser = document.createElement("fieldset");
    const legend = document.createElement("legend");
    legend.textContent = "Embedder";
    chooser.append(legend);
    const drawing = element("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
    const slider = document.createElement("input");
    slider.type = "range";
    slider.setAttribute("aria-label", "similarity threshold");
    const output = document.createElement("output");
    output.setAttribute("aria-live", "polite");
    root.append(chooser, drawing, slider, output);
    let scores, low, high, line;

    const x = (score) => LEFT + ((score - low) / (high - low)) * (RIGHT - LEFT);

    function show() {
      const threshold = Number(slider.value);
      const found = counts(scores, threshold);
      line.setAttribute("x1", x(threshold));
      line.setAttribute("x2", x(threshold));
      output.textContent =
        `Threshold ${threshold.toFixed(3)}: ${found.lost} of ${scores.in.length} legitimate questions lost, ` +
        `${found.letIn} of ${scores.out.length} impostors let in.`;
      slider.setAttribute("aria-valuetext", output.textContent);
    }

    function choose(name) {
      scores = data[name];
      const all = scores.in.concat(scores.out);
      const pad = (Math.max(...all) - Math.min(...all)) * 0.04 || 0.01;
      low = Math.min(...all) - pad;
      high = Math.max(...all) + pad;
      drawing.textContent = "";
      drawing.setAttribute("aria-label", `${scores.in.length} legitimate and ${scores.out.length} impostor questions, scored with ${name}`);
      for (const label of ["in", "out"]) {
        drawing.append(element("text", { x: 4, y: ROWS[label] + 4, "font-size": 13, fill: label === "in" ? "#08457e" : "#a85708" }, NAMES[label]));
        scores[label].forEach((score, index) => {
          const y = ROWS[label] + ((index % 5) - 2) * 6;
          const shape = label === "in"
            ? element("circle", { cx: x(score), cy: y, r: 4.5 })
            : element("rect", { x: x(score) - 4, y: y - 4, width: 8, height: 8, transform: `rotate(45 ${x(score)} ${y})` });
          shape.setAttribute("fill", COLOURS[label]);
          shape.setAttribute("fill-opacity", "0.75");
          drawing.append(shape);
        });
      }
      line = element("line", { y1: 10, y2: HEIGHT - 10, stroke: "#222", "stroke-width": 1.5, "stroke-dasharray": "5 4" });
      drawing.append(line);
      slider.min = low;
      slider.max = high;
      slider.step = "any";
      slider.value = scores.threshold;
      show();
    }

    embedders.forEach((name, index) => {
      const label = document.createElement("label");
      const radio = document.createElement("input");
      radio.type = "radio";
      radio.name = "explorer-embedder";
      radio.value = name;
      radio.checked = index === 0;
      radio.addEventListener("change", () => choose(name));
      label.append(radio, ` ${name}`);
      chooser.append(label);
    });
    slider.addEventListener("input", show);
    choose(embedders[0]);
  }

  document.addEventListener("DOMContentLoaded", () => document.querySelectorAll(".explorer[data-scores]").forEach(start));
})();
