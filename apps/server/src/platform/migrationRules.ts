/**
 * What a migration may do while servers of the version before still run: a rolling upgrade has both at once on one base,
 * and people at work. So changes come in two releases: **expand** (new tables, columns and indexes, which the older version
 * does not notice) and, when no server uses the old ones any more, **contract** (drops).
 *
 * A file names its exceptions in comments, each with the reason in the words after the colon:
 * - `-- contract 20261201T0900_name.sql: …` it drops what that earlier file has replaced;
 * - `-- small settings: …` the table `settings` has few rows in every clinic, so it may be rewritten or locked.
 */

/** Later migrations keep the rules; earlier ones were applied by one server alone. */
export const RULED_SINCE = '20261129T1900'

interface Rule {
  /** With the table's name as the group `table`, where the statement has one. */
  breaks: RegExp
  /** English, for the author of the migration. */
  why: string
  /** Drops and renames: only as the second half of an earlier change. */
  isContract?: true
}

const TABLE = String.raw`(?:if exists\s+)?(?:only\s+)?"?(?<table>\w+)"?`
const rules: readonly Rule[] = [
  {
    breaks: RegExp(String.raw`^alter table ${TABLE}\s+rename\b`),
    why: 'a rename breaks the version that runs: add the new name, fill it, drop the old one in a later release',
    isContract: true,
  },
  {
    breaks: RegExp(String.raw`^alter table ${TABLE}[^;]*\bdrop column\b`),
    why: 'the version that runs reads the column: drop it in a later release',
    isContract: true,
  },
  {
    breaks: RegExp(`^drop (?:table|view|materialized view) ${TABLE}`),
    why: 'the version that runs reads it: drop it in a later release',
    isContract: true,
  },
  {
    breaks: RegExp(String.raw`^alter table ${TABLE}[^;]*\balter (?:column )?"?\w+"? (?:set data )?type\b`),
    why: 'another type rewrites the table under a lock: add a column and fill it by portions',
  },
  {
    breaks: RegExp(String.raw`^alter table ${TABLE}[^;]*\bset not null\b`),
    why: 'it reads the whole table under a lock: add a check that is not valid, and validate it in a file of its own',
  },
  {
    breaks: RegExp(
      String.raw`^alter table ${TABLE}[^;]*\badd (?:column )?(?:if not exists )?"?\w+"? [^,;]*\bnot null\b(?![^,;]*\bdefault\b)`,
    ),
    why: 'the version that runs leaves the column out: a required column needs a default',
  },
  {
    breaks: RegExp(
      String.raw`^alter table ${TABLE}[^;]*\bdefault (?:random|gen_random_uuid|clock_timestamp|nextval|uuidv\d)\b`,
    ),
    why: 'a volatile default rewrites the table under a lock: fill the column by portions',
  },
  {
    breaks: RegExp(
      String.raw`^alter table ${TABLE}[^;]*\badd (?:column )?[^;]*\bgenerated always as \([^;]*\) stored\b`,
    ),
    why: 'a stored column rewrites the table under a lock',
  },
  {
    breaks: RegExp(String.raw`^alter table ${TABLE}[^;]*\badd constraint\b(?![^;]*\b(?:not valid|using index)\b)`),
    why: 'it reads the whole table under a lock: add it not valid and validate it in a file of its own, or use an index built concurrently',
  },
  {
    breaks: RegExp(String.raw`^create (?:unique )?index (?!concurrently)[^;]*?\bon ${TABLE}`),
    why: 'it stops writes of the table: create index concurrently, in a file that begins with «-- no transaction»',
  },
  {
    breaks: RegExp(`^(?:update|delete from) ${TABLE}`),
    why: 'it locks the rows until the end: fill or delete by portions in a job',
  },
]

const CONTRACT = /^-- contract (\S+\.sql): .{10,}$/gm
const SMALL = /^-- small (\w+): .{10,}$/gm
const CREATED = /^create table (?:if not exists )?"?(\w+)"?/

/** Statements in lower case, without comments and the bodies of functions. */
const statementsOf = (text: string): string[] =>
  text
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, '$$$$')
    .replace(/--.*$/gm, '')
    .toLowerCase()
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter(Boolean)

/**
 * @param text of one migration
 * @param earlier names of the files before it
 * @returns a message for each statement that would stop or break servers of the version before
 */
export function breaksRunning(text: string, earlier: ReadonlySet<string>): string[] {
  const contracts = [...text.matchAll(CONTRACT)].map(([, file]) => file as string)
  const isContract = contracts.length > 0 && contracts.every((file) => earlier.has(file))
  const free = new Set([...text.matchAll(SMALL)].map(([, table]) => (table as string).toLowerCase()))
  const found: string[] = contracts.filter((file) => !earlier.has(file)).map((file) => `no earlier file ${file}`)
  for (const statement of statementsOf(text)) {
    const created = CREATED.exec(statement)?.[1]
    if (created) free.add(created)
    for (const rule of rules) {
      const table = rule.breaks.exec(statement)?.groups?.table
      if (table === undefined || free.has(table) || (rule.isContract && isContract)) continue
      found.push(`${statement.slice(0, 80)}: ${rule.why}`)
    }
  }
  return found
}
