import process from "node:process";
import { runTests } from "../runtimes/worker_bdd.ts";

/** Runs the tests that were declared, up to the first that fails, and tells by the exit code. */
export async function runUntilFailure(): Promise<void> {
  const { passed, failures } = await runTests({ bail: true });
  console.log(`${passed} passed, ${failures.length} failed\n${failures.join("\n")}`);
  process.exit(failures.length > 0 || passed === 0 ? 1 : 0);
}
