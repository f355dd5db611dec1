import { describe, expect, it } from 'vitest'
import { les } from './shell.ts'

const helpOf = async (...argv: string[]): Promise<string> => {
  const { code, stdout, stderr } = await les(argv)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

describe('help', () => {
  it('of nothing is that of the program, and starts with examples', async () => {
    const help = await helpOf()
    expect(help).toMatch(/^Examples:\n {2}\$ les auth login/)
    expect(help, 'a group of commands that nothing is said of').not.toContain('Commands of ')
    expect(help).toBe(await helpOf('--help'))
    expect(help).toBe(await helpOf('help'))
  })

  it('les help <words> is the help of that command', async () => {
    expect(await helpOf('help', 'leads', 'list')).toBe(await helpOf('leads', 'list', '--help'))
    expect((await les('help nonsense')).code).toBe(2)
  })

  it('les --version', async () => expect(await helpOf('--version')).toBe('1.0.0\n'))
})
