/** Some generated members write more than a name or title into theirs, as in real lists. Seeded people are shown as seeded. */
import type { Person, Position } from '../world/people.ts'
import { hash32 } from '../world/random.ts'

/** Per thousand members. */
export const decorationShares = { pronouns: 30, credentials: 40, pictures: 20, address: 15, boldLetters: 5 } as const

/** Jobs per thousand whose title names the employer. */
export const employerInTitle = 50

/** Generated handles end in nine hexadecimal digits. */
const isGenerated = ({ handle }: Pick<Person, 'handle'>): boolean => /-[0-9a-f]{9}$/.test(handle)

const pick = <T>(list: readonly T[], of: string, salt: number): T => list[hash32(of, salt) % list.length]!

const boldLetters = (text: string): string =>
  text.replace(/[A-Za-z]/g, (letter) =>
    String.fromCodePoint((letter >= 'a' ? 0x1d5ee - 97 : 0x1d5d4 - 65) + letter.charCodeAt(0)),
  )

/** A name as its owner writes it. */
export function decoratedName(person: Pick<Person, 'id' | 'handle' | 'firstName' | 'lastName' | 'name'>): {
  firstName: string
  lastName: string
  name: string
} {
  const { id, firstName, lastName, name } = person
  if (!isGenerated(person)) return { firstName, lastName, name }
  const decorated = decorate(id, firstName, lastName)
  return { ...decorated, name: `${decorated.firstName} ${decorated.lastName}` }
}

function decorate(id: string, firstName: string, lastName: string): { firstName: string; lastName: string } {
  let drawn = hash32(id, 91) % 1000
  for (const [kind, share] of Object.entries(decorationShares)) {
    if (drawn >= share) {
      drawn -= share
      continue
    }
    if (kind === 'pronouns')
      return { firstName, lastName: `${lastName} ${pick(['(She/Her)', '(He/Him)', '(they/them)', '(elle)'], id, 92)}` }
    if (kind === 'credentials')
      return {
        firstName,
        lastName: `${lastName}, ${pick(['PhD', 'MBA', 'CPA', 'PMP®', 'Ph.D., MBA', 'CISSP'], id, 93)}`,
      }
    if (kind === 'pictures')
      return { firstName, lastName: `${lastName} ${pick(['🚀', '🌱', '☁️', '👩🏽‍💻', '🇺🇦'], id, 94)}` }
    if (kind === 'address') return { firstName: `${pick(['Dr.', 'Prof. Dr.', 'Dr'], id, 95)} ${firstName}`, lastName }
    return { firstName: boldLetters(firstName), lastName: boldLetters(lastName) }
  }
  return { firstName, lastName }
}

export function decoratedTitle({ title, companyName, company, start }: Position): string {
  // Only generated employers; seeded data is shown as seeded.
  const drawn = hash32(`${title} ${companyName} ${start.year} ${start.month}`, 96)
  if (company === null || !/^[A-Z][a-z]+ [A-Z][a-z]+$/.test(companyName) || drawn % 1000 >= employerInTitle)
    return title
  return `${title}${pick([' at ', ' @ ', ' | ', ', '], title, 97)}${companyName}`
}
