/**
 * Finds the regular expression literals of a TypeScript text: a scanner that knows comments, strings and templates, and
 * where a slash divides.
 */

/** A literal: what stands between the slashes, its flags, and its line (1 is the first). */
export type FoundRegex = { readonly source: string; readonly flags: string; readonly line: number }

/** Words after which a slash begins a regular expression. */
const before = /(?:^|[^\w$.])(?:return|case|typeof|in|of|void|delete|throw|new|do|else|yield|await)$/

/** Index behind a quoted text that begins at `at`. */
function afterString(text: string, at: number): number {
  const quote = text[at]
  let index = at + 1
  while (index < text.length && text[index] !== quote && text[index] !== '\n') index += text[index] === '\\' ? 2 : 1
  return index + 1
}

/** Index behind the pattern that begins at `at`, or -1 when a line ends first: then it was a division. */
function afterPattern(text: string, at: number): number {
  let inClass = false
  for (let index = at + 1; index < text.length && text[index] !== '\n'; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === '[') inClass = true
    else if (text[index] === ']') inClass = false
    else if (text[index] === '/' && !inClass) return index + 1
  }
  return -1
}

/** True when a slash behind `said` begins an expression and divides nothing. */
const beginsExpression = (said: string): boolean => {
  const last = said.trimEnd()
  return last === '' || /[(,=:[!&|?{};+*%~^<>-]$/.test(last) || before.test(last)
}

/** Every literal of a text, in order. */
export function findRegexes(text: string): FoundRegex[] {
  const found: FoundRegex[] = []
  // Braces open in each template, from the outermost in.
  const templates: number[] = []
  let index = 0
  let said = ''
  const inTemplate = (from: number): number => {
    let at = from
    while (at < text.length && text[at] !== '`') {
      if (text.startsWith('${', at)) {
        templates.push(0)
        said = '('
        return at + 2
      }
      at += text[at] === '\\' ? 2 : 1
    }
    said = 'x'
    return at + 1
  }
  while (index < text.length) {
    const character = text[index]!
    if (text.startsWith('//', index)) index = text.indexOf('\n', index) < 0 ? text.length : text.indexOf('\n', index)
    else if (text.startsWith('/*', index)) index = text.indexOf('*/', index + 2) + 2
    else if (character === "'" || character === '"') {
      // In the text of a page an apostrophe is one: a line that ends first was no string.
      const end = afterString(text, index)
      index = text[end - 1] === '\n' ? index + 1 : end
      said = 'x'
    } else if (character === '`') index = inTemplate(index + 1)
    else if (character === '}' && templates.at(-1) === 0) {
      templates.pop()
      index = inTemplate(index + 1)
    } else if (character === '/' && beginsExpression(said) && afterPattern(text, index) > 0) {
      const end = afterPattern(text, index)
      const flags = /^[a-z]*/.exec(text.slice(end, end + 10))![0]
      const line = text.slice(0, index).split('\n').length
      found.push({ source: text.slice(index + 1, end - 1), flags, line })
      index = end + flags.length
      said = 'x'
    } else {
      if (character === '{' && templates.length > 0) templates[templates.length - 1]! += 1
      if (character === '}' && templates.length > 0) templates[templates.length - 1]! -= 1
      if (!/\s/.test(character)) said = (said + character).slice(-12)
      else if (/[\w$]$/.test(said)) said = `${said} `.slice(-12)
      index++
    }
  }
  return found
}
