import { describe, expect, it } from 'vitest'
import { commands, readCommand } from './command-line.ts'

describe('the command line of the service', () => {
  it('serves in the roles that are named, each once; without any, in those of the settings', () => {
    expect(readCommand([])).toEqual({ kind: 'serve', roles: [] })
    expect(readCommand(['serve'])).toEqual({ kind: 'serve', roles: [] })
    expect(readCommand(['worker'])).toEqual({ kind: 'serve', roles: ['worker'] })
    expect(readCommand(['http', 'clock', 'http'])).toEqual({ kind: 'serve', roles: ['http', 'clock'] })
  })
  it('refuses a word it does not know, and serves nothing then', () => {
    for (const words of [['htttp'], ['http', 'wroker'], ['--serve'], ['toString']])
      expect(readCommand(words)).toMatchObject({ kind: 'text', failed: true })
  })
  it('the help names every command', () => {
    const help = readCommand(['--help'])
    for (const name of Object.keys(commands))
      expect(help).toMatchObject({ kind: 'text', failed: false, text: expect.stringContaining(`les-server ${name}`) })
  })
})
