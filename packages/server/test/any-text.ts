import fc from 'fast-check'

const character = fc
  .integer({ min: 0, max: 0x10_f7_ff })
  .map((at) => String.fromCodePoint(at < 0xd8_00 ? at : at + 0x8_00))

/** Arbitrary texts, often troublesome ones. `fc.string({ unit: 'binary' })` takes seconds to list all characters. */
export const anyText = (most = 10): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.array(character, { maxLength: most }).map((characters) => characters.join('')) },
    { weight: 1, arbitrary: fc.string({ maxLength: most }) },
  )
