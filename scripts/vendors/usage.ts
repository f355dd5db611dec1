/** Options of a tool, from one list: what is read and what its usage says are the same. */
import { parseArgs } from 'node:util'

/** Something its user can mend: said in one line, without a stack. */
export class UsageError extends Error {}

type Option =
  | { readonly type: 'string'; readonly default: string; readonly value: string; readonly about: string }
  | { readonly type: 'boolean'; readonly default: false; readonly about: string }

/** Options by name. */
export type Options = Readonly<Record<string, Option>>

type Values<T extends Options> = { readonly [K in keyof T]: T[K]['type'] extends 'string' ? string : boolean }

/** What a tool says of itself: one line each for what it does and for every option. */
export function usageOf(command: string, about: string, options: Options): string {
  const rows = Object.entries(options).map(([name, option]) => [
    `  --${name}${option.type === 'string' ? ` ${option.value}` : ''}`,
    option.default === false || option.default === '' ? option.about : `${option.about} (${option.default})`,
  ])
  rows.push(['  --help', 'says this'])
  const width = Math.max(...rows.map(([left]) => left!.length))
  return [
    `npm run ${command} -- [options]`,
    about,
    '',
    ...rows.map(([left, right]) => `${left!.padEnd(width)}  ${right}`),
  ].join('\n')
}

/** Reads the options; a name or a value that is not known throws a `UsageError`. `help`: nothing but the usage is asked for. */
export function readOptions<T extends Options>(
  options: T,
  args: readonly string[],
): { readonly help: boolean; readonly values: Values<T> } {
  const known = Object.fromEntries(
    Object.entries(options).map(([name, { type, default: value }]) => [name, { type, default: value }]),
  )
  try {
    const { values } = parseArgs({ args: [...args], options: { ...known, help: { type: 'boolean', short: 'h' } } })
    return { help: values.help === true, values: values as Values<T> }
  } catch (error) {
    if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
      throw new UsageError(error.message)
    throw error
  }
}

/** Reads the options and runs the tool: `--help` prints the usage and ends with 0, a mistake of its user is said and ends with 2. */
export async function runTool<T extends Options>(
  tool: { readonly command: string; readonly about: string; readonly options: T },
  run: (values: Values<T>) => Promise<void>,
): Promise<void> {
  const usage = usageOf(tool.command, tool.about, tool.options)
  try {
    const { help, values } = readOptions(tool.options, process.argv.slice(2))
    if (help) console.log(usage)
    else await run(values)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`${error.message}\n\n${usage}`)
    process.exitCode = 2
  }
}
