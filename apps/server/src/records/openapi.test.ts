/** Generated files are committed, so that a review shows a changed contract or query. Renew them with `npm run generate`. */
import { execFile } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { columnsInLines, compactJson, splitDocument } from '#testing/generated.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { areas } from '../areas.ts'
import { operationId } from './operationId.ts'
import { parseListQuery } from './params.ts'
import { aliases, me } from './plan.ts'
import { listPlan } from './reads.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const DOCS = join(ROOT, 'docs')
const shell = promisify(execFile)

let clinic: Clinic
let document: Record<string, any>
/** The served document. */
let file: string
beforeAll(async () => {
  clinic = await testApp()
  const { body, text } = await clinic.anonymous.get('/openapi.json')
  document = body
  const dir = join(inject('testDir'), 'openapi')
  await mkdir(dir, { recursive: true })
  file = join(dir, 'openapi.json')
  await writeFile(file, text)
})
afterAll(() => clinic.close())

it('the OpenAPI document is the committed one', async () => {
  const files = splitDocument(document, areas)
  for (const [name, part] of files)
    await expect(`${compactJson(part)}\n`).toMatchFileSnapshot(`${DOCS}/openapi/${name}.json`)
  expect(
    await leftOver(
      'openapi',
      [...files.keys()].map((name) => `${name}.json`),
    ),
  ).toEqual([])
})

it('the list statements with content are the committed ones', async () => {
  const files: string[] = []
  for (const area of areas) {
    const stated = area.records.filter(
      ({ entity, scope, computed }) => scope || entity.within || Object.keys(computed ?? {}).length > 0,
    )
    if (stated.length === 0) continue
    const texts = stated.map((d) => {
      const allowed = [d.entity.access.view].flat()
      const actor = { id: 1, permissions: Object.fromEntries(allowed.map((p) => [p, true])), timeZone: 'UTC' }
      const env = { registry: clinic.context.registry, actor, me, alias: aliases() }
      const { text } = listPlan(env, d, parseListQuery({ count: '1', limit: 50 }))
      return `-- GET /${d.entity.path}?count=1&limit=50\n${columnsInLines(text)};\n`
    })
    await expect(texts.join('\n')).toMatchFileSnapshot(`${DOCS}/queries/${area.name}.sql`)
    files.push(`${area.name}.sql`)
  }
  expect(await leftOver('queries', files)).toEqual([])
})

/** Files of removed areas. */
const leftOver = async (folder: string, files: readonly string[]) =>
  (await readdir(join(DOCS, folder)).catch(() => [])).filter((name) => !files.includes(name))

it('every reference of the document leads somewhere', () => {
  for (const [, kind, name] of JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/(\w+)"/g))
    expect(document.components[kind as string]).toHaveProperty(name as string)
})

it('every call has a name of its own, which its method and path alone give it', () => {
  const ids = calls().map(([, call]) => call.operationId as string)
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
  expect(ids.filter((id) => !/^[a-z][A-Za-z\d]*$/.test(id))).toEqual([])
  expect(ids).toEqual(
    expect.arrayContaining(['listTasks', 'createTask', 'getTask', 'getTaskHistory', 'listSalesLeads']),
  )
  const none = () => false
  expect([
    operationId('POST', '/tasks-management/boards/{id}/archive', none),
    operationId('POST', '/regulations/model/transition', none),
    operationId('GET', '/regulations/model/get-statuses', none),
    operationId('GET', '/files/{id}/{size}', none),
    operationId('DELETE', '/users/{id}/sessions/{idSession}', none),
    operationId('POST', '/news/images/files', (path) => path === 'news/images/files'),
  ]).toEqual([
    'tasksBoardArchive',
    'regulationsTransition',
    'getRegulationsStatuses',
    'getFileBySize',
    'deleteUserSession',
    'createNewsImagesFile',
  ])
})

const calls = (): [string, Record<string, any>][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as object).map(([method, call]): [string, Record<string, any>] => [
      `${method} ${path}`,
      call,
    ]),
  )

it('redocly lint finds no fault with it', async () => {
  const lint = shell(join(ROOT, 'node_modules/.bin/redocly'), ['lint', file, '--format=json', '--max-problems=2000'], {
    cwd: inject('testDir'),
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    maxBuffer: 64 * 1024 * 1024,
  })
  const { stdout } = await lint.catch((error: { stdout: string }) => error)
  const problems = (JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] }).problems
  // The specification has both /news/comments/{id} and /news/{id}/history. The tool does not know that {id} is a number.
  const isAccepted = ({ ruleId, message }: { ruleId: string; message: string }) =>
    ruleId === 'no-ambiguous-paths' && differByWord(message.match(/\/[\w\-{}/]+/g) ?? [])
  expect(problems.filter((problem) => !isAccepted(problem))).toEqual([])
})

/** True when one path has an id (a number) where the other has a word. */
function differByWord([one = '', other = '']: readonly string[]): boolean {
  const others = other.split('/')
  return one.split('/').some((part, at) => {
    const pair = [part, others[at] ?? '']
    return pair.some((p) => /^\{id\w*\}$/.test(p)) && pair.some((p) => /^[a-z][a-z-]*$/.test(p))
  })
}

it('a client that is generated from it compiles and reads well', async () => {
  const dir = join(inject('testDir'), 'openapi')
  const tools = join(ROOT, 'apps/server/node_modules')
  await shell(process.execPath, [join(tools, 'openapi-typescript/bin/cli.js'), file, '-o', join(dir, 'schema.d.ts')])
  await writeFile(
    join(dir, 'reader.ts'),
    `import type { components, operations } from './schema.d.ts'
type Good<O extends keyof operations, S extends keyof operations[O]['responses']> =
  operations[O]['responses'][S] extends { content: { 'application/json': infer B } } ? B : never
export const names = (list: Good<'listTasks', 200>): (string | undefined)[] => list.items.map((task) => task.name)
export const more = (list: Good<'listSalesLeads', 200>): boolean => list._meta.hasMore
export const body: components['schemas']['TasksManagementTasksCreate'] = { name: 'Позвонить' }
// @ts-expect-error a name is no number
export const wrong: components['schemas']['TasksManagementTasksCreate'] = { name: 1 }
export const query: operations['listTasks']['parameters']['query'] = { limit: 50, sort: '-dateCreate', count: '1' }
export const refused: Good<'createTask', 422> = [{ field: 'name', message: 'Обязательное поле' }]
`,
  )
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler']
  const check = shell(join(ROOT, 'node_modules/.bin/tsc'), [
    ...options,
    '--allowImportingTsExtensions',
    '--ignoreConfig',
    '--types',
    '',
    join(dir, 'reader.ts'),
    join(dir, 'schema.d.ts'),
  ])
  await expect(check.catch((error: { stdout: string }) => error.stdout)).resolves.toMatchObject({ stdout: '' })
})
