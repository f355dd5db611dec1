/** SQL functions that compare texts. */
const accentsAlone = String.raw`[\u00b4\u1fbd\u1fbf\u1ffd]`
const apostrophes = '[`ʹʻʼʽʾʿˈ՚׳‘’‛′‵ꞌ]'
const hyphens = '[֊־᠆˗‐‑‒–—―⁃−⸺⸻⹀]'
const spaces = String.raw`[\u0009-\u000d \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]+`
const unseen =
  String.raw`[\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f` +
  String.raw`\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb` +
  String.raw`\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]`
const ideographs = String.raw`([\u3041-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3])`
const signs =
  String.raw` \u0021-\u0022\u0024-\u002a\u002c-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e\u00a1-\u00bf\u00d7\u00f7` +
  String.raw`\u055a-\u055f\u0589\u05c0\u05c3\u05f3-\u05f4\u060c-\u060d\u061b\u061d-\u061f\u066a-\u066d\u06d4\u0964-\u0965` +
  String.raw`\u0e4f\u0f0b-\u0f14\u104a-\u104f\u1360-\u1368\u16eb-\u16ed\u17d4-\u17da\u1800-\u180a\u2010-\u2027\u2030-\u205e` +
  String.raw`\u20a0-\u20c0\u2190-\u2bff\u2e00-\u2e7f\u3001-\u3011\u3014-\u301f\u30fb\U0001f000-\U0001faff`
const separators = `([${signs}]|[+#](?=[^+#${signs}]))+`

export const functions = `
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- The same as \`foldText\` of the contract, with a fast path for plain ASCII.
create function text_fold(text) returns text language sql immutable parallel safe as $$
  select regexp_replace(case when $1 ~ '^[ -_a-~]*$' then lower($1 collate "C")
    else normalize(regexp_replace(regexp_replace(
      replace(replace(translate(lower(normalize(
        regexp_replace(regexp_replace($1, '${accentsAlone}', '''', 'g'), '${unseen}', '', 'g'), NFKD)),
        'ς\u0345ᲀᲁᲂᲃᲄᲅᲆᲇᲈ', 'σιвдосттъѣꙋ'), 'ß', 'ss'), 'և', 'եւ'),
      '${apostrophes}', '''', 'g'), '${hyphens}', '-', 'g'), NFC) end, '${spaces}', ' ', 'g')
$$;

create function short_grams(text) returns text[] language sql
 immutable parallel safe strict as $$
    with chars as (select c as first, lead(c) over (order by n) as next from unnest(string_to_array($1,
      null)) with ordinality as t (c, n))
    select array(select first from chars union select first || next from chars where next is not null)
  $$;

-- The same as \`titleWords\` of the contract.
create function title_words(folded text) returns text[] language sql immutable parallel safe as $$
  select array_remove(regexp_split_to_array(regexp_replace($1, '${ideographs}', ' \\1 ', 'g'), '${separators}'), '')
$$;
`
