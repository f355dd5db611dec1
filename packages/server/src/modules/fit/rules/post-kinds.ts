/**
 * What kind of post it is: a lead magnet, a vacancy, personal news (G102, G142).
 * Phrases by language.
 */
import { leadMagnets } from './lead-magnet-phrases.ts'
import { personalNews } from './news-phrases.ts'
import { findPhrase, findStatement } from './phrases.ts'
import { isRole } from './roles.ts'
import { vacancies } from './vacancy-phrases.ts'
import type { Word } from './words.ts'

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
  leadMagnet: findPhrase(words, leadMagnets),
  vacancy: findStatement(words, vacancies, isRole),
  personalNews: findStatement(words, personalNews, isRole),
})
