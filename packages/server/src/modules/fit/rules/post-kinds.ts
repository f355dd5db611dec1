/** What kind of post it is: a lead magnet, a vacancy, personal news (specification «Agent lead», scoring; G102). Phrases by language. */
import { leadMagnets } from './lead-magnet-phrases.ts'
import { personalNews } from './news-phrases.ts'
import { vacancies } from './vacancy-phrases.ts'
import { findPhrase, type Word } from './words.ts'

/** What a post is, besides what it is about; each names the phrase that gave it away. */
export type PostKinds = { readonly leadMagnet: string | null; readonly vacancy: string | null; readonly personalNews: string | null }

const vacancyMark = /#(?:we(?:a?re)?)?hiring\b|^[^\p{L}]*(?:now\s+)?hiring\s*[:!–-]|#jobs?\b|#nowhiring\b|#vacature\b|#recrutement\b|#wirsuchendich\b/iu
const newsMark = /#opentowork\b|#newjob\b|#newrole\b|#personalnews\b/iu

/** Judges a post by its text; `words` are the same text's. */
export function kindsOf(text: string, words: readonly Word[]): PostKinds {
  return {
    leadMagnet: findPhrase(words, leadMagnets),
    vacancy: vacancyMark.exec(text)?.[0].trim() ?? findPhrase(words, vacancies),
    personalNews: newsMark.exec(text)?.[0] ?? findPhrase(words, personalNews),
  }
}
