/**
 * Import rules, checked over every source file: allowed directions, no cycles (of types neither), and only field types use
 * a field's kind. Prints each breach as `file: rule: import`.
 * Also: no two areas that import from each other; tables with one writer; no day from the UTC clock; no tag search with
 * quadratic time; limits on casts in the web that bypass the types, on long files and on long functions.
 *
 * dependency-cruiser reads TypeScript only through a compiler older than 7, so the imports are found with oxc-parser.
 */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { parseSync } from 'oxc-parser'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = '{apps,packages}/*/src/**/*.{ts,tsx}'

/**
 * A breach when `from` matches the importing file and `to` the imported one (or package), or, with a `#`, an imported
 * name: `base/http.ts#http`. `$1` is a group of `from`. `types`: type-only imports are allowed.
 */
const RULES = [
  {
    name: 'the model runs on both sides and does no I/O',
    from: /^packages\/model\//,
    to: /^(apps\/|node:|(fs|http|https|net|path|os|crypto|pg|fastify|react)$)/,
  },
  {
    name: 'the server does not import the web',
    from: /^apps\/server\//,
    to: /^(apps\/web\/|react(-dom)?$|@mantine\/)/,
  },
  { name: 'the web does not import the server', from: /^apps\/web\//, to: /^(apps\/server\/|node:)/ },
  {
    name: 'the platform imports nothing else of the server',
    from: /^apps\/server\/src\/platform\//,
    to: /^apps\/server\/src\/(?!platform\/)/,
  },
  {
    name: 'the web imports only the type of a declared call',
    from: /^apps\/web\//,
    to: /^packages\/model\/src\/(call|calls|socketCalls|areas\/\w+\/(\w*[cC]alls|wire))\.ts$|^zod$/,
    types: true,
  },
  {
    name: 'calls go through base/api.ts, records through base/client.ts',
    from: /^apps\/web\/src\/(?!base\/)/,
    to: /^apps\/web\/src\/base\/(http\.ts#http|upload\.ts#upload)$/,
  },
  {
    name: 'the engine and the kit import no area',
    from: /^apps\/(?:server|web)\/src\/(?:records|realtime|kit)\//,
    to: /^(apps|packages)\/\w+\/src\/areas\//,
  },
  {
    name: 'the engine imports neither sign-in nor sockets',
    from: /^apps\/server\/src\/records\//,
    to: /^apps\/server\/src\/(auth|realtime)\//,
  },
  {
    name: 'the kit imports nothing else of the web',
    from: /^apps\/web\/src\/kit\//,
    to: /^apps\/web\/src\/(base|app|realtime|records|areas)\//,
  },
  {
    // Phone numbers as plain text are for labels of buttons and options, tooltips, generated texts and one's own number;
    // the patients' app has no exchange to dial with.
    name: 'a visible phone number is a PhoneLink',
    from: new RegExp(
      `^apps/web/src/(?!${[
        'kit/PhoneLink',
        'records/fields/(phone|RefSelect)',
        'app/(paletteSearch|useUnknownPhone)',
        'areas/(appeals/PromisesPage|chats/composer/useOffers|chats/ChatContext|sales/card/LeadReach|sales/requests/RequestItem|tasks/card/ClientLists)',
        'areas/schedule/(print/DayPrint|visit/VisitHint|visit/VisitMenu)',
        'areas/portal/',
        'areas/(calls/CallByHand|calls/CallParts|calls/CallsPage|calls/callLinks|calls/incoming/)',
        'areas/money/desk/printLink',
        'areas/(customers/CustomerFacts|customers/NewCustomer|customers/searchCustomers|staff/profile/PersonFacts)',
      ].join('|')})`,
    ),
    to: /^packages\/model\/src\/phone\.ts#phoneText$/,
  },
  {
    name: 'overlays come from the kit, where Escape closes the innermost',
    from: /^apps\/web\/src\/(?!kit\/)/,
    to: /^@mantine\/core#(Drawer|Modal|Popover)$/,
  },
  {
    name: 'copy by kit/CopyButton.tsx and kit/copy.ts, which work without https',
    from: /^apps\/web\/src\//,
    to: /^@mantine\/(core#CopyButton|hooks#useClipboard)$/,
  },
  {
    name: 'base imports nothing of the web but the kit',
    from: /^apps\/web\/src\/base\//,
    to: /^apps\/web\/src\/(app|realtime|records|areas)\//,
  },
  {
    name: 'code loaded with every screen imports the briefs of entities, not all declarations',
    from: /^apps\/web\/src\/(app|base|kit|records|realtime)\//,
    to: /^packages\/model\/src\/entities\.ts$/,
    types: true,
    tests: false,
  },
  {
    name: 'screens read reports as data, base/reports.ts: their declarations import the entities of all areas',
    from: /^apps\/web\/src\//,
    to: /^packages\/model\/src\/(reports|areas\/\w+\/reports)\.ts$/,
    types: true,
    tests: false,
  },
  {
    name: 'only app and main.tsx import app',
    from: /^apps\/web\/src\/(?!app\/|main\.tsx)/,
    to: /^apps\/web\/src\/app\//,
  },
  {
    name: 'another area is imported only by its index.ts',
    from: /^(apps\/(?:server|web)\/src\/areas)\/([^/]+)\//,
    to: /^$1\/(?!$2\/)(?![^/]+\/index\.tsx?$)/,
  },
  {
    name: 'nothing imports a test or the test harness',
    from: /^(apps|packages)\//,
    to: /(\.test\.tsx?$)|(^apps\/server\/src\/testing\/)/,
    tests: false,
  },
]
/**
 * Tables with a single writer, which recomputes what depends on their rows; `also` makes the demo clinic. Merges
 * and the trash of the engine name no table.
 */
const SOLE_WRITERS = [
  {
    name: 'values of results are written by settleValue',
    table: 'laboratory_results',
    entity: 'LabResult',
    writer: 'apps/server/src/areas/laboratory/settle.ts',
    also: ['apps/server/src/areas/laboratory/demoResults.ts'],
  },
]

/**
 * `as never` and `as unknown as` in the web, including tests: each needs a comment on why the types cannot express it.
 * Add a missing type to the model, or where many need it (`records/reads.ts`, `base/address.ts`).
 */
const CAST = /\bas (?:never|unknown as)\b/g
const MOST_CASTS = 7
/** `as never` on the server: falls, and is lowered with each that goes; `records/records.ts` types what system code writes. */
const NEVER = /\bas never\b/g
const MOST_NEVER = 86

/** Lines of a file and of a function; the numbers of longer ones fall, and are lowered with each that is split. */
const LONG_FILE = 400
const MOST_LONG_FILES = 28
const LONG_FUNCTION = 80
const MOST_LONG_FUNCTIONS = 282
/** Longer for a reason: one program, which is sent to the clinic's machine as a whole. */
const MAY_BE_LONG = new Set(['apps/server/src/areas/agents/agent.ts'])

const IS_TEST = /\.test\.tsx?$|\/testing\//
const ALLOWED_IN_TESTS = new Set([
  'the model runs on both sides and does no I/O',
  'the platform imports nothing else of the server',
  'the engine and the kit import no area',
  'the web does not import the server',
])

const files = globSync(SOURCES, { cwd: ROOT })
  .map((path) => path.split(sep).join('/'))
  .sort()
const graph = new Map(files.map((file) => [file, importsOf(file)]))
const breaches = [...graph].flatMap(([file, imports]) => imports.flatMap((item) => breachesOf(file, item)))
breaches.push(...cycles(graph), ...kindsOutsideFields(), ...daysOfUtc(), ...quadraticSearches())
breaches.push(
  ...heavyDeclarations(),
  ...mutualAreas(graph),
  ...uncheckedSeals(),
  ...contentsBeforeCommit(),
  ...clipboards(),
  ...secondWriters(),
  ...rawFailures(),
)
const within = (folder) => files.filter((file) => file.startsWith(folder))
breaches.push(
  ...tooManyCasts(within('apps/web/src/'), CAST, MOST_CASTS),
  ...tooManyCasts(within('apps/server/src/'), NEVER, MOST_NEVER),
)
breaches.push(...longFiles(), ...longFunctions())

for (const breach of breaches) console.error(breach)
console.log(`${files.length} files, ${breaches.length} breaches of the import rules`)
process.exitCode = breaches.length > 0 ? 1 : 0

/** Declarations of entities that import zod: pages load declarations, and zod weighs as much as twenty of them. */
function heavyDeclarations() {
  return files
    .filter((file) => /^packages\/model\/src\/areas\/\w+\/entities\.ts$/.test(file))
    .flatMap((entities) => {
      const from = new Map([[entities, undefined]])
      for (const file of from.keys())
        for (const { to, typesOnly } of graph.get(file) ?? []) {
          if (typesOnly) continue
          if (to === 'zod') return [`${entities}: declarations load no zod: ${wayTo(file, from)}`]
          if (!from.has(to)) from.set(to, file)
        }
      return []
    })
}

/** Files from the first to this one, by who imports whom. */
function wayTo(file, from) {
  const way = [file]
  for (let at = from.get(file); at !== undefined; at = from.get(at)) way.unshift(at)
  return way.join(' > ')
}

/** Writes of a table outside its only writer, by the engine or by SQL. */
function secondWriters() {
  return SOLE_WRITERS.flatMap(({ name, table, entity, writer, also }) => {
    const byEngine = String.raw`\.(create|createMany|createFrom|update|updateWhere|remove|deleteWhere|restore|move|batch)\(\s*${entity}\b`
    const bySql = String.raw`\b(insert\s+into|update|delete\s+from|merge\s+into|truncate)\s+"?${table}\b`
    const write = new RegExp(`${byEngine}|${bySql}`, 'i')
    return files
      .filter((file) => file.startsWith('apps/server/src/') && !IS_TEST.test(file))
      .filter((file) => file !== writer && !also.includes(file) && write.test(read(file)))
      .map((file) => `${file}: ${name}: ${write.exec(read(file))[0]}`)
  })
}

/** `{ to, spelled, later }`: path from the root, or the package; `later` is true for a dynamic import. */
function importsOf(file) {
  const { module, errors } = parseSync(file, read(file))
  if (errors.length > 0) return []
  const found = []
  for (const { moduleRequest, entries } of module.staticImports) {
    const names = entries.filter((entry) => !entry.isType).map(({ importName }) => importName.name)
    found.push({ spelled: moduleRequest.value, names, typesOnly: entries.length > 0 && names.length === 0 })
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest } of entries) if (moduleRequest) found.push({ spelled: moduleRequest.value })
  }
  const text = read(file)
  for (const { moduleRequest } of module.dynamicImports) {
    const spelled = text.slice(moduleRequest.start, moduleRequest.end).match(/^['"`](.+)['"`]$/)?.[1]
    // A dynamic import is no cycle at the start.
    if (spelled) found.push({ spelled, later: true })
  }
  return found.map((item) => ({ ...item, to: resolve(file, item.spelled) }))
}

function resolve(file, spelled) {
  const bare = spelled.replace(/\?.*$/, '')
  if (bare.startsWith('@ordinator/')) {
    const [, workspace, ...rest] = bare.split('/')
    return `${workspace === 'model' ? 'packages' : 'apps'}/${workspace}/src/${rest.join('/') || 'index'}.ts`
  }
  // A subpath import of the package: `#kit/Dialog.tsx`.
  if (bare.startsWith('#')) return `${file.split('/').slice(0, 3).join('/')}/${bare.slice(1)}`
  if (bare.startsWith('.'))
    return relative(ROOT, join(ROOT, dirname(file), bare))
      .split(sep)
      .join('/')
  return bare
}

/** The top folder of an app: `apps/web/src/kit`; an area is a folder of its own. */
function folderOf(file) {
  return /^apps\/\w+\/src\/(?:areas\/[^/]+|\w+)(?=\/)/.exec(file)?.[0]
}

function breachesOf(file, { to, spelled, names = [], typesOnly }) {
  const broken = []
  const inside = /^(apps|packages)\//.test(to)
  if (inside && !isFile(to)) broken.push(`${file}: no such file: ${spelled}`)
  if (
    spelled.startsWith('../') &&
    folderOf(to) &&
    folderOf(to) !== folderOf(file) &&
    to.startsWith(file.split('/').slice(0, 3).join('/'))
  )
    broken.push(`${file}: import another folder by its name, as #kit/…: ${spelled}`)
  const test = IS_TEST.test(file)
  for (const rule of RULES) {
    const match = file.match(rule.from)
    if (!match || (test && (rule.tests === false || ALLOWED_IN_TESTS.has(rule.name)))) continue
    const source = rule.to.source.replace(/\$(\d)/g, (_, group) => match[group])
    if (rule.types && typesOnly) continue
    const wrong = new RegExp(source)
    const targets = source.includes('#') ? names.map((name) => `${to}#${name}`) : [to]
    if (targets.some((one) => wrong.test(one))) broken.push(`${file}: ${rule.name}: ${spelled}`)
  }
  return broken
}

/** Code that distinguishes fields by their kind, which belongs in the field type: only `fields/` may do so. */
function kindsOutsideFields() {
  const types = files.filter((file) => /^packages\/model\/src\/fields\//.test(file))
  const kinds = types.flatMap((file) => [...read(file).matchAll(/\bkind: '(\w+)'/g)].map(([, kind]) => kind))
  const names = `'(?:${kinds.join('|')})'`
  const asks = new RegExp(
    // A field's kind looked up or compared; any kind compared with that of a field.
    `\\b(?:f|field|fields\\S*?\\])\\??\\.kind\\b|\\.kind\\b\\)?\\s*[!=]==?\\s*${names}|${names}\\s*[!=]==?\\s*\\S*\\.kind\\b`,
  )
  return files
    .filter((file) => !IS_TEST.test(file) && !/\/fields\//.test(file))
    .flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, at) =>
          asks.test(line) ? [`${file}:${at + 1}: only fields/ reads a field's kind: ${line.trim()}`] : [],
        ),
    )
}

/** «Today» from a UTC date, which differs from the clinic's for some hours of every night. */
function daysOfUtc() {
  const cut = /new Date\((?:Date\.now\(\)[^)]*)?\)\s*\.toISOString\(\)\s*\.slice\(0, 10\)|toLocaleDateString\('sv/
  // PostgreSQL's session is in UTC. Rollups keep days of UTC; tests and the demo clinic's past may be a day off.
  const ofSession = /^(?!\s*(?:\*|\/[*/])).*(?:\bcurrent_date\b|\bnow\(\)::date\b)/m
  const mayUse = /\.test\.ts$|\/testing\/|\/demo\w*\.ts$|^apps\/server\/src\/areas\/reports\/rollups\.ts$/
  return [
    ...[...files, ...globSync('{e2e,bench}/**/*.{ts,mjs}', { cwd: ROOT })]
      .filter((file) => cut.test(read(file)))
      .map((file) => `${file}: take a day by the clinic's clock: dayIn of the model's zone.ts`),
    ...files
      .filter((file) => file.startsWith('apps/server/') && !mayUse.test(file) && ofSession.test(read(file)))
      .map((file) => `${file}: take a day in SQL by the clinic's or the branch's clock: clinicToday, zoneSql`),
  ]
}

/** A search from each «<» to the end of the text is quadratic: 200,000 of them blocked the server for minutes. */
function quadraticSearches() {
  const quadratic = /[/|]<(?:[^/\n]|\\\/)*?\[\^>\]/
  return files
    .filter((file) => !IS_TEST.test(file))
    .filter((file) => quadratic.test(read(file)))
    .map((file) => `${file}: a pattern of a tag's inside excludes other tags: [^<>]`)
}

/** `id` is visible in a sealed card too: reading it does not show that the actor may read what refers to the card. */
function uncheckedSeals() {
  const onlyId = /(?<!asSystem)\.view\(Customer, [^\n]*\{ fields: 'id' \}\)/
  return files
    .filter((file) => file.startsWith('apps/server/src/areas/') && !IS_TEST.test(file) && onlyId.test(read(file)))
    .map((file) => `${file}: a view of only a card's id does not check its seal: use mustOpen`)
}

/** The content of a stored file is removed only after the commit that deletes its row; a rollback keeps it. */
function contentsBeforeCommit() {
  // Contents that no committed row names: uploads that were refused, results of runs that failed.
  const mayRemove =
    /^apps\/server\/src\/(records\/trash|platform\/storage|areas\/(files\/upload|handover\/run|moving\/calls|reports\/runs))\.ts$/
  return files
    .filter((file) => file.startsWith('apps/server/src/') && !IS_TEST.test(file) && !mayRemove.test(file))
    .filter((file) => /\bfiles\.remove\(/.test(read(file)))
    .map(
      (file) => `${file}: remove content by removeFiles of records/trash.ts, in the transaction that deletes its row`,
    )
}

/** Browsers have no clipboard API on plain http. */
function clipboards() {
  return files
    .filter((file) => file.startsWith('apps/web/src/') && file !== 'apps/web/src/kit/copy.ts' && !IS_TEST.test(file))
    .filter((file) => read(file).includes('navigator.clipboard'))
    .map((file) => `${file}: copy by copyText of kit/copy.ts`)
}

/** Messages of exceptions on a screen: those of the browser are in English. */
function rawFailures() {
  const rawText = /(?:\b(?:\w*[eE]rror|failure|reason|err)\b\??\.message\b(?!\w))|\bString\((?:error|failure|reason)\)/
  // The helpers themselves; errors with own messages; the patients' app, which shows the server's messages.
  const mayRead = /^apps\/web\/src\/(base\/(apiError|http)\.ts|kit\/failureWords\.ts|areas\/(signatures|portal)\/.*)$/
  return files
    .filter((file) => file.startsWith('apps/web/src/') && !IS_TEST.test(file) && !mayRead.test(file))
    .flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, at) =>
          rawText.test(line)
            ? [`${file}:${at + 1}: show a failure by errorMessage or failureWords: ${line.trim()}`]
            : [],
        ),
    )
}

