/**
 * How much a run does: `npm test` enough to show each guarantee, `npm run test:long` (`LES_TEST_LONG=1`) everything, a build's
 * second pass (`LES_TEST_SECOND_PASS=1`), on another database and three shards, what these can change (`test/databases.ts`).
 */
import type { StatementNames } from '../../src/platform/db/prepared.ts'

const of = (name: string): boolean => process.env[name] === '1'

/** `npm run test:long`. */
export const long: boolean = of('LES_TEST_LONG')

/**
 * Whether Prism's validators check every call of a world: in the long run or with `LES_TEST_VALIDATED=1`.
 * `LES_TEST_UNVALIDATED=1` turns it off, for machines without a package registry.
 */
export const validated: boolean = (long || of('LES_TEST_VALIDATED')) && !of('LES_TEST_UNVALIDATED')

/** The build's second pass, on a second database. */
export const secondPass: boolean = !long && of('LES_TEST_SECOND_PASS')

/**
 * Which statements a world's pools prepare: all in the usual run, because planning took two fifths of the database time; in the
 * long run those of the service, which also covers statements planned for their values.
 */
export const statementNames: StatementNames | undefined = long ? undefined : 'all'

/** For the few files with the largest statements: makes the second pass prepare as the service does. */
export const preparedAsInService: { readonly statementNames?: StatementNames | undefined } = secondPass
  ? { statementNames: undefined }
  : {}

/** Picks a value for the usual run, the long run or the second pass. */
export function amount<T>(usual: T, whole: T, again: T = usual): T {
  if (long) return whole
  return secondPass ? again : usual
}

/** All items, or every second one (at least one) in the second pass. */
const halfInSecondPass = <T>(items: readonly T[]): readonly T[] =>
  secondPass ? items.filter((_each, place) => place % 2 === 0) : items

/**
 * All items in the long run; else one of `parts` parts (in the second pass half of it): with another `at` for each subject, every
 * item is tried on some subject.
 */
export const rotatingShare = <T>(items: readonly T[], at: number, parts: number): readonly T[] =>
  long ? items : halfInSecondPass(items.filter((_each, place) => place % parts === at % parts))

/** A number from the environment variable `name`, for measurements that are not part of a test run. */
export const sized = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise)
