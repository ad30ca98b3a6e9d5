import process from "node:process";

/** The pages of the manual, in the order of its index. `build.ts` passes them. */
const MANUAL: readonly { readonly text: string; readonly link: string }[] = JSON.parse(process.env.SITE_MANUAL ?? "[]");

/** The other pages, in the order of use. */
const MORE = [
  { text: "Examples and recipes", link: "/examples/" },
  { text: "Coming from others", link: "/coming_from" },
  { text: "Security", link: "/security" },
  { text: "Ruled out by design", link: "/advisories" },
  { text: "Speed", link: "/speed" },
  { text: "Changelog", link: "/changelog" },
];

/** The anchor of a heading, as GitHub makes it: a link to a heading works on both. */
const slugify = (heading: string) =>
  heading.trim().toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");

/** Lines of code have up to 120 characters, for which a page without a sidebar has room. */
const WIDE = `@media (min-width: 960px) {
  .VPDoc:not(.has-sidebar) :is(.content, .content-container) { max-width: 1064px !important }
  .VPDoc .vp-doc [class*="language-"] code { font-size: 13px }
}`;

/**
 * The third of three columns often says what to write. On a phone it would be outside of the page, so the cells of a row
 * stand below each other, and the headings name them in that order.
 */
const NARROW = `@media (max-width: 639px) {
  .vp-doc table:has(th:nth-child(3):last-child) {
    :is(thead, tbody, tr, td) { display: block }
    th { display: inline-block; border: 0 }
    td { border-width: 0 1px; padding: 4px 16px; overflow-wrap: anywhere }
    td:first-child { padding-top: 12px }
    td:last-child { padding-bottom: 12px }
    tr:last-child td:last-child { border-bottom-width: 1px }
  }
}`;

/** The name of a language in a corner of its code is text to read. */
const READABLE = `:root { --vp-code-lang-color: var(--vp-c-text-2) }`;

export default {
  title: "@fw/core",
  description: "HTTP framework for Deno, Bun, Node.js and Cloudflare Workers, without dependencies.",
  base: process.env.SITE_BASE ?? "/",
  srcDir: "pages",
  outDir: "dist",
  cacheDir: "cache",
  markdown: {
    anchor: { slugify },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  head: [["style", {}, WIDE + NARROW + READABLE]],
  ignoreDeadLinks: ["http://localhost:8000"],
  themeConfig: {
    nav: [
      { text: "Manual", link: "/manual/" },
      { text: "Recipes", link: "/examples/" },
      { text: "API", link: "/api/index.html", target: "_self" },
      { text: "Changelog", link: "/changelog" },
    ],
    sidebar: [
      { text: "Manual", link: "/manual/", items: MANUAL },
      { text: "More", items: MORE },
      {
        text: "Source",
        items: [{ text: "The map of src/", link: "/src/" }, { text: "Contributing", link: "/contributing" }],
      },
    ],
    outline: [2, 3],
    search: { provider: "local" },
    notFound: { title: "Page not found", quote: "There is no page at this address.", linkText: "Go to the first page" },
  },
};
