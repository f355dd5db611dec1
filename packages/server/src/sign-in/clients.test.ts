import { describe, expect, it } from 'vitest'
import { addressOf, isDesktopAddress, knownDesktopSchemes, standInOf } from './clients.ts'

describe('addresses of desktop programs', () => {
  it.each([
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'cursor://anysphere.cursor-retrieval/oauth/user-1-leads/callback?x=1&y=%20',
    'vscode://publisher.extension/did-authenticate',
    'vscode-insiders://publisher.extension',
  ])('%s is one, and its stand-in stands for it', (address) => {
    expect(isDesktopAddress(address, knownDesktopSchemes)).toBe(true)
    const standIn = String(standInOf(address, knownDesktopSchemes))
    expect(standIn).toMatch(/^internal\.les-desktop:\/[\w-]+$/)
    expect(addressOf(standIn, knownDesktopSchemes)).toBe(address)
    // Once the scheme is no longer allowed, the stand-in is not translated back.
    expect(addressOf(standIn, ['vscode-other'])).toBe(standIn)
  })

  it.each([
    ['another scheme', 'windsurf://codeium.windsurf/callback'],
    ['a longer scheme', 'cursors://anysphere.cursor-mcp/oauth/callback'],
    ['a scheme with an ending', 'cursor-evil://anysphere.cursor-mcp/oauth/callback'],
    ['a scheme with a dot', 'cursor.evil://anysphere.cursor-mcp/oauth/callback'],
    ['a letter of another script', 'сursor://anysphere.cursor-mcp/oauth/callback'],
    ['capitals', 'Cursor://anysphere.cursor-mcp/oauth/callback'],
    ['no program', 'cursor:/oauth/callback'],
    ['a script', 'cursor:alert(1)'],
    ['a login', 'cursor://anysphere@evil.example/callback'],
    ['a fragment', 'cursor://anysphere.cursor-mcp/callback#x'],
    ['a blank before it', ' cursor://anysphere.cursor-mcp/callback'],
    ['a line break', 'cursor://anysphere.cursor-mcp/callback\nx'],
    ['a backslash', 'cursor://anysphere.cursor-mcp\\evil/callback'],
    ['too much', `cursor://anysphere.cursor-mcp/${'a'.repeat(500)}`],
    ['a script outright', 'javascript://cursor/%0aalert(1)'],
    ['no text', 7],
  ])('%s is none', (_what, address) => {
    expect(isDesktopAddress(address, knownDesktopSchemes)).toBe(false)
    expect(standInOf(address, knownDesktopSchemes)).toBe(address)
  })

  it('a stand-in that somebody made up stands for nothing that is not allowed', () => {
    const madeUp = `internal.les-desktop:/${Buffer.from('javascript://x/').toString('base64url')}`
    expect(addressOf(madeUp, knownDesktopSchemes)).toBe(madeUp)
  })
})
