// npx -y deno@2.9.6 serve --host 127.0.0.1 tests/examples/serve_users.ts

// Serves examples/users.ts with PBKDF2 a thousand times cheaper, for tests that sign in a hundred times.
// The cost of a hash and the stored data are tested without this.
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
