/**
 * Writing pages of one run in two units of work beside each other. Both share account and source, write what
 * takes long, and move the counts and the run last, one after the other. Nothing may stop either: what does not fit beside the other,
 * or not any more, is undone and written by itself, with everything locked. The lease is given back when both are through.
 */
import type { ClaimDeps, Claimed } from './claim.ts'
import type { FetchDeps } from './fetch.ts'
import { AccountOvertaken } from '../credits/index.ts'
import { giveRunBack } from '../runs/index.ts'
import { NotBeside, shareForPage } from './lock.ts'
import { engagementsOn, writeEngagement, type EngagementPage } from './page.ts'

/** Writes each of the units; answers the pages of those that have to be written by themselves, in their order. */
export async function writeBeside(
  { unitOfWork, faultPoint }: Pick<FetchDeps, 'faultPoint'> & Pick<ClaimDeps, 'unitOfWork'>,
  { run }: Pick<Claimed, 'run'>,
  units: readonly (readonly EngagementPage[])[],
): Promise<readonly EngagementPage[]> {
  const needed = engagementsOn(units.flat())
  const outcomes = await Promise.allSettled(
    units.map((pages) =>
      unitOfWork(async (tx) => {
        const locked = await shareForPage(tx, run, needed)
        await writeEngagement(tx, { locked, faultPoint }, pages)
      }),
    ),
  )
  const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  const unexpected = failures.find((each) => !(each instanceof NotBeside || each instanceof AccountOvertaken))
  if (unexpected !== undefined) throw unexpected
  await faultPoint('capture.beside-written')
  if (failures.length === 0) await unitOfWork((tx) => giveRunBack(tx, run))
  return units.flatMap((pages, at) => (outcomes[at]!.status === 'rejected' ? pages : []))
}
