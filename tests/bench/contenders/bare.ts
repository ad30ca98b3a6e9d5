import type { Case, Exchange } from "../cases.ts";
import type { Contender, Fetch } from "../contender.ts";

/** Nothing but the handler, which is given what the others have to find out: the floor. */
export const bare: Contender = {
  name: "bare handler",
  fetchFor: ({ exchanges, waits }: Case) => {
    const answers = exchanges.map(({ answer }) => answerWith(answer, waits === true));
    const [only] = answers;
    if (answers.length === 1) return only;
    // The requests come in the order of the case.
    let turn = 0;
    return (request) => {
      const answer = answers[turn] ?? answers[turn = 0];
      turn++;
      return answer?.(request) ?? Response.error();
    };
  },
};

/** The same as a server: a body has come over the wire, and somebody has to take it. */
export const bareServer: Contender = {
  name: bare.name,
  fetchFor: (of) => {
    const answer = bare.fetchFor(of);
    if (answer === undefined || of.exchanges.every(({ body }) => body === undefined)) return answer;
    return async (request) => {
      await request.text();
      return answer(request);
    };
  },
};

/**
 * The bare handlers, with a look at the `Host` header: what that rule alone costs. No peer has it, and no
 * rule of ours costs more where a runtime makes the headers of a request only when somebody asks for them.
 */
export const [bareWithHost, bareServerWithHost]: readonly [Contender, Contender] = [
  withHost(bare),
  withHost(bareServer),
];

function withHost({ name, fetchFor }: Contender): Contender {
  return {
    name: `${name}, Host read`,
    fetchFor: (of) => {
      const answer = fetchFor(of);
      return answer && ((request) => request.headers.get("host") === "" ? Response.error() : answer(request));
    },
  };
}

function answerWith(answer: Exchange["answer"], waits: boolean): Fetch {
  if (answer === undefined) return () => new Response(null, { status: 404 });
  if (typeof answer === "object") return () => Response.json(answer);
  if (waits) return async () => new Response(await Promise.resolve(answer));
  return () => new Response(answer);
}
