// npx -y deno@2.9.6 run --allow-env --allow-read --allow-sys=hostname examples/recipes/ai_sdk.ts
//
// Endpoints as the tools of a language model, with the AI SDK. A call of a tool is a request to the app, with the token
// of the person who asks, so that the guards decide. The model sees neither the token nor the endpoints that are not
// named. In place of a model of a provider, this file has one that is scripted, from the test kit of the SDK.

import { allow, beforeBody, type Context, deny, denyInvalid, endpoint, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { type Tool, tools } from "@fw/core/tools";
import { dynamicTool, generateText, isStepCount, jsonSchema, type LanguageModel, type ToolSet } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { z } from "zod";

const error = { schema: z.object({ error: z.string() }) };

export const api = {
  findNotes: endpoint.get("/notes", {
    docs: { summary: "Finds the notes that contain a text" },
    request: { query: z.object({ text: z.string() }) },
    responses: { 200: { schema: z.array(z.string()) }, 400: error, 401: error },
  }),
  deleteNotes: endpoint.delete("/notes", { responses: { 204: {}, 401: error } }),
};

const notes = new Map([["Bearer ada", ["Buy milk", "Read Emma"]], ["Bearer bob", ["Buy bread"]]]);

const signedIn = beforeBody((c: Context) => {
  const own = notes.get(c.request.headers.get("authorization") ?? "");
  return own === undefined ? deny(reply(401, { error: "Send a token" })) : allow({ own });
});

const members = route.with({ guards: [signedIn] });
export const app = setup({
  endpoints: api,
  validator: standardSchema,
  handlers: [
    members.on(api.findNotes, {
      guards: [denyInvalid(() => reply(400, { error: "Say what to find" }))],
      resolve: (c) => reply(200, c.locals.own.filter((note) => note.includes(c.input.query.text))),
    }),
    members.on(api.deleteNotes, { resolve: () => reply(204) }),
  ],
});

const offered = tools(api, { fetch: app.fetch, only: ["findNotes"] });

/** Answers a question, with the tools that the owner of the token may use. */
export async function ask(model: LanguageModel, prompt: string, authorization: string): Promise<string> {
  const { text } = await generateText({
    model,
    prompt,
    tools: toolSet(offered, { authorization }),
    stopWhen: isStepCount(5),
  });
  return text;
}

/** The tools, as the AI SDK takes them. */
export function toolSet(offered: readonly Tool[], headers: HeadersInit): ToolSet {
  return Object.fromEntries(offered.map(({ name, description, inputSchema, call }) => [
    name,
    dynamicTool({
      description,
      inputSchema: jsonSchema(inputSchema),
      execute: (args, { abortSignal: signal }) => call(Object(args), { headers, signal }),
    }),
  ]));
}

/** A model that says what a script says: first that it calls a tool, then its answer. */
export function scriptedModel(toolName: string, args: object, answer: string): MockLanguageModelV4 {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const warnings: [] = [];
  return new MockLanguageModelV4({
    doGenerate: [{
      content: [{ type: "tool-call", toolCallId: "1", toolName, input: JSON.stringify(args) }],
      finishReason: { unified: "tool-calls", raw: undefined },
      usage,
      warnings,
    }, {
      content: [{ type: "text", text: answer }],
      finishReason: { unified: "stop", raw: undefined },
      usage,
      warnings,
    }],
  });
}

if (import.meta.main) {
  const model = scriptedModel("findNotes", { query: { text: "Buy" } }, "You have to buy milk.");
  console.log(await ask(model, "What do I have to buy?", "Bearer ada"));
}
