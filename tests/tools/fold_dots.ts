/**
 * Copies standard input to standard output. The dot reporter writes each dot on a line of its own where there is no terminal:
 * these dots are joined.
 */
await Deno.stdin.readable
  .pipeThrough(new TextDecoderStream())
  .pipeThrough(
    new TransformStream<string, string>({
      transform: (text, controller) => controller.enqueue(text.replace(/^([.,!])\n/gm, "$1")),
    }),
  )
  .pipeThrough(new TextEncoderStream())
  .pipeTo(Deno.stdout.writable);
