/** Kinds of posts: lead magnets, vacancies, personal news (G102, G142). `readPhrases` explains the syntax of the JSON tables. */
import leadMagnets from './lead-magnets.json' with { type: 'json' }
import personalNews from './personal-news.json' with { type: 'json' }
import { findPhrase, findStatement, readPhrases } from './phrases.ts'
import { isRole } from './roles.ts'
import vacancies from './vacancies.json' with { type: 'json' }
import type { Word } from './words.ts'

const leadMagnetPhrases = readPhrases(leadMagnets)
const vacancyPhrases = readPhrases(vacancies)
const personalNewsPhrases = readPhrases(personalNews)

/** The kinds of a post; each field is the phrase that shows it. */
export type PostKinds = {
  readonly leadMagnet: string | null
  readonly vacancy: string | null
  readonly personalNews: string | null
}

/** Judges a post by its words. Hashtags, negations, questions and quotations make no vacancy and no personal news. */
export const kindsOf = (words: readonly Word[]): PostKinds => ({
  leadMagnet: findPhrase(words, leadMagnetPhrases),
  vacancy: findStatement(words, vacancyPhrases, isRole),
  personalNews: findStatement(words, personalNewsPhrases, isRole),
})
