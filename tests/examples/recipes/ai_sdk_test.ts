import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { granted } from "../../support/granted.ts";

// The SDK reads variables and the name of the host on import.
const hasHost = Deno.permissions.querySync({ name: "sys", kind: "hostname" }).state === "granted";

(granted("env", "read") && hasHost ? describe : describe.skip)("examples/recipes/ai_sdk.ts", () => {
  /** What the SDK gave to the model after its call of a tool, and what it offered to the model. */
  async function askAs(authorization: string, toolName: string, args: object) {
    const { ask, scriptedModel } = await import("../../../examples/recipes/ai_sdk.ts");
    const model = scriptedModel(toolName, args, "done");
    assertEquals(await ask(model, "What do I have to buy?", authorization), "done");
    const [first, second] = model.doGenerateCalls;
    const result = second?.prompt.at(-1)?.content.at(-1);
    return { offered: first?.tools, result: typeof result === "object" && "output" in result ? result.output : result };
  }

  it("the recipe ai_sdk calls the app with the token of the person who asks", async () => {
    const args = { query: { text: "Buy" } };
    const body = async (authorization: string) => Object((await askAs(authorization, "findNotes", args)).result).value;
    assertEquals(await body("Bearer ada"), { status: 200, isError: false, body: ["Buy milk"] });
    assertEquals(await body("Bearer bob"), { status: 200, isError: false, body: ["Buy bread"] });
    assertEquals(await body("Bearer eve"), { status: 401, isError: true, body: { error: "Send a token" } });
  });

  it("the recipe ai_sdk offers the named endpoints only, without headers", async () => {
    const { offered } = await askAs("Bearer ada", "findNotes", { query: { text: "Buy" } });
    assertEquals(offered?.map((tool) => [tool.name, Object.keys(Object(Object(tool).inputSchema).properties)]), [
      ["findNotes", ["query"]],
    ]);
  });

  it("the recipe ai_sdk lets a model call nothing else", async () => {
    const { result } = await askAs("Bearer ada", "deleteNotes", {});
    assertEquals(Object(result).type, "error-text");
  });
});