function read(file) {
  return readFileSync(join(ROOT, file), 'utf8')
}

function isFile(path) {
  const full = join(ROOT, path)
  return existsSync(full) && statSync(full).isFile()
}

/** Nothing within the limit; otherwise all casts, since the new one cannot be identified. */
function tooManyCasts(sources, pattern, most) {
  const found = sources.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, at) => (line.match(pattern) ?? []).map((cast) => `${file}:${at + 1}: ${cast}`)),
  )
  return found.length > most
    ? [`${found.length} casts past the types, ${most} are allowed`, ...found.map((one) => `  ${one}`)]
    : []
}

/** Pairs of areas of one app that import from each other, types and later imports included: what one shows of the other is a part that it registers. */
function mutualAreas(edges) {
  const links = new Map()
  for (const [file, imports] of edges) {
    const from = areaOf(file)
    if (!from || IS_TEST.test(file)) continue
    for (const { to } of imports) {
      const other = areaOf(to)
      if (other && other !== from) links.set(`${from} ${other}`, file)
    }
  }
  return [...links].flatMap(([pair, file]) => {
    const [from, to] = pair.split(' ')
    const back = links.get(`${to} ${from}`)
    return back && from < to ? [`${file}: two areas import from each other: ${from} and ${to} (${back})`] : []
  })
}

