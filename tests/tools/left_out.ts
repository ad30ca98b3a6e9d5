/**
 * Ends the output of `deno task test`: the table of the coverage, which it reads from standard input, without the files whose
 * code runs in the tests; and the tests that the task leaves out, with the commands that run them.
 */
import config from "../../deno.json" with { type: "json" };

const table = (await new Response(Deno.stdin.readable).text()).trimEnd().split("\n");
console.log(table.filter((row) => row.includes("All files") || !/(?:100\.0.*){3}/.test(row)).join("\n"));

console.log(
  "\nThese were the tests of the core, the examples and the code in the documentation. Other tasks run the others:",
);
for (const [name, { description }] of Object.entries(config.tasks)) {
  if (name.startsWith("test:") || name === "soak") {
    console.log(`npx -y deno@2.9.6 task ${name.padEnd(15)}# ${description}`);
  }
}
