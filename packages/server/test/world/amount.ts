/**
 * How much of what is long by nature a run does: `npm test` a part that shows each guarantee, `npm run test:long` all of it
 * (`LES_TEST_LONG=1`), and the second pass of a build, on another database and three shards, the part that these can change
 * (`LES_TEST_SECOND_PASS=1`; which files it leaves out is listed in `test/databases.ts`).
 */
import type { StatementNames } from '../../src/platform/db/prepared.ts'

const of = (name: string): boolean => process.env[name] === '1'

/** `npm run test:long`. */
export const long: boolean = of('LES_TEST_LONG')

/**
 * Every call of a world is held against the description, by another project's validators: in the long run, or where
 * `LES_TEST_VALIDATED=1` asks for it; not with `LES_TEST_UNVALIDATED=1`, for want of a registry.
 */
export const validated: boolean = (long || of('LES_TEST_VALIDATED')) && !of('LES_TEST_UNVALIDATED')

/** The pass of a build on a second database, when the first has shown everything. */
export const secondPass: boolean = !long && of('LES_TEST_SECOND_PASS')

/**
 * Which statements the pools of a world prepare. Two fifths of what tests ask of PostgreSQL was planning, as a file asks most of its
 * statements a few times: a build plans each once for a connection. The long run prepares as the service does, so that what it usually
 * runs, statements planned for their values, is run as well.
 */
export const statementNames: StatementNames | undefined = long ? undefined : 'all'

/** For the worlds of a few files that ask the largest statements: the second pass prepares them as the service does too. */
export const preparedAsInService: { readonly statementNames?: StatementNames | undefined } = secondPass
  ? { statementNames: undefined }
  : {}

/** One of three: for every run, for the long one, for the second pass. */
export function amount<T>(usual: T, whole: T, again: T = usual): T {
  if (long) return whole
  return secondPass ? again : usual
}

/** All of what is tried; every second in the second pass, and never nothing. */
export const orHalf = <T>(of: readonly T[]): readonly T[] =>
  secondPass ? of.filter((_each, place) => place % 2 === 0) : of

/**
 * In the usual run one part of what is tried, another for each thing it is tried on, so that all is tried on some; in the second pass half of
 * that; else all of it.
 */
export const part = <T>(of: readonly T[], at: number, parts: number): readonly T[] =>
  long ? of : orHalf(of.filter((_each, place) => place % parts === at % parts))

/** A size that a run may set by an environment variable, for figures that no test run waits for. */
export const sized = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise)
