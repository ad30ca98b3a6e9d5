/** Prints the tests that `deno task test` does not run, with the commands that run them. */
import config from "../deno.json" with { type: "json" };

console.log("\nNot run here. These tasks run the other tests:");
for (const [name, { description }] of Object.entries(config.tasks)) {
  if (name.startsWith("test:") || name === "soak") {
    console.log(`npx -y deno@2.9.6 task ${name.padEnd(15)}# ${description}`);
  }
}
