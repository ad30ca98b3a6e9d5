/**
 * The script of the page, as it is sent: JavaScript for browsers. It is a text, since the text of a function depends on
 * what bundles it. A test checks its types.
 *
 * It writes `textContent` only, so nothing of a response becomes markup. It has no backtick, no `${` and no `</script`.
 * Backslashes are doubled: with `String.raw`, a bundle would keep the text although nothing uses it.
 */
export const SCRIPT: string = `"use strict";

/** The elements in an element, in the order of the document. @type {(root: ParentNode, selector: string) => HTMLInputElement[]} */
const all = (root, selector) => [...root.querySelectorAll(/** @type {"input"} */ (selector))];

/** The first of them. @type {(root: ParentNode, selector: string) => HTMLInputElement | undefined} */
const first = (root, selector) => all(root, selector)[0];

/** Creates an element. */
function create(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

// ---- The request

/** The values of a field: texts, or files. @param {HTMLInputElement} field */
function valuesOf(field) {
  if (field.files) return [...field.files];
  if ("many" in field.dataset) return field.value.split("\\n").filter((line) => line !== "");
  return field.value === "" ? [] : [field.value];
}

/** The names and values that the fields of a place have. @param {HTMLInputElement[]} fields @returns {[string, any][]} */
function pairsOf(fields) {
  return fields.flatMap((field) => {
    if (!("pairs" in field.dataset)) return valuesOf(field).map((value) => /** @type {[string, any]} */ ([field.dataset.name, value]));
    const lines = field.value.split("\\n").filter((line) => line !== "");
    return lines.map((line) => /** @type {[string, any]} */ ([line.replace(/=[^]*/, ""), line.replace(/^[^=]*=?/, "")]));
  });
}

/** The path with its parameters. A value of several segments keeps its slashes. @param {HTMLFormElement} form */
function pathOf(form) {
  const values = new Map(all(form, "[data-in=path]").map((field) => {
    const encoded = encodeURIComponent(field.value);
    return [field.dataset.name, "slashes" in field.dataset ? encoded.replaceAll("%2F", "/") : encoded];
  }));
  return form.dataset.path.replace(/\\{([^}]*)\\}/g, (whole, name) => values.get(name) ?? whole);
}

/** The body and its media type. The browser writes that of a form, with the boundary. @param {HTMLFormElement} form */
function bodyOf(form) {
  const block = first(form, "[data-type]:not([hidden])");
  if (block === undefined) return {};
  const pairs = pairsOf(all(block, "[data-in=body]"));
  if (pairs.length === 0) return {};
  if (block.dataset.kind === "form") return { body: new URLSearchParams(pairs) };
  if (block.dataset.kind === "parts") {
    const body = new FormData();
    for (const [name, value] of pairs) body.append(name, value);
    return { body };
  }
  const body = pairs[0][1];
  const type = block.dataset.type.includes("*") ? body.type || "application/octet-stream" : block.dataset.type;
  return { body, type };
}

/** The credentials that an operation needs, as far as they are entered. @param {HTMLFormElement} form */
function credentialsFor(form) {
  const fields = new Map(all(document, "[data-scheme]").map((field) => [field.dataset.scheme, field]));
  const isEntered = (name) => fields.get(name)?.value;
  const alternatives = JSON.parse(form.dataset.security);
  const names = alternatives.find((names) => names.length > 0 && names.every(isEntered)) ?? alternatives.flat().filter(isEntered);
  return [...new Set(names)].map((name) => fields.get(name));
}

/** What a form sends. @param {HTMLFormElement} form */
function requestOf(form) {
  const headers = new Headers(pairsOf(all(form, "[data-in=header]")));
  const query = pairsOf(all(form, "[data-in=query]"));
  const cookies = pairsOf(all(form, "[data-in=cookie]"));
  for (const { value, dataset: { kind, key } } of credentialsFor(form)) {
    if (kind === "bearer") headers.set("authorization", "Bearer " + value);
    if (kind === "basic") headers.set("authorization", "Basic " + btoa(String.fromCharCode(...new TextEncoder().encode(value))));
    if (kind === "authorization") headers.set("authorization", value);
    if (kind === "header") headers.set(key, value);
    if (kind === "query") query.push([key, value]);
    if (kind === "cookie") cookies.push([key, value]);
  }
  const { body, type } = bodyOf(form);
  if (type) headers.set("content-type", type);
  const accept = first(form, "[data-accept]")?.value;
  if (accept) headers.set("accept", accept);
  const server = new URL(first(document, "#server").value, location.href).href.replace(/\\/$/, "");
  const search = new URLSearchParams(query).toString();
  const url = server + pathOf(form) + (search && "?" + search);
  return { url, cookies, init: { method: form.dataset.method, headers, body } };
}

// ---- The response

/** The most characters of a response that are shown. Of a longer one, the end is. */
const MOST_SHOWN = 1000000;

/** What is shown of the response of a form. Created when the first request is sent. @param {HTMLFormElement} form */
function outputOf(form) {
  first(form, "[data-output]")?.remove();
  const status = create("p", { role: "status" });
  const headers = create("pre", { tabIndex: 0 });
  const body = create("pre", { tabIndex: 0 }, "");
  headers.setAttribute("aria-label", "Headers of the response");
  body.setAttribute("aria-label", "Body of the response");
  const more = create("details", { hidden: true }, create("summary", {}, "Headers"), headers);
  const output = create("div", {}, status, more, body);
  output.dataset.output = "";
  body.hidden = true;
  form.append(output);
  return { output, status, more, headers, body };
}

/** Indents JSON without changing a character of its values: numbers may have more digits than JavaScript keeps. */
function indent(text) {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  let previous = "";
  let written = "";
  for (const [token] of text.matchAll(/"(?:[^"\\\\]+|\\\\.)*"|[{}[\\],:]|[^\\s{}[\\],:"]+/g)) {
    const isEnd = token === "}" || token === "]";
    const isStart = previous === "{" || previous === "[";
    if (isEnd) depth--;
    if (previous === "," || isStart !== isEnd && (isStart || isEnd)) written += "\\n" + "  ".repeat(depth);
    written += token === ":" ? ": " : token;
    if (token === "{" || token === "[") depth++;
    previous = token;
  }
  return written;
}

/** Shows a text as it arrives. Returns its length. */
async function showText(response, shown) {
  const node = shown.firstChild;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    node.appendData(part.value);
    if (node.length > 2 * MOST_SHOWN) node.deleteData(0, node.length - MOST_SHOWN);
  }
  return length;
}

/** Shows a response, and returns what there is to say when it has ended. */
async function showResponse(response, { more, headers, body }) {
  const type = response.headers.get("content-type") ?? "";
  headers.textContent = [...response.headers].map((pair) => pair.join(": ")).join("\\n");
  more.hidden = false;
  if (response.body === null) return "no body";
  if (/^text\\/|[/+](?:json|xml)\\b|ndjson|json-seq|jsonl|x-www-form-urlencoded/i.test(type)) {
    body.hidden = false;
    const length = await showText(response, body);
    if (length <= MOST_SHOWN && /[/+]json\\b/i.test(type)) body.textContent = indent(body.textContent);
    if (length === 0) body.hidden = true;
    const cut = body.textContent.length < length && length > MOST_SHOWN ? ", of which the end is shown" : "";
    return length === 0 ? "empty body" : length + " characters" + cut;
  }
  const blob = await response.blob();
  if (blob.size === 0) return "empty body";
  const link = create("a", { href: URL.createObjectURL(blob), download: "response" }, "Save the body");
  more.after(create("p", {}, link));
  return blob.size + " bytes";
}

/** Sends what a form has, and shows the response. @param {HTMLFormElement} form */
async function send(form) {
  const { output, status, ...shown } = outputOf(form);
  const stop = first(form, "[data-stop]");
  const stopping = new AbortController();
  stop.onclick = () => stopping.abort();
  stop.hidden = false;
  let line = "";
  const show = (text) => {
    // An earlier request may end after a later one has begun.
    if (output.isConnected) status.textContent = text;
  };
  try {
    const { url, init, cookies } = requestOf(form);
    line = init.method + " " + url + "\\n";
    show(line + "Sending …");
    // Scripts may not set the header Cookie.
    for (const pair of cookies) document.cookie = pair.join("=") + "; path=/; samesite=strict";
    const started = performance.now();
    const response = await fetch(url, { ...init, signal: stopping.signal }).finally(() => {
      for (const [name] of cookies) document.cookie = name + "=; path=/; max-age=0";
    });
    const duration = Math.round(performance.now() - started);
    line += response.status + " " + response.statusText + (response.redirected ? " from " + response.url : "") + ", after " + duration + " ms";
    show(line + ", arriving …");
    const length = await showResponse(response, shown);
    show(line + ", " + length);
  } catch (error) {
    const hint = " The browser does not say why: the server may be down, or its CORS policy may not allow this page.";
    show(line + (stopping.signal.aborted ? " Stopped" : String(error) + (line.includes(", after ") || line === "" ? "" : hint)));
  }
  if (output.isConnected) stop.hidden = true;
}

// ---- Sockets

/** What sends a message over the open socket of a form. @type {WeakMap<HTMLFormElement, (text: string | undefined) => void>} */
const senders = new WeakMap();

/** Sends the message of a form. If its socket is not open, it is opened. @param {HTMLFormElement} form */
function talk(form) {
  const text = first(form, "[data-message]")?.value;
  const sender = senders.get(form);
  if (sender !== undefined) return sender(text);
  const { url, cookies } = requestOf(form);
  const { output, status, body } = outputOf(form);
  const stop = first(form, "[data-stop]");
  const node = /** @type {Text} */ (body.firstChild);
  body.setAttribute("aria-label", "Messages");
  const show = (line) => {
    body.hidden = false;
    node.appendData(line + "\\n");
    if (node.length > 2 * MOST_SHOWN) node.deleteData(0, node.length - MOST_SHOWN);
  };
  const dropCookies = () => {
    for (const [name] of cookies) document.cookie = name + "=; path=/; max-age=0";
  };
  for (const pair of cookies) document.cookie = pair.join("=") + "; path=/; samesite=strict";
  const socket = new WebSocket(url.replace(/^http/, "ws"));
  let isOpen = false;
  const pass = (text) => {
    if (text === undefined || socket.readyState !== WebSocket.OPEN) return;
    socket.send(text);
    show("Sent: " + text.replace(/\\s*\\n\\s*/g, " "));
  };
  senders.set(form, pass);
  status.textContent = socket.url + "\\nOpening …";
  stop.hidden = false;
  stop.onclick = () => socket.close(1000);
  socket.onopen = () => {
    dropCookies();
    isOpen = true;
    status.textContent = socket.url + "\\nOpen";
    pass(text);
  };
  socket.onmessage = ({ data }) => {
    if (data !== "{}") show("Received: " + data);
  };
  socket.onclose = ({ code, reason }) => {
    dropCookies();
    senders.delete(form);
    stop.hidden = true;
    status.textContent = socket.url + "\\nClosed with " + code + " " + reason;
    // Browsers do not tell what a handshake is denied with. A request without one may.
    if (!isOpen && code === 1006 && output.isConnected) send(form);
  };
}

// ---- The page

/** Opens what the address names. */
function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (!(target instanceof HTMLDetailsElement)) return;
  target.open = true;
  target.scrollIntoView();
  first(target, "summary").focus({ preventScroll: true });
}

/** Hides the operations, and the links to them, that lack one of the words. */
function filter(text) {
  const words = text.toLowerCase().split(/\\s+/);
  const found = all(document, "details[data-operation]").filter((operation) => {
    const described = (operation.dataset.operation + " " + first(operation, "summary").textContent).toLowerCase();
    operation.hidden = !words.every((word) => described.includes(word));
    return !operation.hidden;
  });
  const names = new Set(found.map((operation) => operation.dataset.operation));
  for (const link of all(document, "nav a[data-operation]")) link.parentElement.hidden = !names.has(link.dataset.operation);
  first(document, "#found").textContent = text === "" ? "" : found.length + (found.length === 1 ? " operation" : " operations");
}

for (const form of /** @type {any[]} */ (all(document, "form"))) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if ("socket" in form.dataset) talk(form);
    else send(form);
  });
  first(form, "[data-messages]")?.addEventListener("change", (event) => {
    first(form, "[data-message]").value = /** @type {HTMLInputElement} */ (event.target).value;
  });
  first(form, "[data-types]")?.addEventListener("change", (event) => {
    const selected = /** @type {HTMLInputElement} */ (event.target).value;
    for (const block of all(form, "[data-type]")) block.hidden = block.dataset.type !== selected;
  });
}
first(document, "#filter").addEventListener("input", (event) => filter(/** @type {HTMLInputElement} */ (event.target).value));
addEventListener("hashchange", openTarget);
openTarget();
// On a phone, the contents would hide the page.
if (matchMedia("(max-width: 50rem)").matches) document.querySelector("nav details").removeAttribute("open");
document.documentElement.dataset.ready = "";
`;
