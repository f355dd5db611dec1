/** Removes accents from Latin letters; combining marks of other scripts stay, since they are part of their letters. */
export const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
