/** Texts of any characters for properties. */
import fc from 'fast-check'

/** Every character there is, apart from halves of pairs. */
const character = fc
  .integer({ min: 0, max: 0x10_f7_ff })
  .map((at) => String.fromCodePoint(at < 0xd8_00 ? at : at + 0x8_00))

/**
 * Texts of any characters at all, and those that often make trouble. The same as `fc.string({ unit: 'binary' })`, which takes seconds to be
 * made: it lists every character there is first.
 */
export const anyText = (most = 10): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.array(character, { maxLength: most }).map((characters) => characters.join('')) },
    { weight: 1, arbitrary: fc.string({ maxLength: most }) },
  )
