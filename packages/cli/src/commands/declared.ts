/** `les config pull|plan|apply|validate|import|schema`: a team's settings as a file. */
import { readFileSync, writeFileSync } from 'node:fs'
import { catalogue } from '../catalogue/load.ts'
import { readCsv } from '../declared/csv.ts'
import { readCurrent, type Current } from '../declared/current.ts'
import { fileSchema, identityOf, readDeclared, sectionNames, type Declared } from '../declared/document.ts'
import { changeLists, leadsTouched } from '../declared/exclusions.ts'
import { peopleIn } from '../declared/people-csv.ts'
import { costOf, planOf, type Plan, type Step } from '../declared/plan.ts'
import { addSources, emptyFile, parseFile, resolved, updateFile } from '../declared/yaml.ts'
import { exitCodes } from '../exit-codes.ts'
import { Failure, isApiError, stopped, usage } from '../failure.ts'
import { printNote, type Shell } from '../options.ts'
import { plain } from '../output/text.ts'
import { openSession, type Session } from '../session.ts'
import type { Given } from './own-command.ts'

type FileOptions = { readonly file: string; readonly prune?: boolean; readonly confirmSpend?: boolean }

const ifThere = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function read(file: string, env: Shell['env']): Declared {
  const text = ifThere(file)
  if (text === null) throw usage(`${file} cannot be read: les config pull --file ${file} makes it`)
  const missing: string[] = []
  const { declared, problems } = readDeclared(resolved(parseFile(text, file).toJSON(), env, missing))
  if (missing.length > 0) throw usage(`${file} needs ${[...new Set(missing)].join(', ')} in the environment`)
  if (problems.length === 0) return declared
  throw usage([`${file} is not valid:`, ...problems.map(({ where, what }) => `  ${where} ${what}`)].join('\n'))
}

async function currentFor(session: Session, declared: Declared): Promise<Current> {
  const named = new Map(declared.sources.map((source) => [identityOf(source), source]))
  const wanted = (identity: string) => sectionNames.filter((section) => named.get(identity)?.[section] !== undefined)
  const lists = [...(declared.exclusions?.keys() ?? [])]
  return readCurrent(await session.client(), wanted, { agent: declared.agent !== undefined, lists })
}

const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return plain(text.length > 60 ? `${text.slice(0, 57)}...` : text)
}

/** A plan with the number of leads that each exclusion list's changes affect. */
type Shown = Plan & { readonly touched: readonly number[] }

async function shownPlan(session: Session, plan: Plan): Promise<Shown> {
  const client = await session.client()
  const touched: number[] = []
  for (const change of plan.exclusions) touched.push(await leadsTouched(client, change))
  return { ...plan, touched }
}

const listLine = ({ exclusions, touched }: Shown, at: number): string => {
  const { list, added, removed } = exclusions[at]!
  return `~ exclusions ${plain(list)}: ${added.length} added, ${removed.length} removed, ${touched[at]} leads touched`
}

function planText(plan: Shown, balance: number): string {
  const lines = plan.steps.flatMap((step) => [
    `${step.sign} ${plain(step.what)}`,
    ...step.changes.map(({ field, from, to }) =>
      step.sign === '+' ? `    ${field}: ${short(to)}` : `    ${field}: ${short(from)} -> ${short(to)}`,
    ),
  ])
  lines.push(...plan.exclusions.map((_change, at) => listLine(plan, at)))
  const { atMost, unlimited } = costOf(plan)
  const withoutLimit =
    unlimited.length === 0 ? '' : `, and without any limit: ${unlimited.map(plain).join('; ')} (set creditCapPerSync)`
  const cost =
    atMost === 0 && unlimited.length === 0
      ? []
      : [`Credits: at most ${atMost} a day more${withoutLimit}; ${balance} left now.`]
  const kept =
    plan.notDeclared.length === 0
      ? []
      : [`${plan.notDeclared.length} tracked and not in the file: kept; --prune untracks them.`]
  const fixed = plan.fixed.map((line) => `! ${plain(line)}`)
  const todo = plan.steps.length + plan.exclusions.length
  const head = todo === 0 ? 'Nothing to do.' : `${todo} to do:`
  return `${[head, ...lines, ...fixed, ...kept, ...cost].join('\n')}\n`
}

const planJson = (plan: Shown, balance: number) => ({
  steps: plan.steps.map(({ sign, what, changes, operationId, dailyCredits, spends }) => ({
    sign,
    what,
    changes,
    operationId,
    dailyCredits,
    spends,
  })),
  exclusions: plan.exclusions.map(({ list, added, removed }, at) => ({
    list,
    added: added.length,
    removed: removed.length,
    leadsTouched: plan.touched[at],
  })),
  fixed: plan.fixed,
  notDeclared: plan.notDeclared.map(({ id }) => id),
  cost: costOf(plan),
  balance,
})

/** Writes the current settings into the file, keeping its comments. */
export async function pull({ options, shell }: Given<FileOptions>): Promise<void> {
  const session = openSession(options, shell)
  const before = ifThere(options.file)
  const document = before === null ? emptyFile() : parseFile(before, options.file)
  const current = await readCurrent(await session.client(), () => sectionNames, { agent: true, lists: 'all' })
  updateFile(document, current, shell.env)
  const text = document.toString({ lineWidth: 100 })
  if (text !== before) writeFileSync(options.file, text, { mode: 0o600 })
  printNote(
    shell,
    `${current.sources.size} sources in ${options.file}${text === before ? ', which was up to date' : ''}`,
  )
}

