/**
 * What kind of post it is: a lead magnet, a vacancy, personal news (G102, G142).
 * The phrases, by language, are data beside this file; how one is written stands at `readPhrases`.
 */
import leadMagnets from './lead-magnets.json' with { type: 'json' }
import personalNews from './personal-news.json' with { type: 'json' }
import { findPhrase, findStatement, readPhrases } from './phrases.ts'
import { isRole } from './roles.ts'
import vacancies from './vacancies.json' with { type: 'json' }
import type { Word } from './words.ts'

const leadMagnetPhrases = readPhrases(leadMagnets)
const vacancyPhrases = readPhrases(vacancies)
const personalNewsPhrases = readPhrases(personalNews)

/** What a post is, besides what it is about; each names the phrase that gave it away. */
export type PostKinds = {
  readonly leadMagnet: string | null
  readonly vacancy: string | null
  readonly personalNews: string | null
}

/**
 * Judges a post by the words of its text. A vacancy and personal news have to be stated: a hashtag alone, a negation, a
 * question or a quotation makes none.
 */
export const kindsOf = (words: readonly Word[]): PostKinds => ({
  leadMagnet: findPhrase(words, leadMagnetPhrases),
  vacancy: findStatement(words, vacancyPhrases, isRole),
  personalNews: findStatement(words, personalNewsPhrases, isRole),
})
