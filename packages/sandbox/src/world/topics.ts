import { hash32, type Random } from './random.ts'

const COMMON = [
  'sales automation',
  'demand generation',
  'revenue operations',
  'customer success',
  'AI agents',
  'product led growth',
  'employer branding',
  'cloud migration',
  'account based marketing',
  'cyber security',
  'supply chain',
  'remote leadership',
  'developer tools',
  'pricing strategy',
  'digital health',
  'climate tech',
  'machine learning',
  'cold outreach',
]
const RARE = [
  'quantum networking',
  'vertical farming',
  'maritime robotics',
  'zero knowledge proofs',
  'warehouse drones',
  'protein folding',
  'carbon accounting',
  'legal hackathons',
  'museum retail',
  'satellite imagery',
  'tidal power',
  'beekeeping startups',
  'haptic gloves',
  'podcast syndication',
  'rail freight',
  'fermentation labs',
  'braille displays',
  'glacier tourism',
  'bamboo construction',
  'lighthouse customers',
]
const SAYINGS = [
  'Lately everything I do is about {}.',
  'If you are new to {}, start with the people who use it.',
  '{} changed how our team plans a week.',
  'A short note on {} after two hard quarters.',
  'We keep getting {} wrong in the same place.',
  'What I would tell anybody who buys {} this year:',
  'My notes from a week of {} interviews.',
  '{} is not a tool. It is a habit.',
]

const COMMON_SHARE = 0.94
const OWN_SHARE = 0.6

/**
 * What a post says about a topic, as one more paragraph: six posts in ten have one. Authors keep to two topics of their own more
 * often than not, so that a search for a topic finds the same people again; `author` is who that depends on.
 */
export function topicText(random: Random, author: string): string {
  if (!random.chance(0.6)) return ''
  const own = random.chance(OWN_SHARE) ? COMMON[hash32(author, 54 + random.int(2)) % COMMON.length] : undefined
  const topic = own ?? (random.chance(COMMON_SHARE) ? random.pick(COMMON) : random.pick(RARE))
  const said = random.pick(SAYINGS).replace('{}', topic)
  return `\n\n${said.charAt(0).toUpperCase()}${said.slice(1)}`
}
