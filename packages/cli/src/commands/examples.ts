/** Examples as the head of a help text. */
export function examplesHelp(lines: readonly string[]): string {
  return `Examples:\n${lines.map((line) => `  $ ${line}\n`).join('')}`
}
