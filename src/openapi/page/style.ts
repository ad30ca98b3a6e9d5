/** The style of the page, as it is sent. Colours have a contrast of at least 4.5 to 1, in light and in dark. */
export const STYLE: string = `
:root { color-scheme: light dark; --text: #1b1f24; --page: #fff; --soft: #f2f4f7; --line: #c8ced6; --weak: #57606a; --link: #0b57a8; --get: #14683a; --write: #8a4b00; --delete: #b3261e }
@media (prefers-color-scheme: dark) { :root { --text: #e6e9ed; --page: #14171b; --soft: #1f242b; --line: #444c56; --weak: #a3adb8; --link: #7fb8ff; --get: #6fd49a; --write: #f0b35e; --delete: #ff9c94 } }
* { box-sizing: border-box }
[hidden] { display: none !important }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); display: grid; grid-template-columns: minmax(13rem, 20rem) minmax(0, 1fr) }
a { color: var(--link) }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
.skip { position: absolute; left: -100rem }
.skip:focus { left: .5rem; top: .5rem; padding: .5rem; background: var(--page); z-index: 1 }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem; background: var(--soft); border-right: 1px solid var(--line); font-size: .875rem; overflow-wrap: anywhere }
nav h2 { font-size: 1rem; margin: 1rem 0 .25rem }
nav ul { list-style: none; margin: 0; padding: 0 }
nav a { display: flex; align-items: baseline; padding: .2rem 0; text-decoration: none }
nav .method { flex: none; min-width: 4.8em }
nav a:hover { text-decoration: underline }
main { padding: 1rem 2rem 4rem; max-width: 60rem; overflow-wrap: anywhere }
h1 small { font-size: 1rem; font-weight: normal; color: var(--weak) }
h2 { margin: 2rem 0 .5rem }
h4 { margin: 1.5rem 0 .5rem }
.text { white-space: pre-line }
.operation, .schema { border: 1px solid var(--line); border-radius: .375rem; margin: .5rem 0; scroll-margin-top: .5rem }
summary { cursor: pointer; padding: .5rem }
.opened { padding: 0 1rem 1rem }
.method { display: inline-block; min-width: 4.2em; font: bold .8125rem ui-monospace, monospace; color: var(--write) }
.method.get, .method.head, .method.options, .method.query { color: var(--get) }
.method.delete { color: var(--delete) }
code, pre, textarea, input, select { font: .875rem/1.5 ui-monospace, monospace }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: .375rem; padding: .5rem; margin: .25rem 0; max-height: 30rem; overflow: auto; white-space: pre-wrap }
fieldset { border: 1px solid var(--line); border-radius: .375rem; margin: 1rem 0; padding: .5rem 1rem; min-width: 0 }
legend { font-weight: bold }
.field { margin: .75rem 0 }
.field label { display: block }
.field input, .field select, .field textarea { width: 100%; max-width: 40rem }
.field textarea { max-width: none; resize: vertical }
input, select, textarea, button { color: inherit; background: var(--page); border: 1px solid var(--weak); border-radius: .25rem; padding: .375rem .5rem }
nav input { width: 100% }
button { font: inherit; cursor: pointer; padding: .375rem 1rem; background: var(--soft) }
.about, .example, .fact, .place { font-size: .875rem; color: var(--weak) }
.about ul, dd ul, .opened > ul { margin: .125rem 0; padding-left: 1.25rem }
.about > .text { display: block }
.type { color: var(--text) }
.fact { font-family: ui-monospace, monospace }
.place::after { content: "," }
dl { margin: 0 }
dt { border-top: 1px solid var(--line); padding-top: .5rem }
dd { margin: 0 0 .5rem; padding-left: 1rem }
[role=status] { white-space: pre-line; min-height: 1.5em }
@media (max-width: 50rem) {
  body { display: block }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); padding: .5rem 1rem }
  main { padding: 1rem 1rem 4rem }
  .opened { padding: 0 .5rem 1rem }
}
`;
