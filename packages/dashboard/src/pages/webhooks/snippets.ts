/// <reference path="../../virtual.d.ts" />
/**
 * How a receiver checks a delivery, in six languages: the bytes `{timestamp}.{body}`, HMAC-SHA256, hex; any of the
 * signatures listed may match.
 */
import go from './snippets/go.go?raw'
import node from './snippets/node.js?raw'
import php from './snippets/php.php?raw'
import python from './snippets/python.py?raw'
import ruby from './snippets/ruby.rb?raw'
import shell from './snippets/shell.sh?raw'

type Snippet = { readonly id: string; readonly name: string; readonly code: string }

export const snippets: readonly Snippet[] = [
  { id: 'node', name: 'Node', code: node },
  { id: 'python', name: 'Python', code: python },
  { id: 'php', name: 'PHP', code: php },
  { id: 'ruby', name: 'Ruby', code: ruby },
  { id: 'go', name: 'Go', code: go },
  { id: 'shell', name: 'curl and openssl', code: shell },
]
