import { compact, flag, type Raw } from '../../app/search.ts'

/** `new`: the form of a new run is open. */
export const search = (raw: Raw) => compact({ new: flag(raw, 'new') })
