/** Mutants that no test can tell from the original, with the reason. */
const EQUIVALENT = [];

/** A plugin of Stryker, which loads it as JavaScript. */
export const strykerPlugins = [
  {
    kind: "Ignore",
    name: "equivalent",
    value: {
      shouldIgnore(path) {
        if (!path.isExpression() && !path.isStatement()) return undefined;
        const code = path.toString();
        return EQUIVALENT.find(([text]) => code === text)?.[1];
      },
    },
  },
];
