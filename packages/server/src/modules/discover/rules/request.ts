/** What a run is asked for, as it is kept (G90; DIS-22). */
import { foldText } from '@les/contract'
import { cleanCountry } from '../../../platform/rules/countries.ts'

/** What a run looks for. */
export type RunRequest = {
  readonly keywords: readonly string[]
  readonly countries: readonly string[]
  readonly minEngagement: number
  readonly maxInfluencers: number
}

function onceEach(texts: readonly string[]): string[] {
  const seen = new Set<string>()
  return texts.filter((text) => {
    const key = foldText(text)
    return !seen.has(key) && seen.add(key)
  })
}

/** Countries cleaned, and nothing twice: the same keyword again would find the same posts. */
export const cleanRequest = (request: RunRequest): RunRequest => ({
  ...request,
  keywords: onceEach(request.keywords),
  countries: onceEach(request.countries.map(cleanCountry)),
})
