/**
 * Where an error arose, out of the text of its stack. That text begins with the error's message, which may be
 * somebody's and may hold lines that look like places; so a line counts only when the place is in this program.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const mostFrames = 12
const mostFiles = 50

/** `at work (file:///place.ts:1:2)` or `at file:///place.ts:1:2`; what is longer is no line of ours. */
const frame =
  /^ {4}at (?:([^()]{1,200}) \()?((?:file:\/\/(?:\/[A-Za-z]:)?|[A-Za-z]:)?[/\\][^():]{1,500}):(\d{1,7}):(\d{1,7})\)?$/

/** What a place is called: `async Type.work`, `new Type`, `Object.work [as name]`. */
const calledAs = /^(?:async )?(?:new )?([\w$#.]{1,120})(?: \[as ([\w$]{1,60})\])?$/

/** Types that the runtime names by itself. */
const ofRuntime: ReadonlySet<string> = new Set(['Object', 'Function', 'Array', 'Promise', 'Module'])

/** The folder of this program: the built tree, or the checkout. */
function programFolder(): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'packages')) || existsSync(join(folder, 'les-server.mjs'))) return folder
  return import.meta.dirname
}

/** Reads a file of the program; null for what is none. */
type ReadLines = (path: string) => ProgramFile | null
type ProgramFile = {
  readonly shown: string
  readonly lines: readonly string[]
  readonly words: ReadonlySet<string>
}

function openFiles(root: string): ReadLines {
  const known = new Map<string, ReturnType<ReadLines>>()
  const read: ReadLines = (path) => {
    const shown = relative(root, path)
    if (shown.startsWith('..') || !/\.(?:ts|tsx|js|mjs|cjs)$/.test(shown)) return null
    try {
      const text = readFileSync(path, 'utf8')
      return { shown: shown.split(sep).join('/'), lines: text.split('\n'), words: new Set(text.split(/[^\w$#]+/)) }
    } catch {
      return null
    }
  }
  return (path) => {
    if (!known.has(path) && known.size < mostFiles) known.set(path, read(path))
    return known.get(path) ?? null
  }
}

const pathOf = (place: string): string => {
  try {
    return place.startsWith('file:') ? fileURLToPath(place) : place
  } catch {
    return ''
  }
}

/** A name that the file itself holds tells nothing that the file does not. */
function isNamedIn(file: ProgramFile, called: string): boolean {
  const [, path, other] = calledAs.exec(called) ?? []
  if (path === undefined) return false
  const words = [...path.split('.'), ...(other === undefined ? [] : [other])]
  return words.every((word) => file.words.has(word) || ofRuntime.has(word))
}

/** Says of the text of a stack at which places of this program it was, the innermost first. */
export type FramesOf = (stack: string) => readonly string[]

/** Opens one that knows the files below `root` (this program unless said); a file is read once. */
export function openFrames(root: string = programFolder()): FramesOf {
  const files = openFiles(root)
  const frameOf = (line: string): string | null => {
    const [, called, place = '', row, column] = frame.exec(line) ?? []
    const file = files(pathOf(place))
    const text = file?.lines[Number(row) - 1]
    // A number that is no line or column there may be anything.
    if (!file || text === undefined || Number(column) > text.length + 1) return null
    const at = `${file.shown}:${Number(row)}:${Number(column)}`
    return called !== undefined && isNamedIn(file, called) ? `at ${called} (${at})` : `at ${at}`
  }
  return (stack) =>
    stack
      .split('\n')
      .map(frameOf)
      .filter((line) => line !== null)
      .slice(0, mostFrames)
}
