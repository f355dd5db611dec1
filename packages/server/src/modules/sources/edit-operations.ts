/** Handlers of `PATCH /profile/{username}` and `PATCH /company/{username}` (specification «Tracked person and company sources»). */
import {
  alwaysBefore,
  echoedByEdit,
  pickSettings,
  settingsOf,
  type Answer,
  type Input,
  type OperationOf,
  type SourceSetting,
  type SourceSettings,
} from '@les/contract'
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Caller, Handlers, Settled, WriteContext } from '../accounts/index.ts'
import { mayBeTriedAgain, type Tx } from '../../platform/db/unit-of-work.ts'
import { Refusal, refuse } from '../../platform/refusal.ts'
import { confirmIn, readBalance } from '../credits/index.ts'
import { decideEdit } from './rules/edit.ts'
import { lockActiveSource } from './find.ts'
import { saveSettings } from './store.ts'
import type { Source, SourceName } from './row.ts'

type EditInput = Input<OperationOf<'editProfile'>>
type Edited = Answer<OperationOf<'editProfile'>>
type Kind = 'person' | 'company'

/** Locks what is to be edited and reads how it stands; a read that fails is 502 and changes nothing (TRK-21). */
async function readPresent(
  tx: Tx,
  {
    faultPoint,
    caller,
    name,
  }: { readonly faultPoint: FaultPointHook; readonly caller: Caller; readonly name: SourceName },
): Promise<Source> {
  try {
    await faultPoint('mode_read')
    return (await lockActiveSource(tx, caller.teamId, name)) ?? refuse('not_tracked')
  } catch (error) {
    if (error instanceof Refusal || mayBeTriedAgain(error)) throw error
    return refuse('mode_unreadable')
  }
}

const namedIn = <K extends SourceSetting & keyof EditInput>(input: EditInput, names: readonly K[]): K[] =>
  names.filter((name) => input[name] !== undefined)

function presentEdit({
  source,
  type,
  input,
  settings,
}: {
  readonly source: Source
  readonly type: Kind
  readonly input: EditInput
  readonly settings: SourceSettings
}): Edited {
  const before = source.settings
  return {
    sourceId: source.id,
    type,
    username: source.username,
    creditCapPerSync: settings.creditCapPerSync,
    ...pickSettings(settings, namedIn(input, echoedByEdit)),
    previous: {
      ...pickSettings(before, alwaysBefore),
      ...(input.mode === undefined ? {} : { mode: before.mode, postsPerSync: before.postsPerSync }),
    },
  }
}

/** The handlers of edits. */
export function editOperations(deps: { faultPoint: FaultPointHook }): Handlers<'editProfile' | 'editCompany'> {
  const edit = (type: Kind, input: EditInput, { caller, unitOfWork }: WriteContext<Edited>): Promise<Settled<Edited>> =>
    unitOfWork(async (tx) => {
      const source = await readPresent(tx, {
        faultPoint: deps.faultPoint,
        caller,
        name: { type, username: input.username },
      })
      const { balance } = await readBalance(tx.db, caller.teamId, tx.now)
      const decision = decideEdit(source.settings, {
        named: pickSettings(input, settingsOf('edit')),
        confirmSpend: input.confirmSpend,
        balance,
      })
      if (decision.kind === 'refused')
        return refuse('spend_confirmation_required', decision.figures, confirmIn(decision.figures.mode))
      await saveSettings(tx, source, decision.settings)
      return presentEdit({ source, type, input, settings: decision.settings })
    })
  return {
    editProfile: (input, context) => edit('person', input, context),
    editCompany: (input, context) => edit('company', input, context),
  }
}
