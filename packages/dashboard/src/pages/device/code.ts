/** A code as it was typed or followed, as the terminal shows it. */
export const tidyCode = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 12)
