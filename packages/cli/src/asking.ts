import type { Readable, Writable } from 'node:stream'

/** Questions at a terminal; undefined: the question was interrupted. */
export type Asking = {
  readonly confirm: (question: string) => Promise<boolean | undefined>
  readonly secret: (question: string) => Promise<string | undefined>
  readonly choose: (
    question: string,
    choices: readonly { readonly value: string; readonly label: string }[],
  ) => Promise<string | undefined>
}

/** Aborts the signal when the input ends: prompts handle Ctrl-C, but would wait for ever after Ctrl-D. */
async function untilInputEnds<T>(
  input: Readable,
  signal: AbortSignal,
  work: (stopped: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController()
  const end = (): void => ended.abort()
  const pressed = (_text: unknown, key?: { readonly ctrl?: boolean; readonly name?: string }): void => {
    if (key?.ctrl === true && key.name === 'd') end()
  }
  input.on('keypress', pressed).once('end', end)
  try {
    return await work(AbortSignal.any([signal, ended.signal]))
  } finally {
    input.off('keypress', pressed).off('end', end)
  }
}

/** Asks on `output`, apart from the data. Ctrl-C, Esc, Ctrl-D, a closed terminal and `signal` interrupt a question. */
export function asking(
  { input, output }: { readonly input: () => Readable; readonly output: () => Writable },
  signal: AbortSignal,
): Asking {
  const ask = async <T>(
    prompt: (prompts: typeof import('@clack/prompts'), ends: PromptEnds) => Promise<T | symbol>,
  ): Promise<T | undefined> => {
    const prompts = await import('@clack/prompts')
    const answer = await untilInputEnds(input(), signal, (stopped) =>
      prompt(prompts, { input: input(), output: output(), signal: stopped }),
    )
    return prompts.isCancel(answer) ? undefined : (answer as T)
  }
  return {
    confirm: (message) => ask<boolean>(({ confirm }, ends) => confirm({ message, initialValue: false, ...ends })),
    secret: (message) => ask<string>(({ password }, ends) => password({ message, ...ends })),
    choose: (message, choices) =>
      ask<string>(({ select }, ends) => select({ message, options: [...choices], ...ends })),
  }
}

type PromptEnds = { readonly input: Readable; readonly output: Writable; readonly signal: AbortSignal }
