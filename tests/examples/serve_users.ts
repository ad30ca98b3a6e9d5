// npx -y deno@2.9.6 serve tests/examples/serve_users.ts

// examples/users.ts, with PBKDF2 a thousand times cheaper: tests that sign in a hundred times would spend their time on it.
// What a hash costs, and what is stored, is tested without this.
const { subtle } = crypto;
const deriveBits = subtle.deriveBits.bind(subtle);

subtle.deriveBits = (algorithm, key, length) =>
  deriveBits(
    typeof algorithm === "object" && "iterations" in algorithm
      ? { ...algorithm, iterations: Math.ceil(algorithm.iterations / 1000) }
      : algorithm,
    key,
    length,
  );

const { default: app } = await import("../../examples/users.ts");

export default app;