/** Checks the file without calling the service. */
export async function validate({ options, shell }: Given<FileOptions>): Promise<void> {
  const { sources, agent } = read(options.file, shell.env)
  printNote(shell, `${options.file} is valid: ${sources.length} sources${agent ? ', and the agent' : ''}`)
}

/** Shows the planned changes and their cost. */
export async function plan({ options, shell }: Given<FileOptions>): Promise<void> {
  const declared = read(options.file, shell.env)
  const session = openSession(options, shell)
  const current = await currentFor(session, declared)
  const made = await shownPlan(session, planOf(declared, current, options.prune === true))
  shell.stdout.write(
    options.json === undefined
      ? planText(made, current.balance)
      : `${JSON.stringify(planJson(made, current.balance))}\n`,
  )
}

async function agree(made: Shown, current: Current, given: Given<FileOptions>): Promise<void> {
  const { options, shell } = given
  const spends = made.steps.some((step) => step.spends)
  if (!spends || options.confirmSpend) return
  if (!shell.mayAsk) {
    // The figures go to standard output: a calling script decides by them, as with every other charge.
    shell.stdout.write(`${JSON.stringify(planJson(made, current.balance))}\n`)
    throw new Failure(exitCodes.spendConfirmation, 'this costs credits: nothing was changed')
  }
  shell.stderr.write(planText(made, current.balance))
  const yes = await shell.ask.confirm('This costs credits. Go ahead?')
  if (yes === undefined) throw stopped()
  if (!yes) throw new Failure(exitCodes.spendConfirmation, 'not confirmed: nothing was changed')
}

async function perform(session: Session, step: Step, made: ReadonlyMap<string, string>): Promise<string | undefined> {
  const entry = catalogue.entries.find(({ id }) => id === step.operationId)!
  const takes = (field: string) => entry.fields.some(({ name }) => name === field)
  const yes = {
    ...(step.spends && takes('confirmSpend') ? { confirmSpend: true } : {}),
    // A search that was tracked before resumes with its old settings; this confirms that the file's replace them.
    ...(step.tracks !== undefined && takes('confirmChanges') ? { confirmChanges: true } : {}),
  }
  const id = step.ofSource === undefined ? {} : { id: made.get(step.ofSource) }
  try {
    const { value } = await session.call(entry, { ...step.input, ...id, ...yes })
    return typeof value.sourceId === 'string' ? value.sourceId : undefined
  } catch (error) {
    if (isApiError(error)) error.message = `${step.sign} ${step.what}: ${error.message}`
    throw error
  }
}

/** Applies the plan; stops at the first refusal, and a second run continues from there. */
export async function apply(given: Given<FileOptions>): Promise<void> {
  const { options, shell } = given
  const declared = read(options.file, shell.env)
  const session = openSession(options, shell)
  const current = await currentFor(session, declared)
  const made = await shownPlan(session, planOf(declared, current, options.prune === true))
  await agree(made, current, given)
  // Exclusions come first, so that the steps below deliver nobody who is on a list.
  for (const [at] of made.exclusions.entries()) printNote(shell, listLine(made, at))
  await changeLists(await session.client(), made.exclusions)
  const ids = new Map<string, string>()
  for (const [at, step] of made.steps.entries()) {
    if (step.ofSource !== undefined && !ids.has(step.ofSource))
      for (const [identity, { id }] of (await currentFor(session, { sources: [], agent: undefined })).sources)
        ids.set(identity, id)
    printNote(shell, `${at + 1}/${made.steps.length} ${step.sign} ${plain(step.what)}`)
    const id = await perform(session, step, ids)
    if (step.tracks !== undefined && id !== undefined) ids.set(step.tracks, id)
  }
  const done = made.steps.length + made.exclusions.length
  const left = done === 0 ? made : planOf(declared, await currentFor(session, declared), options.prune === true)
  const drift = left.steps.length + left.exclusions.length
  if (options.json !== undefined) shell.stdout.write(`${JSON.stringify({ done, drift, fixed: left.fixed })}\n`)
  if (drift > 0) {
    const text = planText(await shownPlan(session, left), current.balance)
    throw new Failure(exitCodes.api, `done, and the service has it otherwise:\n${text}`)
  }
  printNote(shell, done === 0 ? 'Nothing to do.' : `Done: ${done}, and nothing differs.`)
}

export async function importPeople({ args, options, shell }: Given<FileOptions>): Promise<void> {
  const { people, skipped } = peopleIn(readCsv(args[0]!))
  const before = ifThere(options.file)
  const document = before === null ? emptyFile() : parseFile(before, options.file)
  const added = addSources(document, people, shell.env)
  writeFileSync(options.file, document.toString({ lineWidth: 100 }), { mode: 0o600 })
  printNote(
    shell,
    `${added} people added to ${options.file}, ${people.length - added} were there` +
      `${skipped > 0 ? `, ${skipped} records hold no handle` : ''}; les config plan shows what they cost`,
  )
}

export async function schema({ shell }: Given<object>): Promise<void> {
  shell.stdout.write(`${JSON.stringify(fileSchema(), null, 2)}\n`)
}