/** The folder of a file's area: `apps/web/src/areas/customers`. */
function areaOf(file) {
  return /^apps\/\w+\/src\/areas\/[^/]+(?=\/)/.exec(file)?.[0]
}

/** One line per strongly connected group of files. */
function cycles(edges) {
  const state = new Map()
  const stack = []
  const found = []
  let counter = 0
  const visit = (file) => {
    const node = { index: counter, low: counter++, on: true }
    state.set(file, node)
    stack.push(file)
    for (const { to, later } of edges.get(file) ?? []) {
      if (later || !edges.has(to)) continue
      const seen = state.get(to)
      if (!seen) node.low = Math.min(node.low, visit(to).low)
      else if (seen.on) node.low = Math.min(node.low, seen.index)
    }
    if (node.low === node.index) {
      const group = stack.splice(stack.indexOf(file))
      for (const member of group) state.get(member).on = false
      if (group.length > 1) found.push(`an import cycle: ${group.sort().join(', ')}`)
    }
    return node
  }
  for (const file of edges.keys()) if (!state.has(file)) visit(file)
  return found
}

function longFiles() {
  const all = [...files, ...globSync('{e2e,bench,scripts}/**/*.{ts,tsx}', { cwd: ROOT })]
  const long = all.flatMap((file) => {
    const lines = read(file).split('\n').length - 1
    return lines > LONG_FILE && !MAY_BE_LONG.has(file) ? [{ file, lines }] : []
  })
  if (long.length <= MOST_LONG_FILES) return []
  return [
    `${long.length} files over ${LONG_FILE} lines, ${MOST_LONG_FILES} are allowed: split one`,
    ...long.toSorted((a, b) => b.lines - a.lines).map(({ file, lines }) => `  ${file}: ${lines}`),
  ]
}

/** Functions without those of tests; a function within a long one counts by itself. */
function longFunctions() {
  const long = files.filter((file) => !IS_TEST.test(file)).flatMap(longFunctionsOf)
  if (long.length <= MOST_LONG_FUNCTIONS) return []
  return [
    `${long.length} functions over ${LONG_FUNCTION} lines, ${MOST_LONG_FUNCTIONS} are allowed: split one`,
    ...long.toSorted((a, b) => b.lines - a.lines).map(({ place, lines }) => `  ${place}: ${lines}`),
  ]
}

function longFunctionsOf(file) {
  const text = read(file)
  // No function is longer than its file.
  if (text.split('\n').length <= LONG_FUNCTION) return []
  const long = []
  const lineAt = (place) => text.slice(0, place).split('\n').length
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return
    if (Array.isArray(node)) return node.forEach(visit)
    if (/^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) {
      const lines = text.slice(node.start, node.end).split('\n').length
      if (lines > LONG_FUNCTION) long.push({ place: `${file}:${lineAt(node.start)}`, lines })
    }
    for (const part of Object.values(node)) visit(part)
  }
  visit(parseSync(file, text).program)
  return long
}
