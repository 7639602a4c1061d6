/**
 * A unique name for every call, derived only from its method and path, so that it stays stable for client programs when
 * other calls are added.
 */

/** Generic calls of entities: `listTasks`, `createTask`, `getTask`, `taskHistory` … */
export type EngineCall = keyof typeof engineCalls

const engineCalls = {
  list: (all: string) => `list${all}`,
  create: (_: string, one: string) => `create${one}`,
  get: (_: string, one: string) => `get${one}`,
  update: (_: string, one: string) => `update${one}`,
  post: (_: string, one: string) => `post${one}`,
  delete: (_: string, one: string) => `delete${one}`,
  history: (_: string, one: string) => `get${one}History`,
  batch: (all: string) => `batch${all}`,
  export: (all: string) => `export${all}`,
  restore: (_: string, one: string) => `restore${one}`,
  move: (_: string, one: string) => `move${one}`,
  grouped: (all: string) => `group${all}`,
}

/** @param path of the entity: `tasks-management/tasks` */
export function engineCallId(call: EngineCall, path: string): string {
  const words = wordsOf(path.split('/'))
  const all = words.join('')
  const one = [...words.slice(0, -1), singular(words.at(-1) as string)].join('')
  return engineCalls[call](all, one)
}

/**
 * The verb of the method, then the words of the path; the word before `{id}` is singular, and a parameter other than an
 * id is named: `POST /tasks-management/boards/{id}/archive` → `tasksBoardArchive`, `GET /files/{id}/{size}` →
 * `getFileBySize`. A call that replaces a generic one has its name.
 * @param path as in the document
 * @param isEntity whether the path is that of an entity
 */
export function operationId(method: string, path: string, isEntity: (path: string) => boolean): string {
  const segments = path.slice(1).split('/')
  const replaced = engineCallAt(method, segments, isEntity)
  if (replaced) return engineCallId(...replaced)
  const verb = verbs[method]
  const named: string[] = []
  let by = ''
  for (const [i, segment] of segments.entries()) {
    if (!segment.startsWith('{')) named.push(segments[i + 1]?.startsWith('{id') ? singular(segment) : segment)
    else if (!/^\{id|Id\}$/.test(segment)) by += `By${capital(segment.slice(1, -1))}`
  }
  const words = wordsOf(named.filter((segment) => segment !== 'model')).flatMap(
    (word) => word.match(/[A-Z][a-z\d]*/g) ?? [],
  )
  // The verb is not repeated: `GET …/get-statuses`, `DELETE …/delete`.
  const nouns = words.filter((word) => word.toLowerCase() !== verb)
  const text = `${verb}${nouns.join('')}${by}`
  return text[0]?.toLowerCase() + text.slice(1)
}

const verbs: Record<string, string> = {
  GET: 'get',
  POST: '',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
  OPTIONS: 'options',
}

function engineCallAt(
  method: string,
  segments: string[],
  isEntity: (path: string) => boolean,
): [EngineCall, string] | undefined {
  const one = segments.at(-1) === '{id}'
  const path = (one ? segments.slice(0, -1) : segments).join('/')
  if (!isEntity(path)) return undefined
  const calls: Record<string, EngineCall> = one
    ? { GET: 'get', PUT: 'update', POST: 'post', DELETE: 'delete' }
    : { GET: 'list', POST: 'create' }
  const call = calls[method]
  return call && [call, path]
}

/** `tasks-management/task-files` → Tasks, TaskFiles: without `management` and without repeated words. */
const wordsOf = (segments: readonly string[]): string[] =>
  segments
    .map((segment) =>
      segment
        .split('-')
        .filter((word) => word !== 'management')
        .map(capital)
        .join(''),
    )
    .filter((word, i, all) => word !== all[i - 1])

/** Sufficient for the words in paths. */
function singular(word: string): string {
  if (/news$/i.test(word) || !word.endsWith('s') || word.endsWith('ss')) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return /(?:us|x|ch|sh|ss)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
