/** The words of a command are wrong; the message says how to write it. */
export class UsageError extends Error {}

/** Where a command writes. */
export type Output = { readonly out: (text: string) => void; readonly err: (text: string) => void }

/** Parses by `parse`, which throws for wrong words. */
export function parseWords<T>(usage: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${usage}`)
  }
}

/** Runs a command and writes why it failed; returns 0, or 1 when it failed, or 2 when its words are wrong. */
export async function report(name: string, { err }: Pick<Output, 'err'>, run: () => Promise<void>): Promise<number> {
  try {
    await run()
    return 0
  } catch (error) {
    const isUsage = error instanceof UsageError
    const message = error instanceof Error ? error.message : String(error)
    err(isUsage ? message : `les-server ${name}: ${message}\n`)
    return isUsage ? 2 : 1
  }
}
