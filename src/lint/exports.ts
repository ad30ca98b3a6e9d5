/** What is known of the functions of the package: which results must not be dropped. */

import { ALL, METHODS } from "../core/routing/method.ts";

/** A value of the package, or one that comes from it. */
export interface Known {
  /** Its properties. */
  readonly members?: Readonly<Record<string, Known>>;
  /** What a call of it returns. */
  readonly returns?: Known;
  /** What `new` makes of it. */
  readonly constructs?: Known;
  /** The message for a call whose result is dropped. */
  readonly message?: string;
  /** Whether it is what a guard returns, or the type of it. */
  readonly isResult?: boolean;
}

/** What a guard returns. */
const RESULT: Known = { isResult: true };

/**
 * A guard that this file declares, or that another file exports. If a call of it is a statement, its result is lost.
 */
export const GUARD: Known = {
  message: "The result of this guard is dropped, so it denies nobody: return it, or keep it in `result` and write " +
    '`if ("deny" in result) return result`',
  returns: RESULT,
};

/**
 * The exports of a module.
 *
 * @param specifier What the import says: `@fw/core` or `@fw/core/events`, also with `jsr:` and a version.
 * @returns Them; `undefined` for any other module.
 */
export function exportsOf(specifier: unknown): Known | undefined {
  const path = PACKAGE.exec(String(specifier))?.[1];
  return path === undefined ? undefined : path === "" ? CORE : EVENTS;
}

/** JSR's name of the package, and the one that it has on npm. */
const PACKAGE = /^(?:jsr:\/?|npm:\/?)?@(?:fw\/core|jsr\/fw__core)(?:@[^/]+)?((?:\/events)?)$/;

const CORE: Known = {
  members: {
    allow: result("allow"),
    deny: result("deny"),
    denyInvalid: guard("denyInvalid"),
    beforeBody: guard("beforeBody"),
    reply: response("reply"),
    replyAs: {
      message: "The function that `replyAs` makes is dropped: assign it to a constant, and call that",
      returns: response("replyAs(…)"),
    },
    route: factory("route", "nothing serves it: assign it, and list it in the `handlers` of `setup`"),
    endpoint: factory("endpoint", "nothing implements it: assign it, and implement it by `route.on`"),
    every: guard("every"),
    GuardFn: GUARD,
    ValidInputGuard: GUARD,
    GuardResult: RESULT,
  },
};

const EVENTS: Known = { members: { replyEvents: response("replyEvents"), replyLines: response("replyLines") } };

function result(name: string): Known {
  return {
    returns: RESULT,
    message: `The result of \`${name}\` is dropped, so it decides nothing: write \`return ${name}(…)\``,
  };
}

function guard(name: string): Known {
  return {
    returns: GUARD,
    message: `The guard that \`${name}\` makes is dropped, so it never runs: list it in \`guards\``,
  };
}

function response(name: string): Known {
  return {
    message: `The response of \`${name}\` is dropped, so it is not sent: write \`return ${name}(…)\`` +
      `, or \`return deny(${name}(…))\` in a guard`,
  };
}

/** `route` or `endpoint`, and the scopes that `with` makes of them. */
function factory(name: string, consequence: string): Known {
  const declares = (method: string) => [
    method,
    { message: `What \`${name}.${method}\` declares is dropped, so ${consequence}` },
  ];
  const scope: Known = {
    members: {
      ...Object.fromEntries([...METHODS, ALL, "on"].map((method) => declares(method.toLowerCase()))),
      with: {
        message: `The scope that \`${name}.with\` makes is dropped: assign it, and declare with that`,
        get returns() {
          return scope;
        },
      },
    },
  };
  return scope;
}
