const typed = 'typed by the person themselves, in their own browser or terminal'
const sandbox = 'of the synthetic network, which strangers do not reach'
const settings = 'of a setting of the operator'
const mail = 'a mail address of at most 320 characters'
const name = 'a name of at most 300 characters'
const title = 'a title of at most 500 characters, an employer of at most 300'

/** Regular expressions that recheck finds vulnerable or cannot decide, with the bound on the text they meet. */
export const judged: Readonly<Record<string, string>> = {
  [String.raw`/(\d{1,3}(?:[.,\s'’]\d{3})+(?!\d)|\d+(?:[.,]\d+)?)\s*([km]?)(?![\p{L}\d])/giu`]: 'at most 200 characters',
  [String.raw`/^urn:li:(?:fsd_update|fs_updateV2|fs_feedUpdate):\((?:V2,)?(urn:li:[a-z]+:\d{1,25})[,)]/i`]:
    'not decided; anchored, and no part can take what the next one takes',
  [String.raw`/^(?:.*[_-])?(activity|ugcPost|share)-(\d{1,25})(?:-.*)?$/i`]:
    'a segment of an address of at most 4,000 characters',
  [String.raw`/^[^\S\t-\r ]+|[^\S\t-\r ]+$/g`]: 'a text of a filter of at most 200 characters',
  [String.raw`/(\p{M}{30})\p{M}+/gu`]: 'a mark is looked at thirty times at most',
  [String.raw`/^(\d[\d.,' ]*[km]?)(?: ?(?:-|to|bis) ?(\d[\d.,' ]*[km]?))? ?(\+)?(?: ?([\p{L}. ]+))?$/u`]:
    'at most 200 characters',
  [String.raw`/([^\s@<>(),;:?/‹›«»|\\]+)@([\p{L}\p{M}\p{N}._-]+)/gu`]: mail,
  [String.raw`/[._-]+$/`]: mail,
  [String.raw`/,.*$/`]: typed,
  [String.raw`/\/+$/`]: `${sandbox}; and ${settings}`,
  [String.raw`/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/`]: settings,
  [String.raw`/cs_[A-Za-z0-9]{20,}|whsec_[A-Za-z0-9+/=]{20,}|Bearer\s+\S+|\bsk-[A-Za-z0-9_-]{8,}|\bAIza[A-Za-z0-9_-]{20,}/g`]:
    'a line of the log, bounded before; held by edge/http/long-texts.test.ts',
  [String.raw`/cs_[A-Za-z0-9]{20,}|whsec_[A-Za-z0-9+/=]{20,}|\bsk-[A-Za-z0-9_-]{8,}|\bAIza[A-Za-z0-9_-]{20,}|[0-9a-fA-F]{24,}/g`]:
    'not decided; a call whose head is at most 32 KB and whose texts are cut before; each alternative is a beginning and one class',
  [String.raw`/\b([a-z][a-z0-9+.-]{0,30}:\/\/)(?:[^\s/?#@"'<>]*@)?([^\s/?#"'<>]+)([/?#][^\s"'<>]*)?/gi`]:
    'a line of the log, bounded before; held by edge/http/long-texts.test.ts',
  [String.raw`/^([!?:@]*)(.*)$/u`]: 'lines of our own lists of phrases',
  [String.raw`/^-+|-+$/g`]: sandbox,
  [String.raw`/\{[\s\S]*\}/`]: sandbox,
  [String.raw`/<posts-(\w+)>\n([\s\S]*?)\n<\/posts-\1>/`]: sandbox,
  [String.raw`/<filter-(\w+)>\n([\s\S]*?)\n<\/filter-\1>/`]: sandbox,
  [String.raw`/(\b(?:not|no|except|without)\s+)?["“]([^"”]+)["”]/gi`]: sandbox,
  [String.raw`/[?#].*$/`]: sandbox,
  [String.raw`/^(|node|undici|node-fetch.*|axios\/.*|got.*|python-requests.*|python-urllib.*|go-http-client.*|okhttp.*|java\/.*)$/i`]:
    sandbox,
  [String.raw`/^[^\s]+\.[^\s]+$/`]: typed,
  [String.raw`/iPhone|Android.*Mobile/`]:
    'the name that a browser of the person themselves sent, within a head of 32 KB',
  [String.raw`/[,;]+$/`]: typed,
  [String.raw`/reasoning[._ ]?effort|thinking[._ ]?(?:level|config|budget)|"?thinking"?[^.]{0,40}not (?:supported|available)/i`]:
    'not decided; at most 40 characters lie between its words',
  [String.raw`/\b(?:profile|member|page|post|company)\b[^.]{0,40}\b(?:private|restricted|deactivated|deleted|suspended|hibernated)\b/i`]:
    'not decided; at most 40 characters lie between its words',
  [String.raw`/\s*[([{][^)\]}]*\b(?:hiring|open ?to ?work|we'?re|we are|available|looking for)\b[^)\]}]*[)\]}]/giu`]:
    name,
  [String.raw`/\s*,\s*/`]: name,
  [String.raw`/^[\s,;:~*_-]+|[\s,;:~*_-]+$/gu`]: name,
  [String.raw`/[\s,]+(?:inc|llc|ltd|limited|gmbh|ag|se|kg|co|corp|corporation|company|plc|s ?a|sas|sarl|s ?r ?l|spa|` +
    String.raw`bv|b v|nv|ab|as|oy|pty|pvt|private|llp|lp|group|holding|holdings)\.?$/iu`]: title,
  [String.raw`/^(?:\s+(?:at|bei|chez|en|na|presso|hos|bij|of|for)\s+|\s*@\s*|\s*[,|·•]\s*|\s+[-–—]\s+|\s*\(\s*)(.+?)\s*\)?$/iu`]:
    title,
  [String.raw`/^[\s|•·,–—-]+|[\s|•·,–—-]+$/gu`]: title,
}
