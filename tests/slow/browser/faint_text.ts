import type { Page } from "playwright-core";

/** The texts of a page whose contrast is less than WCAG 2.2 AA demands: 4.5 to 1, for large text 3 to 1. */
export async function faintText(page: Page): Promise<readonly string[]> {
  return await page.evaluate(FAINT_TEXT);
}

/** Computes the contrast of each text with the colours behind it. Text before a picture is left out. */
const FAINT_TEXT = `(() => {
  const rgba = (color) => {
    const [red, green, blue, alpha = 1] = color.match(/[\\d.]+/g).map(Number);
    return [red, green, blue, alpha];
  };
  const mix = (front, back) => [0, 1, 2].map((part) => front[part] * front[3] + back[part] * (1 - front[3])).concat(1);
  const ancestors = function* (element) {
    for (let each = element; each; each = each.parentElement) yield getComputedStyle(each);
  };
  const light = (color) => color.slice(0, 3).map((part) => part / 255)
    .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const page = matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18, 1] : [255, 255, 255, 1];
  const faint = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement: element, textContent } = texts.currentNode;
    if (!textContent.trim() || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const { width, height } = element.getBoundingClientRect();
    if (width < 2 || height < 2) continue;
    const styles = [...ancestors(element)];
    if (styles.some(({ backgroundImage }) => backgroundImage !== "none")) continue;
    const back = styles.map(({ backgroundColor }) => rgba(backgroundColor)).reduceRight((back, front) => mix(front, back), page);
    const [{ color, fontSize, fontWeight }] = styles;
    const [red, green, blue, alpha] = rgba(color);
    const opacity = styles.reduce((product, { opacity }) => product * opacity, alpha);
    const [high, low] = [light(mix([red, green, blue, opacity], back)), light(back)].sort((a, b) => b - a);
    const contrast = (high + 0.05) / (low + 0.05);
    const isLarge = parseFloat(fontSize) >= (fontWeight >= 700 ? 18.66 : 24);
    if (contrast < (isLarge ? 3 : 4.5)) {
      faint.add(contrast.toFixed(2) + " " + element.tagName + "." + element.className + ": " + textContent.trim().slice(0, 40));
    }
  }
  return [...faint];
})()`;
