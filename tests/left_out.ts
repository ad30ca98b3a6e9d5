/** Prints the tests that `deno task test` leaves out, with the commands that run them. */
import config from "../deno.json" with { type: "json" };

console.log("\nLeft out, each with a task of its own:");
for (const [name, { description }] of Object.entries(config.tasks)) {
  if (name.startsWith("test:") || name === "soak") {
    console.log(`npx -y deno@2.9.6 task ${name.padEnd(15)}# ${description}`);
  }
}
