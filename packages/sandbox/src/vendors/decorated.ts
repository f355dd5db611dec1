/** Some generated members write more than a name or title into theirs, as in real lists. Seeded people are shown as seeded. */
import type { Person, Position } from '../world/people.ts'
import { hash32 } from '../world/random.ts'

/** Jobs per thousand whose title names the employer. */
const employerInTitle = 50

/** Generated handles end in nine hexadecimal digits. */
const isGenerated = ({ handle }: Pick<Person, 'handle'>): boolean => /-[0-9a-f]{9}$/.test(handle)

const pick = <T>(list: readonly T[], of: string, salt: number): T => list[hash32(of, salt) % list.length]!

const boldLetters = (text: string): string =>
  text.replace(/[A-Za-z]/g, (letter) =>
    String.fromCodePoint((letter >= 'a' ? 0x1d5ee - 97 : 0x1d5d4 - 65) + letter.charCodeAt(0)),
  )

type Name = { readonly firstName: string; readonly lastName: string }

/** Per thousand members, and what they write. */
const decorations: readonly (readonly [share: number, write: (name: Name, id: string) => Name])[] = [
  [30, after(' ', ['(She/Her)', '(He/Him)', '(they/them)', '(elle)'], 92)],
  [40, after(', ', ['PhD', 'MBA', 'CPA', 'PMP®', 'Ph.D., MBA', 'CISSP'], 93)],
  [20, after(' ', ['🚀', '🌱', '☁️', '👩🏽‍💻', '🇺🇦'], 94)],
  [15, (name, id) => ({ ...name, firstName: `${pick(['Dr.', 'Prof. Dr.', 'Dr'], id, 95)} ${name.firstName}` })],
  [5, ({ firstName, lastName }) => ({ firstName: boldLetters(firstName), lastName: boldLetters(lastName) })],
]

function after(separator: string, list: readonly string[], salt: number) {
  return (name: Name, id: string): Name => ({
    ...name,
    lastName: `${name.lastName}${separator}${pick(list, id, salt)}`,
  })
}

/** A name as its owner writes it. */
export function decoratedName(person: Pick<Person, 'id' | 'handle' | 'firstName' | 'lastName' | 'name'>) {
  const { id, firstName, lastName, name } = person
  if (!isGenerated(person)) return { firstName, lastName, name }
  let drawn = hash32(id, 91) % 1000
  const [, write] = decorations.find(([share]) => (drawn -= share) < 0) ?? []
  const written = write?.({ firstName, lastName }, id) ?? { firstName, lastName }
  return { ...written, name: `${written.firstName} ${written.lastName}` }
}

export function decoratedTitle({ title, companyName, company, start }: Position): string {
  // Only generated employers; seeded data is shown as seeded.
  const drawn = hash32(`${title} ${companyName} ${start.year} ${start.month}`, 96)
  if (company === null || !/^[A-Z][a-z]+ [A-Z][a-z]+$/.test(companyName) || drawn % 1000 >= employerInTitle)
    return title
  return `${title}${pick([' at ', ' @ ', ' | ', ', '], title, 97)}${companyName}`
}
